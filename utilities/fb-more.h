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


#ifndef FB_MORE_H
#define FB_MORE_H 1

/* What is measured besides throughput, on the last build of a run, as its
 * parameters ask for: the highest rate without loss, curves, latency at chosen
 * loads, the order of packets, the tax of mirrors, taps.
 *
 * Functions that return 'char *' return NULL if successful, otherwise a
 * malloc()'d error message. */

#include <signal.h>
#include <stdbool.h>

#include "compiler.h"

struct fb_cpu_meter;
struct fb_dut;
struct fb_result;

/* What is needed for it. */
struct fb_more {
    struct fb_dut *const *duts; /* Those of the result. */
    const bool *broken;         /* Of each, whether frames arrive broken. */
    struct fb_cpu_meter *meter; /* For fb_more_run_metered() only. */
    const volatile sig_atomic_t *stop; /* As in struct fb_trial_config. */

    /* Shows 'text', how far it is; 'aux' is its own. */
    void (*progress)(void *aux, const char *text);
    void *aux;
};

char *fb_more_run_metered(struct fb_more *, struct fb_result *)
    OVS_WARN_UNUSED_RESULT;
char *fb_more_run(struct fb_more *, struct fb_result *)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-more.h */
