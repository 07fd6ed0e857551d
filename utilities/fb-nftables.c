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

#include "fb-nftables.h"

#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <string.h>
#include <sys/socket.h>

#include "util.h"

/* libnl callback: counts a rule. */
static int
count_rule(struct nl_msg *msg OVS_UNUSED, void *n_)
{
    size_t *n = n_;
    *n += 1;
    return NL_OK;
}

/* Counts the rules of nftables, and of iptables where it is built on that, of
 * all families, and stores their number in '*n'.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message: the kernel
 * shows them to who may administer the network only. */
char *
fb_nftables_count(size_t *n)
{
    struct nl_sock *sock = nl_socket_alloc();
    struct nfgenmsg nfg = { .nfgen_family = AF_UNSPEC,
                            .version = NFNETLINK_V0 };

    *n = 0;
    int retval = sock ? nl_connect(sock, NETLINK_NETFILTER) : -NLE_NOMEM;
    if (retval >= 0) {
        struct nl_msg *msg = nlmsg_alloc_simple(
            (NFNL_SUBSYS_NFTABLES << 8) | NFT_MSG_GETRULE, NLM_F_DUMP);
        nlmsg_append(msg, &nfg, sizeof nfg, NLMSG_ALIGNTO);
        retval = nl_send_auto(sock, msg);
        nlmsg_free(msg);
    }
    if (retval >= 0) {
        nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_CUSTOM, count_rule, n);
        retval = nl_recvmsgs_default(sock);
    }
    nl_socket_free(sock);
    return (retval < 0
            ? xasprintf("netfilter's rules (%s)", nl_geterror(retval))
            : NULL);
}
