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

#include "fb-commands.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "fb-argument.h"
#include "fb-births.h"
#include "fb-crew.h"
#include "fb-datapath.h"
#include "fb-flows-command.h"
#include "fb-json.h"
#include "fb-ledger-life.h"
#include "fb-main-text.h"
#include "fb-metrics.h"
#include "fb-preload.h"
#include "fb-recording.h"
#include "fb-rounds.h"
#include "fb-show-crew.h"
#include "fb-show-events.h"
#include "fb-show-upcalls.h"
#include "fb-snapshot.h"
#include "fb-text.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "unixctl.h"
#include "util.h"

/* What a command accepts beside "--json". */
enum {
    ACCEPT_DP = 1 << 0,         /* The name of a datapath. */
    ACCEPT_N = 1 << 1,          /* "-n N". */
    ACCEPT_EVENTS = 1 << 2,     /* "--events". */
    ACCEPT_LEDGER = 1 << 3,     /* "--no-flows", "--flows[=N]",
                                 * "--max-flows=N", "--exact[=N]",
                                 * "--max-births=N". */
};

/* A command's arguments. */
struct arguments {
    bool json;                  /* Reply in JSON? */
    int dp;                     /* Index of the datapath named, or -1. */
    int max;                    /* Argument of "-n", or INT_MAX. */
    bool events;                /* Was "--events" given? */
    bool no_flows;              /* Was "--no-flows" given? */
    int max_flows;              /* Argument of "--max-flows", or 0. */
    int every;                  /* Argument of "--flows", or 0. */
    int exact;                  /* Argument of "--exact", or 0. */
    int max_births;             /* Argument of "--max-births", or its
                                 * default. */
};

/* Replies with an error that is the rest of the arguments, as printf() would
 * have it, after the command's name 'command'. */
static void OVS_PRINTF_FORMAT(3, 4)
reply_error(struct unixctl_conn *conn, const char *command,
            const char *format, ...)
{
    struct ds ds = DS_EMPTY_INITIALIZER;
    va_list args;

    ds_put_format(&ds, "%s: ", command);
    va_start(args, format);
    ds_put_format_valist(&ds, format, args);
    va_end(args);
    unixctl_command_reply_error(conn, ds_cstr(&ds));
    ds_destroy(&ds);
}

/* Stores the datapath called 'name' in '*dpp'.  Returns false if there is no
 * such datapath, having replied with an error. */
static bool
parse_datapath(struct unixctl_conn *conn, const char *command,
               const char *name, int *dpp)
{
    int error = fb_datapath_parse(name, dpp);

    if (error == ENOTUNIQ) {
        reply_error(conn, command, "more than one datapath is called \"%s\": "
                    "please give its type, as in \"TYPE@%s\"", name, name);
    } else if (error) {
        reply_error(conn, command, "ovs-vswitchd has no datapath \"%s\"",
                    name);
    }
    return !error;
}

/* Stores 'value', the argument of "-n", which may be null, in '*maxp'.
 * Returns false if it is no positive number, having replied with an error. */
static bool
parse_max(struct unixctl_conn *conn, const char *command, const char *value,
          int *maxp)
{
    if (!value) {
        reply_error(conn, command, "-n: a number of rounds is missing");
        return false;
    }
    if (!fb_argument_to_int(value, maxp) || *maxp < 1) {
        reply_error(conn, command, "-n: \"%s\" is not a number of rounds",
                    value);
        return false;
    }
    return true;
}

/* If 'arg' is the option 'name', stores its argument, a number from 'min' to
 * 'max', and 'missing' (less than 'min': not allowed) if there is none, in
 * '*valuep'.  Returns false if it is another option, or if its argument is
 * bad, in which case it replies with an error and sets '*badp'. */
static bool
parse_number(struct unixctl_conn *conn, const char *command, const char *arg,
             const char *name, int missing, int min, int max, int *valuep,
             bool *badp)
{
    size_t n = strlen(name);
    int value = missing;

    if (strncmp(arg, name, n) || (arg[n] && arg[n] != '=')) {
        return false;
    }
    if ((arg[n] && !fb_argument_to_int(arg + n + 1, &value))
        || value < min || value > max) {
        reply_error(conn, command, "%s: \"%s\" is not a number from %d to %d",
                    name, arg[n] ? arg + n + 1 : "", min, max);
        *badp = true;
        return false;
    }
    *valuep = value;
    return true;
}

