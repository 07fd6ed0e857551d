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

#ifndef FB_RULES_H
#define FB_RULES_H 1

/* The OpenFlow rules of a running bridge, read only. */

#include <stddef.h>

struct ofputil_flow_stats;

/* Most rules to read at a time: a dump holds up ovs-vswitchd's main thread,
 * for some microseconds each. */
#define FB_MAX_RULES 10000

int fb_rules_read(const char *rundir, const char *bridge,
                  struct ofputil_flow_stats **rules, size_t *n);
void fb_rules_free(struct ofputil_flow_stats *rules, size_t n);

#endif /* fb-rules.h */
