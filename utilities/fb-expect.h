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

#ifndef FB_EXPECT_H
#define FB_EXPECT_H 1

/* How long a run will take, from its parameters and before it begins: so that
 * who has asked for a long one knows when to come back, and that a guest which
 * hangs is ended.
 *
 * Thread-safe: nothing is kept. */

#include <stdbool.h>
#include <stddef.h>

struct fb_dut_kind;
struct fb_parameters;

double fb_expect_seconds(const struct fb_parameters *,
                         const struct fb_dut_kind *const kinds[],
                         size_t n_kinds, bool guest);
unsigned int fb_expect_deadline(const struct fb_parameters *,
                                const struct fb_dut_kind *const kinds[],
                                size_t n_kinds);
char *fb_expect_format(double seconds);

#endif /* fb-expect.h */