/* Parses the option 'arg' of fanbench/start.  Otherwise as parse_number(). */
static bool
parse_ledger(struct unixctl_conn *conn, const char *command, const char *arg,
             struct arguments *args, bool *badp)
{
    const struct {
        const char *name;       /* The option. */
        int missing;            /* Its argument where it has none. */
        int min;                /* Lowest argument. */
        int max;                /* Highest argument. */
        int *value;             /* Where the argument goes. */
    } options[] = {
        { "--max-flows", 0, 1, FB_LEDGER_MAX_FLOWS, &args->max_flows },
        { "--flows", 1, 1, INT_MAX, &args->every },
        { "--exact", 1, 1, INT_MAX, &args->exact },
        { "--max-births", -1, 0, INT_MAX, &args->max_births },
    };

    if (!strcmp(arg, "--no-flows")) {
        args->no_flows = true;
        return true;
    }
    for (size_t i = 0; i < ARRAY_SIZE(options) && !*badp; i++) {
        if (parse_number(conn, command, arg, options[i].name,
                         options[i].missing, options[i].min, options[i].max,
                         options[i].value, badp)) {
            return true;
        }
    }
    return false;
}

/* Says whether 'conn' wants its reply in JSON, whatever the command's
 * arguments are. */
bool
fb_commands_wants_json(struct unixctl_conn *conn OVS_UNUSED)
{
#if FANBENCH_HAVE_UNIXCTL_REPLY_JSON
    return unixctl_command_get_output_format(conn) == UNIXCTL_OUTPUT_FMT_JSON;
#else
    return false;
#endif
}

/* Parses the arguments of a command that accepts those in 'accept'.  Returns
 * false if they are bad, having replied with an error. */
static bool
parse_arguments(struct unixctl_conn *conn, int argc, const char *argv[],
                int accept, struct arguments *args)
{
    const char *command = argv[0];

    bool bad = false;

    *args = (struct arguments) {
        .dp = -1, .max = INT_MAX, .max_births = FB_BIRTHS_DEFAULT,
    };
    args->json = fb_commands_wants_json(conn);
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];

        if (!strcmp(arg, "--json")) {
            args->json = true;
        } else if (accept & ACCEPT_EVENTS && !strcmp(arg, "--events")) {
            args->events = true;
        } else if (accept & ACCEPT_N && !strcmp(arg, "-n")) {
            i++;
            if (!parse_max(conn, command, i < argc ? argv[i] : NULL,
                           &args->max)) {
                return false;
            }
        } else if (accept & ACCEPT_LEDGER
                   && parse_ledger(conn, command, arg, args, &bad)) {
            continue;
        } else if (bad) {
            return false;
        } else if (arg[0] == '-') {
            reply_error(conn, command, "unknown option \"%s\"", arg);
            return false;
        } else if (!(accept & ACCEPT_DP) || args->dp >= 0) {
            reply_error(conn, command, "unexpected argument \"%s\"", arg);
            return false;
        } else if (!parse_datapath(conn, command, arg, &args->dp)) {
            return false;
        }
    }
    return true;
}

/* Replies with 'json', which it takes over. */
void
fb_commands_reply_json(struct unixctl_conn *conn, struct json *json)
{
    char *s;

#if FANBENCH_HAVE_UNIXCTL_REPLY_JSON
    if (unixctl_command_get_output_format(conn) == UNIXCTL_OUTPUT_FMT_JSON) {
        unixctl_command_reply_json(conn, json);
        return;
    }
#endif
    s = json_to_string(json, JSSF_SORT);
    json_destroy(json);
    unixctl_command_reply(conn, s);
    free(s);
}

/* Replies with what is recorded and of what: as JSON if 'args' says so. */
static void
reply_status(struct unixctl_conn *conn, const struct arguments *args)
{
    struct fb_snapshot *s = fb_snapshot_take();

    if (args->json) {
        struct json *status = fb_json_status(s);

        json_object_put(status, "calls_not_seen", fb_preload_json_unseen());
        fb_commands_reply_json(conn, status);
    } else {
        struct ds ds = DS_EMPTY_INITIALIZER;

        fb_text_status(s, &ds);
        fb_preload_format_unseen(&ds);
        unixctl_command_reply(conn, ds_cstr(&ds));
        ds_destroy(&ds);
    }
    fb_snapshot_free(s);
}

/* Replies that 'what' was done, or as reply_status() does if 'args' wants
 * JSON. */
static void
reply_done(struct unixctl_conn *conn, const struct arguments *args,
           const char *what)
{
    if (args->json) {
        reply_status(conn, args);
    } else {
        unixctl_command_reply(conn, what);
    }
}

/* "fanbench/start [DP] [--flows[=N]] [--no-flows] [--max-flows=N]
 * [--exact[=N]] [--max-births=N] [--json]". */
