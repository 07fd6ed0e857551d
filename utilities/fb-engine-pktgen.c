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
#include "fb-engine.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fb-clock.h"
#include "fb-cpus.h"
#include "fb-load.h"
#include "fb-netns.h"
#include "fb-pktgen.h"
#include "svec.h"
#include "util.h"

/* pktgen has a folder in each network namespace.  The one of the calling
 * thread's namespace. */
#define PKTGEN_DIR "/proc/thread-self/net/pktgen"

/* That namespace. */
#define NETNS "/proc/thread-self/ns/net"

/* Most that pktgen says of a device. */
#define STATE_SIZE 4096

/* How often it is asked whether it has begun, or ended, and for how long: its
 * threads look for work ten times a second. */
#define POLL_NS (50 * 1000)
#define TIMEOUT_NS (5 * UINT64_C(1000000000))

/* After so long without an end it is told to stop once more.  It forgets that
 * it was told if that comes just while it begins. */
#define STOP_AGAIN_NS (200 * UINT64_C(1000000))

/* A device of pktgen, on the thread of one CPU. */
struct fb_engine {
    int thread_fd;              /* File of the thread. */
    int netns_fd;               /* Network namespace. */
    int device_fd;              /* File of the device. */
    pthread_t starter;          /* Waits in the kernel for the end of what it
                                 * has started; valid if... */
    bool started;               /* ...it runs, or its end was not waited
                                 * for. */
    uint64_t start_ns;          /* When it began, CLOCK_MONOTONIC. */
};

/* Opens the file 'name' of pktgen.  Returns a file descriptor, or -errno. */
static int
open_file(const char *name, int flags)
{
    char *path = xasprintf(PKTGEN_DIR"/%s", name);
    int fd = open(path, flags | O_CLOEXEC);
    int error = fd < 0 ? -errno : 0;

    free(path);
    return error ? error : fd;
}

/* Gives 'command' to the file open as 'fd'.  Returns 0 or an errno. */
static int
tell(int fd, const char *command)
{
    return write(fd, command, strlen(command)) < 0 ? errno : 0;
}

/* Gives 'command' to all threads of the namespace of 'engine'.  Which
 * namespace that is pktgen takes from the calling thread, not from the file.
 * Returns 0 or an errno. */
static int
control(const struct fb_engine *engine, const char *command)
{
    int old_fd;

    char *why = fb_netns_enter(engine->netns_fd, &old_fd);
    if (why) {
        free(why);
        return EPERM;
    }
    int fd = open_file("pgctrl", O_WRONLY);
    int error = fd < 0 ? -fd : tell(fd, command);
    if (fd >= 0) {
        close(fd);
    }
    fb_netns_leave(old_fd);
    return error;
}

/* Reads the state of 'engine'.  Returns 0 or an errno. */
static int
get_state(const struct fb_engine *engine, struct fb_pktgen_state *state)
{
    char text[STATE_SIZE];
    ssize_t n = pread(engine->device_fd, text, sizeof text - 1, 0);

    if (n < 0) {
        return errno;
    }
    text[n] = '\0';
    return fb_pktgen_parse(text, state) ? 0 : EPROTO;
}

/* Sleeps for 'ns', or until a signal comes. */
static void
doze(uint64_t ns)
{
    nanosleep(&(struct timespec) { .tv_sec = ns / 1000000000,
                                   .tv_nsec = ns % 1000000000 }, NULL);
}

/* Tells 'engine' to stop and waits until it has.  Stores what it says then in
 * '*state'.  Returns 0 or an errno. */
static int
stop_sending(struct fb_engine *engine, struct fb_pktgen_state *state)
{
    uint64_t begin = fb_clock_gettime_ns();
    uint64_t told = 0;

    for (;;) {
        uint64_t now = fb_clock_gettime_ns();
        int error = 0;

        if (!told || now - told > STOP_AGAIN_NS) {
            error = control(engine, "stop\n");
            told = now;
        }
        if (!error) {
            error = get_state(engine, state);
        }
        if (error || !state->running) {
            return error;
        } else if (now - begin > TIMEOUT_NS) {
            return ETIMEDOUT;
        }
        doze(POLL_NS);
    }
}

/* Waits for the thread that has started 'engine'.  In the kernel it looks ten
 * times a second whether all is over, which nobody else has to wait for. */
static void
join(struct fb_engine *engine)
{
    if (engine->started) {
        pthread_join(engine->starter, NULL);
        engine->started = false;
    }
}

/* The 'close' member of struct fb_engine_class.  pktgen forgets the device
 * when its interface goes, which is ours. */
