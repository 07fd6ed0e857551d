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

#include "fb-directions.h"

#include <inttypes.h>

#include "fb-result.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "util.h"

/* Packets that went one way. */
struct direction {
    uint64_t offered;           /* Given to the kernel. */
    uint64_t arrived;           /* Of those, arrived at sinks' interfaces. */
};

/* Stores in '*there' and '*back' what went to the destinations, and from them,
 * in all trials of 'dut'.  Returns false if there are no two directions. */
static bool
add_up(const struct fb_result *result, const struct fb_dut_result *dut,
       struct direction *there, struct direction *back)
{
    struct direction all = {
        .offered = dut->sum.offered,
        .arrived = (dut->sum.delivered + dut->sum.lost[FB_LOST_SINK]
                    + dut->sum.lost[FB_LOST_CHECKSUM]),
    };

    *back = (struct direction) { .offered = 0 };
    for (size_t i = 0; i < dut->n_trials; i++) {
        back->offered += dut->trials[i].back_offered;
        back->arrived += dut->trials[i].back_arrived;
    }
    there->offered = all.offered - back->offered;
    there->arrived = all.arrived - back->arrived;
    return (result->parameters.traffic.pattern == FB_PATTERN_BIDIRECTIONAL);
}

/* Appends a line for each DUT of 'result' to 'ds', if there are directions. */
void
fb_directions_format(const struct fb_result *result, struct ds *ds)
{
    for (size_t i = 0; i < result->n_duts; i++) {
        const struct fb_dut_result *dut = &result->duts[i];
        struct direction there, back;

        if (add_up(result, dut, &there, &back)) {
            ds_put_format(ds, "%s%s: %"PRIu64" of %"PRIu64" packets to the "
                          "destinations arrived, and %"PRIu64" of %"PRIu64
                          " from them\n", i ? "" : "\n", dut->name,
                          there.arrived, there.offered, back.arrived,
                          back.offered);
        }
    }
}

/* Returns 'd', which leads to 'to', as JSON. */
static struct json *
direction_to_json(const char *to, const struct direction *d)
{
    struct json *json = json_object_create();

    json_object_put_string(json, "to", to);
    json_object_put(json, "offered", json_integer_create(d->offered));
    json_object_put(json, "arrived", json_integer_create(d->arrived));
    return json;
}

/* Returns the directions of 'dut' in 'result' as JSON: null if there are
 * none. */
struct json *
fb_directions_to_json(const struct fb_result *result,
                      const struct fb_dut_result *dut)
{
    struct direction there, back;

    if (!add_up(result, dut, &there, &back)) {
        return json_null_create();
    }
    return json_array_create_2(direction_to_json("destinations", &there),
                               direction_to_json("source", &back));
}
