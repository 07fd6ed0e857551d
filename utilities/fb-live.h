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

#ifndef FB_LIVE_H
#define FB_LIVE_H 1

/* XDP live frames: the kernel makes frames and gives them to an interface as
 * if that had received them, with no sender.  Linux 5.18 and later; needs
 * root. */

#include <stddef.h>
#include <stdint.h>

#include "compiler.h"

char *fb_live_receive(int netns_fd, int ifindex, const void *frame, size_t len,
                      uint32_t n, double *ns) OVS_WARN_UNUSED_RESULT;

#endif /* fb-live.h */
