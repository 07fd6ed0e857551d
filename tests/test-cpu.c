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
#include "fanbench-test.h"
#include "fb-idle.h"

#include "util.h"

/* What fake_clock() says next, and how much later the time after that is. */
static uint64_t fake_now = 1000;
static uint64_t fake_step = 10;

/* A clock that moves only when it is looked at. */
static uint64_t
fake_clock(void)
{
    return fake_now += fake_step;
}

/* Spare time is what lies between looks that are close together: not an
 * interruption, not work, and not the time since something else was done. */
static void
test_idle(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_idle idle;

    fb_idle_init(&idle, fake_clock);
    CHECK(idle.gap == 10 * FB_IDLE_FACTOR && !idle.total);
    for (int i = 0; i < 11; i++) {
        fb_idle_look(&idle, fake_clock());
    }
    CHECK(idle.total == 100);

    fake_now += 10 * FB_IDLE_FACTOR;
    fb_idle_look(&idle, fake_clock());
    CHECK(idle.total == 100);
    fb_idle_look(&idle, fake_clock());
    CHECK(idle.total == 110);
    fake_now += 10 * FB_IDLE_FACTOR - fake_step;
    fb_idle_look(&idle, fake_clock());
    CHECK(idle.total == 110 + 10 * FB_IDLE_FACTOR);

    fb_idle_work(&idle);
    fb_idle_look(&idle, fake_clock());
    CHECK(idle.total == 110 + 10 * FB_IDLE_FACTOR);

    /* A clock too coarse to see one look. */
    fake_step = 0;
    fb_idle_init(&idle, fake_clock);
    CHECK(idle.gap == FB_IDLE_FACTOR);
}

const struct ovs_cmdl_command test_cpu_commands[] = {
    { "cpu-idle", NULL, 0, 0, test_idle, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
