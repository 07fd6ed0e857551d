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

#include "fb-process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fatal-signal.h"
#include "fb-cpus.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/vlog.h"
#include "process.h"
#include "socket-util.h"
#include "timeval.h"
#include "util.h"

VLOG_DEFINE_THIS_MODULE(fb_process);

/* How long a daemon gets to end by itself, in ms. */
#define STOP_TIMEOUT_MS 3000

/* How often to look whether what a program waits for is there, in ms. */
#define SERVER_POLL_MS 200

/* Exit code of a child that could not become the program. */
#define EXIT_CANNOT_RUN 127

/* Open files that a program may have: an ovs-vswitchd has some for each port,
 * and does not raise its own limit, which often is 1,024. */
#define MAX_OPEN_FILES 65536

/* Raises the limit of open files to MAX_OPEN_FILES, or as far as this user
 * may. */
static void
raise_file_limit(void)
{
    struct rlimit limit;

    if (!getrlimit(RLIMIT_NOFILE, &limit)
        && limit.rlim_cur < MAX_OPEN_FILES) {
        struct rlimit wanted = {
            .rlim_cur = MAX_OPEN_FILES,
            .rlim_max = MAX(limit.rlim_max, MAX_OPEN_FILES),
        };
        if (setrlimit(RLIMIT_NOFILE, &wanted)) {
            limit.rlim_cur = limit.rlim_max;
            setrlimit(RLIMIT_NOFILE, &limit);
        }
    }
}

/* In the child: becomes the program in 'spec' with standard input, output and
 * error from the given file descriptors.  Does not return. */
static void OVS_NO_RETURN
exec_child(const struct fb_process_spec *spec, pid_t parent, int fds[3])
{
    sigset_t none;

    /* A parent that died before prctl() sends nothing. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent) {
        _exit(EXIT_CANNOT_RUN);
    }
    /* Ctrl-C is for us; we stop our children in order. */
    setpgid(0, 0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    fb_cpus_leave();
    raise_file_limit();

    for (int i = 0; i < 3; i++) {
        if (dup2(fds[i], i) < 0) {
            _exit(EXIT_CANNOT_RUN);
        }
    }
    if (spec->netns_fd >= 0 && setns(spec->netns_fd, CLONE_NEWNET)) {
        dprintf(STDERR_FILENO, "cannot enter network namespace (%s)\n",
                ovs_strerror(errno));
        _exit(EXIT_CANNOT_RUN);
    }
    for (const char *const *e = spec->env; e && *e; e++) {
        putenv(CONST_CAST(char *, *e));
    }
    execvp(spec->argv[0], (char *const *) spec->argv);
    dprintf(STDERR_FILENO, "cannot execute (%s)\n", ovs_strerror(errno));
    _exit(EXIT_CANNOT_RUN);
}

/* Forks a child for 'spec'.  Stores its process ID in '*pidp' and returns 0,
 * or returns a positive errno value. */
static int
spawn(const struct fb_process_spec *spec, int fds[3], pid_t *pidp)
{
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid < 0) {
        return errno;
    } else if (!pid) {
        exec_child(spec, parent, fds);
    }
    if (VLOG_IS_DBG_ENABLED()) {
        char *args = process_escape_args((char **) spec->argv);
        VLOG_DBG("started %s as process %ld", args, (long int) pid);
        free(args);
    }
    *pidp = pid;
    return 0;
}

/* Starts the program in 'spec' in the background and stores its process ID in
 * '*pidp'.  What it prints is appended to 'log_file'.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_process_start(const struct fb_process_spec *spec, const char *log_file,
                 pid_t *pidp)
{
    *pidp = 0;
    int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int log_fd = open(log_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
                      0644);
    int error = null_fd < 0 || log_fd < 0 ? errno : 0;
    if (!error) {
        int fds[3] = { null_fd, log_fd, log_fd };
        error = spawn(spec, fds, pidp);
    }
    if (null_fd >= 0) {
        close(null_fd);
    }
    if (log_fd >= 0) {
        close(log_fd);
    }
    return (error
            ? xasprintf("%s: cannot start (%s)", spec->argv[0],
                        ovs_strerror(error))
            : NULL);
}

/* Waits up to STOP_TIMEOUT_MS for the child 'pid' to end, which stays a
 * zombie. */
static void
wait_for_exit(pid_t pid)
{
    for (int i = 0; i < STOP_TIMEOUT_MS / 10; i++) {
        siginfo_t info = { .si_pid = 0 };

        if (waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT)
            || info.si_pid) {
            return;
        }
        nanosleep(&(struct timespec) { .tv_nsec = 10 * 1000 * 1000 }, NULL);
    }
}

/* Sends 'sig_nr' to the child 'pid' and to what it started in turn, as it does
 * if it is a script around the program. */
static void
kill_group(pid_t pid, int sig_nr)
{
    if (kill(-pid, sig_nr)) {
        /* It has no group of its own yet. */
        kill(pid, sig_nr);
    }
}

/* Ends the process '*pid', which fb_process_start() started, kindly at first,
 * and sets '*pid' to 0.  Does nothing if '*pid' is 0. */
void
fb_process_stop(pid_t *pid)
{
    if (*pid > 0) {
        kill_group(*pid, SIGTERM);
        wait_for_exit(*pid);
        kill_group(*pid, SIGKILL);
        waitpid(*pid, NULL, 0);
        *pid = 0;
    }
}

/* Returns a file descriptor to read 'text' from, or nothing if that is null;
 * or a negative errno value. */
