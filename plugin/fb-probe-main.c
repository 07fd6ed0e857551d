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

/* Probes of what the main thread does: iterations of its loop, OpenFlow,
 * interfaces' statistics, ports.
 *
 * Each probe that is off costs one branch. */

#include "dpif.h"
#include "fb-clock.h"
#include "fb-datapath.h"
#include "fb-mainloop.h"
#include "fb-port-names.h"
#include "fb-ports.h"
#include "fb-recording.h"
#include "fb-thread.h"
#include "fb-watch.h"
#include "fb-wrap.h"
#include "netdev.h"
#include "ofproto/connmgr.h"
#include "ofproto/ofproto-provider.h"
#include "openvswitch/ofp-msgs.h"
#include "openvswitch/ofpbuf.h"
#include "openvswitch/poll-loop.h"
#include "util.h"

/* What ofproto gives connmgr_run() to handle a message. */
typedef void openflow_handler(struct ofconn *, const struct ovs_list *);

FB_PROBED(void, poll_block, (void));
FB_PROBED(void, connmgr_run, (struct connmgr *, openflow_handler *));
FB_PROBED(int, ofproto_run, (struct ofproto *));
FB_PROBED(int, ofproto_type_run, (const char *));
FB_PROBED(bool, dpif_run, (struct dpif *));
FB_PROBED(int, netdev_get_stats,
          (const struct netdev *, struct netdev_stats *));
FB_PROBED(int, dpif_port_add, (struct dpif *, struct netdev *, odp_port_t *));
FB_PROBED(int, dpif_port_del, (struct dpif *, odp_port_t, bool));

/* The function that really handles OpenFlow messages, while connmgr_run() is
 * being called.  Main thread only. */
static openflow_handler *real_handler;

/* Returns the number of the recording in which the calling thread is to record
 * what the main thread does, 0 if it is not to. */
static unsigned int
main_epoch(void)
{
    unsigned int epoch = fb_recording_epoch();

    return (OVS_LIKELY(!epoch)
            || fb_thread_self(epoch)->role != FB_ROLE_MAIN ? 0 : epoch);
}

/* Ends 'span', which is about 'name', now. */
static uint64_t
leave(struct fb_span *span, const char *name)
{
    return fb_mainloop_leave(span, fb_recording_epoch(), name,
                             fb_clock_ticks());
}

/* A thread waits for events: the main thread ends an iteration of its loop and
 * then begins another. */
void
FB_WRAP(poll_block)(void)
{
    unsigned int epoch = main_epoch();
    uint64_t now, duration;

    if (OVS_LIKELY(!epoch) || fb_mainloop_in_span(epoch)) {
        FB_REAL(poll_block)();
        return;
    }

    now = fb_clock_ticks();
    if (fb_mainloop_end(epoch, now, &duration)) {
        fb_ports_iteration(epoch, duration);
    } else {
        fb_ports_forget();
    }
    fb_watch_run(epoch, now);
    FB_REAL(poll_block)();
    fb_mainloop_begin(epoch, fb_clock_ticks());
}

/* Handles the OpenFlow message 'msgs', all parts of it, from 'ofconn'. */
static void
handle_openflow(struct ofconn *ofconn, const struct ovs_list *msgs)
{
    unsigned int epoch = main_epoch();
    char name[FB_SPAN_NAME];
    struct fb_span span;
    enum ofptype type;

    if (!epoch) {
        real_handler(ofconn, msgs);
        return;
    }

    if (ovs_list_is_empty(msgs)
        || ofptype_decode(&type,
                          ofpbuf_from_list(ovs_list_front(msgs))->data)) {
        snprintf(name, sizeof name, "? on %s",
                 ofconn_get_ofproto(ofconn)->name);
    } else {
        snprintf(name, sizeof name, "%s on %s", ofptype_get_name(type),
                 ofconn_get_ofproto(ofconn)->name);
    }
    fb_mainloop_enter(&span, epoch, FB_ACT_OPENFLOW, fb_clock_ticks());
    real_handler(ofconn, msgs);
    leave(&span, name);
}

/* A bridge serves its OpenFlow connections. */
void
FB_WRAP(connmgr_run)(struct connmgr *mgr, openflow_handler *handler)
{
    if (OVS_LIKELY(!main_epoch())) {
        FB_REAL(connmgr_run)(mgr, handler);
    } else {
        real_handler = handler;
        FB_REAL(connmgr_run)(mgr, handle_openflow);
    }
}

/* A bridge does its regular work. */
int
FB_WRAP(ofproto_run)(struct ofproto *ofproto)
{
    unsigned int epoch = main_epoch();
    struct fb_span span;
    int error;

    if (OVS_LIKELY(!epoch)) {
        return FB_REAL(ofproto_run)(ofproto);
    }
    fb_mainloop_enter(&span, epoch, FB_ACT_BRIDGES, fb_clock_ticks());
    error = FB_REAL(ofproto_run)(ofproto);
    leave(&span, ofproto->name);
    return error;
}

