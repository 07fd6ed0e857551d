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

#include "fb-tap.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fb-address.h"
#include "fb-dut.h"
#include "fb-ip.h"
#include "fb-netns.h"
#include "fb-sandbox.h"
#include "fb-tun.h"
#include "openvswitch/dynamic-string.h"
#include "packets.h"
#include "util.h"

/* Names of interfaces, see the header. */
#define TAP_NAME "fb-tap"
#define HOST_NAME "fb-host"

/* UDP packets sent by one system call, and the bytes in each. */
#define BATCH 64
#define PAYLOAD (FB_TAP_FRAME_SIZE - ETH_HEADER_LEN - IP_HEADER_LEN \
                 - UDP_HEADER_LEN)

/* The port for discarding. */
#define DPORT 9

/* Packets that are read before the clock is looked at again. */
#define READ_BATCH 256

/* The networks of the two inputs, /24: of the sender ".1", of the receiver,
 * which nobody is, ".2". */
static const uint32_t networks[FB_N_TAP_INPUTS] = {
    [FB_TAP_INTERNAL] = FB_IP_DESTINATIONS + (100 << 8),
    [FB_TAP_PORT] = FB_IP_DESTINATIONS + (101 << 8),
};

/* Returns the name of 'input' in results. */
const char *
fb_tap_input_name(enum fb_tap_input input)
{
    return input == FB_TAP_INTERNAL ? "internal port" : "port";
}

/* Adds the tap and the internal port to the bridge, and the rules that let all
 * that comes from the two inputs go to the tap. */
static char *
add_ports(struct fb_tap *tap)
{
    struct fb_sandbox *sandbox = tap->dut->sandbox;
    const char *const vsctl[] = {
        "ovs-vsctl", "--timeout=60", "--",
        "add-port", FB_DUT_BRIDGE, TAP_NAME, "--",
        "add-port", FB_DUT_BRIDGE, HOST_NAME, "--",
        "set", "interface", HOST_NAME, "type=internal", NULL
    };

    char *error = fb_sandbox_run(sandbox, vsctl, NULL, NULL);
    if (!error) {
        error = fb_sandbox_ofctl(
            sandbox, "add-flows", FB_DUT_BRIDGE,
            "in_port="HOST_NAME",ip,actions=output:"TAP_NAME"\n"
            "in_port=fb-port0,ip,nw_dst=198.19.101.2,priority=40000,"
            "actions=output:"TAP_NAME"\n");
    }
    return error;
}

/* Gives 'ifname' in the namespace 'netns_fd' the addresses of 'input'. */
static char *
configure(int netns_fd, const char *ifname, enum fb_tap_input input)
{
    char network[INET_ADDRSTRLEN];
    ovs_be32 addr = htonl(networks[input]);

    inet_ntop(AF_INET, &addr, network, sizeof network);
    *strrchr(network, '.') = '\0';
    char *address = xasprintf("%s.1/24", network);
    char *neighbor = xasprintf("%s.2", network);
    char *error = fb_ip_configure(netns_fd, &(struct fb_ip_config) {
        .ifname = ifname,
        .address = address,
        .neighbor = neighbor,
        .neighbor_mac = fb_address_mac(FB_MAC_DESTINATION, 0),
    });
    free(address);
    free(neighbor);
    return error;
}

/* Opens the UDP socket of 'input' in the namespace 'netns_fd'. */
static char *
open_socket(struct fb_tap *tap, int netns_fd, enum fb_tap_input input)
{
    struct sockaddr_in sin = {
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(networks[input] + 2),
        .sin_port = htons(DPORT),
    };
    int retval = 0;
    int old_fd;

    char *error = fb_netns_enter(netns_fd, &old_fd);
    if (error) {
        return error;
    }
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *) &sin, sizeof sin)) {
        retval = errno;
    }
    fb_netns_leave(old_fd);
    tap->sockets[input] = fd;
    return (retval ? xasprintf("cannot send UDP packets (%s)",
                               ovs_strerror(retval)) : NULL);
}

