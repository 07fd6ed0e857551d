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

#include "fb-pmd.h"

#include <linux/if_link.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fb-appctl.h"
#include "fb-cpus.h"
#include "fb-dut.h"
#include "fb-ovs-programs.h"
#include "fb-result.h"
#include "fb-rtnl.h"
#include "fb-sandbox.h"
#include "openvswitch/dynamic-string.h"
#include "svec.h"
#include "util.h"

/* Memory that ovs-vswitchd takes for each AF_XDP port, in MiB: 16,384 frames
 * of 4,096 bytes and as many descriptors.  Source: OVS 3.1,
 * lib/netdev-afxdp.c, NUM_FRAMES and FRAME_SIZE. */
#define AFXDP_PORT_MB 66

/* Memory that DPDK is given for all ports, in MiB: packet buffers, of which
 * Open vSwitch takes as many as there are room for. */
#define DPDK_MB 512

/* Most ports that DPDK can have, in Debian's and Fedora's builds:
 * RTE_MAX_ETHPORTS. */
#define DPDK_MAX_PORTS 32

/* What DPDK is told: no huge pages, no devices of the host's, and nothing that
 * outlives the process or that other processes see, but for a folder, of which
 * see RUNTIME_DIRECTORY in fb-sandbox.c.  (Without --legacy-mem, Open vSwitch
 * adds --in-memory, which does not go with --no-huge.) */
#define DPDK_EXTRA "--no-huge --legacy-mem --no-pci --no-telemetry -m %d"

/* Checks whether PMD threads have what they need here.  'vswitchd' is the one
 * that the user named, or null.  Returns NULL if so, otherwise the reason,
 * which the caller must free(). */
char *
fb_pmd_kind_check(const struct fb_dut_kind *kind, const char *vswitchd)
{
    cpu_set_t cpus;

    if (!sched_getaffinity(0, sizeof cpus, &cpus) && CPU_COUNT(&cpus) < 2) {
        return xstrdup("needs two CPUs, of which a PMD thread keeps one busy");
    }
    if (fb_dut_has_ports(kind, "dpdk")) {
        struct fb_ovs_programs programs;
        char *error = fb_ovs_programs_find_dpdk(vswitchd, &programs);
        fb_ovs_programs_destroy(&programs);
        return error;
    }
#ifndef HAVE_AF_XDP
    if (fb_dut_has_ports(kind, "afxdp") && !vswitchd) {
        return xstrdup("the Open vSwitch that this was built with has no "
                       "AF_XDP; build one with libbpf, libxdp and libnuma");
    }
#endif
    return NULL;
}

/* Checks whether there is memory for the ports of a DUT of 'kind' with
 * 'n_destinations', and whether they may be so many. */
char *
fb_pmd_check_size(const struct fb_dut_kind *kind, size_t n_destinations)
{
    bool is_dpdk = fb_dut_has_ports(kind, "dpdk");
    size_t n_ports = n_destinations + 1;
    double needed = is_dpdk ? DPDK_MB : AFXDP_PORT_MB * (double) n_ports;
    double available = (sysconf(_SC_AVPHYS_PAGES) / (1024.0 * 1024)
                        * sysconf(_SC_PAGESIZE));

    if (is_dpdk && n_ports > DPDK_MAX_PORTS) {
        return xasprintf("%s: DPDK has at most %d ports; use no more than "
                         "--destinations=%d", kind->name, DPDK_MAX_PORTS,
                         DPDK_MAX_PORTS - 1);
    } else if (kind->port_type && needed > available) {
        return xasprintf("%s: its %"PRIuSIZE" ports take %.0f MiB of memory, "
                         "of which %.0f MiB are free%s", kind->name, n_ports,
                         needed, available,
                         is_dpdk ? "" : "; use fewer --destinations");
    }
    return NULL;
}

/* Appends to 'args', of ovs-vsctl, what makes the ovs-vswitchd of 'dut' ready
 * for ports of its type. */
void
fb_pmd_add_setup(const struct fb_dut *dut, struct svec *args)
{
    int cpu = fb_cpus_pmd();

    if (dut->kind->port_type) {
        svec_add(args, "--");
        svec_add(args, "set");
        svec_add(args, "Open_vSwitch");
        svec_add(args, ".");
        if (cpu >= 0) {
            /* Hexadecimal, of any length: a digit is four CPUs. */
            svec_add_nocopy(args, xasprintf("other_config:pmd-cpu-mask=%x%.*d",
                                            1u << cpu % 4, cpu / 4, 0));
        }
        if (fb_dut_has_ports(dut->kind, "dpdk")) {
            svec_add(args, "other_config:dpdk-init=true");
            svec_add_nocopy(args, xasprintf("other_config:dpdk-extra=\""
                                            DPDK_EXTRA "\"", DPDK_MB));
        }
    }
}

