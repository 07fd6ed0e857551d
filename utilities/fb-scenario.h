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

#ifndef FB_SCENARIO_H
#define FB_SCENARIO_H 1

/* What can be run: data only. */

#include <stddef.h>

#include "fb-result.h"

struct fb_experiment_class;

/* What --full makes of a scenario: durations that were published.  Members
 * that are 0 leave the defaults alone. */
struct fb_full_scale {
    double warmup;              /* Load beforehand, in seconds. */
    double load;                /* Load on each DUT in all, in seconds... */
    double duration;            /* ...in trials of so many. */
};
/* A scenario. */
struct fb_scenario {
    const char *name;
    const char *description;    /* In a few words. */
    const char *duts;           /* Kinds of DUT, with commas between them. */
    struct fb_parameters defaults;
    const char *search;         /* What to search for, too, as in --search; or
                                 * NULL. */
    struct fb_full_scale full;
    const struct fb_experiment_class *experiment; /* What to do instead of
                                                   * trials of a load, or
                                                   * NULL. */
};

const struct fb_scenario *fb_scenarios(size_t *n);
const struct fb_scenario *fb_scenario_find(const char *name);
struct fb_parameters fb_scenario_get_parameters(const struct fb_scenario *,
                                                enum fb_scale);
void fb_scenario_settle(struct fb_parameters *, bool guest);

#endif /* fb-scenario.h */
