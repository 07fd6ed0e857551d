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

#include "fb-find.h"

#include <inttypes.h>

#include "fb-clock.h"
#include "fb-findings.h"
#include "fb-returns.h"
#include "fb-show.h"
#include "fb-snapshot.h"
#include "fb-watch.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Upcalls, or set-ups, fewer than this say nothing about their share... */
#define MIN_MISSES 100

/* ...of packets, or of set-ups, which is too high from this on, in percent: an
 * upcall costs ovs-vswitchd some tens of microseconds ("ovs-fanbench run
 * cold"), where a packet that matches a flow costs about one, so that with a
 * fifth of upcalls nearly all time goes into them. */
#define MAX_MISS_PERCENT 20

/* Returns of one flow fewer than this after it was deleted as changed say
 * nothing: an idle flow that gets a packet just when it is deleted looks the
 * same. */
#define MIN_CHANGED 6

/* Returns how many of the flows that were set up in datapath 'dp' were
 * recorded, as far as was seen: the installation itself is not seen in a
 * userspace datapath. */
static uint64_t
n_setups(const struct fb_snapshot_dp *dp)
{
    uint64_t puts = dp->roles[FB_ROLE_HANDLER].n[FB_C_OP(FB_OP_PUT)];

    return fb_find_recorded(dp, puts ? puts : dp->total.n[FB_C_MISS]);
}

/* Says whether too many flows of datapath 'dp' end as idle and come back. */
static bool
idles_out(const struct fb_snapshot *s, size_t dp)
{
    uint64_t n = s->returns.dps[dp][FB_END_IDLE].n;

    return (n >= MIN_MISSES
            && n * 100 >= n_setups(&s->dps[dp]) * MAX_MISS_PERCENT);
}

/* Flows that are deleted as idle, only to be put again soon. */
void
fb_find_idle_out(const struct fb_snapshot *s, struct fb_findings *f)
{
    for (size_t i = 0; i < s->n_dps; i++) {
        const struct fb_returns *r = &s->returns.dps[i][FB_END_IDLE];
        unsigned int max_idle = s->returns.max_idle_ms;
        struct fb_finding *finding;

        if (!idles_out(s, i)) {
            continue;
        }
        finding = fb_finding_add(f, s, FB_SEV_WARNING, "flows-idle-out",
                                 r->first);
        finding->text = xasprintf(
            "Flows pause for longer than they are kept: %"PRIu64" of %"PRIu64
            " flows set up on %s had been deleted as idle shortly before. "
            "other_config:max-idle is %u ms; they came back %.1f s after "
            "their end on average, %.1f s at most (more than %d s is not "
            "looked at).", r->n, n_setups(&s->dps[i]), s->dps[i].name,
            max_idle, r->away_ms / (r->n * 1e3), r->away_max_ms / 1e3,
            FB_RETURN_MS / 1000);
        finding->fix = xasprintf(
            "ovs-vsctl set Open_vSwitch . other_config:max-idle=%"PRIu64", in "
            "ms. There will be more flows then: see that they stay below the "
            "flow limit.",
            ROUND_UP(max_idle + r->away_max_ms + 1000, UINT64_C(500)));
    }
}

/* Appends to 'ds' who deletes flows that end by 'end', as far as that is
 * known. */
static void
put_culprit(const struct fb_snapshot *s, enum fb_end end, struct ds *ds)
{
    const struct fb_returns_all *all = &s->returns;

    switch (end) {
    case FB_END_OUTSIDER:
        break;
    case FB_END_FLUSH:
        ds_put_cstr(ds, "ovs-vswitchd deleted them together with all others, "
                    "as when it is told to or its threads change. ");
        break;
    case FB_END_CHANGED:
        ds_put_format(
            ds, "Revalidators deleted them, for they were not what they "
            "should be. Meanwhile OpenFlow rules changed %"PRIu64", MAC "
            "tables %"PRIu64" and the configuration %"PRIu64" times; if none "
            "of that explains it, the datapath returns other flows than were "
            "put.",
            fb_watch_rise(s->watch, FB_COV_REV_FLOW_TABLE),
            fb_watch_rise(s->watch, FB_COV_REV_MAC),
            fb_watch_rise(s->watch, FB_COV_REV_RECONFIGURE));
        return;
    case FB_END_NONE:
    case FB_END_IDLE:
    case FB_END_LIMIT:
    case FB_N_ENDS:
    default:
        return;
    }
    if (all->n_deletes) {
        ds_put_format(ds, "The command %s was run, the last of %"PRIu64" of "
                      "its kind %.1f s after the start of the recording.",
                      all->delete_name, all->n_deletes,
                      fb_show_ms(fb_clock_since(s->start, all->last_delete))
                      / 1000);
    } else {
        ds_put_cstr(ds, "No command given to ovs-vswitchd did it: another "
                    "program, such as ovs-dpctl, does.");
    }
}

/* Returns what to do about flows that end by 'end'. */
static const char *
name_cure(enum fb_end end)
{
    switch (end) {
    case FB_END_CHANGED:
        return "Change rules less often, and only those that differ; raise "
               "the bridge's other_config:mac-table-size if MAC tables are "
               "what changes. Which flows: fanbench/start --flows, then "
               "fanbench/flows --sort=reinstalls.";
    case FB_END_NONE:
    case FB_END_IDLE:
    case FB_END_LIMIT:
    case FB_END_OUTSIDER:
    case FB_END_FLUSH:
    case FB_N_ENDS:
    default:
        return "Stop the agent, script or cron job that deletes datapath "
               "flows (dpctl/del-flows, ovs-dpctl del-flows, "
               "revalidator/purge). Which flows: fanbench/start --flows, then "
               "fanbench/flows --sort=reinstalls.";
    }
}

