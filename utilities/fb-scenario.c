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

#include "fb-scenario.h"

#include <string.h>

#include "util.h"

/* Many short trials see more than few long ones: a machine's own speed drifts
 * more slowly than a block lasts, so that what is compared within a block
 * shares it. */
static const struct fb_scenario scenarios[] = {
    {
        .name = "fanout",
        .description = "one source sends to each destination in turn",
        .duts = "wire,linux-bridge,ovs-userspace,ovs-kernel",
        .defaults = {
            .scenario = "fanout",
            .n_destinations = 8,
            .frame_size = 64,
            .n_trials = 80,
            .duration = 0.1,
            .warmup = 0.2,
        },
    },
};

/* Returns all scenarios and stores their number in '*n'. */
const struct fb_scenario *
fb_scenarios(size_t *n)
{
    *n = ARRAY_SIZE(scenarios);
    return scenarios;
}

/* Returns the scenario called 'name', or NULL. */
const struct fb_scenario *
fb_scenario_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(scenarios); i++) {
        if (!strcmp(scenarios[i].name, name)) {
            return &scenarios[i];
        }
    }
    return NULL;
}
