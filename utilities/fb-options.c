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
#include "fb-backend.h"
#include "fb-dut.h"
#include "fb-options-latency.h"
#include "fb-options-sampling.h"
#include "fb-result.h"
#include "openvswitch/vlog.h"
#include "random.h"
#include "util.h"

/* Options without a letter. */
enum {
    OPT_DUTS = UCHAR_MAX + 1,
    OPT_QUICK,
    OPT_FULL,
    OPT_DESTINATIONS,
    OPT_FRAME_SIZE,
    OPT_FLOWS,
    OPT_FLOW_FIELDS,
    OPT_IPV6,
    OPT_VLAN,
    OPT_RATE,
    OPT_BACKEND,
    OPT_PCAP,
    OPT_PATTERN,
    OPT_BURST,
    OPT_PAUSE,
    OPT_FLOW_PACKETS,
    OPT_TRIALS,
    OPT_PRECISION,
    OPT_MAX_TIME,
    OPT_BUILDS,
    OPT_SEARCH,
    OPT_LOSS_RATIO,
    OPT_SWEEP,
    OPT_DURATION,
    OPT_WARMUP,
    OPT_SEED,
    OPT_LATENCY_RATE,
    OPT_LATENCY_AT,
    OPT_NO_LATENCY,
    OPT_CHECK_ORDER,
    OPT_VSWITCHD,
    OPT_OUTPUT,
    OPT_GUEST,
    OPT_NO_GUEST,
    OPT_DB,
    OPT_INTERVAL,
    OPT_NO_SPINNER,
    OPT_OPTIONS,
    TABLE_OPTION_ENUMS,
    VLOG_OPTION_ENUMS
};

static const struct option long_options[] = {
    {"duts", required_argument, NULL, OPT_DUTS},
    {"quick", no_argument, NULL, OPT_QUICK},
    {"full", no_argument, NULL, OPT_FULL},
    {"destinations", required_argument, NULL, OPT_DESTINATIONS},
    {"frame-size", required_argument, NULL, OPT_FRAME_SIZE},
    {"flows", required_argument, NULL, OPT_FLOWS},
    {"flow-fields", required_argument, NULL, OPT_FLOW_FIELDS},
    {"ipv6", no_argument, NULL, OPT_IPV6},
    {"vlan", required_argument, NULL, OPT_VLAN},
    {"rate", required_argument, NULL, OPT_RATE},
    {"backend", required_argument, NULL, OPT_BACKEND},
    {"pcap", required_argument, NULL, OPT_PCAP},
    {"pattern", required_argument, NULL, OPT_PATTERN},
    {"burst", required_argument, NULL, OPT_BURST},
    {"pause", required_argument, NULL, OPT_PAUSE},
    {"flow-packets", required_argument, NULL, OPT_FLOW_PACKETS},
    {"trials", required_argument, NULL, OPT_TRIALS},
    {"precision", required_argument, NULL, OPT_PRECISION},
    {"max-time", required_argument, NULL, OPT_MAX_TIME},
    {"builds", required_argument, NULL, OPT_BUILDS},
    {"search", required_argument, NULL, OPT_SEARCH},
    {"loss-ratio", required_argument, NULL, OPT_LOSS_RATIO},
    {"sweep", required_argument, NULL, OPT_SWEEP},
    {"duration", required_argument, NULL, OPT_DURATION},
    {"warmup", required_argument, NULL, OPT_WARMUP},
    {"seed", required_argument, NULL, OPT_SEED},
    {"latency-rate", required_argument, NULL, OPT_LATENCY_RATE},
    {"latency-at", required_argument, NULL, OPT_LATENCY_AT},
    {"no-latency", no_argument, NULL, OPT_NO_LATENCY},
    {"check-order", no_argument, NULL, OPT_CHECK_ORDER},
    {"vswitchd", required_argument, NULL, OPT_VSWITCHD},
    {"output", required_argument, NULL, OPT_OUTPUT},
    {"guest", no_argument, NULL, OPT_GUEST},
    {"no-guest", no_argument, NULL, OPT_NO_GUEST},
    {"db", required_argument, NULL, OPT_DB},
    {"interval", required_argument, NULL, OPT_INTERVAL},
    {"no-spinner", no_argument, NULL, OPT_NO_SPINNER},
    {"timeout", required_argument, NULL, 't'},
    {"help", no_argument, NULL, 'h'},
    {"option", no_argument, NULL, 'o'},
    {"version", no_argument, NULL, 'V'},
    TABLE_LONG_OPTIONS,
    VLOG_LONG_OPTIONS,
    {NULL, 0, NULL, 0},
};

