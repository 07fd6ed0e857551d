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

#include "fb-rundir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fb-guest-init.h"
#include "fb-guest.h"
#include "fb-host-bridge.h"
#include "fb-isolation.h"
#include "fb-module-loan.h"
#include "fb-uplink.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Names below the folder of all runs. */
#define RUN_PREFIX "run-"
#define LOCK_NAME "lock"

/* The lock of this process's run, held as long as it is open. */
static int lock_fd = -1;

/* Returns the name of the folder that holds those of all runs of this user.
 * The caller must free it. */
static char *
base_dir(void)
{
    const char *dir = getenv("OVS_FANBENCH_RUNDIR");
    if (dir && dir[0] && !fb_guest_is_inside()) {
        return abs_file_name(NULL, dir);
    } else if (!geteuid()) {
        return xstrdup("/run/ovs-fanbench");
    }
    dir = getenv("XDG_RUNTIME_DIR");
    return (dir && dir[0] && !access(dir, W_OK | X_OK)
            ? xasprintf("%s/ovs-fanbench", dir)
            : xasprintf("/tmp/ovs-fanbench-%u", (unsigned int) geteuid()));
}

/* Makes sure that 'base' is a folder that nobody else can put things in. */
static char *
make_base_dir(const char *base)
{
    struct stat s;

    if (mkdir(base, 0755) && errno != EEXIST) {
        return xasprintf("%s: cannot create (%s); OVS_FANBENCH_RUNDIR can "
                         "name another folder", base, ovs_strerror(errno));
    } else if (lstat(base, &s)) {
        return xasprintf("%s: cannot be read (%s)", base,
                         ovs_strerror(errno));
    } else if (!S_ISDIR(s.st_mode) || s.st_uid != geteuid()
               || s.st_mode & (S_IWGRP | S_IWOTH)) {
        return xasprintf("%s: is not a folder that only this user can write",
                         base);
    }
    return NULL;
}

/* Takes the lock of a run, open as 'fd', for this process and none of its
 * children: what still sees to the end of a guest does not make it a living
 * run.  Returns 0 if successful, -1 if another process has it. */
static int
take_lock(int fd)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    return fcntl(fd, F_SETLK, &lock);
}

/* Does a process that is alive, and not this one, hold the lock in 'dir'? */
static bool
is_alive(const char *dir)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    char *name = xasprintf("%s/%s", dir, LOCK_NAME);
    int fd = open(name, O_RDWR | O_CLOEXEC);
    bool alive = (fd >= 0 && !fcntl(fd, F_GETLK, &lock)
                  && lock.l_type != F_UNLCK);

    if (fd >= 0) {
        close(fd);
    }
    free(name);
    return alive;
}

/* Returns the number of runs of this user that are going on, beside that of
 * this process. */
size_t
fb_rundir_count_others(void)
{
    char *own = xasprintf(RUN_PREFIX"%ld", (long) getpid());
    char *base = base_dir();
    DIR *stream = opendir(base);
    struct dirent *entry;
    size_t n = 0;

    while (stream && (entry = readdir(stream)) != NULL) {
        /* To open and close one's own lock would give it up. */
        if (!strncmp(entry->d_name, RUN_PREFIX, strlen(RUN_PREFIX))
            && strcmp(entry->d_name, own)) {
            char *dir = xasprintf("%s/%s", base, entry->d_name);
            n += is_alive(dir);
            free(dir);
        }
    }
    if (stream) {
        closedir(stream);
    }
    free(base);
    free(own);
    return n;
}

/* Creates a folder for this run, which no other process has, takes its lock,
 * and stores its name in '*dirp'.  The caller must give it to
 * fb_rundir_destroy() and free() it.  A process has at most one.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_rundir_create(char **dirp)
{
    char *base = base_dir();
    char *dir = NULL;

    *dirp = NULL;
    char *error = make_base_dir(base);
    if (!error) {
        /* The lock is there before the name is: clean-up never sees a living
         * run's folder without it. */
        char *hidden = xasprintf("%s/.new-XXXXXX", base);
        if (!mkdtemp(hidden)) {
            error = xasprintf("%s: cannot create a folder in it (%s)", base,
                              ovs_strerror(errno));
        } else {
            char *lock = xasprintf("%s/%s", hidden, LOCK_NAME);
            lock_fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
            dir = xasprintf("%s/%s%ld", base, RUN_PREFIX, (long) getpid());
            if (lock_fd < 0 || take_lock(lock_fd)
                || (rename(hidden, dir)
                    && (fb_rundir_destroy(dir), rename(hidden, dir)))) {
                error = xasprintf("%s: cannot be set up (%s)", dir,
                                  ovs_strerror(errno));
            }
            free(lock);
        }
        free(hidden);
    }
    free(base);
    if (error) {
        free(dir);
        return error;
    }
    *dirp = dir;
    return NULL;
}

