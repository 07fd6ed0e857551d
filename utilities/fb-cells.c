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

#include "fb-cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fb-cpu-analysis.h"
#include "fb-dut.h"
#include "fb-figure-json.h"
#include "fb-figure-table.h"
#include "fb-grid.h"
#include "fb-groups.h"
#include "fb-result.h"
#include "openvswitch/json.h"
#include "table.h"
#include "util.h"

/* A DUT that delivers at least this share of what the bare wire does is
 * limited by the generator or the sink. */
#define LIMITED_SHARE 0.95

/* The trials of a DUT at a point. */
struct samples {
    unsigned int *build;        /* Of each trial. */
    double *pps;                /* Its packets per second, ... */
    double *ns;
    double *cpu_pct;
    double *cpu_ns;
    size_t n;
    uint64_t offered, delivered; /* Packets in all. */
    uint64_t copies;            /* Of each packet. */
};

/* Makes room in 's' for 'n' trials. */
static void
samples_init(struct samples *s, size_t n)
{
    *s = (struct samples) {
        .build = xcalloc(n, sizeof *s->build),
        .pps = xcalloc(n, sizeof *s->pps),
        .ns = xcalloc(n, sizeof *s->ns),
        .cpu_pct = xcalloc(n, sizeof *s->cpu_pct),
        .cpu_ns = xcalloc(n, sizeof *s->cpu_ns),
    };
}

/* Frees what 's' holds. */
static void
samples_destroy(struct samples *s)
{
    free(s->build);
    free(s->pps);
    free(s->ns);
    free(s->cpu_pct);
    free(s->cpu_ns);
}

/* Adds 'trial' of 'dut' to 's'. */
static void
samples_add(struct samples *s, const struct fb_dut_result *dut,
            const struct fb_trial *trial)
{
    double in_time = MAX(trial->in_time, 1);

    s->build[s->n] = trial->build;
    s->pps[s->n] = 1e9 * trial->in_time / trial->duration_ns;
    s->ns[s->n] = trial->duration_ns / in_time;
    s->cpu_pct[s->n] = fb_cpu_used_pct(trial, dut->cpu.spinner);
    s->cpu_ns[s->n] = fb_cpu_used_ns(trial, dut->cpu.spinner);
    s->offered += trial->losses.offered;
    s->delivered += trial->losses.delivered;
    s->copies = trial->copies;
    s->n++;
}

/* Returns the estimate from the values 'x' of 's'. */
static struct fb_estimate
estimate(const struct fb_result *result, const struct samples *s,
         const double *x)
{
    struct fb_groups builds = {
        .group = s->build,
        .n = s->n,
        .miss = result->sampling.miss,
    };
    struct fb_estimate e;

    fb_groups_median(&builds, x, &e);
    return e;
}

/* Computes the cell of 'dut' in 'result' at 'point'. */
static void
compute_cell(const struct fb_result *result, const struct fb_dut_result *dut,
             size_t point, struct fb_cell *cell)
{
    struct fb_parameters p = result->parameters;
    struct samples s;

    fb_grid_values(&p, point, &cell->value, &cell->across);
    samples_init(&s, dut->n_trials);
    for (size_t i = 0; i < dut->n_trials; i++) {
        if (fb_grid_point(&p, dut->trials[i].build) == point) {
            samples_add(&s, dut, &dut->trials[i]);
        }
    }
    cell->copies = MAX(s.copies, 1);
    cell->pps = estimate(result, &s, s.pps);
    cell->ns = estimate(result, &s, s.ns);
    cell->cpu_pct = estimate(result, &s, s.cpu_pct);
    cell->cpu_ns = estimate(result, &s, s.cpu_ns);
    cell->loss_pct = (s.offered
                      ? 100.0 * (s.offered - s.delivered) / s.offered : NAN);
    samples_destroy(&s);

    fb_grid_set(&p, point);
    struct fb_traffic traffic = fb_result_traffic(&p);
    cell->bits = 8 * (fb_sizes_mean(&traffic.sizes) + FB_LINE_OVERHEAD);
}

/* Computes the cells of 'dut' in 'result', which is one of a sweep. */
void
fb_cells_compute(const struct fb_result *result, struct fb_dut_result *dut)
{
    dut->n_cells = fb_grid_size(&result->parameters);
    dut->cells = xcalloc(dut->n_cells, sizeof *dut->cells);
    for (size_t i = 0; i < dut->n_cells; i++) {
        compute_cell(result, dut, i, &dut->cells[i]);
    }
}

/* Returns the first wire in 'result', or NULL. */
static const struct fb_dut_result *
find_wire(const struct fb_result *result)
{
    for (size_t i = 0; i < result->n_duts; i++) {
        if (!strcmp(result->duts[i].kind, fb_dut_wire.name)) {
            return &result->duts[i];
        }
    }
    return NULL;
}

