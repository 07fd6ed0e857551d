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

#ifndef FB_HOSTFILE_H
#define FB_HOSTFILE_H 1

/* Files in which the kernel tells of the host, below /proc and /sys.
 *
 * Tests may put another folder before all names, by OVS_FANBENCH_DOCTOR_ROOT
 * in the environment, for what no test can bring about (a hypervisor that
 * takes time away, a frequency governor).  Any thread. */

#include <dirent.h>
#include <stdbool.h>

char *fb_hostfile_name(const char *name);
char *fb_hostfile_read(const char *name);
char *fb_hostfile_read_line(const char *name);
bool fb_hostfile_read_number(const char *name, long long int *);
DIR *fb_hostfile_opendir(const char *name);

#endif /* fb-hostfile.h */
