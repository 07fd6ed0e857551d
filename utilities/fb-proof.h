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

#ifndef FB_PROOF_H
#define FB_PROOF_H 1

/* Proof, before anything is measured, that a DUT does what it is for: one
 * frame to each destination arrives at that destination's sink, only there,
 * and unharmed.  Receivers are attached to the sinks for that time only. */

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"
#include "fb-dut.h"

/* What was seen.  Frames are counted once each. */
struct fb_proof {
    size_t n_missing;           /* Destinations that got nothing. */
    size_t n_astray;            /* Frames that came to another sink. */
    size_t n_bad_ip_csum;       /* Frames with a bad IPv4 checksum. */
    size_t n_harmed;            /* Frames that are otherwise not as sent. */
};

/* The next frames of a proof are not sent before these many have arrived or
 * are late: a userspace datapath with a thousand ports takes its time, and the
 * socket of the port that they arrive at has room for some hundred. */
#define FB_PROOF_BATCH 32

char *fb_proof_run(struct fb_dut *, bool again, struct fb_proof *)
    OVS_WARN_UNUSED_RESULT;
int fb_proof_send(struct fb_dut *, uint64_t n);
bool fb_proof_is_broken(const struct fb_proof *);

#endif /* fb-proof.h */
