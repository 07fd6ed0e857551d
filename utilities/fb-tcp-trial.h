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

#ifndef FB_TCP_TRIAL_H
#define FB_TCP_TRIAL_H 1

/* One trial of TCP in bulk through a DUT (see fb-tcp.h).
 *
 * A trial is so many bytes, not so much time, because iperf3 counts time in
 * whole seconds: as many as the DUT passed on in the time that a trial is to
 * take, when it was warmed up.  What it took is what counts. */

#include <stdint.h>

#include "compiler.h"

struct fb_cpu_meter;
struct fb_dut;
struct fb_trial;

/* How to make trials. */
struct fb_tcp_trial_config {
    double duration;            /* Seconds that a trial is to take. */
    double warmup;              /* Seconds of load before the first. */
    struct fb_cpu_meter *meter; /* Measures CPU time, or NULL for nothing. */
};

char *fb_tcp_trial_prepare(struct fb_dut *,
                           const struct fb_tcp_trial_config *,
                           uint64_t *n_bytes) OVS_WARN_UNUSED_RESULT;
char *fb_tcp_trial_run(struct fb_dut *, const struct fb_tcp_trial_config *,
                       uint64_t n_bytes, struct fb_trial *)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-tcp-trial.h */
