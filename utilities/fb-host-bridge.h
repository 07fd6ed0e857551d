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

#ifndef FB_HOST_BRIDGE_H
#define FB_HOST_BRIDGE_H 1

/* A bridge of ours in an Open vSwitch that runs on this host, beside its own
 * bridges, which are left alone.
 *
 * Its name and those of its ports begin with a prefix that no other run has.
 * It has an external ID, "ovs-fanbench", whose value is that prefix; what has
 * not is never removed.  A file in the run's folder, the journal, names it for
 * as long as it may be there, so that fb_host_bridge_clean_up() can remove
 * what a run has left that was killed.
 *
 * For single-threaded use.  Functions that return 'char *' return NULL if
 * successful, otherwise a malloc()'d error message. */

#include <stdbool.h>
#include <sys/types.h>

#include "compiler.h"

struct ds;
struct fb_ovs_programs;

/* The external ID of bridges of ours. */
#define FB_HOST_BRIDGE_ID "ovs-fanbench"

/* A bridge of ours. */
struct fb_host_bridge {
    char *db;                   /* "unix:SOCKET". */
    char *rundir;               /* Folder of Open vSwitch's sockets. */
    char *prefix;               /* Of the names of its ports, and its ID... */
    char *name;                 /* ...and its name. */
    char *journal;              /* Name of the journal. */
    pid_t pid;                  /* Of ovs-vswitchd. */
    bool recording;             /* Has its probe been started by us? */
    int netns_fd;               /* Where ovs-vswitchd's interfaces are; for the
                                 * caller to take over, which sets it to -1. */
};

char *fb_host_bridge_begin(const char *db, const char *dir,
                           struct fb_host_bridge **) OVS_WARN_UNUSED_RESULT;
void fb_host_bridge_end(struct fb_host_bridge *);
bool fb_host_bridge_is_left(const char *dir);
bool fb_host_bridge_clean_up(const char *dir, struct ds *report);
char *fb_host_bridge_programs(const char *db, struct fb_ovs_programs *)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-host-bridge.h */
