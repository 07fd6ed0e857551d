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

#ifndef FB_ORDER_CHECK_H
#define FB_ORDER_CHECK_H 1

/* Checks on a DUT whether packets arrive in order, flow by flow: in a trial of
 * its own, all of whose frames are marked and captured at the sinks. */

#include <signal.h>
#include <stdint.h>

#include "compiler.h"
#include "fb-order.h"

struct fb_dut;

/* What came of it. */
struct fb_order_result {
    uint64_t rate;              /* Packets per second asked for; 0 if it was
                                 * not checked. */
    uint64_t not_sent;          /* Packets that the generator was too late to
                                 * offer. */
    uint64_t unread;            /* Arrivals that found no room and are missing
                                 * from 'summary'. */
    struct fb_order_summary summary;
};

char *fb_order_check_run(struct fb_dut *, uint64_t rate, double duration,
                         const volatile sig_atomic_t *stop,
                         struct fb_order_result *) OVS_WARN_UNUSED_RESULT;

#endif /* fb-order-check.h */
