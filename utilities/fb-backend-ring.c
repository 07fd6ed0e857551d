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
#include <linux/if_packet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fb-load.h"
#include "fb-packet.h"
#include "fb-packet-socket.h"
#include "util.h"

/* Frames that the ring has room for, and the size of each place: enough for a
 * frame within an MTU of 1,500 and the header.  Places lie in blocks of whole
 * pages. */
#define RING_FRAMES 256
#define RING_FRAME_SIZE 2048
#define RING_BLOCK_SIZE (64 * 1024)

/* Where a frame begins in its place; see packet_mmap.rst in the kernel's
 * documentation. */
#define RING_DATA_OFS (TPACKET2_HDRLEN - sizeof(struct sockaddr_ll))

/* A transmit ring of an AF_PACKET socket. */
struct fb_sender {
    int fd;
    uint8_t *ring;              /* The places. */
    size_t next;                /* The one that is next. */
    size_t n_queued;            /* Frames in the ring that the kernel has not
                                 * looked at: those before 'next'. */
};

/* The 'close' member of struct fb_backend. */
static void
ring_close(struct fb_sender *sender)
{
    munmap(sender->ring, RING_FRAMES * RING_FRAME_SIZE);
    close(sender->fd);
    free(sender);
}

/* The 'open' member of struct fb_backend. */
static int
ring_open(int ifindex, struct fb_sender **senderp)
{
    struct tpacket_req req = {
        .tp_block_size = RING_BLOCK_SIZE,
        .tp_block_nr = RING_FRAMES * RING_FRAME_SIZE / RING_BLOCK_SIZE,
        .tp_frame_size = RING_FRAME_SIZE,
        .tp_frame_nr = RING_FRAMES,
    };
    int version = TPACKET_V2;
    int fd;

    int error = fb_packet_socket_open(&fd);
    if (error) {
        return error;
    }
    uint8_t *ring = MAP_FAILED;
    if (setsockopt(fd, SOL_PACKET, PACKET_VERSION, &version, sizeof version)
        || setsockopt(fd, SOL_PACKET, PACKET_TX_RING, &req, sizeof req)) {
        error = errno;
    } else {
        ring = mmap(NULL, RING_FRAMES * RING_FRAME_SIZE,
                    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
        error = (ring == MAP_FAILED ? errno
                 : fb_packet_socket_bind(fd, ifindex));
    }
    if (error) {
        if (ring != MAP_FAILED) {
            munmap(ring, RING_FRAMES * RING_FRAME_SIZE);
        }
        close(fd);
        return error;
    }
    *senderp = xzalloc(sizeof **senderp);
    (*senderp)->fd = fd;
    (*senderp)->ring = ring;
    return 0;
}

/* Returns place 'i', counted from the first one of all times. */
static struct tpacket2_hdr *
place(const struct fb_sender *sender, size_t i)
{
    return ALIGNED_CAST(struct tpacket2_hdr *,
                        sender->ring + i % RING_FRAMES * RING_FRAME_SIZE);
}

/* Returns the status of 'hdr', which the kernel changes. */
static uint32_t
get_status(const struct tpacket2_hdr *hdr)
{
    return __atomic_load_n(&hdr->tp_status, __ATOMIC_ACQUIRE);
}

/* Puts frames into the ring until 'n' of 'iovs' are there, or it is full. */
static void
fill(struct fb_sender *sender, const struct iovec *iovs, size_t n)
{
    for (size_t i = sender->n_queued; i < n; i++) {
        struct tpacket2_hdr *hdr = place(sender, sender->next);

        if (get_status(hdr) != TP_STATUS_AVAILABLE
            || iovs[i].iov_len > RING_FRAME_SIZE - RING_DATA_OFS) {
            break;
        }
        memcpy((uint8_t *) hdr + RING_DATA_OFS, iovs[i].iov_base,
               iovs[i].iov_len);
        hdr->tp_len = iovs[i].iov_len;
        __atomic_store_n(&hdr->tp_status, TP_STATUS_SEND_REQUEST,
                         __ATOMIC_RELEASE);
        sender->next++;
        sender->n_queued++;
    }
}

/* The 'send' member of struct fb_backend.  Frames that the kernel has not
 * looked at stay in the ring for the next call. */
static int
ring_send(struct fb_sender *sender, struct iovec *iovs, size_t n,
          struct fb_load_result *result, size_t *n_tried)
{
    *n_tried = 0;
    fill(sender, iovs, n);
    if (!sender->n_queued) {
        return 0;
    }

    int error = send(sender->fd, NULL, 0, MSG_DONTWAIT) < 0 ? errno : 0;

    result->calls++;
    /* The kernel takes them in their order. */
    while (sender->n_queued) {
        struct tpacket2_hdr *hdr = place(sender,
                                         sender->next - sender->n_queued);
        uint32_t status = get_status(hdr);

        if (status == TP_STATUS_SEND_REQUEST) {
            break;
        }
        if (status == TP_STATUS_WRONG_FORMAT) {
            fb_backend_count_refused(result, EMSGSIZE);
            hdr->tp_status = TP_STATUS_AVAILABLE;
        } else {
            result->accepted++;
        }
        sender->n_queued--;
        *n_tried += 1;
    }
    if (error == ENOBUFS && sender->n_queued) {
        /* The device dropped this frame, and counted it.  The kernel leaves it
         * in its place (tpacket_snd() in net/packet/af_packet.c), so that it
         * is sent once more, as a further one. */
        fb_backend_count_refused(result, ENOBUFS);
    }
    return (error == EAGAIN || error == ENOBUFS || error == EINTR ? 0
            : error);
}

const struct fb_backend fb_backend_ring = {
    .name = "ring",
    .description = "AF_PACKET, transmit ring",
    .open = ring_open,
    .close = ring_close,
    .send = ring_send,
};