static void
pktgen_close(struct fb_engine *engine)
{
    struct fb_pktgen_state state;

    if (engine->started) {
        stop_sending(engine, &state);
        join(engine);
    }
    if (engine->thread_fd >= 0) {
        close(engine->thread_fd);
    }
    if (engine->netns_fd >= 0) {
        close(engine->netns_fd);
    }
    if (engine->device_fd >= 0) {
        close(engine->device_fd);
    }
    free(engine);
}

/* Opens the files of 'engine', which is to send into 'ifname'.  Returns 0 or
 * an errno. */
static int
open_files(struct fb_engine *engine, const char *ifname)
{
    int cpu = fb_cpus_generator(0);
    char *name = xasprintf("kpktgend_%d", cpu < 0 ? sched_getcpu() : cpu);
    char *add = xasprintf("add_device %s\n", ifname);

    engine->netns_fd = open(NETNS, O_RDONLY | O_CLOEXEC);
    int error = engine->netns_fd < 0 ? errno : 0;
    engine->thread_fd = open_file(name, O_WRONLY);
    error = (error ? error
                 : engine->thread_fd < 0 ? -engine->thread_fd
                 : tell(engine->thread_fd, add));
    if (!error) {
        engine->device_fd = open_file(ifname, O_RDWR);
        error = engine->device_fd < 0 ? -engine->device_fd : 0;
    }
    free(add);
    free(name);
    return error;
}

/* The 'open' member of struct fb_engine_class. */
static int
pktgen_open(const struct fb_load_source *source, struct fb_engine **enginep)
{
    struct fb_engine *engine = xzalloc(sizeof *engine);
    struct svec commands = SVEC_EMPTY_INITIALIZER;

    engine->thread_fd = engine->device_fd = engine->netns_fd = -1;
    int error = open_files(engine, source->ifname);
    fb_pktgen_commands(&source->frames, &commands);
    for (size_t i = 0; !error && i < commands.n; i++) {
        char *line = xasprintf("%s\n", commands.names[i]);
        error = tell(engine->device_fd, line);
        free(line);
    }
    svec_destroy(&commands);
    if (error) {
        pktgen_close(engine);
        engine = NULL;
    }
    *enginep = engine;
    return error;
}

/* Starts 'engine_' and waits for its end. */
static void *
start_main(void *engine_)
{
    struct fb_engine *engine = engine_;

    control(engine, "start\n");
    return NULL;
}

/* Starts the thread that starts 'engine'.  Signals are for the main thread;
 * but the one that kills also ends what this thread has started.  Returns 0 or
 * an errno. */
static int
start_thread(struct fb_engine *engine)
{
    sigset_t all, old;

    join(engine);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    int error = pthread_create(&engine->starter, NULL, start_main, engine);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    engine->started = !error;
    return error;
}

/* The 'start' member of struct fb_engine_class. */
static int
pktgen_start(struct fb_engine *engine)
{
    uint64_t begin = fb_clock_gettime_ns();
    struct fb_pktgen_state state;

    int error = start_thread(engine);
    while (!error) {
        error = get_state(engine, &state);
        uint64_t now = fb_clock_gettime_ns();
        if (!error && state.running) {
            /* While it runs, its "stopped" is the present. */
            engine->start_ns = now - ((state.stopped_us - state.started_us)
                                      * 1000);
            return 0;
        } else if (now - begin > TIMEOUT_NS) {
            error = ETIMEDOUT;
        }
        doze(POLL_NS);
    }
    return error;
}

/* The 'finish' member of struct fb_engine_class. */
static int
pktgen_finish(struct fb_engine *engine, uint64_t duration_ns,
              const volatile sig_atomic_t *stop, struct fb_load_result *result)
{
    struct fb_pktgen_state state = { .sent = 0 };
    uint64_t passed;

    while ((passed = fb_clock_gettime_ns() - engine->start_ns) < duration_ns
           && !(stop && *stop)) {
        /* A signal that comes just before it sleeps does not wake it. */
        doze(MIN(duration_ns - passed, 100 * 1000 * 1000));
    }
    int error = stop_sending(engine, &state);

    memset(result, 0, sizeof *result);
    result->accepted = state.sent;
    result->refused = result->refused_other = state.errors;
    result->attempted = state.sent + state.errors;
    result->start_ns = engine->start_ns;
    result->end_ns = (engine->start_ns
                      + (state.stopped_us - state.started_us) * 1000);
    result->kernel_ns = result->end_ns - result->start_ns;
    return error ? error : stop && *stop ? EINTR : 0;
}

const struct fb_engine_class fb_engine_pktgen = {
    .module = "pktgen",
    .check = fb_pktgen_check,
    .open = pktgen_open,
    .close = pktgen_close,
    .start = pktgen_start,
    .finish = pktgen_finish,
};
