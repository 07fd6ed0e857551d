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

#include "fb-mirror.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fatal-signal.h"
#include "fb-appctl.h"
#include "fb-dut.h"
#include "fb-guest-init.h"
#include "fb-process.h"
#include "fb-rtnl.h"
#include "fb-sandbox.h"
#include "fb-tun.h"
#include "openvswitch/dynamic-string.h"
#include "timeval.h"
#include "util.h"

/* The port to mirror, see fb-dut.h. */
#define PORT_NAME "fb-port0"

/* Where to. */
#define MIRROR_NAME "fb-mirror"

/* How long ovs-tcpdump may take to have its mirror, in ms: it is written in
 * Python, and a guest is slow.  And how often to look. */
#define TCPDUMP_TIMEOUT_MS 30000
#define TCPDUMP_POLL_MS 50

/* A mirror. */
struct fb_mirror {
    int tap_fd;                 /* Of the tap, or -1. */
    pid_t pid;                  /* Of ovs-tcpdump, or 0. */
    bool is_none;               /* Is it but a word for none? */
};

/* Returns the name of 'kind' in results. */
const char *
fb_mirror_name(enum fb_mirror_kind kind)
{
    return (kind == FB_MIRROR_NONE ? "none"
            : kind == FB_MIRROR_DUMMY ? "dummy"
            : kind == FB_MIRROR_TAP ? "tap"
            : "ovs-tcpdump");
}

/* Has what comes to and leaves the port of 'dut' mirrored to the interface
 * MIRROR_NAME, as ovs-tcpdump does. */
static char *
add_mirror(struct fb_dut *dut)
{
    const char *const argv[] = {
        "ovs-vsctl", "--timeout=60", "--",
        "add-port", FB_DUT_BRIDGE, MIRROR_NAME, "--",
        "--id=@port", "get", "port", PORT_NAME, "--",
        "--id=@output", "get", "port", MIRROR_NAME, "--",
        "--id=@mirror", "create", "mirror", "name="MIRROR_NAME,
        "select_src_port=@port", "select_dst_port=@port",
        "output_port=@output", "--",
        "set", "bridge", FB_DUT_BRIDGE, "mirrors=@mirror", NULL
    };
    return fb_sandbox_run(dut->sandbox, argv, NULL, NULL);
}

/* Returns true if the bridge of 'dut' has a mirror. */
static bool
has_mirror(struct fb_dut *dut)
{
    const char *const argv[] = {
        "ovs-vsctl", "--timeout=60", "get", "bridge", FB_DUT_BRIDGE, "mirrors",
        NULL
    };
    struct ds output = DS_EMPTY_INITIALIZER;

    char *error = fb_sandbox_run(dut->sandbox, argv, NULL, &output);
    bool has = !error && strncmp(ds_cstr(&output), "[]", 2);
    free(error);
    ds_destroy(&output);
    return has;
}

/* Waits until the ovs-vswitchd of 'dut' has made of the database what it
 * is. */
static char *
reconfigure(struct fb_dut *dut)
{
    const char *const argv[] = {
        "ovs-vsctl", "--timeout=60", "set", "bridge", FB_DUT_BRIDGE,
        "external_ids:"MIRROR_NAME"=ovs-tcpdump", NULL
    };

    return fb_sandbox_run(dut->sandbox, argv, NULL, NULL);
}

/* Starts ovs-tcpdump and waits until its mirror is there. */
static char *
start_tcpdump(struct fb_dut *dut, struct fb_mirror *m)
{
    /* "ovs-fanbench cleanup" knows processes of a run by this. */
    char *rundir = xasprintf("OVS_RUNDIR=%s", dut->dir);
    const char *const env[] = { rundir, NULL };
    char *db = xasprintf("unix:%s/db.sock", dut->dir);
    char *log = xasprintf("%s/ovs-tcpdump.log", dut->dir);
    const char *const argv[] = {
        "ovs-tcpdump", "--db-sock", db, "-i", PORT_NAME,
        "--mirror-to", MIRROR_NAME, "-w", "/dev/null", NULL
    };

    char *error = fb_process_start(&(struct fb_process_spec) {
        .argv = argv, .env = env, .netns_fd = dut->near_fd }, log, &m->pid);
    long long int deadline = time_msec() + TCPDUMP_TIMEOUT_MS;
    while (!error && !has_mirror(dut)) {
        fatal_signal_run();
        if (waitpid(m->pid, NULL, WNOHANG)) {
            m->pid = 0;
            error = xstrdup("ovs-tcpdump does not run: it needs tcpdump and "
                            "Open vSwitch's Python module");
        } else if (time_msec() > deadline) {
            error = xasprintf("ovs-tcpdump has no mirror after %d s",
                              TCPDUMP_TIMEOUT_MS / 1000);
        } else {
            xnanosleep(TCPDUMP_POLL_MS * 1000 * 1000);
        }
    }
    free(log);
    free(db);
    free(rundir);
    return error ? error : reconfigure(dut);
}

