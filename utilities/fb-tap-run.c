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

#include "fb-tap-run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fatal-signal.h"
#include "fb-appctl.h"
#include "fb-dut.h"
#include "fb-result.h"
#include "fb-rng.h"
#include "fb-sandbox.h"
#include "fb-tap.h"
#include "fb-tasks.h"
#include "ovs-atomic.h"
#include "ovs-thread.h"
#include "timeval.h"
#include "util.h"

/* The reader looks this often, in ms, whether it is to end. */
#define READ_TIMEOUT_MS 5

/* What is under way has come out after so many ms without a packet. */
#define DRAIN_MS 50

/* A thread that reads a tap. */
struct reader {
    const struct fb_tap *tap;
    atomic_bool end;            /* Is it to end? */
    atomic_ullong n;            /* Packets read so far. */
};

/* Returns the time of CLOCK_MONOTONIC in ns. */
static uint64_t
now_ns(void)
{
    struct timespec ts;

    xclock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

/* Main function of the reader 'reader_'. */
static void *
read_tap(void *reader_)
{
    struct reader *reader = reader_;
    unsigned long long int n = 0;
    bool end = false;

    while (!end) {
        n += fb_tap_read(reader->tap, READ_TIMEOUT_MS);
        atomic_store_relaxed(&reader->n, n);
        atomic_read_relaxed(&reader->end, &end);
    }
    return NULL;
}

/* Waits until 'reader' gets no more packets.  Returns their number. */
static uint64_t
drain(struct reader *reader)
{
    unsigned long long int last, n;

    atomic_read_relaxed(&reader->n, &n);
    do {
        last = n;
        xnanosleep(DRAIN_MS * UINT64_C(1000000));
        atomic_read_relaxed(&reader->n, &n);
    } while (n != last);
    return n;
}

/* Returns the packets that ovs-vswitchd says in 'text', from
 * "dpif-netdev/pmd-stats-show", to have sent at a time, averaged over its
 * threads by the number of packets of each; NaN if it does not say. */
double
fb_tap_parse_batch(const char *text)
{
    static const char received[] = "packets received: ";
    static const char batch[] = "avg. packets per output batch: ";
    double n = 0, sum = 0, weight = 0;

    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += strspn(line, "\n ");
        if (!strncmp(line, received, strlen(received))) {
            n = strtod(line + strlen(received), NULL);
        } else if (!strncmp(line, batch, strlen(batch))) {
            sum += n * strtod(line + strlen(batch), NULL);
            weight += n;
        }
    }
    return weight > 0 ? sum / weight : NAN;
}

/* Reads the average batch of 'dut' since the statistics were cleared. */
static char *
read_batch(struct fb_dut *dut, double *batch)
{
    char *text = NULL;

    char *error = fb_appctl(fb_sandbox_rpc(dut->sandbox), &text,
                            "dpif-netdev/pmd-stats-show", NULL);
    *batch = error ? NAN : fb_tap_parse_batch(text);
    free(text);
    return error;
}

/* Sends by 'input' of 'tap' for 'duration_ns'.  Returns 0 if successful,
 * otherwise an errno. */
static int
send_all(const struct fb_tap *tap, enum fb_tap_input input,
         uint64_t duration_ns, const volatile sig_atomic_t *stop,
         struct fb_tap_trial *trial)
{
    uint64_t start = now_ns();
    int error = 0;

    while (!error && now_ns() - start < duration_ns) {
        error = *stop ? EINTR : fb_tap_send(tap, input, &trial->sent);
    }
    trial->duration_ns = now_ns() - start;
    return error;
}

/* Makes a trial by 'input' of 'tap' and stores what came of it in
 * '*trial'. */
static char *
run_trial(const struct fb_tap *tap, enum fb_tap_input input,
          uint64_t duration_ns, const struct fb_tasks *tasks,
          const volatile sig_atomic_t *stop, struct fb_tap_trial *trial)
{
    struct fb_sandbox *sandbox = tap->dut->sandbox;
    struct reader reader = { .tap = tap, .end = false, .n = 0 };
    struct fb_task_times before, after;

    fatal_signal_run();
    memset(trial, 0, sizeof *trial);
    char *error = fb_appctl(fb_sandbox_rpc(sandbox), NULL,
                            "dpif-netdev/pmd-stats-clear", NULL);
    if (error) {
        return error;
    }

    pthread_t thread = ovs_thread_create("reader", read_tap, &reader);
    fb_tasks_read(tasks, fb_sandbox_vswitchd(sandbox), &before);
    int retval = send_all(tap, input, duration_ns, stop, trial);
    fb_tasks_read(tasks, fb_sandbox_vswitchd(sandbox), &after);
    trial->received = drain(&reader);
    atomic_store_relaxed(&reader.end, true);
    xpthread_join(thread, NULL);
    if (retval) {
        return xasprintf("sending UDP packets failed (%s)",
                         ovs_strerror(retval));
    }
    trial->main_ns = (after.crews[FB_CREW_MAIN].ns
                      - before.crews[FB_CREW_MAIN].ns);
    trial->pmd_ns = (after.crews[FB_CREW_PMDS].ns
                     - before.crews[FB_CREW_PMDS].ns);
    return read_batch(tap->dut, &trial->batch);
}

