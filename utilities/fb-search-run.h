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

#ifndef FB_SEARCH_RUN_H
#define FB_SEARCH_RUN_H 1

/* A search through a DUT: what makes the trials that fb-search.c asks for. */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"
#include "fb-search-preset.h"

struct fb_dut;

/* What to search for, and how. */
struct fb_search_config {
    const struct fb_search_preset *preset;
    double loss_ratio;          /* Of goals that allow a loss; 0 for the
                                 * preset's. */
    double duration;            /* Of a trial in seconds; 0 for the
                                 * preset's. */
    double max_time;            /* Give up after so many seconds. */
    double max_load;            /* Packets per second that can be offered. */
    const volatile sig_atomic_t *stop; /* As in struct fb_trial_config. */

    /* Told before each trial, for a progress display; 'aux' is its own. */
    void (*progress)(void *aux, const struct fb_dut *, double load,
                     unsigned int n_trials);
    void *aux;
};

/* What came of a search. */
struct fb_search_outcome {
    struct fb_search_goal goals[FB_SEARCH_MAX_GOALS]; /* As searched for. */
    struct fb_search_result results[FB_SEARCH_MAX_GOALS];
    size_t n_goals;
    double max_load;            /* The greatest load that could be offered, in
                                 * packets per second. */
    unsigned int n_trials;
    double seconds;             /* How long it took. */
    bool complete;              /* For all goals? */
    bool generator_limited;     /* Did the generator, at a load that was too
                                 * much, leave out more than the DUT lost? */
};

char *fb_search_run(struct fb_dut *, const struct fb_search_config *,
                    struct fb_search_outcome *) OVS_WARN_UNUSED_RESULT;

#endif /* fb-search-run.h */
