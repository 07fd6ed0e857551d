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
#include "fanbench-config.h"

#include "fb-flows-command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fb-argument.h"
#include "fb-commands.h"
#include "fb-datapath.h"
#include "fb-flows-render.h"
#include "fb-flows.h"
#include "fb-ledger-life.h"
#include "fb-recording.h"
#include "fb-snapshot.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/list.h"
#include "openvswitch/poll-loop.h"
#include "unixctl.h"
#include "util.h"

/* Searches that may wait for each other. */
#define MAX_JOBS 16

/* Flows that are shown by default. */
#define DEFAULT_MAX 10

/* A command that has not been replied to. */
struct job {
    struct ovs_list node;       /* In 'jobs'. */
    struct unixctl_conn *conn;  /* To reply to. */
    bool json;                  /* In JSON? */
    struct fb_flows *flows;     /* The search. */
};

/* All of them, the oldest first. */
static struct ovs_list jobs = OVS_LIST_INITIALIZER(&jobs);

/* Replies to 'job', whose search is done. */
static void
reply(struct job *job)
{
    struct fb_snapshot *s = fb_snapshot_take();

    if (job->json) {
        fb_commands_reply_json(job->conn, fb_flows_json(s, job->flows));
    } else {
        struct ds ds = DS_EMPTY_INITIALIZER;

        fb_flows_text(s, job->flows, &ds);
        unixctl_command_reply(job->conn, ds_cstr(&ds));
        ds_destroy(&ds);
    }
    fb_snapshot_free(s);
}

/* Goes on with the oldest search for a slice, and replies if it is done. */
void
fb_flows_command_run(void)
{
    struct job *job;

    if (OVS_LIKELY(ovs_list_is_empty(&jobs))) {
        return;
    }
    job = CONTAINER_OF(ovs_list_front(&jobs), struct job, node);
    if (fb_flows_run(job->flows)) {
        ovs_list_remove(&job->node);
        reply(job);
        fb_flows_destroy(job->flows);
        free(job);
    }
}

/* Keeps the main loop from sleeping while there is a search to go on with. */
void
fb_flows_command_wait(void)
{
    if (OVS_UNLIKELY(!ovs_list_is_empty(&jobs))) {
        poll_immediate_wake();
    }
}

/* Parses 'name', the argument of "--sort".  Returns null and stores it in
 * '*sortp', or returns an error message, which the caller must free. */
static char *
parse_sort(const char *name, enum fb_flows_sort *sortp)
{
    for (int i = 0; i < FB_N_SORTS; i++) {
        if (!strcmp(name, fb_flows_sort_names[i])) {
            *sortp = i;
            return NULL;
        }
    }
    return xasprintf("--sort: \"%s\" is none of setup, revalidation, upcalls, "
                     "packets, reinstalls, repay, puts-failed", name);
}

/* Parses 'value', the argument of "-n", which may be null.  Otherwise as
 * parse_sort(). */
static char *
parse_max(const char *value, size_t *maxp)
{
    int max;

    if (!value) {
        return xstrdup("-n: a number of flows is missing");
    }
    if (!fb_argument_to_int(value, &max) || max < 1 || max > FB_FLOWS_MAX) {
        return xasprintf("-n: \"%s\" is not a number of flows from 1 to %d",
                         value, FB_FLOWS_MAX);
    }
    *maxp = max;
    return NULL;
}

/* Parses 'name', a datapath.  Otherwise as parse_sort(). */
static char *
parse_datapath(const char *name, int *dpp)
{
    if (name[0] == '-') {
        return xasprintf("unknown option \"%s\"", name);
    }
    if (*dpp >= 0) {
        return xasprintf("unexpected argument \"%s\"", name);
    }
    switch (fb_datapath_parse(name, dpp)) {
    case 0:
        return NULL;
    case ENOTUNIQ:
        return xasprintf("more than one datapath is called \"%s\": please "
                         "give its type, as in \"TYPE@%s\"", name, name);
    default:
        return xasprintf("ovs-vswitchd has no datapath \"%s\"", name);
    }
}

/* Parses the arguments of the command into 'query' and '*jsonp'.  Returns
 * null, or an error message, which the caller must free. */
static char *
parse_arguments(int argc, const char *argv[], struct fb_flows_query *query,
                bool *jsonp)
{
    char *error = NULL;

    for (int i = 1; i < argc && !error; i++) {
        const char *arg = argv[i];

        if (!strcmp(arg, "--json")) {
            *jsonp = true;
        } else if (!strncmp(arg, "--sort=", strlen("--sort="))) {
            error = parse_sort(arg + strlen("--sort="), &query->sort);
        } else if (!strncmp(arg, "--match=", strlen("--match="))) {
            free(query->match);
            query->match = xstrdup(arg + strlen("--match="));
        } else if (!strcmp(arg, "-n")) {
            i++;
            error = parse_max(i < argc ? argv[i] : NULL, &query->max);
        } else {
            error = parse_datapath(arg, &query->dp);
        }
    }
    return error;
}

/* Says whether there is a ledger. */
static bool
has_ledger(void)
{
    struct fb_ledger *ledger = fb_ledger_ref();

    fb_ledger_unref(ledger);
    return ledger != NULL;
}

/* "fanbench/flows [DP] [--sort=COST] [-n N] [--match=STRING] [--json]". */
static void
cmd_flows(struct unixctl_conn *conn, int argc, const char *argv[],
          void *aux OVS_UNUSED)
{
    struct fb_flows_query query = { .dp = -1, .max = DEFAULT_MAX };
    bool json = fb_commands_wants_json(conn);
    char *error = parse_arguments(argc, argv, &query, &json);
    struct job *job;

    if (!error && fb_recording_get()->epoch && !has_ledger()) {
        error = xstrdup("this recording has no flow ledger, because of "
                        "\"fanbench/start --no-flows\"");
    }
    if (!error && ovs_list_size(&jobs) >= MAX_JOBS) {
        error = xasprintf("%d searches are going on already", MAX_JOBS);
    }
    if (error) {
        char *message = xasprintf("%s: %s", argv[0], error);

        unixctl_command_reply_error(conn, message);
        free(message);
        free(error);
        free(query.match);
        return;
    }
    job = xmalloc(sizeof *job);
    job->conn = conn;
    job->json = json;
    job->flows = fb_flows_create(&query);
    ovs_list_push_back(&jobs, &job->node);
}

/* Registers the command.  May be called before main(). */
void
fb_flows_command_register(void)
{
    unixctl_command_register("fanbench/flows", "[dp] [--sort=COST] [-n N] "
                             "[--match=STRING] [--json]", 0, 6, cmd_flows,
                             NULL);
}
