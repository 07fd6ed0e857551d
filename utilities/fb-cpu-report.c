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

#include "fb-cpu-report.h"

#include <math.h>

#include "fb-cpu-analysis.h"
#include "fb-figure-table.h"
#include "fb-result.h"
#include "table.h"
#include "util.h"

/* Returns the share of ovs-vswitchd's threads in 'figures', or NaN if there
 * are none. */
static double
vswitchd_pct(const struct fb_cpu_figures *figures)
{
    double sum = 0;
    bool any = false;

    for (int i = 0; i <= FB_CREW_OTHERS; i++) {
        if (figures->n_threads[i]) {
            sum += figures->crews[i].median;
            any = true;
        }
    }
    return any ? sum : NAN;
}

/* Appends the table of CPU time to 'ds'. */
void
fb_cpu_report_format(const struct fb_result *result,
                     const struct table_style *style, struct ds *ds)
{
    bool tcp = result->parameters.tcp.wanted;
    struct table table;

    table_init(&table);
    table_add_column(&table, "DUT");
    table_add_column(&table, "CPU %%");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, tcp ? "CPU ns/byte" : "CPU ns/packet");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, tcp ? "iperf3 %%" : "generator %%");
    table_add_column(&table, "ovs-vswitchd %%");
    table_add_column(&table, "ksoftirqd %%");
    table_add_column(&table, "switches/s");
    for (size_t i = 0; i < result->n_duts; i++) {
        const struct fb_dut_result *dut = &result->duts[i];
        const struct fb_cpu_figures *figures = &dut->cpu;

        table_add_row(&table);
        fb_add_cell(&table, "%s", dut->name);
        fb_add_number(&table, figures->used.median, 1);
        fb_add_interval(&table, &figures->used, 1);
        fb_add_number(&table, figures->ns.median, tcp ? 3 : 1);
        fb_add_interval(&table, &figures->ns, tcp ? 3 : 1);
        fb_add_number(&table, figures->crews[FB_CREW_GENERATOR].median, 1);
        fb_add_number(&table, vswitchd_pct(figures), 1);
        fb_add_number(&table, figures->crews[FB_CREW_KSOFTIRQD].median, 1);
        fb_add_number(&table, figures->switches.median, 0);
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}
