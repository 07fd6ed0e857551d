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

#include "fb-expect.h"

#include <limits.h>

#include "fb-dut.h"
#include "fb-latency-at.h"
#include "fb-mirror.h"
#include "fb-plan.h"
#include "fb-result.h"
#include "fb-tap.h"
#include "util.h"

/* How much time there is around the loads of a run, in seconds. */
struct around {
    double trial;               /* For each trial: counters are read, and
                                 * packets under way are waited for. */
    double build;               /* For each build of each DUT: it is built,
                                 * proved, and taken down. */
    double mirror;              /* For each mirror to come and go: on the
                                 * average of all kinds, of which ovs-tcpdump
                                 * takes most. */
    double once;                /* Before the first build. */
};

/* As seen on 2 CPUs, and in a guest on one of them. */
static const struct around around_here = {
    .trial = 0.012, .build = 1, .mirror = 0.4, .once = 2,
};
static const struct around around_guest = {
    .trial = 0.025, .build = 2, .mirror = 2, .once = 14,
};

/* More than any of them has taken where nothing hangs. */
static const struct around around_worst = {
    .trial = 0.5, .build = 0, .mirror = 10, .once = 0,
};

/* Returns the time of 'n' trials with 'load' seconds of load each. */
static double
trials(double n, double load, const struct around *around)
{
    return n * (load + around->trial);
}

/* Returns how many of the 'n_kinds' 'kinds' are Open vSwitches. */
static size_t
count_ovs(const struct fb_dut_kind *const kinds[], size_t n_kinds)
{
    size_t n = 0;

    for (size_t i = 0; i < n_kinds; i++) {
        n += kinds[i]->datapath_type != NULL;
    }
    return n;
}

/* Returns the time, in seconds, of the curves, mirrors and taps of 'p' on DUTs
 * of the 'n_kinds' 'kinds'. */
static double
time_of_more(const struct fb_parameters *p,
             const struct fb_dut_kind *const kinds[], size_t n_kinds,
             const struct around *around)
{
    size_t n_ovs = count_ovs(kinds, n_kinds);
    double time = 0;

    if (p->curve.wanted) {
        double n_steps = MIN(n_kinds * p->curve.steps + 1, FB_CURVE_MAX);

        time += trials(n_kinds * n_steps * p->curve.blocks, p->curve.duration,
                       around);
    }
    if (p->tax.wanted) {
        time += n_ovs * FB_N_MIRRORS * p->tax.blocks
            * (p->tax.settle + around->mirror
               + trials(p->tax.trials, p->duration, around));
    }
    if (p->tap.wanted) {
        time += trials(n_ovs * FB_N_TAP_INPUTS * (p->tap.blocks + 1),
                       p->tap.duration, around);
    }
    return time;
}

/* Returns the time, in seconds, of all loads of 'p' on DUTs of the 'n_kinds'
 * 'kinds' but for the warm-ups.  A search, or trials until they are precise,
 * may end before their time has passed. */
static double
time_of_loads(const struct fb_parameters *p,
              const struct fb_dut_kind *const kinds[], size_t n_kinds,
              const struct around *around)
{
    double time = time_of_more(p, kinds, n_kinds, around);

    time += (p->n_trials ? n_kinds * trials(p->n_trials, p->duration, around)
             : p->max_time);
    if (p->search) {
        time += n_kinds * p->max_time;
    }
    return time;
}

/* Returns how many seconds a run of 'p', which is settled, will take at most
 * or nearly so, on DUTs of the 'n_kinds' 'kinds', in a guest or not, where
 * nothing else needs the CPUs. */
double
fb_expect_seconds(const struct fb_parameters *p,
                  const struct fb_dut_kind *const kinds[], size_t n_kinds,
                  bool guest)
{
    const struct around *around = guest ? &around_guest : &around_here;

    return (around->once
            + n_kinds * MAX(p->builds, 1) * (p->warmup + around->build)
            + time_of_loads(p, kinds, n_kinds, around));
}

/* Returns a time, in seconds, in which a run of 'p', which is settled, on DUTs
 * of the 'n_kinds' 'kinds' has long ended, for a guest that hangs. */
unsigned int
fb_expect_deadline(const struct fb_parameters *p,
                   const struct fb_dut_kind *const kinds[], size_t n_kinds)
{
    double load = time_of_loads(p, kinds, n_kinds, &around_worst);
    double more = (p->check_order
                   + p->n_latency_at * FB_LATENCY_AT_MAX_TRIALS);
    double build = n_kinds * (p->n_destinations + p->warmup);

    load += trials(n_kinds * more, p->duration, &around_worst);
    return MIN(180 + 3 * load + MAX(p->builds, FB_PLAN_BUILDS) * build,
               UINT_MAX);
}

/* Returns 'seconds' as people say it, in a malloc()'d string. */
char *
fb_expect_format(double seconds)
{
    return (seconds < 100 ? xasprintf("%.0f s", seconds)
            : seconds < 100 * 60 ? xasprintf("%.0f min", seconds / 60)
            : xasprintf("%.1f h", seconds / 3600));
}