static void
cmd_start(struct unixctl_conn *conn, int argc, const char *argv[],
          void *aux OVS_UNUSED)
{
    struct arguments args;

    if (!parse_arguments(conn, argc, argv, ACCEPT_DP | ACCEPT_LEDGER,
                         &args)) {
        return;
    }
    if (args.no_flows && (args.max_flows || args.every || args.exact)) {
        reply_error(conn, argv[0], "\"--no-flows\" does not go together with "
                    "\"%s\"", args.max_flows ? "--max-flows"
                    : args.every ? "--flows" : "--exact");
        return;
    }
    if (fb_recording_get()->on) {
        reply_error(conn, argv[0], "already recording");
        return;
    }
    fb_ledger_configure(&(struct fb_ledger_options) {
        .max_flows = args.no_flows ? 0
                     : args.max_flows ? args.max_flows
                     : FB_LEDGER_DEFAULT_FLOWS,
        .every = args.every,
        .exact = args.exact,
    });
    fb_births_configure(args.max_births);
    fb_recording_start(args.dp);
    reply_done(conn, &args, "recording started\n");
}

/* "fanbench/stop [--json]". */
static void
cmd_stop(struct unixctl_conn *conn, int argc, const char *argv[],
         void *aux OVS_UNUSED)
{
    struct arguments args;

    if (!parse_arguments(conn, argc, argv, 0, &args)) {
        return;
    }
    if (fb_recording_stop()) {
        reply_error(conn, argv[0], "not recording");
        return;
    }
    reply_done(conn, &args, "recording stopped\n");
}

/* "fanbench/clear [--json]". */
static void
cmd_clear(struct unixctl_conn *conn, int argc, const char *argv[],
          void *aux OVS_UNUSED)
{
    struct arguments args;

    if (parse_arguments(conn, argc, argv, 0, &args)) {
        fb_recording_clear();
        reply_done(conn, &args, "recording cleared\n");
    }
}

/* "fanbench/status [--json]". */
static void
cmd_status(struct unixctl_conn *conn, int argc, const char *argv[],
           void *aux OVS_UNUSED)
{
    struct arguments args;

    if (parse_arguments(conn, argc, argv, 0, &args)) {
        reply_status(conn, &args);
    }
}

/* "fanbench/show [--json]". */
static void
cmd_show(struct unixctl_conn *conn, int argc, const char *argv[],
         void *aux OVS_UNUSED)
{
    struct fb_snapshot *s;
    struct arguments args;

    if (!parse_arguments(conn, argc, argv, 0, &args)) {
        return;
    }
    s = fb_snapshot_take();
    if (args.json) {
        fb_commands_reply_json(conn, fb_json_show(s));
    } else {
        struct ds ds = DS_EMPTY_INITIALIZER;

        fb_text_show(s, &ds);
        unixctl_command_reply(conn, ds_cstr(&ds));
        ds_destroy(&ds);
    }
    fb_snapshot_free(s);
}

/* Replies with what triggered rounds and happened to the flow limit, as JSON
 * if 'args' says so. */
static void
reply_events(struct unixctl_conn *conn, const struct arguments *args)
{
    struct fb_events_view *view = fb_events_view_take(args->dp, args->max);
    struct fb_snapshot *s = fb_snapshot_take();

    if (args->json) {
        fb_commands_reply_json(conn, fb_show_events_json(s, view));
    } else {
        struct ds ds = DS_EMPTY_INITIALIZER;

        fb_show_events_text(s, view, &ds);
        unixctl_command_reply(conn, ds_cstr(&ds));
        ds_destroy(&ds);
    }
    fb_snapshot_free(s);
    fb_events_view_free(view);
}

/* "fanbench/rounds [-n N] [--events] [DP] [--json]". */
static void
cmd_rounds(struct unixctl_conn *conn, int argc, const char *argv[],
           void *aux OVS_UNUSED)
{
    struct fb_round *rounds;
    struct fb_snapshot *s;
    struct arguments args;
    size_t n;

    if (!parse_arguments(conn, argc, argv,
                         ACCEPT_DP | ACCEPT_N | ACCEPT_EVENTS, &args)) {
        return;
    }
    if (args.events) {
        reply_events(conn, &args);
        return;
    }
    s = fb_snapshot_take();
    n = fb_rounds_history(fb_recording_get()->epoch, args.dp, args.max,
                          &rounds);
    if (args.json) {
        fb_commands_reply_json(conn, fb_json_rounds(s, rounds, n));
    } else {
        struct ds ds = DS_EMPTY_INITIALIZER;

        fb_text_rounds(s, rounds, n, &ds);
        unixctl_command_reply(conn, ds_cstr(&ds));
        ds_destroy(&ds);
    }
    free(rounds);
    fb_snapshot_free(s);
}

