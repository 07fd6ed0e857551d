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

#include "fb-like-read.h"

#include <stdlib.h>
#include <string.h>

#include "fb-like.h"
#include "flow.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/ofp-actions.h"
#include "openvswitch/ofp-flow.h"
#include "packets.h"
#include "util.h"

/* What a rule does that a Linux bridge cannot, the most special first. */
enum lost {
    LOST_CT,
    LOST_METER,
    LOST_GROUP,
    LOST_LEARN,
    LOST_CONTROLLER,
    LOST_TABLES,
    LOST_REWRITE,
    LOST_MATCH,
    LOST_COPIES,
    LOST_DROP,
    N_LOST                      /* Nothing. */
};

/* How that is said, and what of Linux could do it. */
static const char *const lost_text[N_LOST][2] = {
    [LOST_CT] = {
        "track connections", "nftables' bridge family has \"ct\"" },
    [LOST_METER] = { "meter packets", "tc's \"police\" does, by port" },
    [LOST_GROUP] = { "choose among buckets of a group", NULL },
    [LOST_LEARN] = { "make other rules", NULL },
    [LOST_CONTROLLER] = { "send packets to a controller", NULL },
    [LOST_TABLES] = { "go to other tables", NULL },
    [LOST_REWRITE] = {
        "change packets", "nftables' bridge family and tc's \"pedit\" can" },
    [LOST_MATCH] = {
        "match more than Ethernet destination and VLAN",
        "nftables' bridge family and tc's \"flower\" can" },
    [LOST_COPIES] = { "send copies to chosen ports", NULL },
    [LOST_DROP] = { "drop packets", "nftables' bridge family can" },
};

/* Returns what 'action' does that a Linux bridge cannot.  Counts outputs in
 * '*n_outputs'. */
static enum lost
judge_action(const struct ofpact *action, int *n_outputs)
{
    switch ((int) action->type) {
    case OFPACT_OUTPUT:
        *n_outputs += 1;
        return (ofpact_get_OUTPUT(action)->port == OFPP_CONTROLLER
                ? LOST_CONTROLLER : N_LOST);
    case OFPACT_CT:
    case OFPACT_CT_CLEAR:
    case OFPACT_NAT:
        return LOST_CT;
    case OFPACT_METER:
        return LOST_METER;
    case OFPACT_GROUP:
    case OFPACT_BUNDLE:
        return LOST_GROUP;
    case OFPACT_LEARN:
        return LOST_LEARN;
    case OFPACT_CONTROLLER:
        return LOST_CONTROLLER;
    case OFPACT_RESUBMIT:
    case OFPACT_GOTO_TABLE:
    case OFPACT_WRITE_ACTIONS:
        return LOST_TABLES;
    case OFPACT_NOTE:
        return N_LOST;
    default:
        return LOST_REWRITE;
    }
}

/* Returns what 'rule' does that a Linux bridge cannot: an FDB entry is a match
 * on one Ethernet address, in a VLAN or not, with one output. */
static enum lost
judge_rule(const struct ofputil_flow_stats *rule)
{
    struct flow_wildcards wc = rule->match.wc;
    const struct ofpact *a;
    enum lost lost = N_LOST;
    int n_outputs = 0;

    OFPACT_FOR_EACH (a, rule->ofpacts, rule->ofpacts_len) {
        enum lost here = judge_action(a, &n_outputs);
        lost = MIN(lost, here);
    }
    if (!n_outputs && lost == N_LOST) {
        lost = LOST_DROP;
    } else if (n_outputs > 1) {
        lost = MIN(lost, LOST_COPIES);
    }
    memset(&wc.masks.dl_dst, 0, sizeof wc.masks.dl_dst);
    memset(&wc.masks.vlans, 0, sizeof wc.masks.vlans);
    wc.masks.packet_type = 0;   /* Ethernet, with every Ethernet field. */
    if (!is_all_zeros(&wc.masks, sizeof wc.masks)) {
        lost = MIN(lost, LOST_MATCH);
    }
    return lost;
}

/* Notes in 'like' the address that 'rule' says is behind a port, if it does
 * and the port has none yet. */
static void
note_address(struct fb_like *like, const struct ofputil_flow_stats *rule)
{
    const struct ofpact *a = rule->ofpacts;

    if (!eth_mask_is_exact(rule->match.wc.masks.dl_dst)
        || eth_addr_is_multicast(rule->match.flow.dl_dst)
        || !rule->ofpacts_len || a->type != OFPACT_OUTPUT) {
        return;
    }
    ofp_port_t out = ofpact_get_OUTPUT(a)->port;
    for (size_t i = 0; i < like->n_ports; i++) {
        struct fb_like_port *port = &like->ports[i];
        if (u16_to_ofp(port->ofport) == out && !port->has_address) {
            port->has_address = true;
            port->address = rule->match.flow.dl_dst;
        }
    }
}

/* Returns 'rule' as text, without its timeouts, for those of a twin are to
 * stay.  The caller must free it. */
static char *
format_rule(const struct ofputil_flow_stats *rule)
{
    struct ofputil_flow_stats lasting = *rule;
    struct ds ds = DS_EMPTY_INITIALIZER;

    lasting.idle_timeout = lasting.hard_timeout = 0;
    lasting.flags &= ~OFPUTIL_FF_RESET_COUNTS;
    ofputil_flow_stats_format(&ds, &lasting, NULL, NULL, false);
    char *text = xstrdup(ds_cstr(&ds) + strspn(ds_cstr(&ds), " "));
    ds_destroy(&ds);
    return text;
}

/* Adds the 'n' 'rules' to 'like', whose ports are there, and what of them a
 * Linux bridge cannot do. */
void
fb_like_add_rules(struct fb_like *like, const struct ofputil_flow_stats *rules,
                  size_t n)
{
    size_t count[N_LOST + 1] = { 0 };
    size_t first[N_LOST + 1] = { 0 };

    for (size_t i = 0; i < n; i++) {
        enum lost lost = judge_rule(&rules[i]);

        svec_add_nocopy(&like->rules, format_rule(&rules[i]));
        note_address(like, &rules[i]);
        if (!count[lost]++) {
            first[lost] = i;
        }
    }
    for (int i = 0; i < N_LOST; i++) {
        if (count[i]) {
            const char *instead = lost_text[i][1];
            svec_add_nocopy(
                &like->lost,
                xasprintf("%"PRIuSIZE" of %"PRIuSIZE" rules %s%s%s%s, such as "
                          "\"%s\"", count[i], n, lost_text[i][0],
                          instead ? " (" : "", instead ? instead : "",
                          instead ? ")" : "", like->rules.names[first[i]]));
        }
    }
}
