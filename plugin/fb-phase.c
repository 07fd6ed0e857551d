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
#include "fanbench-config.h"

#include "fb-phase.h"

#include "util.h"

/* Returns the phase that took the threads of the rounds 'work' longest, but
 * for waiting for each other. */
enum fb_work
fb_phase_longest(const struct fb_round_work *work)
{
    static const enum fb_work phases[] = {
        FB_W_REVALIDATION, FB_W_OPERATIONS, FB_W_SWEEP, FB_W_PAUSE,
    };
    const uint64_t *n = work->n;
    enum fb_work longest = FB_W_DUMP;

    for (size_t i = 0; i < ARRAY_SIZE(phases); i++) {
        if (n[phases[i]] > n[longest]) {
            longest = phases[i];
        }
    }
    if (longest == FB_W_DUMP && n[FB_W_LOCK_WAIT] > n[FB_W_DUMP] / 2) {
        longest = FB_W_LOCK_WAIT;
    } else if (longest == FB_W_DUMP && n[FB_W_NETLINK] > n[FB_W_DUMP] / 2) {
        longest = FB_W_NETLINK;
    }
    return longest;
}

/* Returns the name of 'phase', one that fb_phase_longest() may return. */
const char *
fb_phase_name(enum fb_work phase)
{
    switch ((int) phase) {
    case FB_W_NETLINK: return "netlink receive";
    case FB_W_LOCK_WAIT: return "lock wait";
    case FB_W_REVALIDATION: return "revalidation";
    case FB_W_OPERATIONS: return "flow operations";
    case FB_W_SWEEP: return "ukey sweep";
    case FB_W_PAUSE: return "paused";
    default: return "dump";
    }
}
