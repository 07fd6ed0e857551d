/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */

#include <config.h>
#include "fb-generator.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "fatal-signal.h"
#include "fb-backend.h"
#include "fb-cpus.h"
#include "fb-engine.h"
#include "fb-frames.h"
#include "fb-gap.h"
#include "fb-hist.h"
#include "fb-load.h"
#include "fb-pace.h"
#include "fb-traffic.h"
#include "ovs-atomic.h"
#include "util.h"

#define NS_PER_S UINT64_C(1000000000)

/* What the threads of a run have in common. */
struct run {
    const volatile sig_atomic_t *stop; /* As for fb_load_run(). */
    uint64_t duration_ns;
    atomic_count n_ready;       /* Threads that wait for 'go'. */
    atomic_bool go;             /* All there: begin. */
};

/* A sender thread. */
struct sender {
    struct fb_load *load;
    bool one_by_one;            /* Is it another's turn, or another port's,
                                 * after each system call? */

    /* Of the run. */
    pthread_t thread;           /* Of those after the first. */
    struct run *run;
    size_t number;              /* Of this thread, from 0. */
    struct fb_pace_spec spec;   /* Its share of the schedule. */
    struct fb_load_result result;
    int error;                  /* Of fb_load_run(). */
};

/* All of them. */
struct fb_generator {
    struct sender *senders;
    size_t n;
    size_t turn;                /* Whose turn it is, one by one. */

    /* What sends as fast as it goes, or NULL: then the senders do. */
    const struct fb_engine_class *engine_class;
    struct fb_engine *engine;
    bool engine_started;        /* Does it send already? */
};

/* Opens the load of 'sender', thread number 'first' of 'n_threads', as for
 * fb_generator_open().  Of a single port's flows it has its share; of several
 * ports' turns every 'n_threads'-th. */
static int
open_load(struct sender *sender, const struct fb_backend *backend,
          const struct fb_load_source *sources, size_t first,
          size_t n_threads)
{
    const struct fb_frames_config *all = &sources[0].frames;
    const struct fb_traffic *traffic = &all->traffic;
    size_t n_sources = fb_traffic_n_sources(traffic, all->n_destinations);
    size_t n_turns = fb_traffic_n_turns(traffic, all->n_destinations);
    struct fb_load_source *mine = xcalloc(n_sources, sizeof *mine);
    size_t *numbers = xcalloc(n_sources, sizeof *numbers);
    size_t *turns = xcalloc(n_turns, sizeof *turns);
    struct fb_load_config config = {
        .backend = backend, .sources = mine, .turns = turns,
    };
    bool shared = (n_sources == 1 && n_threads > 1
                   && fb_traffic_n_flows(traffic, all->n_destinations) > 1);
    size_t step = n_sources > 1 ? n_threads : 1;

    for (size_t i = n_sources > 1 ? first : 0; i < n_turns; i += step) {
        size_t source = fb_traffic_source(traffic, i);

        if (!numbers[source]) {
            mine[config.n_sources] = sources[source];
            if (shared) {
                mine[config.n_sources].frames.share.first = first;
                mine[config.n_sources].frames.share.step = n_threads;
            }
            numbers[source] = ++config.n_sources;
        }
        turns[config.n_turns++] = numbers[source] - 1;
    }
    sender->one_by_one = config.n_sources > 1 || n_threads > 1;
    int error = fb_load_open(&sender->load, &config);

    free(mine);
    free(numbers);
    free(turns);
    return error;
}

/* Opens interfaces of the current network namespace, which may be left
 * afterward, for 'n_threads' threads, 1...FB_MAX_THREADS, that send the frames
 * of 'sources' by 'backend': as many as fb_traffic_n_sources() says, by the
 * number of the endpoint that they stand for.
 *
 * Each flow is sent by one thread, unless there is only one flow: then all
 * send it.  The number of flows must otherwise be a multiple of that of
 * threads, or, where several ports send, the number of their turns.
 *
 * A backend that has an engine takes one source and one thread, and the
 * traffic must be such as the engine can make.
 *
 * Returns 0 if successful and stores the generator in '*generatorp', which the
 * caller must close; otherwise returns an errno as fb_load_open() does, and
 * stores NULL. */