static int
open_input(const char *text)
{
    if (!text) {
        int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
        return fd < 0 ? -errno : fd;
    }

    int fd = memfd_create("fb-input", MFD_CLOEXEC);
    if (fd < 0) {
        return -errno;
    }
    size_t written;
    int error = write_fully(fd, text, strlen(text), &written);
    if (error) {
        close(fd);
        return -error;
    }
    lseek(fd, 0, SEEK_SET);
    return fd;
}

/* Ends this process if a signal has come that asks for it, unless 'spec' is
 * part of what is done at its end. */
static void
heed_signals(const struct fb_process_spec *spec)
{
    if (!spec->undo) {
        fatal_signal_run();
    }
}

/* Returns how long to wait for output, in ms, for what ends at 'deadline' of
 * time_msec(), or never if that is 0, before something else is looked at; -1
 * for ever. */
static int
time_left(const struct fb_process_spec *spec, long long int deadline)
{
    int wait = spec->server ? SERVER_POLL_MS : INT_MAX;

    return (deadline ? MAX(MIN(deadline - time_msec(), wait), 0)
            : spec->server ? wait : -1);
}

/* Has process 'pid', which need be no child of ours, ended?  Until its parent
 * takes notice, it is there as a zombie. */
bool
fb_process_is_dead(pid_t pid)
{
    char *name = xasprintf("/proc/%ld/stat", (long int) pid);
    FILE *stream = fopen(name, "re");
    char line[256];
    const char *state = NULL;

    if (stream && fgets(line, sizeof line, stream)) {
        state = strrchr(line, ')');
    }
    if (stream) {
        fclose(stream);
    }
    free(name);
    return !state || !strncmp(state, ") Z", 3);
}

/* Is there no reason to wait any longer for the program in 'spec', which is to
 * end at 'deadline' as in time_left()? */
static bool
is_futile(const struct fb_process_spec *spec, long long int deadline)
{
    return ((deadline && time_msec() >= deadline)
            || (spec->server && fb_process_is_dead(spec->server)));
}

/* Reads 'fd', which the program in 'spec' writes to, to its end into 'ds'.
 * Returns false if the program takes too long, or what it waits for has
 * ended. */
static bool
read_all(const struct fb_process_spec *spec, int fd, struct ds *ds)
{
    struct pollfd pfd = { .fd = fd, .events = POLLIN };
    long long int deadline = (spec->timeout_s
                              ? time_msec() + spec->timeout_s * 1000LL : 0);
    char buf[4096];

    for (;;) {
        int retval = poll(&pfd, 1, time_left(spec, deadline));

        if (!retval && is_futile(spec, deadline)) {
            return false;
        } else if (!retval) {
            continue;
        }
        ssize_t n = retval < 0 ? -1 : read(fd, buf, sizeof buf);
        if (!n || (n < 0 && errno != EINTR)) {
            return true;
        }
        heed_signals(spec);
        if (n > 0) {
            ds_put_buffer(ds, buf, n);
        }
    }
}

/* Describes how the program in 'spec' failed, or returns NULL if it did not.
 * 'output' is what it printed. */
static char *
describe_failure(const struct fb_process_spec *spec, int status,
                 struct ds *output)
{
    if (WIFEXITED(status) && !WEXITSTATUS(status)) {
        return NULL;
    }
    char *how = process_status_msg(status);
    ds_chomp(output, '\n');
    char *error = xasprintf("%s: %s%s%s", spec->argv[0], how,
                            output->length ? ": " : "",
                            ds_cstr(output));
    free(how);
    return error;
}

/* Reads what the child 'pid', the program in 'spec', writes to 'fd' into
 * 'printed' and waits for it to end.  Returns NULL if it exited with 0,
 * otherwise a malloc()'d error message. */
static char *
await(const struct fb_process_spec *spec, pid_t pid, int fd,
      struct ds *printed)
{
    bool in_time = read_all(spec, fd, printed);
    int status = 0;

    if (!in_time) {
        kill_group(pid, SIGKILL);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        heed_signals(spec);
    }
    return (in_time ? describe_failure(spec, status, printed)
            : spec->server && fb_process_is_dead(spec->server)
            ? xasprintf("%s: process %ld, which it waits for, has ended",
                        spec->argv[0], (long int) spec->server)
            : xasprintf("%s: does not end, after %u s", spec->argv[0],
                        spec->timeout_s));
}

/* Runs the program in 'spec' and waits for it to end.  If 'output' is nonnull,
 * appends to it what the program printed, also to standard error.
 *
 * Returns NULL if the program exited with 0, otherwise a malloc()'d error
 * message with what it printed. */
char *
fb_process_run(const struct fb_process_spec *spec, struct ds *output)
{
    struct ds printed = DS_EMPTY_INITIALIZER;
    int pipe_fds[2];
    pid_t pid = 0;

    int in_fd = open_input(spec->input);
    if (in_fd < 0) {
        return xasprintf("%s: cannot prepare input (%s)", spec->argv[0],
                         ovs_strerror(-in_fd));
    }
    if (pipe2(pipe_fds, O_CLOEXEC)) {
        int error = errno;
        close(in_fd);
        return xasprintf("%s: cannot make a pipe (%s)", spec->argv[0],
                         ovs_strerror(error));
    }
    int fds[3] = { in_fd, pipe_fds[1], pipe_fds[1] };
    int retval = spawn(spec, fds, &pid);
    close(in_fd);
    close(pipe_fds[1]);

    char *error;
    if (retval) {
        error = xasprintf("%s: cannot start (%s)", spec->argv[0],
                          ovs_strerror(retval));
    } else {
        error = await(spec, pid, pipe_fds[0], &printed);
    }
    close(pipe_fds[0]);

    if (output && printed.length) {
        ds_put_buffer(output, printed.string, printed.length);
    }
    ds_destroy(&printed);
    return error;
}
