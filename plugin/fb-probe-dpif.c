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

/* Probes of datapath operations and upcalls.
 *
 * Each probe that is off costs one branch. */

#include <errno.h>

#include "dpif.h"
#include "fb-clock.h"
#include "fb-datapath.h"
#include "fb-preload.h"
#include "fb-delay.h"
#include "fb-probe-control.h"
#include "fb-end.h"
#include "fb-flow-events.h"
#include "fb-flow-text.h"
#include "fb-op-errors.h"
#include "fb-record.h"
#include "fb-recording.h"
#include "fb-revalidator.h"
#include "fb-thread.h"
#include "fb-upcalls.h"
#include "fb-watch-ovs.h"
#include "fb-wrap.h"
#include "openvswitch/list.h"
#include "ovs-rcu.h"
#include "util.h"

FB_PROBED(void, dpif_operate,
          (struct dpif *, struct dpif_op **, size_t,
           enum dpif_offload_type));
FB_PROBED(int, dpif_recv,
          (struct dpif *, uint32_t, struct dpif_upcall *, struct ofpbuf *));
FB_PROBED(void, dpif_register_upcall_cb,
          (struct dpif *, upcall_callback *, void *));

/* Stands between a userspace datapath and ofproto's upcall callback. */
struct callback_shim {
    struct ovs_list node;       /* In 'shims'. */
    int dp;                     /* Index of the datapath. */
    upcall_callback *cb;        /* The real callback. */
    void *aux;                  /* Its last argument. */
};

/* All callbacks that are registered.  Main thread only. */
static struct ovs_list shims = OVS_LIST_INITIALIZER(&shims);

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
static void
record_operate(unsigned int epoch, struct dpif *dpif, struct dpif_op **ops,
               size_t n_ops, enum dpif_offload_type offload_type)
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
        record_operate(epoch, dpif, ops, n_ops, offload_type);
    }
}

/* Counts an upcall of 'type' in the calling thread's record for 'dp', which
 * took 'ticks' and ended with 'error'. */
static void
count_upcall(unsigned int epoch, int dp, enum dpif_upcall_type type,
             uint64_t ticks, int error)
{
    struct fb_record *record = fb_thread_record(fb_thread_self(epoch), dp);

    fb_record_add(record, type == DPIF_UC_MISS ? FB_C_MISS : FB_C_ACTION, 1);
    fb_record_add(record, FB_C_UPCALL_ERRORS, error != 0);
    fb_record_add(record, FB_C_UPCALL_TICKS, ticks);
}

/* When the calling thread, a handler, last found no upcall waiting, in ticks:
 * those that it receives now were sent later. */
static __thread uint64_t drained;

/* An upcall is received from the kernel. */
int
FB_WRAP(dpif_recv)(struct dpif *dpif, uint32_t handler_id,
                   struct dpif_upcall *upcall, struct ofpbuf *buf)
{
    unsigned int epoch = fb_recording_epoch();
    uint64_t start, end;
    int error, dp;

    if (OVS_LIKELY(!epoch)) {
        return FB_REAL(dpif_recv)(dpif, handler_id, upcall, buf);
    }

    start = fb_clock_ticks();
    error = FB_REAL(dpif_recv)(dpif, handler_id, upcall, buf);
    if (error == EAGAIN) {
        fb_flow_drained();
        drained = start;
    }
    dp = fb_datapath_find(dpif_name(dpif));
    if (dp < 0 || !fb_recording_selects(dp)) {
        return error;
    }
    if (error) {
        fb_upcalls_drained(fb_thread_self(epoch), dp, error);
    }
    if (error == EAGAIN) {
        return error;
    }
    if (!error) {
        end = fb_clock_ticks();
        count_upcall(epoch, dp, upcall->type, fb_clock_since(start, end), 0);
        fb_upcalls_received(fb_thread_self(epoch), dp,
                            upcall->type == DPIF_UC_MISS ? FB_UC_MISS
                            : fb_upcall_classify(upcall->userdata), end);
        fb_delay(FB_DELAY_UPCALL);
        fb_flow_received(epoch, dp, upcall, drained, start);
    } else {
        fb_record_add(fb_thread_record(fb_thread_self(epoch), dp),
                      FB_C_UPCALL_ERRORS, 1);
    }
    return error;
}

