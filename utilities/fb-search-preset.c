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

#include "fb-search-preset.h"

#include <string.h>

#include "util.h"

/* RFC 2544 has trials of 60 s, one of which decides; that is "--duration=60".
 * The last preset's goals are those with which FD.io CSIT publishes its NDR
 * and PDR ("MLR Search" in the methodology chapter of its reports). */
static const struct fb_search_preset presets[] = {
    {
        .name = "ndr",
        .description = "highest rate without loss, by bisection (RFC 2544)",
        .n_goals = 1,
        .goals = {
            { .name = "ndr", .loss_ratio = 0, .exceed_ratio = 0,
              .duration = 1, .duration_sum = 1, .width = 0.01 },
        },
    },
    {
        .name = "pdr",
        .description = "highest rate with a loss of at most --loss-ratio, by "
                       "bisection",
        .n_goals = 1,
        .goals = {
            { .name = "pdr", .loss_ratio = 0.005, .exceed_ratio = 0,
              .duration = 1, .duration_sum = 1, .width = 0.01 },
        },
    },
    {
        .name = "mlr",
        .description = "both at once, by MLRsearch with FD.io CSIT's goals",
        .n_goals = 2,
        .goals = {
            { .name = "ndr", .loss_ratio = 0, .exceed_ratio = 0.5,
              .duration = 1, .duration_sum = 21, .width = 0.005 },
            { .name = "pdr", .loss_ratio = 0.005, .exceed_ratio = 0.5,
              .duration = 1, .duration_sum = 21, .width = 0.005 },
        },
    },
};

/* Returns all presets and stores their number in '*n'. */
const struct fb_search_preset *
fb_search_presets(size_t *n)
{
    *n = ARRAY_SIZE(presets);
    return presets;
}

/* Returns the preset called 'name', or NULL. */
const struct fb_search_preset *
fb_search_preset_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(presets); i++) {
        if (!strcmp(presets[i].name, name)) {
            return &presets[i];
        }
    }
    return NULL;
}
