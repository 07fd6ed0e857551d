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

#ifndef FB_FDB_H
#define FB_FDB_H 1

/* The state of a Linux bridge: its forwarding database and its ports. */

#include <stddef.h>

#include "compiler.h"

struct fb_rtnl;

/* What is in it. */
struct fb_fdb {
    size_t n_entries;           /* Entries, but for those of the ports' own
                                 * addresses.  A kernel with VLAN filtering
                                 * makes two of one: without and with the
                                 * default VLAN. */
    size_t n_ports_without;     /* Ports to destinations that no entry leads
                                 * to. */
    size_t n_not_forwarding;    /* Ports, all, that do not forward. */
};

char *fb_fdb_read(struct fb_rtnl *, const int ports[], size_t n_ports,
                  size_t first, struct fb_fdb *) OVS_WARN_UNUSED_RESULT;

#endif /* fb-fdb.h */
