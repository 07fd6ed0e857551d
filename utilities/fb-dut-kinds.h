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

#ifndef FB_DUT_KINDS_H
#define FB_DUT_KINDS_H 1

/* All kinds of devices under test, and whether they can be built here.
 *
 * For single-threaded use. */

#include <stddef.h>

#include "compiler.h"

struct fb_dut_kind;

const struct fb_dut_kind *fb_dut_kind_find(const char *name);
const struct fb_dut_kind *const *fb_dut_kinds(size_t *n);
const char *fb_dut_kind_guest_lacks(const struct fb_dut_kind *,
                                    unsigned int n_cpus);
char *fb_dut_kind_check(const struct fb_dut_kind *, const char *vswitchd)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-dut-kinds.h */