int
fb_generator_open(struct fb_generator **generatorp,
                  const struct fb_backend *backend,
                  const struct fb_load_source *sources, size_t n_threads)
{
    struct fb_generator *generator = xzalloc(sizeof *generator);
    int error = 0;

    generator->senders = xcalloc(n_threads, sizeof *generator->senders);
    for (size_t i = 0; !error && i < n_threads; i++) {
        struct sender *sender = &generator->senders[generator->n++];

        sender->number = i;
        error = open_load(sender, backend, sources, i, n_threads);
    }
    if (!error && backend->engine) {
        generator->engine_class = backend->engine;
        error = backend->engine->open(&sources[0], &generator->engine);
    }
    if (error) {
        fb_generator_close(generator);
        generator = NULL;
    }
    *generatorp = generator;
    return error;
}

/* Closes 'generator' and frees it.  It may be NULL. */
void
fb_generator_close(struct fb_generator *generator)
{
    if (generator) {
        for (size_t i = 0; i < generator->n; i++) {
            fb_load_close(generator->senders[i].load);
        }
        if (generator->engine) {
            generator->engine_class->close(generator->engine);
        }
        free(generator->senders);
        free(generator);
    }
}

/* Returns the number of threads of 'generator'. */
size_t
fb_generator_n_threads(const struct fb_generator *generator)
{
    return generator->n;
}

/* Makes the first flow's frame the next one that 'generator' sends. */
void
fb_generator_rewind(struct fb_generator *generator)
{
    generator->turn = 0;
    for (size_t i = 0; i < generator->n; i++) {
        fb_load_rewind(generator->senders[i].load);
    }
}

/* Lets 'marker' say which frames of thread number 'thread', from 0, of
 * 'generator' are marked; see fb_load_set_marker(). */
void
fb_generator_set_marker(struct fb_generator *generator, size_t thread,
                        struct fb_marker *marker)
{
    fb_load_set_marker(generator->senders[thread].load, marker);
}

/* Has 'sender' send its share. */
static void
run_share(struct sender *sender)
{
    const struct run *run = sender->run;

    sender->error = fb_load_run(sender->load, &sender->spec, run->duration_ns,
                                run->stop, &sender->result);
}

/* The thread of 'sender_', not the first.  Waits, awake, for the others. */
static void *
sender_main(void *sender_)
{
    struct sender *sender = sender_;
    struct rusage before, after;
    bool go = false;

    fb_cpus_bind(sender->number);
    atomic_count_inc(&sender->run->n_ready);
    while (!go) {
        atomic_read_explicit(&sender->run->go, &go, memory_order_acquire);
    }
    bool counted = !getrusage(RUSAGE_THREAD, &before);
    run_share(sender);
    if (counted && !getrusage(RUSAGE_THREAD, &after)) {
        sender->result.voluntary = after.ru_nvcsw - before.ru_nvcsw;
        sender->result.involuntary = after.ru_nivcsw - before.ru_nivcsw;
    }
    return NULL;
}

/* Starts the thread of 'sender'.  Signals are for the main thread.  Returns 0
 * or an errno. */
static int
start_thread(struct sender *sender)
{
    sigset_t all, old;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    int error = pthread_create(&sender->thread, NULL, sender_main, sender);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error;
}

/* Runs all threads of 'generator' for 'run' at once.  Returns 0 or the errno
 * with which one could not be started, or failed. */
static int
run_threads(struct fb_generator *generator, struct run *run)
{
    size_t n = 1;
    int error = 0;

    while (!error && n < generator->n) {
        error = start_thread(&generator->senders[n]);
        n += !error;
    }
    while (atomic_count_get(&run->n_ready) < n - 1) {
        sched_yield();
    }
    if (error) {
        /* Those that were started end at once. */
        run->duration_ns = 0;
    }
    atomic_store_explicit(&run->go, true, memory_order_release);
    run_share(&generator->senders[0]);
    for (size_t i = 1; i < n; i++) {
        pthread_join(generator->senders[i].thread, NULL);
    }
    for (size_t i = 0; !error && i < n; i++) {
        error = generator->senders[i].error;
    }
    return error;
}

