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

#ifndef FB_RELAY_H
#define FB_RELAY_H 1

/* Passes what another process appends to a file on to a descriptor, byte for
 * byte, and never blocks: a reader that is slow or gone must not keep the
 * caller from its deadline.
 *
 * Typical use, with something else that wakes the caller when the file grows:
 *
 *     while (!done || fb_relay_is_pending(&relay)) {
 *         error = fb_relay_run(&relay);
 *         ...
 *         fb_relay_wait(&relay);
 *         poll_block();
 *     }
 *
 * Not thread-safe. */

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* A file and where its bytes go. */
struct fb_relay {
    int in;                     /* The file, read from its start. */
    int out;                    /* Where to; not owned. */
    size_t ofs;                 /* First byte of 'buffer' not yet written. */
    size_t len;                 /* End of the bytes in 'buffer'. */
    char buffer[PIPE_BUF];      /* A pipe that is ready takes this much. */
};

int fb_relay_open(struct fb_relay *, const char *file_name, int out);
void fb_relay_close(struct fb_relay *);
int fb_relay_run(struct fb_relay *);
void fb_relay_wait(const struct fb_relay *);
bool fb_relay_is_pending(const struct fb_relay *);

#endif /* fb-relay.h */
