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

#include "fb-tcp.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "fatal-signal.h"
#include "fb-address.h"
#include "fb-cpus.h"
#include "fb-dut.h"
#include "fb-ethtool.h"
#include "fb-ip.h"
#include "fb-process.h"
#include "openvswitch/dynamic-string.h"
#include "svec.h"
#include "timeval.h"
#include "util.h"

/* Addresses: none that packets of our own go to (see fb-address.h), so that
 * nobody answers those. */
#define CLIENT_ADDRESS "198.18.255.1"
#define SERVER_ADDRESS "198.19.255.1"
#define PREFIX "/15"
#define PORT 5201

/* The feature that the others of segmentation need. */
#define CHECKSUM "tx-checksum-ip-generic"
#define TSO "tx-tcp-segmentation"

/* A server listens after so long, in ms, or never. */
#define LISTEN_TIMEOUT_MS 5000

/* A connection that gets nothing through for so long, in ms, is dead.  A
 * client that has not ended so many seconds after all is lost. */
#define DEAD_MS "10000"
#define CLIENT_TIMEOUT_S 60

/* The two ends. */
struct fb_tcp {
    const struct fb_dut *dut;
    char *log_file;             /* What the server prints. */
    pid_t server;               /* Process ID, 0 if it does not run. */
};

/* Returns why there can be no load with parameters 'p' through DUTs of 'kind',
 * or NULL if there can. */
const char *
fb_tcp_check_kind(const struct fb_dut_kind *kind,
                  const struct fb_tcp_parameters *p)
{
    return (p->wanted && p->tso && kind->datapath_type
            && !strcmp(kind->datapath_type, "netdev")
            ? "its datapath takes no frames that are still to be segmented"
            : NULL);
}

/* Returns true if 'name' is one of 'features', with spaces between them. */
static bool
has_feature(const char *features, const char *name)
{
    struct svec names = SVEC_EMPTY_INITIALIZER;

    svec_parse_words(&names, features);
    svec_sort(&names);
    bool has = svec_contains(&names, name);
    svec_destroy(&names);
    return has;
}

/* Switches segmentation by 'ifindex', in the namespace 'netns_fd', off unless
 * 'tso', and makes sure that it is as it is to be. */
static char *
set_segmentation(int netns_fd, int ifindex, bool tso)
{
    struct fb_ethtool *ethtool = NULL;
    char *features = NULL;

    char *error = fb_ethtool_open(netns_fd, &ethtool);
    if (!error && !tso) {
        error = fb_ethtool_switch_off(ethtool, ifindex, CHECKSUM);
    }
    if (!error) {
        error = fb_ethtool_get_features(ethtool, ifindex, &features);
    }
    if (!error && has_feature(features, TSO) != tso) {
        error = xasprintf("interface %d: \"%s\" cannot be switched %s",
                          ifindex, TSO, tso ? "on" : "off");
    }
    free(features);
    fb_ethtool_close(ethtool);
    return error;
}

/* Gives both ends their addresses. */
static char *
configure(const struct fb_dut *dut)
{
    char *error = fb_ip_configure(dut->far_fd, &(struct fb_ip_config) {
        .ifname = FB_GEN_NAME,
        .address = CLIENT_ADDRESS PREFIX,
        .neighbor = SERVER_ADDRESS,
        .neighbor_mac = fb_address_destination_mac(1),
    });
    return (error ? error
            : fb_ip_configure(dut->sink_fd, &(struct fb_ip_config) {
                .ifname = FB_SINK_NAME "1",
                .address = SERVER_ADDRESS PREFIX,
                .neighbor = CLIENT_ADDRESS,
                .neighbor_mac = fb_address_destination_mac(0),
            }));
}

/* Returns true if process 'pid' is in a namespace in which somebody listens at
 * the server's address and port. */
static bool
is_listening(pid_t pid)
{
    struct in_addr addr = { .s_addr = 0 };
    char line[256];
    bool found = false;

    inet_pton(AF_INET, SERVER_ADDRESS, &addr);
    char *name = xasprintf("/proc/%ld/net/tcp", (long int) pid);
    /* The last number is TCP_LISTEN. */
    char *row = xasprintf(" %08"PRIX32":%04X 00000000:0000 0A ", addr.s_addr,
                          PORT);
    FILE *file = fopen(name, "re");
    while (file && !found && fgets(line, sizeof line, file)) {
        found = strstr(line, row) != NULL;
    }
    if (file) {
        fclose(file);
    }
    free(row);
    free(name);
    return found;
}

