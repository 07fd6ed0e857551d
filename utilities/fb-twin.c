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

#include "fb-twin.h"

#include <stdlib.h>

#include "fb-address.h"
#include "fb-dut.h"
#include "fb-like.h"
#include "fb-rtnl.h"
#include "util.h"

/* Gives 'ifindex' the MTU of 'port', if that is known. */
static char *
set_mtu(struct fb_rtnl *rtnl, int ifindex, const struct fb_like_port *port)
{
    return port->mtu ? fb_rtnl_set_mtu(rtnl, ifindex, port->mtu) : NULL;
}

/* Gives the interfaces that the load passes their MTUs. */
static char *
set_mtus(struct fb_dut *dut)
{
    const struct fb_like_port *ports = dut->like->ports;

    char *error = set_mtu(dut->far, dut->gen, &ports[0]);
    for (size_t i = 0; !error && i < dut->n_sinks; i++) {
        error = set_mtu(dut->sink_rtnl, dut->sinks[i], &ports[i + 1]);
    }
    for (size_t i = 0; !error && i < dut->n_ports; i++) {
        error = set_mtu(dut->near, dut->ports[i], &ports[i]);
    }
    return error;
}

/* Adds port number 'i', which the load does not pass, to 'dut'. */
static char *
add_port(struct fb_dut *dut, size_t i)
{
    char *name = xasprintf("fb-port%"PRIuSIZE, i);
    char *end_name = xasprintf("fb-end%"PRIuSIZE, i);
    struct fb_veth_end port = { name, fb_address_mac(FB_MAC_PORT, i) };
    struct fb_veth_end end = { end_name, fb_address_endpoint_mac(i) };
    int end_ifindex = 0;
    int *ifindex = &dut->extras[i - dut->n_ports];

    char *error = fb_rtnl_add_veth(dut->near, &port, &end, dut->near_fd);
    if (!error) {
        error = fb_rtnl_get_ifindex(dut->near, name, ifindex);
    }
    if (!error) {
        error = fb_rtnl_get_ifindex(dut->near, end_name, &end_ifindex);
    }
    if (!error) {
        error = set_mtu(dut->near, *ifindex, &dut->like->ports[i]);
    }
    if (!error) {
        error = set_mtu(dut->near, end_ifindex, &dut->like->ports[i]);
    }
    if (!error) {
        error = fb_rtnl_set_up(dut->near, end_ifindex);
    }
    if (!error) {
        error = fb_rtnl_set_up(dut->near, *ifindex);
    }
    free(name);
    free(end_name);
    return error;
}

/* Makes the interfaces of 'dut', which are those that the load passes, like
 * those of the bridge, and adds the others. */
char *
fb_twin_prepare(struct fb_dut *dut)
{
    size_t n = dut->like->n_ports;

    char *error = set_mtus(dut);
    if (!dut->n_ports || error) {
        return error;
    }
    dut->extras = xcalloc(n - dut->n_ports, sizeof *dut->extras);
    for (size_t i = dut->n_ports; !error && i < n; i++) {
        dut->n_extras++;
        error = add_port(dut, i);
    }
    return (error ? error
            : fb_rtnl_wait_running(dut->near, dut->extras, dut->n_extras));
}
