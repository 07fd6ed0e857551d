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

#include "fb-spinner.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fb-clock.h"
#include "fb-idle.h"
#include "ovs-atomic.h"
#include "util.h"

/* The floor is the least that is seen in use over this many periods of this
 * length, in ns. */
#define FLOOR_PERIODS 10
#define FLOOR_PERIOD_NS (5 * 1000 * 1000)

/* Time, in ns, in which a thread on a CPU that nobody uses has woken up. */
#define WAKE_NS (300 * 1000)

/* After so many looks at the clock, some ten microseconds, a thread yields the
 * CPU.  Linux lets a thread that runs, even one with SCHED_IDLE, have its
 * slice of some milliseconds before others that wake up (since EEVDF, 6.6; in
 * 6.18 ovs-vswitchd's main thread was seen to wait for 4 ms at the beginning
 * of each trial, until its ports were full). */
#define LOOKS_PER_YIELD 128

/* The nice value of the threads.  It does not change what they get, but what
 * /proc/stat books it as: as "nice", and not as "user". */
#define SPINNER_NICE 19

/* One thread.  No two of them share a cache line. */
struct spin_thread {
    PADDED_MEMBERS(CACHE_LINE_SIZE,
        pthread_t thread;
        int cpu;                /* The CPU that it is bound to. */
        int error;              /* Positive errno if it could not begin. */
        sem_t ready;            /* Posted once 'error' is known. */
        sem_t wake;             /* Posted to have it look at 'running'. */
        atomic_bool running;    /* Written by the main thread only. */
        atomic_bool leaving;    /* Likewise. */
        atomic_uint64_t spare;  /* Ticks that it got, written by itself. */
    );
};

/* The threads of all CPUs. */
struct fb_spinner {
    struct spin_thread *threads;
    size_t n;                   /* Number of them, one a CPU. */
    double floor;               /* See fb_spinner_floor(). */
};

/* Reads the clock, not too eagerly: another thread may share the core. */
static uint64_t
paused_clock(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
    return fb_clock_ticks();
}

/* Reads the clock after whoever waits for the CPU had it. */
static uint64_t
yielded_clock(void)
{
    sched_yield();
    return fb_clock_ticks();
}

/* Looks at the clock until 'st->running' becomes false.  'yield_gap' is
 * fb_idle_get_gap() of yielded_clock(). */
static void
spin(struct spin_thread *st, struct fb_idle *idle, uint64_t yield_gap)
{
    unsigned int n_looks = 0;
    bool running;

    fb_idle_work(idle);
    for (;;) {
        atomic_read_relaxed(&st->running, &running);
        if (!running) {
            break;
        }
        if (++n_looks % LOOKS_PER_YIELD) {
            fb_idle_look(idle, paused_clock());
        } else {
            fb_idle_look_within(idle, yielded_clock(), yield_gap);
        }
        atomic_store_relaxed(&st->spare, idle->total);
    }
}

/* Binds the calling thread to CPU 'cpu' and gives it the lowest priority.
 * Returns 0 or a positive errno. */
static int
become_idle(int cpu)
{
    struct sched_param param = { .sched_priority = 0 };
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set)
        || setpriority(PRIO_PROCESS, syscall(SYS_gettid), SPINNER_NICE)
        || sched_setscheduler(0, SCHED_IDLE, &param)) {
        return errno;
    }
    return 0;
}

/* A thread.  It takes no lock that the main thread might wait for: with its
 * priority it could hold it for long. */
static void *
spin_main(void *st_)
{
    struct spin_thread *st = st_;
    struct fb_idle idle;
    bool leaving = false;

    uint64_t yield_gap = fb_idle_get_gap(yielded_clock);
    fb_idle_init(&idle, paused_clock);
    st->error = become_idle(st->cpu);
    sem_post(&st->ready);
    while (!leaving && !st->error) {
        if (!sem_wait(&st->wake)) {
            spin(st, &idle, yield_gap);
        }
        atomic_read_relaxed(&st->leaving, &leaving);
    }
    return NULL;
}

/* Starts the thread 'st' for CPU 'cpu'.  Returns 0 or a positive errno, and
 * then there is no thread. */
static int
start_thread(struct spin_thread *st, int cpu)
{
    sigset_t all, old;

    st->cpu = cpu;
    sem_init(&st->wake, 0, 0);
    sem_init(&st->ready, 0, 0);
    atomic_init(&st->running, false);
    atomic_init(&st->leaving, false);
    atomic_init(&st->spare, 0);

    /* Signals are for the main thread. */
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    int error = pthread_create(&st->thread, NULL, spin_main, st);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (!error) {
        while (sem_wait(&st->ready)) {
            continue;
        }
        error = st->error;
        if (error) {
            pthread_join(st->thread, NULL);
        }
    }
    if (error) {
        sem_destroy(&st->wake);
        sem_destroy(&st->ready);
    }
    return error;
}

