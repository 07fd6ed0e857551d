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

#include "fb-latency-judge.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "fb-result.h"
#include "util.h"

/* A greater share of marks that were never sent is worth a warning: it is what
 * lies beyond the 99th percentile. */
#define MISSED_SHARE 0.01

/* Adds findings about 'latency' of 'dut' to 'result'. */
static void
judge(struct fb_result *result, const struct fb_dut_result *dut,
      const struct fb_latency_result *latency)
{
    const struct fb_marks_tally *marks = &latency->marks;
    char *load = (isfinite(latency->load_pct)
                  ? xasprintf(" at %g %%", latency->load_pct) : xstrdup(""));

    if (marks->missed > MISSED_SHARE * (marks->tried + marks->missed)) {
        fb_result_add_finding(
            result, FB_WARNING, "latency-too-low", "use a lower load",
            "%s%s: the latencies are those of frames that were sent: "
            "%"PRIu64" of %"PRIu64" that were to be marked were given up, "
            "being late by more than a millisecond", dut->name, load,
            marks->missed, marks->tried + marks->missed);
    }
    if (marks->clock_set) {
        fb_result_add_finding(
            result, FB_WARNING, "clock-set",
            "keep others from setting the clock during a run",
            "%s%s: the clock was set during a trial, whose latencies are left "
            "out", dut->name, load);
    }
    if (marks->unread) {
        fb_result_add_finding(
            result, FB_WARNING, "marks-unread", "use a lower --latency-rate",
            "%s%s: %"PRIu64" of %"PRIu64" marked frames that arrived found no "
            "room: their latencies are left out", dut->name, load,
            marks->unread, marks->arrived);
    }
    free(load);
}

/* Adds findings about the latencies of 'dut', and the order in which its
 * packets arrived, to 'result'. */
void
fb_latency_judge(struct fb_result *result, const struct fb_dut_result *dut)
{
    judge(result, dut, &dut->latency);
    for (size_t i = 0; i < dut->n_latency_at; i++) {
        judge(result, dut, &dut->latency_at[i]);
    }
    if (dut->order.unread) {
        fb_result_add_finding(
            result, FB_WARNING, "order-unread", "use a shorter --duration",
            "%s: of %"PRIu64" packets that arrived there was no room to see "
            "in which order: they seem to be lost there", dut->name,
            dut->order.unread);
    }
}
