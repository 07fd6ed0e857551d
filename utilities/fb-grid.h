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

#ifndef FB_GRID_H
#define FB_GRID_H 1

/* The points of a run whose builds differ: the values of a sweep, or, with a
 * second one across it, every value of the one with every value of the other.
 *
 * The builds come in rounds, in each of which every point comes once, in
 * random order. */

#include <stddef.h>
#include <stdint.h>

struct fb_parameters;
struct fb_sweep;

/* Most points. */
#define FB_GRID_MAX 256

size_t fb_grid_size(const struct fb_parameters *);
size_t fb_grid_point(const struct fb_parameters *, unsigned int build);
void fb_grid_values(const struct fb_parameters *, size_t point,
                    double *value, double *across);
void fb_grid_apply(const struct fb_sweep *, double value,
                   struct fb_parameters *);
void fb_grid_set(struct fb_parameters *, size_t point);

#endif /* fb-grid.h */
