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

#ifndef FB_QDISC_H
#define FB_QDISC_H 1

/* What the queueing disciplines of interfaces have dropped, and whether
 * somebody has chosen them. */

#include <stddef.h>
#include <stdint.h>

#include "compiler.h"

struct fb_rtnl;

char *fb_qdisc_get_drops(struct fb_rtnl *, const int ifindexes[], size_t n,
                         uint64_t drops[]) OVS_WARN_UNUSED_RESULT;
char *fb_qdisc_find_chosen(struct fb_rtnl *, int ifindex, char **kindp)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-qdisc.h */
