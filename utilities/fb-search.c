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

#include "fb-search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fb-search-load.h"
#include "util.h"

/* Levels by which a goal is approached, if it takes more than one trial to
 * decide about a load, and how much wider each is than the next. */
#define N_LEVELS 3
#define LEVEL_WIDTHS 4

/* How far a goal is. */
struct tracker {
    struct fb_search_goal goal;
    unsigned int n_levels;
    unsigned int level;         /* From 0; n_levels once it is done. */
    double pending;             /* Load that is being decided on, or 0. */
    unsigned int n_steps;       /* Steps up or down from where the level
                                 * began; each is twice the one before. */
    double hint_lower;          /* Where this level looks first for its lower
                                 * and... */
    double hint_upper;          /* ...its upper bound; 0 if that is tried. */
    bool guessed;               /* Did the first level have its hint? */
};

/* A search. */
struct fb_search {
    struct tracker *trackers;   /* One for each goal. */
    size_t n_trackers;
    double min_load;            /* In packets per second, whole numbers. */
    double max_load;
    struct fb_search_loads loads; /* All loads that were tried. */
};

/* Starts a search for 'n' 'goals', at least 1, which are copied but for their
 * names, among loads from 'min_load' to 'max_load' packets per second.  The
 * caller must destroy it. */
struct fb_search *
fb_search_create(const struct fb_search_goal *goals, size_t n,
                 double min_load, double max_load)
{
    struct fb_search *search = xzalloc(sizeof *search);

    search->trackers = xcalloc(n, sizeof *search->trackers);
    search->n_trackers = n;
    search->min_load = ceil(min_load);
    search->max_load = MAX(search->min_load, floor(max_load));
    for (size_t i = 0; i < n; i++) {
        struct tracker *t = &search->trackers[i];

        t->goal = goals[i];
        t->n_levels = (goals[i].duration_sum > goals[i].duration
                       ? N_LEVELS : 1);
        t->hint_upper = search->max_load;
    }
    return search;
}

/* Frees 'search', which may be null. */
void
fb_search_destroy(struct fb_search *search)
{
    if (search) {
        fb_search_loads_destroy(&search->loads);
        free(search->trackers);
        free(search);
    }
}

/* Returns what level number 'level' of 't' asks for: from a single trial and a
 * coarse width to the goal itself, by equal factors. */
static struct fb_search_goal
get_level(const struct tracker *t, unsigned int level)
{
    struct fb_search_goal goal = t->goal;
    unsigned int left = t->n_levels - 1 - level;

    if (left) {
        double factor = goal.duration_sum / goal.duration;

        goal.duration_sum = (goal.duration
                             * pow(factor, (double) level
                                   / (t->n_levels - 1)));
        goal.width = MIN(0.5, goal.width * pow(LEVEL_WIDTHS, left));
    }
    return goal;
}

/* Makes 'load' the one that 't' decides on, if it lies within the limits of
 * 'search', else the nearest that does. */
static bool
try_load(struct fb_search *search, struct tracker *t, double load)
{
    t->pending = MIN(search->max_load, MAX(search->min_load, round(load)));
    return true;
}

/* Returns the next step of 't' away from a bound at 'width', relatively. */
static double
next_step(struct tracker *t, double width)
{
    return MIN(0.5, ldexp(width, MIN(t->n_steps++, 20)));
}

/* Returns '*hint', once. */
static double
take_hint(double *hint)
{
    double load = *hint;

    *hint = 0;
    return load;
}

/* Looks for an upper bound above 'lower', 0 if that is not known.  Returns
 * false if there is none. */
static bool
look_up(struct fb_search *search, struct tracker *t, double lower,
        double width)
{
    double hint = take_hint(&t->hint_upper);

    if (lower >= search->max_load) {
        return false;
    } else if (hint > lower) {
        return try_load(search, t, hint);
    }
    return try_load(search, t,
                    MAX(lower + 1, lower * (1 + next_step(t, width))));
}

/* Looks for a lower bound below 'upper'.  Returns false if there is none. */
static bool
look_down(struct fb_search *search, struct tracker *t, double upper,
          double width)
{
    double hint = take_hint(&t->hint_lower);

    if (upper <= search->min_load) {
        return false;
    } else if (hint > 0 && hint < upper) {
        return try_load(search, t, hint);
    }
    return try_load(search, t,
                    MIN(upper - 1, upper * (1 - next_step(t, width))));
}

