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

#ifndef FB_FLOW_EVENTS_H
#define FB_FLOW_EVENTS_H 1

/* What the probes tell the flow ledger.
 *
 * Thread rules: any thread, about what it does itself; no function waits.
 * Times are in ticks of fb_clock_ticks(). */

#include <stddef.h>
#include <stdint.h>
#include "dpif.h"

struct fb_thread;

/* Upcalls of the kernel datapath. */
void fb_flow_received(unsigned int epoch, int dp, const struct dpif_upcall *,
                      uint64_t sent_after, uint64_t when);
void fb_flow_drained(void);

/* Upcalls of a userspace datapath. */
void fb_flow_translates(unsigned int epoch);
uint64_t fb_flow_translated(unsigned int epoch, int dp, const ovs_u128 *ufid,
                            unsigned int pmd_id, const struct flow *,
                            const struct flow_wildcards *,
                            uint64_t start, uint64_t end, int error);

/* Operations. */
void fb_flow_operates(struct dpif_op **ops, size_t n_ops);
void fb_flow_operated(const struct fb_thread *, int dp, struct dpif_op **ops,
                      size_t n_ops, uint64_t start, uint64_t end);

/* Revalidation. */
void fb_flow_round_begin(const struct fb_thread *, uint64_t now);
int fb_flow_batch_size(const struct fb_thread *, int max_flows);
void fb_flow_batch_begin(const struct fb_thread *,
                         const struct dpif_flow *, int n, uint64_t now);
void fb_flow_batch_end(const struct fb_thread *, uint64_t now);
void fb_flow_dump_end(const struct fb_thread *, uint64_t now);
void fb_flow_round_end(const struct fb_thread *, int dp,
                       uint64_t start);

#endif /* fb-flow-events.h */
