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

/* Sets the plugin up, before main(). */

#include <stdlib.h>
#include <string.h>

#include "fb-clock.h"
#include "fb-commands.h"
#include "fb-preload.h"
#include "fb-delay.h"
#include "fb-probe-control.h"
#include "fb-intake.h"
#include "fb-ledger-life.h"
#include "fb-recording.h"
#include "fb-thread.h"
#include "fb-upcalls.h"
#include "fb-watch-ovs.h"
#include "openvswitch/compiler.h"

/* Registers the commands.  With OVS_FANBENCH=record in the environment,
 * recording begins at once; with OVS_FANBENCH=record-flows, the flow ledger
 * looks at the flows in every round. */
OVS_CONSTRUCTOR(fb_plugin_init)
{
    const char *env = getenv("OVS_FANBENCH");

    if (!fb_preload_at_home()) {
        return;
    }
    fb_clock_init(FB_CLOCK_AUTO);
    fb_thread_init();
    fb_upcalls_init();
    fb_intake_init();
    fb_probe_control_init();
    fb_delay_init(getenv("OVS_FANBENCH_TEST_DELAY"));
    fb_commands_register();
    fb_watch_ovs_init();
    if (env && !strcmp(env, "record-flows")) {
        fb_ledger_configure(&(struct fb_ledger_options) {
            .max_flows = FB_LEDGER_DEFAULT_FLOWS,
            .every = 1,
        });
        fb_recording_start(-1);
    } else if (env && !strcmp(env, "record")) {
        fb_recording_start(-1);
    }
}
