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

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command-line.h"
#include "fatal-signal.h"
#include "fb-cpus.h"
#include "fb-doctor-report.h"
#include "fb-doctor.h"
#include "fb-dut.h"
#include "fb-expect.h"
#include "fb-experiment.h"
#include "fb-experiment-report.h"
#include "fb-frames.h"
#include "fb-guest-init.h"
#include "fb-ignore.h"
#include "fb-like-report.h"
#include "fb-like.h"
#include "fb-list.h"
#include "fb-options-backend.h"
#include "fb-options-command.h"
#include "fb-options-experiment.h"
#include "fb-options-guest.h"
#include "fb-options-host.h"
#include "fb-options-like.h"
#include "fb-options-load.h"
#include "fb-options-tcp.h"
#include "fb-options.h"
#include "fb-output.h"
#include "fb-pcap.h"
#include "fb-place.h"
#include "fb-report.h"
#include "fb-result-json.h"
#include "fb-result.h"
#include "fb-run.h"
#include "fb-rundir.h"
#include "fb-scenario.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "openvswitch/vlog.h"
#include "util.h"

/* Exit code of a run that cannot be trusted. */
#define EXIT_VOID 2

/* After so many seconds an experiment in a guest must be hanging. */
#define EXPERIMENT_TIMEOUT (2 * 3600)

/* What to say of other runs. */
#define OTHER_RUN_TEXT \
    "%"PRIuSIZE" other runs went on meanwhile: each takes CPU time from the " \
    "others"
#define OTHER_RUN_FIX "run one after the other"

/* What the command line says. */
static struct fb_options options;

/* The whole command line, for the guest. */
static char **command_line;

/* Nonzero once a signal that ends this process has come. */
static volatile sig_atomic_t stop;

/* The folder of this run, which a signal must not leave behind. */
static char *rundir;

/* Prints the help text. */
static void
usage(void)
{
    printf("%s: measures what Open vSwitch costs\n"
           "usage: %s [OPTIONS] COMMAND [ARG...]\n"
           "\nCommands:\n"
           "  run SCENARIO    build the topologies, run the load, print the "
           "results\n"
           "  list            list scenarios and DUTs, and what can run here\n"
           "  doctor          say what slows the switch or distorts a "
           "measurement\n"
           "  describe BRIDGE "
           "say what a bridge is like, and what it would lose as one\n"
           "                  of the other kind\n"
           "  cleanup         remove what killed runs have left\n"
           "  list-commands   list commands, for completion\n"
           "  help            display this help message\n",
           program_name, program_name);
    fb_options_usage();
    printf("\nThe exit code of \"run\" is 0 for a valid result, 2 for a void "
           "one and 1 if there\nis none.  That of \"doctor\" is 0 if all is "
           "well, 2 for warnings, 3 for errors and\n1 if nothing could be "
           "examined.\n");
}

/* Makes sure that descriptors 0 to 2 are taken, so that no other file becomes
 * one of them.  What the caller has closed can be neither read nor written. */
static void
reserve_stdio(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0) {
            fb_ignore(open("/dev/null", fd ? O_RDONLY : O_WRONLY));
        }
    }
}

/* Adds the folders of root's programs to PATH, which for an ordinary user, or
 * from cron, may lack them, and the others, which it lacks where it is
 * empty. */
static void
extend_path(void)
{
    const char *path = getenv("PATH");
    char *new_path = xasprintf("%s:/usr/local/sbin:/usr/sbin:/sbin",
                               path && *path ? path
                               : "/usr/local/bin:/usr/bin:/bin");
    setenv("PATH", new_path, 1);
    free(new_path);
}

/* Notes that a signal has come, and leaves the rest to OVS's handler. */
static void
handle_signal(int sig_nr)
{
    static const char timed_out[] = "ovs-fanbench: --timeout has passed\n";

    if (sig_nr == SIGALRM) {
        fb_ignore(write(STDERR_FILENO, timed_out, sizeof timed_out - 1));
    }
    stop = 1;
    fatal_signal_handler(sig_nr);
}

/* Makes signals that end this process known to long loops through 'stop'. */
static void
catch_signals(void)
{
    static const int sig_nrs[] = { SIGTERM, SIGINT, SIGHUP, SIGALRM };
    struct sigaction sa = { .sa_handler = handle_signal };

    fatal_signal_init();
    sigemptyset(&sa.sa_mask);
    for (size_t i = 0; i < ARRAY_SIZE(sig_nrs); i++) {
        struct sigaction old;
        if (!sigaction(sig_nrs[i], NULL, &old)
            && old.sa_handler != SIG_IGN) {
            sigaction(sig_nrs[i], &sa, NULL);
        }
    }
}