/* Adds a tap to 'dut', an Open vSwitch with the userspace datapath, and opens
 * the way to it in '*tap', which the caller must close, whatever this function
 * returns. */
char *
fb_tap_open(struct fb_dut *dut, struct fb_tap *tap)
{
    *tap = (struct fb_tap) {
        .dut = dut, .tap_fd = -1, .sockets = { -1, -1 },
    };
    char *error = fb_tun_create(dut->near_fd, dut->near, TAP_NAME,
                                &tap->tap_fd);
    if (!error) {
        error = add_ports(tap);
    }
    if (!error) {
        error = configure(dut->near_fd, HOST_NAME, FB_TAP_INTERNAL);
    }
    if (!error) {
        error = configure(dut->far_fd, FB_GEN_NAME, FB_TAP_PORT);
    }
    if (!error) {
        error = open_socket(tap, dut->near_fd, FB_TAP_INTERNAL);
    }
    if (!error) {
        error = open_socket(tap, dut->far_fd, FB_TAP_PORT);
    }
    return error;
}

/* Closes what 'tap' has open. */
void
fb_tap_close(struct fb_tap *tap)
{
    for (size_t i = 0; i < FB_N_TAP_INPUTS; i++) {
        if (tap->sockets[i] >= 0) {
            close(tap->sockets[i]);
        }
    }
    if (tap->tap_fd >= 0) {
        close(tap->tap_fd);
    }
}

/* Has the IP stack send some packets by 'input' of 'tap' and adds their number
 * to '*n_sent'.  Waits if the socket has sent as much as it may.
 *
 * Returns 0 if successful, also if the interface had no room for one,
 * otherwise an errno. */
int
fb_tap_send(const struct fb_tap *tap, enum fb_tap_input input,
            uint64_t *n_sent)
{
    static const uint8_t payload[PAYLOAD];
    struct iovec iov = {
        .iov_base = CONST_CAST(uint8_t *, payload),
        .iov_len = sizeof payload,
    };
    struct mmsghdr msgs[BATCH];

    memset(msgs, 0, sizeof msgs);
    for (size_t i = 0; i < BATCH; i++) {
        msgs[i].msg_hdr.msg_iov = &iov;
        msgs[i].msg_hdr.msg_iovlen = 1;
    }

    int n = sendmmsg(tap->sockets[input], msgs, BATCH, 0);
    if (n < 0) {
        return errno == ENOBUFS || errno == EINTR ? 0 : errno;
    }
    *n_sent += n;
    return 0;
}

/* Returns true if the 'n' bytes at 'data' are a frame that fb_tap_send() has
 * sent. */
static bool
is_ours(const uint8_t *data, ssize_t n)
{
    static const uint8_t type[] = { 0x08, 0x00 };

    return (n == FB_TAP_FRAME_SIZE
            && !memcmp(data + 2 * ETH_ADDR_LEN, type, sizeof type)
            && data[ETH_HEADER_LEN + 9] == IPPROTO_UDP);
}

/* Reads packets from 'tap', up to some hundred, and waits for up to
 * 'timeout_ms' ms if there is none.  Returns the number of those that
 * fb_tap_send() has sent. */
uint64_t
fb_tap_read(const struct fb_tap *tap, int timeout_ms)
{
    uint8_t frame[2048];
    uint64_t n_ours = 0;

    for (size_t i = 0; i < READ_BATCH; i++) {
        ssize_t n = read(tap->tap_fd, frame, sizeof frame);

        if (n < 0) {
            if (!i) {
                struct pollfd pfd = { .fd = tap->tap_fd, .events = POLLIN };
                poll(&pfd, 1, timeout_ms);
            }
            break;
        }
        n_ours += is_ours(frame, n);
    }
    return n_ours;
}