/* Flows that vanish: ovs-vswitchd has not deleted them. */
void
fb_find_vanished(const struct fb_snapshot *s, struct fb_findings *f)
{
    for (size_t i = 0; i < s->n_dps; i++) {
        const struct fb_returns *r = &s->returns.dps[i][FB_END_OUTSIDER];
        const struct fb_vanished *v = &s->returns.vanished[i];
        struct ds ds = DS_EMPTY_INITIALIZER;
        struct fb_finding *finding;

        if (!r->n_circling && v->n_astray < MIN_MISSES) {
            continue;
        }
        finding = fb_finding_add(f, s, FB_SEV_WARNING, "flows-vanish",
                                 v->n ? v->first : r->first);
        ds_put_format(
            &ds, "Flows of %s vanish though ovs-vswitchd did not delete them, "
            "%"PRIu64" times so far: %"PRIu64" packets of theirs then went "
            "through ovs-vswitchd, which puts a flow again only when it has "
            "been idle. That was done %"PRIu64" times; %"PRIu64" flows have "
            "been put %d times or more. ", s->dps[i].name, v->n, v->n_astray,
            r->n, r->n_circling, FB_RETURN_CIRCLES + 1);
        put_culprit(s, FB_END_OUTSIDER, &ds);
        finding->text = ds_steal_cstr(&ds);
        finding->fix = xstrdup(name_cure(FB_END_OUTSIDER));
    }
}

/* Flows that are put, deleted, put again, and so on, for reasons of which no
 * other finding tells. */
void
fb_find_put_again(const struct fb_snapshot *s, struct fb_findings *f)
{
    for (size_t i = 0; i < s->n_dps; i++) {
        for (int end = 0; end < FB_N_ENDS; end++) {
            const struct fb_returns *r = &s->returns.dps[i][end];
            struct ds ds = DS_EMPTY_INITIALIZER;
            struct fb_finding *finding;

            if (end == FB_END_IDLE || end == FB_END_OUTSIDER
                || end == FB_END_LIMIT || !r->n_circling
                || (end == FB_END_CHANGED && r->most < MIN_CHANGED)) {
                continue;
            }
            finding = fb_finding_add(f, s, FB_SEV_WARNING, "flows-put-again",
                                     r->first);
            ds_put_format(
                &ds, "Flows of %s are put, deleted and put again: %"PRIu64" "
                "times one came back within %d s, and %"PRIu64" flows did so "
                "%d times in a row or more, the worst %"PRIu64" times. ",
                s->dps[i].name, r->n, FB_RETURN_MS / 1000, r->n_circling,
                FB_RETURN_CIRCLES, r->most);
            put_culprit(s, end, &ds);
            finding->text = ds_steal_cstr(&ds);
            finding->fix = xstrdup(name_cure(end));
        }
    }
}

/* Returns how many misses of datapath 'dp' other findings about it explain:
 * those of flows that had been there shortly before; or all, as far as is
 * known, if the flow limit was reached. */
static uint64_t
explained(const struct fb_snapshot *s, size_t dp)
{
    uint64_t n = s->returns.vanished[dp].n_astray;

    if (fb_watch_rise(s->watch, FB_COV_LIMIT_HIT)) {
        return UINT64_MAX / 2;
    }
    for (int end = 0; end < FB_N_ENDS; end++) {
        const struct fb_returns *r = &s->returns.dps[dp][end];

        if (end == FB_END_IDLE ? idles_out(s, dp) : r->n_circling > 0) {
            n += r->n;
        }
    }
    return n;
}

/* Packets too many of which match no flow, for reasons that are not known
 * better. */
void
fb_find_misses(const struct fb_snapshot *s, struct fb_findings *f)
{
    for (size_t i = 0; s->watch && i < s->n_dps; i++) {
        const struct fb_watched_dp *w = &s->watch->dps[i];
        uint64_t missed = fb_watched_rise(&w->missed);
        struct fb_finding *finding;
        uint64_t packets;

        /* The kernel counts lost ones among the missed. */
        if (!fb_find_is_kernel(&s->dps[i])) {
            missed += fb_watched_rise(&w->lost);
        }
        packets = missed + fb_watched_rise(&w->hit);
        if (missed < MIN_MISSES
            || missed * 100 < packets * MAX_MISS_PERCENT
            || explained(s, i) * 2 >= fb_find_recorded(&s->dps[i], missed)) {
            continue;
        }
        finding = fb_finding_add(f, s, FB_SEV_WARNING, "many-upcalls",
                                 w->missed.since);
        finding->text = xasprintf(
            "%.2f upcalls per packet on %s: %"PRIu64" of %"PRIu64" packets "
            "matched no flow, so that flows hardly repay their setup.",
            (double) missed / packets, s->dps[i].name, missed, packets);
        finding->fix = xstrdup(
            "Flows that are all different: use rules that match fewer fields. "
            "Flows that pause for more than 10 s: raise "
            "other_config:max-idle, which is 10,000 ms by default.");
    }
}
