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

#include "fb-experiment-fit.h"

#include <stdlib.h>

#include "fb-experiment-result.h"
#include "fb-figure-json.h"
#include "fb-figure-table.h"
#include "openvswitch/json.h"
#include "table.h"
#include "util.h"

/* Adds the sample 'y' at 'x' to 's'.  More than FB_LINE_MAX_SAMPLES are left
 * out. */
void
fb_fit_add(struct fb_fit_samples *s, double x, double y)
{
    if (s->n >= FB_LINE_MAX_SAMPLES) {
        return;
    }
    if (s->n >= s->allocated) {
        s->allocated = s->allocated ? 2 * s->allocated : 64;
        s->x = xrealloc(s->x, s->allocated * sizeof *s->x);
        s->y = xrealloc(s->y, s->allocated * sizeof *s->y);
    }
    s->x[s->n] = x;
    s->y[s->n++] = y;
}

/* Adds to 'result' the line through the samples 's', which this function
 * frees, of the figure 'figure' of 'dut', if they make one whose slope has an
 * interval.  'variant', which
 * may be null, 'figure' and 'per' must stay. */
void
fb_fit_finish(struct fb_fit_samples *s, struct fb_experiment_result *result,
              const char *dut, const char *variant, const char *figure,
              const char *per)
{
    struct fb_line line;

    if (s->n && !fb_line_fit(s->x, s->y, s->n, &line)
        && fb_estimate_has_interval(&line.slope)) {
        result->fits = xrealloc(result->fits, (result->n_fits + 1)
                                * sizeof *result->fits);
        result->fits[result->n_fits++] = (struct fb_fit) {
            .dut = xstrdup(dut),
            .variant = variant,
            .figure = figure,
            .per = per,
            .line = line,
        };
    }
    free(s->x);
    free(s->y);
    *s = (struct fb_fit_samples) { .n = 0 };
}

/* Appends the table of the lines of 'result', if there are any, to 'ds'. */
void
fb_fit_format(const struct fb_experiment_result *result,
              const struct table_style *style, struct ds *ds)
{
    struct table table;

    if (!result->n_fits) {
        return;
    }
    table_init(&table);
    table_add_column(&table, "DUT");
    table_add_column(&table, "what");
    table_add_column(&table, "figure");
    table_add_column(&table, "fixed");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "for each");
    table_add_column(&table, "more");
    table_add_column(&table, "95%% interval");
    for (size_t i = 0; i < result->n_fits; i++) {
        const struct fb_fit *fit = &result->fits[i];

        table_add_row(&table);
        fb_add_text(&table, fit->dut);
        fb_add_text(&table, fit->variant);
        fb_add_text(&table, fit->figure);
        fb_add_number(&table, fit->line.intercept.median, 2);
        fb_add_interval(&table, &fit->line.intercept, 2);
        fb_add_text(&table, fit->per);
        fb_add_number(&table, fit->line.slope.median, 4);
        fb_add_interval(&table, &fit->line.slope, 4);
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}

/* Returns the lines of 'result' as JSON. */
struct json *
fb_fit_to_json(const struct fb_experiment_result *result)
{
    struct json *array = json_array_create_empty();

    for (size_t i = 0; i < result->n_fits; i++) {
        const struct fb_fit *fit = &result->fits[i];
        struct json *json = json_object_create();

        json_object_put_string(json, "dut", fit->dut);
        json_object_put(json, "variant", fb_string_to_json(fit->variant));
        json_object_put_string(json, "figure", fit->figure);
        json_object_put_string(json, "per", fit->per);
        json_object_put(json, "fixed",
                        fb_estimate_to_json(&fit->line.intercept));
        json_object_put(json, "slope", fb_estimate_to_json(&fit->line.slope));
        json_array_add(array, json);
    }
    return array;
}
