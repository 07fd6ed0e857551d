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

#ifndef FB_IP_H
#define FB_IP_H 1

/* IPv4 addresses of interfaces in network namespaces of ours. */

#include "compiler.h"
#include "openvswitch/types.h"

/* What an interface is called, and whom it can reach. */
struct fb_ip_config {
    const char *ifname;
    const char *address;        /* Its own, with a prefix length:
                                 * "198.18.0.1/15". */
    const char *neighbor;       /* Another's... */
    struct eth_addr neighbor_mac; /* ...and where frames to it go, so that
                                   * nobody has to ask. */
};

char *fb_ip_configure(int netns_fd, const struct fb_ip_config *)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-ip.h */
