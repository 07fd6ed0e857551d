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
#include "fanbench-config.h"

#include "fb-findings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fb-clock.h"
#include "fb-mainloop.h"
#include "fb-ports.h"
#include "fb-recording.h"
#include "fb-snapshot.h"
#include "fb-watch.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Bounds from which on something is found.
 *
 * OVS ceases to raise the flow limit when a round takes 1 s, and lowers it
 * from 1.3 s on (udpif_revalidator() in ofproto-dpif-upcall.c). */
#define SLOW_ROUND_NS UINT64_C(1000000000)
#define LIMIT_FALLS_NS UINT64_C(1300000000)

/* Upcalls fewer than this say nothing about their share of packets... */
#define MIN_MISSES 100

/* ...which is too high from this on, in percent. */
#define MAX_MISS_PERCENT 20

/* Share of its interval, in percent, that a sweep over the interfaces'
 * statistics may take. */
#define MAX_SWEEP_PERCENT 10

/* A hold-up without an observer is a finding from this on. */
#define LONG_HOLD_NS UINT64_C(1000000000)

const char *const fb_severity_names[] = {
    [FB_SEV_INFO] = "info",
    [FB_SEV_WARNING] = "warning",
    [FB_SEV_ERROR] = "error",
};

/* Adds a finding to 'f', true since 'ticks' (0: since the recording began),
 * and returns it. */
static struct fb_finding *
add(struct fb_findings *f, const struct fb_snapshot *s,
    enum fb_severity severity, const char *code, uint64_t ticks)
{
    struct fb_finding *finding;

    f->findings = xrealloc(f->findings, (f->n + 1) * sizeof *f->findings);
    finding = &f->findings[f->n++];
    finding->severity = severity;
    finding->code = code;
    finding->text = NULL;
    finding->fix = NULL;
    finding->since = s->start_msec;
    if (ticks) {
        finding->since += fb_clock_to_ns(fb_clock_since(s->start, ticks))
                          / 1000000;
    }
    return finding;
}

/* Returns 'ticks' in milliseconds. */
static double
to_ms(uint64_t ticks)
{
    return fb_clock_to_ns(ticks) / 1e6;
}

/* Returns when the first round of datapath 'dp' that is still in the history
 * and took 'ns' or more began, in ticks; 0 if none did. */
static uint64_t
first_slow_round(int dp, uint64_t ns)
{
    struct fb_round *rounds;
    uint64_t start = 0;
    size_t n;

    n = fb_rounds_history(fb_recording_get()->epoch, dp, FB_ROUNDS_HISTORY,
                          &rounds);
    for (size_t i = 0; i < n && !start; i++) {
        if (fb_clock_to_ns(rounds[i].duration) >= ns) {
            start = rounds[i].start;
        }
    }
    free(rounds);
    return start;
}

/* Returns the phase in which revalidators spent most of their time in the
 * rounds 't', in words. */
static const char *
longest_phase(const struct fb_round_totals *t)
{
    static const struct {
        enum fb_work work;      /* A phase. */
        const char *name;       /* What to call it. */
    } phases[] = {
        { FB_W_DUMP, "getting flows from the datapath" },
        { FB_W_REVALIDATION, "revalidating flows" },
        { FB_W_OPERATIONS, "flow operations" },
        { FB_W_SWEEP, "sweeping ukeys" },
        { FB_W_BARRIER, "waiting for the slowest revalidator" },
        { FB_W_PAUSE, "being paused by the main thread" },
    };
    size_t longest = 0;

    for (size_t i = 1; i < ARRAY_SIZE(phases); i++) {
        if (t->work.n[phases[i].work] > t->work.n[phases[longest].work]) {
            longest = i;
        }
    }
    return phases[longest].name;
}