/* Chooses the next load for the present level of 't'.  Returns false if it has
 * the bounds that it asks for, or if there are none. */
static bool
choose(struct fb_search *search, struct tracker *t)
{
    struct fb_search_goal goal = get_level(t, t->level);
    double lower, upper;

    fb_search_loads_bounds(&search->loads, &goal, &lower, &upper);
    if (isnan(upper)) {
        return look_up(search, t, isnan(lower) ? 0 : lower, goal.width);
    } else if (isnan(lower)) {
        return look_down(search, t, upper, goal.width);
    } else if ((upper - lower) / upper <= goal.width || upper - lower <= 1) {
        return false;
    }

    double middle = round(sqrt(lower * upper));

    return try_load(search, t, MIN(upper - 1, MAX(lower + 1, middle)));
}

/* Sends 't' to its next level, which looks first at the bounds that this one
 * has found. */
static void
ascend(const struct fb_search *search, struct tracker *t)
{
    struct fb_search_goal goal = get_level(t, t->level);
    double lower, upper;

    fb_search_loads_bounds(&search->loads, &goal, &lower, &upper);
    t->hint_lower = isnan(lower) ? search->min_load : lower;
    t->hint_upper = isnan(upper) ? search->max_load : upper;
    t->n_steps = 0;
    t->level++;
}

/* Returns true if 't' still has to decide on its pending load: if that is
 * undecided and lies between the bounds that are known by now, maybe by what
 * other goals tried. */
static bool
is_pending(const struct fb_search *search, const struct tracker *t)
{
    struct fb_search_goal goal = get_level(t, t->level);
    double lower, upper;

    fb_search_loads_bounds(&search->loads, &goal, &lower, &upper);
    return (t->pending > 0
            && !(t->pending >= upper) && !(t->pending <= lower)
            && fb_search_loads_classify(&search->loads, t->pending, &goal)
               == FB_SEARCH_UNDECIDED);
}

/* Returns the first tracker of the lowest level that is not done, or NULL.
 * All goals are approached together, because they tell each other where to
 * look. */
static struct tracker *
next_tracker(struct fb_search *search)
{
    struct tracker *next = NULL;

    for (size_t i = 0; i < search->n_trackers; i++) {
        struct tracker *t = &search->trackers[i];

        if (t->level < t->n_levels
            && (!next || t->level < next->level)) {
            next = t;
        }
    }
    return next;
}

/* Stores what to try next, in packets per second and seconds, in '*load' and
 * '*duration' and returns true; false if the search is over.  The caller must
 * tell what came of it before it asks again. */
bool
fb_search_next(struct fb_search *search, double *load, double *duration)
{
    struct tracker *t;

    while ((t = next_tracker(search)) != NULL) {
        if (is_pending(search, t) || choose(search, t)) {
            *load = t->pending;
            *duration = t->goal.duration;
            return true;
        }
        t->pending = 0;
        ascend(search, t);
    }
    return false;
}

/* Tells 'search' that a trial at 'load' packets per second for 'duration'
 * seconds has lost the share 'loss_ratio' of what it was to send.  The load
 * need not be one that was asked for. */
void
fb_search_tell(struct fb_search *search, double load, double duration,
               double loss_ratio)
{
    fb_search_loads_add(&search->loads, load, duration, loss_ratio);

    /* What got through at too high a load is a good first guess for the
     * other side.  Only once: where each load loses a little, guesses would go
     * down by as little each time. */
    for (size_t i = 0; i < search->n_trackers; i++) {
        struct tracker *t = &search->trackers[i];

        if (!t->level && !t->guessed && loss_ratio > t->goal.loss_ratio) {
            t->hint_lower = floor(load * (1 - loss_ratio));
            t->guessed = true;
        }
    }
}

/* Stores what is known of goal number 'goal' of 'search' in '*result'. */
void
fb_search_get_result(const struct fb_search *search, size_t goal,
                     struct fb_search_result *result)
{
    const struct tracker *t = &search->trackers[goal];

    fb_search_loads_bounds(&search->loads, &t->goal, &result->lower,
                           &result->upper);
    result->throughput = fb_search_loads_throughput(
        &search->loads, result->lower, &t->goal);
    result->complete = t->level >= t->n_levels;
}
