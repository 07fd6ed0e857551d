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

#ifndef FB_CURVE_H
#define FB_CURVE_H 1

/* A curve: what each DUT does, and what CPU time that takes, at one fixed rate
 * after another, up to more than the fastest of them can do.
 *
 * All DUTs are offered the same rates, so that they can be compared at each.
 * The rates are evenly spaced shares of what each switch can do, so that there
 * are some around the point at which each of them has had enough.  They come
 * block by block in random order, on one build. */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "compiler.h"

struct fb_cpu_meter;
struct fb_dut;
struct fb_result;

/* What fb_curve_run() needs. */
struct fb_curve_config {
    struct fb_dut *const *duts; /* Those of the result. */
    const bool *broken;         /* Of each, whether frames arrive broken. */
    struct fb_cpu_meter *meter;
    uint64_t seed;              /* Of the order in the blocks. */
    const volatile sig_atomic_t *stop; /* As in struct fb_trial_config. */

    /* Told before each block, for a progress display; 'aux' is its own. */
    void (*progress)(void *aux, unsigned int block, unsigned int n_blocks);
    void *aux;
};

char *fb_curve_run(const struct fb_curve_config *, struct fb_result *)
    OVS_WARN_UNUSED_RESULT;
void fb_curve_analyze(struct fb_result *);

#endif /* fb-curve.h */
