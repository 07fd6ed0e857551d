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

#ifndef FB_RUN_PRIVATE_H
#define FB_RUN_PRIVATE_H 1

/* What the files of a run share, see fb-run.h:
 *
 *     fb-run.c            the plan, block by block, and its result;
 *     fb-run-build.c      builds DUTs and takes them down;
 *     fb-run-prepare.c    compares them, proves that they work, warms them up.
 */

#include "fb-ovs-programs.h"
#include "fb-plan.h"
#include "fb-rng.h"
#include "fb-run.h"
#include "fb-tcp-trial.h"
#include "fb-throttle.h"

/* A run that is going on. */
struct fb_run {
    const struct fb_run_config *config;
    struct fb_ovs_programs programs; /* Of all DUTs... */
    struct fb_ovs_programs dpdk_programs; /* ...but those with DPDK ports. */
    const struct fb_backend *backend; /* How packets are sent. */
    struct fb_dut **duts;       /* config->n_kinds of them; NULL if not up. */
    bool *broken;               /* For each: do frames arrive broken? */
    uint64_t *tcp_bytes;        /* For each, with TCP: bytes of a trial. */
    struct fb_cpu_meter *meter; /* Measures CPU time; NULL before the end of
                                 * preparations. */
    struct fb_result *result;
    struct fb_throttle throttle; /* How fast CPUs were. */
    struct fb_plan plan;        /* How many builds and blocks. */
    struct fb_rng rng;          /* Of the order in the blocks. */
    long long int start;        /* When it began, of time_msec(). */
};

void fb_run_show_progress(const struct fb_run *, const char *format, ...)
    OVS_PRINTF_FORMAT(2, 3);
struct fb_tcp_trial_config fb_run_tcp_config(const struct fb_run *);

/* fb-run-build.c */
char *fb_build_find_programs(struct fb_run *) OVS_WARN_UNUSED_RESULT;
char *fb_build_measure_ceilings(struct fb_run *) OVS_WARN_UNUSED_RESULT;
char *fb_build_begin(struct fb_run *) OVS_WARN_UNUSED_RESULT;
char *fb_build_end(struct fb_run *) OVS_WARN_UNUSED_RESULT;
void fb_build_stop_meter(struct fb_run *);
void fb_build_take_down(struct fb_run *);

/* fb-run-prepare.c */
char *fb_run_prepare(struct fb_run *) OVS_WARN_UNUSED_RESULT;

#endif /* fb-run-private.h */
