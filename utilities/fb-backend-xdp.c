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
#include <linux/if_xdp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fb-load.h"
#include "util.h"

#ifndef AF_XDP
#define AF_XDP 44
#endif
#ifndef SOL_XDP
#define SOL_XDP 283
#endif

/* Places for frames, and elements of each ring.  The kernel copies a frame out
 * of its place before the system call returns. */
#define XDP_FRAMES 128
#define XDP_FRAME_SIZE 2048
#define XDP_RING_SIZE 2048

/* Calls in which the kernel takes nothing, for lack of room, after which
 * frames are left for later. */
#define IDLE_CALLS 100

/* A ring that is shared with the kernel. */
struct xdp_ring {
    void *map;                  /* MAP_FAILED if there is none. */
    size_t size;                /* Of the map, in bytes. */
    uint32_t *producer;
    uint32_t *consumer;
    void *elements;
};

/* An AF_XDP socket that only sends, in copy mode: that takes no XDP program,
 * and leaves the way in which the other end receives as it is. */
struct fb_sender {
    int fd;
    uint8_t *frames;            /* XDP_FRAMES places. */
    struct xdp_ring tx;         /* Of struct xdp_desc: frames to send. */
    struct xdp_ring completion; /* Of uint64_t: places that were sent. */
    uint32_t produced;          /* What the kernel was given in 'tx'... */
    uint32_t consumed;          /* ...and has taken, as last seen. */
};

/* Maps a ring of 'fd' whose elements have 'element_size' bytes.  Returns 0 or
 * an errno. */
static int
map_ring(struct xdp_ring *ring, int fd, const struct xdp_ring_offset *ofs,
         size_t element_size, off_t page)
{
    ring->size = ofs->desc + XDP_RING_SIZE * element_size;
    ring->map = mmap(NULL, ring->size, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_POPULATE, fd, page);
    if (ring->map == MAP_FAILED) {
        return errno;
    }
    uint8_t *bytes = ring->map;
    ring->producer = ALIGNED_CAST(uint32_t *, bytes + ofs->producer);
    ring->consumer = ALIGNED_CAST(uint32_t *, bytes + ofs->consumer);
    ring->elements = bytes + ofs->desc;
    return 0;
}

/* Unmaps 'ring'. */
static void
unmap_ring(struct xdp_ring *ring)
{
    if (ring->map != MAP_FAILED) {
        munmap(ring->map, ring->size);
    }
}

/* The 'close' member of struct fb_backend. */
static void
xdp_close(struct fb_sender *sender)
{
    unmap_ring(&sender->tx);
    unmap_ring(&sender->completion);
    if (sender->fd >= 0) {
        close(sender->fd);
    }
    if (sender->frames != MAP_FAILED) {
        munmap(sender->frames, XDP_FRAMES * XDP_FRAME_SIZE);
    }
    free(sender);
}

/* Sets option 'name' of 'fd' to 'value'.  Returns 0 or an errno. */
static int
set_option(int fd, int name, const void *value, socklen_t size)
{
    return setsockopt(fd, SOL_XDP, name, value, size) ? errno : 0;
}

/* Sets up the memory and the rings of 'sender'.  The kernel wants a fill ring
 * though nothing is received.  Returns 0 or an errno. */
static int
set_up(struct fb_sender *sender)
{
    const struct xdp_umem_reg umem = {
        .addr = (uintptr_t) sender->frames,
        .len = XDP_FRAMES * XDP_FRAME_SIZE,
        .chunk_size = XDP_FRAME_SIZE,
    };
    static const int rings[] = {
        XDP_UMEM_FILL_RING, XDP_UMEM_COMPLETION_RING, XDP_TX_RING
    };
    int size = XDP_RING_SIZE;
    struct xdp_mmap_offsets ofs;
    socklen_t ofs_size = sizeof ofs;

    int error = set_option(sender->fd, XDP_UMEM_REG, &umem, sizeof umem);
    for (size_t i = 0; !error && i < ARRAY_SIZE(rings); i++) {
        error = set_option(sender->fd, rings[i], &size, sizeof size);
    }
    if (!error && getsockopt(sender->fd, SOL_XDP, XDP_MMAP_OFFSETS, &ofs,
                             &ofs_size)) {
        error = errno;
    }
    if (!error) {
        error = map_ring(&sender->tx, sender->fd, &ofs.tx,
                         sizeof(struct xdp_desc), XDP_PGOFF_TX_RING);
    }
    if (!error) {
        error = map_ring(&sender->completion, sender->fd, &ofs.cr,
                         sizeof(uint64_t), XDP_UMEM_PGOFF_COMPLETION_RING);
    }
    return error;
}

