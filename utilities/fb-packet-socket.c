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
#include "fb-packet-socket.h"

#include <errno.h>
#include <linux/if_packet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "fb-backend.h"

/* Opens a socket that passes queueing disciplines by.  Returns 0 and the
 * socket in '*fdp', or an errno. */
int
fb_packet_socket_open(int *fdp)
{
    struct timeval timeout = { .tv_usec = FB_BACKEND_TIMEOUT_US };
    int on = 1;
    int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);

    if (fd < 0) {
        return errno;
    }
    if (setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof on)
        || setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout,
                      sizeof timeout)) {
        int error = errno;
        close(fd);
        return error;
    }
    *fdp = fd;
    return 0;
}

/* Binds 'fd' to 'ifindex'.  It receives nothing, for its protocol is 0.
 * Returns 0 or an errno. */
int
fb_packet_socket_bind(int fd, int ifindex)
{
    struct sockaddr_ll addr = {
        .sll_family = AF_PACKET,
        .sll_ifindex = ifindex,
    };

    return bind(fd, (struct sockaddr *) &addr, sizeof addr) ? errno : 0;
}
