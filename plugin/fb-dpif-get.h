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

#ifndef FB_DPIF_GET_H
#define FB_DPIF_GET_H 1

/* A flow of a datapath, asked for without a word in the log.  To be included
 * after "fanbench-config.h". */

#include "dpif.h"
#include "dpif-provider.h"

/* Fetches the flow 'ufid' of 'pmd_id' from 'dpif' into '*flow', with 'buffer'
 * as storage, like dpif_flow_get().  That one warns in the log when there is
 * no such flow, and a flow that ends while it is being shown is no reason for
 * a warning.
 *
 * Returns 0 if successful, otherwise an errno.  Any thread that may use
 * 'dpif'. */
static inline int
fb_dpif_get(struct dpif *dpif, const ovs_u128 *ufid, unsigned int pmd_id,
            struct ofpbuf *buffer, struct dpif_flow *flow)
{
    struct dpif_op op = {
        .type = DPIF_OP_FLOW_GET,
        .flow_get = {
            .ufid = ufid,
            .pmd_id = pmd_id,
            .buffer = buffer,
            .flow = flow,
        },
    };
    struct dpif_op *ops = &op;

    memset(flow, 0, sizeof *flow);
#if FANBENCH_HAVE_OPERATE_OFFLOAD_TYPE
    dpif->dpif_class->operate(dpif, &ops, 1, DPIF_OFFLOAD_AUTO);
#else
    dpif->dpif_class->operate(dpif, &ops, 1);
#endif
    return op.error;
}

#endif /* fb-dpif-get.h */
