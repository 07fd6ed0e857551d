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

#include "fb-sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fatal-signal.h"
#include "fb-appctl.h"
#include "fb-ovs-host.h"
#include "fb-ovs-programs.h"
#include "fb-process.h"
#include "jsonrpc.h"
#include "openvswitch/dynamic-string.h"
#include "ovs-thread.h"
#include "socket-util.h"
#include "svec.h"
#include "util.h"

/* How long a daemon may take to answer after it was started, in ms. */
#define START_TIMEOUT_MS 30000

/* How much of a daemon's log an error message shows, in bytes. */
#define LOG_TAIL_SIZE 1000

/* A private Open vSwitch. */
struct fb_sandbox {
    char *dir;                  /* Its folder. */
    int netns_fd;               /* Its network namespace; not owned. */
    char *env[7];               /* Environment of everything in it. */
    pid_t ovsdb_server;         /* 0 if not running. */
    pid_t vswitchd;             /* 0 if not running. */
    pid_t listener;             /* Who serves 'rpc'; 0 if unknown. */
    bool paused;                /* Is 'listener' stopped by us? */
    char *db;                   /* Joined: "unix:SOCKET"; else NULL. */
    struct jsonrpc *rpc;        /* To ovs-vswitchd; NULL if not running. */
};

/* Lets the ovs-vswitchd in 'sandbox' go on if it is paused. */
static void
resume(struct fb_sandbox *sandbox)
{
    if (sandbox->paused) {
        kill(sandbox->listener, SIGCONT);
        sandbox->paused = false;
    }
}

/* Stops the ovs-vswitchd in 'sandbox', which may be null, until something in
 * it is used again.  One with PMD threads would take a CPU from the others,
 * whose turn it is, all the time.  One that was joined is never stopped. */
void
fb_sandbox_pause(struct fb_sandbox *sandbox)
{
    if (sandbox && !sandbox->db && sandbox->listener > 0) {
        sandbox->paused = !kill(sandbox->listener, SIGSTOP);
    }
}

/* Has the ovs-vswitchd in 'sandbox' ended? */
static bool
has_ended(const struct fb_sandbox *sandbox)
{
    siginfo_t info = { .si_pid = 0 };

    /* A child of ours that has ended is still there. */
    return (sandbox->vswitchd > 0
            ? !waitid(P_PID, sandbox->vswitchd, &info,
                      WEXITED | WNOHANG | WNOWAIT) && info.si_pid
            : sandbox->listener && fb_process_is_dead(sandbox->listener));
}

/* Runs the command 'argv' in 'sandbox' with its environment and namespace and
 * waits for it.  'input', if nonnull, is its standard input.  Appends what it
 * prints to 'output', if that is nonnull.  An ovs-vsctl, which
 * waits for ovs-vswitchd, is ended if that ends. */
char *
fb_sandbox_run(struct fb_sandbox *sandbox, const char *const argv[],
               const char *input, struct ds *output)
{
    bool waits = !strcmp(argv[0], "ovs-vsctl");
    struct svec args = SVEC_EMPTY_INITIALIZER;

    resume(sandbox);
    for (size_t i = 0; argv[i]; i++) {
        svec_add(&args, argv[i]);
        if (!i && sandbox->db && waits) {
            svec_add_nocopy(&args, xasprintf("--db=%s", sandbox->db));
        }
    }
    svec_terminate(&args);
    char *error = fb_process_run(&(struct fb_process_spec) {
        .argv = (const char *const *) args.names,
        .env = (const char *const *) sandbox->env,
        .netns_fd = sandbox->netns_fd,
        .input = input,
        .server = waits ? sandbox->listener : 0,
    }, output);
    svec_destroy(&args);
    if (error && waits && has_ended(sandbox)) {
        free(error);
        error = xstrdup(FB_SANDBOX_ENDED);
    }
    return error;
}

/* Runs "ovs-ofctl 'command' 'bridge' -" in 'sandbox', in any version of
 * OpenFlow that 'input', its standard input, may need: flows or groups, one a
 * line. */
char *
fb_sandbox_ofctl(struct fb_sandbox *sandbox, const char *command,
                 const char *bridge, const char *input)
{
    const char *const argv[] = {
        "ovs-ofctl", "--timeout=60",
        "-OOpenFlow10,OpenFlow13,OpenFlow14,OpenFlow15", command, bridge, "-",
        NULL
    };

    return fb_sandbox_run(sandbox, argv, input, NULL);
}

