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

#include "fb-task.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fb-hostfile.h"
#include "util.h"

/* Fills in '*task' from the files in 'dir', "/proc/PID" or
 * "/proc/PID/task/TID".  Returns false with errno set if the thread is gone.
 *
 * Sources: proc(5), and Documentation/scheduler/sched-stats.rst in the
 * kernel's tree for schedstat. */
bool
fb_task_read(const char *dir, struct fb_task *task)
{
    unsigned long long int utime, stime;

    memset(task, 0, sizeof *task);
    char *name = xasprintf("%s/stat", dir);
    char *text = fb_hostfile_read(name);
    free(name);
    if (!text) {
        return false;
    }

    /* The name, in parentheses, may have anything in it. */
    char *open = strchr(text, '(');
    char *close = strrchr(text, ')');
    bool ok = (open && close > open
               && sscanf(close + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u "
                         "%*u %*u %llu %llu", &utime, &stime) == 2);
    if (ok) {
        *close = '\0';
        ovs_strlcpy(task->name, open + 1, sizeof task->name);
        task->cpu_ns = ((utime + stime) * UINT64_C(1000000000)
                        / sysconf(_SC_CLK_TCK));
    }
    free(text);

    name = xasprintf("%s/schedstat", dir);
    text = fb_hostfile_read(name);
    free(name);
    if (text) {
        if (sscanf(text, "%"SCNu64" %"SCNu64, &task->run_ns,
                   &task->wait_ns) != 2) {
            task->run_ns = task->wait_ns = 0;
        }
        free(text);
    }
    return ok;
}
