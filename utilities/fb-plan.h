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

#ifndef FB_PLAN_H
#define FB_PLAN_H 1

/* What a run does next: one more block, a new build, or nothing more.
 *
 * A plan is either *fixed*, so many blocks in so many builds, or goes on
 * *until precise*: until the intervals are as narrow as asked, or the time is
 * spent.  Reads no clock and knows nothing of what is measured, so that it can
 * be tested with a simulated run.
 *
 * Looking again and again whether an interval is narrow enough, and stopping
 * at the first time that it is, favors intervals that came out too narrow.
 * Three things are done against that.
 *
 *   - It looks only at builds FB_PLAN_FIRST_CHECK, and then whenever the
 *     number of builds has grown by a factor of FB_PLAN_GROWTH: some ten times
 *     at most, and not before an interval can be had at all.
 *
 *   - It looks at the width only, never at where the interval lies or what the
 *     verdict would be.
 *
 *   - Intervals, those that it looks at and those that are reported, are made
 *     wider: they may miss with a probability of FB_PLAN_MISS only.  Simulated
 *     runs that stop so miss the truth in less than 5 %, for widths from half
 *     to one and a half times the standard deviation of a build, and for
 *     normal, uniform and heavy-tailed noise: see the test
 *     "stats - coverage after stopping".  With 5 %, up to 7 % would.
 *
 * Where there is a single build (asked for, or because the time is too short
 * for enough of them), the same is done with blocks instead of builds. */

#include <stdbool.h>

/* Builds after which a plan looks first, and the factor until it looks
 * again. */
#define FB_PLAN_FIRST_CHECK 8
#define FB_PLAN_GROWTH 1.35

/* With a single build, blocks after which it looks first. */
#define FB_PLAN_FIRST_CHECK_BLOCKS 30

/* Probability with which an interval over builds may miss. */
#define FB_PLAN_MISS 0.03
#define FB_PLAN_MISS_FIXED 0.05

/* Fixed plans: fewest blocks of a build, and most builds, if the number of
 * builds is not given.  With fewer builds than FB_PLAN_MIN_BUILDS, there is no
 * interval over builds, so that one build has to do. */
#define FB_PLAN_MIN_BLOCKS 3
#define FB_PLAN_BUILDS 8
#define FB_PLAN_MIN_BUILDS 6

/* What to do next. */
enum fb_plan_step {
    FB_PLAN_BUILD,              /* Take down what stands, build anew. */
    FB_PLAN_BLOCK,              /* Run a block. */
    FB_PLAN_CHECK,              /* Say how precise it is, and ask again. */
    FB_PLAN_DONE                /* Stop. */
};

/* Why a plan is done. */
enum fb_plan_end {
    FB_PLAN_FIXED,              /* All that was asked for has been done. */
    FB_PLAN_PRECISE,            /* It is precise enough. */
    FB_PLAN_TIME,               /* The time is spent. */
    FB_PLAN_FULL,               /* No more builds or blocks are allowed. */
    FB_PLAN_VOID                /* It was given up: the run is void. */
};

/* A plan and how far it is. */
struct fb_plan {
    /* What is asked for. */
    unsigned int n_trials;      /* Blocks in all; 0 until precise. */
    unsigned int builds;        /* Fixed: builds in all.  Until precise: 1 for
                                 * a single one, else the fewest. */
    unsigned int blocks;        /* Until precise: blocks of each build. */
    double precision;           /* Until precise: relative half width. */
    double max_time;            /* Until precise: seconds. */

    /* What has been done. */
    unsigned int n_builds;      /* Builds begun. */
    unsigned int n_blocks;      /* Blocks in all. */
    unsigned int n_here;        /* Blocks of the latest build. */
    bool checked;               /* Was 'reached' told after the last block? */
    double reached;             /* Latest half width; infinite or NaN if it is
                                 * not known. */
    double start;               /* When the latest build began... */
    double blocks_start;        /* ...and its blocks, in seconds. */
    double build_time;          /* How long building took, at most... */
    double block_time;          /* ...and a block, on average. */
    unsigned int next_check;    /* Builds, or blocks, at which to look. */
    enum fb_plan_end end;       /* Once done: why. */
};

void fb_plan_init(struct fb_plan *, unsigned int n_trials,
                  unsigned int builds);
void fb_plan_until_precise(struct fb_plan *, double precision, double max_time,
                           unsigned int builds, unsigned int blocks);
enum fb_plan_step fb_plan_next(struct fb_plan *, double elapsed);
void fb_plan_tell(struct fb_plan *, double half_width);
bool fb_plan_is_fixed(const struct fb_plan *);
const char *fb_plan_end_to_string(enum fb_plan_end);
double fb_plan_miss(const struct fb_plan *);

#endif /* fb-plan.h */
