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
#include "fanbench-test.h"
#include "fb-analysis-load.h"
#include "fb-result.h"

#include <math.h>
#include <string.h>

#include "util.h"

/* Returns the code of what is said of a bridge that delivered 'pps' packets
 * per second of as many offered, but for 'lost' that the sinks did not take,
 * where the generator can send 'generator_pps' and a sink take 'sink_pps'; or
 * "" if nothing is said. */
static const char *
judge(double pps, uint64_t lost, double generator_pps, double sink_pps,
      const struct fb_parameters *p)
{
    static const char *const codes[] = { "generator-limited", "sink-limited" };
    const char *code = "";
    struct fb_result result;

    fb_result_init(&result, p);
    struct fb_ceilings *c = &result.environment.ceilings;
    c->n = 1;
    c->all[0].offered_pps = c->all[0].delivered_pps = generator_pps;
    c->chosen = &c->all[0];
    c->sink.pps = sink_pps;

    struct fb_dut_result *dut = fb_result_add_dut(&result, "linux-bridge",
                                                  "linux-bridge", NULL);
    const struct fb_trial trial = { .copies = 1 };
    fb_result_add_trial(dut, &trial);
    dut->pps.median = pps;
    dut->sum.offered = pps;
    dut->sum.lost[FB_LOST_EGRESS_BACKLOG] = lost / 2;
    dut->sum.lost[FB_LOST_SINK] = lost - lost / 2;

    fb_load_judge(&result);
    CHECK(result.findings.n <= 1);
    for (size_t i = 0; result.findings.n && i < ARRAY_SIZE(codes); i++) {
        if (!strcmp(result.findings.findings[0].code, codes[i])) {
            code = codes[i];
        }
    }
    fb_result_destroy(&result);
    return code;
}

/* Who limits a result is said: the generator, the sink, or neither. */
static void
test_judge(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    const struct fb_parameters one = { .n_threads = 1 };
    const struct fb_parameters two = { .n_threads = 2 };
    const struct fb_parameters paced = { .n_threads = 1, .rate = 1000 };

    CHECK(!strcmp(judge(1e6, 0, 2e6, 4e6, &one), ""));
    CHECK(!strcmp(judge(1.96e6, 0, 2e6, 4e6, &one), "generator-limited"));
    CHECK(!strcmp(judge(3.9e6, 0, 8e6, 4e6, &one), "sink-limited"));
    CHECK(!strcmp(judge(3.9e6, 0, 8e6, 4e6, &two), ""));
    /* Lost, however slow it was. */
    CHECK(!strcmp(judge(1e6, 9000, 2e6, 4e6, &one), ""));
    CHECK(!strcmp(judge(1e6, 11000, 2e6, 4e6, &one), "sink-limited"));
    /* What is not known limits nobody; nor at a rate of the user's. */
    CHECK(!strcmp(judge(3.9e6, 0, 8e6, NAN, &one), ""));
    CHECK(!strcmp(judge(3.9e6, 0, 8e6, 4e6, &paced), ""));
}

const struct ovs_cmdl_command test_ceiling_commands[] = {
    { "ceiling-judge", NULL, 0, 0, test_judge, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
