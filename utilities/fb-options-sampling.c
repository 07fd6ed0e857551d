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

#include "fb-options-sampling.h"

#include <stdlib.h>
#include <string.h>

#include "fb-dut.h"
#include "fb-grid.h"
#include "fb-groups.h"
#include "fb-options.h"
#include "fb-plan.h"
#include "fb-result.h"
#include "fb-search-preset.h"
#include "util.h"

/* Returns the share that 'value', of the option 'name', is: a percentage, with
 * or without a percent sign, of at least 'min'.  Exits with an error message
 * if it is none. */
static double
parse_percent(const char *name, const char *value, double min)
{
    size_t len = strlen(value);
    char *number = xmemdup0(value, len - (len && value[len - 1] == '%'));
    double percent = fb_parse_number(name, number, min, 100, false);

    free(number);
    return percent / 100;
}

/* Changes the members of 'p' that say how much to sample.  Exits with an error
 * message if an option has a bad value or does not go with another. */
static void
get_sampling(const struct fb_options *options, struct fb_parameters *p)
{
    if (options->trials && !options->search && !p->search
        && (options->precision || options->max_time)) {
        ovs_fatal(0, "--trials: fixes how much is measured, which does not go "
                  "with --%s", options->precision ? "precision" : "max-time");
    } else if (p->rate && (options->precision || options->max_time)) {
        ovs_fatal(0, "--rate: at a fixed rate there are no ratios to be "
                  "precise about; use --trials instead of --%s",
                  options->precision ? "precision" : "max-time");
    }
    if (options->precision || options->max_time) {
        /* Instead of the number that --full has. */
        p->n_trials = 0;
    }
    if (options->trials) {
        p->n_trials = fb_parse_number("trials", options->trials, 1, 1e6, true);
    }
    if (options->precision) {
        p->precision = parse_percent("precision", options->precision, 0.01);
    }
    if (options->max_time) {
        p->max_time = fb_parse_number("max-time", options->max_time, 1, 1e6,
                                      false);
    }
    if (options->builds) {
        p->builds = fb_parse_number("builds", options->builds, 1,
                                    FB_GROUPS_MAX, true);
        if (p->builds > 1 && p->builds < FB_PLAN_MIN_BUILDS) {
            ovs_fatal(0, "--builds=%s: must be 1, or %d or more: fewer have "
                      "no 95 %% interval", options->builds,
                      FB_PLAN_MIN_BUILDS);
        } else if (p->n_trials && p->builds > p->n_trials) {
            ovs_fatal(0, "--builds=%s: more than there are --trials (%u)",
                      options->builds, p->n_trials);
        }
    }
}

/* Exits with 'error', which is about the value 'value' of --sweep, unless it
 * is null. */
static void
check_sweep(const char *value, char *error)
{
    if (error) {
        ovs_fatal(0, "--sweep=%s: %s", value, error);
    }
}

/* Returns the option that says what 'sweep' would change, if it is there, else
 * NULL. */
static const char *
find_swept(const struct fb_options *options, const struct fb_sweep *sweep)
{
    return (sweep->what == FB_SWEEP_FRAME_SIZE && options->frame_size
            ? "frame-size"
            : sweep->what == FB_SWEEP_DESTINATIONS && options->destinations
            ? "destinations"
            : sweep->what == FB_SWEEP_FLOWS && options->flows ? "flows"
            : sweep->what == FB_SWEEP_MASKS && options->masks ? "masks"
            : NULL);
}

/* Exits with an error message if an option does not go with the sweeps that
 * the scenario of 'p' has. */
static void
check_swept(const struct fb_options *options, const struct fb_parameters *p)
{
    const struct fb_sweep *sweeps[] = { &p->sweep, &p->across };

    if (p->sweep.what && (p->rate || options->search || options->precision
                          || options->max_time || options->trials)) {
        ovs_fatal(0, "%s: has as many trials as it needs, at the maximum "
                  "rate, which does not go with --%s", p->scenario,
                  p->rate ? "rate" : options->search ? "search"
                  : options->precision ? "precision"
                  : options->max_time ? "max-time" : "trials");
    }
    for (size_t i = 0; i < ARRAY_SIZE(sweeps); i++) {
        const char *name = find_swept(options, sweeps[i]);
        if (name) {
            ovs_fatal(0, "--%s: %s goes through several of them (use "
                      "--sweep)", name, p->scenario);
        }
    }
}

/* Exits with an error message if the pattern in 'options' is not the 'needed'
 * one of a sweep of 'p'. */
static void
check_sweep_pattern(const struct fb_options *options,
                    const struct fb_parameters *p, enum fb_pattern needed)
{
    if (options->pattern && p->traffic.pattern != needed) {
        ovs_fatal(0, "--sweep=%s: is of --pattern=%s",
                  fb_sweep_name(&p->sweep), fb_pattern_name(needed));
    }
}

/* Lets the flows of 'p' differ in what its sweep needs.  Exits with an error
 * message if an option does not go with it. */
