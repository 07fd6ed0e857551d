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
#include "fb-iperf3.h"
#include "fb-result.h"
#include "fb-tcp-report.h"

#include <stdlib.h>
#include <string.h>

#include "util.h"

/* Checks that 'text' is no report, and that the error about it has 'part'. */
static void
check_bad(const char *text, const char *part)
{
    struct fb_iperf3_report report;

    char *error = fb_iperf3_parse(text, &report);
    CHECK(error && strstr(error, part));
    CHECK(!report.bytes);
    free(error);
}

/* What counts is what the receiver has. */
static void
test_report(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_iperf3_report report;

    CHECK(!fb_iperf3_parse(
              "{\"start\": {}, \"end\": {"
              "\"sum_sent\": {\"seconds\": 0.5, \"bytes\": 2000000, "
              "\"retransmits\": 3},"
              "\"sum_received\": {\"seconds\": 0.25, \"bytes\": 1000000}}}",
              &report));
    CHECK(report.bytes == 1000000 && report.seconds == 0.25);
    CHECK(report.retransmits == 3);

    check_bad("{\"error\": \"unable to connect to server\", \"end\": {}}",
              "iperf3: unable to connect to server");
    check_bad("{\"end\": {}}", "lacks");
    check_bad("{\"end\": {\"sum_sent\": {\"retransmits\": 0}, "
              "\"sum_received\": {\"seconds\": 0, \"bytes\": 0}}}", "lacks");
    check_bad("iperf3: not found\nreally", "not a report: iperf3: not found");
    check_bad("[]", "not a report");
    check_bad("", "not a report");
}

/* Makes a DUT of 'result' one through which a trial brought 'bytes' in
 * 'frames' frames, in a second. */
static void
add_dut(struct fb_result *result, const char *kind, uint64_t bytes,
        uint64_t frames)
{
    struct fb_dut_result *dut = fb_result_add_dut(result, kind, kind, NULL);
    const struct fb_trial trial = {
        .duration_ns = 1000000000,
        .in_time = bytes,
        .retransmits = 2,
        .losses = { .offered = frames, .delivered = frames },
    };

    fb_result_add_trial(dut, &trial);
    dut->sum = trial.losses;
    dut->pps.median = bytes;
}

/* Returns the code of finding 'i' of 'result', or "". */
static const char *
get_code(const struct fb_result *result, size_t i)
{
    return (i < result->findings.n ? result->findings.findings[i].code
            : "");
}

/* Bytes that did not come in frames went another way; and who is as fast as
 * the wire is limited by the ends. */
static void
test_judge(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    const struct fb_parameters tcp = { .tcp.wanted = true };
    const struct fb_parameters tso = { .tcp = { true, true } };
    struct fb_result result;

    fb_result_init(&result, &tcp);
    add_dut(&result, "wire", 1460000, 1000);
    add_dut(&result, "linux-bridge", 1300000, 1000);
    fb_tcp_analyze(&result);
    CHECK(!result.findings.n);
    CHECK(result.duts[1].retransmits == 2);
    add_dut(&result, "ovs-kernel", 1400000, 958);
    fb_tcp_analyze(&result);
    CHECK(result.findings.n == 2 && !fb_result_is_valid(&result));
    CHECK(!strcmp(get_code(&result, 0), "tcp-elsewhere"));
    CHECK(!strcmp(get_code(&result, 1), "generator-limited"));
    fb_result_destroy(&result);

    /* Frames are greater then. */
    fb_result_init(&result, &tso);
    add_dut(&result, "linux-bridge", 1400000, 958);
    fb_tcp_analyze(&result);
    CHECK(!result.findings.n);
    add_dut(&result, "ovs-kernel", 66000, 1);
    fb_tcp_analyze(&result);
    CHECK(!strcmp(get_code(&result, 0), "tcp-elsewhere"));
    fb_result_destroy(&result);
}

const struct ovs_cmdl_command test_tcp_commands[] = {
    { "tcp-judge", NULL, 0, 0, test_judge, OVS_RO },
    { "tcp-report", NULL, 0, 0, test_report, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
