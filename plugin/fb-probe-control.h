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

#ifndef FB_PROBE_CONTROL_H
#define FB_PROBE_CONTROL_H 1

/* What the probes of fb-probe-control.c need to know.
 *
 * Thread rules: main thread only. */

#include "unixctl.h"

void fb_probe_control_init(void);
void fb_probe_control_set_udpif(int dp, const void *udpif);
unixctl_cb_func *fb_probe_control_command(const char *name,
                                          unixctl_cb_func *, void *aux);

#endif /* fb-probe-control.h */
