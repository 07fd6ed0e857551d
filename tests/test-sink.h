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

#ifndef TEST_SINK_H
#define TEST_SINK_H 1

/* Where the frames of a test arrive. */

#include <stdint.h>

/* Counters of an interface. */
struct test_counters {
    uint64_t rx_packets;        /* Received packets. */
    uint64_t tx_dropped;        /* Packets that it did not send. */
};

int test_open_sink(const char *ifname);
uint32_t test_receive_tag(int fd);
struct test_counters test_read_counters(const char *ifname);

#endif /* test-sink.h */