/* Rounds that take a second or more. */
static void
find_slow_rounds(const struct fb_snapshot *s, struct fb_findings *f)
{
    for (size_t i = 0; i < s->n_dps; i++) {
        const struct fb_round_totals *t = &s->dps[i].rounds;
        struct fb_finding *finding;

        if (fb_clock_to_ns(t->max) < SLOW_ROUND_NS) {
            continue;
        }
        finding = add(f, s, FB_SEV_WARNING, "slow-rounds",
                      first_slow_round(i, SLOW_ROUND_NS));
        finding->text = xasprintf(
            "Revalidation rounds of %s take up to %.0f ms; from 1,000 ms on "
            "the flow limit no longer grows, from 1,300 ms on it falls. Most "
            "of the time goes into %s.", s->dps[i].name, to_ms(t->max),
            longest_phase(t));
        finding->fix = xstrdup(
            "Raise other_config:n-revalidator-threads if CPUs are idle, or "
            "have fewer flows: shorter other_config:max-idle, rules that "
            "match fewer fields. See fanbench/rounds.");
    }
}

/* Flow limits that fell because rounds took too long. */
static void
find_limit_reduced(const struct fb_snapshot *s, struct fb_findings *f)
{
    for (size_t i = 0; s->watch && i < s->n_dps; i++) {
        const struct fb_watched_dp *w = &s->watch->dps[i];
        struct fb_finding *finding;

        if (!w->limit_since
            || fb_clock_to_ns(s->dps[i].rounds.max) < LIMIT_FALLS_NS) {
            continue;
        }
        finding = add(f, s, FB_SEV_WARNING, "flow-limit-reduced",
                      w->limit_since);
        finding->text = xasprintf(
            "The flow limit of %s fell from %"PRIu64" to %"PRIu64" and is "
            "%"PRIu64" now, because rounds took up to %.0f ms.",
            s->dps[i].name, w->limit_highest, w->limit_lowest, w->limit,
            to_ms(s->dps[i].rounds.max));
        finding->fix = xstrdup(
            "Make rounds shorter (more other_config:n-revalidator-threads, "
            "fewer flows): the limit grows by 1,000 with each round below "
            "1,000 ms.");
    }
}

/* Flows over the limit, which are refused or thrown out. */
static void
find_over_limit(const struct fb_snapshot *s, struct fb_findings *f)
{
    const struct fb_watched *hit, *kill;
    struct fb_finding *finding;
    struct ds limits = DS_EMPTY_INITIALIZER;
    uint64_t since;

    if (!s->watch) {
        return;
    }
    hit = &s->watch->coverage[FB_COV_LIMIT_HIT];
    kill = &s->watch->coverage[FB_COV_LIMIT_KILL];
    if (!fb_watched_rise(hit) && !fb_watched_rise(kill)) {
        return;
    }
    for (size_t i = 0; i < s->n_dps; i++) {
        const struct fb_watched_dp *w = &s->watch->dps[i];

        if (w->limit) {
            ds_put_format(&limits, "%s%s %"PRIu64" flows, limit %"PRIu64,
                          limits.length ? "; " : "", s->dps[i].name,
                          w->n_flows, w->limit);
        }
    }
    since = hit->since && (!kill->since || hit->since < kill->since)
            ? hit->since : kill->since;
    finding = add(f, s, FB_SEV_WARNING, "flows-over-limit", since);
    finding->text = xasprintf(
        "%"PRIu64" times the flow limit was found reached, by a flow that was "
        "then not installed or by a round that then deleted flows early, and "
        "%"PRIu64" times all flows were deleted because they were more than "
        "twice the limit (%s). Packets without a flow go through "
        "ovs-vswitchd.", fb_watched_rise(hit), fb_watched_rise(kill),
        ds_cstr(&limits));
    finding->fix = xstrdup(
        "ovs-vsctl set Open_vSwitch . other_config:flow-limit=N with N above "
        "the number of flows; if rounds are slow, fewer flows instead.");
    ds_destroy(&limits);
}

