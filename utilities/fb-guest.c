/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

#include <config.h>

#include "fb-guest.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fb-guest-kind.h"
#include "fb-guest-spec.h"
#include "fb-keeper.h"
#include "fb-relay.h"
#include "fb-tail.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/poll-loop.h"
#include "openvswitch/vlog.h"
#include "process.h"
#include "socket-util.h"
#include "svec.h"
#include "timeval.h"
#include "util.h"

VLOG_DEFINE_THIS_MODULE(fb_guest);

/* Below the caller's folder, what is ours; and in it, besides what
 * fb-guest-spec.h names, the keeper's file. */
#define GUEST_DIR "guest"
#define GUEST_PIDFILE "pid"

/* Longest name of the caller's folder.  The guest's kernel cuts the names of
 * its own folder, below ours, at 255 bytes, and would make one elsewhere. */
#define MAX_RUNDIR 240

/* A guest that has reported the exit code may take so long to end, in ms. */
#define END_PATIENCE_MS (10 * 1000)

/* Lines of the console in the message of an error. */
#define CONSOLE_LINES 40

/* A guest that runs. */
struct guest {
    const struct fb_guest_config *config;
    char *dir;                  /* Our folder, below the caller's. */
    bool made_dir;              /* Is it ours to delete? */
    struct fb_guest_kernel kernel; /* What it boots. */
    struct svec argv;           /* The kernel's command line. */
    struct svec envp;           /* The kernel's environment. */
    struct fb_relay out;        /* The program's stdout. */
    struct fb_relay err;        /* The program's stderr. */
    int status_fd;              /* The program's status. */
    int inotify_fd;             /* Tells when the guest wrote something. */
    int console_fd;             /* Reading end of the console, a pipe. */
    struct fb_tail console;     /* The last of what came from it. */
    int signal_fd;              /* Signals that end us. */
    sigset_t old_mask;          /* Signal mask to return to. */
    struct fb_keeper keeper;    /* The guest's processes. */

    /* What happened. */
    bool up;                    /* The program was started. */
    bool exited;                /* The exit code is known. */
    int exit_code;              /* The program's, or 128 + a signal. */
    char *failure;              /* The init's complaint, or NULL. */
};

/* Getting ready. */

/* Returns the file name of 'name' in the guest's folder, for the caller to
 * free. */
static char *
guest_file(const struct guest *guest, const char *name)
{
    return xasprintf("%s/%s", guest->dir, name);
}

/* Is the variable 's', "NAME=VALUE", one that the guest's program gets? */
static bool
is_passed(const char *s)
{
    static const char *const names[] = {
        "PATH=", "HOME=", "USER=", "LOGNAME=", "TERM=", "COLUMNS=", "LINES=",
        "LANG=", "LC_", "TZ=", "OVS_", "FANBENCH_", "LD_LIBRARY_PATH=",
        "ASAN_OPTIONS=", "UBSAN_OPTIONS=", "TSAN_OPTIONS=", "LSAN_OPTIONS=",
    };

    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        if (!strncmp(s, names[i], strlen(names[i]))) {
            return strncmp(s, FB_GUEST_VARIABLE "=",
                           strlen(FB_GUEST_VARIABLE "="));
        }
    }
    return false;
}

/* Writes what the guest's init wants to know.  Returns 0 or a positive errno
 * value. */
static int
write_spec(const struct guest *guest)
{
    struct fb_guest_spec spec;
    int error;

    fb_guest_spec_init(&spec);
    spec.cwd = get_cwd();
    spec.modules = xstrdup(guest->kernel.modules);
    spec.kind = xstrdup(guest->config->kind->name);
    spec.emulated = (guest->kernel.emulated
                     || guest->config->machine.counts);
    spec.progress = guest->config->progress;
    for (char **p = guest->config->argv; *p; p++) {
        svec_add(&spec.args, *p);
    }
    for (char **p = environ; *p; p++) {
        if (is_passed(*p)) {
            svec_add(&spec.env, *p);
        }
    }
    error = spec.cwd ? fb_guest_spec_write(&spec, guest->dir) : ENOENT;
    fb_guest_spec_destroy(&spec);
    return error;
}

