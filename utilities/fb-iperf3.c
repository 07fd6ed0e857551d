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

#include "fb-iperf3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fb-json-read.h"
#include "fb-process.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "process.h"
#include "util.h"

/* Stores in '*versionp' what the iperf3 in PATH calls itself, such as
 * "iperf 3.12", for the caller to free.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message that says
 * what to do. */
char *
fb_iperf3_find(char **versionp)
{
    static const char *const argv[] = { FB_IPERF3, "--version", NULL };
    struct ds output = DS_EMPTY_INITIALIZER;
    char *path = process_search_path(FB_IPERF3);

    *versionp = NULL;
    free(path);
    if (!path) {
        return xstrdup(FB_IPERF3" is not installed (install the package "
                       "\""FB_IPERF3"\")");
    }
    char *error = fb_process_run(&(struct fb_process_spec) {
        .argv = argv, .netns_fd = -1, .timeout_s = 10 }, &output);
    if (!error) {
        /* "iperf 3.12 (cJSON 1.7.15)", and more lines. */
        const char *text = ds_cstr(&output);
        *versionp = xmemdup0(text, strcspn(text, "(\n"));
        for (char *end = strchr(*versionp, '\0');
             end > *versionp && end[-1] == ' '; end--) {
            end[-1] = '\0';
        }
    }
    ds_destroy(&output);
    return error;
}

/* Fills in 'report' from 'json', which iperf3 has printed. */
static char *
parse_end(const struct json *json, struct fb_iperf3_report *report)
{
    const struct json *end = fb_json_member(json, "end");
    const struct json *sent = fb_json_member(end, "sum_sent");
    const struct json *received = fb_json_member(end, "sum_received");
    double bytes = fb_json_number(received, "bytes");
    double seconds = fb_json_number(received, "seconds");
    double retransmits = fb_json_number(sent, "retransmits");

    if (!(bytes >= 0) || !(seconds > 0) || !(retransmits >= 0)) {
        return xstrdup(FB_IPERF3": its report lacks the received bytes, the "
                       "seconds or the retransmits");
    }
    *report = (struct fb_iperf3_report) {
        .bytes = bytes,
        .seconds = seconds,
        .retransmits = retransmits,
    };
    return NULL;
}

/* Fills in '*report' from 'text', what "iperf3 --json" of a client printed.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message: also that
 * with which the transfer failed. */
char *
fb_iperf3_parse(const char *text, struct fb_iperf3_report *report)
{
    struct json *json = json_from_string(text);
    const char *failure = fb_json_string(json, "error");
    char *error = NULL;

    memset(report, 0, sizeof *report);
    if (json->type != JSON_OBJECT) {
        error = xasprintf(FB_IPERF3": not a report: %.*s",
                          (int) strcspn(text, "\n"), text);
    } else if (failure) {
        error = xasprintf(FB_IPERF3": %s", failure);
    } else {
        error = parse_end(json, report);
    }
    json_destroy(json);
    return error;
}
