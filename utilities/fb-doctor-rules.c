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

#include "fb-doctor-ovs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fb-doctor.h"
#include "fb-rules.h"
#include "lib/vswitch-idl.h"
#include "openvswitch/ofp-actions.h"
#include "openvswitch/ofp-flow.h"
#include "openvswitch/ofp-port.h"
#include "util.h"

/* What was found on a bridge. */
struct found {
    size_t n_dropped;           /* Rules in_port=N,actions=output:N... */
    ofp_port_t port;            /* ...and N of the first. */
    size_t n_back;              /* Rules with output:IN_PORT. */
    size_t n;                   /* All rules. */
};

/* Looks at one rule.  Open vSwitch sends a packet back to the port where it
 * came in only for the reserved port IN_PORT; an output to that port's own
 * number does nothing (compose_output_action__() is not reached, see
 * xlate_output_action() in ofproto-dpif-xlate.c). */
static void
look_at(const struct ofputil_flow_stats *fs, struct found *found)
{
    bool has_in_port = (fs->match.wc.masks.in_port.ofp_port
                        == OFP_PORT_C(UINT16_MAX));
    ofp_port_t in_port = fs->match.flow.in_port.ofp_port;
    const struct ofpact *a;

    found->n++;
    OFPACT_FOR_EACH (a, fs->ofpacts, fs->ofpacts_len) {
        if (a->type == OFPACT_OUTPUT) {
            ofp_port_t port = ofpact_get_OUTPUT(a)->port;
            if (port == OFPP_IN_PORT) {
                found->n_back++;
            } else if (has_in_port && port == in_port) {
                if (!found->n_dropped++) {
                    found->port = port;
                }
            }
        }
    }
}

/* Adds findings about the rules of 'bridge'. */
static void
report(struct fb_doctor *doctor, const char *bridge,
       const struct found *found)
{
    if (found->n_dropped) {
        char *fix = xasprintf("ovs-ofctl mod-flows %s in_port=%"PRIu32","
                              "actions=IN_PORT, or delete the action", bridge,
                              found->port);
        fb_doctor_add(
            doctor, FB_WARNING, fix,
            "%s: %"PRIuSIZE" of %"PRIuSIZE" rules output packets to the "
            "number of the port where they came in (in_port=%"PRIu32","
            "actions=output:%"PRIu32"), which does nothing.", bridge,
            found->n_dropped, found->n, found->port, found->port);
        free(fix);
    }
    if (found->n_back) {
        char *fix = xasprintf("ovs-ofctl dump-flows %s | grep IN_PORT; a "
                              "flood is actions=FLOOD, learning is "
                              "actions=NORMAL", bridge);
        fb_doctor_add(
            doctor, FB_WARNING, fix,
            "%s: %"PRIuSIZE" of %"PRIuSIZE" rules send packets back to where "
            "they came from (output:IN_PORT).", bridge, found->n_back,
            found->n);
        free(fix);
    }
}

/* Rules that send packets back to their own port. */
void
fb_check_rules(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;
    uint64_t n = fb_doctor_ovs_number(e->memory, " rules:");
    const struct ovsrec_bridge *br;

    if (!e->host.idl || !e->host.rpc) {
        return;
    } else if (n > FB_MAX_RULES) {
        fb_doctor_add_unread(
            doctor, "the %"PRIu64" OpenFlow rules, because a dump would hold "
            "up ovs-vswitchd", n);
        return;
    }
    OVSREC_BRIDGE_FOR_EACH (br, e->host.idl) {
        struct found found = { .n = 0 };
        struct ofputil_flow_stats *rules;
        size_t n_rules;

        int error = fb_rules_read(e->host.rundir, br->name, &rules, &n_rules);
        if (error) {
            fb_doctor_add_unread(doctor, "the OpenFlow rules of %s (%s)",
                                 br->name, ovs_retval_to_string(error));
        } else {
            for (size_t i = 0; i < n_rules; i++) {
                look_at(&rules[i], &found);
            }
            report(doctor, br->name, &found);
            fb_rules_free(rules, n_rules);
        }
    }
}
