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

#ifndef FB_GUEST_INIT_H
#define FB_GUEST_INIT_H 1

/* The inside of the guest: this program as the first process of a kernel of
 * its own, on the host's files.
 *
 * Typical use, as the first thing of main():
 *
 *     if (fb_guest_is_init()) {
 *         fb_guest_init(&argc, &argv);
 *     }
 *
 * after which main() goes on as if it had been started by the user: with the
 * user's command line, working folder and environment, but as root.
 *
 * What differs from the host: /proc, /sys, /dev and /run are the guest's own.
 * Everything else is the host's, and what is written there stays in a
 * User-Mode Linux guest, and goes with others.  TMPDIR is a folder below /run,
 * so private state goes with the guest.  Standard input is empty.  There is no
 * network but a loopback interface. */

#include <stdbool.h>

struct fb_guest_kind;

bool fb_guest_is_init(void);
void fb_guest_init(int *argcp, char ***argvp);
bool fb_guest_is_inside(void);
const struct fb_guest_kind *fb_guest_get_kind(void);
bool fb_guest_is_emulated(void);
bool fb_guest_progress(void);
int fb_guest_load_module(const char *name);
void fb_guest_wait_handlers_bug(void);

#endif /* fb-guest-init.h */
