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

#include "fb-curve-rates.h"
#include "util.h"

/* The rates of curves ascend, hardly ever differ by little, and are what each
 * switch can do and shares of that. */
static void
test_rates(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    uint64_t rates[FB_CURVE_MAX];
    const double one[] = { 1000000 };

    CHECK(fb_curve_rates(one, 1, 4, rates) == 5);
    CHECK(rates[0] == 250000);
    CHECK(rates[3] == 1000000);
    CHECK(rates[4] == 1150000);

    /* The second switch's last one is the first's second. */
    const double two[] = { 1000000, 500000 };

    CHECK(fb_curve_rates(two, 2, 4, rates) == 7);
    CHECK(rates[0] == 125000);
    CHECK(rates[1] == 250000);
    CHECK(rates[2] == 375000);
    CHECK(rates[3] == 500000);
    CHECK(rates[4] == 750000);

    /* Nearly the same, and nothing at all. */
    const double equal[] = { 1000000, 1010000, 0 };

    CHECK(fb_curve_rates(equal, 3, 2, rates) == 3);
    CHECK(rates[1] == 1000000);
    CHECK(rates[2] == 1161500);
    CHECK(fb_curve_rates(&equal[2], 1, 5, rates) == 0);

    /* Never more than there is room for. */
    double many[40];

    for (size_t i = 0; i < ARRAY_SIZE(many); i++) {
        many[i] = 1e6 + 997e3 * i;
    }
    CHECK(fb_curve_rates(many, ARRAY_SIZE(many), 10, rates) <= FB_CURVE_MAX);
}

const struct ovs_cmdl_command test_curve_commands[] = {
    { "curve-rates", "", 0, 0, test_rates, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
