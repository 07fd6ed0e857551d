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

#include "fb-options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command-line.h"
#include "fanbench-config.h"
#include "fb-dut.h"
#include "fb-options-backend.h"
#include "fb-options-guest.h"
#include "fb-options-latency.h"
#include "fb-options-like.h"
#include "fb-options-load.h"
#include "fb-options-sampling.h"
#include "fb-result.h"
#include "openvswitch/vlog.h"
#include "random.h"
#include "util.h"

/* An option of some command, which has a long name only. */
struct option_row {
    const char *name;           /* Without "--". */
    const char *arg;            /* Its argument in the help text, in brackets
                                 * if it may be left out, or NULL. */
    const char *help;           /* Help text: lines without indentation. */
    size_t offset;              /* In struct fb_options: a char * for the
                                 * argument, or a bool if there is none... */
    void (*set)(struct fb_options *, const char *value); /* ...or what to call
                                 * instead, or NULL. */
};

#define STRING(NAME, ARG, MEMBER, HELP) \
    { NAME, ARG, HELP, offsetof(struct fb_options, MEMBER), NULL }
#define FLAG(NAME, MEMBER, HELP) \
    { NAME, NULL, HELP, offsetof(struct fb_options, MEMBER), NULL }
#define SPECIAL(NAME, ARG, SET, HELP) { NAME, ARG, HELP, 0, SET }

static void set_quick(struct fb_options *, const char *value);
static void set_full(struct fb_options *, const char *value);
static void set_db(struct fb_options *, const char *value);
static void set_interval(struct fb_options *, const char *value);

/* Options of "run". */
static const struct option_row run_options[] = {
    STRING("duts", "KIND[,KIND...]", duts,
           "what to send through; a kind may be named twice"),
    SPECIAL("quick", NULL, set_quick,
            "end within a minute, in a guest within two"),
    SPECIAL("full", NULL, set_full,
            "for as long as what was published took"),
    STRING("uplink", "IFNAME", uplink,
           "interface by which packets to the last destination leave"),
    STRING("like", "BRIDGE", like,
           "build twins of a bridge, Open vSwitch's or Linux's"),
    STRING("load", "WHAT", load,
           "what to send: frames, or iperf3 for TCP in bulk"),
    FLAG("tso", tso,
         "with iperf3: leave segmentation to the devices"),
    STRING("destinations", "N", destinations,
           "destination ports (1..." OVS_STRINGIZE(FB_MAX_DESTINATIONS) ")"),
    STRING("frame-size", "BYTES", frame_size,
           "frame size without FCS (" OVS_STRINGIZE(FB_PACKET_MIN_SIZE) "..."
           OVS_STRINGIZE(FB_MAX_FRAME_SIZE) "), \"imix\", or\n"
           "BYTES:WEIGHT[,BYTES:WEIGHT...]"),
    STRING("flows", "N", flows,
           "number of flows (up to " OVS_STRINGIZE(FB_MAX_FLOWS) ")"),
    STRING("flow-fields", "FIELD[,FIELD...]", flow_fields,
           "where they differ: sport, dport, ip-src,\n"
           "ip-dst, eth-src"),
    FLAG("ipv6", ipv6,
         "IPv6 instead of IPv4"),
    STRING("vlan", "VID", vlan,
           "tag frames with VLAN ID VID"),
    STRING("rate", "PPS", rate,
           "packets per second, e.g. 100k or 1.5M, \"max\", or\n"
           "FROM..TO for a ramp"),
    STRING("pattern", "PATTERN", pattern,
           "uniform, burst, flood, churn, bidirectional or\n"
           "matrix"),
    STRING("backend", "NAME", backend,
           "how to send: auto, sendmmsg, ring, xdp or pktgen"),
    STRING("threads", "N", threads,
           "threads that send, each on a CPU of its own"),
    STRING("cpus", "LIST", cpus,
           "CPUs to use: the first for the generator, the last\n"
           "for a PMD thread"),
    FLAG("tune", tune,
         "set governor, turbo and interrupts for the run"),
    STRING("pcap", "FILE", pcap,
           "write the packets to FILE instead"),
    STRING("burst", "SECS", burst,
           "length of each burst"),
    STRING("pause", "SECS", pause,
           "length of the pause after each burst"),
    STRING("flow-packets", "N", flow_packets,
           "with churn: packets of each flow"),
    STRING("new-flows", "N", new_flows,
           "with churn: new flows per second"),
    STRING("masks", "N", masks,
           "flows under so many masks of Open vSwitch's"),
    STRING("precision", "PERCENT", precision,
           "go on until ratios are so precise, e.g. 1%"),
    STRING("max-time", "SECS", max_time,
           "...or so much time is spent"),
    STRING("trials", "N", trials,
           "so many trials of each DUT, however precise"),
    STRING("builds", "N", builds,
           "how often to build each DUT anew"),
    STRING("search", "GOAL", search,
           "find the highest rate without loss: ndr, pdr, mlr"),
    STRING("loss-ratio", "PERCENT", loss_ratio,
           "loss that \"pdr\" allows"),
    STRING("sweep", "NAME:N,N[,N...]", sweep,
           "cost model over frame-size, destinations, flows,\n"
           "masks, flow-packets or copies; N..N doubles"),
    STRING("values", "N[,N...]", values,
           "what an experiment goes through, e.g. threads"),
    STRING("duration", "SECS", duration,
           "length of each trial"),
    STRING("warmup", "SECS", warmup,
           "load before the first trial"),
    STRING("seed", "N", seed,
           "order of the DUTs in the blocks"),
    STRING("latency-rate", "N", latency_rate,
           "packets per second whose latency is measured"),
    STRING("latency-at", "PCT[,...]", latency_at,
           "measure latency at these loads, too, in percent of\n"
           "each DUT's throughput"),
    FLAG("no-latency", no_latency,
         "measure no latency"),
    FLAG("check-order", check_order,
         "check in which order packets arrive"),
    STRING("vswitchd", "PATH", vswitchd,
           "ovs-vswitchd to use"),
    SPECIAL("guest", "[KIND]", fb_options_set_guest,
            "run in a guest: uml (the default) or qemu"),
    SPECIAL("guest-cpus", "N", fb_options_set_guest_cpus,
            "CPUs of a QEMU guest (1...32; default: 2)"),
    SPECIAL("no-guest", NULL, fb_options_set_no_guest,
            "run on this kernel"),
    FLAG("no-spinner", no_spinner,
         "measure CPU time without a thread per CPU"),
    STRING("output", "FILE", output,
           "write the result to FILE"),
};

