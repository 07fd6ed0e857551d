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

#ifndef FB_ETHTOOL_H
#define FB_ETHTOOL_H 1

/* Offloads of interfaces, by generic netlink's "ethtool" family. */

#include <stdint.h>

#include "compiler.h"

struct fb_ethtool;

char *fb_ethtool_open(int netns_fd, struct fb_ethtool **)
    OVS_WARN_UNUSED_RESULT;
void fb_ethtool_close(struct fb_ethtool *);
char *fb_ethtool_get_features(struct fb_ethtool *, int ifindex,
                              char **featuresp) OVS_WARN_UNUSED_RESULT;
char *fb_ethtool_switch_off(struct fb_ethtool *, int ifindex,
                            const char *name) OVS_WARN_UNUSED_RESULT;

/* Sizes of an interface's receive rings, in packets. */
struct fb_ethtool_rings {
    uint32_t rx;                /* Now. */
    uint32_t rx_max;            /* At most. */
};

char *fb_ethtool_set_features(struct fb_ethtool *, int ifindex,
                              const char *features) OVS_WARN_UNUSED_RESULT;
void fb_ethtool_get_rings(struct fb_ethtool *, int ifindex,
                          struct fb_ethtool_rings *);

#endif /* fb-ethtool.h */
