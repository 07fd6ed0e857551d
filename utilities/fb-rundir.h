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

#ifndef FB_RUNDIR_H
#define FB_RUNDIR_H 1

/* Private folders of runs, and the removal of what a killed run left.
 *
 * A run keeps its sockets, databases, logs and PID files in a folder of its
 * own, which holds a lock for as long as the run lives.  All of it lies below
 * one folder: OVS_FANBENCH_RUNDIR in the environment, or else
 * /run/ovs-fanbench for root and a folder of the user's otherwise.  In a guest
 * it is always the guest's own. */

#include <stddef.h>

#include "compiler.h"

struct ds;

char *fb_rundir_create(char **dirp) OVS_WARN_UNUSED_RESULT;
void fb_rundir_destroy(const char *dir);
size_t fb_rundir_count_others(void);
char *fb_rundir_clean_up(struct ds *report, size_t *n_failed)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-rundir.h */