/* MAC tables that are too small, so that learning never ends. */
static void
find_mac_table(const struct fb_snapshot *s, struct fb_findings *f)
{
    const struct fb_mac_table *mac;
    const struct fb_watched *evicted, *rev;
    struct fb_finding *finding;

    if (!s->watch) {
        return;
    }
    mac = &s->watch->mac;
    evicted = &s->watch->coverage[FB_COV_MAC_EVICTED];
    rev = &s->watch->coverage[FB_COV_REV_MAC];
    if (!fb_watched_rise(evicted)) {
        return;
    }
    finding = add(f, s, FB_SEV_WARNING, "mac-table-full", evicted->since);
    finding->text = xasprintf(
        "The MAC table is too small%s%s: %"PRIu64" addresses were thrown out "
        "to learn others (%"PRIu64" of %"PRIu64" entries in use), and "
        "changes of MAC tables had all flows revalidated %"PRIu64" times.",
        mac->bridge[0] ? " on bridge " : "", mac->bridge,
        fb_watched_rise(evicted), mac->n, mac->max, fb_watched_rise(rev));
    finding->fix = xasprintf(
        "ovs-vsctl set bridge %s other-config:mac-table-size=N with N above "
        "the number of addresses behind it, e.g. %"PRIu64".",
        mac->bridge[0] ? mac->bridge : "BRIDGE",
        mac->max ? mac->max * 4 : 16384);
}

/* Flows that could not be installed. */
static void
find_put_errors(const struct fb_snapshot *s, struct fb_findings *f)
{
    for (size_t i = 0; s->watch && i < s->n_dps; i++) {
        const struct fb_watched_dp *w = &s->watch->dps[i];
        struct fb_finding *finding;
        struct ds ds = DS_EMPTY_INITIALIZER;

        if (!fb_watched_rise(&w->put_failed)) {
            continue;
        }
        fb_errnos_format(&w->put_errors, &ds);
        finding = add(f, s, FB_SEV_WARNING, "flow-put-errors",
                      w->put_failed.since);
        finding->text = xasprintf(
            "%"PRIu64" of %"PRIu64" flow puts on %s failed: %s. Each packet "
            "of such a flow goes through ovs-vswitchd.",
            fb_watched_rise(&w->put_failed),
            s->dps[i].total.n[FB_C_OP(FB_OP_PUT)], s->dps[i].name,
            ds_cstr(&ds));
        finding->fix = xstrdup(
            "\"File exists\": delete flows that others put in by hand (see "
            "ovs-appctl dpctl/dump-flows). \"Invalid argument\": the datapath "
            "does not know an action or a match of the rules (see the log of "
            "the kernel).");
        ds_destroy(&ds);
    }
}

/* Says whether 'dp' is a kernel datapath. */
static bool
is_kernel(const struct fb_snapshot_dp *dp)
{
    return !strncmp(dp->name, "system@", strlen("system@"));
}

/* Upcalls that the kernel could not deliver.
 *
 * Userspace datapaths count as lost all misses for which no flow was to be
 * installed, most of which they forward (fast_path_processing()
 * in dpif-netdev.c). */
static void
find_lost(const struct fb_snapshot *s, struct fb_findings *f)
{
    for (size_t i = 0; s->watch && i < s->n_dps; i++) {
        const struct fb_watched_dp *w = &s->watch->dps[i];
        struct fb_finding *finding;

        if (!fb_watched_rise(&w->lost) || !is_kernel(&s->dps[i])) {
            continue;
        }
        finding = add(f, s, FB_SEV_ERROR, "upcalls-lost", w->lost.since);
        finding->text = xasprintf(
            "%s lost %"PRIu64" of %"PRIu64" packets that no flow matched on "
            "the way to ovs-vswitchd: they came faster than they were "
            "handled.", s->dps[i].name, fb_watched_rise(&w->lost),
            fb_watched_rise(&w->missed));
        finding->fix = xstrdup(
            "Raise other_config:n-handler-threads if CPUs are idle. Else have "
            "fewer packets miss: rules that match fewer fields, longer "
            "other_config:max-idle, a higher flow limit.");
    }
}

