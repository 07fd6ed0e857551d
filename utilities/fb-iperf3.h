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

#ifndef FB_IPERF3_H
#define FB_IPERF3_H 1

/* iperf3(1), the program: whether it is there, and what it reports. */

#include <stdint.h>

#include "compiler.h"

#define FB_IPERF3 "iperf3"

/* What iperf3 reports of a transfer. */
struct fb_iperf3_report {
    uint64_t bytes;             /* Payload that the receiver had when it
                                 * ended... */
    double seconds;             /* ...after so long, by the receiver's
                                 * clock. */
    uint64_t retransmits;       /* Segments that the sender sent again. */
};

char *fb_iperf3_find(char **versionp) OVS_WARN_UNUSED_RESULT;
char *fb_iperf3_parse(const char *text, struct fb_iperf3_report *)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-iperf3.h */
