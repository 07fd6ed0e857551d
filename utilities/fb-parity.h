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

#ifndef FB_PARITY_H
#define FB_PARITY_H 1

/* Are the DUTs alike in everything but what is to be compared? */

#include <stddef.h>

#include "compiler.h"

struct fb_dut;
struct fb_result;

char *fb_parity_check(struct fb_dut *const duts[], size_t n,
                      struct fb_result *) OVS_WARN_UNUSED_RESULT;

#endif /* fb-parity.h */
