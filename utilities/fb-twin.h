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

#ifndef FB_TWIN_H
#define FB_TWIN_H 1

/* Twins: a DUT that is like the bridge that its member 'like' describes.
 *
 * Ports are numbered as in the description, whose first ones the load passes,
 * and are veth interfaces with the MTU of those that they stand for.  The far
 * ends of the others have nobody to send to or to receive, and are in the
 * DUT's own namespace.
 *
 * The load has addresses of its own.  In the OpenFlow rules they take the
 * place of those that are known to live behind the ports that it passes.
 *
 * Functions return NULL if successful, otherwise a malloc()'d error
 * message. */

#include "compiler.h"

struct fb_dut;

char *fb_twin_prepare(struct fb_dut *) OVS_WARN_UNUSED_RESULT;
char *fb_twin_attach_ovs(struct fb_dut *) OVS_WARN_UNUSED_RESULT;
char *fb_twin_attach_bridge(struct fb_dut *) OVS_WARN_UNUSED_RESULT;

#endif /* fb-twin.h */
