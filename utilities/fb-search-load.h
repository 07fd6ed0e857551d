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

#ifndef FB_SEARCH_LOAD_H
#define FB_SEARCH_LOAD_H 1

/* The loads that a search has tried, and what its trials say of each.  For
 * fb-search.c, whose header explains the terms. */

#include <stddef.h>

struct fb_search_goal;

/* What trials say of a load. */
enum fb_search_class {
    FB_SEARCH_UNDECIDED,        /* Too little. */
    FB_SEARCH_LOWER,            /* It meets the goal. */
    FB_SEARCH_UPPER             /* It does not. */
};

/* What came of a trial. */
struct fb_search_trial {
    double duration;            /* In seconds. */
    double loss_ratio;          /* Of [0, 1]. */
};

/* A load and its trials. */
struct fb_search_load {
    double load;                /* In packets per second. */
    struct fb_search_trial *trials; /* In the order in which they came. */
    size_t n_trials, allocated_trials;
};

/* All loads.  All zeros is an empty one. */
struct fb_search_loads {
    struct fb_search_load *loads; /* By ascending load. */
    size_t n, allocated;
};

void fb_search_loads_destroy(struct fb_search_loads *);
void fb_search_loads_add(struct fb_search_loads *, double load,
                         double duration, double loss_ratio);
enum fb_search_class fb_search_loads_classify(const struct fb_search_loads *,
                                              double load,
                                              const struct fb_search_goal *);
void fb_search_loads_bounds(const struct fb_search_loads *,
                            const struct fb_search_goal *,
                            double *lower, double *upper);
double fb_search_loads_throughput(const struct fb_search_loads *, double load,
                                  const struct fb_search_goal *);

#endif /* fb-search-load.h */
