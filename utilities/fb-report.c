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

#include "fb-report.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

#include "fb-cells.h"
#include "fb-churn-report.h"
#include "fb-cpu-report.h"
#include "fb-directions.h"
#include "fb-curve-report.h"
#include "fb-dut.h"
#include "fb-environment.h"
#include "fb-figure-table.h"
#include "fb-latency-report.h"
#include "fb-like-report.h"
#include "fb-new-flows.h"
#include "fb-order-report.h"
#include "fb-report-load.h"
#include "fb-losses-report.h"
#include "fb-pmd-report.h"
#include "fb-model.h"
#include "fb-result.h"
#include "fb-search-report.h"
#include "fb-tap-report.h"
#include "fb-tax-report.h"
#include "fb-tcp-report.h"
#include "openvswitch/dynamic-string.h"
#include "table.h"
#include "util.h"

/* Appends what 'sweep' goes through, if it is one. */
static void
format_sweep(const struct fb_sweep *sweep, struct ds *ds)
{
    if (sweep->what) {
        ds_put_format(ds, ", %s swept from %g to %g", fb_sweep_name(sweep),
                      sweep->values[0], sweep->values[sweep->n - 1]);
    }
}

/* Appends one line on what was run, and one on where. */
static void
format_header(const struct fb_result *result, struct ds *ds)
{
    const struct fb_parameters *p = &result->parameters;
    const struct fb_sampling *s = &result->sampling;
    const struct fb_environment *e = &result->environment;

    struct fb_traffic traffic = fb_result_traffic(p);

    ds_put_format(ds, "%s: %"PRIuSIZE" destinations, ", p->scenario,
                  p->n_destinations);
    if (p->tcp.wanted) {
        fb_tcp_format_load(p, ds);
    } else {
        fb_traffic_format(&traffic, ds);
        ds_put_cstr(ds, ", ");
        fb_report_rate(result, ds);
    }
    ds_put_format(ds, "; %u blocks of %g-s trials", s->n_blocks, p->duration);
    if (s->n_builds > 1) {
        ds_put_format(ds, " in %u builds", s->n_builds);
    }
    format_sweep(&p->sweep, ds);
    format_sweep(&p->across, ds);
    ds_put_format(ds, ", %.0f s", s->seconds);
    if (isfinite(s->reached)) {
        ds_put_format(ds, ", precise to +-%.2g %%", s->reached * 100);
    }
    if (isfinite(s->noise)) {
        ds_put_format(ds, ", trials of the wire spread by %.1f %%",
                      s->noise * 100);
    }
    ds_put_format(ds, "; seed %"PRIu64"\n", p->seed);
    fb_environment_format(e, ds);
    fb_report_ceilings(result, ds);
}

/* Appends the table of DUTs. */
static void
format_duts(const struct fb_result *result, const struct table_style *style,
            struct ds *ds)
{
    struct table table;

    table_init(&table);
    table_add_column(&table, "DUT");
    table_add_column(&table, "delivered kpps");
    table_add_column(&table, "ns/packet");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "ns over wire");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "loss %%");
    table_add_column(&table, "packets lost, by place");
    for (size_t i = 0; i < result->n_duts; i++) {
        const struct fb_dut_result *dut = &result->duts[i];
        uint64_t offered = dut->sum.offered;

        table_add_row(&table);
        fb_add_cell(&table, "%s", dut->name);
        fb_add_number(&table, dut->pps.median / 1000, 1);
        fb_add_number(&table, dut->ns.median, 1);
        fb_add_interval(&table, &dut->ns, 1);
        fb_add_number(&table, dut->added_ns.median, 1);
        fb_add_interval(&table, &dut->added_ns, 1);
        fb_add_number(&table, offered ? 100.0 * (offered - dut->sum.delivered)
                      / offered : NAN, 3);
        fb_losses_add_cell(&table, &dut->sum);
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}

/* Appends the table of comparisons. */
static void
format_comparisons(const struct fb_result *result,
                   const struct table_style *style, struct ds *ds)
{
    struct table table;

    table_init(&table);
    table_add_column(&table, "DUT");
    table_add_column(&table, "compared with");
    table_add_column(&table, result->parameters.tcp.wanted
                     ? "time per byte, ratio" : "time per packet, ratio");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "verdict");
    for (size_t i = 0; i < result->n_comparisons; i++) {
        const struct fb_comparison *c = &result->comparisons[i];
        table_add_row(&table);
        fb_add_cell(&table, "%s", c->dut);
        fb_add_cell(&table, "%s", c->base);
        fb_add_number(&table, c->ratio.median, 3);
        fb_add_interval(&table, &c->ratio, 3);
        fb_add_cell(&table, "%s", fb_verdict_to_string(c->verdict));
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}

/* Appends 'result' to 'ds' in the form that 'style' asks for.  The words
 * around the tables are left out where they would not fit the form. */
void
fb_report_format(const struct fb_result *result,
                 const struct table_style *style, struct ds *ds)
{
    bool words = style->format == TF_TABLE || style->format == TF_LIST;

    table_format_reset();
    if (words) {
        fb_findings_format_void(&result->findings, ds);
        format_header(result, ds);
        ds_put_char(ds, '\n');
    }
    if (result->parameters.sweep.what) {
        if (!result->parameters.across.what) {
            fb_model_format(result, style, ds);
        }
        fb_cells_format(result, style, ds);
    } else {
        if (result->parameters.tcp.wanted) {
            fb_tcp_format(result, style, ds);
        } else {
            format_duts(result, style, ds);
        }
        fb_cpu_report_format(result, style, ds);
    }
    fb_report_pace(result, style, ds);
    fb_latency_format(result, style, ds);
    fb_order_format(result, style, ds);
    if (result->n_comparisons) {
        format_comparisons(result, style, ds);
    }
    if (words) {
        fb_directions_format(result, ds);
        fb_new_flows_format(result, ds);
        if (!result->parameters.tcp.wanted) {
            fb_losses_format(result, ds);
        }
        if (result->parameters.like) {
            fb_like_report_add(result->parameters.like, ds);
        }
        fb_pmd_report_format(result, ds);
    }
    if (result->parameters.search) {
        fb_search_report_format(result, style, ds);
        fb_churn_report_format(result, style, ds);
    }
    fb_curve_format(result, style, ds);
    fb_tax_format(result, style, ds);
    fb_tap_format(result, style, ds);
    if (words) {
        fb_findings_format_others(&result->findings, ds);
    }
}
