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
#include "test-noise.h"

#include <math.h>

#include "fb-rng.h"

/* Returns a draw from 'noise'; normal ones by the transform of G. E. P. Box
 * and M. E. Muller (1958). */
double
test_noise_draw(struct fb_rng *rng, enum test_noise noise)
{
    double u = 1 - fb_rng_unit(rng);
    double v = fb_rng_unit(rng);

    if (noise == TEST_UNIFORM) {
        return (v - 0.5) * sqrt(12);
    }

    double x = sqrt(-2 * log(u)) * cos(2 * M_PI * v);

    return noise == TEST_HEAVY && !fb_rng_below(rng, 10) ? 3 * x : x;
}
