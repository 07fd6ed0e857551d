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

#ifndef FB_PMD_H
#define FB_PMD_H 1

/* What an Open vSwitch needs for ports that a PMD thread polls: AF_XDP ones
 * and those of DPDK.
 *
 * For single-threaded use.  Functions that return 'char *' return NULL if
 * successful, otherwise a malloc()'d error message. */

#include <stddef.h>

#include "compiler.h"

struct fb_dut;
struct fb_dut_kind;
struct fb_result;
struct svec;

char *fb_pmd_kind_check(const struct fb_dut_kind *, const char *vswitchd)
    OVS_WARN_UNUSED_RESULT;
char *fb_pmd_check_size(const struct fb_dut_kind *, size_t n_destinations)
    OVS_WARN_UNUSED_RESULT;
void fb_pmd_add_setup(const struct fb_dut *, struct svec *args);
void fb_pmd_add_port(const struct fb_dut *, size_t i, struct svec *args);
char *fb_pmd_check_ports(struct fb_dut *) OVS_WARN_UNUSED_RESULT;
void fb_pmd_tell(const struct fb_dut *, struct fb_result *);

#endif /* fb-pmd.h */