/* Takes down what is up of this run, and removes its folder, which says until
 * then what there is to undo. */
static void
remove_rundir(void *aux OVS_UNUSED)
{
    if (rundir) {
        fb_run_abort();
        fb_experiment_abort();
        fb_rundir_destroy(rundir);
        free(rundir);
        rundir = NULL;
    }
}

/* Creates the folder of this run, which goes when the process ends. */
static void
make_rundir(void)
{
    char *error = fb_rundir_create(&rundir);
    if (error) {
        ovs_fatal(0, "%s", error);
    }
    fatal_signal_add_hook(remove_rundir, NULL, NULL, true);
}

/* Appends 'json', and the end of the line, to 'ds' and destroys it. */
static void
put_json(struct json *json, struct ds *ds)
{
    json_to_ds(json, options.style.json_flags, ds);
    ds_put_char(ds, '\n');
    json_destroy(json);
}

/* Writes 'text' to 'output', closes it, and exits with the code for a result
 * with 'findings'. */
static void OVS_NO_RETURN
finish(const struct ds *text, struct fb_output *output,
       const struct fb_findings *findings)
{
    char *error = fb_output_commit(output, ds_cstr_ro(text));
    if (error && options.output) {
        /* What took so long to measure is not thrown away. */
        ovs_error(0, "%s; the result goes to standard output", error);
        fputs(ds_cstr_ro(text), stdout);
        fflush(stdout);
        fb_output_close(output);
        exit(EXIT_FAILURE);
    } else if (error) {
        ovs_fatal(0, "%s", error);
    }
    fb_output_close(output);
    exit(fb_findings_are_valid(findings) ? EXIT_SUCCESS : EXIT_VOID);
}

/* Makes sure that the result of a run on this kernel can be written, and makes
 * the folder of the run.  Returns where the result goes. */
static struct fb_output *
begin_here(void)
{
    struct fb_output *output;

    /* Of a guest, the host side knows where the output goes. */
    char *error = fb_output_open(fb_guest_is_inside() ? NULL : options.output,
                                 &output);
    if (error) {
        ovs_fatal(0, "%s", error);
    }
    make_rundir();
    return output;
}

/* Tells who has asked for --full how long 'scenario' will take: 'seconds'. */
static void
announce(const char *scenario, double seconds)
{
    if (options.scale == FB_SCALE_FULL) {
        char *time = fb_expect_format(seconds);

        fprintf(stderr, "%s: %s --full takes about %s\n", program_name,
                scenario, time);
        free(time);
    }
}

/* Runs 'parameters' with the DUTs in 'place' on this kernel. */
static void OVS_NO_RETURN
run_here(const struct fb_parameters *parameters, const struct fb_place *place)
{
    struct fb_output *output = begin_here();
    struct ds ds = DS_EMPTY_INITIALIZER;
    size_t n_others = fb_rundir_count_others();
    struct fb_result result;

    announce(parameters->scenario,
             fb_expect_seconds(parameters, place->kinds, place->n_kinds,
                               fb_guest_is_inside()));
    char *error = fb_run(&(struct fb_run_config) {
        .parameters = *parameters,
        .kinds = place->kinds,
        .n_kinds = place->n_kinds,
        .vswitchd = options.vswitchd,
        .uplink = options.uplink,
        .db = parameters->like ? NULL : options.db,
        .backend = fb_options_backend(&options),
        .rundir = rundir,
        .progress = isatty(STDERR_FILENO) || fb_guest_progress(),
        .fault = options.fault,
        .br_netfilter = options.br_netfilter,
        /* The host's ovs-vswitchd may be in another control group, and what is
         * idle in one does not give way to another. */
        .spinner = !options.no_spinner && !options.db,
        .pinned = options.cpus != NULL,
        .tune = options.tune,
        .alternate_marks = options.alternate_marks,
        .hook = options.hook,
        .stop = &stop,
    }, &result);
    if (error) {
        fb_output_close(output);
        ovs_fatal(0, "%s", error);
    }
    n_others = MAX(n_others, fb_rundir_count_others());
    if (n_others) {
        fb_result_add_finding(&result, FB_WARNING, "other-run", OTHER_RUN_FIX,
                              OTHER_RUN_TEXT, n_others);
    }
    fb_place_add_findings(place, &result.findings);
    if (options.style.format == TF_JSON) {
        put_json(fb_result_to_json(&result), &ds);
    } else {
        fb_report_format(&result, &options.style, &ds);
    }
    finish(&ds, output, &result.findings);
}