/* Called by a userspace datapath for each upcall, in a PMD thread or in the
 * main thread.  'shim_' is the registered callback_shim. */
static int
upcall_shim(const struct dp_packet *packet, const struct flow *flow,
            ovs_u128 *ufid, unsigned int pmd_id, enum dpif_upcall_type type,
            const struct nlattr *userdata, struct ofpbuf *actions,
            struct flow_wildcards *wc, struct ofpbuf *put_actions,
            void *shim_)
{
    const struct callback_shim *shim = shim_;
    unsigned int epoch = fb_recording_epoch();
    uint64_t start, end;
    int error;

    if (OVS_LIKELY(!epoch) || !fb_recording_selects(shim->dp)) {
        return shim->cb(packet, flow, ufid, pmd_id, type, userdata, actions,
                        wc, put_actions, shim->aux);
    }

    fb_flow_translates(epoch);
    start = fb_clock_ticks();
    error = shim->cb(packet, flow, ufid, pmd_id, type, userdata, actions, wc,
                     put_actions, shim->aux);
    fb_delay(FB_DELAY_UPCALL);
    end = fb_clock_ticks();
    count_upcall(epoch, shim->dp, type, fb_clock_since(start, end), error);
    fb_upcalls_called(fb_thread_self(epoch), shim->dp,
                      type == DPIF_UC_MISS ? FB_UC_MISS
                      : fb_upcall_classify(userdata),
                      fb_clock_since(start, end), error);
    if (type == DPIF_UC_MISS) {
        fb_flow_translated(epoch, shim->dp, ufid, pmd_id, flow, wc, start,
                           end, error);
    }
    return error;
}

/* Forgets the callback of datapath 'dp', if any.  A thread that is just using
 * it may finish. */
static void
forget_shim(int dp)
{
    struct callback_shim *shim;

    LIST_FOR_EACH (shim, node, &shims) {
        if (shim->dp == dp) {
            ovs_list_remove(&shim->node);
            ovsrcu_postpone(free, shim);
            return;
        }
    }
}

/* ofproto ceases to serve the datapath with index 'dp', -1 if unknown. */
static void
dp_unserved(int dp)
{
    if (dp >= 0) {
        fb_watch_ovs_set_dpif(dp, NULL);
        fb_probe_control_set_udpif(dp, NULL);
    }
}

/* ofproto begins ('cb' is not null) or ceases to serve a datapath. */
void
FB_WRAP(dpif_register_upcall_cb)(struct dpif *dpif, upcall_callback *cb,
                                 void *aux)
{
    struct callback_shim *shim;
    int dp;

    if (!cb) {
        FB_REAL(dpif_register_upcall_cb)(dpif, cb, aux);
        dp_unserved(fb_datapath_find(dpif_name(dpif)));
        forget_shim(fb_datapath_find(dpif_name(dpif)));
        fb_flow_text_set_dpif(fb_datapath_find(dpif_name(dpif)), NULL);
        fb_datapath_remove(dpif_name(dpif));
        return;
    }

    dp = fb_preload_at_home() ? fb_datapath_add(dpif_name(dpif)) : -1;
    if (dp < 0) {
        FB_REAL(dpif_register_upcall_cb)(dpif, cb, aux);
        return;
    }

    fb_flow_text_set_dpif(dp, dpif);
    shim = xmalloc(sizeof *shim);
    shim->dp = dp;
    shim->cb = cb;
    shim->aux = aux;
    FB_REAL(dpif_register_upcall_cb)(dpif, upcall_shim, shim);
    forget_shim(dp);
    ovs_list_push_back(&shims, &shim->node);
    fb_watch_ovs_set_dpif(dp, dpif);
    fb_probe_control_set_udpif(dp, aux);
}