static void
check_sweep_traffic(const struct fb_options *options, struct fb_parameters *p)
{
    const char *name = fb_sweep_name(&p->sweep);

    if ((p->sweep.what == FB_SWEEP_FLOWS
         || p->sweep.what == FB_SWEEP_FLOW_PACKETS) && !options->flow_fields) {
        p->traffic.fields = FB_FIELD_SPORT | FB_FIELD_DPORT;
    }
    if (p->sweep.what == FB_SWEEP_FLOW_PACKETS) {
        check_sweep_pattern(options, p, FB_PATTERN_CHURN);
    } else if (p->sweep.what == FB_SWEEP_COPIES) {
        check_sweep_pattern(options, p, FB_PATTERN_FLOOD);
    }
    if ((p->sweep.what == FB_SWEEP_MASKS
         || p->sweep.what == FB_SWEEP_FLOW_PACKETS)
        && (options->flows
            || (p->sweep.what == FB_SWEEP_MASKS
                && p->traffic.pattern == FB_PATTERN_CHURN))) {
        ovs_fatal(0, "--sweep=%s: decides which flows there are, which does "
                  "not go with --%s", name,
                  options->flows ? "flows" : "pattern=churn");
    }
}

/* Changes the members of 'p' that say what to sweep.  Exits with an error
 * message if an option has a bad value or does not go with another. */
static void
get_sweep(const struct fb_options *options, struct fb_parameters *p)
{
    double min, max;

    check_swept(options, p);
    if (!options->sweep) {
        return;
    } else if (p->rate || p->search || options->precision
               || options->max_time || options->trials) {
        ovs_fatal(0, "--sweep: has as many trials as it needs, at the maximum "
                  "rate, which does not go with --%s",
                  p->rate ? "rate" : p->search ? "search"
                  : options->precision ? "precision"
                  : options->max_time ? "max-time" : "trials");
    }
    check_sweep(options->sweep, fb_sweep_parse(options->sweep, &p->sweep));
    if (p->across.what == p->sweep.what) {
        p->across = (struct fb_sweep) { .n = 0 };
    }
    if (!options->builds) {
        /* That of --full is not for a sweep. */
        p->builds = 0;
    }
    char *name = xasprintf("sweep=%s", fb_sweep_name(&p->sweep));
    check_sweep_traffic(options, p);
    fb_sweep_limits(&p->sweep, &min, &max);
    for (size_t i = 0; i < p->sweep.n; i++) {
        double value = p->sweep.values[i];
        char *text = xasprintf("%.0f", value);

        fb_parse_number(name, text, min, max, true);
        free(text);
        fb_grid_apply(&p->sweep, value, p);

        struct fb_traffic traffic = fb_result_traffic(p);
        check_sweep(options->sweep,
                    fb_traffic_check(&traffic, p->n_destinations));
    }
    free(name);
}

/* Exits with an error message if an option does not go with what a run of 'p'
 * does besides trials at the maximum rate. */
static void
check_fixed(const struct fb_options *options, const struct fb_parameters *p)
{
    bool more = p->curve.wanted || p->tax.wanted || p->tap.wanted;

    if ((p->search || more)
        && (p->rate || options->precision || options->builds)) {
        ovs_fatal(0, "%s: chooses the rates and builds once, which does "
                  "not go with --%s",
                  options->search ? "--search" : p->scenario,
                  p->rate ? "rate" : options->precision ? "precision"
                  : "builds");
    } else if (more && options->sweep) {
        ovs_fatal(0, "%s: does not go with --sweep", p->scenario);
    } else if (more && !p->search && options->max_time) {
        ovs_fatal(0, "%s: takes as long as it takes, which does not go with "
                  "--max-time (use --quick)", p->scenario);
    }
}

/* Changes the members of 'p' that say what to search for.  Exits with an error
 * message if an option has a bad value or does not go with another. */
static void
get_search(const struct fb_options *options, struct fb_parameters *p)
{
    if (options->loss_ratio
        && (!options->search || !strcmp(options->search, "ndr"))) {
        ovs_fatal(0, "--loss-ratio: needs --search=pdr or --search=mlr");
    }
    if (options->search) {
        p->search = fb_search_preset_find(options->search);
        if (!p->search) {
            ovs_fatal(0, "--search=%s: must be ndr, pdr or mlr",
                      options->search);
        }
    }
    check_fixed(options, p);
    if (!p->search) {
        return;
    }
    if (!options->trials) {
        /* Those of --full are not for that. */
        p->n_trials = 0;
    }
    if (options->loss_ratio) {
        p->search_loss_ratio = parse_percent("loss-ratio",
                                             options->loss_ratio, 0.0001);
    }
}

/* Exits with an error message if what is to be sent at some point of the
 * sweeps of 'p' cannot be. */
static void
check_points(const struct fb_parameters *p)
{
    for (size_t i = 0; i < fb_grid_size(p); i++) {
        struct fb_parameters at = *p;
        fb_grid_set(&at, i);

        struct fb_traffic traffic = fb_result_traffic(&at);
        char *error = fb_traffic_check(&traffic, at.n_destinations);
        if (error) {
            ovs_fatal(0, "%s: %s", p->scenario, error);
        }
    }
}

/* Changes the members of 'p' that say what to find out, and how much to sample
 * for that.  Exits with an error message if an option has a bad value or does
 * not go with another.  Those of the traffic must have their values. */
void
fb_options_get_sampling(const struct fb_options *options,
                        struct fb_parameters *p)
{
    get_sampling(options, p);
    get_search(options, p);
    get_sweep(options, p);
    check_points(p);
}
