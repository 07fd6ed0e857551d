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

#ifndef FB_SLOW_FLOWS_H
#define FB_SLOW_FLOWS_H 1

/* Datapath flows whose packets all go through ovs-vswitchd. */

#include <stdint.h>

/* Numbers of flows, by why that is.  Each counts once for each reason. */
struct fb_slow_flows {
    uint64_t n;                 /* Flows, for whatever reason below. */
    uint64_t action;            /* The datapath does not have an action, or
                                 * they are too many. */
    uint64_t match;             /* It cannot match on all that the rules do. */
    uint64_t controller;        /* The controller gets each packet. */
};

struct fb_slow_flows fb_slow_flows_count(const char *flows);

#endif /* fb-slow-flows.h */
