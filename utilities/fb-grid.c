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

#include "fb-grid.h"

#include "fb-result.h"
#include "fb-rng.h"
#include "util.h"

BUILD_ASSERT_DECL(FB_GRID_MAX >= FB_SWEEP_MAX * FB_SWEEP_MAX);

/* Returns the number of points of a run with parameters 'p', 0 if all of its
 * builds are alike. */
size_t
fb_grid_size(const struct fb_parameters *p)
{
    return p->sweep.n * MAX(1, p->across.n);
}

/* Returns the point, from 0, at which build number 'build', from 0, of a run
 * with parameters 'p' is, which has some.  The same seed gives the same
 * order. */
size_t
fb_grid_point(const struct fb_parameters *p, unsigned int build)
{
    size_t order[FB_GRID_MAX];
    size_t n = fb_grid_size(p);
    struct fb_rng rng;

    for (size_t i = 0; i < n; i++) {
        order[i] = i;
    }
    fb_rng_init(&rng, p->seed + build / n);
    fb_rng_shuffle(&rng, order, n);
    return order[build % n];
}

/* Stores in '*value' and '*across' the values that the two sweeps of 'p' have
 * at 'point'; 0 in '*across' if there is but one. */
void
fb_grid_values(const struct fb_parameters *p, size_t point,
               double *value, double *across)
{
    *value = p->sweep.values[point % p->sweep.n];
    *across = p->across.n ? p->across.values[point / p->sweep.n] : 0;
}

/* Gives what 'sweep' changes the value 'value' in 'p'. */
void
fb_grid_apply(const struct fb_sweep *sweep, double value,
              struct fb_parameters *p)
{
    switch (sweep->what) {
    case FB_SWEEP_NONE:
        break;
    case FB_SWEEP_FRAME_SIZE:
        p->frame_size = value;
        break;
    case FB_SWEEP_DESTINATIONS:
        p->n_destinations = value;
        break;
    case FB_SWEEP_FLOWS:
        p->traffic.n_flows = value;
        break;
    case FB_SWEEP_MASKS:
        p->traffic.n_masks = value;
        break;
    case FB_SWEEP_FLOW_PACKETS:
        p->traffic.pattern = FB_PATTERN_CHURN;
        p->traffic.flow_packets = value;
        break;
    case FB_SWEEP_COPIES:
        p->traffic.pattern = FB_PATTERN_FLOOD;
        p->n_destinations = value;
        break;
    }
}

/* Gives 'p' the values that its sweeps have at 'point'. */
void
fb_grid_set(struct fb_parameters *p, size_t point)
{
    double value, across;

    fb_grid_values(p, point, &value, &across);
    fb_grid_apply(&p->sweep, value, p);
    fb_grid_apply(&p->across, across, p);
}
