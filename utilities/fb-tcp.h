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

#ifndef FB_TCP_H
#define FB_TCP_H 1

/* TCP in bulk through a DUT, by iperf3: the two ends.
 *
 *     far namespace            DUT's namespace            sink's namespace
 *
 *     iperf3 -c, fb-gen  ===== fb-port0 - switch - fb-port1 ===== fb-sink1,
 *                                                              iperf3 -s
 *
 * One connection, from the generator to the only destination, whose namespace
 * is its own, as the kernel would else keep the packets to itself.  The wire's
 * is the DUT's.  Both ends have the Ethernet addresses that the switch has
 * rules or entries for (see fb-address.h), and know each other's, so that
 * nothing but TCP passes.
 *
 * Segmentation: unless that is left to the devices, both ends have checksum
 * offload off, and with it TSO: the sender's stack cuts segments of the MTU
 * before they enter the path, and all DUTs forward ordinary frames.  A veth
 * pair with TSO carries up to 64 KiB as one frame that nobody ever cuts.
 *
 * For the main thread.  Functions that return 'char *' return NULL if
 * successful, otherwise a malloc()'d error message. */

#include <stdbool.h>
#include <stdint.h>

#include "compiler.h"
#include "fb-iperf3.h"

struct fb_dut;
struct fb_dut_kind;
struct fb_tcp;

/* What the load is like. */
struct fb_tcp_parameters {
    bool wanted;                /* Is there such a load at all? */
    bool tso;                   /* Are checksums and segmentation left to the
                                 * devices? */
};

/* What came of a transfer. */
struct fb_tcp_transfer {
    struct fb_iperf3_report report;
    uint64_t cpu_ns;            /* CPU time of both iperf3, in user space and
                                 * in the kernel. */
};

const char *fb_tcp_check_kind(const struct fb_dut_kind *,
                              const struct fb_tcp_parameters *);

char *fb_tcp_open(const struct fb_dut *, bool tso, struct fb_tcp **)
    OVS_WARN_UNUSED_RESULT;
void fb_tcp_close(struct fb_tcp *);
char *fb_tcp_send(struct fb_tcp *, uint64_t n_bytes, struct fb_tcp_transfer *)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-tcp.h */
