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

#ifndef FB_THREADS_H
#define FB_THREADS_H 1

/* The threads of the generator, as a run has them: whether a load can be
 * shared out among them, and which CPUs they get. */

#include <stddef.h>

#include "compiler.h"

struct fb_dut_kind;
struct fb_parameters;
struct fb_result;

char *fb_threads_check(const struct fb_parameters *) OVS_WARN_UNUSED_RESULT;
void fb_threads_take_cpus(const struct fb_parameters *,
                          const struct fb_dut_kind *const *, size_t n_kinds,
                          struct fb_result *);

#endif /* fb-threads.h */