/* Packets that userspace datapaths dropped instead of passing them up. */
static void
find_dropped(const struct fb_snapshot *s, struct fb_findings *f)
{
    const struct fb_watched *upcall, *lock;
    struct fb_finding *finding;
    uint64_t since;

    if (!s->watch) {
        return;
    }
    upcall = &s->watch->coverage[FB_COV_DROP_UPCALL];
    lock = &s->watch->coverage[FB_COV_DROP_LOCK];
    if (!fb_watched_rise(upcall) && !fb_watched_rise(lock)) {
        return;
    }
    since = MIN(upcall->since ? upcall->since : UINT64_MAX,
                lock->since ? lock->since : UINT64_MAX);
    finding = add(f, s, FB_SEV_ERROR, "upcalls-dropped", since);
    finding->text = xasprintf(
        "Userspace datapaths dropped packets that no flow matched: %"PRIu64" "
        "because ovs-vswitchd did not know what to do with them, %"PRIu64" "
        "because its configuration was just being changed.",
        fb_watched_rise(upcall), fb_watched_rise(lock));
    finding->fix = xstrdup(
        "The former: see the log, and ofproto/trace. The latter: change "
        "threads, ports and bridges less often.");
}

/* Packets too many of which match no flow. */
static void
find_misses(const struct fb_snapshot *s, struct fb_findings *f)
{
    for (size_t i = 0; s->watch && i < s->n_dps; i++) {
        const struct fb_watched_dp *w = &s->watch->dps[i];
        uint64_t missed = fb_watched_rise(&w->missed);
        struct fb_finding *finding;
        uint64_t packets;

        /* The kernel counts lost ones among the missed. */
        if (!is_kernel(&s->dps[i])) {
            missed += fb_watched_rise(&w->lost);
        }
        packets = missed + fb_watched_rise(&w->hit);
        if (missed < MIN_MISSES
            || missed * 100 < packets * MAX_MISS_PERCENT) {
            continue;
        }
        finding = add(f, s, FB_SEV_WARNING, "many-upcalls", w->missed.since);
        finding->text = xasprintf(
            "%.2f upcalls per packet on %s: %"PRIu64" of %"PRIu64" packets "
            "matched no flow, so that flows hardly repay their setup.",
            (double) missed / packets, s->dps[i].name, missed, packets);
        finding->fix = xstrdup(
            "Flows that pause for longer than other_config:max-idle (10,000 "
            "ms by default) are set up anew: raise it. Flows that are all "
            "different: use rules that match fewer fields.");
    }
}

/* Returns who held up the main thread by 'activity', in words. */
static const char *
name_cause(enum fb_activity activity)
{
    switch (activity) {
    case FB_ACT_COMMAND:
        return "a command from outside";
    case FB_ACT_OPENFLOW:
        return "an OpenFlow request from outside";
    case FB_ACT_STATISTICS:
        return "reading interfaces' statistics";
    case FB_ACT_PORT_ADD:
        return "adding ports";
    case FB_ACT_PORT_DEL:
        return "deleting ports";
    case FB_ACT_PACKETS:
        return "forwarding packets";
    case FB_ACT_BRIDGES:
        return "the regular work of bridges";
    case FB_ACT_OTHER:
    case FB_N_ACTIVITIES:
    default:
        return "the database, configuration or other work of its own";
    }
}