/* Options of "doctor". */
static const struct option_row doctor_options[] = {
    SPECIAL("db", "unix:SOCKET", set_db,
            "database of the Open vSwitch to examine; for \"run\",\n"
            "to use, or to read the bridge of --like from; for\n"
            "\"describe\", to read it from"),
    SPECIAL("interval", "SECS", set_interval,
            "time between the two samples (default: "
            OVS_STRINGIZE(FB_DEFAULT_INTERVAL) ")"),
};

/* All of them. */
static const struct option_group {
    const char *title;                /* Heading in the help text. */
    const struct option_row *rows;    /* Array of... */
    size_t n;                         /* ...so many. */
} groups[] = {
    { "Options of \"run\" (defaults are the scenario's):",
      run_options, ARRAY_SIZE(run_options) },
    { "Options of \"doctor\":", doctor_options, ARRAY_SIZE(doctor_options) },
};

/* The values that getopt_long() returns for the options above are
 * OPT_FIRST_ROW and so on, in their order. */
enum {
    OPT_OPTIONS = UCHAR_MAX + 1,
    TABLE_OPTION_ENUMS,
    VLOG_OPTION_ENUMS,
    OPT_FIRST_ROW
};

/* Options of all commands. */
static const struct option common_options[] = {
    {"timeout", required_argument, NULL, 't'},
    {"help", no_argument, NULL, 'h'},
    {"option", no_argument, NULL, 'o'},
    {"version", no_argument, NULL, 'V'},
    TABLE_LONG_OPTIONS,
    VLOG_LONG_OPTIONS,
    {NULL, 0, NULL, 0},
};

/* Returns the options as getopt_long() wants them, in memory that the caller
 * must free. */
static struct option *
long_options(void)
{
    size_t n = 0;

    for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
        n += groups[i].n;
    }
    struct option *options = xcalloc(n + ARRAY_SIZE(common_options),
                                     sizeof *options);
    n = 0;
    for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
        for (size_t j = 0; j < groups[i].n; j++, n++) {
            const struct option_row *row = &groups[i].rows[j];

            options[n].name = row->name;
            options[n].has_arg = (!row->arg ? no_argument
                                  : row->arg[0] == '[' ? optional_argument
                                  : required_argument);
            options[n].val = OPT_FIRST_ROW + n;
        }
    }
    memcpy(&options[n], common_options, sizeof common_options);
    return options;
}

