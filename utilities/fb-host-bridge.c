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

#include "fb-host-bridge.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dirs.h"
#include "fb-appctl.h"
#include "fb-ovs-host.h"
#include "fb-process.h"
#include "fb-ovs-programs.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* What the names of journals begin with. */
#define JOURNAL_PREFIX "host-"

/* Runs "ovs-vsctl 'wait' 'args'" with the database 'db', and appends what it
 * prints to 'output', if that is nonnull. */
static char *
run_vsctl(const char *db, const char *wait, const char *const args[],
          struct ds *output)
{
    char *db_arg = xasprintf("--db=%s", db);
    const char *argv[10] = { "ovs-vsctl", db_arg, wait };
    size_t n = 3;

    for (size_t i = 0; args[i]; i++) {
        argv[n++] = args[i];
    }
    argv[n] = NULL;
    char *error = fb_process_run(&(struct fb_process_spec) {
        .argv = argv, .netns_fd = -1, .undo = true }, output);
    free(db_arg);
    return error;
}

/* Removes the bridge 'name' from the database 'db' if its external ID says
 * that it is ours, of 'prefix'.  If 'wait', waits until ovs-vswitchd has done
 * so, too. */
static char *
remove_bridge(const char *db, const char *name, const char *prefix, bool wait)
{
    const char *const get[] = { "--if-exists", "get", "bridge", name,
                                "external_ids:"FB_HOST_BRIDGE_ID, NULL };
    const char *const del[] = { "--if-exists", "del-br", name, NULL };
    struct ds id = DS_EMPTY_INITIALIZER;

    char *error = run_vsctl(db, "--no-wait", get, &id);
    if (!error && strstr(ds_cstr(&id), prefix)) {
        error = wait ? run_vsctl(db, "--timeout=10", del, NULL) : NULL;
        if (!wait || error) {
            /* Without an ovs-vswitchd one waits in vain. */
            free(error);
            error = run_vsctl(db, "--no-wait", del, NULL);
        }
    }
    ds_destroy(&id);
    return error;
}

/* Writes the journal of 'hb'. */
static char *
write_journal(const struct fb_host_bridge *hb)
{
    FILE *stream = fopen(hb->journal, "we");
    bool ok = stream && fprintf(stream, "%s\n%s\n%s\n", hb->db, hb->name,
                                hb->prefix) > 0;
    if (stream && fclose(stream)) {
        ok = false;
    }
    return (ok ? NULL
            : xasprintf("%s: cannot be written (%s)", hb->journal,
                        ovs_strerror(errno)));
}

/* Opens the network namespace of process 'pid' as '*fdp'. */
static char *
open_netns(pid_t pid, int *fdp)
{
    char *name = xasprintf("/proc/%ld/ns/net", (long int) pid);

    *fdp = open(name, O_RDONLY | O_CLOEXEC);
    char *error = (*fdp < 0
                   ? xasprintf("%s: cannot open (%s)", name,
                               ovs_strerror(errno))
                   : NULL);
    free(name);
    return error;
}

/* Returns an error message if the Open vSwitch 'host', whose database is 'db',
 * cannot be used. */
static char *
check_host(const struct fb_ovs_host *host, const char *db)
{
    return (host->idl_error ? xasprintf("--db=%s: %s", db, host->idl_error)
            : !host->pid ? xasprintf("--db=%s: no ovs-vswitchd runs with it "
                                     "(there is no PID file in %s)", db,
                                     host->rundir)
            : host->rpc_error ? xasprintf("--db=%s: ovs-vswitchd: %s", db,
                                          host->rpc_error)
            : NULL);
}

/* Chooses names for a bridge of ours in the Open vSwitch whose database is
 * 'db', and notes in the run's folder 'dir' that it may be there from now on.
 * Stores it in '*hbp', for the caller to end with fb_host_bridge_end(). */
char *
fb_host_bridge_begin(const char *db, const char *dir,
                     struct fb_host_bridge **hbp)
{
    static unsigned int n_begun;
    struct fb_ovs_host host;

    *hbp = NULL;
    fb_ovs_host_open(&host, db);
    char *error = check_host(&host, db);
    if (!error) {
        struct fb_host_bridge *hb = xzalloc(sizeof *hb);

        hb->db = xstrdup(db);
        hb->rundir = xstrdup(host.rundir);
        hb->pid = host.pid;
        hb->prefix = xasprintf("fb%lx%c-", (long int) getpid(),
                               'a' + n_begun++ % 26);
        hb->name = xasprintf("%sbr", hb->prefix);
        hb->journal = xasprintf("%s/"JOURNAL_PREFIX"%s", dir, hb->prefix);
        error = open_netns(host.pid, &hb->netns_fd);
        if (!error) {
            error = write_journal(hb);
        }
        if (error) {
            fb_host_bridge_end(hb);
        } else {
            *hbp = hb;
        }
    }
    fb_ovs_host_close(&host);
    return error;
}

