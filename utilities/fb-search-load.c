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

#include "fb-search-load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fb-search.h"
#include "util.h"

/* Sums of durations may differ by this from what they ought to be, because
 * they are sums of fractions. */
#define ROUNDING 1e-9

/* Frees what 'loads' holds. */
void
fb_search_loads_destroy(struct fb_search_loads *loads)
{
    for (size_t i = 0; i < loads->n; i++) {
        free(loads->loads[i].trials);
    }
    free(loads->loads);
}

/* Returns the position of the first of 'loads' that is not below 'load'. */
static size_t
find_position(const struct fb_search_loads *loads, double load)
{
    size_t i = 0;

    while (i < loads->n && loads->loads[i].load < load) {
        i++;
    }
    return i;
}

/* Returns the one of 'loads' that is 'load', or NULL. */
static const struct fb_search_load *
find_load(const struct fb_search_loads *loads, double load)
{
    size_t i = find_position(loads, load);

    return (i < loads->n && loads->loads[i].load == load
            ? &loads->loads[i] : NULL);
}

/* Adds a trial at 'load'. */
void
fb_search_loads_add(struct fb_search_loads *loads, double load,
                    double duration, double loss_ratio)
{
    size_t i = find_position(loads, load);

    if (i >= loads->n || loads->loads[i].load != load) {
        if (loads->n >= loads->allocated) {
            loads->loads = x2nrealloc(loads->loads, &loads->allocated,
                                      sizeof *loads->loads);
        }
        memmove(&loads->loads[i + 1], &loads->loads[i],
                (loads->n - i) * sizeof *loads->loads);
        loads->loads[i] = (struct fb_search_load) { .load = load };
        loads->n++;
    }

    struct fb_search_load *l = &loads->loads[i];

    if (l->n_trials >= l->allocated_trials) {
        l->trials = x2nrealloc(l->trials, &l->allocated_trials,
                               sizeof *l->trials);
    }
    l->trials[l->n_trials++] = (struct fb_search_trial) {
        .duration = duration,
        .loss_ratio = loss_ratio,
    };
}

/* Returns what the trials of 'l' say of 'goal'.
 *
 * 'bad' is the sum of the durations of bad trials: of full-length ones, and of
 * short ones as far as they exceed what the good short ones make up for, at
 * the ratio in which bad ones are allowed.  The load meets the goal once its
 * bad share is small enough even if all that is missing of the duration sum
 * were bad, and fails once it is too great even if all that were good.
 *
 * Source: draft-ietf-bmwg-mlrsearch, "Load Classification Logic". */
static enum fb_search_class
classify(const struct fb_search_load *l, const struct fb_search_goal *goal)
{
    double full[2] = { 0, 0 };          /* Good and bad ones. */
    double brief[2] = { 0, 0 };

    for (size_t i = 0; i < l->n_trials; i++) {
        const struct fb_search_trial *t = &l->trials[i];
        bool bad = t->loss_ratio > goal->loss_ratio;

        (t->duration + ROUNDING >= goal->duration ? full : brief)[bad]
            += t->duration;
    }

    double allowed = goal->exceed_ratio / (1 - goal->exceed_ratio);
    double bad = full[1] + MAX(0, brief[1] - brief[0] * allowed);
    double whole = MAX(full[0] + bad, goal->duration_sum);
    double limit = whole * goal->exceed_ratio + ROUNDING;

    return (bad > limit ? FB_SEARCH_UPPER
            : whole - full[0] <= limit ? FB_SEARCH_LOWER
            : FB_SEARCH_UNDECIDED);
}

/* Returns what the trials at 'load' say of 'goal'. */
enum fb_search_class
fb_search_loads_classify(const struct fb_search_loads *loads, double load,
                         const struct fb_search_goal *goal)
{
    const struct fb_search_load *l = find_load(loads, load);

    return l ? classify(l, goal) : FB_SEARCH_UNDECIDED;
}

/* Stores the relevant bounds for 'goal' in '*lower' and '*upper', NaN where
 * there is none. */
void
fb_search_loads_bounds(const struct fb_search_loads *loads,
                       const struct fb_search_goal *goal,
                       double *lower, double *upper)
{
    *lower = *upper = NAN;
    for (size_t i = 0; i < loads->n; i++) {
        enum fb_search_class class = classify(&loads->loads[i], goal);

        if (class == FB_SEARCH_UPPER) {
            *upper = loads->loads[i].load;
            return;
        } else if (class == FB_SEARCH_LOWER) {
            *lower = loads->loads[i].load;
        }
    }
}

/* Orders two trials by their loss, for qsort(). */
static int
compare_trials(const void *a_, const void *b_)
{
    const struct fb_search_trial *a = a_;
    const struct fb_search_trial *b = b_;

    return (a->loss_ratio > b->loss_ratio) - (a->loss_ratio < b->loss_ratio);
}

/* Returns the conditional throughput at 'load', in packets per second: the
 * load less the greatest loss of its full-length trials, once the worst ones,
 * up to the share that may be bad, are left out.  What is missing of the
 * duration sum counts as lost altogether.  NaN if 'load' was not tried.
 *
 * Source: draft-ietf-bmwg-mlrsearch, "Conditional Throughput". */
double
fb_search_loads_throughput(const struct fb_search_loads *loads, double load,
                           const struct fb_search_goal *goal)
{
    const struct fb_search_load *l = find_load(loads, load);

    if (!l) {
        return NAN;
    }

    struct fb_search_trial *sorted = xmemdup(
        l->trials, l->n_trials * sizeof *sorted);
    double whole = 0;
    size_t n = 0;

    for (size_t i = 0; i < l->n_trials; i++) {
        if (l->trials[i].duration + ROUNDING >= goal->duration) {
            whole += l->trials[i].duration;
            sorted[n++] = l->trials[i];
        }
    }
    qsort(sorted, n, sizeof *sorted, compare_trials);

    double left = (MAX(whole, goal->duration_sum) * (1 - goal->exceed_ratio)
                   - ROUNDING);
    double loss_ratio = 0;

    for (size_t i = 0; i < n && left > 0; i++) {
        loss_ratio = sorted[i].loss_ratio;
        left -= sorted[i].duration;
    }
    free(sorted);
    return left > 0 ? 0 : load * (1 - loss_ratio);
}
