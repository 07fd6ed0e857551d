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

#ifndef FB_RUN_PROBE_H
#define FB_RUN_PROBE_H 1

/* The probe in the ovs-vswitchd of a DUT, as a part of a run's result.  A DUT
 * without an Open vSwitch has none.  For single-threaded use. */

#include "compiler.h"

struct fb_dut;
struct fb_dut_result;
struct fb_result;

void fb_run_probe_start(const struct fb_dut *, struct fb_result *,
                        struct fb_dut_result *);
char *fb_run_probe_take(const struct fb_dut *, struct fb_dut_result *)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-run-probe.h */