/* Makes the link by which the guest's kernel finds this program, whatever
 * its name is.  Returns 0 or a positive errno value. */
static int
link_init(const struct guest *guest)
{
    char exe[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe);
    int error = n < 0 ? errno : n == sizeof exe ? ENAMETOOLONG : 0;

    if (!error) {
        char *link = guest_file(guest, FB_GUEST_INIT);

        exe[n] = '\0';
        error = symlink(exe, link) ? errno : 0;
        free(link);
    }
    return error;
}

/* Makes the files through which the guest's program speaks.  Returns 0 or a
 * positive errno value. */
static int
open_channels(struct guest *guest)
{
    char *out = guest_file(guest, FB_GUEST_STDOUT);
    char *err = guest_file(guest, FB_GUEST_STDERR);
    char *status = guest_file(guest, FB_GUEST_STATUS);
    int error = fb_relay_open(&guest->out, out, STDOUT_FILENO);

    if (!error) {
        error = fb_relay_open(&guest->err, err, STDERR_FILENO);
    }
    if (!error) {
        guest->status_fd = open(status,
                                O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        guest->inotify_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
        if (guest->status_fd < 0 || guest->inotify_fd < 0
            || inotify_add_watch(guest->inotify_fd, out, IN_MODIFY) < 0
            || inotify_add_watch(guest->inotify_fd, err, IN_MODIFY) < 0
            || inotify_add_watch(guest->inotify_fd, status, IN_MODIFY) < 0) {
            error = errno;
        }
    }
    free(out);
    free(err);
    free(status);
    return error;
}

/* Blocks the signals that would end this process, except those that it
 * ignores, and has 'guest->signal_fd' tell of them. */
static int
divert_signals(struct guest *guest)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
        struct sigaction action;

        if (!sigaction(signals[i], NULL, &action)
            && action.sa_handler != SIG_IGN) {
            sigaddset(&set, signals[i]);
        }
    }
    sigprocmask(SIG_BLOCK, &set, &guest->old_mask);
    guest->signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    return guest->signal_fd < 0 ? errno : 0;
}

/* Starts the guest's kernel.  Returns 0 or a positive errno value. */
static int
boot(struct guest *guest)
{
    char *pidfile = guest_file(guest, GUEST_PIDFILE);
    int fds[2];
    int error;

    if (pipe2(fds, O_CLOEXEC)) {
        error = errno;
    } else {
        guest->console_fd = fds[0];
        set_nonblocking(fds[0]);
        error = fb_keeper_start(&guest->keeper, guest->argv.names,
                                guest->envp.names, fds[1], pidfile);
        close(fds[1]);
    }
    free(pidfile);
    return error;
}

/* Checks the caller's wishes.  Returns 0 or, after setting '*errorp', a
 * positive errno value. */
static int
check_config(const struct fb_guest_config *config, char **errorp)
{
    const struct fb_guest_machine *machine = &config->machine;
    const char *rundir = config->rundir;

    /* A kernel's command line is words, of limited length in all. */
    if (rundir[0] != '/' || strpbrk(rundir, " \t\n\"")) {
        *errorp = xasprintf("%s: the guest needs a working folder with an "
                            "absolute name and no white space or quotation "
                            "mark in it (see OVS_FANBENCH_RUNDIR)", rundir);
        return EINVAL;
    } else if (strlen(rundir) > MAX_RUNDIR) {
        *errorp = xasprintf("%s: this name is too long for the guest's "
                            "working folder (see OVS_FANBENCH_RUNDIR)",
                            rundir);
        return ENAMETOOLONG;
    } else if (machine->mem_mb < 64) {
        *errorp = xasprintf("%u MiB of memory are too few for the guest, "
                            "which needs 64 at least", machine->mem_mb);
        return EINVAL;
    } else if (machine->n_cpus < 1
               || machine->n_cpus > config->kind->max_cpus) {
        *errorp = xasprintf("%u CPUs: a %s guest can have 1 to %u",
                            machine->n_cpus, config->kind->title,
                            config->kind->max_cpus);
        return EINVAL;
    } else if (machine->counts
               && (!config->kind->can_count || machine->n_cpus > 1)) {
        *errorp = xasprintf("the clock of a %s guest with %u CPUs cannot "
                            "count instructions", config->kind->title,
                            machine->n_cpus);
        return EINVAL;
    }
    return 0;
}

