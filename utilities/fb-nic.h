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

#ifndef FB_NIC_H
#define FB_NIC_H 1

/* How a network interface of the host's is set up, so that it can be made so
 * again after it was moved to another network namespace and back.
 *
 * A move takes an interface down and loses its addresses, its routes and the
 * settings below /proc/sys/net that are its own; MTU, offloads and flags it
 * keeps, but may be given others meanwhile.
 *
 * For single-threaded use.  Functions that return 'char *' return NULL if
 * successful, otherwise a malloc()'d error message. */

#include <stdint.h>

#include "compiler.h"
#include "smap.h"

struct fb_rtnl;
struct json;

/* How an interface is set up. */
struct fb_nic {
    char *name;
    int ifindex;
    uint32_t mtu;               /* In bytes. */
    uint32_t tx_queue_len;      /* In packets. */
    unsigned int flags;         /* Those of IFF_UP and of what packets it
                                 * takes (IFF_PROMISC, ...) that are set. */
    char *features;             /* Offloads that are on, sorted, with a space
                                 * between them. */
    struct smap sysctls;        /* Values by file name, of those that can be
                                 * read. */
};

char *fb_nic_read(struct fb_nic *, struct fb_rtnl *, const char *name)
    OVS_WARN_UNUSED_RESULT;
char *fb_nic_restore(const struct fb_nic *, struct fb_rtnl *, int ifindex)
    OVS_WARN_UNUSED_RESULT;
void fb_nic_destroy(struct fb_nic *);

struct json *fb_nic_to_json(const struct fb_nic *);
char *fb_nic_from_json(struct fb_nic *, const struct json *)
    OVS_WARN_UNUSED_RESULT;

/* In fb-nic-use.c. */
char *fb_nic_check_use(struct fb_rtnl *, const struct fb_nic *)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-nic.h */