/* The main thread being kept from its work. */
static void
find_holds(const struct fb_snapshot *s, struct fb_findings *f)
{
    for (size_t i = 0; s->mainloop && i < FB_N_ACTIVITIES; i++) {
        const struct fb_activity_totals *t = &s->mainloop->activities[i];
        bool observer = i == FB_ACT_COMMAND || i == FB_ACT_OPENFLOW;
        struct fb_finding *finding;

        if (!t->n_holds
            || (!observer && fb_clock_to_ns(t->hold_max) < LONG_HOLD_NS)) {
            continue;
        }
        finding = add(f, s, FB_SEV_WARNING, "main-thread-held",
                      t->hold_since);
        finding->text = xasprintf(
            "The main thread was held up %"PRIu64" times for %d ms or more, "
            "at most %.0f ms, by %s%s%s%s. Meanwhile it answered no OpenFlow, "
            "database or command and served no userspace port that has no PMD "
            "thread.", t->n_holds, FB_HOLD_MS, to_ms(t->hold_max),
            name_cause(i), t->hold_name[0] ? " (" : "", t->hold_name,
            t->hold_name[0] ? ")" : "");
        finding->fix = xstrdup(
            observer
            ? "Run it less often, or when there is little traffic, or ask for "
              "less at a time (one table, one cookie, an aggregate)."
            : "See fanbench/ports for where the time goes.");
    }
}

/* Sweeps over the interfaces' statistics that take too much of the time. */
static void
find_sweeps(const struct fb_snapshot *s, struct fb_findings *f)
{
    const struct fb_sweeps *w = s->ports ? &s->ports->sweeps : NULL;
    uint64_t interval = w ? fb_sweeps_interval(w) : 0;
    struct fb_finding *finding;

    if (!interval || w->ticks / w->n * 100 < interval * MAX_SWEEP_PERCENT) {
        return;
    }
    finding = add(f, s, FB_SEV_INFO, "statistics-sweeps", w->first_start);
    finding->text = xasprintf(
        "Reading the statistics of %"PRIu64" interfaces takes the main thread "
        "%.0f ms each %.1f s, %.0f %% of its time (%.1f us an interface, "
        "slowest %s).", w->last_interfaces, to_ms(w->ticks / w->n),
        to_ms(interval) / 1000, 100.0 * (w->ticks / w->n) / interval,
        1000 * to_ms(w->ticks) / w->n_interfaces, w->slowest_name);
    finding->fix = xasprintf(
        "ovs-vsctl set Open_vSwitch . "
        "other_config:stats-update-interval=N, in ms, e.g. %.0f.",
        to_ms(interval) * 10);
}

/* Threads that the recording misses. */
static void
find_refused(const struct fb_snapshot *s, struct fb_findings *f)
{
    struct fb_finding *finding;

    if (s->n_refused) {
        finding = add(f, s, FB_SEV_INFO, "threads-not-recorded", 0);
        finding->text = xasprintf(
            "%u threads were not recorded, because there is room for %d: the "
            "figures are too low.", s->n_refused, FB_MAX_RECORDS);
        finding->fix = xstrdup("Record one datapath: fanbench/start DP.");
    }
}

/* The rules. */
static void (*const rules[])(const struct fb_snapshot *,
                             struct fb_findings *) = {
    find_lost,
    find_dropped,
    find_mac_table,
    find_over_limit,
    find_limit_reduced,
    find_slow_rounds,
    find_put_errors,
    find_misses,
    find_holds,
    find_sweeps,
    find_refused,
};

/* Orders findings 'a_' and 'b_', the worse first and then the older. */
static int
compare_findings(const void *a_, const void *b_)
{
    const struct fb_finding *a = a_;
    const struct fb_finding *b = b_;

    if (a->severity != b->severity) {
        return a->severity > b->severity ? -1 : 1;
    }
    return a->since < b->since ? -1 : a->since > b->since;
}

/* Stores in '*f' what 's' says is wrong.  The caller must free it with
 * fb_findings_destroy(). */
void
fb_findings_find(const struct fb_snapshot *s, struct fb_findings *f)
{
    *f = (struct fb_findings) { .n = 0 };
    if (!s->any) {
        return;
    }
    for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
        rules[i](s, f);
    }
    if (f->n) {
        qsort(f->findings, f->n, sizeof *f->findings, compare_findings);
    }
}

/* Frees what 'f' holds. */
void
fb_findings_destroy(struct fb_findings *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->findings[i].text);
        free(f->findings[i].fix);
    }
    free(f->findings);
}
