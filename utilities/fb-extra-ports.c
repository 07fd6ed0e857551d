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

#include "fb-extra-ports.h"

#include <stdlib.h>
#include <string.h>

#include "fatal-signal.h"
#include "fb-address.h"
#include "fb-dut.h"
#include "fb-rtnl.h"
#include "fb-sandbox.h"
#include "svec.h"
#include "util.h"

/* Names of the ends of the pairs, in namespaces of our own. */
#define NEAR_NAME "fb-x"
#define FAR_NAME "fb-y"

/* Addresses of the pairs' ends are numbered from here, after those of all
 * other ports and sinks. */
#define FIRST_MAC 4096

/* Prepares '*ports' for the switch 'dut', which must stay, with none yet.  The
 * caller must close it with fb_extra_ports_close(). */
char *
fb_extra_ports_open(struct fb_extra_ports *ports, struct fb_dut *dut)
{
    memset(ports, 0, sizeof *ports);
    ports->dut = dut;
    return (dut->sandbox ? NULL
            : fb_rtnl_get_ifindex(dut->near, FB_DUT_BRIDGE, &ports->bridge));
}

/* Frees what 'ports' holds.  The interfaces go with the DUT. */
void
fb_extra_ports_close(struct fb_extra_ports *ports)
{
    free(ports->ifindexes);
    ports->ifindexes = NULL;
    ports->n = 0;
}

/* Creates one more pair. */
static char *
create(struct fb_extra_ports *ports)
{
    struct fb_dut *dut = ports->dut;
    char *near = xasprintf(NEAR_NAME "%"PRIuSIZE, ports->n);
    char *far = xasprintf(FAR_NAME "%"PRIuSIZE, ports->n);
    size_t mac = FIRST_MAC + ports->n;
    int near_index = 0;
    int far_index = 0;

    char *error = fb_rtnl_add_veth(
        dut->far,
        &(struct fb_veth_end) { far, fb_address_mac(FB_MAC_SINK, mac) },
        &(struct fb_veth_end) { near, fb_address_mac(FB_MAC_PORT, mac) },
        dut->near_fd);
    if (!error) {
        error = fb_rtnl_get_ifindex(dut->near, near, &near_index);
    }
    if (!error) {
        error = fb_rtnl_get_ifindex(dut->far, far, &far_index);
    }
    if (!error) {
        error = fb_rtnl_set_up(dut->near, near_index);
    }
    if (!error) {
        error = fb_rtnl_set_up(dut->far, far_index);
    }
    free(near);
    free(far);
    if (!error) {
        ports->ifindexes[ports->n++] = near_index;
    }
    return error;
}

/* Creates pairs, up and running but not attached, until 'ports' has 'n'. */
char *
fb_extra_ports_create(struct fb_extra_ports *ports, size_t n)
{
    size_t first = ports->n;
    char *error = NULL;

    if (n <= first) {
        return NULL;
    }
    ports->ifindexes = xrealloc(ports->ifindexes,
                                n * sizeof *ports->ifindexes);
    while (!error && ports->n < n) {
        error = create(ports);
        fatal_signal_run();
    }
    return (error ? error
            : fb_rtnl_wait_running(ports->dut->near, &ports->ifindexes[first],
                                   n - first));
}

/* Runs one ovs-vsctl that does 'command' with the 'n' ports from 'first'
 * on. */
static char *
transact(struct fb_extra_ports *ports, const char *command, size_t first,
         size_t n)
{
    struct svec args = SVEC_EMPTY_INITIALIZER;

    svec_add(&args, "ovs-vsctl");
    svec_add(&args, "--timeout=120");
    for (size_t i = first; i < first + n; i++) {
        svec_add(&args, "--");
        svec_add(&args, command);
        svec_add(&args, FB_DUT_BRIDGE);
        svec_add_nocopy(&args, xasprintf(NEAR_NAME "%"PRIuSIZE, i));
    }
    svec_terminate(&args);
    char *error = fb_sandbox_run(ports->dut->sandbox,
                                 (const char *const *) args.names, NULL,
                                 NULL);
    svec_destroy(&args);
    return error;
}

/* Attaches the 'n' ports from number 'first' on, from 0, in one transaction,
 * and waits until they are. */
char *
fb_extra_ports_attach(struct fb_extra_ports *ports, size_t first, size_t n)
{
    ovs_assert(first + n <= ports->n);
    return (ports->dut->sandbox
            ? transact(ports, "add-port", first, n)
            : fb_rtnl_set_master(ports->dut->near, &ports->ifindexes[first],
                                 n, ports->bridge));
}

/* Detaches the 'n' ports from number 'first' on, from 0, in one transaction,
 * and waits until they are. */
char *
fb_extra_ports_detach(struct fb_extra_ports *ports, size_t first, size_t n)
{
    ovs_assert(first + n <= ports->n);
    return (ports->dut->sandbox
            ? transact(ports, "del-port", first, n)
            : fb_rtnl_set_master(ports->dut->near, &ports->ifindexes[first],
                                 n, 0));
}