/* nftw() callback that removes 'path'. */
static int
remove_one(const char *path, const struct stat *s OVS_UNUSED,
           int type OVS_UNUSED, struct FTW *ftw OVS_UNUSED)
{
    return remove(path);
}

/* Puts back what the run in 'dir' has changed of the host, and removes 'dir'
 * and everything in it.  A process that is about to end may
 * still create files there, so that it takes several attempts. */
void
fb_rundir_destroy(const char *dir)
{
    if (!fb_uplink_undo(dir, NULL) || fb_isolation_undo(dir)
        || fb_module_loan_end(dir)
        || fb_host_bridge_is_left(dir)) {
        /* What is written there is needed to put it back. */
        return;
    }
    for (int i = 0; i < 20; i++) {
        nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
        if (access(dir, F_OK)) {
            break;
        }
        nanosleep(&(struct timespec) { .tv_nsec = 10 * 1000 * 1000 }, NULL);
    }
}

/* Returns true if process 'pid' was started by a run in 'dir': if OVS_RUNDIR
 * in its environment is a folder in 'dir'.  To mention 'dir' in its arguments
 * does not make it one. */
static bool
process_uses_dir(pid_t pid, const char *dir)
{
    char *path = xasprintf("/proc/%ld/environ", (long) pid);
    char *wanted = xasprintf("OVS_RUNDIR=%s/", dir);
    char *variable = NULL;
    size_t allocated = 0;
    bool uses = false;

    FILE *stream = fopen(path, "re");
    while (stream && !uses
           && getdelim(&variable, &allocated, '\0', stream) > 0) {
        uses = !strncmp(variable, wanted, strlen(wanted));
    }
    if (stream) {
        fclose(stream);
    }
    free(variable);
    free(wanted);
    free(path);
    return uses;
}

/* Kills every process that a run in 'dir' started.  Returns how many. */
static size_t
kill_processes(const char *dir)
{
    size_t n_killed = 0;
    struct dirent *entry;

    DIR *proc = opendir("/proc");
    while (proc && (entry = readdir(proc)) != NULL) {
        pid_t pid = atoi(entry->d_name);
        if (pid > 1 && pid != getpid() && process_uses_dir(pid, dir)
            && !kill(pid, SIGKILL)) {
            n_killed++;
        }
    }
    if (proc) {
        closedir(proc);
    }
    return n_killed;
}

/* Cleans up after the run in 'dir' unless it is still alive.  Adds a line to
 * 'report'.  Returns false if something stays. */
static bool
clean_up_run(const char *dir, struct ds *report)
{
    char *lock = xasprintf("%s/%s", dir, LOCK_NAME);
    int fd = open(lock, O_RDWR | O_CLOEXEC);
    bool ok = true;

    free(lock);
    if (fd >= 0 && take_lock(fd)) {
        ds_put_format(report, "%s: a run that is still going; left alone\n",
                      dir);
    } else {
        fb_guest_cleanup(dir);
        size_t n_killed = kill_processes(dir);
        ok = fb_host_bridge_clean_up(dir, report);
        ok &= fb_uplink_undo(dir, report);
        if (ok) {
            fb_rundir_destroy(dir);
            ok = access(dir, F_OK) != 0;
        }
        ds_put_format(report, "%s: %s", dir,
                      ok ? "removed" : "cannot be removed");
        if (n_killed) {
            ds_put_format(report, ", %"PRIuSIZE" processes killed", n_killed);
        }
        ds_put_char(report, '\n');
    }
    if (fd >= 0) {
        close(fd);
    }
    return ok;
}

/* Removes everything that runs of this user that were killed have left: their
 * processes and folders.  Runs that are alive are left alone.  Appends a line
 * to 'report' for each run found and stores in '*n_failed' the number of those
 * of which something stays.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_rundir_clean_up(struct ds *report, size_t *n_failed)
{
    char *base = base_dir();
    char *error = NULL;
    struct dirent *entry;

    *n_failed = 0;
    DIR *stream = opendir(base);
    if (!stream && errno != ENOENT) {
        error = xasprintf("%s: cannot be read (%s)", base,
                          ovs_strerror(errno));
    }
    while (stream && (entry = readdir(stream)) != NULL) {
        if (!strncmp(entry->d_name, RUN_PREFIX, strlen(RUN_PREFIX))
            || !strncmp(entry->d_name, ".new-", 5)) {
            char *dir = xasprintf("%s/%s", base, entry->d_name);
            *n_failed += !clean_up_run(dir, report);
            free(dir);
        }
    }
    if (stream) {
        closedir(stream);
        rmdir(base);
    }
    free(base);
    return error;
}
