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

#include "fb-reaper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fb-ignore.h"
#include "socket-util.h"
#include "util.h"

/* Most pipes at once. */
#define MAX_PUMPS 4

/* Passes on what is in the pipe of 'pump'.  Stops to listen to it at its end
 * or on an error. */
static void
run_pump(struct fb_pump *pump)
{
    char buffer[16384];
    size_t written;
    ssize_t n;

    while (pump->from >= 0) {
        n = read(pump->from, buffer, sizeof buffer);
        if (n < 0 && errno == EAGAIN) {
            return;
        } else if (n == 0
                   || (n > 0 && write_fully(pump->to, buffer, n, &written))
                   || (n < 0 && errno != EINTR)) {
            close(pump->from);
            pump->from = -1;
        }
    }
}

/* Waits until there is something to read in one of the 'n' 'pumps', or in
 * 'signal_fd', which is then emptied. */
static void
wait_for_event(const struct fb_pump *pumps, int n, int signal_fd)
{
    struct pollfd pfds[MAX_PUMPS + 1];
    struct signalfd_siginfo info;

    for (int i = 0; i < n; i++) {
        pfds[i] = (struct pollfd) { .fd = pumps[i].from, .events = POLLIN };
    }
    pfds[n] = (struct pollfd) { .fd = signal_fd, .events = POLLIN };
    poll(pfds, n + 1, -1);
    fb_ignore(read(signal_fd, &info, sizeof info));
}

/* Reaps all children that have ended.  Returns true if 'program' is among
 * them, after storing how it ended in '*wstatus', or is not there. */
static bool
reap(pid_t program, int *wstatus)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        if (pid == program) {
            *wstatus = status;
            return true;
        }
    }
    return pid < 0 && errno == ECHILD;
}

/* Reaps children and passes on what comes through the 'n' 'pumps', at most
 * MAX_PUMPS, until the child 'program' ends and what it has written is passed
 * on.  Other processes may hold the pipes longer.  Returns how the program
 * ended, as waitpid() has it. */
int
fb_reaper_run(pid_t program, struct fb_pump *pumps, int n)
{
    int wstatus = 0;
    sigset_t chld;
    bool ended;
    int fd;

    ovs_assert(n <= MAX_PUMPS);
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    sigprocmask(SIG_BLOCK, &chld, NULL);
    fd = signalfd(-1, &chld, SFD_NONBLOCK | SFD_CLOEXEC);

    do {
        ended = reap(program, &wstatus);
        for (int i = 0; i < n; i++) {
            run_pump(&pumps[i]);
        }
        if (!ended) {
            wait_for_event(pumps, n, fd);
        }
    } while (!ended);
    close(fd);
    return wstatus;
}
