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

#include "fb-dut.h"

#include "fb-address.h"
#include "fb-rtnl.h"
#include "fb-twin.h"

/* Makes a Linux bridge of the ports of 'dut', with a static FDB entry for each
 * destination. */
static char *
attach(struct fb_dut *dut, const struct fb_ovs_programs *programs OVS_UNUSED)
{
    int bridge = 0;

    if (dut->like) {
        return fb_twin_attach_bridge(dut);
    }
    char *error = fb_rtnl_add_bridge(dut->near, FB_DUT_BRIDGE, false);
    if (!error) {
        error = fb_rtnl_get_ifindex(dut->near, FB_DUT_BRIDGE, &bridge);
    }
    for (size_t i = 0; !error && i < dut->n_ports; i++) {
        error = fb_rtnl_add_bridge_port(dut->near, bridge, dut->ports[i],
                                        dut->flood ? FB_BRIDGE_PORT_FLOODS
                                        : FB_BRIDGE_PORT_STATIC);
        if (!error && (i > 0 || dut->two_way || dut->answers)) {
            error = fb_rtnl_add_fdb_entry(dut->near, dut->ports[i],
                                          fb_address_destination_mac(i), 0);
        }
    }
    return error;
}

const struct fb_dut_kind fb_dut_linux_bridge = {
    .name = "linux-bridge",
    .description = "the Linux bridge, with static FDB entries",
    .attach = attach,
};