/* Adds a finding to 'result', which is one of a sweep, for each DUT that
 * generator and sink kept from showing what it can do at some points. */
void
fb_cells_judge(struct fb_result *result)
{
    const struct fb_dut_result *wire = find_wire(result);

    for (size_t i = 0; wire && i < result->n_duts; i++) {
        const struct fb_dut_result *dut = &result->duts[i];
        size_t n_limited = 0;

        for (size_t j = 0; j < dut->n_cells; j++) {
            const struct fb_cell *cell = &dut->cells[j];

            n_limited += (cell->pps.median / cell->copies
                          >= LIMITED_SHARE * wire->cells[j].pps.median);
        }
        if (n_limited && strcmp(dut->kind, fb_dut_wire.name)) {
            fb_result_add_finding(
                result, FB_WARNING, "generator-limited", NULL,
                "%s: at %"PRIuSIZE" of %"PRIuSIZE" points it passed on about "
                "as many packets as the bare wire: there it may be able to do "
                "more", dut->name, n_limited, dut->n_cells);
        }
    }
}

/* Returns 'e' times 'factor'. */
static struct fb_estimate
scale(struct fb_estimate e, double factor)
{
    e.median *= factor;
    e.lo *= factor;
    e.hi *= factor;
    return e;
}

/* Adds a row for 'cell' of 'dut' in 'result'. */
static void
add_row(const struct fb_result *result, const struct fb_dut_result *dut,
        const struct fb_cell *cell, struct table *table)
{
    struct fb_estimate gbps = scale(cell->pps, cell->bits / 1e9);

    table_add_row(table);
    if (result->parameters.across.n) {
        fb_add_number(table, cell->across, 0);
    }
    fb_add_number(table, cell->value, 0);
    fb_add_text(table, dut->name);
    fb_add_number(table, cell->pps.median / 1000, 1);
    fb_add_number(table, gbps.median, 3);
    fb_add_interval(table, &gbps, 3);
    fb_add_number(table, cell->ns.median, 1);
    fb_add_interval(table, &cell->ns, 1);
    fb_add_number(table, cell->loss_pct, 3);
    fb_add_number(table, cell->cpu_pct.median, 1);
    fb_add_number(table, cell->cpu_ns.median, 1);
    fb_add_interval(table, &cell->cpu_ns, 1);
}

/* Appends the table of cells of 'result', which is one of a sweep. */
void
fb_cells_format(const struct fb_result *result,
                const struct table_style *style, struct ds *ds)
{
    const struct fb_parameters *p = &result->parameters;
    struct table table;

    table_init(&table);
    if (p->across.n) {
        table_add_column(&table, "%s", fb_sweep_name(&p->across));
    }
    table_add_column(&table, "%s", fb_sweep_name(&p->sweep));
    table_add_column(&table, "DUT");
    table_add_column(&table, "delivered kpps");
    table_add_column(&table, "Gbit/s");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "ns/packet");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "loss %%");
    table_add_column(&table, "CPU %%");
    table_add_column(&table, "CPU ns/packet");
    table_add_column(&table, "95%% interval");
    for (size_t i = 0; i < fb_grid_size(p); i++) {
        for (size_t j = 0; j < result->n_duts; j++) {
            const struct fb_dut_result *dut = &result->duts[j];

            add_row(result, dut, &dut->cells[i], &table);
        }
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}

/* Returns the cells of 'dut' as JSON; an empty array if there are none. */
struct json *
fb_cells_to_json(const struct fb_dut_result *dut)
{
    struct json *array = json_array_create_empty();

    for (size_t i = 0; i < dut->n_cells; i++) {
        const struct fb_cell *cell = &dut->cells[i];
        struct fb_estimate gbps = scale(cell->pps, cell->bits / 1e9);
        struct json *o = json_object_create();

        json_object_put(o, "value", json_real_create(cell->value));
        json_object_put(o, "across",
                        cell->across ? json_real_create(cell->across)
                        : json_null_create());
        json_object_put(o, "delivered_pps", fb_estimate_to_json(&cell->pps));
        json_object_put(o, "gbit_per_s", fb_estimate_to_json(&gbps));
        json_object_put(o, "ns_per_packet", fb_estimate_to_json(&cell->ns));
        json_object_put(o, "cpu_pct", fb_estimate_to_json(&cell->cpu_pct));
        json_object_put(o, "cpu_ns_per_packet",
                        fb_estimate_to_json(&cell->cpu_ns));
        json_object_put(o, "loss_pct", fb_number_to_json(cell->loss_pct));
        json_array_add(array, o);
    }
    return array;
}
