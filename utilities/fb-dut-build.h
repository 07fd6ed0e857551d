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

#ifndef FB_DUT_BUILD_H
#define FB_DUT_BUILD_H 1

/* Builds devices under test, see fb-dut.h, and takes them down.
 *
 * For single-threaded use. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler.h"
#include "fb-packet.h"

struct fb_backend;
struct fb_dut;
struct fb_dut_kind;
struct fb_like;
struct fb_ovs_programs;
struct fb_tcp_parameters;
struct fb_traffic;

/* What all DUTs of a run are built for. */
struct fb_dut_config {
    size_t n_destinations;      /* 1...FB_MAX_DESTINATIONS. */
    const struct fb_traffic *traffic; /* What is sent... */
    const struct fb_backend *backend; /* ...how... */
    size_t n_threads;           /* ...and by how many threads. */
    enum fb_packet_fault fault; /* Test hook: what is wrong with frames. */
    bool br_netfilter;          /* Test hook: netfilter sees bridged frames. */
    uint64_t latency_rate;      /* Frames to mark per second; 0 for none. */
    size_t n_mark_slots;        /* Marked frames that sinks can take in a
                                 * trial. */
    const struct fb_like *like; /* Bridge to make twins of, or NULL; of its
                                 * ports, the load passes 'n_destinations' and
                                 * one more. */
    const struct fb_tcp_parameters *tcp; /* Other load through it than frames
                                          * of ours, or NULL; needs a single
                                          * destination. */
    const char *uplink;         /* Interface of the host's that the last
                                 * destination of a switch is behind, or
                                 * NULL. */
    const char *db;             /* Open vSwitch to use, "unix:SOCKET", or NULL
                                 * for one of each DUT's own. */
    const struct fb_ovs_programs *programs; /* NULL if no DUT needs them... */
    const struct fb_ovs_programs *dpdk_programs; /* ...and of those that have
                                                  * "dpdk" ports. */
    const char *rundir;         /* Folder for what DUTs need. */
    unsigned int build;         /* How many were built so before, in it. */
};

char *fb_dut_create(const struct fb_dut_kind *, const char *label,
                    const struct fb_dut_config *, struct fb_dut **)
    OVS_WARN_UNUSED_RESULT;
void fb_dut_destroy(struct fb_dut *);

#endif /* fb-dut-build.h */