/* Measures all inputs of 'tap', whose results are 'results', in random order,
 * block by block. */
static char *
run_blocks(const struct fb_tap_config *config, const struct fb_tap *tap,
           const struct fb_tap_parameters *p, const struct fb_tasks *tasks,
           struct fb_tap_result *results)
{
    uint64_t duration_ns = p->duration * 1e9;
    char *error = NULL;
    struct fb_rng rng;

    fb_rng_init(&rng, config->seed);
    for (unsigned int i = 0; i <= p->blocks && !error; i++) {
        size_t inputs[FB_N_TAP_INPUTS] = { FB_TAP_INTERNAL, FB_TAP_PORT };

        config->progress(config->aux, MAX(i, 1), p->blocks);
        fb_rng_shuffle(&rng, inputs, FB_N_TAP_INPUTS);
        for (size_t j = 0; j < FB_N_TAP_INPUTS && !error; j++) {
            struct fb_tap_result *result = &results[inputs[j]];

            error = run_trial(tap, inputs[j], duration_ns, tasks,
                              config->stop, &result->trials[result->n]);
            /* The first one is for warming up. */
            result->n += i > 0;
        }
    }
    return error;
}

/* Measures 'dut', whose result is 'result'. */
static char *
run_dut(const struct fb_tap_config *config, struct fb_dut *dut,
        const struct fb_tap_parameters *p, const struct fb_tasks *tasks,
        struct fb_dut_result *result)
{
    struct fb_tap tap;

    result->taps = xcalloc(FB_N_TAP_INPUTS, sizeof *result->taps);
    for (size_t i = 0; i < FB_N_TAP_INPUTS; i++) {
        result->taps[i].trials = xcalloc(p->blocks,
                                         sizeof *result->taps[i].trials);
    }
    char *error = fb_tap_open(dut, &tap);
    if (!error) {
        error = run_blocks(config, &tap, p, tasks, result->taps);
    }
    fb_tap_close(&tap);
    if (error) {
        char *whole = xasprintf("%s: %s", dut->label, error);
        free(error);
        return whole;
    }
    return NULL;
}

/* Measures what comes out of taps behind all userspace datapaths in 'result',
 * if its parameters ask for that.  Adds ports to them: nothing else is to be
 * measured afterward.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_tap_run(const struct fb_tap_config *config, struct fb_result *result)
{
    const struct fb_tap_parameters *p = &result->parameters.tap;
    struct fb_tasks *tasks = NULL;

    if (!p->wanted) {
        return NULL;
    }
    char *error = fb_tasks_create(&tasks);
    for (size_t i = 0; i < result->n_duts && !error; i++) {
        const char *type = result->duts[i].datapath_type;

        if (type && !strcmp(type, "netdev")) {
            error = run_dut(config, config->duts[i], p, tasks,
                            &result->duts[i]);
        }
    }
    fb_tasks_destroy(tasks);
    return error;
}

/* Returns the estimate of what 'get' says of the trials of 'result'. */
static struct fb_estimate
estimate(const struct fb_tap_result *result,
         double (*get)(const struct fb_tap_trial *))
{
    double *x = xcalloc(MAX(result->n, 1), sizeof *x);
    struct fb_estimate e;

    for (size_t i = 0; i < result->n; i++) {
        x[i] = get(&result->trials[i]);
    }
    fb_stats_median(x, result->n, &e);
    free(x);
    return e;
}

/* Functions for estimate(). */
static double
get_sent_pps(const struct fb_tap_trial *trial)
{
    return 1e9 * trial->sent / trial->duration_ns;
}

static double
get_received_pps(const struct fb_tap_trial *trial)
{
    return 1e9 * trial->received / trial->duration_ns;
}

static double
get_main_pct(const struct fb_tap_trial *trial)
{
    return 100.0 * trial->main_ns / trial->duration_ns;
}

static double
get_pmd_pct(const struct fb_tap_trial *trial)
{
    return 100.0 * trial->pmd_ns / trial->duration_ns;
}

static double
get_batch(const struct fb_tap_trial *trial)
{
    return trial->batch;
}

/* Computes what follows from the trials of taps in 'result'. */
void
fb_tap_analyze(struct fb_result *result)
{
    for (size_t i = 0; i < result->n_duts; i++) {
        struct fb_dut_result *dut = &result->duts[i];

        for (size_t j = 0; dut->taps && j < FB_N_TAP_INPUTS; j++) {
            struct fb_tap_result *tap = &dut->taps[j];

            tap->sent_pps = estimate(tap, get_sent_pps);
            tap->received_pps = estimate(tap, get_received_pps);
            tap->main_pct = estimate(tap, get_main_pct);
            tap->pmd_pct = estimate(tap, get_pmd_pct);
            tap->batch = estimate(tap, get_batch);
            if (!(tap->received_pps.median > 0)) {
                fb_result_add_finding(
                    result, FB_VOID, "nothing-out-of-tap", NULL,
                    "%s: nothing that was sent by its %s came out of the tap",
                    dut->name, fb_tap_input_name(j));
            }
        }
    }
}
