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

#include "fb-tc.h"

#include <linux/if_ether.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <stdlib.h>

#include "fb-rtnl.h"
#include "smap.h"
#include "util.h"

/* Parents of filters that an interface may have: at its ingress, also that of
 * the older "ingress" discipline, at its egress, and at its root. */
static const struct {
    uint32_t parent;            /* As in struct tcmsg. */
    const char *name;           /* What filters there are called. */
} places[] = {
    { TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS), "ingress filters" },
    { TC_H_MAKE(TC_H_CLSACT, 0), "ingress filters" },
    { TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS), "egress filters" },
    { TC_H_ROOT, "root filters" },
};

/* What parse() works on. */
struct tc_query {
    int type;                   /* Messages that are looked for. */
    const char *key;            /* What they are called in 'knobs'. */
    const int *ifindexes;       /* Interfaces asked for... */
    struct smap *knobs;         /* ...and what is known of each... */
    size_t n;                   /* ...of so many. */
};

/* libnl callback: adds the kind of a queueing discipline or filter. */
static int
parse(struct nl_msg *msg, void *query_)
{
    struct tc_query *q = query_;
    struct nlmsghdr *hdr = nlmsg_hdr(msg);
    const struct tcmsg *tcm = nlmsg_data(hdr);
    struct nlattr *kind = nlmsg_find_attr(hdr, sizeof *tcm, TCA_KIND);

    if (hdr->nlmsg_type != q->type || !kind) {
        return NL_SKIP;
    }
    for (size_t i = 0; i < q->n; i++) {
        if (q->ifindexes[i] == tcm->tcm_ifindex) {
            const char *old = smap_get(&q->knobs[i], q->key);
            char *text = (q->type == RTM_NEWTFILTER
                          ? xasprintf("%s%s%s at pref %"PRIu32,
                                      old ? old : "", old ? ", " : "",
                                      nla_get_string(kind),
                                      TC_H_MAJ(tcm->tcm_info) >> 16)
                          : xasprintf("%s%s%s", old ? old : "",
                                      old ? ", " : "", nla_get_string(kind)));
            smap_replace(&q->knobs[i], q->key, text);
            free(text);
        }
    }
    return NL_OK;
}

/* Asks for all of 'type' of the interface 'ifindex', or of all interfaces if
 * that is 0, that have 'parent'.  Returns 0 or a negative libnl error. */
static int
ask(struct fb_rtnl *rtnl, int type, int ifindex, uint32_t parent,
    struct tc_query *q)
{
    struct nl_msg *msg = nlmsg_alloc_simple(type, NLM_F_DUMP);
    struct tcmsg tcm = {
        .tcm_family = AF_UNSPEC,
        .tcm_ifindex = ifindex,
        .tcm_parent = parent,
    };

    q->type = type == RTM_GETQDISC ? RTM_NEWQDISC : RTM_NEWTFILTER;
    nlmsg_append(msg, &tcm, sizeof tcm, NLMSG_ALIGNTO);
    return fb_rtnl_query(rtnl, msg, parse, q);
}

/* Adds the filters of the interface 'ifindex' to 'knobs'. */
static void
describe_filters(struct fb_rtnl *rtnl, int ifindex, struct smap *knobs)
{
    struct tc_query q = { .ifindexes = &ifindex, .knobs = knobs, .n = 1 };

    for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
        /* Few interfaces have all of these places: the others' are errors,
         * and no filters. */
        q.key = places[i].name;
        ask(rtnl, RTM_GETTFILTER, ifindex, places[i].parent, &q);
    }
}

/* Adds the kinds of all queueing disciplines and filters at each of the 'n'
 * interfaces in 'ifindexes' to the element of 'knobs' that is for it.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_tc_describe(struct fb_rtnl *rtnl, const int ifindexes[], size_t n,
               struct smap *knobs)
{
    struct tc_query q = {
        .key = "qdiscs", .ifindexes = ifindexes, .knobs = knobs, .n = n
    };

    int retval = ask(rtnl, RTM_GETQDISC, 0, 0, &q);
    if (retval < 0) {
        return xasprintf("queueing disciplines cannot be read (%s)",
                         fb_rtnl_strerror(rtnl, retval));
    }
    for (size_t i = 0; i < n; i++) {
        const char *qdiscs = smap_get_def(&knobs[i], q.key, "noqueue");
        if (strcmp(qdiscs, "noqueue")) {
            describe_filters(rtnl, ifindexes[i], &knobs[i]);
        }
    }
    return NULL;
}
