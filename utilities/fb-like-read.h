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

#ifndef FB_LIKE_READ_H
#define FB_LIKE_READ_H 1

/* What reads a struct fb_like from a running bridge, for fb_like_read().  Each
 * stores in '*found' whether there is such a bridge; an error means that there
 * is, or may be. */

#include <stdbool.h>

#include "compiler.h"

struct fb_like;
struct ofputil_flow_stats;

char *fb_like_read_ovs(struct fb_like *, const char *name, const char *db,
                       bool *found) OVS_WARN_UNUSED_RESULT;
char *fb_like_read_linux(struct fb_like *, const char *name, bool *found)
    OVS_WARN_UNUSED_RESULT;
void fb_like_add_rules(struct fb_like *, const struct ofputil_flow_stats *,
                       size_t n);

#endif /* fb-like-read.h */
