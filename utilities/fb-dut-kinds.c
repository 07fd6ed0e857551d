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

#include "fb-dut-kinds.h"

#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <string.h>
#include <unistd.h>

#include "fb-dut.h"
#include "fb-netns.h"
#include "fb-ovs-programs.h"
#include "fb-pmd.h"
#include "fb-rtnl.h"
#include "util.h"

/* Every kind of DUT, in the order in which results are shown. */
static const struct fb_dut_kind *const kinds[] = {
    &fb_dut_wire,
    &fb_dut_linux_bridge,
    &fb_dut_ovs_userspace,
    &fb_dut_ovs_afxdp,
    &fb_dut_ovs_dpdk,
    &fb_dut_ovs_kernel,
};

/* Returns all kinds of DUT and stores their number in '*n'. */
const struct fb_dut_kind *const *
fb_dut_kinds(size_t *n)
{
    *n = ARRAY_SIZE(kinds);
    return kinds;
}

/* Returns the kind of DUT called 'name', or NULL. */
const struct fb_dut_kind *
fb_dut_kind_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
        if (!strcmp(kinds[i]->name, name)) {
            return kinds[i];
        }
    }
    return NULL;
}

/* Asks the kernel for the generic netlink family 'name', for which it loads
 * the module that has it.  Returns true if there is one. */
static bool
genl_family_exists(const char *name)
{
    struct nl_sock *sock = nl_socket_alloc();
    bool exists = (sock && !genl_connect(sock)
                   && genl_ctrl_resolve(sock, name) >= 0);
    nl_socket_free(sock);
    return exists;
}

/* Tries to create a bridge in a namespace made for that, for which the kernel
 * loads the bridge module. */
static char *
try_bridge(void)
{
    struct fb_rtnl *rtnl = NULL;
    int netns_fd;

    char *error = fb_netns_create(&netns_fd);
    if (!error) {
        error = fb_rtnl_open(netns_fd, &rtnl);
    }
    if (!error) {
        error = fb_rtnl_add_bridge(rtnl, FB_DUT_BRIDGE, false);
    }
    fb_rtnl_close(rtnl);
    if (netns_fd >= 0) {
        close(netns_fd);
    }
    return error;
}

/* Checks whether DUTs of 'kind' can be built here, by this user on this
 * kernel, if 'vswitchd', which is null for a suitable one, can: what the user
 * names is not to be left out but to fail.  Returns NULL if so, otherwise the
 * reason, which the caller must free(). */
char *
fb_dut_kind_check(const struct fb_dut_kind *kind, const char *vswitchd)
{
    if (geteuid()) {
        return xstrdup("needs root");
    }
    char *error = fb_netns_check();
    if (error) {
        return error;
    } else if (kind == &fb_dut_ovs_kernel
               && !genl_family_exists("ovs_datapath")) {
        return xstrdup("this kernel has no openvswitch module");
    } else if (kind == &fb_dut_linux_bridge) {
        return try_bridge();
    }

    char *why = kind->port_type ? fb_pmd_kind_check(kind, vswitchd) : NULL;
    if (!why && kind->datapath_type && !vswitchd) {
        struct fb_ovs_programs programs;
        error = fb_ovs_programs_find(NULL, &programs);
        fb_ovs_programs_destroy(&programs);
        return error;
    }
    return why;
}

/* Returns what DUTs of 'kind' lack in a guest with 'n_cpus' CPUs, wherever
 * that runs, or NULL if they have all that they need there. */
const char *
fb_dut_kind_guest_lacks(const struct fb_dut_kind *kind, unsigned int n_cpus)
{
    return (kind->port_type && n_cpus < 2
            ? "a guest has one CPU, and a PMD thread keeps one busy" : NULL);
}
