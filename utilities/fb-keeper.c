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

#include "fb-keeper.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fatal-signal.h"
#include "fb-ignore.h"
#include "openvswitch/poll-loop.h"
#include "socket-util.h"
#include "timeval.h"
#include "util.h"

/* How long killed processes may take to vanish, in ms. */
#define KILL_PATIENCE_MS 5000

/* Sleeps for 10 ms. */
static void
nap(void)
{
    struct timespec ts = { .tv_nsec = 10 * 1000 * 1000 };

    nanosleep(&ts, NULL);
}

/* The kept program's first process: becomes 'argv'.  Its parent is
 * 'keeper'. */
static OVS_NO_RETURN void
become_program(char **argv, char **envp, int output_fd, pid_t keeper)
{
    struct rlimit no_core = { 0, 0 };
    sigset_t none;
    int null;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != keeper) {
        _exit(127);
    }
    setrlimit(RLIMIT_CORE, &no_core);

    null = open("/dev/null", O_RDWR);
    dup2(null, STDIN_FILENO);
    dup2(output_fd, STDOUT_FILENO);
    dup2(output_fd, STDERR_FILENO);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(argv[0], argv, envp);

    dprintf(STDERR_FILENO, "%s: %s\n", argv[0], ovs_strerror(errno));
    _exit(127);
}

/* Sends SIGKILL to all direct children of this process. */
static void
kill_children(void)
{
    char *name = xasprintf("/proc/self/task/%ld/children", (long) getpid());
    FILE *stream = fopen(name, "re");
    long pid;

    free(name);
    if (stream) {
        while (fscanf(stream, "%ld", &pid) == 1 && pid > 0) {
            kill(pid, SIGKILL);
        }
        fclose(stream);
    }
}

/* Reaps children until none is left (returns true) or none has ended yet
 * (returns false).  Stores how 'program' ended in '*wstatus' if it is among
 * them and sets '*ended'. */
static bool
reap_children(pid_t program, int *wstatus, bool *ended)
{
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG);

        if (pid == program) {
            *wstatus = status;
            *ended = true;
        } else if (pid < 0) {
            return errno == ECHILD;
        } else if (!pid) {
            return false;
        }
    }
}

/* Waits for the program to end, or for SIGTERM, and then for the end of all
 * that is left of it.  Returns how the program ended. */
static int
keep(pid_t program, const sigset_t *signals)
{
    bool ended = false;
    int wstatus = 0;

    do {
        int sig = sigwaitinfo(signals, NULL);

        if (sig == SIGCHLD) {
            reap_children(program, &wstatus, &ended);
        } else if (sig > 0) {
            break;
        }
    } while (!ended);

    /* What was orphaned has become our child, in whatever group it is. */
    for (int i = 0; i < KILL_PATIENCE_MS / 10; i++) {
        if (!ended) {
            kill(-program, SIGKILL);
        }
        kill_children();
        if (reap_children(program, &wstatus, &ended)) {
            break;
        }
        nap();
    }
    return wstatus;
}

/* Creates 'pidfile' and locks it for this process.  Returns a descriptor that
 * holds the lock or a negative errno value. */
static int
lock_pidfile(const char *pidfile)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    int fd = open(pidfile, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (fd < 0 || fcntl(fd, F_SETLK, &lock)) {
        return -errno;
    }
    return fd;
}

/* The keeper's main function.  Writes the errno value of the start, and then
 * the wait status of the program to 'fd'. */
static OVS_NO_RETURN void
keeper_main(char **argv, char **envp, int output_fd, const char *pidfile,
            int fd, pid_t parent)
{
    pid_t self = getpid();
    sigset_t signals;
    int lock_fd, null, report;
    pid_t program;

    setsid();
    fb_ignore(chdir("/"));
    prctl(PR_SET_NAME, "fb-keeper");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGTERM);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) {
        _exit(1);
    }

    /* Whoever reads what the caller writes must see its end with it. */
    null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);

    lock_fd = lock_pidfile(pidfile);
    report = lock_fd < 0 ? -lock_fd : 0;
    program = report ? -1 : fork();
    if (!program) {
        become_program(argv, envp, output_fd, self);
    } else if (program < 0 && !report) {
        report = errno;
    }
    close(output_fd);
    if (!report) {
        setpgid(program, program);
        dprintf(lock_fd, "%ld %s\n", (long) program, argv[0]);
    }
    fb_ignore(write(fd, &report, sizeof report));
    if (!report) {
        report = keep(program, &signals);
        fb_ignore(write(fd, &report, sizeof report));
    }
    _exit(0);
}

/* Starts 'argv', of which argv[0] is a file name, with the environment 'envp'
 * and its stdout and stderr on 'output_fd' (stdin is empty) under a keeper,
 * which writes 'pidfile', a new file.  Initializes 'keeper', for the caller
 * to end with fb_keeper_stop().
 *
 * Returns 0 or a positive errno value, after which 'keeper' is not to be
 * used.  That 'argv' cannot be executed shows as wait status 127 instead, and
 * a line on 'output_fd'. */
int
fb_keeper_start(struct fb_keeper *keeper, char **argv, char **envp,
                int output_fd, const char *pidfile)
{
    pid_t parent = getpid();
    sigset_t all, old;
    int fds[2];
    int error;
    size_t n;

    if (pipe2(fds, O_CLOEXEC)) {
        return errno;
    }

    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &old);
    keeper->pid = fork();
    if (!keeper->pid) {
        fatal_signal_fork();
        close(fds[0]);
        keeper_main(argv, envp, output_fd, pidfile, fds[1], parent);
    }
    error = keeper->pid < 0 ? errno : 0;
    sigprocmask(SIG_SETMASK, &old, NULL);
    close(fds[1]);

    if (!error && read_fully(fds[0], &error, sizeof error, &n)) {
        error = EIO;
    }
    if (error) {
        if (keeper->pid > 0) {
            waitpid(keeper->pid, NULL, 0);
        }
        close(fds[0]);
        return error;
    }
    keeper->fd = fds[0];
    keeper->pidfile = xstrdup(pidfile);
    return 0;
}

