/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License. */

#include <config.h>

#include "fb-doctor-ovs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fb-appctl.h"
#include "fb-doctor.h"
#include "fb-slow-flows.h"
#include "lib/vswitch-idl.h"
#include "openvswitch/dynamic-string.h"
#include "smap.h"
#include "util.h"

/* Misses fewer than this, per sample, say nothing about their share of
 * packets, which is too high from 20 % on: the bounds of the probe's finding
 * of the same name (plugin/fb-find-flows.c). */
#define MIN_MISSES 100
#define MAX_MISSES 0.2

/* A round of 1 s: OVS ceases to raise the flow limit from there on, and lowers
 * it from 1.3 s on (udpif_revalidator() in ofproto-dpif-upcall.c). */
#define SLOW_ROUND_MS 1000

/* Masks tried per packet.  Each is a hash lookup, some 50 ns; 8 take as long
 * as the rest of the packet's way through the kernel datapath. */
#define MAX_MASKS 8

/* Packets fewer than this, per sample, say nothing about masks. */
#define MIN_PACKETS 1000

/* Revalidators are busy from this share of their time on: a convention, less
 * than all because they wait for each other between the parts of a round even
 * if rounds follow each other without a pause. */
#define MAX_BUSY 0.7

/* They are starved if they wait for a CPU for this share of the time in which
 * they could run, and want to run for this share of all: the bounds of the
 * probe's verdict (fb_crew_judge() in plugin/fb-crew.c). */
#define MAX_STARVED 0.25
#define MIN_WANTED 0.1

/* Where the flow limit of a datapath begins, if other_config:flow-limit is not
 * lower (udpif_create() in ofproto-dpif-upcall.c). */
#define INITIAL_LIMIT 10000

/* Most flows to read: formatting them holds up ovs-vswitchd's main thread, for
 * some 5 us each. */
#define MAX_DUMP 5000

/* A database without an ovs-vswitchd. */
void
fb_check_down(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;

    if (e->host.stale || (e->host.idl && !e->host.pid)) {
        fb_doctor_add(
            doctor, FB_ERROR,
            "systemctl restart openvswitch-switch (or openvswitch, or "
            "ovs-ctl restart)",
            "ovs-vswitchd is not running%s: there is %s in %s. Kernel flows "
            "that it left are not kept up to date, and misses are lost.",
            e->host.stale ? " any more" : "",
            e->host.stale ? "a PID file of a process that is gone"
            : "a database", e->host.rundir);
    }
}

/* Packets lost on the way up. */
void
fb_check_lost(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;

    for (size_t i = 0; i < e->n_dps[1]; i++) {
        const struct fb_ovs_dp *dp = &e->dps[1][i];
        const struct fb_ovs_dp *before = fb_doctor_ovs_before(e, dp);

        /* The userspace datapath counts as lost what it forwards without
         * installing a flow, too. */
        if (!dp->kernel || !before) {
            continue;
        }
        double lost = fb_doctor_rate(doctor, before->lost, dp->lost);
        if (lost > 0) {
            fb_doctor_add(
                doctor, FB_ERROR,
                "rules that match fewer fields, a longer other_config:"
                "max-idle, or, if CPUs are idle and dispatch is per-vport, "
                "more other_config:n-handler-threads",
                "%s loses %.0f of %.0f missed packets/s in the sockets to its "
                "%u handler threads: they come faster than these install "
                "flows.", dp->name, lost,
                fb_doctor_rate(doctor, before->missed, dp->missed),
                e->second.handlers.n);
        } else if (dp->lost) {
            fb_doctor_add(
                doctor, FB_INFO, NULL,
                "%s has lost %"PRIu64" of %"PRIu64" missed packets since it "
                "was created, but none now.", dp->name, dp->lost, dp->missed);
        }
    }
}

/* Too many packets that match no flow. */
void
fb_check_misses(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;

    for (size_t i = 0; i < e->n_dps[1]; i++) {
        const struct fb_ovs_dp *dp = &e->dps[1][i];
        const struct fb_ovs_dp *before = fb_doctor_ovs_before(e, dp);
        if (!before || dp->missed < before->missed || dp->hit < before->hit) {
            continue;
        }

        uint64_t missed = dp->missed - before->missed;
        if (!dp->kernel) {
            missed += dp->lost - before->lost;
        }
        uint64_t all = missed + dp->hit - before->hit;
        if (missed >= MIN_MISSES && missed >= all * MAX_MISSES) {
            fb_doctor_add(
                doctor, FB_WARNING,
                "flows that pause for longer than other_config:max-idle "
                "(10,000 ms by default) are set up anew: raise it; flows that "
                "are all different: rules that match fewer fields",
                "%s: %.0f %% of packets match no flow and go through "
                "ovs-vswitchd: %.0f of %.0f packets/s, with %"PRIu64" flows "
                "installed.", dp->name, 100.0 * missed / all,
                missed / doctor->seconds, all / doctor->seconds, dp->flows);
        }
    }
}