/* Makes all that 'guest' needs before it can boot.  Returns 0 or, after
 * setting '*errorp', a positive errno value. */
static int
prepare(struct guest *guest, char **errorp)
{
    const struct fb_guest_kind *kind = guest->config->kind;
    int error = check_config(guest->config, errorp);

    if (error) {
        return error;
    }
    error = kind->find(&guest->kernel, errorp);
    if (error) {
        return error;
    }

    if (mkdir(guest->dir, 0700)) {
        error = errno;
        *errorp = xasprintf("%s: %s", guest->dir, ovs_strerror(error));
        return error;
    }
    guest->made_dir = true;
    error = kind->prepare(&guest->kernel, &guest->config->machine, guest->dir,
                          &guest->argv, &guest->envp, errorp);
    if (error) {
        return error;
    }

    error = write_spec(guest);
    if (!error) {
        error = link_init(guest);
    }
    if (!error) {
        error = open_channels(guest);
    }
    if (error) {
        *errorp = xasprintf("%s: cannot prepare the guest (%s)", guest->dir,
                            ovs_strerror(error));
    }
    return error;
}

/* Running. */

/* Takes in what came from the guest's console. */
static void
read_console(struct guest *guest)
{
    char buffer[4096];
    ssize_t n;

    while ((n = read(guest->console_fd, buffer, sizeof buffer)) > 0) {
        fb_tail_append(&guest->console, buffer, n);
        VLOG_DBG("console: %.*s", (int) n, buffer);
    }
}

/* Takes in what the guest's init reported, once its line is complete. */
static void
read_status(struct guest *guest)
{
    char text[4096];
    char *save_ptr = NULL;
    ssize_t n = pread(guest->status_fd, text, sizeof text - 1, 0);

    if (n <= 0 || text[n - 1] != '\n') {
        return;
    }
    text[n] = '\0';
    for (char *line = strtok_r(text, "\n", &save_ptr); line;
         line = strtok_r(NULL, "\n", &save_ptr)) {
        if (!strcmp(line, FB_GUEST_UP)) {
            guest->up = true;
        } else if (!strncmp(line, FB_GUEST_EXIT, strlen(FB_GUEST_EXIT))) {
            guest->exited = true;
            guest->exit_code = atoi(line + strlen(FB_GUEST_EXIT));
        } else if (!strncmp(line, FB_GUEST_FAIL, strlen(FB_GUEST_FAIL))
                   && !guest->failure) {
            guest->failure = xstrdup(line + strlen(FB_GUEST_FAIL));
        }
    }
}

/* Takes in all that there is from the guest, and passes on its output.
 * Returns 0 or a positive errno value, EPIPE if our own output is gone. */
static int
exchange(struct guest *guest)
{
    char events[4096];
    int out_error, err_error;

    while (read(guest->inotify_fd, events, sizeof events) > 0) {
        continue;
    }
    read_console(guest);
    read_status(guest);
    out_error = fb_relay_run(&guest->out);
    err_error = fb_relay_run(&guest->err);
    return out_error ? out_error : err_error;
}

/* Returns the time, as time_msec() has it, until which the guest is given, or
 * LLONG_MAX.  'start' is when it was booted. */
static long long int
get_deadline(const struct guest *guest, long long int start)
{
    long long int booted = start + guest->config->kind->boot_s * 1000LL;
    long long int deadline = LLONG_MAX;

    if (guest->config->timeout_s) {
        deadline = start + guest->config->timeout_s * 1000LL;
    }
    return guest->up ? deadline : MIN(deadline, booted);
}

