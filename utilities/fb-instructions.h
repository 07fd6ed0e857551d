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

#ifndef FB_INSTRUCTIONS_H
#define FB_INSTRUCTIONS_H 1

/* Counts the instructions that sending takes, in a machine whose clock counts
 * them (see struct fb_guest_machine), and nowhere else.
 *
 * Frames that are sent by fb_backend_counted pass the kernel's whole path to
 * the sink in the sender's own system call, unless a switch queues them.  What
 * the cheapest full batch took is what the path is long: every other batch had
 * an interrupt, or found something cold.
 *
 * For the thread that sends. */

#include <stdbool.h>
#include <stdint.h>

struct fb_backend;

bool fb_instructions_are_counted(void);

/* Sends as fb_backend_sendmmsg does, and counts. */
extern const struct fb_backend fb_backend_counted;

void fb_instructions_reset(void);
uint64_t fb_instructions_least(void);

#endif /* fb-instructions.h */
