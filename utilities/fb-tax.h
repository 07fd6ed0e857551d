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

#ifndef FB_TAX_H
#define FB_TAX_H 1

/* The tax of a mirror: how much throughput a switch loses when what comes to
 * one of its ports is mirrored.
 *
 * All kinds of mirror (see fb-mirror.h) come block by block, in random order,
 * on one build, so that each is compared with no mirror at nearly the same
 * time.  Of each, the first seconds are discarded: flows are revalidated when
 * a mirror comes. */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "compiler.h"

struct fb_dut;
struct fb_result;

/* What fb_tax_run() needs. */
struct fb_tax_config {
    struct fb_dut *const *duts; /* Those of the result. */
    const bool *broken;         /* Of each, whether frames arrive broken. */
    uint64_t seed;              /* Of the order in the blocks. */
    const volatile sig_atomic_t *stop; /* As in struct fb_trial_config. */

    /* Told before each kind, for a progress display; 'aux' is its own. */
    void (*progress)(void *aux, unsigned int block, unsigned int n_blocks,
                     const char *mirror);
    void *aux;
};

char *fb_tax_run(const struct fb_tax_config *, struct fb_result *)
    OVS_WARN_UNUSED_RESULT;
void fb_tax_analyze(struct fb_result *);

#endif /* fb-tax.h */
