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

/* Probes of the main loop of ovs-vswitchd, for what takes more than one turn
 * of it: commands, and getting memory. */

#include "fb-flows-command.h"
#include "fb-intake-thread.h"
#include "fb-wrap.h"
#include "unixctl.h"

FB_PROBED(void, unixctl_server_run, (struct unixctl_server *));
FB_PROBED(void, unixctl_server_wait, (struct unixctl_server *));

/* The main loop serves its commands. */
void
FB_WRAP(unixctl_server_run)(struct unixctl_server *server)
{
    FB_REAL(unixctl_server_run)(server);
    fb_flows_command_run();
    fb_intake_thread_run();
}

/* The main loop says what it waits for. */
void
FB_WRAP(unixctl_server_wait)(struct unixctl_server *server)
{
    FB_REAL(unixctl_server_wait)(server);
    fb_flows_command_wait();
}
