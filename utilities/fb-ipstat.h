/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */

#ifndef FB_IPSTAT_H
#define FB_IPSTAT_H 1

/* What the IP layer of a network namespace has received, from all of its
 * interfaces together: broadcast frames are not another host's, so that no
 * interface counts those that reach it.
 *
 * Functions that return 'char *' return NULL if successful, otherwise a
 * malloc()'d error message. */

#include <stdbool.h>
#include <stdint.h>

#include "compiler.h"

char *fb_ipstat_open(int netns_fd, bool ipv6, int *fdp)
    OVS_WARN_UNUSED_RESULT;
char *fb_ipstat_read(int fd, bool ipv6, uint64_t *received)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-ipstat.h */