/* Returns the number of a signal that wants to end us, or 0. */
static int
get_signal(const struct guest *guest)
{
    struct signalfd_siginfo info;

    return (read(guest->signal_fd, &info, sizeof info) == sizeof info
            ? info.ssi_signo : 0);
}

/* Serves the guest until it has ended, or a deadline, a signal, or the loss
 * of our own output ends its time.  Returns 0 or a positive errno value,
 * ETIMEDOUT for the deadline.  A signal counts as exit. */
static int
serve(struct guest *guest)
{
    long long int start = time_msec();
    long long int exited = LLONG_MAX;

    for (;;) {
        bool done = fb_keeper_is_done(&guest->keeper);
        int error = exchange(guest);
        int sig = error == EPIPE ? SIGPIPE : get_signal(guest);

        if (sig) {
            guest->exited = true;
            guest->exit_code = 128 + sig;
            return 0;
        } else if (error) {
            return error;
        } else if (done && !fb_relay_is_pending(&guest->out)
                   && !fb_relay_is_pending(&guest->err)) {
            return 0;
        }

        if (!done) {
            if (guest->exited && exited == LLONG_MAX) {
                exited = time_msec();
            }
            long long int deadline = (guest->exited
                                      ? exited + END_PATIENCE_MS
                                      : get_deadline(guest, start));
            if (time_msec() >= deadline) {
                if (!guest->exited) {
                    return ETIMEDOUT;
                }
                fb_keeper_kill(&guest->keeper);
            } else if (deadline != LLONG_MAX) {
                poll_timer_wait_until(deadline);
            }
            poll_fd_wait(guest->inotify_fd, POLLIN);
            poll_fd_wait(guest->console_fd, POLLIN);
            fb_keeper_wait(&guest->keeper);
        }
        fb_relay_wait(&guest->out);
        fb_relay_wait(&guest->err);
        poll_fd_wait(guest->signal_fd, POLLIN);
        poll_block();
    }
}

/* Returns what to tell the user of 'error', for the caller to free.
 * 'wstatus' is how the kernel's first process ended. */
static char *
explain(const struct guest *guest, int error, int wstatus)
{
    struct ds ds = DS_EMPTY_INITIALIZER;

    if (guest->up && error != ETIMEDOUT && error != EIO) {
        /* What failed then is passing on the output. */
        return xasprintf("the output cannot be written (%s)",
                         ovs_strerror(error));
    } else if (guest->failure) {
        ds_put_format(&ds, "the guest could not start the program: %s",
                      guest->failure);
    } else if (error == ETIMEDOUT && !guest->up) {
        ds_put_cstr(&ds, "the guest did not boot in time and was killed");
    } else if (error == ETIMEDOUT) {
        ds_put_format(&ds, "the guest did not finish within %u s and was "
                      "killed", guest->config->timeout_s);
    } else if (error != EIO) {
        ds_put_format(&ds, "cannot run the guest (%s)", ovs_strerror(error));
    } else {
        char *how = process_status_msg(wstatus);

        ds_put_format(&ds, "the guest ended %s (%s: %s)",
                      guest->up ? "before the program did"
                      : "before it could start the program",
                      guest->kernel.program, how);
        free(how);
    }
    if (guest->console.text.length) {
        ds_put_cstr(&ds, "\nlast lines of the guest's console:\n");
        fb_tail_format(&guest->console, CONSOLE_LINES, "  ", &ds);
        ds_chomp(&ds, '\n');
    }
    return ds_steal_cstr(&ds);
}

/* Boots the prepared 'guest', and sees to it until nothing is left of it.
 * Returns 0 or, after setting '*errorp', a positive errno value. */
static int
boot_and_serve(struct guest *guest, char **errorp)
{
    int error, wstatus;

    error = divert_signals(guest);
    if (!error) {
        error = boot(guest);
    }
    if (error) {
        *errorp = explain(guest, error, 0);
        return error;
    }

    error = serve(guest);
    int stop_error = fb_keeper_stop(&guest->keeper, &wstatus);
    read_console(guest);
    if (!error && !guest->exited) {
        error = EIO;
    }
    if (error) {
        *errorp = explain(guest, error, wstatus);
    } else if (stop_error) {
        error = stop_error;
        *errorp = xasprintf("the guest's processes cannot be ended (%s)",
                            ovs_strerror(error));
    }
    return error;
}

