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

#ifndef FB_END_H
#define FB_END_H 1

/* Why flows are deleted, and what to tell fb-returns.h of that.
 *
 * OVS does not say why its revalidators delete a flow; this applies OVS's own
 * rules to what is known.
 *
 * Thread rules: any thread, without lock. */

#include <stddef.h>
#include <stdint.h>
#include "fb-ledger.h"

struct dpif_op;
struct fb_thread;

enum fb_end fb_end_infer(int dp, long long int used, uint64_t age_ms);
void fb_end_operated(const struct fb_thread *, int dp, struct dpif_op **ops,
                     size_t n_ops, uint64_t now);

#endif /* fb-end.h */
