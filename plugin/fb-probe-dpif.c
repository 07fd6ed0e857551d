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

/* Probe of datapath operations.
 *
 * When it is off it costs one branch. */

#include "dpif.h"
#include "fb-clock.h"
#include "fb-datapath.h"
#include "fb-delay.h"
#include "fb-end.h"
#include "fb-flow-events.h"
#include "fb-op-errors.h"
#include "fb-record.h"
#include "fb-recording.h"
#include "fb-revalidator.h"
#include "fb-thread.h"
#include "fb-upcalls.h"
#include "fb-wrap.h"
#include "util.h"

FB_PROBED(void, dpif_operate,
          (struct dpif *, struct dpif_op **, size_t,
           enum dpif_offload_type));

/* Returns our name for the operations that OVS calls 'type'. */
static enum fb_op
op_from_type(enum dpif_op_type type)
{
    switch (type) {
    case DPIF_OP_FLOW_PUT:
        return FB_OP_PUT;
    case DPIF_OP_FLOW_DEL:
        return FB_OP_DEL;
    case DPIF_OP_FLOW_GET:
        return FB_OP_GET;
    case DPIF_OP_EXECUTE:
    default:
        return FB_OP_EXECUTE;
    }
}

/* Counts in 'record', of datapath 'dp', the 'n_ops' operations 'ops', which
 * were done together in 'ticks'.  Each is taken to have had an equal share;
 * the remainder goes to the first, so that the sum is exact. */
static void
count_ops(struct fb_record *record, int dp, struct dpif_op **ops,
          size_t n_ops, uint64_t ticks)
{
    uint64_t share = ticks / n_ops;
    uint64_t rest = ticks % n_ops;

    for (size_t i = 0; i < n_ops; i++) {
        enum fb_op op = op_from_type(ops[i]->type);

        fb_record_add(record, FB_C_OP(op), 1);
        fb_record_add(record, FB_C_OP_ERRORS(op), ops[i]->error != 0);
        fb_record_add(record, FB_C_OP_TICKS(op), share + rest);
        rest = 0;
        if (OVS_UNLIKELY(ops[i]->error)) {
            fb_op_errors_count(dp, op, ops[i]->error);
        }
    }
}

/* For tests: takes longer if there is a flow put among 'ops'. */
static void
delay_puts(struct dpif_op **ops, size_t n_ops)
{
    for (size_t i = 0; OVS_UNLIKELY(fb_delay_any__) && i < n_ops; i++) {
        if (ops[i]->type == DPIF_OP_FLOW_PUT) {
            fb_delay(FB_DELAY_PUT);
            break;
        }
    }
}

/* dpif_operate() while recording. */
static void __attribute__((noinline))
record_operate(struct dpif *dpif, struct dpif_op **ops, size_t n_ops,
               enum dpif_offload_type offload_type, unsigned int epoch)
{
    struct fb_thread *thread = fb_thread_self(epoch);
    int dp = fb_datapath_find(dpif_name(dpif));
    uint64_t start, end;

    if (dp < 0 || !fb_recording_selects(dp) || !n_ops) {
        FB_REAL(dpif_operate)(dpif, ops, n_ops, offload_type);
        if (dp >= 0) {
            fb_upcalls_batch_done(thread, dp, fb_clock_ticks());
        }
        return;
    }

    fb_flow_operates(ops, n_ops);
    start = fb_clock_ticks();
    fb_revalidator_ops_begin(thread, start);
    delay_puts(ops, n_ops);
    FB_REAL(dpif_operate)(dpif, ops, n_ops, offload_type);
    end = fb_clock_ticks();
    fb_revalidator_ops_end(thread, end, n_ops);
    count_ops(fb_thread_record(thread, dp), dp, ops, n_ops,
              fb_clock_since(start, end));
    fb_upcalls_batch_done(thread, dp, end);
    for (size_t i = 0; i < n_ops; i++) {
        if (OVS_UNLIKELY(ops[i]->error)
            && ops[i]->type == DPIF_OP_FLOW_PUT) {
            fb_upcalls_put_failed(thread, dp, ops[i]->error);
        }
    }
    fb_end_operated(thread, dp, ops, n_ops, end);
    fb_flow_operated(thread, dp, ops, n_ops, start, end);
}

/* Operations are passed to the datapath. */
void
FB_WRAP(dpif_operate)(struct dpif *dpif, struct dpif_op **ops, size_t n_ops,
                      enum dpif_offload_type offload_type)
{
    unsigned int epoch = fb_recording_epoch();

    if (OVS_LIKELY(!epoch)) {
        FB_REAL(dpif_operate)(dpif, ops, n_ops, offload_type);
    } else {
        record_operate(dpif, ops, n_ops, offload_type, epoch);
    }
}
