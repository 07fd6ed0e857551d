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

#ifndef FB_TAP_RUN_H
#define FB_TAP_RUN_H 1

/* What comes out of a tap behind a userspace datapath (see fb-tap.h), and
 * which threads of ovs-vswitchd take how much CPU time for it. */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "compiler.h"

struct fb_dut;
struct fb_result;

/* What fb_tap_run() needs. */
struct fb_tap_config {
    struct fb_dut *const *duts; /* Those of the result. */
    uint64_t seed;              /* Of the order of trials. */
    const volatile sig_atomic_t *stop; /* Ends it when this is nonzero. */

    /* Told before each block, for a progress display; 'aux' is its own. */
    void (*progress)(void *aux, unsigned int block, unsigned int n_blocks);
    void *aux;
};

char *fb_tap_run(const struct fb_tap_config *, struct fb_result *)
    OVS_WARN_UNUSED_RESULT;
void fb_tap_analyze(struct fb_result *);
double fb_tap_parse_batch(const char *text);

#endif /* fb-tap-run.h */
