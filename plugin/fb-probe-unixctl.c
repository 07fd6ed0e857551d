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

/* Probes of commands, as from ovs-appctl: their registration, which is when
 * their functions are to be seen, and their replies. */

#include <stddef.h>

#include "fb-ovs.h"
#include "fb-probe-control.h"
#include "fb-wrap.h"
#include "unixctl.h"

FB_PROBED(void, unixctl_command_register,
          (const char *, const char *, int, int, unixctl_cb_func *, void *));
FB_PROBED(void, unixctl_command_reply,
          (struct unixctl_conn *, const char *));
FB_PROBED(void, unixctl_command_reply_error,
          (struct unixctl_conn *, const char *));

/* A command is registered. */
void
FB_WRAP(unixctl_command_register)(const char *name, const char *usage,
                                  int min_args, int max_args,
                                  unixctl_cb_func *cb, void *aux)
{
    FB_REAL(unixctl_command_register)(name, usage, min_args, max_args,
                                      fb_probe_control_command(name, cb, aux),
                                      aux);
}

/* A command replies. */
void
FB_WRAP(unixctl_command_reply)(struct unixctl_conn *conn, const char *body)
{
    if (!fb_ovs_catch_reply(body ? body : "")) {
        FB_REAL(unixctl_command_reply)(conn, body);
    }
}

/* A command fails. */
void
FB_WRAP(unixctl_command_reply_error)(struct unixctl_conn *conn,
                                     const char *error)
{
    if (!fb_ovs_catch_reply(NULL)) {
        FB_REAL(unixctl_command_reply_error)(conn, error);
    }
}
