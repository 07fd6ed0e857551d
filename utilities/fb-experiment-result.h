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

#ifndef FB_EXPERIMENT_RESULT_H
#define FB_EXPERIMENT_RESULT_H 1

/* The result of an experiment (see fb-experiment.h): plain data, filled in by
 * the experiment and only read by those who report. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler.h"
#include "fb-finding.h"
#include "fb-result.h"
#include "fb-stats.h"

struct fb_fit;
struct json;

/* Most values that an experiment goes through. */
#define FB_MAX_VALUES 32

/* What is measured, or computed from that, at each point. */
struct fb_column {
    const char *name;           /* Member in JSON, with the unit. */
    const char *heading;        /* In tables. */
    int digits;                 /* After the point, in tables. */
    bool doubt;                 /* Show the interval in tables, too? */
};

/* What was to be done. */
struct fb_experiment_parameters {
    const char *scenario;       /* Its name. */
    const char *varies;         /* What differs from point to point, in the
                                 * plural: "threads", ... */
    unsigned int values[FB_MAX_VALUES]; /* Its values... */
    size_t n_values;            /* ...at least 1. */
    unsigned int flows;         /* Datapath flows; 0 if the experiment does not
                                 * ask for a number of them. */
    unsigned int trials;        /* Measurements at each point, at least 1. */
};

/* What came of one DUT at one value. */
struct fb_point {
    char *dut;                  /* The DUT's label. */
    const char *variant;        /* In which way, in a few words, or NULL. */
    unsigned int value;
    struct fb_estimate *figures; /* One for each column. */
    struct json *probe;         /* What the probe says of it, or NULL. */
};

/* The result. */
struct fb_experiment_result {
    struct fb_experiment_parameters parameters;
    struct fb_environment environment;
    double seconds;             /* How long it took. */
    const struct fb_column *columns;
    size_t n_columns;
    struct fb_point *points;
    size_t n_points;
    struct fb_fit *fits;        /* Lines through them... */
    size_t n_fits;              /* ...so many. */
    struct fb_findings findings;
};

void fb_experiment_result_init(struct fb_experiment_result *,
                               const struct fb_experiment_parameters *,
                               const struct fb_column *, size_t n_columns);
void fb_experiment_result_destroy(struct fb_experiment_result *);

struct fb_estimate *fb_experiment_result_add(struct fb_experiment_result *,
                                             const char *dut,
                                             const char *variant,
                                             unsigned int value,
                                             struct json *probe);
void fb_experiment_result_add_finding(struct fb_experiment_result *,
                                      enum fb_severity, const char *code,
                                      const char *fix, const char *text, ...)
    OVS_PRINTF_FORMAT(5, 6);

#endif /* fb-experiment-result.h */