/* Adds 'part', of one thread, to 'sum'. */
static void
add_result(struct fb_load_result *sum, const struct fb_load_result *part)
{
    sum->attempted += part->attempted;
    sum->accepted += part->accepted;
    sum->refused += part->refused;
    sum->refused_enobufs += part->refused_enobufs;
    sum->refused_eagain += part->refused_eagain;
    sum->refused_other += part->refused_other;
    sum->back += part->back;
    sum->new_flows += part->new_flows;
    sum->missed += part->missed;
    sum->late_max_ns = MAX(sum->late_max_ns, part->late_max_ns);
    sum->calls += part->calls;
    sum->idle_ns += part->idle_ns;
    sum->slept_ns += part->slept_ns;
    sum->voluntary += part->voluntary;
    sum->involuntary += part->involuntary;
    sum->start_ns = (sum->start_ns ? MIN(sum->start_ns, part->start_ns)
                     : part->start_ns);
    sum->end_ns = MAX(sum->end_ns, part->end_ns);
}

/* Lets 'generator' begin to send, if it is one that needs some time for that
 * and will send as fast as it goes; the next call must be fb_generator_run().
 * Returns 0 or an errno. */
int
fb_generator_start(struct fb_generator *generator)
{
    int error = 0;

    if (generator->engine && !generator->engine_started) {
        error = generator->engine_class->start(generator->engine);
        generator->engine_started = !error;
    }
    return error;
}

/* Has the engine of 'generator' send.  Otherwise like fb_generator_run(). */
static int
run_engine(struct fb_generator *generator, uint64_t duration_ns,
           const volatile sig_atomic_t *stop, struct fb_load_result *result)
{
    int error = fb_generator_start(generator);

    memset(result, 0, sizeof *result);
    if (!error) {
        error = generator->engine_class->finish(generator->engine,
                                                duration_ns, stop, result);
        generator->engine_started = false;
    }
    return error;
}

/* Has all threads of 'generator' send at once, each its share of what 'spec'
 * says, for 'duration_ns' ns, and stores what came of all together in
 * '*result': times in which they waited add up, and gaps are those of each
 * thread's own frames.  Otherwise like fb_load_run(); but an engine knows no
 * rate: EOPNOTSUPP. */
int
fb_generator_run(struct fb_generator *generator,
                 const struct fb_pace_spec *spec, uint64_t duration_ns,
                 const volatile sig_atomic_t *stop,
                 struct fb_load_result *result)
{
    struct run run = { .stop = stop, .duration_ns = duration_ns };

    if (generator->engine) {
        return (spec->rate ? EOPNOTSUPP
                : run_engine(generator, duration_ns, stop, result));
    }
    struct fb_hist *gaps = xmalloc(sizeof *gaps);
    for (size_t i = 0; i < generator->n; i++) {
        struct sender *sender = &generator->senders[i];

        sender->run = &run;
        sender->spec = *spec;
        sender->spec.first = i;
        sender->spec.step = generator->n;
        memset(&sender->result, 0, sizeof sender->result);
    }
    atomic_count_init(&run.n_ready, 0);
    atomic_init(&run.go, false);
    int error = run_threads(generator, &run);

    memset(result, 0, sizeof *result);
    fb_hist_init(gaps);
    for (size_t i = 0; i < generator->n; i++) {
        struct sender *sender = &generator->senders[i];

        add_result(result, &sender->result);
        fb_hist_merge(gaps, fb_load_gap_errors(sender->load));
    }
    fb_gap_get(gaps, &result->gap_error);
    free(gaps);
    return error;
}

/* Sends the next 'n' frames of 'generator', in turn, at 'rate' frames per
 * second, from the calling thread, also if this process is held up so that
 * they are late.  Returns 0 or an errno. */
int
fb_generator_send(struct fb_generator *generator, uint64_t n, uint64_t rate)
{
    const struct fb_pace_spec spec = { .rate = rate };

    while (n) {
        struct sender *sender = &generator->senders[generator->turn];
        uint64_t batch = sender->one_by_one ? 1 : n;
        struct fb_load_result result;

        int error = fb_load_run(sender->load, &spec, batch * NS_PER_S / rate,
                                NULL, &result);
        fatal_signal_run();
        if (error) {
            return error;
        }
        if (result.attempted) {
            generator->turn = (generator->turn + 1) % generator->n;
        }
        n -= MIN(n, result.attempted);
    }
    return 0;
}