/* Runs the command line in a guest, as 'place' says, with what it 'needs'.
 * The guest gives what it prints to us, and has a deadline of its own. */
static void OVS_NO_RETURN
run_in_guest(const struct fb_guest_needs *needs, const struct fb_place *place)
{
    struct fb_output *output;

    char *error = fb_output_open(options.output, &output);
    if (!error) {
        error = fb_output_become_stdout(output);
    }
    if (error) {
        ovs_fatal(0, "%s", error);
    }
    alarm(0);
    make_rundir();
    if (place->guest_cpus == 1) {
        fb_cpus_take(1);
    }
    int exit_code = fb_place_run_in_guest(place, command_line, needs, rundir,
                                          options.timeout);
    if (exit_code == EXIT_SUCCESS || exit_code == EXIT_VOID) {
        error = fb_output_commit(output, "");
        if (error) {
            ovs_fatal(0, "%s", error);
        }
    }
    fb_output_close(output);
    exit(exit_code);
}

/* Writes the packets of a trial of 'parameters' to a file instead of running
 * it: at a fixed rate all of them, else one of each flow, if not more are
 * needed to see all frame sizes. */
static void OVS_NO_RETURN
write_pcap(struct fb_parameters *parameters)
{
    fb_scenario_settle(parameters, false);

    struct fb_pace_spec spec = fb_result_pace_spec(parameters);
    struct fb_frames_config config = {
        .traffic = fb_result_traffic(parameters),
        .n_destinations = parameters->n_destinations,
        .fault = options.fault,
    };
    uint64_t n = MAX(config.traffic.sizes.period,
                     fb_traffic_cycle(&config.traffic,
                                      config.n_destinations));
    if (spec.rate) {
        struct fb_pace pace;
        fb_pace_init(&pace, &spec, parameters->duration * 1e9);
        n = pace.n_planned;
    }
    if (n > FB_PCAP_MAX) {
        ovs_fatal(0, "--pcap: %"PRIu64" packets are too many for a file (at "
                  "most %d); use a lower --rate or --duration", n,
                  FB_PCAP_MAX);
    }
    char *error = fb_pcap_write(options.pcap, &config, n);
    if (error) {
        ovs_fatal(0, "%s", error);
    }
    exit(EXIT_SUCCESS);
}

/* Runs the experiment that 'config' says on this kernel.  'place' says where
 * that is. */
static void OVS_NO_RETURN
run_experiment_here(struct fb_experiment_config *config,
                    const struct fb_place *place)
{
    struct fb_output *output = begin_here();
    struct ds ds = DS_EMPTY_INITIALIZER;
    struct fb_experiment_result result;

    size_t n_others = fb_rundir_count_others();

    config->kinds = place->kinds;
    config->n_kinds = place->n_kinds;
    config->rundir = rundir;
    announce(config->parameters.scenario,
             fb_experiment_expect(config, fb_guest_is_inside()));
    char *error = fb_experiment_run(config, &result);
    if (error) {
        fb_output_close(output);
        ovs_fatal(0, "%s", error);
    }
    n_others = MAX(n_others, fb_rundir_count_others());
    if (n_others) {
        fb_experiment_result_add_finding(&result, FB_WARNING, "other-run",
                                         OTHER_RUN_FIX, OTHER_RUN_TEXT,
                                         n_others);
    }
    fb_place_add_findings(place, &result.findings);
    if (options.style.format == TF_JSON) {
        put_json(fb_experiment_report_to_json(&result), &ds);
    } else {
        fb_experiment_report_format(&result, &options.style, &ds);
    }
    finish(&ds, output, &result.findings);
}

