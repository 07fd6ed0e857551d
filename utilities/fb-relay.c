/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

#include <config.h>

#include "fb-relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "openvswitch/poll-loop.h"
#include "util.h"

/* Creates 'file_name', which must not exist, for another process to append
 * to, and makes 'relay' pass it on to 'out'.  Returns 0 or a positive errno
 * value; in either case fb_relay_close() may follow. */
int
fb_relay_open(struct fb_relay *relay, const char *file_name, int out)
{
    relay->in = open(file_name, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    relay->out = out;
    relay->ofs = relay->len = 0;
    return relay->in < 0 ? errno : 0;
}

/* Closes the file of 'relay', but not where its bytes go. */
void
fb_relay_close(struct fb_relay *relay)
{
    if (relay->in >= 0) {
        close(relay->in);
        relay->in = -1;
    }
}

/* Would a write of a buffer to 'fd' return at once?  Also true if it would
 * fail. */
static bool
is_writable(int fd)
{
    struct pollfd pfd = { .fd = fd, .events = POLLOUT };

    return poll(&pfd, 1, 0) > 0;
}

/* Passes on what can be without waiting.  Returns 0 or a positive errno
 * value, e.g. EPIPE if nobody will read any more; after that the rest is
 * dropped. */
int
fb_relay_run(struct fb_relay *relay)
{
    /* Bounded, so that the caller comes to see to its other duties. */
    for (int i = 0; i < 64; i++) {
        ssize_t n;

        if (relay->ofs >= relay->len) {
            n = read(relay->in, relay->buffer, sizeof relay->buffer);
            if (n <= 0) {
                return n < 0 && errno != EINTR ? errno : 0;
            }
            relay->ofs = 0;
            relay->len = n;
        }

        if (!is_writable(relay->out)) {
            return 0;
        }
        n = write(relay->out, relay->buffer + relay->ofs,
                  relay->len - relay->ofs);
        if (n > 0) {
            relay->ofs += n;
        } else if (n < 0 && errno != EINTR && errno != EAGAIN) {
            relay->ofs = relay->len = 0;
            return errno;
        }
    }
    return 0;
}

/* Does 'relay' hold, or its file, what has not been passed on? */
bool
fb_relay_is_pending(const struct fb_relay *relay)
{
    struct stat s;

    return relay->ofs < relay->len
           || (!fstat(relay->in, &s)
               && s.st_size > lseek(relay->in, 0, SEEK_CUR));
}

/* Makes poll_block() wake up when fb_relay_run() can pass on more.  It is the
 * caller's to be woken when the file grows. */
void
fb_relay_wait(const struct fb_relay *relay)
{
    if (fb_relay_is_pending(relay)) {
        poll_fd_wait(relay->out, POLLOUT);
    }
}