/* Returns the connection to the ovs-vswitchd in 'sandbox', which keeps it. */
struct jsonrpc *
fb_sandbox_rpc(struct fb_sandbox *sandbox)
{
    resume(sandbox);
    return sandbox->rpc;
}

/* Returns the process ID of the ovs-vswitchd in 'sandbox', which is not
 * always that of what was started, which may be a script; or 0 if 'sandbox' is
 * null. */
pid_t
fb_sandbox_vswitchd(const struct fb_sandbox *sandbox)
{
    return sandbox ? sandbox->listener : 0;
}

/* Has the ovs-vswitchd in 'sandbox', which does not answer, ended?  A process
 * closes its sockets first, so that this waits for up to a second. */
bool
fb_sandbox_has_ended(const struct fb_sandbox *sandbox)
{
    for (int i = 0; i < 100 && !has_ended(sandbox); i++) {
        xnanosleep(10 * 1000 * 1000);
    }
    return has_ended(sandbox);
}

/* Returns the process ID of who listens on 'socket', or 0 if that cannot be
 * told. */
static pid_t
find_listener(const char *socket)
{
    struct ucred cred = { .pid = 0 };
    socklen_t len = sizeof cred;
    int fd = make_unix_socket(SOCK_STREAM, false, NULL, socket);

    if (fd >= 0) {
        if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len)) {
            cred.pid = 0;
        }
        close(fd);
    }
    return cred.pid;
}

/* Returns an error message that says that 'name' failed to 'what', with the
 * end of its log. */
static char *
daemon_error(struct fb_sandbox *sandbox, const char *name, const char *what)
{
    char *log = xasprintf("%s/%s.log", sandbox->dir, name);
    char tail[LOG_TAIL_SIZE + 1] = "";
    int fd = open(log, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        struct stat s;
        if (!fstat(fd, &s) && s.st_size > LOG_TAIL_SIZE) {
            lseek(fd, s.st_size - LOG_TAIL_SIZE, SEEK_SET);
        }
        ssize_t n = read(fd, tail, LOG_TAIL_SIZE);
        tail[MAX(n, 0)] = '\0';
        close(fd);
    }
    free(log);
    return xasprintf("%s %s; its log ends:\n%s", name, what, tail);
}

/* Returns true if somebody listens on the Unix socket 'name'.  Between the
 * moment when the file is there and that one, connections are refused. */
static bool
is_listening(const char *name)
{
    int fd = make_unix_socket(SOCK_STREAM, true, NULL, name);

    if (fd >= 0) {
        close(fd);
    }
    return fd >= 0;
}

/* Starts the daemon 'argv', known as 'name', as '*pid' and waits until it
 * listens on the socket 'socket'. */
static char *
start_daemon(struct fb_sandbox *sandbox, const char *name,
             const char *const argv[], const char *socket, pid_t *pid)
{
    char *log = xasprintf("%s/%s.log", sandbox->dir, name);
    char *error = fb_process_start(&(struct fb_process_spec) {
        .argv = argv,
        .env = (const char *const *) sandbox->env,
        .netns_fd = sandbox->netns_fd,
    }, log, pid);
    free(log);

    for (int i = 0; !error && !is_listening(socket); i++) {
        fatal_signal_run();
        if (waitpid(*pid, NULL, WNOHANG)) {
            *pid = 0;
            error = daemon_error(sandbox, name, "ended at once");
        } else if (i >= START_TIMEOUT_MS / 10) {
            error = daemon_error(sandbox, name, "does not answer");
        } else {
            xnanosleep(10 * 1000 * 1000);
        }
    }
    return error;
}

/* Starts ovsdb-server in 'sandbox' with an empty database. */
static char *
start_ovsdb_server(struct fb_sandbox *sandbox, const char *schema)
{
    char *db = xasprintf("%s/conf.db", sandbox->dir);
    char *socket = xasprintf("%s/db.sock", sandbox->dir);
    char *remote = xasprintf("--remote=punix:%s", socket);
    char *ctl = xasprintf("--unixctl=%s/ovsdb-server.ctl", sandbox->dir);

    const char *const create[] = { "ovsdb-tool", "create", db, schema, NULL };
    char *error = fb_sandbox_run(sandbox, create, NULL, NULL);
    if (!error) {
        const char *const serve[] = {
            "ovsdb-server", "--no-chdir", remote, ctl, db, NULL
        };
        error = start_daemon(sandbox, "ovsdb-server", serve, socket,
                             &sandbox->ovsdb_server);
    }
    if (!error) {
        const char *const init[] = {
            "ovs-vsctl", "--no-wait", "--timeout=30", "init", NULL
        };
        error = fb_sandbox_run(sandbox, init, NULL, NULL);
    }
    free(db);
    free(socket);
    free(remote);
    free(ctl);
    return error;
}

