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

#include "fb-background.h"

#include <errno.h>
#include <stdint.h>

#include "fb-dut.h"
#include "fb-generator.h"
#include "fb-load.h"
#include "fb-pace.h"
#include "util.h"

/* Sends as fast as it goes until 'b_' is to stop. */
static void *
send_packets(void *b_)
{
    struct fb_background *b = b_;
    static const struct fb_pace_spec fastest = { .rate = 0 };
    struct fb_load_result ignored;

    while (!b->stop && !b->error) {
        b->error = fb_generator_run(b->dut->generator, &fastest,
                                    1000 * 1000 * 1000, &b->stop, &ignored);
    }
    if (b->stop && b->error == EINTR) {
        /* That is what it says when it was stopped. */
        b->error = 0;
    }
    return NULL;
}

/* Begins to load 'dut', as fast as it goes.  The caller must stop it. */
void
fb_background_start(struct fb_background *b, struct fb_dut *dut)
{
    b->dut = dut;
    b->stop = 0;
    b->error = 0;
    b->thread = ovs_thread_create("load", send_packets, b);
}

/* Ends the load of 'b', if there is one.  Returns 0, or the positive errno
 * with which sending failed before. */
int
fb_background_stop(struct fb_background *b)
{
    if (b->dut) {
        b->stop = 1;
        xpthread_join(b->thread, NULL);
        b->dut = NULL;
    }
    return b->error;
}
