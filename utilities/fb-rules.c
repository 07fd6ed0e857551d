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

#include "fb-rules.h"

#include <stdlib.h>

#include "openvswitch/ofp-actions.h"
#include "openvswitch/ofp-flow.h"
#include "openvswitch/ofp-protocol.h"
#include "openvswitch/vconn.h"
#include "socket-util.h"
#include "util.h"

/* How long a bridge may take to answer, in ms. */
#define TIMEOUT_MS 5000

/* Reads the rules of 'bridge' of the Open vSwitch whose sockets are in
 * 'rundir' and stores them in '*rules' and their number in '*n', for the
 * caller to free with fb_rules_free().  Returns 0, or a positive errno or
 * OFPERR_* value and stores nothing. */
int
fb_rules_read(const char *rundir, const char *bridge,
              struct ofputil_flow_stats **rules, size_t *n)
{
    struct ofputil_flow_stats_request fsr = {
        .out_port = OFPP_ANY,
        .out_group = OFPG_ANY,
        .table_id = OFPTT_ALL,
    };
    char *name = xasprintf("unix:%s/%s.mgmt", rundir, bridge);
    struct vconn *vconn;

    *rules = NULL;
    *n = 0;
    match_init_catchall(&fsr.match);
    int error = vconn_open_block(name, 0, DSCP_DEFAULT, TIMEOUT_MS, &vconn);
    free(name);
    if (error) {
        return error;
    }
    enum ofputil_protocol protocol
        = ofputil_protocol_from_ofp_version(vconn_get_version(vconn));
    error = vconn_dump_flows(vconn, &fsr, protocol, rules, n);
    vconn_close(vconn);
    return error;
}

/* Frees the 'n' 'rules'. */
void
fb_rules_free(struct ofputil_flow_stats *rules, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(CONST_CAST(struct ofpact *, rules[i].ofpacts));
    }
    free(rules);
}