/* Returns the row of the option for which getopt_long() returned 'c', or NULL
 * if it is an option of all commands. */
static const struct option_row *
find_row(int c)
{
    for (size_t i = 0; c >= OPT_FIRST_ROW && i < ARRAY_SIZE(groups); i++) {
        if (c - OPT_FIRST_ROW < groups[i].n) {
            return &groups[i].rows[c - OPT_FIRST_ROW];
        }
        c -= groups[i].n;
    }
    return NULL;
}

/* Column of the help texts. */
#define HELP_COLUMN 26

/* Prints the help text of 'row'. */
static void
print_row(const struct option_row *row)
{
    const char *arg = row->arg ? row->arg : "";
    int width = (arg[0] == '['
                 ? printf("  --%s[=%s", row->name, arg + 1)
                 : printf("  --%s%s%s", row->name, arg[0] ? "=" : "", arg));

    printf("%*s", width < HELP_COLUMN ? HELP_COLUMN - width : 2, "");
    for (const char *c = row->help; *c; c++) {
        putchar(*c);
        if (*c == '\n') {
            printf("%*s", HELP_COLUMN, "");
        }
    }
    putchar('\n');
}

/* Prints the options. */
void
fb_options_usage(void)
{
    for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
        printf("\n%s\n", groups[i].title);
        for (size_t j = 0; j < groups[i].n; j++) {
            print_row(&groups[i].rows[j]);
        }
    }
    printf("\nOutput format options:\n"
           "  -f, --format=FORMAT     table, list, csv or html; json for the "
           "whole result\n"
           "  --no-headings           leave out the tables' headings\n"
           "  --pretty                indent JSON\n");
    vlog_usage();
    printf("\nOther options:\n"
           "  -t, --timeout=SECS      give up after SECS seconds\n"
           "  -h, --help              display this help message\n"
           "  -o, --option            list options, for completion\n"
           "  -V, --version           display version information\n");
}

/* Stores 'value' in '*member', instead of what an earlier option said. */
static void
set(char **member, const char *value)
{
    free(*member);
    *member = xstrdup(value);
}

/* Returns the number that 'value', of the option 'name', is.  It may end with
 * "k" or "M".  Exits with an error message if it is not a number or not
 * between 'min' and 'max', or, if 'whole', not a whole number. */
double
fb_parse_number(const char *name, const char *value, double min, double max,
                bool whole)
{
    /* strtod() takes more: blanks before it, "0x10", "inf"... */
    const char *plain_end = value + strspn(value, "+-.0123456789eE");
    char *end;

    errno = 0;
    double x = strtod(value, &end);
    bool is_number = end != value && end == plain_end;
    if (is_number && (!strcmp(end, "k") || !strcmp(end, "M"))) {
        x *= *end == 'k' ? 1e3 : 1e6;
        end++;
    }
    if (!is_number || *end || errno || !isfinite(x)
        || (whole && x != floor(x))) {
        ovs_fatal(0, "--%s=%s: not a %snumber", name, value,
                  whole ? "whole " : "");
    } else if (x < min || x > max) {
        ovs_fatal(0, "--%s=%s: not between %.15g and %.15g", name, value, min,
                  max);
    }
    return x;
}

/* Sets the test hooks in 'options' from the environment. */
static void
parse_hooks(struct fb_options *options)
{
    const char *fault = getenv("OVS_FANBENCH_FAULT");
    const char *latency = getenv("OVS_FANBENCH_LATENCY");

    options->hook = getenv("OVS_FANBENCH_HOOK");
    options->alternate_marks = latency && !strcmp(latency, "alternate");
    if (!fault || !fault[0]) {
        return;
    } else if (!strcmp(fault, "checksum")) {
        options->fault = FB_PACKET_FAULT_IP_CSUM;
    } else if (!strcmp(fault, "br-netfilter")) {
        options->br_netfilter = true;
    } else if (!strcmp(fault, "checksum,br-netfilter")) {
        options->fault = FB_PACKET_FAULT_IP_CSUM;
        options->br_netfilter = true;
    } else {
        ovs_fatal(0, "OVS_FANBENCH_FAULT=%s: no such fault", fault);
    }
}

/* Stores the scale that --quick or --full asks for. */
static void
set_scale(struct fb_options *options, enum fb_scale scale)
{
    if (options->scale && options->scale != scale) {
        ovs_fatal(0, "--quick does not go with --full");
    }
    options->scale = scale;
}

