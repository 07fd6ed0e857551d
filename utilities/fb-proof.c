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

#include "fb-proof.h"

#include <errno.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bitmap.h"
#include "fatal-signal.h"
#include "fb-generator.h"
#include "fb-netns.h"
#include "fb-packet.h"
#include "fb-traffic.h"
#include "socket-util.h"
#include "util.h"

/* Frames of the proof are sent slowly, at this many per second. */
#define PROOF_RATE 10000

/* How long to wait for the next frame, in ms. */
#define PROOF_TIMEOUT_MS 300

/* How long to wait for what is astray, which may come later.  What is built as
 * it was built before needs a shorter look. */
#define PROOF_ASTRAY_MS 300
#define PROOF_ASTRAY_AGAIN_MS 30

/* The first packets of each flow are upcalls, whose loss is no fault of the
 * topology's, so a proof that fails is tried again. */
#define PROOF_ATTEMPTS 3

/* Opens a packet socket that receives all frames of all interfaces in the
 * namespace of the sinks of 'dut'. */
static char *
open_receiver(struct fb_dut *dut, int *fdp)
{
    int old_fd;

    char *error = fb_netns_enter(dut->sink_fd, &old_fd);
    if (error) {
        return error;
    }
    *fdp = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
                  htons(ETH_P_ALL));
    if (*fdp < 0) {
        error = xasprintf("cannot open a packet socket (%s)",
                          ovs_strerror(errno));
    } else {
        int size = 4 << 20;
        setsockopt(*fdp, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size);
    }
    fb_netns_leave(old_fd);
    return error;
}

/* Returns the number of frames that are to arrive. */
static size_t
n_expected(const struct fb_dut *dut)
{
    /* What leaves by an uplink is not seen. */
    return (dut->flood ? dut->copies : dut->n_pairs) - (dut->uplink != NULL);
}

/* Finds out which pair of a source and a destination of 'dut' frames with
 * 'tag' are of.  Returns its number, from 0 and less than 'dut->n_pairs', and
 * stores in '*sink' the number of the sink at which they are to arrive; or
 * SIZE_MAX if there is no such pair. */
static size_t
find_pair(const struct fb_dut *dut, uint32_t tag, size_t *sink)
{
    size_t source = tag >> 16;
    size_t destination = tag & 0xffff;
    size_t n = dut->n_destinations;

    if (destination > n || source > (dut->two_way ? n : 0)
        || source == destination || (source && destination && !dut->matrix)) {
        return SIZE_MAX;
    }
    *sink = fb_dut_sink(dut, source, destination);
    return (!source ? destination - 1
            : !dut->matrix ? n + source - 1
            : source * n + destination - (destination > source));
}

/* Judges 'frame', which arrived at interface 'ifindex'.  Sets the bit of its
 * pair, or if flooded that of the sink, in 'seen'. */
static void
judge(const struct fb_dut *dut, const void *frame, size_t len, int ifindex,
      unsigned long *seen, struct fb_proof *proof)
{
    struct fb_packet_info info;
    size_t sink = 0;

    bool ok = fb_packet_verify(frame, len, &info);
    if (!info.is_ours) {
        return;
    }
    size_t pair = dut->flood ? 0 : find_pair(dut, info.tag, &sink);
    if (dut->flood ? info.tag != FB_TAG_FLOOD : pair == SIZE_MAX) {
        proof->n_harmed++;
        return;
    }
    while (dut->flood && sink < dut->n_sinks && dut->sinks[sink] != ifindex) {
        pair = ++sink;
    }
    if (sink >= dut->n_sinks || dut->sinks[sink] != ifindex) {
        proof->n_astray++;
        return;
    }
    bitmap_set1(seen, pair);
    if (!info.ip_csum_ok) {
        proof->n_bad_ip_csum++;
    } else if (!ok) {
        proof->n_harmed++;
    }
}

/* Receives from 'fd' until frames of 'n' pairs have been seen or
 * nothing more comes for 'timeout_ms' ms, and judges what it receives. */
static void
receive(const struct fb_dut *dut, int fd, size_t n, int timeout_ms,
        unsigned long *seen, struct fb_proof *proof)
{
    static uint8_t frame[FB_PACKET_MAX_SIZE + 1];

    while (bitmap_count1(seen, n_expected(dut)) < n) {
        struct pollfd pfd = { .fd = fd, .events = POLLIN };
        if (poll(&pfd, 1, timeout_ms) <= 0) {
            fatal_signal_run();
            return;
        }
        struct sockaddr_ll from;
        socklen_t from_len = sizeof from;
        ssize_t len = recvfrom(fd, frame, sizeof frame, 0,
                               (struct sockaddr *) &from, &from_len);
        if (len > 0 && from.sll_pkttype != PACKET_OUTGOING) {
            judge(dut, frame, len, from.sll_ifindex, seen, proof);
        }
    }
}

/* Sends frames slowly to the next 'n' destinations of 'dut', also if this
 * process is held up so that they are late.  Returns 0 or a positive errno
 * value. */
int
fb_proof_send(struct fb_dut *dut, uint64_t n)
{
    return fb_generator_send(dut->generator, n, PROOF_RATE);
}

/* One attempt of fb_proof_run(). */
static char *
attempt(struct fb_dut *dut, int fd, bool again, struct fb_proof *proof)
{
    unsigned long *seen = bitmap_allocate(n_expected(dut));
    size_t n_frames = dut->n_pairs;
    size_t n_sent = 0;
    int retval = 0;

    memset(proof, 0, sizeof *proof);
    fb_generator_rewind(dut->generator);
    while (!retval && n_sent < n_frames) {
        size_t n = MIN(FB_PROOF_BATCH, n_frames - n_sent);

        retval = fb_proof_send(dut, n);
        n_sent += n;
        receive(dut, fd, MIN(n_sent * dut->copies, n_expected(dut)),
                PROOF_TIMEOUT_MS, seen, proof);
    }
    receive(dut, fd, SIZE_MAX,
            again ? PROOF_ASTRAY_AGAIN_MS : PROOF_ASTRAY_MS, seen, proof);
    proof->n_missing = n_expected(dut) - bitmap_count1(seen, n_expected(dut));
    bitmap_free(seen);
    return (retval
            ? xasprintf("fb-gen: sending failed (%s)", ovs_strerror(retval))
            : NULL);
}

/* Sends a frame to each destination of 'dut' and stores in '*proof' what
 * became of them.  'again' says that an earlier build of the same DUT has
 * passed.  A DUT that passes has all members 0.
 *
 * Returns NULL if the proof could be made, whatever it says, otherwise a
 * malloc()'d error message that names the DUT. */
char *
fb_proof_run(struct fb_dut *dut, bool again, struct fb_proof *proof)
{
    int fd = -1;

    char *error = open_receiver(dut, &fd);
    for (int i = 0; !error && i < PROOF_ATTEMPTS; i++) {
        error = attempt(dut, fd, again, proof);
        if (!proof->n_missing) {
            break;
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    if (error) {
        char *whole = xasprintf("%s: %s", dut->label, error);
        free(error);
        return whole;
    }
    return NULL;
}

/* Returns true if frames that arrive are such that a receiver would refuse
 * them. */
bool
fb_proof_is_broken(const struct fb_proof *proof)
{
    return proof->n_bad_ip_csum || proof->n_harmed;
}
