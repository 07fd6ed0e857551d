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

#include "fb-qdisc.h"

#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <stdlib.h>
#include <string.h>

#include "fb-hostfile.h"
#include "fb-rtnl.h"
#include "util.h"

/* What parse_qdisc() works on. */
struct drops_query {
    const int *ifindexes;       /* Interfaces asked for. */
    size_t n;                   /* Number of them. */
    uint64_t *drops;            /* Result for each. */
};

/* libnl callback: adds what a root queueing discipline has dropped. */
static int
parse_qdisc(struct nl_msg *msg, void *query_)
{
    struct drops_query *q = query_;
    struct nlmsghdr *hdr = nlmsg_hdr(msg);
    const struct tcmsg *tcm = nlmsg_data(hdr);
    struct gnet_stats_queue stats = { .drops = 0 };

    if (hdr->nlmsg_type != RTM_NEWQDISC || tcm->tcm_parent != TC_H_ROOT) {
        return NL_SKIP;
    }
    struct nlattr *outer = nlmsg_find_attr(hdr, sizeof *tcm, TCA_STATS2);
    struct nlattr *inner = (outer
                            ? nla_find(nla_data(outer), nla_len(outer),
                                       TCA_STATS_QUEUE)
                            : NULL);
    if (inner) {
        nla_memcpy(&stats, inner, sizeof stats);
        for (size_t i = 0; i < q->n; i++) {
            if (q->ifindexes[i] == tcm->tcm_ifindex) {
                q->drops[i] += stats.drops;
            }
        }
    }
    return NL_OK;
}

/* Calls 'cb' with 'aux' for each queueing discipline. */
static char *
query_qdiscs(struct fb_rtnl *rtnl, nl_recvmsg_msg_cb_t cb, void *aux)
{
    struct nl_msg *msg = nlmsg_alloc_simple(RTM_GETQDISC, NLM_F_DUMP);
    struct tcmsg tcm = { .tcm_family = AF_UNSPEC };

    nlmsg_append(msg, &tcm, sizeof tcm, NLMSG_ALIGNTO);
    int retval = fb_rtnl_query(rtnl, msg, cb, aux);
    return (retval < 0
            ? xasprintf("cannot read queueing disciplines (%s)",
                        fb_rtnl_strerror(rtnl, retval))
            : NULL);
}

/* Stores in 'drops' the numbers of packets that the root queueing disciplines
 * of the 'n' interfaces in 'ifindexes' have dropped, with one request for all.
 * The kernel counts them in 32 bits.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_qdisc_get_drops(struct fb_rtnl *rtnl, const int ifindexes[], size_t n,
                   uint64_t drops[])
{
    struct drops_query q = { ifindexes, n, drops };

    memset(drops, 0, n * sizeof *drops);
    return query_qdiscs(rtnl, parse_qdisc, &q);
}

/* What parse_kind() works on. */
struct chosen_query {
    int ifindex;                /* Interface asked for. */
    char *kind;                 /* Result, for the caller, or NULL. */
};

/* Is 'kind' a queueing discipline that an interface gets by itself? */
static bool
is_plain(const char *kind)
{
    static const char *const plain[] = {
        "noop", "noqueue", "mq", "pfifo_fast"
    };
    char *usual = fb_hostfile_read_line("/proc/sys/net/core/default_qdisc");
    bool is = usual && !strcmp(usual, kind);

    free(usual);
    for (size_t i = 0; i < ARRAY_SIZE(plain); i++) {
        is |= !strcmp(plain[i], kind);
    }
    return is;
}

/* libnl callback: keeps the first queueing discipline that is not plain. */
static int
parse_kind(struct nl_msg *msg, void *query_)
{
    struct chosen_query *q = query_;
    struct nlmsghdr *hdr = nlmsg_hdr(msg);
    const struct tcmsg *tcm = nlmsg_data(hdr);
    struct nlattr *kind = nlmsg_find_attr(hdr, sizeof *tcm, TCA_KIND);

    if (hdr->nlmsg_type == RTM_NEWQDISC && kind && !q->kind
        && tcm->tcm_ifindex == q->ifindex
        && !is_plain(nla_get_string(kind))) {
        q->kind = xstrdup(nla_get_string(kind));
    }
    return NL_OK;
}

/* Stores in '*kindp' the name of a queueing discipline that somebody has
 * chosen for the interface 'ifindex', among them those that only hold filters,
 * or NULL if there is none.  The caller must free it.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_qdisc_find_chosen(struct fb_rtnl *rtnl, int ifindex, char **kindp)
{
    struct chosen_query q = { .ifindex = ifindex };

    char *error = query_qdiscs(rtnl, parse_kind, &q);
    *kindp = q.kind;
    return error;
}
