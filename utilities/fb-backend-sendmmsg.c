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
#include "fb-backend.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fb-engine.h"
#include "fb-load.h"
#include "fb-packet-socket.h"
#include "util.h"

/* An AF_PACKET socket. */
struct fb_sender {
    int fd;
    struct mmsghdr msgs[FB_BACKEND_BATCH]; /* How a batch is sent. */
};

/* The 'open' member of struct fb_backend. */
static int
sendmmsg_open(int ifindex, struct fb_sender **senderp)
{
    int fd;

    int error = fb_packet_socket_open(&fd);
    if (error) {
        return error;
    }
    error = fb_packet_socket_bind(fd, ifindex);
    if (error) {
        close(fd);
        return error;
    }
    *senderp = xzalloc(sizeof **senderp);
    (*senderp)->fd = fd;
    return 0;
}

/* The 'close' member of struct fb_backend. */
static void
sendmmsg_close(struct fb_sender *sender)
{
    close(sender->fd);
    free(sender);
}

/* The 'send' member of struct fb_backend.  A refused frame ends the batch, and
 * the turn passes to the one after it. */
static int
sendmmsg_send(struct fb_sender *sender, struct iovec *iovs, size_t n,
              struct fb_load_result *result, size_t *n_tried)
{
    for (size_t i = 0; i < n; i++) {
        sender->msgs[i].msg_hdr.msg_iov = &iovs[i];
        sender->msgs[i].msg_hdr.msg_iovlen = 1;
    }

    int retval = sendmmsg(sender->fd, sender->msgs, n, 0);
    size_t n_accepted = MAX(retval, 0);

    result->calls++;
    result->accepted += n_accepted;
    *n_tried = n_accepted;
    if (retval < 0 && errno == EINTR) {
        /* The frame was waiting for the buffer: it was not tried. */
        return 0;
    } else if (retval < 0) {
        *n_tried += 1;
        return fb_backend_count_refused(result, errno);
    } else if (n_accepted < n) {
        /* The frame after the accepted ones failed; the kernel does not say
         * why.  What will not pass comes back in the next call. */
        result->refused++;
        result->refused_other++;
        *n_tried += 1;
    }
    return 0;
}

const struct fb_backend fb_backend_sendmmsg = {
    .name = "sendmmsg",
    .description = "AF_PACKET, sendmmsg of 64",
    .open = sendmmsg_open,
    .close = sendmmsg_close,
    .send = sendmmsg_send,
};

/* The kernel's pktgen has no way to send a given frame: those that prove that
 * a DUT works are sent by a socket. */
const struct fb_backend fb_backend_pktgen = {
    .name = "pktgen",
    .description = "the kernel's pktgen",
    .engine = &fb_engine_pktgen,
    .open = sendmmsg_open,
    .close = sendmmsg_close,
    .send = sendmmsg_send,
};