/* Makes a mirror of 'kind' in 'dut', which has none.  The caller must take it
 * away with fb_mirror_stop(), also if this fails: then it is that this kind
 * cannot be had here. */
char *
fb_mirror_start(struct fb_dut *dut, enum fb_mirror_kind kind)
{
    struct fb_mirror *m = xzalloc(sizeof *m);
    char *error = NULL;

    m->tap_fd = -1;
    m->is_none = kind == FB_MIRROR_NONE;
    dut->mirror = m;
    if (kind == FB_MIRROR_DUMMY || kind == FB_MIRROR_TCPDUMP) {
        fb_guest_load_module("dummy");
    }
    if (kind == FB_MIRROR_TCPDUMP) {
        return start_tcpdump(dut, m);
    } else if (kind == FB_MIRROR_DUMMY) {
        error = fb_rtnl_add_dummy(dut->near, MIRROR_NAME);
    } else if (kind == FB_MIRROR_TAP) {
        error = fb_tun_create(dut->near_fd, dut->near, MIRROR_NAME,
                              &m->tap_fd);
    }
    if (!error && kind != FB_MIRROR_NONE) {
        error = add_mirror(dut);
    }
    return error;
}

/* Deletes the flows of the datapath of 'dut', so that the next packet's is
 * made with its mirror.  Those that are there get it in the round after the
 * change: where the load takes a guest's only CPU, that may be seconds
 * late. */
char *
fb_mirror_renew_flows(struct fb_dut *dut)
{
    return fb_appctl(fb_sandbox_rpc(dut->sandbox), NULL, "revalidator/purge",
                     NULL);
}

/* Stores in '*n' how many packets the interface that 'dut' mirrors to has got,
 * those that it dropped included; 0 if 'dut' has a mirror to nowhere. */
char *
fb_mirror_count(struct fb_dut *dut, uint64_t *n)
{
    struct fb_link_counters counters;
    bool has_otherhost;
    int ifindex;

    *n = 0;
    if (dut->mirror->is_none) {
        return NULL;
    }
    char *error = fb_rtnl_get_ifindex(dut->near, MIRROR_NAME, &ifindex);
    if (!error) {
        error = fb_rtnl_get_counters(dut->near, &ifindex, 1, &counters,
                                     &has_otherhost);
    }
    if (!error) {
        *n = counters.tx_packets + counters.tx_dropped;
    }
    return error;
}

/* Takes the mirror out of 'dut', and all that came with it. */
char *
fb_mirror_stop(struct fb_dut *dut)
{
    const char *const argv[] = {
        "ovs-vsctl", "--timeout=60", "--",
        "clear", "bridge", FB_DUT_BRIDGE, "mirrors", "external_ids", "--",
        "--if-exists", "del-port", FB_DUT_BRIDGE, MIRROR_NAME, NULL
    };
    bool was_none = dut->mirror->is_none;
    char *error = NULL;
    int ifindex;

    /* ovs-tcpdump takes its mirror away by itself, if it has the time. */
    fb_mirror_destroy(dut->mirror);
    dut->mirror = NULL;
    if (!was_none) {
        error = fb_sandbox_run(dut->sandbox, argv, NULL, NULL);
    }
    if (error || was_none) {
        return error;
    }
    error = fb_rtnl_get_ifindex(dut->near, MIRROR_NAME, &ifindex);
    if (error) {
        /* It has gone already. */
        free(error);
        return NULL;
    }
    return fb_rtnl_delete(dut->near, ifindex);
}

/* Ends what 'm' has running or open, and frees it.  It may be null. */
void
fb_mirror_destroy(struct fb_mirror *m)
{
    if (m) {
        fb_process_stop(&m->pid);
        if (m->tap_fd >= 0) {
            close(m->tap_fd);
        }
        free(m);
    }
}
