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

#ifndef FB_GUEST_H
#define FB_GUEST_H 1

/* The host side of the guest: runs a command line of this program in a kernel
 * of its own, whose modules include openvswitch, with the host's files as its
 * root.  Needs no privilege.  fb-guest-init.h is the other side, and
 * fb-guest-kind.h has the kinds of guest.
 *
 * What the program writes to stdout and stderr in the guest comes out of the
 * caller's, byte for byte.  The guest's console is kept apart and shown only
 * in the message of an error.
 *
 * A program that is built with AddressSanitizer cannot start in a guest: one
 * has less address space than that needs, and in the other there is no /proc
 * yet when the program starts.
 *
 * Not thread-safe: one guest at a time, from the main thread, while there is
 * no other. */

#include <stdbool.h>

#include "fb-guest-kind.h"

/* What to run in a guest. */
struct fb_guest_config {
    char **argv;                /* Ends with NULL; argv[0] is this program. */
    const struct fb_guest_kind *kind; /* What kind of guest... */
    struct fb_guest_machine machine; /* ...and what its machine is like. */
    unsigned int timeout_s;     /* Deadline from the start on; 0: none. */
    bool progress;              /* Tell the program that stderr is a
                                 * terminal? */
    const char *rundir;         /* A private folder that the caller made.  An
                                 * absolute name, without white space. */
};

int fb_guest_run(const struct fb_guest_config *, int *exit_code,
                 char **errorp);
int fb_guest_cleanup(const char *rundir);

#endif /* fb-guest.h */