/* Starts the server of 'tcp', and waits until it listens. */
static char *
start_server(struct fb_tcp *tcp)
{
    static const char *const argv[] = {
        FB_IPERF3, "--server", "--bind", SERVER_ADDRESS, "--interval", "0",
        "--rcv-timeout", DEAD_MS, NULL
    };
    long long int deadline = time_msec() + LISTEN_TIMEOUT_MS;

    char *error = fb_process_start(&(struct fb_process_spec) {
        .argv = argv, .netns_fd = tcp->dut->sink_fd }, tcp->log_file,
        &tcp->server);
    while (!error && !is_listening(tcp->server)) {
        fatal_signal_run();
        if (time_msec() > deadline) {
            error = xasprintf(FB_IPERF3": its server does not listen (%s may "
                              "say why)", tcp->log_file);
        }
        xnanosleep(1000 * 1000);
    }
    return error;
}

/* Makes the two ends at 'dut', which has been built for them, and stores them
 * in '*tcpp', for the caller to close.  'tso' leaves segmentation to the
 * devices. */
char *
fb_tcp_open(const struct fb_dut *dut, bool tso, struct fb_tcp **tcpp)
{
    struct fb_tcp *tcp = xzalloc(sizeof *tcp);

    tcp->dut = dut;
    tcp->log_file = xasprintf("%s."FB_IPERF3".log", dut->dir);
    char *error = set_segmentation(dut->far_fd, dut->gen, tso);
    if (!error) {
        error = set_segmentation(dut->sink_fd, dut->sinks[0], tso);
    }
    if (!error) {
        error = configure(dut);
    }
    if (!error) {
        error = start_server(tcp);
    }
    if (error) {
        fb_tcp_close(tcp);
        tcp = NULL;
    }
    *tcpp = tcp;
    return error;
}

/* Ends the server of 'tcp', if it runs, and frees 'tcp', which may be null. */
void
fb_tcp_close(struct fb_tcp *tcp)
{
    if (tcp) {
        fb_process_stop(&tcp->server);
        free(tcp->log_file);
        free(tcp);
    }
}

/* Returns the CPU time of children that have ended, in ns. */
static uint64_t
children_ns(void)
{
    struct rusage usage;

    getrusage(RUSAGE_CHILDREN, &usage);
    return ((usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            * UINT64_C(1000000000)
            + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
            * UINT64_C(1000));
}

/* Returns the CPU time of process 'pid', in ns. */
static uint64_t
process_ns(pid_t pid)
{
    struct timespec ts = { .tv_sec = 0 };
    clockid_t clock;

    if (!clock_getcpuclockid(pid, &clock)) {
        clock_gettime(clock, &ts);
    }
    return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

/* Sends 'n_bytes' of payload through the DUT of 'tcp' and stores what came of
 * them in '*transfer'.  The client is on the generator's CPU, if that has one;
 * the server is on the others. */
char *
fb_tcp_send(struct fb_tcp *tcp, uint64_t n_bytes,
            struct fb_tcp_transfer *transfer)
{
    char *bytes = xasprintf("%"PRIu64, n_bytes);
    int cpu = fb_cpus_generator(0);
    char *affinity = cpu >= 0 ? xasprintf("%d", cpu) : NULL;
    const char *const argv[] = {
        FB_IPERF3, "--client", SERVER_ADDRESS, "--bind", CLIENT_ADDRESS,
        "--json", "--interval", "0", "--bytes", bytes,
        "--connect-timeout", DEAD_MS, "--snd-timeout", DEAD_MS,
        affinity ? "--affinity" : NULL, affinity, NULL
    };
    struct ds output = DS_EMPTY_INITIALIZER;

    uint64_t before = children_ns() + process_ns(tcp->server);
    char *error = fb_process_run(&(struct fb_process_spec) {
        .argv = argv,
        .netns_fd = tcp->dut->far_fd,
        .timeout_s = CLIENT_TIMEOUT_S,
    }, &output);
    uint64_t after = children_ns() + process_ns(tcp->server);
    if (!error || ds_cstr(&output)[0] == '{') {
        /* What it printed says more than its exit status. */
        char *why = fb_iperf3_parse(ds_cstr(&output), &transfer->report);

        if (why) {
            free(error);
            error = why;
        }
    }
    transfer->cpu_ns = after - MIN(before, after);
    ds_destroy(&output);
    free(affinity);
    free(bytes);
    return error;
}
