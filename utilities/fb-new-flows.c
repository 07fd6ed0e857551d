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

#include "fb-new-flows.h"

#include <inttypes.h>

#include "fb-result.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "util.h"

/* Do flows come and go in 'result'? */
static bool
is_told(const struct fb_result *result)
{
    return result->parameters.traffic.pattern == FB_PATTERN_CHURN;
}

/* Returns the number of flows that began in all trials of 'dut' and stores how
 * long those lasted, in seconds, in '*seconds'. */
static uint64_t
add_up(const struct fb_dut_result *dut, double *seconds)
{
    uint64_t n = 0;

    *seconds = 0;
    for (size_t i = 0; i < dut->n_trials; i++) {
        n += dut->trials[i].new_flows;
        *seconds += dut->trials[i].sending_ns / 1e9;
    }
    return n;
}

/* Appends a line for each DUT of 'result' to 'ds', if flows come and go.  For
 * Open vSwitch it says how many packets found no flow in its datapath, too:
 * if each new flow is set up in time, as many as there are new flows. */
void
fb_new_flows_format(const struct fb_result *result, struct ds *ds)
{
    for (size_t i = 0; is_told(result) && i < result->n_duts; i++) {
        const struct fb_dut_result *dut = &result->duts[i];
        double seconds;
        uint64_t n = add_up(dut, &seconds);

        ds_put_format(ds, "%s%s: %"PRIu64" new flows were offered, %.0f/s",
                      i ? "" : "\n", dut->name, n, seconds ? n / seconds : 0);
        if (dut->datapath_type) {
            ds_put_format(ds, "; %"PRIu64" packets found no flow in its "
                          "datapath, %"PRIu64" of them lost",
                          dut->datapath.missed, dut->datapath.lost);
        }
        ds_put_char(ds, '\n');
    }
}

/* Returns the new flows offered to 'dut' in 'result' as JSON: null if flows do
 * not come and go. */
struct json *
fb_new_flows_to_json(const struct fb_result *result,
                     const struct fb_dut_result *dut)
{
    if (!is_told(result)) {
        return json_null_create();
    }
    struct json *json = json_object_create();
    double seconds;
    uint64_t n = add_up(dut, &seconds);

    json_object_put(json, "offered", json_integer_create(n));
    json_object_put(json, "per_s",
                    seconds ? json_real_create(n / seconds)
                    : json_null_create());
    return json;
}
