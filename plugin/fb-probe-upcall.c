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

/* Probes of upcalls.
 *
 * Each probe that is off costs one branch. */

#include <errno.h>

#include "dpif.h"
#include "fb-clock.h"
#include "fb-datapath.h"
#include "fb-delay.h"
#include "fb-flow-events.h"
#include "fb-flow-text.h"
#include "fb-misses.h"
#include "fb-preload.h"
#include "fb-probe-control.h"
#include "fb-record.h"
#include "fb-recording.h"
#include "fb-thread.h"
#include "fb-upcalls.h"
#include "fb-watch-ovs.h"
#include "fb-wrap.h"
#include "openvswitch/list.h"
#include "ovs-rcu.h"
#include "util.h"

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

/* record_upcall() where there is more to do than to count a miss. */
static int __attribute__((noinline))
record_in_full(const struct dp_packet *packet, const struct flow *flow,
               ovs_u128 *ufid, unsigned int pmd_id,
               enum dpif_upcall_type type, const struct nlattr *userdata,
               struct ofpbuf *actions, struct flow_wildcards *wc,
               struct ofpbuf *put_actions, void *shim_)
{
    const struct callback_shim *shim = shim_;
    unsigned int epoch = fb_recording_epoch();
    uint64_t start, end, ticks;
    int error;

    if (!epoch || !fb_recording_selects(shim->dp)) {
        return shim->cb(packet, flow, ufid, pmd_id, type, userdata, actions,
                        wc, put_actions, shim->aux);
    }

    fb_flow_translates(epoch);
    start = fb_clock_ticks();
    error = shim->cb(packet, flow, ufid, pmd_id, type, userdata, actions, wc,
                     put_actions, shim->aux);
    fb_delay(FB_DELAY_UPCALL);
    end = fb_clock_ticks();
    ticks = fb_clock_since(start, end);
    count_upcall(epoch, shim->dp, type, ticks, error);
    fb_upcalls_called(fb_thread_self(epoch), shim->dp,
                      type == DPIF_UC_MISS ? FB_UC_MISS
                      : fb_upcall_classify(userdata), ticks, error);
    if (type == DPIF_UC_MISS) {
        uint64_t until = fb_flow_translated(epoch, shim->dp, ufid, pmd_id,
                                            flow, wc, start, end, error);

        if (until && !fb_delay_any__) {
            fb_misses_open(fb_thread_self(epoch), shim->dp, until);
        }
    }
    return error;
}

/* upcall_shim() while recording.  In a storm, most upcalls are but counted. */
static int __attribute__((noinline, aligned(CACHE_LINE_SIZE)))
record_upcall(const struct dp_packet *packet, const struct flow *flow,
              ovs_u128 *ufid, unsigned int pmd_id, enum dpif_upcall_type type,
              const struct nlattr *userdata, struct ofpbuf *actions,
              struct flow_wildcards *wc, struct ofpbuf *put_actions,
              void *shim_)
{
    const struct callback_shim *shim = shim_;
    unsigned int epoch = fb_recording_epoch();
    uint64_t start = fb_clock_ticks();
    int error;

    if (type != DPIF_UC_MISS || !fb_misses_are_short(epoch, shim->dp, start)) {
        return record_in_full(packet, flow, ufid, pmd_id, type, userdata,
                              actions, wc, put_actions, shim_);
    }
    error = shim->cb(packet, flow, ufid, pmd_id, type, userdata, actions, wc,
                     put_actions, shim->aux);
    fb_misses_count(epoch, shim->dp, fb_clock_since(start, fb_clock_ticks()),
                    error);
    return error;
}

/* Called by a userspace datapath for each upcall, in a PMD thread or in the
 * main thread.  'shim_' is the registered callback_shim.  Either call is the
 * last thing that this does, so that the arguments stay where they are, and
 * all of it is in one cache line. */
static int __attribute__((aligned(CACHE_LINE_SIZE)))
upcall_shim(const struct dp_packet *packet, const struct flow *flow,
            ovs_u128 *ufid, unsigned int pmd_id, enum dpif_upcall_type type,
            const struct nlattr *userdata, struct ofpbuf *actions,
            struct flow_wildcards *wc, struct ofpbuf *put_actions,
            void *shim_)
{
    const struct callback_shim *shim = shim_;

    if (OVS_LIKELY(!fb_recording_epoch())) {
        return shim->cb(packet, flow, ufid, pmd_id, type, userdata, actions,
                        wc, put_actions, shim->aux);
    }
    return record_upcall(packet, flow, ufid, pmd_id, type, userdata, actions,
                         wc, put_actions, shim_);
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
