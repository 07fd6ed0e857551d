/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */

#include <config.h>
#include "fb-report-load.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "fb-backend.h"
#include "fb-figure-table.h"
#include "fb-result.h"
#include "openvswitch/dynamic-string.h"
#include "table.h"
#include "util.h"

/* Appends the rate at which 'result' was asked for, in words. */
void
fb_report_rate(const struct fb_result *result, struct ds *ds)
{
    const struct fb_parameters *p = &result->parameters;

    if (!p->rate) {
        ds_put_cstr(ds, "as fast as it goes");
        return;
    }
    ds_put_format(ds, "%"PRIu64, p->rate);
    if (p->end_rate) {
        ds_put_format(ds, " to %"PRIu64, p->end_rate);
    }
    ds_put_cstr(ds, " packets/s");
    if (p->burst > 0) {
        ds_put_format(ds, " for %g ms, then none for %g ms",
                      p->burst * 1e3, p->pause * 1e3);
    }
}

/* Appends a line on what generator and sink can do without a switch, if that
 * was measured. */
void
fb_report_ceilings(const struct fb_result *result, struct ds *ds)
{
    const struct fb_ceilings *c = &result->environment.ceilings;

    if (!c->n) {
        return;
    }
    ds_put_cstr(ds, "Ceilings on the wire (kpps sent, received):");
    for (size_t i = 0; i < c->n; i++) {
        const struct fb_ceiling *ceiling = &c->all[i];
        ds_put_format(ds, "%s %s ", i ? ";" : "", ceiling->backend->name);
        if (ceiling->why_not) {
            ds_put_cstr(ds, "not here");
        } else {
            ds_put_format(ds, "%.0f, %.0f%s", ceiling->offered_pps / 1e3,
                          ceiling->delivered_pps / 1e3,
                          ceiling == c->chosen ? " (used)" : "");
        }
    }
    if (isfinite(c->sink.pps)) {
        ds_put_format(ds, "; a sink by itself %.0f", c->sink.pps / 1e3);
    }
    ds_put_char(ds, '\n');
}

/* Appends the table that says how exactly the generator kept its schedule, if
 * it had one. */
void
fb_report_pace(const struct fb_result *result,
               const struct table_style *style, struct ds *ds)
{
    struct table table;

    if (!result->parameters.rate) {
        return;
    }
    table_init(&table);
    table_add_column(&table, "DUT");
    table_add_column(&table, "asked kpps");
    table_add_column(&table, "offered kpps");
    table_add_column(&table, "gap error us: p50");
    table_add_column(&table, "p99");
    table_add_column(&table, "max");
    for (size_t i = 0; i < result->n_duts; i++) {
        const struct fb_dut_result *dut = &result->duts[i];
        const struct fb_pace_result *pace = &dut->pace;

        table_add_row(&table);
        fb_add_cell(&table, "%s", dut->name);
        fb_add_number(&table, pace->asked_pps / 1e3, 1);
        fb_add_number(&table, pace->offered_pps / 1e3, 1);
        fb_add_number(&table, pace->p50_ns / 1e3, 2);
        fb_add_number(&table, pace->p99_ns / 1e3, 2);
        fb_add_number(&table, pace->max_ns / 1e3, 1);
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}
