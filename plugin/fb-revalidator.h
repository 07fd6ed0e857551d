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

#ifndef FB_REVALIDATOR_H
#define FB_REVALIDATOR_H 1

/* Accounts for every tick that a revalidator spends in a round.
 *
 * A revalidator's way through a round is seen from the functions that it
 * calls:
 *
 *     leader: dpif_flow_dump_create()
 *     ovs_barrier_block()                 -- All know the dump now.
 *     dpif_flow_dump_thread_create()
 *     dpif_flow_dump_next(), dpif_operate(), ... until there is no more flow
 *     dpif_flow_dump_thread_destroy()
 *     ovs_barrier_block()                 -- All flows were dumped.
 *     ... the sweep, with dpif_operate() ...
 *     ovs_barrier_block()                 -- All ukeys were swept.
 *     leader: dpif_flow_dump_destroy()
 *
 * Between two such events, time belongs to what the thread does then.  Events
 * that do not fit, e.g. because the recording began in the middle of a round,
 * are ignored.
 *
 * Each probe calls "begin" before the real function and "end" after it, with
 * the time in ticks.
 *
 * Thread rules: everything here concerns the calling thread, whose state
 * 'thread' is. */

#include <stddef.h>
#include <stdint.h>
#include "fb-thread.h"

void fb_revalidator_leads(struct fb_thread *, int dp, const void *dump,
                          uint64_t start, uint64_t end);
void fb_revalidator_joins(struct fb_thread *, const void *dump,
                          uint64_t start, uint64_t end);
void fb_revalidator_leaves(struct fb_thread *, uint64_t start, uint64_t end);
void fb_revalidator_ends(struct fb_thread *, uint64_t end, int error);

bool fb_revalidator_next_begin(struct fb_thread *, uint64_t start);
void fb_revalidator_next_end(struct fb_thread *, uint64_t end, int n_flows);

void fb_revalidator_ops_begin(struct fb_thread *, uint64_t start);
void fb_revalidator_ops_end(struct fb_thread *, uint64_t end, size_t n_ops);

bool fb_revalidator_barrier_begin(struct fb_thread *, const void *barrier,
                                  uint64_t start);
void fb_revalidator_barrier_end(struct fb_thread *, const void *barrier,
                                uint64_t end);

#endif /* fb-revalidator.h */