/* Runs 'scenario', which is an experiment. */
static void OVS_NO_RETURN
run_experiment(const struct fb_scenario *scenario)
{
    struct fb_experiment_config config = {
        .class = scenario->experiment,
        .vswitchd = options.vswitchd,
        .progress = isatty(STDERR_FILENO) || fb_guest_progress(),
        .stop = &stop,
    };
    bool inside = fb_guest_is_inside();
    struct fb_place place;

    fb_options_check_experiment(&options, scenario->name, config.class);
    if (config.class->counts) {
        fb_options_need_counting_guest(&options, scenario->name);
    }
    fb_options_get_experiment(&options, scenario->name, config.class, inside,
                              &config.parameters);
    char *error = fb_place_choose(&options, scenario->duts, options.vswitchd,
                                  &place);
    if (error) {
        ovs_fatal(0, "%s", error);
    }
    fb_options_check_experiment_place(&place, scenario->name, config.class);
    fb_options_get_experiment(&options, scenario->name, config.class,
                              place.guest || inside, &config.parameters);
    if (place.guest) {
        run_in_guest(&(struct fb_guest_needs) {
            .mem_mb = fb_experiment_mem_mb(config.class, &config.parameters),
            .timeout_s = EXPERIMENT_TIMEOUT,
            .kernel_args = config.class->kernel_args,
            .counts = config.class->counts,
        }, &place);
    }
    run_experiment_here(&config, &place);
}

/* Exits with an error message if 'parameters' ask for more threads than there
 * are CPUs in the guest, as which 'place' says where to run. */
static void
check_guest_threads(const struct fb_parameters *parameters,
                    const struct fb_place *place)
{
    if (place->guest_cpus > 1 && parameters->n_threads > place->guest_cpus) {
        ovs_fatal(0, "--threads=%"PRIuSIZE": the guest has %u CPUs (use "
                  "--guest-cpus)", parameters->n_threads, place->guest_cpus);
    } else if (place->guest_cpus == 1 && parameters->n_threads > 1) {
        ovs_fatal(0, "--threads=%"PRIuSIZE": the guest%s%s%s has a single CPU",
                  parameters->n_threads,
                  place->why ? ", which this run needs (" : "",
                  place->why ? place->why : "", place->why ? ")," : "");
    }
}

/* "run SCENARIO". */
static void
cmd_run(struct ovs_cmdl_context *ctx)
{
    const struct fb_scenario *scenario = fb_scenario_find(ctx->argv[1]);
    if (!scenario) {
        ovs_fatal(0, "%s: no such scenario (use \"%s list\" for a list)",
                  ctx->argv[1], program_name);
    }
    struct fb_parameters parameters = fb_scenario_get_parameters(
        scenario, options.scale);
    struct fb_place place;

    if (scenario->experiment) {
        run_experiment(scenario);
    }
    fb_options_get_parameters(&options, &parameters);
    if (options.pcap) {
        fb_options_check_pcap(&options);
        write_pcap(&parameters);
    }
    fb_options_check_host(&options, &parameters);
    char *error = fb_place_choose(&options, scenario->duts,
                                  options.db ? options.db : options.vswitchd,
                                  &place);
    if (error) {
        ovs_fatal(0, "%s", error);
    }
    fb_options_check_host_place(&options, &place);
    fb_options_check_tcp_place(&parameters, &place);
    fb_scenario_settle(&parameters, place.guest || fb_guest_is_inside());
    if (place.guest && (options.cpus || options.tune)) {
        ovs_fatal(0, "--%s: a guest has %s (use --no-guest)",
                  options.cpus ? "cpus" : "tune",
                  place.guest_cpus == 1 ? "a single CPU"
                  : "CPUs of its own");
    }
    if (place.guest) {
        struct fb_guest_needs needs = fb_place_guest_needs(&place,
                                                           &parameters);
        check_guest_threads(&parameters, &place);
        fb_options_pass_like(&parameters);
        run_in_guest(&needs, &place);
    } else {
        run_here(&parameters, &place);
    }
}

/* "list". */
static void
cmd_list(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_output *output;

    char *error = fb_output_open(options.output, &output);
    if (!error) {
        error = fb_output_become_stdout(output);
    }
    if (!error) {
        /* Whoever reads only the first lines is no reason for an error. */
        signal(SIGPIPE, SIG_DFL);
        fb_list_print(&options.style);
        fflush(stdout);
        error = (ferror(stdout)
                 ? xasprintf("%s: cannot be written",
                             options.output ? options.output
                             : "standard output")
                 : fb_output_commit(output, ""));
    }
    fb_output_close(output);
    if (error) {
        ovs_fatal(0, "%s", error);
    }
}

