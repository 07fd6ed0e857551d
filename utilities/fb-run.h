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

#ifndef FB_RUN_H
#define FB_RUN_H 1

/* A run, from the topologies to the result:
 *
 *     several times: build DUTs, compare them, prove that they work, warm them
 *     up, load them in turn, block by block, take them down;
 *     analyze.
 *
 * One at a time; for single-threaded use. */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"
#include "fb-packet.h"
#include "fb-result.h"

struct fb_dut_kind;

/* What to run. */
struct fb_run_config {
    struct fb_parameters parameters;
    const struct fb_dut_kind *const *kinds; /* DUTs to build. */
    size_t n_kinds;             /* At least 1. */
    const char *vswitchd;       /* ovs-vswitchd to use, or NULL for ours. */
    const char *db;             /* Open vSwitch of the host's to use, see
                                 * fb-dut.h; or NULL. */
    const char *uplink;         /* See fb-dut.h; or NULL. */
    const char *backend;        /* Name of the backend to send by, or NULL for
                                 * the best. */
    const char *rundir;         /* Folder of this run's own. */
    bool progress;              /* Show progress on stderr? */
    bool pinned;                /* Did the user ask for CPUs? */
    bool tune;                  /* Tune the host for the run? */
    bool spinner;               /* Have the spinner measure CPU time? */
    enum fb_packet_fault fault; /* Test hook, see fb-dut.h. */
    bool br_netfilter;          /* Test hook, see fb-dut.h. */
    bool alternate_marks;       /* Test hook: no marks in every second block,
                                 * from the second on. */
    const char *hook;           /* Test hook: program to run in each DUT's
                                 * namespace before and after, or NULL. */
    const volatile sig_atomic_t *stop; /* Nonzero once a signal came. */
};

char *fb_run(const struct fb_run_config *, struct fb_result *)
    OVS_WARN_UNUSED_RESULT;
void fb_run_abort(void);

#endif /* fb-run.h */
