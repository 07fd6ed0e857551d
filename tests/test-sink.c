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

#include "test-sink.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "fanbench-test.h"
#include "fb-packet.h"
#include "util.h"

/* Deadline for what is not expected to take any time at all, in seconds. */
#define DEADLINE_S 20

/* Opens a socket that receives what arrives at 'ifname', in blocking mode with
 * a deadline.  Returns a descriptor for the caller to close; ends the program
 * if that fails. */
int
test_open_sink(const char *ifname)
{
    struct timeval timeout = { .tv_sec = DEADLINE_S };
    struct sockaddr_ll addr = {
        .sll_family = AF_PACKET,
        .sll_protocol = htons(ETH_P_IP),
        .sll_ifindex = if_nametoindex(ifname),
    };
    int fd = socket(AF_PACKET, SOCK_RAW, 0);

    CHECK(fd >= 0 && addr.sll_ifindex);
    CHECK(!setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout));
    CHECK(!bind(fd, (struct sockaddr *) &addr, sizeof addr));
    return fd;
}

/* Waits for the next frame of the sink 'fd', which must be a whole one of the
 * smallest size.  Returns its tag; ends the program if that fails. */
uint32_t
test_receive_tag(int fd)
{
    ovs_be16 frame[1024];
    ssize_t len = recv(fd, frame, sizeof frame, 0);
    struct fb_packet_info info;

    CHECK(len == FB_PACKET_MIN_SIZE);
    CHECK(fb_packet_verify(frame, len, &info));
    return info.tag;
}

/* Returns the counters of interface 'ifname'. */
struct test_counters
test_read_counters(const char *ifname)
{
    FILE *file = fopen("/proc/self/net/dev", "r");
    struct test_counters c = { 0, 0 };
    bool found = false;
    char line[512];

    CHECK(file != NULL);
    while (!found && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');

        if (colon) {
            *colon = '\0';
            found = (!strcmp(line + strspn(line, " "), ifname)
                     && sscanf(colon + 1, "%*u %"SCNu64" %*u %*u %*u %*u %*u "
                               "%*u %*u %*u %*u %"SCNu64,
                               &c.rx_packets, &c.tx_dropped) == 2);
        }
    }
    fclose(file);
    CHECK(found);
    return c;
}
