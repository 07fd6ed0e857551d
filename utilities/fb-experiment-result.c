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

#include "fb-experiment-result.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "fb-environment.h"
#include "fb-experiment-fit.h"
#include "openvswitch/json.h"
#include "util.h"

/* Makes 'result' an empty result of an experiment with 'parameters', whose
 * points have the figures 'columns', 'n_columns' of them. */
void
fb_experiment_result_init(struct fb_experiment_result *result,
                          const struct fb_experiment_parameters *parameters,
                          const struct fb_column *columns, size_t n_columns)
{
    memset(result, 0, sizeof *result);
    result->parameters = *parameters;
    result->columns = columns;
    result->n_columns = n_columns;
}

/* Frees what 'result' holds. */
void
fb_experiment_result_destroy(struct fb_experiment_result *result)
{
    for (size_t i = 0; i < result->n_points; i++) {
        free(result->points[i].dut);
        free(result->points[i].figures);
        json_destroy(result->points[i].probe);
    }
    free(result->points);
    for (size_t i = 0; i < result->n_fits; i++) {
        free(result->fits[i].dut);
    }
    free(result->fits);
    fb_environment_destroy(&result->environment);
    fb_findings_destroy(&result->findings);
}

/* Adds a point of the DUT 'dut' at 'value' to 'result', in the way 'variant',
 * which must stay and may be null.  'probe', which may be null, then belongs
 * to 'result'.
 *
 * Returns its figures, one for each column, for the caller to fill in.  Those
 * that it leaves alone say nothing. */
struct fb_estimate *
fb_experiment_result_add(struct fb_experiment_result *result, const char *dut,
                         const char *variant, unsigned int value,
                         struct json *probe)
{
    result->points = xrealloc(result->points, (result->n_points + 1)
                              * sizeof *result->points);
    struct fb_point *point = &result->points[result->n_points++];

    *point = (struct fb_point) {
        .dut = xstrdup(dut),
        .variant = variant,
        .value = value,
        .figures = xcalloc(result->n_columns, sizeof *point->figures),
        .probe = probe,
    };
    for (size_t i = 0; i < result->n_columns; i++) {
        point->figures[i] = (struct fb_estimate) FB_NO_ESTIMATE;
    }
    return point->figures;
}

/* Adds a finding to 'result', once.  'text' is a format for what follows. */
void
fb_experiment_result_add_finding(struct fb_experiment_result *result,
                                 enum fb_severity severity, const char *code,
                                 const char *fix, const char *text, ...)
{
    va_list args;

    va_start(args, text);
    fb_findings_add_valist(&result->findings, severity, code, fix, text, args);
    va_end(args);
}
