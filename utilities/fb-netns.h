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

#ifndef FB_NETNS_H
#define FB_NETNS_H 1

/* Anonymous network namespaces.
 *
 * A namespace lives only as long as its file descriptor or a process or
 * interface in it does, so that one whose owner is killed vanishes with
 * everything in it.
 *
 * Entering a namespace moves the calling thread.  These functions are for
 * single-threaded use. */

#include <stdbool.h>

#include "compiler.h"

char *fb_netns_check(void) OVS_WARN_UNUSED_RESULT;
char *fb_netns_create(int *fdp) OVS_WARN_UNUSED_RESULT;
char *fb_netns_enter(int fd, int *old_fdp) OVS_WARN_UNUSED_RESULT;
void fb_netns_leave(int old_fd);
char *fb_netns_enable_br_netfilter(int fd) OVS_WARN_UNUSED_RESULT;
char *fb_netns_disable_ipv6(int fd, const char *ifname)
    OVS_WARN_UNUSED_RESULT;
char *fb_netns_get_br_netfilter(int fd, bool *loaded, bool *on)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-netns.h */