/* Deletes one file or empty folder, for nftw(). */
static int
remove_one(const char *name, const struct stat *s OVS_UNUSED,
           int type OVS_UNUSED, struct FTW *ftw OVS_UNUSED)
{
    return remove(name) && errno != ENOENT ? errno : 0;
}

/* Deletes 'dir' and all in it.  Returns 0, also if it is not there, or a
 * positive errno value. */
static int
remove_dir(const char *dir)
{
    int retval = nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);

    return retval >= 0 ? retval : errno == ENOENT ? 0 : errno;
}

/* Returns the signal mask to what it was and frees what 'guest' holds. */
static void
destroy(struct guest *guest)
{
    const int fds[] = {
        guest->status_fd, guest->inotify_fd, guest->console_fd,
        guest->signal_fd,
    };

    /* A signal that came twice has been answered once. */
    if (guest->signal_fd >= 0) {
        while (get_signal(guest)) {
            continue;
        }
        sigprocmask(SIG_SETMASK, &guest->old_mask, NULL);
    }
    for (size_t i = 0; i < ARRAY_SIZE(fds); i++) {
        if (fds[i] >= 0) {
            close(fds[i]);
        }
    }
    fb_relay_close(&guest->out);
    fb_relay_close(&guest->err);
    fb_tail_destroy(&guest->console);
    svec_destroy(&guest->argv);
    svec_destroy(&guest->envp);
    free(guest->failure);
    fb_guest_kernel_destroy(&guest->kernel);
    free(guest->dir);
}

/* Boots a guest, runs the command line 'config->argv' of this program in it,
 * and waits for its end.  What the program writes goes to our stdout and
 * stderr.
 *
 * Returns 0 and stores the program's exit code in '*exit_code'; it is 128
 * plus the signal's number if a signal ended the program, or asked this
 * process to end, which ends the guest.
 *
 * If there is no exit code, returns a positive errno value and stores in
 * '*errorp' a message of one or more lines, for the caller to print and free:
 * ETIMEDOUT at the deadline, EIO if the guest crashed, ENOENT if what
 * such a guest needs is missing.
 *
 * In all cases nothing is left of the guest.  If this process is killed, the
 * guest ends within a second, and fb_guest_cleanup() deletes its files. */
int
fb_guest_run(const struct fb_guest_config *config, int *exit_code,
             char **errorp)
{
    struct guest guest = {
        .config = config,
        .dir = xasprintf("%s/%s", config->rundir, GUEST_DIR),
        .argv = SVEC_EMPTY_INITIALIZER,
        .envp = SVEC_EMPTY_INITIALIZER,
        .out = { .in = -1 },
        .err = { .in = -1 },
        .status_fd = -1,
        .inotify_fd = -1,
        .console_fd = -1,
        .signal_fd = -1,
    };
    int error;

    *errorp = NULL;
    fb_tail_init(&guest.console);
    error = prepare(&guest, errorp);
    if (!error) {
        error = boot_and_serve(&guest, errorp);
    }
    if (guest.made_dir) {
        remove_dir(guest.dir);
    }
    *exit_code = guest.exit_code;
    destroy(&guest);
    return error;
}

/* Ends the guest that a fb_guest_run() with 'rundir' has left behind, if any,
 * and deletes its files, but not 'rundir'.  Does nothing if there is none.
 * Returns 0 or a positive errno value: EPERM if it belongs to another user,
 * ETIMEDOUT if its processes do not end. */
int
fb_guest_cleanup(const char *rundir)
{
    char *dir = xasprintf("%s/%s", rundir, GUEST_DIR);
    char *pidfile = xasprintf("%s/%s", dir, GUEST_PIDFILE);
    int error = fb_keeper_cleanup(pidfile);

    if (!error) {
        error = remove_dir(dir);
    }
    free(pidfile);
    free(dir);
    return error;
}
