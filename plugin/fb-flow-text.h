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

#ifndef FB_FLOW_TEXT_H
#define FB_FLOW_TEXT_H 1

/* Datapath flows in OVS's own syntax, as "ovs-appctl dpctl/dump-flows" has it.
 *
 * What a flow matches comes from the ledger, or, if that does not have it and
 * the flow is installed, from the datapath.
 *
 * Thread rules: main thread only. */

#include "fb-ledger.h"

struct dpif;
struct ds;

void fb_flow_text_set_dpif(int dp, struct dpif *);
void fb_flow_text(struct fb_ledger *, const struct fb_flow_copy *,
                  struct ds *);
void fb_flow_text_ufid(const struct fb_flow_copy *, struct ds *);

#endif /* fb-flow-text.h */