/* Appends to 'args', of ovs-vsctl, after "set interface NAME ...", what makes
 * port number 'i' of 'dut' one of its type. */
void
fb_pmd_add_port(const struct fb_dut *dut, size_t i, struct svec *args)
{
    if (dut->kind->port_type) {
        svec_add_nocopy(args, xasprintf("type=%s", dut->kind->port_type));
    }
    if (fb_dut_has_ports(dut->kind, "afxdp")) {
        /* That which veth has: an XDP program in the driver, and copies. */
        svec_add(args, "options:xdp-mode=native");
    } else if (fb_dut_has_ports(dut->kind, "dpdk")) {
        svec_add_nocopy(args, xasprintf(
            "options:dpdk-devargs=net_af_packet%"PRIuSIZE",iface=fb-port"
            "%"PRIuSIZE, i, i));
    }
}

/* Checks whether the ovs-vswitchd of 'dut' was able to open all its ports. */
static char *
check_interfaces(struct fb_dut *dut)
{
    const char *const argv[] = {
        "ovs-vsctl", "--timeout=60", "--data=bare", "--no-headings",
        "--columns=error", "find", "interface", "error!=[]", NULL
    };
    struct ds output = DS_EMPTY_INITIALIZER;

    char *error = fb_sandbox_run(dut->sandbox, argv, NULL, &output);
    if (!error && output.length) {
        error = xasprintf("ovs-vswitchd cannot open its %s ports: %.*s",
                          dut->kind->port_type,
                          (int) strcspn(ds_cstr(&output), "\n"),
                          ds_cstr(&output));
    }
    ds_destroy(&output);
    return error;
}

/* Checks whether a PMD thread polls all ports of 'dut'. */
static char *
check_polled(struct fb_dut *dut)
{
    size_t n_polled = 0;
    char *text = NULL;

    char *error = fb_appctl(fb_sandbox_rpc(dut->sandbox), &text,
                            "dpif-netdev/pmd-rxq-show", NULL);
    for (const char *p = text; p && (p = strstr(p, "  port: ")) != NULL; p++) {
        n_polled++;
    }
    if (!error && n_polled < dut->n_ports) {
        error = xasprintf("PMD threads poll only %"PRIuSIZE" of %"PRIuSIZE" "
                          "ports: %s", n_polled, dut->n_ports,
                          text && text[0] ? text : "there is none");
    }
    free(text);
    return error;
}

/* Checks whether all ports of 'dut', an AF_XDP one, have the XDP program that
 * they should have. */
static char *
check_programs(struct fb_dut *dut)
{
    char *error = NULL;

    for (size_t i = 0; !error && i < dut->n_ports; i++) {
        struct fb_link_traits traits;

        error = fb_rtnl_get_traits(dut->near, dut->ports[i], &traits);
        if (!error && traits.xdp != XDP_ATTACHED_DRV) {
            error = xasprintf("ovs-vswitchd has given port %"PRIuSIZE" no XDP "
                              "program in native mode", i);
        }
    }
    return error;
}

/* Checks whether the ports of 'dut', if a PMD thread is to poll them, are what
 * they should be. */
char *
fb_pmd_check_ports(struct fb_dut *dut)
{
    if (!dut->kind->port_type) {
        return NULL;
    }

    char *error = check_interfaces(dut);
    if (!error) {
        error = check_polled(dut);
    }
    if (!error && fb_dut_has_ports(dut->kind, "afxdp")) {
        error = check_programs(dut);
    }
    return error;
}

/* Adds to 'result' what is particular to 'dut' if a PMD thread polls its
 * ports. */
void
fb_pmd_tell(const struct fb_dut *dut, struct fb_result *result)
{
    if (fb_dut_has_ports(dut->kind, "afxdp")) {
        fb_result_add_finding(
            result, FB_INFO, "afxdp", NULL,
            "%s: its ports have an XDP program in native mode and AF_XDP "
            "sockets in copy mode, as veth offers no other; frames leave the "
            "kernel's receive path there.  With that, the other ends of the "
            "veth pairs lose segmentation offloads, which no frame of the "
            "load uses.", dut->label);
    }
    if (fb_dut_has_ports(dut->kind, "dpdk")) {
        fb_result_add_finding(
            result, FB_INFO, "dpdk", NULL,
            "%s: its ports are DPDK's af_packet devices, without huge pages: "
            "DPDK itself takes packets from the kernel and gives them back by "
            "AF_PACKET sockets, which no network card's driver has to.",
            dut->label);
    }
    if (dut->kind->port_type) {
        fb_result_add_finding(
            result, FB_INFO, "pmd", NULL,
            "%s: a PMD thread polls its ports without pause and keeps CPU %d "
            "busy whether there are packets or not: its CPU %% does not tell "
            "what packets cost.  While others have their turn, its "
            "ovs-vswitchd is stopped.", dut->label, fb_cpus_pmd());
    }
}
