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

#ifndef FB_TC_H
#define FB_TC_H 1

/* What traffic control does at interfaces: queueing disciplines and filters.
 * A filter at the ingress of a port sees every packet before the switch
 * does. */

#include <stddef.h>

#include "compiler.h"

struct fb_rtnl;
struct smap;

char *fb_tc_describe(struct fb_rtnl *, const int ifindexes[], size_t n,
                     struct smap *knobs) OVS_WARN_UNUSED_RESULT;

#endif /* fb-tc.h */
