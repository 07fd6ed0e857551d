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

#ifndef FB_SYSFS_H
#define FB_SYSFS_H 1

/* What sysfs says of the interfaces of another network namespace.
 *
 * A sysfs shows the namespace of whoever mounted it, so each namespace needs
 * one of its own.  These are mounted nowhere: nobody else can see them, and
 * they are gone once they are closed.  Any thread. */

#include <stddef.h>

#include "compiler.h"

struct svec;

char *fb_sysfs_open(int netns_fd, int *fdp) OVS_WARN_UNUSED_RESULT;
char *fb_sysfs_read_line(int fd, const char *name);
void fb_sysfs_list(int fd, const char *dir, struct svec *names);

#endif /* fb-sysfs.h */
