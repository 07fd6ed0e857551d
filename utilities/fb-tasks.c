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

#include "fb-tasks.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fb-hostfile.h"
#include "fb-task.h"
#include "util.h"

/* The parent of all threads of the kernel's own. */
#define KTHREADD_PID 2

/* A thread of the kernel's own. */
struct kernel_task {
    pid_t pid;
    enum fb_crew crew;
};

/* The threads to read beside those of an ovs-vswitchd. */
struct fb_tasks {
    struct kernel_task *kernel; /* Those that were there at the beginning. */
    size_t n, allocated;        /* Number of them. */
};

/* Returns the name of 'crew' in results. */
const char *
fb_crew_name(enum fb_crew crew)
{
    static const char *const names[FB_N_CREWS] = {
        [FB_CREW_MAIN] = "main",
        [FB_CREW_HANDLERS] = "handlers",
        [FB_CREW_REVALIDATORS] = "revalidators",
        [FB_CREW_PMDS] = "pmds",
        [FB_CREW_OTHERS] = "other-ovs",
        [FB_CREW_KSOFTIRQD] = "ksoftirqd",
        [FB_CREW_KWORKERS] = "kworkers",
    };
    return names[crew];
}

/* Returns the crew of an ovs-vswitchd's thread whose name is 'comm', which is
 * that of the process if 'is_main'. */
enum fb_crew
fb_crew_of_thread(const char *comm, bool is_main)
{
    return (is_main ? FB_CREW_MAIN
            : !strncmp(comm, "handler", 7) ? FB_CREW_HANDLERS
            : !strncmp(comm, "revalidator", 11) ? FB_CREW_REVALIDATORS
            : !strncmp(comm, "pmd", 3) ? FB_CREW_PMDS
            : FB_CREW_OTHERS);
}

/* Calls 'cb' with 'aux' for each number among the names in the folder 'path'.
 * Returns 0 or a positive errno. */
static int
for_each_pid(const char *path, void (*cb)(pid_t, void *aux), void *aux)
{
    DIR *dir = opendir(path);
    struct dirent *entry;

    if (!dir) {
        return errno;
    }
    while ((entry = readdir(dir)) != NULL) {
        pid_t pid = atoi(entry->d_name);
        if (pid > 0) {
            cb(pid, aux);
        }
    }
    closedir(dir);
    return 0;
}

/* Adds process 'pid' to 'tasks_' if it is a thread of the kernel's that may
 * do network work. */
static void
add_kernel_task(pid_t pid, void *tasks_)
{
    struct fb_tasks *tasks = tasks_;
    char path[64];
    int parent;

    snprintf(path, sizeof path, "/proc/%d/stat", (int) pid);
    char *text = fb_hostfile_read(path);
    char *end = text ? strrchr(text, ')') : NULL;
    char *comm = text ? strchr(text, '(') : NULL;
    bool is_ksoftirqd = comm && !strncmp(comm, "(ksoftirqd/", 11);
    bool is_kworker = comm && !strncmp(comm, "(kworker/", 9);
    bool ok = (end && sscanf(end, ") %*c %d", &parent) == 1
               && parent == KTHREADD_PID && (is_ksoftirqd || is_kworker));
    free(text);
    if (!ok) {
        return;
    }
    if (tasks->n >= tasks->allocated) {
        tasks->kernel = x2nrealloc(tasks->kernel, &tasks->allocated,
                                   sizeof *tasks->kernel);
    }
    tasks->kernel[tasks->n++] = (struct kernel_task) {
        .pid = pid,
        .crew = is_ksoftirqd ? FB_CREW_KSOFTIRQD : FB_CREW_KWORKERS,
    };
}

/* Looks for the kernel's threads and stores what is to be read in '*tasksp',
 * for the caller to destroy with fb_tasks_destroy().  A kworker that begins
 * later is not seen.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_tasks_create(struct fb_tasks **tasksp)
{
    struct fb_tasks *tasks = xzalloc(sizeof *tasks);
    int error = for_each_pid("/proc", add_kernel_task, tasks);
    if (error) {
        fb_tasks_destroy(tasks);
        *tasksp = NULL;
        return xasprintf("/proc: cannot be read (%s)", ovs_strerror(error));
    }
    *tasksp = tasks;
    return NULL;
}

/* Frees 'tasks', which may be null. */
void
fb_tasks_destroy(struct fb_tasks *tasks)
{
    if (tasks) {
        free(tasks->kernel);
        free(tasks);
    }
}

/* Adds the context switches of the thread in the folder 'dir' to 'times'. */
static void
add_switches(const char *dir, struct fb_task_times *times)
{
    static const char label[] = "voluntary_ctxt_switches:";
    char path[96];

    snprintf(path, sizeof path, "%s/status", dir);
    char *text = fb_hostfile_read(path);
    const char *p = text ? strstr(text, label) : NULL;
    const char *q = p ? strstr(p + 1, label) : NULL;
    if (q) {
        /* "nonvoluntary..." follows. */
        times->voluntary += strtoull(p + strlen(label), NULL, 10);
        times->involuntary += strtoull(q + strlen(label), NULL, 10);
    }
    free(text);
}

/* What add_thread() works on. */
struct thread_query {
    pid_t process;
    struct fb_task_times *times;
};

/* Adds thread 'tid' to 'query_'. */
static void
add_thread(pid_t tid, void *query_)
{
    struct thread_query *query = query_;
    struct fb_task task;
    char dir[64];

    snprintf(dir, sizeof dir, "/proc/%d/task/%d", (int) query->process,
             (int) tid);
    if (fb_task_read(dir, &task)) {
        enum fb_crew crew = fb_crew_of_thread(task.name,
                                              tid == query->process);
        query->times->crews[crew].ns += task.run_ns;
        query->times->crews[crew].n++;
        add_switches(dir, query->times);
    }
}

/* Reads the times of the threads of 'vswitchd', or of none if that is 0, and
 * of those in 'tasks' into '*times'.  Threads that have ended are left out. */
void
fb_tasks_read(const struct fb_tasks *tasks, pid_t vswitchd,
              struct fb_task_times *times)
{
    memset(times, 0, sizeof *times);
    for (size_t i = 0; i < tasks->n; i++) {
        enum fb_crew crew = tasks->kernel[i].crew;
        struct fb_task task;
        char dir[64];

        snprintf(dir, sizeof dir, "/proc/%d", (int) tasks->kernel[i].pid);
        if (fb_task_read(dir, &task)) {
            times->crews[crew].ns += task.run_ns;
            times->crews[crew].n++;
        }
    }
    if (vswitchd) {
        struct thread_query query = { .process = vswitchd, .times = times };
        char path[64];

        snprintf(path, sizeof path, "/proc/%d/task", (int) vswitchd);
        for_each_pid(path, add_thread, &query);
    }
}
