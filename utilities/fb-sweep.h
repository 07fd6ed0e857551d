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

#ifndef FB_SWEEP_H
#define FB_SWEEP_H 1

/* A sweep: each build of the DUTs has another value of one parameter, so that
 * the cost of a unit of it can be told; see fb-model.h.
 *
 * The builds of a sweep come in rounds, in each of which every value comes
 * once, in random order. */

#include <stddef.h>
#include <stdint.h>

#include "compiler.h"

/* Most values of a sweep. */
#define FB_SWEEP_MAX 16

/* What a sweep changes. */
enum fb_sweep_what {
    FB_SWEEP_NONE,              /* There is no sweep. */
    FB_SWEEP_FRAME_SIZE,        /* Bytes of each frame. */
    FB_SWEEP_DESTINATIONS,      /* Ports that frames go to in turn. */
    FB_SWEEP_FLOWS,             /* Flows of the load. */
    FB_SWEEP_MASKS,             /* Masks of Open vSwitch's. */
    FB_SWEEP_FLOW_PACKETS,      /* Packets of flows that come and go. */
    FB_SWEEP_COPIES             /* Ports that each frame is flooded to. */
};

/* A sweep. */
struct fb_sweep {
    enum fb_sweep_what what;
    double values[FB_SWEEP_MAX]; /* Whole numbers, ascending. */
    size_t n;
};

char *fb_sweep_parse(const char *, struct fb_sweep *) OVS_WARN_UNUSED_RESULT;
const char *fb_sweep_name(const struct fb_sweep *);
const char *fb_sweep_unit(const struct fb_sweep *);
void fb_sweep_limits(const struct fb_sweep *, double *min, double *max);
double fb_sweep_units(const struct fb_sweep *, double value);
double fb_sweep_value(const struct fb_sweep *, uint64_t seed,
                      unsigned int build);

#endif /* fb-sweep.h */