/* Stops the probe if we have started it. */
static void
stop_recording(const struct fb_host_bridge *hb)
{
    char *target = xasprintf("%s/ovs-vswitchd.%ld.ctl", hb->rundir,
                             (long int) hb->pid);
    const char *const argv[] = { "ovs-appctl", "--timeout=10", "-t", target,
                                 "fanbench/stop", NULL };

    if (hb->recording) {
        /* Who cannot be reached records no more. */
        free(fb_process_run(&(struct fb_process_spec) {
            .argv = argv, .netns_fd = -1, .undo = true }, NULL));
    }
    free(target);
}

/* Removes the bridge 'hb', if it is there, and frees 'hb', which may be
 * null. */
void
fb_host_bridge_end(struct fb_host_bridge *hb)
{
    if (!hb) {
        return;
    }
    stop_recording(hb);
    char *error = remove_bridge(hb->db, hb->name, hb->prefix,
                                !kill(hb->pid, 0));
    if (error) {
        ovs_error(0, "%s: the bridge %s may still be there (%s); use "
                  "\"ovs-fanbench cleanup\" when that is back", hb->db,
                  hb->name, error);
        free(error);
    } else {
        unlink(hb->journal);
    }
    if (hb->netns_fd >= 0) {
        close(hb->netns_fd);
    }
    free(hb->db);
    free(hb->rundir);
    free(hb->prefix);
    free(hb->name);
    free(hb->journal);
    free(hb);
}

/* Removes the bridge that the journal 'name' tells of.  Returns false if that
 * fails. */
static bool
clean_up_one(const char *name, struct ds *report)
{
    char *lines[3] = { NULL, NULL, NULL };
    FILE *stream = fopen(name, "re");
    bool whole = stream != NULL;
    char *error = NULL;
    size_t allocated;

    for (int i = 0; i < 3 && whole; i++) {
        allocated = 0;
        whole = getline(&lines[i], &allocated, stream) > 0;
        if (whole) {
            lines[i][strcspn(lines[i], "\n")] = '\0';
        }
    }
    if (stream) {
        fclose(stream);
    }
    if (whole) {
        error = remove_bridge(lines[0], lines[1], lines[2], true);
        if (error) {
            ds_put_format(report, "%s: %s cannot be removed (%s)\n", lines[0],
                          lines[1], error);
        } else {
            ds_put_format(report, "%s: %s removed\n", lines[0], lines[1]);
            unlink(name);
        }
    }
    free(error);
    for (int i = 0; i < 3; i++) {
        free(lines[i]);
    }
    return !error;
}

/* Is there a bridge of ours that is yet to be removed, as the run's folder
 * 'dir' says? */
bool
fb_host_bridge_is_left(const char *dir)
{
    DIR *stream = opendir(dir);
    struct dirent *entry;
    bool left = false;

    while (stream && (entry = readdir(stream)) != NULL) {
        left |= !strncmp(entry->d_name, JOURNAL_PREFIX,
                         strlen(JOURNAL_PREFIX));
    }
    if (stream) {
        closedir(stream);
    }
    return left;
}

/* Removes the bridges of ours that a run whose folder was 'dir', and which is
 * not alive, has left.  Appends a line for each to 'report'.  Returns false if
 * one may still be there. */
bool
fb_host_bridge_clean_up(const char *dir, struct ds *report)
{
    DIR *stream = opendir(dir);
    struct dirent *entry;
    bool ok = true;

    while (stream && (entry = readdir(stream)) != NULL) {
        if (!strncmp(entry->d_name, JOURNAL_PREFIX, strlen(JOURNAL_PREFIX))) {
            char *name = xasprintf("%s/%s", dir, entry->d_name);
            ok &= clean_up_one(name, report);
            free(name);
        }
    }
    if (stream) {
        closedir(stream);
    }
    return ok;
}

/* Stores in '*programs' what there is to tell of the ovs-vswitchd that runs
 * with the database 'db'.  The caller must destroy it, whatever this function
 * returns. */
char *
fb_host_bridge_programs(const char *db, struct fb_ovs_programs *programs)
{
    struct fb_ovs_host host;

    memset(programs, 0, sizeof *programs);
    fb_ovs_host_open(&host, db);
    char *error = check_host(&host, db);
    if (!error) {
        error = fb_appctl(host.rpc, &programs->version, "version", NULL);
    }
    if (!error) {
        programs->version[strcspn(programs->version, "\n")] = '\0';
        programs->vswitchd = xstrdup("ovs-vswitchd");
    }
    fb_ovs_host_close(&host);
    return error;
}
