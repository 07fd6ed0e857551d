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

#include "fb-doctor-ovs.h"

#include <stdlib.h>
#include <string.h>

#include "fb-appctl.h"
#include "fb-doctor.h"
#include "fb-json-read.h"
#include "openvswitch/json.h"
#include "util.h"

/* Adds the probe's finding 'json', if it is one. */
static void
add_finding(struct fb_doctor *doctor, const struct json *json)
{
    const char *code = fb_json_string(json, "code");
    const char *text = fb_json_string(json, "text");
    const char *severity = fb_json_string(json, "severity");
    if (!code || !text || !severity) {
        return;
    }

    const char *own_code = doctor->code;
    doctor->code = code;
    fb_doctor_add(doctor, (!strcmp(severity, "error") ? FB_ERROR
                           : !strcmp(severity, "warning") ? FB_WARNING
                           : FB_INFO), fb_json_string(json, "fix"), "%s",
                  text);
    doctor->code = own_code;
}

/* Takes over what the probe in ovs-vswitchd has found, if it is there and
 * records. */
void
fb_check_probe(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;
    char *text = NULL;

    if (!e->host.rpc) {
        return;
    }
    char *error = fb_appctl(e->host.rpc, &text, "fanbench/show", "--json",
                            NULL);
    if (error) {
        /* An ovs-vswitchd without the probe is nothing to complain of. */
        free(error);
        return;
    }
    struct json *json = json_from_string(text);
    const struct json *findings = fb_json_member(json, "findings");
    const struct json *recording = fb_json_member(json, "recording");
    for (size_t i = 0; i < fb_json_size(findings); i++) {
        add_finding(doctor, fb_json_at(findings, i));
    }
    if (recording && recording->type == JSON_FALSE) {
        fb_doctor_add_examined(doctor, "the probe is in ovs-vswitchd, but "
                               "does not record (ovs-appctl "
                               "fanbench/start)");
    }
    json_destroy(json);
    free(text);
}