/* All bridges of a type do their common regular work. */
int
FB_WRAP(ofproto_type_run)(const char *type)
{
    unsigned int epoch = main_epoch();
    struct fb_span span;
    int error;

    if (OVS_LIKELY(!epoch)) {
        return FB_REAL(ofproto_type_run)(type);
    }
    fb_mainloop_enter(&span, epoch, FB_ACT_BRIDGES, fb_clock_ticks());
    error = FB_REAL(ofproto_type_run)(type);
    leave(&span, type);
    return error;
}

/* A datapath does its regular work: in userspace, it forwards packets. */
bool
FB_WRAP(dpif_run)(struct dpif *dpif)
{
    unsigned int epoch = main_epoch();
    struct fb_span span;
    bool changed;

    if (OVS_LIKELY(!epoch)) {
        return FB_REAL(dpif_run)(dpif);
    }
    fb_mainloop_enter(&span, epoch, FB_ACT_PACKETS, fb_clock_ticks());
    changed = FB_REAL(dpif_run)(dpif);
    leave(&span, dpif_name(dpif));
    return changed;
}

/* An interface's statistics are read: part of a sweep, if it is for nothing
 * else that is going on. */
int
FB_WRAP(netdev_get_stats)(const struct netdev *netdev,
                          struct netdev_stats *stats)
{
    unsigned int epoch = main_epoch();
    struct fb_span span;
    uint64_t start;
    int error;

    if (OVS_LIKELY(!epoch) || fb_mainloop_in_span(epoch)) {
        return FB_REAL(netdev_get_stats)(netdev, stats);
    }
    start = fb_clock_ticks();
    fb_mainloop_enter(&span, epoch, FB_ACT_STATISTICS, start);
    error = FB_REAL(netdev_get_stats)(netdev, stats);
    fb_ports_read(epoch, netdev_get_name(netdev), start,
                  start + leave(&span, netdev_get_name(netdev)));
    return error;
}

/* Returns the index of the datapath of 'dpif', or -1 if it is not to be
 * recorded.  Finds out which ports it has, if that is not known. */
static int
prepare_port_op(unsigned int epoch, struct dpif *dpif)
{
    int dp = fb_datapath_find(dpif_name(dpif));

    if (dp < 0 || !fb_recording_selects(dp)) {
        return -1;
    }
    if (fb_ports_need_count(epoch, dp)) {
        struct dpif_port_dump dump;
        struct dpif_port port;
        uint64_t n = 0;

        fb_port_names_clear(dp);
        DPIF_PORT_FOR_EACH (&port, &dump, dpif) {
            fb_port_names_set(dp, odp_to_u32(port.port_no), port.name);
            n++;
        }
        fb_ports_set_count(epoch, dp, n);
    }
    return dp;
}

/* A port is added to a datapath. */
int
FB_WRAP(dpif_port_add)(struct dpif *dpif, struct netdev *netdev,
                       odp_port_t *port_nop)
{
    unsigned int epoch = main_epoch();
    struct fb_span span;
    int dp, error;

    dp = OVS_LIKELY(!epoch) ? -1 : prepare_port_op(epoch, dpif);
    if (dp < 0) {
        return FB_REAL(dpif_port_add)(dpif, netdev, port_nop);
    }
    fb_mainloop_enter(&span, epoch, FB_ACT_PORT_ADD, fb_clock_ticks());
    error = FB_REAL(dpif_port_add)(dpif, netdev, port_nop);
    fb_ports_changed(epoch, dp, FB_PORT_ADD, netdev_get_name(netdev),
                     leave(&span, netdev_get_name(netdev)), error);
    if (!error && port_nop) {
        fb_port_names_set(dp, odp_to_u32(*port_nop),
                          netdev_get_name(netdev));
    }
    return error;
}

/* A port is deleted from a datapath. */
int
FB_WRAP(dpif_port_del)(struct dpif *dpif, odp_port_t port_no,
                       bool local_delete)
{
    unsigned int epoch = main_epoch();
    char name[FB_PORT_NAME];
    struct fb_span span;
    const char *known;
    int dp, error;

    dp = OVS_LIKELY(!epoch) ? -1 : prepare_port_op(epoch, dpif);
    if (dp < 0) {
        return FB_REAL(dpif_port_del)(dpif, port_no, local_delete);
    }
    known = fb_port_names_find(dp, odp_to_u32(port_no));
    if (known) {
        ovs_strzcpy(name, known, sizeof name);
    } else {
        snprintf(name, sizeof name, "port %u", odp_to_u32(port_no));
    }
    fb_mainloop_enter(&span, epoch, FB_ACT_PORT_DEL, fb_clock_ticks());
    error = FB_REAL(dpif_port_del)(dpif, port_no, local_delete);
    fb_ports_changed(epoch, dp, FB_PORT_DEL, name, leave(&span, name), error);
    if (!error) {
        fb_port_names_remove(dp, odp_to_u32(port_no));
    }
    return error;
}
