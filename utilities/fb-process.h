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

#ifndef FB_PROCESS_H
#define FB_PROCESS_H 1

/* Programs that we run: daemons of ours and commands of Open vSwitch's.
 *
 * Every child gets SIGKILL from the kernel when this process dies, however it
 * dies, so that a "kill -9" leaves no daemon behind.  That is bound to the
 * calling thread: only the main thread may start processes. */

#include <stdbool.h>
#include <sys/types.h>

#include "compiler.h"

struct ds;

/* How to run a program. */
struct fb_process_spec {
    const char *const *argv;    /* NULL-terminated; argv[0] is looked up in
                                 * PATH unless it has a slash. */
    const char *const *env;     /* NULL-terminated "NAME=VALUE"s to add, or
                                 * NULL. */
    int netns_fd;               /* Network namespace, or -1 for ours. */
    const char *input;          /* Text for its standard input, or NULL. */
    bool undo;                  /* Does it undo something, so that a signal
                                 * must not keep it from its end? */
    unsigned int timeout_s;     /* fb_process_run() ends it after so many
                                 * seconds; 0 for never. */
    pid_t server;               /* fb_process_run() ends it if this process,
                                 * for which it may wait, ends; or 0. */
};

char *fb_process_start(const struct fb_process_spec *, const char *log_file,
                       pid_t *) OVS_WARN_UNUSED_RESULT;
void fb_process_stop(pid_t *);
bool fb_process_is_dead(pid_t);
char *fb_process_run(const struct fb_process_spec *, struct ds *output)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-process.h */