/* Prints the options. */
void
fb_options_usage(void)
{
    printf("\nOptions of \"run\" (defaults are the scenario's):\n"
           "  --duts=KIND[,KIND...]   what to send through; a kind may be "
           "named twice\n"
           "  --quick                 end within a minute, in a guest within "
           "two\n"
           "  --full                  for as long as what was published "
           "took\n"
           "  --destinations=N        destination ports (1...%d)\n"
           "  --frame-size=BYTES      frame size without FCS (%d...%d), "
           "\"imix\", or\n"
           "                          BYTES:WEIGHT[,BYTES:WEIGHT...]\n"
           "  --flows=N               number of flows (up to 1000000)\n"
           "  --flow-fields=FIELD[,FIELD...]  where they differ: sport, "
           "dport, ip-src,\n"
           "                          ip-dst, eth-src\n"
           "  --ipv6                  IPv6 instead of IPv4\n"
           "  --vlan=VID              tag frames with VLAN ID VID\n"
           "  --rate=PPS              packets per second, e.g. 100k or 1.5M, "
           "\"max\", or\n"
           "                          FROM..TO for a ramp\n"
           "  --pattern=PATTERN       uniform, burst, flood or churn\n"
           "  --backend=NAME          how to send: auto, sendmmsg, ring or "
           "xdp\n"
           "  --pcap=FILE             write the packets to FILE instead\n"
           "  --burst=SECS            length of each burst\n"
           "  --pause=SECS            length of the pause after each burst\n"
           "  --flow-packets=N        with churn: packets of each flow\n"
           "  --precision=PERCENT     go on until ratios are so precise, e.g. "
           "1%%\n"
           "  --max-time=SECS         ...or so much time is spent\n"
           "  --trials=N              so many trials of each DUT, however "
           "precise\n"
           "  --builds=N              how often to build each DUT anew\n"
           "  --search=GOAL           find the highest rate without loss: "
           "ndr, pdr, mlr\n"
           "  --loss-ratio=PERCENT    loss that \"pdr\" allows\n"
           "  --sweep=NAME:N,N[,N...] cost model over frame-size, "
           "destinations or flows\n"
           "  --duration=SECS         length of each trial\n"
           "  --warmup=SECS           load before the first trial\n"
           "  --seed=N                order of the DUTs in the blocks\n"
           "  --latency-rate=N        packets per second whose latency is "
           "measured\n"
           "  --latency-at=PCT[,...]  measure latency at these loads, too, in "
           "percent of\n"
           "                          each DUT's throughput\n"
           "  --no-latency            measure no latency\n"
           "  --check-order           check in which order packets arrive\n"
           "  --vswitchd=PATH         ovs-vswitchd to use\n"
           "  --guest                 run in a User-Mode Linux guest\n"
           "  --no-guest              run on this kernel\n"
           "  --no-spinner            measure CPU time without a thread per "
           "CPU\n"
           "  --output=FILE           write the result to FILE\n"
           "  -t, --timeout=SECS      give up after SECS seconds\n",
           FB_MAX_DESTINATIONS, FB_PACKET_MIN_SIZE, FB_MAX_FRAME_SIZE);
    printf("\nOptions of \"doctor\":\n"
           "  --db=unix:SOCKET        database of the Open vSwitch to "
           "examine\n"
           "  --interval=SECS         time between the two samples "
           "(default: %g)\n", FB_DEFAULT_INTERVAL);
    printf("\nOutput format options:\n"
           "  -f, --format=FORMAT     table, list, csv or html; json for the "
           "whole result\n"
           "  --no-headings           leave out the tables' headings\n"
           "  --pretty                indent JSON\n");
    vlog_usage();
    printf("\nOther options:\n"
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
    char *end;

    errno = 0;
    double x = strtod(value, &end);
    if (end != value && (!strcmp(end, "k") || !strcmp(end, "M"))) {
        x *= *end == 'k' ? 1e3 : 1e6;
        end++;
    }
    if (end == value || *end || errno || !isfinite(x)
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

/* Handles the option 'c' of "run".  Returns false if it is none of these. */
static bool
parse_run_option(int c, struct fb_options *options)
{
    switch (c) {
    case OPT_DUTS:
        set(&options->duts, optarg);
        return true;
    case OPT_QUICK:
        set_scale(options, FB_SCALE_QUICK);
        return true;
    case OPT_FULL:
        set_scale(options, FB_SCALE_FULL);
        return true;
    case OPT_DESTINATIONS:
        set(&options->destinations, optarg);
        return true;
    case OPT_FRAME_SIZE:
        set(&options->frame_size, optarg);
        return true;
    case OPT_FLOWS:
        set(&options->flows, optarg);
        return true;
    case OPT_FLOW_FIELDS:
        set(&options->flow_fields, optarg);
        return true;
    case OPT_IPV6:
        options->ipv6 = true;
        return true;
    case OPT_VLAN:
        set(&options->vlan, optarg);
        return true;
    case OPT_RATE:
        set(&options->rate, optarg);
        return true;
    case OPT_BACKEND:
        set(&options->backend, optarg);
        return true;
    case OPT_PCAP:
        set(&options->pcap, optarg);
        return true;
    case OPT_PATTERN:
        set(&options->pattern, optarg);
        return true;
    case OPT_BURST:
        set(&options->burst, optarg);
        return true;
    case OPT_PAUSE:
        set(&options->pause, optarg);
        return true;
    case OPT_FLOW_PACKETS:
        set(&options->flow_packets, optarg);
        return true;
    case OPT_TRIALS:
        set(&options->trials, optarg);
        return true;
    case OPT_PRECISION:
        set(&options->precision, optarg);
        return true;
    case OPT_MAX_TIME:
        set(&options->max_time, optarg);
        return true;
    case OPT_BUILDS:
        set(&options->builds, optarg);
        return true;
    case OPT_SEARCH:
        set(&options->search, optarg);
        return true;
    case OPT_LOSS_RATIO:
        set(&options->loss_ratio, optarg);
        return true;
    case OPT_SWEEP:
        set(&options->sweep, optarg);
        return true;
    case OPT_DURATION:
        set(&options->duration, optarg);
        return true;
    case OPT_WARMUP:
        set(&options->warmup, optarg);
        return true;
    case OPT_SEED:
        set(&options->seed, optarg);
        return true;
    case OPT_LATENCY_RATE:
        set(&options->latency_rate, optarg);
        return true;
    case OPT_LATENCY_AT:
        set(&options->latency_at, optarg);
        return true;
    case OPT_NO_LATENCY:
        options->no_latency = true;
        return true;
    case OPT_CHECK_ORDER:
        options->check_order = true;
        return true;
    case OPT_VSWITCHD:
        set(&options->vswitchd, optarg);
        return true;
    case OPT_OUTPUT:
        set(&options->output, optarg);
        return true;
    case OPT_GUEST:
        options->where = FB_GUEST;
        return true;
    case OPT_NO_GUEST:
        options->where = FB_HERE;
        return true;
    case OPT_NO_SPINNER:
        options->no_spinner = true;
        return true;
    default:
        return false;
    }
}

/* Handles the option 'c' of "doctor".  Returns false if it is none of
 * these. */
static bool
parse_doctor_option(int c, struct fb_options *options)
{
    switch (c) {
    case OPT_DB:
        if (strncmp(optarg, "unix:", strlen("unix:"))
            || !optarg[strlen("unix:")]) {
            ovs_fatal(0, "--db=%s: not of the form unix:SOCKET", optarg);
        }
        set(&options->db, optarg);
        return true;
    case OPT_INTERVAL:
        options->interval = fb_parse_number("interval", optarg, 0.1, 3600,
                                            false);
        return true;
    default:
        return false;
    }
}

/* Handles the option 'c' that any command may have.  Exits after options that
 * ask only for output. */
static void
parse_common_option(int c, struct fb_options *options, void (*usage)(void))
{
    switch (c) {
    case 't':
        options->timeout = fb_parse_number("timeout", optarg, 1, 1e6, true);
        break;

    case 'h':
        usage();
        exit(EXIT_SUCCESS);

    case 'o':
        ovs_cmdl_print_options(long_options);
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
    char *short_options = ovs_cmdl_long_options_to_short_options(long_options);

    memset(options, 0, sizeof *options);
    options->style = (struct table_style) TABLE_STYLE_DEFAULT;
    options->style.format = TF_TABLE;
    options->interval = FB_DEFAULT_INTERVAL;
    for (;;) {
        int c = getopt_long(argc, argv, short_options, long_options, NULL);
        if (c == -1) {
            break;
        } else if (!parse_run_option(c, options)
                   && !parse_doctor_option(c, options)) {
            parse_common_option(c, options, usage);
        }
    }
    free(short_options);
    parse_hooks(options);
}

/* Exits with 'error', which is about the value 'value' of option 'name',
 * unless it is null. */
static void
check_value(const char *name, const char *value, char *error)
{
    if (error) {
        ovs_fatal(0, "--%s=%s: %s", name, value, error);
    }
}

/* Changes what 'p' says about the pattern of the load, as options say. */
static void
get_pattern(const struct fb_options *options, struct fb_parameters *p)
{
    struct fb_traffic *traffic = &p->traffic;

    if (options->pattern
        && !fb_pattern_from_name(options->pattern, &traffic->pattern)) {
        ovs_fatal(0, "--pattern=%s: no such pattern (use uniform, burst, "
                  "flood or churn)", options->pattern);
    }
    if (traffic->pattern == FB_PATTERN_CHURN) {
        traffic->fields = FB_FIELD_SPORT | FB_FIELD_DPORT;
        traffic->flow_packets = 10;
        if (options->flow_packets) {
            traffic->flow_packets = fb_parse_number(
                "flow-packets", options->flow_packets, 1, 1e6, true);
        }
    } else if (options->flow_packets) {
        ovs_fatal(0, "--flow-packets needs --pattern=churn");
    }
    if (traffic->pattern != FB_PATTERN_BURST) {
        p->burst = p->pause = 0;
        if (options->burst || options->pause) {
            ovs_fatal(0, "--burst and --pause need --pattern=burst");
        }
        return;
    }
    if (!p->burst) {
        p->burst = 0.01;
        p->pause = 0.09;
    }
    if (options->burst) {
        p->burst = fb_parse_number("burst", options->burst, 0.0001, 60, false);
    }
    if (options->pause) {
        p->pause = fb_parse_number("pause", options->pause, 0.0001, 60, false);
    }
}

/* Changes the rate in 'p', as options say. */
static void
get_rate(const struct fb_options *options, struct fb_parameters *p)
{
    bool bursts = p->traffic.pattern == FB_PATTERN_BURST;

    if (bursts && !p->rate) {
        p->rate = 2000000;
    }
    if (!options->rate) {
        return;
    }
    char *from = xstrdup(options->rate);
    char *to = strstr(from, "..");
    p->rate = p->end_rate = 0;
    if (to) {
        *to = '\0';
        p->end_rate = fb_parse_number("rate", to + 2, 1, 1e9, true);
    }
    if (to || strcmp(from, "max")) {
        p->rate = fb_parse_number("rate", from, 1, 1e9, true);
    }
    free(from);
    if (bursts && (!p->rate || p->end_rate)) {
        ovs_fatal(0, "--rate=%s: bursts have a fixed rate", options->rate);
    }
}

/* Makes trials of 'p' long enough for ten bursts, if there are any and nothing
 * else was said, and checks that they are for one. */
static void
settle_bursts(struct fb_parameters *p)
{
    if (p->burst > 0 && !p->duration) {
        p->duration = 10 * (p->burst + p->pause);
    }
    if (p->duration && p->duration < p->burst + p->pause) {
        ovs_fatal(0, "--duration=%g: less than a burst and a pause (%g)",
                  p->duration, p->burst + p->pause);
    }
}

/* Changes what 'p' says about the packets of the load, as options say. */
static void
get_traffic(const struct fb_options *options, struct fb_parameters *p)
{
    struct fb_traffic *traffic = &p->traffic;

    get_pattern(options, p);
    if (options->flows && traffic->pattern == FB_PATTERN_CHURN) {
        ovs_fatal(0, "--flows: with --pattern=churn flows are without end");
    }
    if (options->flows) {
        traffic->n_flows = fb_parse_number("flows", options->flows, 1,
                                           FB_MAX_FLOWS, true);
        traffic->fields = FB_FIELD_SPORT | FB_FIELD_DPORT;
    }
    if (options->flow_fields) {
        if (!options->flows && traffic->pattern != FB_PATTERN_CHURN) {
            ovs_fatal(0, "--flow-fields needs --flows");
        }
        check_value("flow-fields", options->flow_fields,
                    fb_fields_parse(options->flow_fields, &traffic->fields));
    }
    if (options->vlan) {
        traffic->vlan = fb_parse_number("vlan", options->vlan, 1, 4094, true);
    }
    traffic->ipv6 |= options->ipv6;
    if (options->frame_size) {
        check_value("frame-size", options->frame_size,
                    fb_sizes_parse(options->frame_size, FB_PACKET_MIN_SIZE,
                                   FB_MAX_FRAME_SIZE, &traffic->sizes));
    } else {
        /* The scenario's may be too small for IPv6. */
        p->frame_size = MAX(p->frame_size, fb_traffic_min_size(traffic));
    }
    struct fb_traffic complete = fb_result_traffic(p);
    char *error = fb_traffic_check(&complete, p->n_destinations);
    if (error) {
        ovs_fatal(0, "%s", error);
    }
}

/* Returns the name of the backend that 'options' ask for, or NULL for the
 * best. */
const char *
fb_options_backend(const struct fb_options *options)
{
    return (options->backend && strcmp(options->backend, "auto")
            ? options->backend : NULL);
}

/* Changes the members of 'p', which holds a scenario's defaults, that options
 * were given for.  Exits with an error message if one has a bad value. */
void
fb_options_get_parameters(const struct fb_options *options,
                          struct fb_parameters *p)
{
    if (options->destinations) {
        p->n_destinations = fb_parse_number("destinations",
                                            options->destinations, 1,
                                            FB_MAX_DESTINATIONS, true);
    }
    get_traffic(options, p);
    get_rate(options, p);
    fb_options_get_sampling(options, p);
    if (fb_options_backend(options) && !fb_backend_find(options->backend)) {
        ovs_fatal(0, "--backend=%s: no such backend (use auto, sendmmsg, ring "
                  "or xdp)", options->backend);
    }
    if (options->duration) {
        double *duration = p->search ? &p->search_duration : &p->duration;
        *duration = fb_parse_number("duration", options->duration, 0.001, 3600,
                                      false);
    }
    if (options->warmup) {
        p->warmup = fb_parse_number("warmup", options->warmup, 0, 3600, false);
    }
    settle_bursts(p);
    if (options->seed) {
        p->seed = fb_parse_number("seed", options->seed, 0, UINT32_MAX, true);
    } else {
        random_init();
        p->seed = random_uint32();
    }
    fb_options_get_latency(options, p);
}