/* Appends to 'ds' the flows and limits of all datapaths. */
static void
format_limits(const struct fb_doctor_ovs *e, struct ds *ds)
{
    for (size_t i = 0; i < e->n_dps[1]; i++) {
        const struct fb_ovs_dp *dp = &e->dps[1][i];
        if (dp->limit) {
            ds_put_format(ds, "%s%s: %"PRIu64" flows, at most %"PRIu64", "
                          "limit %"PRIu64, ds->length ? "; " : "", dp->name,
                          dp->flows, dp->max_flows, dp->limit);
        }
    }
}

/* Flows over the limit. */
void
fb_check_flow_limit(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;
    double hit = fb_doctor_ovs_coverage(doctor, e, "upcall_flow_limit_hit");
    double kill = fb_doctor_ovs_coverage(doctor, e, "upcall_flow_limit_kill");
    double hits = fb_doctor_ovs_coverage_hour(e, "upcall_flow_limit_hit");
    double kills = fb_doctor_ovs_coverage_hour(e, "upcall_flow_limit_kill");
    static const char fix[] = "ovs-vsctl set Open_vSwitch . other_config:"
        "flow-limit=N with N above the number of flows; if rounds are slow, "
        "fewer flows instead";
    struct ds ds = DS_EMPTY_INITIALIZER;

    format_limits(e, &ds);
    if (hit + kill > 0) {
        fb_doctor_add(
            doctor, FB_WARNING, fix,
            "The flow limit is found reached %.1f times a second, by a flow "
            "that is then not installed or by a round that deletes flows "
            "early, and all flows are deleted %.1f times a second (%s). "
            "Packets without a flow go through ovs-vswitchd.",
            hit, kill, ds_cstr(&ds));
    } else if (hits + kills >= 1) {
        fb_doctor_add(
            doctor, FB_INFO, fix,
            "In the last hour the flow limit was found reached %.0f times, "
            "and all flows were deleted %.0f times, but not now (%s).",
            hits, kills, ds_cstr(&ds));
    }
    ds_destroy(&ds);
}

/* Adds findings about limits that are lower than where they begin: OVS 3.1
 * does not count how often it lowers them. */
static void
find_low_limits(struct fb_doctor *doctor, const struct fb_doctor_ovs *e)
{
    const struct ovsrec_open_vswitch *cfg
        = e->host.idl ? ovsrec_open_vswitch_first(e->host.idl) : NULL;
    uint64_t most = (cfg ? smap_get_ullong(&cfg->other_config, "flow-limit",
                                           INITIAL_LIMIT) : INITIAL_LIMIT);

    for (size_t i = 0; i < e->n_dps[1]; i++) {
        const struct fb_ovs_dp *dp = &e->dps[1][i];
        if (dp->limit && dp->limit < MIN(most, INITIAL_LIMIT)) {
            fb_doctor_add(
                doctor, FB_WARNING,
                "shorter rounds: more other_config:n-revalidator-threads if "
                "CPUs are idle, fewer flows",
                "%s: the flow limit is %"PRIu64", below the %"PRIu64" from "
                "which it starts: rounds took longer than 1.3 s, or "
                "upcall/set-flow-limit was used.", dp->name, dp->limit,
                MIN(most, INITIAL_LIMIT));
        }
    }
}

/* A limit that OVS has lowered by itself. */
void
fb_check_limit_reduced(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;
    double reduced = fb_doctor_ovs_coverage_hour(e,
                                                 "upcall_flow_limit_reduced");
    double scaled = fb_doctor_ovs_coverage_hour(e,
                                                "upcall_flow_limit_scaled");
    struct ds ds = DS_EMPTY_INITIALIZER;

    format_limits(e, &ds);
    if (reduced + scaled < 1) {
        find_low_limits(doctor, e);
    } else {
        fb_doctor_add(
            doctor, FB_WARNING,
            "shorter rounds: more other_config:n-revalidator-threads if CPUs "
            "are idle, fewer flows; ovs-appctl fanbench/rounds --events tells "
            "when and why",
            "In the last hour the flow limit was lowered %.0f times, of which "
            "%.0f without a line in the log, because rounds took longer than "
            "1.3 s (%s).", reduced + scaled, reduced, ds_cstr(&ds));
    }
    ds_destroy(&ds);
}