/* The 'open' member of struct fb_backend. */
static int
xdp_open(int ifindex, struct fb_sender **senderp)
{
    struct fb_sender *sender = xzalloc(sizeof *sender);
    struct sockaddr_xdp addr = {
        .sxdp_family = AF_XDP,
        .sxdp_ifindex = ifindex,
        .sxdp_flags = XDP_COPY,
    };
    int error = 0;

    sender->tx.map = sender->completion.map = MAP_FAILED;
    sender->fd = socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (sender->fd < 0) {
        error = errno;
    }
    sender->frames = mmap(NULL, XDP_FRAMES * XDP_FRAME_SIZE,
                          PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (!error && sender->frames == MAP_FAILED) {
        error = errno;
    }
    if (!error) {
        error = set_up(sender);
    }
    if (!error && bind(sender->fd, (struct sockaddr *) &addr, sizeof addr)) {
        error = errno;
    }
    if (error) {
        xdp_close(sender);
        sender = NULL;
    }
    *senderp = sender;
    return error;
}

/* Puts frames into the ring until 'n' of 'iovs' are there.  The ring is never
 * full: it has more elements than a batch. */
static void
fill(struct fb_sender *sender, const struct iovec *iovs, size_t n)
{
    struct xdp_desc *descs = sender->tx.elements;

    for (size_t i = sender->produced - sender->consumed; i < n; i++) {
        uint64_t addr = sender->produced % XDP_FRAMES * XDP_FRAME_SIZE;

        memcpy(sender->frames + addr, iovs[i].iov_base,
               MIN(iovs[i].iov_len, XDP_FRAME_SIZE));
        descs[sender->produced % XDP_RING_SIZE] = (struct xdp_desc) {
            .addr = addr,
            .len = MIN(iovs[i].iov_len, XDP_FRAME_SIZE),
        };
        sender->produced++;
    }
    __atomic_store_n(sender->tx.producer, sender->produced, __ATOMIC_RELEASE);
}

/* Has the kernel take what is in the ring of 'sender', 32 at a time, until it
 * has all, or takes none in IDLE_CALLS calls.  Returns 0 or an errno. */
static int
flush(struct fb_sender *sender, struct fb_load_result *result)
{
    int n_idle = 0;

    while (sender->produced != sender->consumed && n_idle < IDLE_CALLS) {
        int error = (sendto(sender->fd, NULL, 0, MSG_DONTWAIT, NULL, 0) < 0
                     ? errno : 0);
        uint32_t consumed = __atomic_load_n(sender->tx.consumer,
                                            __ATOMIC_ACQUIRE);

        n_idle += consumed == sender->consumed;
        sender->consumed = consumed;
        result->calls++;
        if (error && error != EAGAIN && error != ENOBUFS && error != EBUSY
            && error != EINTR) {
            return error;
        }
    }
    return 0;
}

/* The 'send' member of struct fb_backend.  What the kernel does not take stays
 * in the ring for the next call. */
static int
xdp_send(struct fb_sender *sender, struct iovec *iovs, size_t n,
         struct fb_load_result *result, size_t *n_tried)
{
    struct xdp_ring *done = &sender->completion;

    /* Places are used in turn, so that which one was sent is known. */
    __atomic_store_n(done->consumer,
                     __atomic_load_n(done->producer, __ATOMIC_ACQUIRE),
                     __ATOMIC_RELEASE);
    fill(sender, iovs, n);

    uint32_t before = sender->consumed;
    int error = flush(sender, result);

    *n_tried = sender->consumed - before;
    result->accepted += *n_tried;
    return error;
}

const struct fb_backend fb_backend_xdp = {
    .name = "xdp",
    .description = "AF_XDP in copy mode, 32 a system call",
    .open = xdp_open,
    .close = xdp_close,
    .send = xdp_send,
};
