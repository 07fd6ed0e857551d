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

#include "fb-probe.h"

#include <stdlib.h>

#include "fb-appctl.h"
#include "fb-dut.h"
#include "fb-sandbox.h"
#include "openvswitch/json.h"
#include "util.h"

/* Starts the probe of 'dut' with 'option'.  An ovs-vswitchd without a probe is
 * an error that says what to do. */
char *
fb_probe_start(const struct fb_dut *dut, const char *option)
{
    char *why = fb_appctl(fb_sandbox_rpc(dut->sandbox), NULL,
                          "fanbench/start", option, NULL);
    char *error = NULL;

    if (why) {
        error = xasprintf("this needs the probe in the ovs-vswitchd that "
                          "comes with ovs-fanbench (%s)", why);
        free(why);
    }
    return error;
}

/* Stops the probe of 'dut'.  What it has recorded can still be read. */
char *
fb_probe_stop(const struct fb_dut *dut)
{
    return fb_appctl(fb_sandbox_rpc(dut->sandbox), NULL, "fanbench/stop",
                     NULL);
}

/* Stores in '*jsonp' the document that 'command', e.g. "fanbench/rounds",
 * gives of 'dut', for the caller to destroy. */
char *
fb_probe_read(const struct fb_dut *dut, const char *command,
              struct json **jsonp)
{
    char *text;

    *jsonp = NULL;
    char *error = fb_appctl(fb_sandbox_rpc(dut->sandbox), &text, command,
                            "--json", NULL);
    if (!error) {
        *jsonp = json_from_string(text);
        if ((*jsonp)->type != JSON_OBJECT) {
            error = xasprintf("%s: the reply is no JSON object", command);
            json_destroy(*jsonp);
            *jsonp = NULL;
        }
        free(text);
    }
    return error;
}