/* Implements "--quick". */
static void
set_quick(struct fb_options *options, const char *value OVS_UNUSED)
{
    set_scale(options, FB_SCALE_QUICK);
}

/* Implements "--full". */
static void
set_full(struct fb_options *options, const char *value OVS_UNUSED)
{
    set_scale(options, FB_SCALE_FULL);
}

/* Implements "--db". */
static void
set_db(struct fb_options *options, const char *value)
{
    if (strncmp(value, "unix:", strlen("unix:"))
        || !value[strlen("unix:")]) {
        ovs_fatal(0, "--db=%s: not of the form unix:SOCKET", value);
    }
    set(&options->db, value);
}

/* Implements "--interval". */
static void
set_interval(struct fb_options *options, const char *value)
{
    options->interval = fb_parse_number("interval", value, 0.1, 3600, false);
}

/* Stores in 'options' the option of 'row' with 'value'. */
static void
parse_row(const struct option_row *row, const char *value,
          struct fb_options *options)
{
    void *member = (char *) options + row->offset;

    if (row->set) {
        row->set(options, value);
    } else if (row->arg) {
        set(member, value);
    } else {
        *(bool *) member = true;
    }
}

/* Handles the option 'c' that any command may have; 'all' are all options.
 * Exits after options that ask only for output. */
static void
parse_common_option(int c, const struct option *all,
                    struct fb_options *options, void (*usage)(void))
{
    switch (c) {
    case 't':
        options->timeout = fb_parse_number("timeout", optarg, 1, 1e6, true);
        break;

    case 'h':
        usage();
        exit(EXIT_SUCCESS);

    case 'o':
        ovs_cmdl_print_options(all);
        exit(EXIT_SUCCESS);

    case 'V':
        printf("ovs-fanbench %s (built with Open vSwitch %s)\n",
               FANBENCH_VERSION, FANBENCH_OVS_VERSION);
        exit(EXIT_SUCCESS);

    TABLE_OPTION_HANDLERS(&options->style)
    VLOG_OPTION_HANDLERS

    case '?':
        fprintf(stderr, "Try \"%s --help\".\n", program_name);
        exit(EXIT_FAILURE);

    default:
        OVS_NOT_REACHED();
    }
}

/* Fills in '*options' from the command line.  Afterward 'optind' is the index
 * of the first argument.  Exits with an error message if an option is wrong,
 * and after printing what an option asks to be printed; 'usage' prints the
 * help text. */
void
fb_options_parse(int argc, char *argv[], struct fb_options *options,
                 void (*usage)(void))
{
    struct option *all = long_options();
    char *short_options = ovs_cmdl_long_options_to_short_options(all);

    memset(options, 0, sizeof *options);
    svec_init(&options->given);
    options->style = (struct table_style) TABLE_STYLE_DEFAULT;
    options->style.format = TF_TABLE;
    options->interval = FB_DEFAULT_INTERVAL;
    for (;;) {
        int c = getopt_long(argc, argv, short_options, all, NULL);
        const struct option_row *row = find_row(c);

        if (c == -1) {
            break;
        } else if (row) {
            svec_add(&options->given, row->name);
            parse_row(row, optarg, options);
        } else {
            parse_common_option(c, all, options, usage);
        }
    }
    free(short_options);
    free(all);
    parse_hooks(options);
}

/* Changes the members of 'p', which holds a scenario's defaults, that options
 * were given for.  Exits with an error message if one has a bad value. */
void
fb_options_get_parameters(const struct fb_options *options,
                          struct fb_parameters *p)
{
    if (options->values) {
        ovs_fatal(0, "--values: \"%s\" is no experiment (see --sweep)",
                  p->scenario);
    }
    fb_options_get_load(options, p);
    fb_options_get_sampling(options, p);
    if (options->duration) {
        double *duration = p->search ? &p->search_duration : &p->duration;
        *duration = fb_parse_number("duration", options->duration, 0.001, 3600,
                                      false);
    }
    if (options->warmup) {
        p->warmup = fb_parse_number("warmup", options->warmup, 0, 3600, false);
    }
    fb_options_settle_bursts(p);
    if (options->seed) {
        p->seed = fb_parse_number("seed", options->seed, 0, UINT32_MAX, true);
    } else {
        random_init();
        p->seed = random_uint32();
    }
    fb_options_get_latency(options, p);
    fb_options_check_backend(options, p);
    if (p->like) {
        fb_options_check_like(p);
    }
}
