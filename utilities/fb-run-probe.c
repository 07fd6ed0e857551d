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

#include "fb-run-probe.h"

#include <stdlib.h>
#include <string.h>

#include "fb-appctl.h"
#include "fb-dut.h"
#include "fb-host-bridge.h"
#include "fb-result.h"
#include "fb-sandbox.h"
#include "openvswitch/json.h"
#include "util.h"

/* Starts the probe of 'dut', whose result is 'dut_result', a part of
 * 'result'.  Adds a finding if its ovs-vswitchd has none. */
void
fb_run_probe_start(const struct fb_dut *dut, struct fb_result *result,
                   struct fb_dut_result *dut_result)
{
    if (!dut->sandbox) {
        return;
    }
    free(dut_result->probe_missing);
    dut_result->probe_missing = fb_appctl(fb_sandbox_rpc(dut->sandbox), NULL,
                                          "fanbench/start", NULL);
    if (dut->host && !dut_result->probe_missing) {
        dut->host->recording = true;
    } else if (dut->host && strstr(dut_result->probe_missing,
                                   "already recording")) {
        /* Somebody else does, and goes on. */
        free(dut_result->probe_missing);
        dut_result->probe_missing = NULL;
    }
    if (dut_result->probe_missing) {
        fb_result_add_finding(
            result, FB_INFO, "no-probe",
            "use the ovs-vswitchd that comes with ovs-fanbench",
            "%s: this ovs-vswitchd has no probe: revalidation rounds, upcalls "
            "and flow operations are missing from the result",
            dut_result->name);
    }
}

/* Stores the snapshot of the probe of 'dut' in 'result', in place of an
 * earlier one.  Returns NULL if successful or if there is no probe, otherwise
 * a malloc()'d error message that names the DUT. */
char *
fb_run_probe_take(const struct fb_dut *dut, struct fb_dut_result *result)
{
    char *text;

    if (!dut->sandbox || result->probe_missing) {
        return NULL;
    }
    char *error = fb_appctl(fb_sandbox_rpc(dut->sandbox), &text,
                            "fanbench/show", "--json", NULL);
    if (!error) {
        json_destroy(result->probe);
        result->probe = json_from_string(text);
        if (result->probe->type == JSON_STRING) {
            error = xasprintf("%s: the probe's snapshot is not JSON: %s",
                              result->name, json_string(result->probe));
        }
        free(text);
    }
    return error;
}
