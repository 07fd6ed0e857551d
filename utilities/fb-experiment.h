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

#ifndef FB_EXPERIMENT_H
#define FB_EXPERIMENT_H 1

/* Scenarios that are experiments of their own, rather than trials of a load:
 * on each DUT, they go through the values of one thing, such as the number of
 * revalidators, and measure something at each.
 *
 *     scenario's row -> struct fb_experiment_class -> fb_experiment_run()
 *       -> for each DUT: class->run(), which builds it with
 *          fb_experiment_build() and adds points to the result
 *
 * One at a time; for single-threaded use.  Functions that return 'char *'
 * return NULL if successful, otherwise a malloc()'d error message. */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"
#include "fb-background.h"
#include "fb-experiment-result.h"
#include "fb-ovs-programs.h"
#include "fb-sandbox.h"

struct fb_backend;
struct fb_dut;
struct fb_dut_kind;
struct fb_experiment;
struct fb_traffic;

/* What an experiment does where the user leaves it open. */
struct fb_experiment_defaults {
    const char *values;         /* As in --values. */
    unsigned int flows;         /* Datapath flows; 0 if it has none. */
    unsigned int trials;        /* Measurements at each point. */
};

/* A kind of experiment. */
struct fb_experiment_class {
    const char *varies;         /* What differs from point to point. */
    unsigned int min, max;      /* Least and greatest value of that. */
    unsigned int mem_kb;        /* Memory in a guest for each 1 of it, in
                                 * KiB, in each DUT. */
    const char *kernel_args;    /* Words for a guest's kernel, or NULL. */
    bool counts;                /* Needs a guest whose clock counts
                                 * instructions? */
    const struct fb_backend *backend; /* How frames are sent, NULL for
                                       * fb_backend_sendmmsg. */
    struct fb_experiment_defaults here; /* Outside of a guest... */
    struct fb_experiment_defaults guest; /* ...and in one... */
    struct fb_experiment_defaults quick; /* ...but with --quick... */
    struct fb_experiment_defaults full; /* ...and with --full.  Members that
                                         * are 0 leave it as it is. */
    double full_here_s;         /* Seconds that each of a DUT's measurements
                                 * took with --full, all around it included,
                                 * on 2 CPUs... */
    double full_guest_s;        /* ...and in a guest. */
    const struct fb_column *columns; /* What is measured. */
    size_t n_columns;

    /* Returns why it cannot run on DUTs of this kind, or NULL if it can. */
    const char *(*check)(const struct fb_dut_kind *);

    /* Measures on one DUT, see struct fb_experiment. */
    char *(*run)(struct fb_experiment *);
};

/* What to run. */
struct fb_experiment_config {
    const struct fb_experiment_class *class;
    struct fb_experiment_parameters parameters;
    const struct fb_dut_kind *const *kinds; /* DUTs to measure on. */
    size_t n_kinds;             /* At least 1. */
    const char *vswitchd;       /* ovs-vswitchd to use, or NULL for ours. */
    const char *rundir;         /* Folder of this run's own. */
    bool progress;              /* Show progress on stderr? */
    const volatile sig_atomic_t *stop; /* Nonzero once a signal came. */
};

/* An experiment that is going on. */
struct fb_experiment {
    const struct fb_experiment_config *config;
    const struct fb_experiment_parameters *parameters;
    struct fb_ovs_programs programs;
    const struct fb_dut_kind *kind; /* The DUT to measure on now... */
    char *label;                /* ...and what it is called. */
    struct fb_dut *dut;         /* It, once built; or NULL. */
    struct fb_background load;  /* On it, if that was started. */
    unsigned int n_builds;      /* Builds so far. */
    struct fb_experiment_result *result;
};

/* For a kind of experiment to use. */
char *fb_experiment_build(struct fb_experiment *, size_t n_destinations,
                          const struct fb_traffic *) OVS_WARN_UNUSED_RESULT;
void fb_experiment_take_down(struct fb_experiment *);
void fb_experiment_progress(const struct fb_experiment *, const char *, ...)
    OVS_PRINTF_FORMAT(2, 3);
void fb_experiment_sleep(unsigned int ms);
struct fb_estimate fb_experiment_median(const double *, size_t n);

unsigned int fb_experiment_mem_mb(const struct fb_experiment_class *,
                                  const struct fb_experiment_parameters *);
double fb_experiment_expect(const struct fb_experiment_config *, bool guest);
char *fb_experiment_run(const struct fb_experiment_config *,
                        struct fb_experiment_result *) OVS_WARN_UNUSED_RESULT;
void fb_experiment_abort(void);

extern const struct fb_experiment_class fb_experiment_flow_stats;
extern const struct fb_experiment_class fb_experiment_interface_stats;
extern const struct fb_experiment_class fb_experiment_path_length;
extern const struct fb_experiment_class fb_experiment_port_churn;
extern const struct fb_experiment_class fb_experiment_revalidators;

#endif /* fb-experiment.h */