/* Starts 'vswitchd' in 'sandbox' and connects to it. */
static char *
start_vswitchd(struct fb_sandbox *sandbox, const char *vswitchd)
{
    char *db = xasprintf("unix:%s/db.sock", sandbox->dir);
    char *socket = xasprintf("%s/ovs-vswitchd.ctl", sandbox->dir);
    char *ctl = xasprintf("--unixctl=%s", socket);
    const char *const argv[] = { vswitchd, "--no-chdir", ctl, db, NULL };

    char *error = start_daemon(sandbox, "ovs-vswitchd", argv, socket,
                               &sandbox->vswitchd);
    if (!error) {
        error = fb_appctl_open(socket, &sandbox->rpc);
        sandbox->listener = find_listener(socket);
    }
    free(db);
    free(socket);
    free(ctl);
    return error;
}

/* Starts a private Open vSwitch, with 'programs', in the network namespace
 * 'netns_fd', which must stay open, and in the new folder 'dir'.  Stores it in
 * '*sandboxp', for the caller to stop with fb_sandbox_stop(). */
char *
fb_sandbox_start(const char *dir, int netns_fd,
                 const struct fb_ovs_programs *programs,
                 struct fb_sandbox **sandboxp)
{
    *sandboxp = NULL;
    if (mkdir(dir, 0755)) {
        return xasprintf("%s: cannot create (%s)", dir, ovs_strerror(errno));
    }

    struct fb_sandbox *sandbox = xzalloc(sizeof *sandbox);
    sandbox->dir = xstrdup(dir);
    sandbox->netns_fd = netns_fd;
    sandbox->env[0] = xasprintf("OVS_RUNDIR=%s", dir);
    sandbox->env[1] = xasprintf("OVS_LOGDIR=%s", dir);
    sandbox->env[2] = xasprintf("OVS_DBDIR=%s", dir);
    sandbox->env[3] = xasprintf("OVS_SYSCONFDIR=%s", dir);
    /* DPDK's, instead of a folder that others share. */
    sandbox->env[4] = xasprintf("RUNTIME_DIRECTORY=%s", dir);

    char *error = start_ovsdb_server(sandbox, programs->schema);
    if (!error) {
        error = start_vswitchd(sandbox, programs->vswitchd);
    }
    if (error) {
        fb_sandbox_stop(sandbox);
        return error;
    }
    *sandboxp = sandbox;
    return NULL;
}

/* Joins the Open vSwitch that runs with the database 'db', "unix:SOCKET",
 * instead of starting one.  Stores it in '*sandboxp', as
 * fb_sandbox_start(). */
char *
fb_sandbox_join(const char *db, struct fb_sandbox **sandboxp)
{
    struct fb_ovs_host host;
    char *error = NULL;

    *sandboxp = NULL;
    fb_ovs_host_open(&host, db);
    if (!host.rpc) {
        error = xasprintf("ovs-vswitchd: %s", host.rpc_error ? host.rpc_error
                          : "is not running");
    } else {
        struct fb_sandbox *sandbox = xzalloc(sizeof *sandbox);

        sandbox->dir = xstrdup(host.rundir);
        sandbox->db = xstrdup(db);
        sandbox->netns_fd = -1;
        sandbox->env[0] = xasprintf("OVS_RUNDIR=%s", host.rundir);
        sandbox->listener = host.pid;
        sandbox->rpc = host.rpc;
        host.rpc = NULL;
        *sandboxp = sandbox;
    }
    fb_ovs_host_close(&host);
    return error;
}

/* Stops the daemons of 'sandbox', unless it was joined, and frees it.  Its
 * folder stays.  'sandbox' may be null. */
void
fb_sandbox_stop(struct fb_sandbox *sandbox)
{
    if (sandbox) {
        resume(sandbox);
        jsonrpc_close(sandbox->rpc);
        fb_process_stop(&sandbox->vswitchd);
        fb_process_stop(&sandbox->ovsdb_server);
        for (size_t i = 0; i < ARRAY_SIZE(sandbox->env); i++) {
            free(sandbox->env[i]);
        }
        free(sandbox->dir);
        free(sandbox->db);
        free(sandbox);
    }
}
