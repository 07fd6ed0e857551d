/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */

#include <config.h>
#include "fb-analysis-load.h"

#include <inttypes.h>

#include "fb-result.h"
#include "util.h"

/* A DUT that delivers at least this share of what the generator and the sink
 * can do without it is limited by them. */
#define LIMITED_SHARE 0.95

/* Where the sink loses more than this share of what was offered, it is what
 * limits. */
#define LOST_SHARE 0.01

/* Returns how many packets per second 'dut' passed on, not counting copies. */
static double
get_pps(const struct fb_dut_result *dut)
{
    return (dut->n_trials && dut->trials[0].copies
            ? dut->pps.median / dut->trials[0].copies : 0);
}

/* Returns the most packets per second that generator and sink have shown in
 * 'result': at the start, when 'c' was measured, or over a wire among the
 * DUTs, meanwhile. */
static double
get_ceiling(const struct fb_result *result, const struct fb_ceiling *c)
{
    double ceiling = c->delivered_pps;

    for (size_t i = 0; i < result->n_duts; i++) {
        if (!strcmp(result->duts[i].kind, "wire")) {
            ceiling = MAX(ceiling, get_pps(&result->duts[i]));
        }
    }
    return ceiling;
}

/* Returns how many of the packets offered to 'dut' were lost behind the
 * switch, for the sink did not take them in time. */
static uint64_t
get_lost_at_sink(const struct fb_dut_result *dut)
{
    const uint64_t *lost = dut->sum.lost;

    return (lost[FB_LOST_EGRESS_RING] + lost[FB_LOST_EGRESS_BACKLOG]
            + lost[FB_LOST_SINK]);
}

/* Adds a finding to 'result' if the sinks kept 'dut' from showing what it can
 * do: they lost packets, or took about as many as one can.  Returns true if
 * so. */
static bool
judge_sink(struct fb_result *result, const struct fb_dut_result *dut)
{
    /* Each thread of the generator has sinks work on another CPU. */
    double ceiling = (result->environment.ceilings.sink.pps
                      * MAX(result->parameters.n_threads, 1));
    uint64_t lost = get_lost_at_sink(dut);

    if (lost > LOST_SHARE * dut->sum.offered) {
        fb_result_add_finding(
            result, FB_WARNING, "sink-limited", "use a lower --rate",
            "%s: %"PRIu64" of %"PRIu64" packets were lost behind it, for the "
            "sinks did not take them: it passed on more than it is given "
            "credit for", dut->name, lost, dut->sum.offered);
        return true;
    } else if (dut->pps.median >= LIMITED_SHARE * ceiling) {
        fb_result_add_finding(
            result, FB_WARNING, "sink-limited", NULL,
            "%s: its sinks took %.0f packets/s, about as many as they can by "
            "themselves (%.0f): it may be able to do more", dut->name,
            dut->pps.median, ceiling);
        return true;
    }
    return false;
}

/* Adds a finding to 'result' if the rate that was asked for is more than the
 * generator can do, and one for each DUT that the generator or the sink kept
 * from showing what it can do. */
void
fb_load_judge(struct fb_result *result)
{
    const struct fb_ceiling *c = result->environment.ceilings.chosen;
    double rate = MAX(result->parameters.rate, result->parameters.end_rate);

    if (!c) {
        return;
    } else if (rate > c->offered_pps) {
        fb_result_add_finding(
            result, FB_WARNING, "rate-above-ceiling", "use a lower --rate",
            "%.0f packets/s were asked for, and on a bare wire this generator "
            "can send %.0f: what is more was never offered",
            rate, c->offered_pps);
    }

    double ceiling = get_ceiling(result, c);
    for (size_t i = 0; !rate && i < result->n_duts; i++) {
        const struct fb_dut_result *dut = &result->duts[i];
        double pps = get_pps(dut);

        if (!judge_sink(result, dut)
            && strcmp(dut->kind, "wire") && pps >= LIMITED_SHARE * ceiling) {
            fb_result_add_finding(
                result, FB_WARNING, "generator-limited", NULL,
                "%s: it passed on %.0f packets/s, about as many as generator "
                "and sink can without it (%.0f): it may be able to do more",
                dut->name, pps, ceiling);
        }
    }
}
