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

#include "fb-ovs-host.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dirs.h"
#include "fb-appctl.h"
#include "jsonrpc.h"
#include "lib/vswitch-idl.h"
#include "openvswitch/poll-loop.h"
#include "ovsdb-idl.h"
#include "timeval.h"
#include "util.h"

/* How long the database may take to send its content, in ms. */
#define DB_TIMEOUT_MS 5000

/* Returns the folder of the sockets of the Open vSwitch whose database is
 * 'db', or of the usual one if that is null.  The caller must free() it. */
static char *
find_rundir(const char *db)
{
    /* Where distributions have it; ours may have been built for another. */
    static const char *const usual[] = { "/run/openvswitch",
                                         "/var/run/openvswitch" };

    if (db) {
        return dir_name(db + strlen("unix:"));
    } else if (!getenv("OVS_RUNDIR") && access(ovs_rundir(), F_OK)) {
        for (size_t i = 0; i < ARRAY_SIZE(usual); i++) {
            if (!access(usual[i], F_OK)) {
                return xstrdup(usual[i]);
            }
        }
    }
    return xstrdup(ovs_rundir());
}

/* Finds the process of ovs-vswitchd. */
static void
find_process(struct fb_ovs_host *host)
{
    char *name = xasprintf("%s/ovs-vswitchd.pid", host->rundir);
    FILE *file = fopen(name, "re");
    int pid;

    if (file) {
        if (fscanf(file, "%d", &pid) == 1 && pid > 0) {
            if (!kill(pid, 0) || errno == EPERM) {
                host->pid = pid;
            } else {
                host->stale = true;
            }
        }
        fclose(file);
    } else if (errno != ENOENT) {
        host->rpc_error = xasprintf("%s (%s)", name, ovs_strerror(errno));
    }
    free(name);
}

/* Connects to ovs-vswitchd. */
static void
connect_process(struct fb_ovs_host *host)
{
    /* By default the PID is in the socket's name. */
    char *socket = xasprintf("%s/ovs-vswitchd.%ld.ctl", host->rundir,
                             (long int) host->pid);
    if (access(socket, F_OK)) {
        free(socket);
        socket = xasprintf("%s/ovs-vswitchd.ctl", host->rundir);
    }
    host->rpc_error = fb_appctl_open(socket, &host->rpc);
    free(socket);
}

/* Reads the database 'db'. */
static void
connect_db(struct fb_ovs_host *host, const char *db)
{
    char *remote = db ? xstrdup(db) : xasprintf("unix:%s/db.sock",
                                                host->rundir);
    const char *socket = remote + strlen("unix:");
    long long int deadline = time_msec() + DB_TIMEOUT_MS;

    if (access(socket, W_OK)) {
        host->idl_error = xasprintf("%s (%s)", socket, ovs_strerror(errno));
        free(remote);
        return;
    }
    host->idl = ovsdb_idl_create(remote, &ovsrec_idl_class, true, false);
    while (!ovsdb_idl_has_ever_connected(host->idl)
           && ovsdb_idl_is_alive(host->idl) && time_msec() < deadline) {
        ovsdb_idl_run(host->idl);
        if (!ovsdb_idl_has_ever_connected(host->idl)) {
            ovsdb_idl_wait(host->idl);
            poll_timer_wait_until(deadline);
            poll_block();
        }
    }
    if (!ovsdb_idl_has_ever_connected(host->idl)) {
        host->idl_error = xasprintf("%s (no answer within %d s)", socket,
                                    DB_TIMEOUT_MS / 1000);
        ovsdb_idl_destroy(host->idl);
        host->idl = NULL;
    }
    free(remote);
}

/* Fills in '*host' with the Open vSwitch whose database is 'db', or the usual
 * one if that is null.  The caller must close it with fb_ovs_host_close(). */
void
fb_ovs_host_open(struct fb_ovs_host *host, const char *db)
{
    memset(host, 0, sizeof *host);
    host->rundir = find_rundir(db);
    find_process(host);
    if (host->pid) {
        connect_process(host);
    }
    connect_db(host, db);
}

/* Closes 'host'. */
void
fb_ovs_host_close(struct fb_ovs_host *host)
{
    free(host->rundir);
    jsonrpc_close(host->rpc);
    free(host->rpc_error);
    if (host->idl) {
        ovsdb_idl_destroy(host->idl);
    }
    free(host->idl_error);
}
