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

#include <config.h>
#include "fb-ipstat.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fb-netns.h"
#include "util.h"

/* Opens the counters of IPv4, or of IPv6, in the namespace 'netns_fd' and
 * stores a file descriptor for fb_ipstat_read() in '*fdp', which the caller
 * must close. */
char *
fb_ipstat_open(int netns_fd, bool ipv6, int *fdp)
{
    const char *name = (ipv6 ? "/proc/thread-self/net/snmp6"
                        : "/proc/thread-self/net/snmp");
    int old_fd;

    *fdp = -1;
    char *error = fb_netns_enter(netns_fd, &old_fd);
    if (!error) {
        /* The file stays that of this namespace. */
        *fdp = open(name, O_RDONLY | O_CLOEXEC);
        if (*fdp < 0) {
            error = xasprintf("%s: cannot open (%s)", name,
                              ovs_strerror(errno));
        }
        fb_netns_leave(old_fd);
    }
    return error;
}

/* Stores in '*received' the number of packets that the IP layer had received
 * when this was called, from 'fd', which is of fb_ipstat_open() with the same
 * 'ipv6'. */
char *
fb_ipstat_read(int fd, bool ipv6, uint64_t *received)
{
    char text[4096];
    ssize_t n = pread(fd, text, sizeof text - 1, 0);

    *received = 0;
    text[MAX(n, 0)] = '\0';

    /* "Ip:" begins a line of names and then one of numbers, of which the
     * third counts what was received. */
    const char *line = strstr(text, ipv6 ? "Ip6InReceives" : "\nIp: ");
    if (!line
        || sscanf(line, ipv6 ? "Ip6InReceives %"SCNu64
                  : " Ip: %*u %*u %"SCNu64, received) != 1) {
        return xstrdup("the IP layer's counters are not understood");
    }
    return NULL;
}
