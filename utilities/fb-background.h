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

#ifndef FB_BACKGROUND_H
#define FB_BACKGROUND_H 1

/* A load on a DUT that goes on, in a thread of its own, while the caller does
 * something else.  One at a time, for the main thread to start and stop; until
 * it is stopped, nobody else may use the DUT's generator. */

#include <signal.h>

#include "ovs-thread.h"

struct fb_dut;

/* A load in the background. */
struct fb_background {
    struct fb_dut *dut;         /* Under load, or NULL. */
    pthread_t thread;           /* Who sends. */
    volatile sig_atomic_t stop; /* Nonzero when it is to end. */
    int error;                  /* Afterward: positive errno, or 0. */
};

void fb_background_start(struct fb_background *, struct fb_dut *);
int fb_background_stop(struct fb_background *);

#endif /* fb-background.h */
