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

#ifndef FB_PROBE_H
#define FB_PROBE_H 1

/* What the probe in the ovs-vswitchd of a DUT says, as JSON.  For
 * single-threaded use.  Functions that return 'char *' return NULL if
 * successful, otherwise a malloc()'d error message. */

#include "compiler.h"

struct fb_dut;
struct json;

char *fb_probe_start(const struct fb_dut *, const char *option)
    OVS_WARN_UNUSED_RESULT;
char *fb_probe_stop(const struct fb_dut *) OVS_WARN_UNUSED_RESULT;
char *fb_probe_read(const struct fb_dut *, const char *command,
                    struct json **) OVS_WARN_UNUSED_RESULT;

#endif /* fb-probe.h */
