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
#include <stdlib.h>

#include "fb-clock.h"
#include "fb-crew.h"
#include "fb-events.h"
#include "fb-findings.h"
#include "fb-phase.h"
#include "fb-recording.h"
#include "fb-returns.h"
#include "fb-rounds.h"
#include "fb-show.h"
#include "fb-snapshot.h"
#include "fb-watch.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Duration of a round from which on it is slow: OVS then ceases to raise the
 * flow limit (udpif_revalidator() in ofproto-dpif-upcall.c). */
#define SLOW_ROUND_NS UINT64_C(1000000000)

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

/* Rounds that take a second or more. */
void
fb_find_slow_rounds(const struct fb_snapshot *s, struct fb_findings *f)
{
    for (size_t i = 0; i < s->n_dps; i++) {
        const struct fb_round_totals *t = &s->dps[i].rounds;
        struct fb_finding *finding;

        if (fb_clock_to_ns(t->max) < SLOW_ROUND_NS) {
            continue;
        }
        finding = fb_finding_add(f, s, FB_SEV_WARNING, "slow-rounds",
                                 first_slow_round(i, SLOW_ROUND_NS));
        finding->text = xasprintf(
            "Revalidation rounds of %s take up to %.0f ms; from 1,000 ms on "
            "the flow limit no longer grows, from 1,300 ms on it falls. Most "
            "of the time goes into %s.", s->dps[i].name, fb_show_ms(t->max),
            fb_phase_name(fb_phase_longest(&t->work)));
        finding->fix = xstrdup(
            "Raise other_config:n-revalidator-threads if CPUs are idle, or "
            "have fewer flows: shorter other_config:max-idle, rules that "
            "match fewer fields. See fanbench/rounds.");
    }
}

/* Revalidators that want the CPU and do not get it. */
void
fb_find_starved(const struct fb_snapshot *s, struct fb_findings *f)
{
    for (size_t i = 0; i < s->n_dps; i++) {
        uint64_t active = 0, kept = 0, preempted = 0, latest = 0, since = 0;
        struct fb_crew_member *members;
        size_t n = fb_crew_read(fb_recording_get()->epoch, i, &members);
        size_t n_starved = 0;

        for (size_t j = 0; j < n; j++) {
            latest = MAX(latest, members[j].last);
        }
        for (size_t j = 0; j < n; j++) {
            const struct fb_crew_member *m = &members[j];

            if (fb_crew_judge(m, latest) == FB_VERDICT_STARVED) {
                active += fb_crew_active_ns(m);
                kept += fb_crew_kept_ns(m);
                preempted += m->n_preempted;
                since = n_starved++ ? MIN(since, m->first) : m->first;
            }
        }
        free(members);
        if (n_starved) {
            struct fb_finding *finding
                = fb_finding_add(f, s, FB_SEV_WARNING,
                                 "revalidators-starved", since);

            finding->text = xasprintf(
                "%"PRIuSIZE" revalidators of %s are kept from the CPU: of the "
                "%.1f s in which they had work to do, they did not run in "
                "%.1f s, and other threads took their CPU %"PRIu64" times.",
                n_starved, s->dps[i].name, active / 1e9, kept / 1e9,
                preempted);
            finding->fix = xstrdup(
                "Give ovs-vswitchd CPUs of its own, or more of them (its CPU "
                "affinity, its cgroup's cpuset and cpu.max), or have fewer "
                "other_config:n-revalidator-threads than CPUs. Each: "
                "fanbench/revalidators.");
        }
    }
}

/* Returns who lowered a flow limit by 'event', in words. */
static const char *
name_lowering(const struct fb_event *event)
{
    switch (event->kind) {
    case FB_EVENT_CONFIGURED:
        return "other_config:flow-limit";
    case FB_EVENT_SET:
        return "the command upcall/set-flow-limit";
    case FB_EVENT_SCALED:
    case FB_EVENT_REDUCED:
        return "OVS because of a long round";
    case FB_EVENT_CHANGED:
    case FB_EVENT_OVER:
    case FB_EVENT_HIT:
    case FB_EVENT_KILL:
    case FB_EVENT_FAILED:
    case FB_N_EVENTS:
    default:
        return "what, was not seen";
    }
}

/* Flow limits that fell because rounds took too long. */
void
fb_find_limit_reduced(const struct fb_snapshot *s, struct fb_findings *f)
{
    for (size_t i = 0; i < s->n_dps; i++) {
        const struct fb_cause_totals *t = &s->dps[i].cause;
        const struct fb_event *fall = &t->first_fall;
        struct fb_finding *finding;

        if (!fall->round) {
            continue;
        }
        finding = fb_finding_add(f, s, FB_SEV_WARNING, "flow-limit-reduced",
                                 fall->time);
        finding->text = xasprintf(
            "Long rounds lowered the flow limit of %s %"PRIu64" times, from "
            "%u to %u at least; it is %u now. The first was round %"PRIu64", "
            "which took %.0f ms, mostly in %s.", s->dps[i].name,
            t->laws[FB_LAW_REDUCED] + t->laws[FB_LAW_SCALED], fall->before,
            t->limit_min, t->limit, fall->round, fb_show_ms(fall->duration),
            fb_phase_name(fall->phase));
        finding->fix = xstrdup(
            "Make rounds shorter (more other_config:n-revalidator-threads, "
            "fewer flows): the limit grows by 1,000 with each round below "
            "1,000 ms. Each reduction: fanbench/rounds --events.");
    }
}

/* Flows over the limit, which are refused or thrown out. */
void
fb_find_over_limit(const struct fb_snapshot *s, struct fb_findings *f)
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
        const struct fb_cause_totals *t = &s->dps[i].cause;
        const struct fb_event *e = &t->last_lowered;
        const struct fb_returns *returns
            = &s->returns.dps[i][FB_END_LIMIT];

        if (!t->limit) {
            continue;
        }
        ds_put_format(&limits, "%s%s %"PRIu64" flows, limit %u",
                      limits.length ? "; " : "", s->dps[i].name,
                      s->watch->dps[i].n_flows, t->limit);
        if (e->after) {
            ds_put_format(&limits, ", lowered from %u to %u after %.1f s by "
                          "%s", e->before, e->after,
                          fb_show_ms(fb_clock_since(s->start, e->time)) / 1000,
                          name_lowering(e));
        }
        if (returns->n) {
            ds_put_format(&limits, "; %"PRIu64" times a flow deleted for it "
                          "came back within %d s", returns->n,
                          FB_RETURN_MS / 1000);
        }
    }
    since = hit->since && (!kill->since || hit->since < kill->since)
            ? hit->since : kill->since;
    finding = fb_finding_add(f, s, FB_SEV_WARNING, "flows-over-limit",
                             since);
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
