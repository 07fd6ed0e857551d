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

#include "fb-tcp-report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "fb-figure-json.h"
#include "fb-figure-table.h"
#include "fb-result.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "table.h"
#include "util.h"

/* A DUT that passes on at least this share of what the bare wire does is
 * limited by the two ends. */
#define LIMITED_SHARE 0.95

/* Most payload of a frame: of the MTU, less IPv4's and TCP's headers, and
 * without segmentation, of an IPv4 packet. */
#define MTU_PAYLOAD (1500 - 20 - 20)
#define TSO_PAYLOAD (65535 - 20 - 20)

/* Times are shown for so many bytes. */
#define KIB 1024

/* Returns 'e' times 'factor'. */
static struct fb_estimate
scale(const struct fb_estimate *e, double factor)
{
    struct fb_estimate scaled = *e;

    scaled.median *= factor;
    scaled.lo *= factor;
    scaled.hi *= factor;
    return scaled;
}

/* Returns the throughput of 'dut' in Gbit/s of payload. */
static struct fb_estimate
get_gbps(const struct fb_dut_result *dut)
{
    return scale(&dut->pps, 8 / 1e9);
}

/* Returns the payload of 'dut' per frame that arrived, in bytes; NaN without
 * one. */
static double
get_frame_payload(const struct fb_dut_result *dut)
{
    double bytes = 0;

    for (size_t i = 0; i < dut->n_trials; i++) {
        bytes += dut->trials[i].in_time;
    }
    return dut->sum.delivered ? bytes / dut->sum.delivered : NAN;
}

/* Adds a finding if 'dut' passed on more than fits into the frames that came
 * through it: then the connection went another way. */
static void
judge_way(struct fb_result *result, const struct fb_dut_result *dut)
{
    double most = result->parameters.tcp.tso ? TSO_PAYLOAD : MTU_PAYLOAD;

    if (get_frame_payload(dut) > most) {
        fb_result_add_finding(
            result, FB_VOID, "tcp-elsewhere", NULL,
            "%s: %.0f bytes arrived for each frame at the sink, which holds "
            "%.0f: TCP did not pass through it", dut->name,
            get_frame_payload(dut), most);
    }
}

/* Adds a finding if 'dut' did as much as the bare wire 'wire', which may be
 * null. */
static void
judge_ends(struct fb_result *result, const struct fb_dut_result *dut,
           const struct fb_dut_result *wire)
{
    if (wire && strcmp(dut->kind, "wire")
        && dut->pps.median >= LIMITED_SHARE * wire->pps.median) {
        fb_result_add_finding(
            result, FB_WARNING, "generator-limited", NULL,
            "%s: it passed on %.2f Gbit/s, about as much as iperf3's two ends "
            "can without it (%.2f): it may be able to do more", dut->name,
            get_gbps(dut).median, get_gbps(wire).median);
    }
}

/* Computes what there is of TCP in 'result', if that was the load, from its
 * trials and the figures that it shares with other loads, and adds findings to
 * it. */
void
fb_tcp_analyze(struct fb_result *result)
{
    const struct fb_dut_result *wire = NULL;

    if (!result->parameters.tcp.wanted) {
        return;
    }
    for (size_t i = 0; i < result->n_duts && !wire; i++) {
        if (!strcmp(result->duts[i].kind, "wire")) {
            wire = &result->duts[i];
        }
    }
    for (size_t i = 0; i < result->n_duts; i++) {
        struct fb_dut_result *dut = &result->duts[i];

        dut->retransmits = 0;
        for (size_t j = 0; j < dut->n_trials; j++) {
            dut->retransmits += dut->trials[j].retransmits;
        }
        judge_way(result, dut);
        judge_ends(result, dut, wire);
    }
}

/* Appends what is sent with parameters 'p' to 'ds', in words. */
void
fb_tcp_format_load(const struct fb_parameters *p, struct ds *ds)
{
    ds_put_format(ds, "one TCP connection by iperf3, %s",
                  p->tcp.tso ? "segmentation and checksums left to the "
                  "devices (TSO): frames of up to 64 KiB"
                  : "segments cut by the sender's stack (TSO and checksum "
                  "offload off): frames of up to 1514 bytes");
}

/* Appends the table of DUTs to 'ds'. */
void
fb_tcp_format(const struct fb_result *result, const struct table_style *style,
              struct ds *ds)
{
    struct table table;

    table_init(&table);
    table_add_column(&table, "DUT");
    table_add_column(&table, "Gbit/s");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "ns/KiB");
    table_add_column(&table, "ns/KiB over wire");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "bytes/frame");
    table_add_column(&table, "frames lost");
    table_add_column(&table, "retransmits");
    for (size_t i = 0; i < result->n_duts; i++) {
        const struct fb_dut_result *dut = &result->duts[i];
        struct fb_estimate gbps = get_gbps(dut);
        struct fb_estimate ns = scale(&dut->ns, KIB);
        struct fb_estimate added = scale(&dut->added_ns, KIB);

        table_add_row(&table);
        fb_add_cell(&table, "%s", dut->name);
        fb_add_number(&table, gbps.median, 3);
        fb_add_interval(&table, &gbps, 3);
        fb_add_number(&table, ns.median, 1);
        fb_add_number(&table, added.median, 1);
        fb_add_interval(&table, &added, 1);
        fb_add_number(&table, get_frame_payload(dut), 0);
        fb_add_cell(&table, "%"PRId64,
                    (int64_t) (dut->sum.offered - dut->sum.delivered));
        fb_add_cell(&table, "%"PRIu64, dut->retransmits);
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}

/* Adds to 'json', as 'name', 'e', of bytes, for KIB bytes each. */
static void
put_per_kib(struct json *json, const char *name, const struct fb_estimate *e)
{
    struct fb_estimate scaled = scale(e, KIB);

    json_object_put(json, name, fb_estimate_to_json(&scaled));
}

/* Returns what came of TCP through 'dut' of 'result' as JSON: null if that was
 * not the load. */
struct json *
fb_tcp_to_json(const struct fb_result *result, const struct fb_dut_result *dut)
{
    if (!result->parameters.tcp.wanted) {
        return json_null_create();
    }

    struct json *json = json_object_create();
    struct fb_estimate gbps = get_gbps(dut);

    json_object_put(json, "gbit_per_s", fb_estimate_to_json(&gbps));
    put_per_kib(json, "ns_per_kib", &dut->ns);
    put_per_kib(json, "added_ns_per_kib", &dut->added_ns);
    put_per_kib(json, "cpu_ns_per_kib", &dut->cpu.ns);
    json_object_put(json, "bytes_per_frame",
                    fb_number_to_json(get_frame_payload(dut)));
    json_object_put(json, "retransmits",
                    json_integer_create(dut->retransmits));
    return json;
}

/* Returns what came of 'trial', one of TCP, as JSON. */
struct json *
fb_tcp_trial_to_json(const struct fb_trial *trial)
{
    struct json *json = json_object_create();

    json_object_put(json, "bytes", json_integer_create(trial->in_time));
    json_object_put(json, "retransmits",
                    json_integer_create(trial->retransmits));
    return json;
}