/* Makes poll_block() wake up when all that 'keeper' keeps has ended. */
void
fb_keeper_wait(const struct fb_keeper *keeper)
{
    poll_fd_wait(keeper->fd, POLLIN);
}

/* Has all that 'keeper' keeps ended? */
bool
fb_keeper_is_done(const struct fb_keeper *keeper)
{
    struct pollfd pfd = { .fd = keeper->fd, .events = POLLIN };

    return poll(&pfd, 1, 0) > 0;
}

/* Begins to kill what 'keeper' keeps; fb_keeper_is_done() tells when that is
 * done. */
void
fb_keeper_kill(const struct fb_keeper *keeper)
{
    kill(keeper->pid, SIGTERM);
}

/* Kills what 'keeper' keeps, if it has not ended, and frees what 'keeper'
 * holds.  Stores in '*wstatus' how the program ended, as waitpid() does.
 * Takes a few ms, 5 s if the processes cannot be killed.  Returns 0, or a
 * positive errno value if it is not known how the program ended or something
 * is left of it. */
int
fb_keeper_stop(struct fb_keeper *keeper, int *wstatus)
{
    int error = 0;
    size_t n;

    if (!fb_keeper_is_done(keeper)) {
        fb_keeper_kill(keeper);
    }
    if (read_fully(keeper->fd, wstatus, sizeof *wstatus, &n)) {
        *wstatus = 0;
        error = EIO;
    }
    while (waitpid(keeper->pid, NULL, 0) < 0 && errno == EINTR) {
        continue;
    }
    close(keeper->fd);
    keeper->pid = 0;

    /* Does something only if the keeper was killed. */
    int retval = fb_keeper_cleanup(keeper->pidfile);
    free(keeper->pidfile);
    return retval ? retval : error;
}

/* Is process 'pid' in process group 'pgid', and does it run 'program' and
 * belong to 'uid'?  A process group's number may have been given to others
 * since it was written down. */
static bool
is_kept(const char *pid, long pgid, const char *program, uid_t uid)
{
    char *link = xasprintf("/proc/%s/exe", pid);
    char *dir = xasprintf("/proc/%s", pid);
    struct stat owner, exe, wanted;
    bool kept;

    kept = (getpgid(atol(pid)) == pgid
            && !stat(dir, &owner) && owner.st_uid == uid
            && !stat(link, &exe) && !stat(program, &wanted)
            && exe.st_dev == wanted.st_dev && exe.st_ino == wanted.st_ino);
    free(link);
    free(dir);
    return kept;
}

/* Sends SIGKILL to what is left of 'program' in process group 'pgid', of
 * processes that belong to 'uid'.  Returns how many processes that were, or a
 * negative errno value. */
static int
kill_group(long pgid, const char *program, uid_t uid)
{
    DIR *proc = opendir("/proc");
    int n = proc ? 0 : -errno;
    struct dirent *de;

    while (n >= 0 && (de = readdir(proc)) != NULL) {
        if (isdigit((unsigned char) de->d_name[0])
            && is_kept(de->d_name, pgid, program, uid)) {
            if (!kill(atol(de->d_name), SIGKILL)) {
                n++;
            } else if (errno != ESRCH) {
                n = -errno;
            }
        }
    }
    if (proc) {
        closedir(proc);
    }
    return n;
}

/* Does one step of the end of what 'fd', a pidfile, tells of.  Returns 0 when
 * nothing is left, EAGAIN if something may be, or another positive errno
 * value. */
static int
cleanup_step(int fd)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    char program[PATH_MAX];
    char text[PATH_MAX + 32];
    struct stat s;
    ssize_t size;
    long pgid;
    int n;

    if (fcntl(fd, F_GETLK, &lock)) {
        return errno;
    } else if (lock.l_type != F_UNLCK) {
        /* The keeper lives, and will see to the rest. */
        return kill(lock.l_pid, SIGTERM) && errno != ESRCH ? errno : EAGAIN;
    }

    size = pread(fd, text, sizeof text - 1, 0);
    if (size < 0 || fstat(fd, &s)) {
        return errno;
    }
    text[size] = '\0';
    BUILD_ASSERT_DECL(sizeof program >= 4096);
    if (sscanf(text, "%ld %4095[^\n]", &pgid, program) != 2 || pgid <= 1) {
        return 0;
    }
    n = kill_group(pgid, program, s.st_uid);
    return n < 0 ? -n : n ? EAGAIN : 0;
}

/* Ends whatever 'pidfile' tells of, also when the caller that started it was
 * killed together with its keeper, and deletes 'pidfile'.  Returns 0 if
 * nothing is left, also if there is no such file; EPERM if processes belong
 * to another user; ETIMEDOUT if they do not end. */
int
fb_keeper_cleanup(const char *pidfile)
{
    int fd = open(pidfile, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    int error;

    if (fd < 0) {
        return errno == ENOENT ? 0 : errno;
    }

    for (int i = 0; i < KILL_PATIENCE_MS / 10; i++) {
        error = cleanup_step(fd);
        if (error != EAGAIN) {
            break;
        }
        nap();
    }
    close(fd);

    if (!error && unlink(pidfile) && errno != ENOENT) {
        error = errno;
    }
    return error == EAGAIN ? ETIMEDOUT : error;
}
