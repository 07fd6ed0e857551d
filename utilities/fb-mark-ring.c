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

#include <config.h>

#include "fb-mark-ring.h"

#include <errno.h>
#include <linux/if_packet.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fb-netns.h"
#include "packets.h"
#include "util.h"

/* Room for a frame in the ring, in bytes: the kernel's header, its address
 * and the mark; the rest of a frame is cut off.  Must divide BLOCK_SIZE. */
#define SLOT_SIZE 256

/* The ring's unit of allocation, a multiple of any page size. */
#define BLOCK_SIZE (256 * 1024)

#define SLOTS_PER_BLOCK (BLOCK_SIZE / SLOT_SIZE)

BUILD_ASSERT_DECL(TPACKET2_HDRLEN + TPACKET_ALIGNMENT + FB_MARK_MAX_LEN
                  <= SLOT_SIZE);

/* A packet socket and its ring. */
struct fb_mark_ring {
    int fd;                     /* The socket, or -1. */
    uint8_t *slots;             /* The ring, shared with the kernel. */
    size_t n_slots;             /* Its length in frames. */
    size_t next;                /* The slot that is filled next. */
    uint64_t received;          /* Frames received up to the last time that
                                 * the kernel was asked... */
    uint64_t dropped;           /* ...and, of those, frames that found the
                                 * ring full. */
};

/* Opens the socket of 'ring' in the network namespace that the calling thread
 * is in, and maps the ring.  Returns 0 or an errno. */
static int
open_socket(struct fb_mark_ring *ring)
{
    int version = TPACKET_V2;
    struct tpacket_req req = {
        .tp_block_size = BLOCK_SIZE,
        .tp_block_nr = ring->n_slots / SLOTS_PER_BLOCK,
        .tp_frame_size = SLOT_SIZE,
        .tp_frame_nr = ring->n_slots,
    };

    /* It receives nothing until it is bound to a protocol. */
    ring->fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (ring->fd < 0
        || setsockopt(ring->fd, SOL_PACKET, PACKET_VERSION, &version,
                      sizeof version)
        || setsockopt(ring->fd, SOL_PACKET, PACKET_RX_RING, &req,
                      sizeof req)) {
        return errno;
    }
    ring->slots = mmap(NULL, ring->n_slots * SLOT_SIZE,
                       PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                       ring->fd, 0);
    if (ring->slots == MAP_FAILED) {
        ring->slots = NULL;
        return errno;
    }

    struct sockaddr_ll addr = {
        .sll_family = AF_PACKET,
        .sll_protocol = htons(FB_MARK_ETH_TYPE),
    };
    return (bind(ring->fd, (struct sockaddr *) &addr, sizeof addr)
            ? errno : 0);
}

/* Lets all interfaces of the network namespace 'netns_fd' receive marked
 * frames into a ring of at least 'n_slots', from 1 to FB_MARK_RING_MAX_SLOTS,
 * frames, and stores it in '*ringp' for the caller to close.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_mark_ring_open(int netns_fd, size_t n_slots, struct fb_mark_ring **ringp)
{
    int old_fd;

    *ringp = NULL;
    char *error = fb_netns_enter(netns_fd, &old_fd);
    if (error) {
        return error;
    }

    struct fb_mark_ring *ring = xzalloc(sizeof *ring);
    ring->n_slots = ROUND_UP(MIN(n_slots, FB_MARK_RING_MAX_SLOTS),
                             SLOTS_PER_BLOCK);
    int retval = open_socket(ring);
    fb_netns_leave(old_fd);
    if (retval) {
        fb_mark_ring_close(ring);
        return xasprintf("cannot receive marked frames in a ring (%s)",
                         ovs_strerror(retval));
    }
    *ringp = ring;
    return NULL;
}

/* Closes 'ring' and frees it.  It may be NULL. */
void
fb_mark_ring_close(struct fb_mark_ring *ring)
{
    if (ring) {
        if (ring->slots) {
            munmap(ring->slots, ring->n_slots * SLOT_SIZE);
        }
        if (ring->fd >= 0) {
            close(ring->fd);
        }
        free(ring);
    }
}

/* Takes the next marked frame from 'ring' and stores what it says in
 * '*arrival'.  Returns false if none is there.  What has the EtherType but no
 * mark is passed over. */
bool
fb_mark_ring_next(struct fb_mark_ring *ring, struct fb_mark_arrival *arrival)
{
    for (;;) {
        uint8_t *slot = ring->slots + ring->next * SLOT_SIZE;
        struct tpacket2_hdr *header = ALIGNED_CAST(struct tpacket2_hdr *,
                                                   slot);

        /* The kernel fills in the slot before it hands it over. */
        if (!(__atomic_load_n(&header->tp_status, __ATOMIC_ACQUIRE)
              & TP_STATUS_USER)) {
            return false;
        }

        const struct sockaddr_ll *from = ALIGNED_CAST(
            const struct sockaddr_ll *,
            slot + TPACKET_ALIGN(sizeof *header));
        bool marked = fb_mark_parse(slot + header->tp_mac, header->tp_snaplen,
                                    &arrival->mark);

        arrival->arrived_ns = (header->tp_sec * UINT64_C(1000000000)
                               + header->tp_nsec);
        arrival->ifindex = from->sll_ifindex;
        __atomic_store_n(&header->tp_status, TP_STATUS_KERNEL,
                         __ATOMIC_RELEASE);
        ring->next = (ring->next + 1) % ring->n_slots;
        if (marked) {
            return true;
        }
    }
}

/* Returns a descriptor that can be polled for frames in 'ring'. */
int
fb_mark_ring_fd(const struct fb_mark_ring *ring)
{
    return ring->fd;
}

/* Asks the kernel what has arrived since it was asked last, which it counts
 * in 32 bits. */
static void
update_statistics(struct fb_mark_ring *ring)
{
    struct tpacket_stats stats;
    socklen_t len = sizeof stats;

    if (!getsockopt(ring->fd, SOL_PACKET, PACKET_STATISTICS, &stats, &len)) {
        ring->received += stats.tp_packets;
        ring->dropped += stats.tp_drops;
    }
}

/* Returns the number of marked frames that have arrived since 'ring' was
 * opened, whether there was room for them or not. */
uint64_t
fb_mark_ring_received(struct fb_mark_ring *ring)
{
    update_statistics(ring);
    return ring->received;
}

/* Returns the number of marked frames that arrived and found 'ring' full. */
uint64_t
fb_mark_ring_dropped(struct fb_mark_ring *ring)
{
    update_statistics(ring);
    return ring->dropped;
}
