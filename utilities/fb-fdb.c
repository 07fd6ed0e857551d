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

#include "fb-fdb.h"

#include <linux/if_bridge.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <stdbool.h>
#include <stdlib.h>

#include "fb-rtnl.h"
#include "util.h"

/* What the callbacks work on. */
struct fdb_query {
    const int *ports;           /* Interface indexes... */
    size_t n_ports;             /* ...and number of them. */
    bool *led_to;               /* For each: does an entry lead there? */
    bool *forwarding;           /* For each: does it forward? */
    struct fb_fdb *fdb;         /* Where entries are counted. */
};

/* Returns the number of the port 'ifindex' in 'q', or 'q->n_ports' if it is
 * none. */
static size_t
find_port(const struct fdb_query *q, int ifindex)
{
    size_t i = 0;
    while (i < q->n_ports && q->ports[i] != ifindex) {
        i++;
    }
    return i;
}

/* libnl callback: one FDB entry. */
static int
parse_entry(struct nl_msg *msg, void *query_)
{
    struct fdb_query *q = query_;
    struct nlmsghdr *hdr = nlmsg_hdr(msg);
    const struct ndmsg *ndm = nlmsg_data(hdr);
    size_t port = find_port(q, ndm->ndm_ifindex);

    /* Addresses of the ports' own are permanent. */
    if (hdr->nlmsg_type == RTM_NEWNEIGH && port < q->n_ports
        && nlmsg_find_attr(hdr, sizeof *ndm, NDA_MASTER)
        && !(ndm->ndm_state & NUD_PERMANENT)) {
        q->fdb->n_entries++;
        q->led_to[port] = true;
    }
    return NL_OK;
}

/* libnl callback: one bridge port. */
static int
parse_port(struct nl_msg *msg, void *query_)
{
    struct fdb_query *q = query_;
    struct nlmsghdr *hdr = nlmsg_hdr(msg);
    const struct ifinfomsg *ifi = nlmsg_data(hdr);
    size_t port = find_port(q, ifi->ifi_index);
    struct nlattr *info = nlmsg_find_attr(hdr, sizeof *ifi, IFLA_PROTINFO);

    if (hdr->nlmsg_type == RTM_NEWLINK && port < q->n_ports && info) {
        struct nlattr *state = nla_find(nla_data(info), nla_len(info),
                                        IFLA_BRPORT_STATE);
        q->forwarding[port] = (state
                               && nla_get_u8(state) == BR_STATE_FORWARDING);
    }
    return NL_OK;
}

/* Reads the state of the bridge whose ports are the 'n_ports' interfaces in
 * 'ports', of which number 'first' and all after it lead to destinations, into
 * '*fdb'.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_fdb_read(struct fb_rtnl *rtnl, const int ports[], size_t n_ports,
            size_t first, struct fb_fdb *fdb)
{
    struct fdb_query q = {
        .ports = ports,
        .n_ports = n_ports,
        .led_to = xcalloc(n_ports, sizeof *q.led_to),
        .forwarding = xcalloc(n_ports, sizeof *q.forwarding),
        .fdb = fdb,
    };
    struct ndmsg ndm = { .ndm_family = AF_BRIDGE };
    struct ifinfomsg ifi = { .ifi_family = AF_BRIDGE };

    memset(fdb, 0, sizeof *fdb);
    struct nl_msg *msg = nlmsg_alloc_simple(RTM_GETNEIGH, NLM_F_DUMP);
    nlmsg_append(msg, &ndm, sizeof ndm, NLMSG_ALIGNTO);
    int retval = fb_rtnl_query(rtnl, msg, parse_entry, &q);
    if (retval >= 0) {
        msg = nlmsg_alloc_simple(RTM_GETLINK, NLM_F_DUMP);
        nlmsg_append(msg, &ifi, sizeof ifi, NLMSG_ALIGNTO);
        retval = fb_rtnl_query(rtnl, msg, parse_port, &q);
    }
    for (size_t i = 0; i < n_ports; i++) {
        fdb->n_ports_without += i >= first && !q.led_to[i];
        fdb->n_not_forwarding += !q.forwarding[i];
    }
    free(q.led_to);
    free(q.forwarding);
    return (retval < 0
            ? xasprintf("cannot read the state of the bridge (%s)",
                        fb_rtnl_strerror(rtnl, retval))
            : NULL);
}