/* Rounds of a second or more. */
void
fb_check_rounds(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;

    for (size_t i = 0; i < e->n_dps[1]; i++) {
        const struct fb_ovs_dp *dp = &e->dps[1][i];
        const struct fb_ovs_dp *before = fb_doctor_ovs_before(e, dp);
        uint64_t ms = MAX(dp->dump_ms, before ? before->dump_ms : 0);

        if (ms >= SLOW_ROUND_MS) {
            fb_doctor_add(
                doctor, FB_WARNING,
                "more other_config:n-revalidator-threads if CPUs are idle, or "
                "fewer flows: shorter other_config:max-idle, rules that match "
                "fewer fields",
                "A revalidation round of %s took %"PRIu64" ms with %"PRIu64" "
                "flows: from 1,000 ms on the flow limit no longer grows, from "
                "1,300 ms on it falls.", dp->name, ms, dp->flows);
        }
    }
}

/* Too many masks. */
void
fb_check_masks(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;

    for (size_t i = 0; i < e->n_dps[1]; i++) {
        const struct fb_ovs_dp *dp = &e->dps[1][i];
        const struct fb_ovs_dp *before = fb_doctor_ovs_before(e, dp);
        if (!before || dp->hit < before->hit) {
            continue;
        }
        uint64_t packets = (dp->hit - before->hit
                            + dp->missed - before->missed);
        uint64_t lookups = dp->mask_lookups - before->mask_lookups;
        if (packets >= MIN_PACKETS && lookups >= packets * MAX_MASKS) {
            fb_doctor_add(
                doctor, FB_WARNING,
                "rules of fewer shapes: match the same fields in all rules of "
                "a table; in the kernel datapath, ovs-appctl "
                "dpctl/cache-set-size DP masks-cache 4096",
                "%s tries %.1f of %"PRIu64" masks for each packet: each is a "
                "hash lookup.", dp->name, (double) lookups / packets,
                dp->masks);
        }
    }
}

/* Handlers that are not there. */
void
fb_check_handlers(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;
    const struct ovsrec_open_vswitch *cfg
        = e->host.idl ? ovsrec_open_vswitch_first(e->host.idl) : NULL;
    unsigned int n = e->second.handlers.n;
    bool kernel = false;

    for (size_t i = 0; i < e->n_dps[1]; i++) {
        kernel |= e->dps[1][i].kernel;
    }
    if (!kernel || !e->second.has_threads) {
        return;
    }
    int asked = cfg ? smap_get_int(&cfg->other_config, "n-handler-threads", 0)
                : 0;
    if (!n) {
        fb_doctor_add(
            doctor, FB_ERROR,
            "restart ovs-vswitchd, no earlier than 10 s after boot",
            "ovs-vswitchd has no handler thread: every packet that no flow "
            "matches is lost. It takes a host that booted less than 10 s ago "
            "for one without CPUs.");
    } else if (asked > 0 && n < (unsigned int) asked
               && !(e->dispatch && strstr(e->dispatch, "per-cpu"))) {
        fb_doctor_add(
            doctor, FB_WARNING, "see ovs-vswitchd's log",
            "ovs-vswitchd runs %u handler threads, though "
            "other_config:n-handler-threads asks for %d.", n, asked);
    } else if (asked > 0 && e->dispatch && strstr(e->dispatch, "per-cpu")) {
        fb_doctor_add(
            doctor, FB_INFO,
            "ovs-vsctl remove Open_vSwitch . other_config n-handler-threads",
            "other_config:n-handler-threads=%d has no effect: with per-CPU "
            "dispatch there is one handler for each CPU, here %u.", asked, n);
    }
}

/* The older way of passing packets up. */
void
fb_check_dispatch(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;

    if (e->dispatch && strstr(e->dispatch, "per-vport")) {
        fb_doctor_add(
            doctor, FB_INFO, "a kernel of 5.15 or later has per-CPU dispatch",
            "Upcalls go by port, not by CPU (per-vport dispatch): with many "
            "handlers each wakes several of them, and packets of one flow may "
            "be reordered.");
    }
}

/* Appends to 'ds' what has flows revalidated, and how often. */
static void
format_causes(const struct fb_doctor *doctor, const struct fb_doctor_ovs *e,
              struct ds *ds)
{
    static const struct {
        const char *counter;
        const char *cause;
    } causes[] = {
        { "rev_mac_learning", "MAC learning" },
        { "rev_flow_table", "changes of OpenFlow rules" },
        { "rev_reconfigure", "changes of the configuration" },
        { "rev_port_toggled", "ports going up and down" },
        { "rev_bond", "bonds" },
        { "rev_stp", "STP" },
        { "rev_rstp", "RSTP" },
        { "rev_mcast_snooping", "multicast snooping" },
    };