/* "describe BRIDGE". */
static void
cmd_describe(struct ovs_cmdl_context *ctx)
{
    struct ds ds = DS_EMPTY_INITIALIZER;
    struct fb_output *output;
    struct fb_like like;

    char *error = fb_output_open(options.output, &output);
    if (!error) {
        fb_like_init(&like);
        error = fb_like_read(&like, ctx->argv[1], options.db);
    }
    if (!error) {
        fb_like_report_format(&like, &options.style, &ds);
        error = fb_output_commit(output, ds_cstr(&ds));
    }
    fb_output_close(output);
    if (error) {
        ovs_fatal(0, "%s", error);
    }
    fb_like_destroy(&like);
    ds_destroy(&ds);
}

/* "doctor". */
static void
cmd_doctor(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_doctor_config config = {
        .db = options.db,
        .interval = options.interval,
    };
    struct ds ds = DS_EMPTY_INITIALIZER;
    struct fb_doctor doctor;
    struct fb_output *output;

    char *error = fb_output_open(options.output, &output);
    if (error) {
        ovs_fatal(0, "%s", error);
    }
    fb_doctor_examine(&doctor, &config);
    fb_doctor_report_format(&doctor, &options.style, &ds);
    error = fb_output_commit(output, ds_cstr(&ds));
    if (error) {
        ovs_fatal(0, "%s", error);
    }
    fb_output_close(output);
    ds_destroy(&ds);
    int exit_code = fb_doctor_exit_code(&doctor);
    fb_doctor_destroy(&doctor);
    exit(exit_code);
}

/* "cleanup". */
static void
cmd_cleanup(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct ds report = DS_EMPTY_INITIALIZER;
    size_t n_failed;

    char *error = fb_rundir_clean_up(&report, &n_failed);
    fputs(ds_cstr(&report), stdout);
    ds_destroy(&report);
    if (error) {
        ovs_fatal(0, "%s", error);
    }
    exit(n_failed ? EXIT_FAILURE : EXIT_SUCCESS);
}

/* "help". */
static void
cmd_help(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    usage();
}

static void cmd_list_commands(struct ovs_cmdl_context *);

static const struct ovs_cmdl_command commands[] = {
    { "run", "SCENARIO", 1, 1, cmd_run, OVS_RW },
    { "list", "", 0, 0, cmd_list, OVS_RO },
    { "doctor", "", 0, 0, cmd_doctor, OVS_RO },
    { "describe", "BRIDGE", 1, 1, cmd_describe, OVS_RO },
    { "cleanup", "", 0, 0, cmd_cleanup, OVS_RW },
    { "list-commands", "", 0, 0, cmd_list_commands, OVS_RO },
    { "help", "", 0, 0, cmd_help, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};

/* "list-commands". */
static void
cmd_list_commands(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    ovs_cmdl_print_commands(commands);
}

int
main(int argc, char *argv[])
{
    if (fb_guest_is_init()) {
        fb_guest_init(&argc, &argv);
    }
    reserve_stdio();
    extend_path();
    set_program_name(argv[0]);
    fatal_ignore_sigpipe();
    vlog_set_levels(NULL, VLF_ANY_DESTINATION, VLL_WARN);
    /* A trial is a long time between polls, as it should be, and who presses
     * Ctrl-C knows it. */
    vlog_set_levels(vlog_module_from_name("timeval"), VLF_ANY_DESTINATION,
                    VLL_ERR);
    vlog_set_levels(vlog_module_from_name("fatal_signal"),
                    VLF_ANY_DESTINATION, VLL_ERR);
    /* Who cannot be reached is told of by an error, and once. */
    vlog_set_levels(vlog_module_from_name("jsonrpc"), VLF_ANY_DESTINATION,
                    VLL_ERR);

    command_line = xcalloc(argc + 1, sizeof *command_line);
    memcpy(command_line, argv, argc * sizeof *argv);
    fb_options_parse(argc, argv, &options, usage);
    if (optind >= argc) {
        ovs_fatal(0, "missing command name; use --help for help");
    }
    fb_options_check_command(&options, argv[optind]);
    fb_options_check_guest(&options);
    catch_signals();
    if (options.timeout) {
        alarm(options.timeout);
    }

    struct ovs_cmdl_context ctx = {
        .argc = argc - optind,
        .argv = argv + optind,
    };
    ovs_cmdl_run_command(&ctx, commands);
    return 0;
}