/* Finds the least share of the CPUs that is in use when nothing is done. */
static void
find_floor(struct fb_spinner *spinner)
{
    spinner->floor = 1;
    fb_spinner_start(spinner);
    for (int i = 0; i < FLOOR_PERIODS; i++) {
        uint64_t spare = fb_spinner_spare_ns(spinner);
        uint64_t start = fb_clock_gettime_ns();
        xnanosleep(FLOOR_PERIOD_NS);
        double period = fb_clock_gettime_ns() - start;
        double share = (fb_spinner_spare_ns(spinner) - spare) / period
                       / spinner->n;
        spinner->floor = MIN(spinner->floor, MAX(1 - share, 0));
    }
    fb_spinner_stop(spinner);
}

/* Starts a thread for each CPU in 'cpus', which may be none, and has them look
 * at the machine for some 50 ms, in which it should have nothing else to do.
 * Stores them in '*spinnerp', for the caller to destroy with
 * fb_spinner_destroy().
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_spinner_create(const cpu_set_t *cpus, struct fb_spinner **spinnerp)
{
    struct fb_spinner *spinner = xzalloc(sizeof *spinner);

    fb_clock_init(FB_CLOCK_AUTO);
    spinner->threads = xzalloc_cacheline(MAX(CPU_COUNT(cpus), 1)
                                         * sizeof *spinner->threads);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, cpus)) {
            int error = start_thread(&spinner->threads[spinner->n], cpu);
            if (error) {
                fb_spinner_destroy(spinner);
                *spinnerp = NULL;
                return xasprintf("cannot watch CPU %d (%s)", cpu,
                                 ovs_strerror(error));
            }
            spinner->n++;
        }
    }
    if (spinner->n) {
        find_floor(spinner);
    }
    *spinnerp = spinner;
    return NULL;
}

/* Ends all threads of 'spinner', which may be null, and frees it. */
void
fb_spinner_destroy(struct fb_spinner *spinner)
{
    if (!spinner) {
        return;
    }
    for (size_t i = 0; i < spinner->n; i++) {
        struct spin_thread *st = &spinner->threads[i];
        atomic_store_relaxed(&st->running, false);
        atomic_store_relaxed(&st->leaving, true);
        sem_post(&st->wake);
        pthread_join(st->thread, NULL);
        sem_destroy(&st->wake);
        sem_destroy(&st->ready);
    }
    free_cacheline(spinner->threads);
    free(spinner);
}

/* Has all threads of 'spinner' run from now on, and gives them the time to
 * begin. */
void
fb_spinner_start(struct fb_spinner *spinner)
{
    for (size_t i = 0; i < spinner->n; i++) {
        atomic_store_relaxed(&spinner->threads[i].running, true);
        sem_post(&spinner->threads[i].wake);
    }
    if (spinner->n) {
        xnanosleep(WAKE_NS);
    }
}

/* Has all threads of 'spinner' sleep.  One whose CPU is in use notices that
 * later, and runs no more then. */
void
fb_spinner_stop(struct fb_spinner *spinner)
{
    for (size_t i = 0; i < spinner->n; i++) {
        atomic_store_relaxed(&spinner->threads[i].running, false);
    }
}

/* Returns the number of CPUs that 'spinner' watches. */
size_t
fb_spinner_n_cpus(const struct fb_spinner *spinner)
{
    return spinner->n;
}

/* Returns the share of the watched CPUs, from 0 to 1, that was in use when
 * nothing was done: the clock's zero.  Timer interrupts are in it, and what a
 * hypervisor takes. */
double
fb_spinner_floor(const struct fb_spinner *spinner)
{
    return spinner->n ? spinner->floor : 0;
}

/* Returns the time, in ns, that nobody else wanted on all watched CPUs
 * together, since 'spinner' was created and while it ran. */
uint64_t
fb_spinner_spare_ns(const struct fb_spinner *spinner)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < spinner->n; i++) {
        uint64_t spare;
        atomic_read_relaxed(&spinner->threads[i].spare, &spare);
        sum += spare;
    }
    return fb_clock_to_ns(sum);
}

/* Returns the CPU time, in ns, that the kernel says the threads of 'spinner'
 * have had. */
uint64_t
fb_spinner_used_ns(const struct fb_spinner *spinner)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < spinner->n; i++) {
        struct timespec ts;
        clockid_t clock;
        if (!pthread_getcpuclockid(spinner->threads[i].thread, &clock)
            && !clock_gettime(clock, &ts)) {
            sum += ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
        }
    }
    return sum;
}
