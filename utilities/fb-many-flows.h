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

#ifndef FB_MANY_FLOWS_H
#define FB_MANY_FLOWS_H 1

/* Many datapath flows in the Open vSwitch of an experiment, which nothing
 * disturbs.
 *
 * The flows are those that ovs-vswitchd installs when packets of as many UDP
 * flows come, with megaflows off.  The flow limit is out of the way, so that
 * all of them stay, however long a round takes.
 *
 * For single-threaded use.  Functions that return 'char *' return NULL if
 * successful, otherwise a malloc()'d error message. */

#include <stddef.h>

#include "compiler.h"

struct fb_experiment;

/* Setting of other_config that has a round at least ten times a second. */
#define FB_MANY_FLOWS_ROUNDS "max-revalidator=100"

char *fb_many_flows_configure(struct fb_experiment *, const char *settings[],
                              size_t n) OVS_WARN_UNUSED_RESULT;
char *fb_many_flows_build(struct fb_experiment *, unsigned int flows)
    OVS_WARN_UNUSED_RESULT;
char *fb_many_flows_touch(struct fb_experiment *, unsigned int flows)
    OVS_WARN_UNUSED_RESULT;
char *fb_many_flows_send(struct fb_experiment *, unsigned int flows)
    OVS_WARN_UNUSED_RESULT;
char *fb_many_flows_install(struct fb_experiment *, unsigned int flows,
                            const char *when) OVS_WARN_UNUSED_RESULT;

#endif /* fb-many-flows.h */
