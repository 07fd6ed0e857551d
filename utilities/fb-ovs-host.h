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

#ifndef FB_OVS_HOST_H
#define FB_OVS_HOST_H 1

/* The Open vSwitch that runs on this host: its sockets and its database, both
 * read only.
 *
 * For single-threaded use. */

#include <stdbool.h>
#include <sys/types.h>

struct jsonrpc;
struct ovsdb_idl;
struct svec;

/* A running Open vSwitch. */
struct fb_ovs_host {
    char *rundir;               /* Folder of its sockets. */
    pid_t pid;                  /* Of ovs-vswitchd, or 0 if there is none. */
    bool stale;                 /* Is there a PID file, but no process? */
    struct jsonrpc *rpc;        /* To ovs-vswitchd, or NULL... */
    char *rpc_error;            /* ...and why, or NULL. */
    struct ovsdb_idl *idl;      /* Database, or NULL... */
    char *idl_error;            /* ...and why, or NULL. */
};

void fb_ovs_host_open(struct fb_ovs_host *, const char *db);
void fb_ovs_host_close(struct fb_ovs_host *);

#endif /* fb-ovs-host.h */
