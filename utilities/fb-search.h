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

#ifndef FB_SEARCH_H
#define FB_SEARCH_H 1

/* Search for the highest load that meets a goal
 * =============================================
 *
 * Knows nothing of how a trial is made: it asks for trials, one after another,
 * each a load and a duration, and is told the loss ratio of each.
 *
 *     struct fb_search *search = fb_search_create(goals, n, 1000, 1e6);
 *     double load, duration;
 *     while (fb_search_next(search, &load, &duration)) {
 *         ...
 *         fb_search_tell(search, load, duration, loss_ratio);
 *     }
 *     fb_search_get_result(search, 0, &result);
 *     fb_search_destroy(search);
 *
 * With a single trial deciding about a load, this is the throughput search of
 * RFC 2544, section 26.1, by bisection.  In general it is that of
 * draft-ietf-bmwg-mlrsearch ("Multiple Loss Ratio Search"): a load is
 * classified by all trials that were made at it, by the sums of their
 * durations.  A trial is good for a goal if its loss ratio is at most the
 * goal's.  With an exceed ratio of 50 % a load is a lower bound as soon as it
 * is sure that half of the duration sum is good, and an upper bound as soon as
 * it is sure that more than half is bad: one trial that was disturbed does not
 * decide.  Trials shorter than the goal's duration count only as far as the
 * bad ones outweigh the good ones.
 *
 * The relevant upper bound is the lowest of a goal's upper bounds; the
 * relevant lower bound is the highest of the lower bounds below it.  Results
 * that contradict each other, such as good trials above bad ones, so end with
 * the cautious answer.
 *
 * To save time, each goal is approached by levels: the first asks for a single
 * trial and a coarse width, the last for the goal itself, and each starts from
 * the bounds of the one before.  What differs from the draft's example
 * implementation is only which loads are tried in which order.
 *
 * For single-threaded use. */

#include <stdbool.h>
#include <stddef.h>

/* What is searched for. */
struct fb_search_goal {
    const char *name;           /* For people and machines. */
    double loss_ratio;          /* Greatest share of packets that a good trial
                                 * loses, of [0, 1). */
    double exceed_ratio;        /* Share of the duration sum that may be bad,
                                 * of [0, 1). */
    double duration;            /* Of a full-length trial, in seconds. */
    double duration_sum;        /* Of the trials that are needed, at least
                                 * 'duration'. */
    double width;               /* Greatest difference of the bounds, relative
                                 * to the upper one, of (0, 1). */
};

/* What came of a goal. */
struct fb_search_result {
    double lower;               /* Relevant lower bound, NaN if there is none:
                                 * even the minimum load is too much, or, if
                                 * not 'complete', it is not known. */
    double upper;               /* Relevant upper bound, NaN if there is none:
                                 * even the maximum load is not too much, or it
                                 * is not known. */
    double throughput;          /* Conditional throughput, in packets per
                                 * second: what the lower bound's trials let
                                 * through, but for the share that may be bad.
                                 * NaN without a lower bound. */
    bool complete;              /* Did the search come to its end? */
};

struct fb_search;

struct fb_search *fb_search_create(const struct fb_search_goal *, size_t n,
                                   double min_load, double max_load);
void fb_search_destroy(struct fb_search *);
bool fb_search_next(struct fb_search *, double *load, double *duration);
void fb_search_tell(struct fb_search *, double load, double duration,
                    double loss_ratio);
void fb_search_get_result(const struct fb_search *, size_t goal,
                          struct fb_search_result *);

#endif /* fb-search.h */
