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

#ifndef FB_WAKE_H
#define FB_WAKE_H 1

/* Waiting outside of OVS's poll loop.
 *
 * That loop logs what wakes its thread up, at level INFO, when the process is
 * busy.  A thread that only helps the probe should leave no trace in the log
 * of a busy switch.  Nor does this abort the process, as OVS's latch does when
 * no file descriptor is left.
 *
 * Thread rules: one thread waits, any may wake it up, which takes a system
 * call but does not wait. */

#include <stdbool.h>

/* Something to wait for. */
struct fb_wake {
    int fd;                     /* An eventfd, or -1 if there was none. */
};

bool fb_wake_init(struct fb_wake *);
void fb_wake_destroy(struct fb_wake *);
void fb_wake_up(const struct fb_wake *);
bool fb_wake_wait(const struct fb_wake *, int timeout_ms);

#endif /* fb-wake.h */
