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

#ifndef FB_CURVE_RATES_H
#define FB_CURVE_RATES_H 1

/* At which rates curves are measured, see fb-curve.h. */

#include <stddef.h>
#include <stdint.h>

/* Most rates of a curve. */
#define FB_CURVE_MAX 64

size_t fb_curve_rates(const double pps[], size_t n, unsigned int steps,
                      uint64_t rates[FB_CURVE_MAX]);

#endif /* fb-curve-rates.h */