    for (size_t i = 0; i < ARRAY_SIZE(causes); i++) {
        double rate = fb_doctor_ovs_coverage(doctor, e, causes[i].counter);
        if (rate > 0) {
            ds_put_format(ds, "%s%s %.1f/s", ds->length ? ", " : "",
                          causes[i].cause, rate);
        }
    }
    if (!ds->length) {
        ds_put_cstr(ds, "the number of flows alone");
    }
}

/* Revalidators that have too much to do, or too little of a CPU. */
void
fb_check_revalidators(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;
    const struct fb_ovs_crew *a = &e->first.revalidators;
    const struct fb_ovs_crew *b = &e->second.revalidators;
    struct ds ds = DS_EMPTY_INITIALIZER;

    if (!b->n || a->n != b->n) {
        return;
    }
    double run = fb_doctor_rate(doctor, a->run_ns, b->run_ns) / 1e9 / b->n;
    double wait = fb_doctor_rate(doctor, a->wait_ns, b->wait_ns) / 1e9 / b->n;
    const char *verb = b->n == 1 ? " is" : "s are";

    format_causes(doctor, e, &ds);
    if (run + wait >= MIN_WANTED && wait >= (run + wait) * MAX_STARVED) {
        fb_doctor_add(
            doctor, FB_WARNING,
            "other_config:n-revalidator-threads no greater than the CPUs "
            "that are free, or give ovs-vswitchd more CPUs",
            "%u revalidator thread%s starved: running for %.0f %% of the "
            "time, waiting for a CPU for %.0f %%.", b->n, verb, run * 100,
            wait * 100);
    }
    if (run + wait >= MAX_BUSY) {
        fb_doctor_add(
            doctor, FB_WARNING,
            "remove the cause; or fewer flows, or more "
            "other_config:n-revalidator-threads if CPUs are idle",
            "%u revalidator thread%s never idle (%.0f %% of the time). "
            "What has flows revalidated: %s.", b->n, verb,
            (run + wait) * 100, ds_cstr(&ds));
    }
    ds_destroy(&ds);
}

/* Adds a finding about the flows of 'dp' in 'dump' that ovs-vswitchd
 * forwards. */
static void
find_slow_flows(struct fb_doctor *doctor, const struct fb_ovs_dp *dp,
                const char *dump)
{
    struct fb_slow_flows slow = fb_slow_flows_count(dump);

    if (slow.n) {
        /* That the controller gets packets is what somebody asked for. */
        fb_doctor_add(
            doctor, slow.action || slow.match ? FB_WARNING : FB_INFO,
            "fewer outputs in one rule, actions that the datapath knows (see "
            "ovs-appctl dpif/show-dp-features BRIDGE), fewer packets for the "
            "controller",
            "%s: each packet of %"PRIu64" of %"PRIu64" flows goes through "
            "ovs-vswitchd (slow path), %"PRIu64" because of an action that "
            "the datapath cannot do or too many outputs, %"PRIu64" because "
            "of the match, %"PRIu64" for the controller.", dp->name, slow.n,
            dp->flows, slow.action, slow.match, slow.controller);
    }
}

/* Flows in the slow path. */
void
fb_check_slow_path(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;
    double oversize = (fb_doctor_ovs_coverage(doctor, e,
                                              "xlate_actions_oversize")
                       + fb_doctor_ovs_coverage(
                           doctor, e, "xlate_actions_too_many_output"));

    for (size_t i = 0; e->host.rpc && i < e->n_dps[1]; i++) {
        const struct fb_ovs_dp *dp = &e->dps[1][i];
        char *dump = NULL;

        if (dp->flows > MAX_DUMP) {
            fb_doctor_add_unread(
                doctor, "the %"PRIu64" flows of %s, because printing them "
                "would hold up ovs-vswitchd (ovs-appctl dpctl/dump-flows)",
                dp->flows, dp->name);
            continue;
        }
        char *error = fb_appctl(e->host.rpc, &dump, "dpctl/dump-flows",
                                dp->name, NULL);
        if (error) {
            fb_doctor_add_unread(doctor, "%s", error);
            free(error);
        } else {
            find_slow_flows(doctor, dp, dump);
        }
        free(dump);
    }
    if (oversize > 0 && !fb_doctor_has_found(doctor, doctor->code)) {
        fb_doctor_add(
            doctor, FB_WARNING, "fewer outputs in one rule, or fewer ports",
            "%.1f times a second a rule has too many outputs for one datapath "
            "flow: such packets go through ovs-vswitchd or are dropped.",
            oversize);
    }
}
