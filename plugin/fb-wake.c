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

#include "fb-wake.h"

#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "fb-ignore.h"
#include "ovs-rcu.h"

/* Prepares 'wake'.  Returns false if the process has no file descriptor left:
 * then nothing can be waited for but time. */
bool
fb_wake_init(struct fb_wake *wake)
{
    wake->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return wake->fd >= 0;
}

/* Gives back what 'wake' has.  Nobody may use it any more. */
void
fb_wake_destroy(struct fb_wake *wake)
{
    if (wake->fd >= 0) {
        close(wake->fd);
    }
}

/* Wakes up the thread that waits for 'wake', or the next time that it would
 * wait. */
void
fb_wake_up(const struct fb_wake *wake)
{
    if (wake->fd >= 0) {
        uint64_t one = 1;

        /* It fails if there have been very many already, which will do. */
        fb_ignore(write(wake->fd, &one, sizeof one));
    }
}

/* Waits until 'wake' is woken up, or for 'timeout_ms' at most: for ever if it
 * is -1, not at all if it is 0.  The calling thread is quiescent, see
 * ovs-rcu.h.  Returns true if 'wake' was woken up. */
bool
fb_wake_wait(const struct fb_wake *wake, int timeout_ms)
{
    struct pollfd pollfd = { .fd = wake->fd, .events = POLLIN };
    uint64_t n;

    /* A negative descriptor is ignored. */
    if (timeout_ms) {
        ovsrcu_quiesce_start();
        fb_ignore(poll(&pollfd, 1, timeout_ms));
        ovsrcu_quiesce_end();
    } else {
        ovsrcu_quiesce();
    }
    return wake->fd >= 0 && read(wake->fd, &n, sizeof n) == sizeof n;
}