/* "fanbench/revalidators [DP] [--json]". */
static void
cmd_revalidators(struct unixctl_conn *conn, int argc, const char *argv[],
                 void *aux OVS_UNUSED)
{
    struct fb_crew_member *members;
    struct fb_snapshot *s;
    struct arguments args;
    size_t n;

    if (!parse_arguments(conn, argc, argv, ACCEPT_DP, &args)) {
        return;
    }
    s = fb_snapshot_take();
    n = fb_crew_read(fb_recording_get()->epoch, args.dp, &members);
    if (args.json) {
        fb_commands_reply_json(conn, fb_show_crew_json(s, members, n));
    } else {
        struct ds ds = DS_EMPTY_INITIALIZER;

        fb_show_crew_text(s, members, n, &ds);
        unixctl_command_reply(conn, ds_cstr(&ds));
        ds_destroy(&ds);
    }
    free(members);
    fb_snapshot_free(s);
}

/* "fanbench/upcalls [DP] [--json]". */
static void
cmd_upcalls(struct unixctl_conn *conn, int argc, const char *argv[],
            void *aux OVS_UNUSED)
{
    struct fb_upcalls_view *view;
    struct fb_snapshot *s;
    struct arguments args;

    if (!parse_arguments(conn, argc, argv, ACCEPT_DP, &args)) {
        return;
    }
    s = fb_snapshot_take();
    view = fb_upcalls_view_take(s, args.dp);
    if (args.json) {
        fb_commands_reply_json(conn, fb_show_upcalls_json(s, view));
    } else {
        struct ds ds = DS_EMPTY_INITIALIZER;

        fb_show_upcalls_text(s, view, &ds);
        unixctl_command_reply(conn, ds_cstr(&ds));
        ds_destroy(&ds);
    }
    fb_upcalls_view_free(view);
    fb_snapshot_free(s);
}

/* "fanbench/ports [DP] [--json]". */
static void
cmd_ports(struct unixctl_conn *conn, int argc, const char *argv[],
          void *aux OVS_UNUSED)
{
    struct fb_snapshot *s;
    struct arguments args;

    if (!parse_arguments(conn, argc, argv, ACCEPT_DP, &args)) {
        return;
    }
    s = fb_snapshot_take();
    if (args.json) {
        fb_commands_reply_json(conn, fb_json_ports(s, args.dp));
    } else {
        struct ds ds = DS_EMPTY_INITIALIZER;

        fb_text_ports(s, args.dp, &ds);
        unixctl_command_reply(conn, ds_cstr(&ds));
        ds_destroy(&ds);
    }
    fb_snapshot_free(s);
}

/* "fanbench/metrics [--openmetrics]". */
static void
cmd_metrics(struct unixctl_conn *conn, int argc, const char *argv[],
            void *aux OVS_UNUSED)
{
    struct ds ds = DS_EMPTY_INITIALIZER;
    struct fb_snapshot *s;

    if (argc > 1 && strcmp(argv[1], "--openmetrics")) {
        reply_error(conn, argv[0], argv[1][0] == '-'
                    ? "unknown option \"%s\"" : "unexpected argument \"%s\"",
                    argv[1]);
        return;
    }
    s = fb_snapshot_take();
    fb_metrics_format(s, argc > 1, &ds);
    unixctl_command_reply(conn, ds_cstr(&ds));
    ds_destroy(&ds);
    fb_snapshot_free(s);
}

/* Registers all commands.  May be called before main(). */
void
fb_commands_register(void)
{
    unixctl_command_register("fanbench/start",
                             "[dp] [--flows[=N]] [--no-flows] "
                             "[--max-flows=N] [--exact[=N]] "
                             "[--max-births=N] [--json]",
                             0, 7, cmd_start, NULL);
    unixctl_command_register("fanbench/stop", "[--json]", 0, 1,
                             cmd_stop, NULL);
    unixctl_command_register("fanbench/clear", "[--json]", 0, 1,
                             cmd_clear, NULL);
    unixctl_command_register("fanbench/status", "[--json]", 0, 1,
                             cmd_status, NULL);
    unixctl_command_register("fanbench/show", "[--json]", 0, 1,
                             cmd_show, NULL);
    unixctl_command_register("fanbench/rounds",
                             "[-n N] [--events] [dp] [--json]", 0, 5,
                             cmd_rounds, NULL);
    unixctl_command_register("fanbench/revalidators", "[dp] [--json]", 0, 2,
                             cmd_revalidators, NULL);
    unixctl_command_register("fanbench/upcalls", "[dp] [--json]", 0, 2,
                             cmd_upcalls, NULL);
    fb_flows_command_register();
    unixctl_command_register("fanbench/ports", "[dp] [--json]", 0, 2,
                             cmd_ports, NULL);
    unixctl_command_register("fanbench/metrics", "[--openmetrics]", 0, 1,
                             cmd_metrics, NULL);
}
