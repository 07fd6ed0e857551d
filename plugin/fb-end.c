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

#include <config.h>
#include "fanbench-config.h"

#include "fb-end.h"

#include <errno.h>

#include "dpif.h"
#include "fb-cause.h"
#include "fb-preload.h"
#include "fb-returns.h"
#include "fb-thread.h"
#include "ofproto/ofproto-provider.h"
#include "timeval.h"
#include "util.h"

/* Idle time, in ms, after which flows go when there are more than the limit:
 * OVS's own constant, from ofproto-dpif-upcall.c. */
#define OVER_LIMIT_IDLE_MS 100

/* How much older a flow may be than we know, in ms. */
#define AGE_SLACK_MS 100

/* Says whether a flow has been idle for more than 'ms' at 'now' (OVS's time in
 * ms), the time of its last use being 'used'.  A flow that was never used (0)
 * counts as idle for its age, 'age_ms', as in OVS, which has it from shortly
 * before we do. */
static bool
is_idle(long long int used, long long int now, long long int ms,
        uint64_t age_ms)
{
    return used ? used < now - ms : age_ms > ms - MIN(ms, AGE_SLACK_MS);
}

/* Returns why a revalidator has just deleted a flow of datapath 'dp' that was
 * last used at 'used' (OVS's time in ms; 0: never) and is 'age_ms' old, or
 * UINT64_MAX if that is not known.  One that was never used is then taken to
 * have been idle for as long as it takes to be deleted for it. */
enum fb_end
fb_end_infer(int dp, long long int used, uint64_t age_ms)
{
    uint64_t limit = fb_cause_limit(dp);
    uint64_t n_flows = limit ? fb_cause_flows(dp) : 0;
    long long int now = time_msec();

    if (!used && age_ms == UINT64_MAX && n_flows > limit) {
        return FB_END_LIMIT;
    } else if (is_idle(used, now, ofproto_max_idle, age_ms)) {
        return FB_END_IDLE;
    } else if (n_flows > 2 * limit
               || (n_flows > limit
                   && is_idle(used, now, OVER_LIMIT_IDLE_MS, age_ms))) {
        return FB_END_LIMIT;
    }
    return FB_END_CHANGED;
}

/* 'thread' had done 'op', a flow deletion, in datapath 'dp' by 'now'. */
static void
deleted(const struct fb_thread *thread, int dp, const struct dpif_op *op,
        uint64_t now)
{
    const struct dpif_flow_del *del = &op->flow_del;
    struct fb_flow_id id = fb_flow_id(dp, del->ufid, del->pmd_id);
    enum fb_end end;

    if (op->error == ENOENT) {
        end = FB_END_OUTSIDER;
    } else if (thread->role != FB_ROLE_REVALIDATOR) {
        end = FB_END_FLUSH;
    } else {
        end = fb_end_infer(dp, del->stats ? del->stats->used : 0,
                           fb_returns_age(&id, now));
    }
    if (!op->error || op->error == ENOENT) {
        fb_returns_deleted(&id, end, now);
    }
}

/* 'thread' had done the 'n_ops' operations 'ops' in datapath 'dp' by 'now'. */
void
fb_end_operated(const struct fb_thread *thread, int dp, struct dpif_op **ops,
                size_t n_ops, uint64_t now)
{
    for (size_t i = 0; i < n_ops; i++) {
        const struct dpif_op *op = ops[i];

        if (op->type == DPIF_OP_FLOW_DEL && op->flow_del.ufid) {
            deleted(thread, dp, op, now);
        }
    }
}
