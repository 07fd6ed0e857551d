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

#include "fb-run-private.h"

#include <math.h>

#include "fb-dut.h"
#include "fb-marks.h"
#include "fb-parity.h"
#include "fb-pmd.h"
#include "fb-proof.h"
#include "fb-run-probe.h"
#include "fb-trial.h"

/* Proves that DUT number 'i' works, and adds findings if it does not. */
static char *
prove(struct fb_run *run, size_t i)
{
    const struct fb_dut *dut = run->duts[i];
    struct fb_proof proof;

    char *error = fb_proof_run(run->duts[i], run->plan.n_builds > 1, &proof);
    if (error) {
        return error;
    }
    if (proof.n_missing) {
        fb_result_add_finding(
            run->result, FB_VOID, "not-delivered", NULL,
            "%s: frames to %"PRIuSIZE" of %"PRIuSIZE" destinations do not "
            "arrive", dut->label, proof.n_missing, dut->n_destinations);
    }
    if (proof.n_astray) {
        fb_result_add_finding(
            run->result, FB_VOID, "astray", NULL,
            "%s: %"PRIuSIZE" frames arrived at the wrong destination",
            dut->label, proof.n_astray);
    }
    run->broken[i] = fb_proof_is_broken(&proof);
    if (proof.n_bad_ip_csum) {
        fb_result_add_finding(
            run->result, FB_VOID, "bad-checksum", NULL,
            "%s: frames arrive with a bad IPv4 checksum, which every receiver "
            "drops: none of them counts as delivered", dut->label);
    } else if (proof.n_harmed) {
        fb_result_add_finding(
            run->result, FB_VOID, "harmed", NULL,
            "%s: frames arrive changed: none of them counts as delivered",
            dut->label);
    }
    return NULL;
}

/* Finds out whether DUT number 'i' forwards marked frames, which makes it
 * learn their way, and lets none be marked if it does not. */
static char *
prove_marks(struct fb_run *run, size_t i)
{
    struct fb_dut_result *result = &run->result->duts[i];
    struct fb_dut *dut = run->duts[i];
    size_t n_missing = 0;

    if (!dut->marks || run->broken[i]) {
        return NULL;
    }
    char *error = fb_marks_prove(dut, &n_missing);
    if (!error && n_missing) {
        fb_result_add_finding(
            run->result, FB_WARNING, "marks-lost",
            "let it forward EtherType 0x88b5, or use --no-latency",
            "%s: marked frames do not get to %"PRIuSIZE" of %"PRIuSIZE" "
            "sinks: its latency is not measured", dut->label, n_missing,
            dut->n_sinks);
    } else if (!error && !result->latency.samples) {
        result->latency.samples = fb_latency_create();
    }
    result->latency.load_pct = NAN;
    result->latency.rate = run->config->parameters.rate;
    return error;
}

/* Warms up DUT number 'i'. */
static char *
warm_up(struct fb_run *run, size_t i)
{
    const struct fb_parameters *p = &run->config->parameters;
    const struct fb_tcp_trial_config tcp = fb_run_tcp_config(run);
    struct fb_trial_config config = {
        .pace = fb_result_pace_spec(p),
        .duration_ns = p->warmup * 1e9,
        .stop = run->config->stop,
    };
    struct fb_trial ignored;

    if (p->tcp.wanted) {
        return fb_tcp_trial_prepare(run->duts[i], &tcp, &run->tcp_bytes[i]);
    }
    return (p->warmup > 0
            ? fb_trial_run(run->duts[i], &config, &ignored) : NULL);
}

/* Compares, proves and warms up all DUTs. */
char *
fb_run_prepare(struct fb_run *run)
{
    char *error = fb_parity_check(run->duts, run->config->n_kinds,
                                  run->result);
    for (size_t i = 0; !error && i < run->config->n_kinds; i++) {
        fb_run_show_progress(run, "warming up %s", run->duts[i]->label);
        fb_pmd_tell(run->duts[i], run->result);
        /* The probe sees the first upcalls, too. */
        fb_run_probe_start(run->duts[i], run->result, &run->result->duts[i]);
        error = prove(run, i);
        if (!error) {
            error = prove_marks(run, i);
        }
        if (!error) {
            error = warm_up(run, i);
        }
    }
    return error;
}
