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

#include "fb-search-run.h"

#include <string.h>

#include "fb-dut.h"
#include "fb-trial.h"
#include "timeval.h"
#include "util.h"

/* The least load that is tried, as a share of the greatest, and in packets per
 * second. */
#define MIN_SHARE 0.001
#define MIN_LOAD 1000

/* Stores the goals of 'config' in 'outcome'.  A goal's duration sum remains
 * the same number of trials. */
static void
take_goals(const struct fb_search_config *config,
           struct fb_search_outcome *outcome)
{
    outcome->n_goals = config->preset->n_goals;
    for (size_t i = 0; i < outcome->n_goals; i++) {
        struct fb_search_goal *goal = &outcome->goals[i];

        *goal = config->preset->goals[i];
        if (config->duration > 0) {
            goal->duration_sum *= config->duration / goal->duration;
            goal->duration = config->duration;
        }
        if (config->loss_ratio > 0 && goal->loss_ratio > 0) {
            goal->loss_ratio = config->loss_ratio;
        }
    }
}

/* Loads 'dut' with 'load' packets per second for 'duration' seconds and stores
 * in '*loss_ratio' the share of the packets that were to be sent that did not
 * arrive: also those that the generator was too slow for, for the load was not
 * what it should be.  Those are more than the others if '*limited' becomes
 * true. */
static char *
run_trial(struct fb_dut *dut, const struct fb_search_config *config,
          double load, double duration, double *loss_ratio, bool *limited)
{
    struct fb_trial_config trial_config = {
        .pace = { .rate = load },
        .duration_ns = duration * 1e9,
        .stop = config->stop,
    };
    struct fb_trial trial;

    char *error = fb_trial_run(dut, &trial_config, &trial);
    if (!error) {
        uint64_t lost = trial.losses.offered - trial.losses.delivered;
        uint64_t not_sent = trial.not_sent * trial.copies;
        uint64_t planned = trial.losses.offered + not_sent;

        *loss_ratio = planned ? (double) (lost + not_sent) / planned : 1;
        *limited = not_sent > lost;
    }
    return error;
}

/* Searches as 'config' says and stores what came of it in '*outcome'.  Returns
 * NULL if successful, also if the time was not enough, otherwise a malloc()'d
 * error message that names the DUT. */
char *
fb_search_run(struct fb_dut *dut, const struct fb_search_config *config,
              struct fb_search_outcome *outcome)
{
    double min_load = MAX(MIN_LOAD, config->max_load * MIN_SHARE);
    long long int start = time_msec();
    double load, duration;
    char *error = NULL;

    memset(outcome, 0, sizeof *outcome);
    outcome->max_load = MAX(min_load, config->max_load);
    take_goals(config, outcome);

    struct fb_search *search = fb_search_create(
        outcome->goals, outcome->n_goals, min_load, outcome->max_load);
    while (!error && fb_search_next(search, &load, &duration)) {
        double loss_ratio;
        bool limited;

        if ((time_msec() - start) / 1000.0 + duration > config->max_time) {
            break;
        }
        config->progress(config->aux, dut, load, outcome->n_trials);
        error = run_trial(dut, config, load, duration, &loss_ratio, &limited);
        if (!error) {
            fb_search_tell(search, load, duration, loss_ratio);
            outcome->n_trials++;
            outcome->generator_limited |= limited;
        }
    }
    outcome->seconds = (time_msec() - start) / 1000.0;
    outcome->complete = true;
    for (size_t i = 0; i < outcome->n_goals; i++) {
        fb_search_get_result(search, i, &outcome->results[i]);
        outcome->complete &= outcome->results[i].complete;
    }
    fb_search_destroy(search);
    return error;
}
