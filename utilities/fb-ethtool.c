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

#include "fb-ethtool.h"

#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <stdlib.h>
#include <string.h>

#include "fb-netns.h"
#include "svec.h"
#include "util.h"

/* A socket to the "ethtool" family in one network namespace. */
struct fb_ethtool {
    struct nl_sock *sock;       /* Blocking. */
    int family;                 /* Number of the family. */
};

/* Opens a socket in the namespace 'netns_fd', or that of the calling thread if
 * that is -1, and stores it in '*ethtoolp', for the caller to close with
 * fb_ethtool_close().
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_ethtool_open(int netns_fd, struct fb_ethtool **ethtoolp)
{
    int old_fd = -1;

    *ethtoolp = NULL;
    char *error = netns_fd < 0 ? NULL : fb_netns_enter(netns_fd, &old_fd);
    if (error) {
        return error;
    }
    struct nl_sock *sock = nl_socket_alloc();
    int retval = sock ? genl_connect(sock) : -NLE_NOMEM;
    if (old_fd >= 0) {
        fb_netns_leave(old_fd);
    }
    int family = retval < 0 ? retval : genl_ctrl_resolve(sock, "ethtool");
    if (family < 0) {
        nl_socket_free(sock);
        return xasprintf("this kernel has no ethtool netlink (%s)",
                         nl_geterror(family));
    }
    *ethtoolp = xmalloc(sizeof **ethtoolp);
    (*ethtoolp)->sock = sock;
    (*ethtoolp)->family = family;
    return NULL;
}

/* Closes 'ethtool', which may be null. */
void
fb_ethtool_close(struct fb_ethtool *ethtool)
{
    if (ethtool) {
        nl_socket_free(ethtool->sock);
        free(ethtool);
    }
}

/* libnl callback: adds the names of the features that are on to the svec
 * 'names_'. */
static int
parse_features(struct nl_msg *msg, void *names_)
{
    struct nlattr *active = nlmsg_find_attr(nlmsg_hdr(msg), GENL_HDRLEN,
                                            ETHTOOL_A_FEATURES_ACTIVE);
    struct nlattr *bits = (active
                           ? nla_find(nla_data(active), nla_len(active),
                                      ETHTOOL_A_BITSET_BITS)
                           : NULL);
    struct nlattr *bit;
    int left;

    if (!bits) {
        return NL_SKIP;
    }
    nla_for_each_nested(bit, bits, left) {
        struct nlattr *name = nla_find(nla_data(bit), nla_len(bit),
                                       ETHTOOL_A_BITSET_BIT_NAME);
        if (name) {
            svec_add(names_, nla_get_string(name));
        }
    }
    return NL_OK;
}

/* Returns a message with 'command' whose attribute 'header_attr' says that it
 * is about 'ifindex', with 'flags', ETHTOOL_FLAG_*. */
static struct nl_msg *
make_message(const struct fb_ethtool *ethtool, uint8_t command,
             int header_attr, int ifindex, uint32_t flags)
{
    struct nl_msg *msg = nlmsg_alloc();
    genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, ethtool->family, 0, 0,
                command, ETHTOOL_GENL_VERSION);
    struct nlattr *header = nla_nest_start(msg, header_attr | NLA_F_NESTED);
    nla_put_u32(msg, ETHTOOL_A_HEADER_DEV_INDEX, ifindex);
    if (flags) {
        nla_put_u32(msg, ETHTOOL_A_HEADER_FLAGS, flags);
    }
    nla_nest_end(msg, header);
    return msg;
}

/* Sends 'command' with the attribute 'header_attr' for 'ifindex', and gives
 * the reply to 'parse' with 'aux'.  Returns 0 or a negative libnl error. */
static int
ask(struct fb_ethtool *ethtool, uint8_t command, int header_attr, int ifindex,
    nl_recvmsg_msg_cb_t parse, void *aux)
{
    struct nl_msg *msg = make_message(ethtool, command, header_attr, ifindex,
                                      0);

    int retval = nl_send_auto(ethtool->sock, msg);
    nlmsg_free(msg);
    if (retval >= 0) {
        struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);
        nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, parse, aux);
        retval = nl_recvmsgs(ethtool->sock, cb);
        nl_cb_put(cb);
    }
    return retval >= 0 ? nl_wait_for_ack(ethtool->sock) : retval;
}

/* Stores in '*featuresp' the names of the features (offloads) of 'ifindex'
 * that are on, sorted, with a space between them.  The caller must free() it.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_ethtool_get_features(struct fb_ethtool *ethtool, int ifindex,
                        char **featuresp)
{
    struct svec names = SVEC_EMPTY_INITIALIZER;

    *featuresp = NULL;
    int retval = ask(ethtool, ETHTOOL_MSG_FEATURES_GET,
                     ETHTOOL_A_FEATURES_HEADER, ifindex, parse_features,
                     &names);
    if (retval >= 0) {
        svec_sort_unique(&names);
        *featuresp = svec_join(&names, " ", "");
    }
    svec_destroy(&names);
    return (retval < 0
            ? xasprintf("interface %d: offloads cannot be read (%s)", ifindex,
                        nl_geterror(retval))
            : NULL);
}

/* Adds to 'msg' that the feature 'name' is to be on or off. */
static void
put_feature(struct nl_msg *msg, const char *name, bool on)
{
    struct nlattr *bit = nla_nest_start(msg, ETHTOOL_A_BITSET_BITS_BIT
                                        | NLA_F_NESTED);

    /* A bit without a value is to be 0. */
    nla_put_string(msg, ETHTOOL_A_BITSET_BIT_NAME, name);
    if (on) {
        nla_put_flag(msg, ETHTOOL_A_BITSET_BIT_VALUE);
    }
    nla_nest_end(msg, bit);
}

/* Sets the features of 'ifindex' named in 'on' on, and those in 'off' off.
 * Returns 0 or a negative libnl error. */
static int
change_features(struct fb_ethtool *ethtool, int ifindex,
                const struct svec *on, const struct svec *off)
{
    struct nl_msg *msg = make_message(ethtool, ETHTOOL_MSG_FEATURES_SET,
                                      ETHTOOL_A_FEATURES_HEADER, ifindex,
                                      ETHTOOL_FLAG_OMIT_REPLY);
    struct nlattr *wanted = nla_nest_start(msg, ETHTOOL_A_FEATURES_WANTED
                                           | NLA_F_NESTED);
    struct nlattr *bits = nla_nest_start(msg, ETHTOOL_A_BITSET_BITS
                                         | NLA_F_NESTED);
    for (size_t i = 0; i < on->n; i++) {
        put_feature(msg, on->names[i], true);
    }
    for (size_t i = 0; i < off->n; i++) {
        put_feature(msg, off->names[i], false);
    }
    nla_nest_end(msg, bits);
    nla_nest_end(msg, wanted);

    int retval = nl_send_auto(ethtool->sock, msg);
    nlmsg_free(msg);
    return retval < 0 ? retval : nl_wait_for_ack(ethtool->sock);
}

/* Switches off the feature (offload) 'name' of 'ifindex', and with it those
 * that need it.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_ethtool_switch_off(struct fb_ethtool *ethtool, int ifindex,
                      const char *name)
{
    struct svec none = SVEC_EMPTY_INITIALIZER;
    struct svec off = SVEC_EMPTY_INITIALIZER;

    svec_add(&off, name);
    int retval = change_features(ethtool, ifindex, &none, &off);
    svec_destroy(&off);
    return (retval < 0
            ? xasprintf("interface %d: \"%s\" cannot be switched off (%s)",
                        ifindex, name, nl_geterror(retval))
            : NULL);
}

/* Makes 'features', names with a space between them, those of 'ifindex' that
 * are on.
 *
 * Returns NULL if they are so afterward, otherwise a malloc()'d error
 * message. */
char *
fb_ethtool_set_features(struct fb_ethtool *ethtool, int ifindex,
                        const char *features)
{
    struct svec wanted = SVEC_EMPTY_INITIALIZER;
    struct svec are = SVEC_EMPTY_INITIALIZER;
    struct svec on, off;
    char *now;

    char *error = fb_ethtool_get_features(ethtool, ifindex, &now);
    if (error || !strcmp(now, features)) {
        free(now);
        return error;
    }
    svec_parse_words(&wanted, features);
    svec_parse_words(&are, now);
    svec_sort(&wanted);
    svec_sort(&are);
    svec_diff(&wanted, &are, &on, NULL, &off);
    int retval = change_features(ethtool, ifindex, &on, &off);
    free(now);
    error = fb_ethtool_get_features(ethtool, ifindex, &now);
    if (!error && strcmp(now, features)) {
        error = xasprintf("interface %d: offloads cannot be set (%s)", ifindex,
                          retval < 0 ? nl_geterror(retval)
                          : "the driver does something else");
    }
    free(now);
    svec_destroy(&wanted);
    svec_destroy(&are);
    svec_destroy(&on);
    svec_destroy(&off);
    return error;
}

/* libnl callback: fills in the struct fb_ethtool_rings 'rings_'. */
static int
parse_rings(struct nl_msg *msg, void *rings_)
{
    struct fb_ethtool_rings *rings = rings_;
    struct nlattr *rx = nlmsg_find_attr(nlmsg_hdr(msg), GENL_HDRLEN,
                                        ETHTOOL_A_RINGS_RX);
    struct nlattr *max = nlmsg_find_attr(nlmsg_hdr(msg), GENL_HDRLEN,
                                         ETHTOOL_A_RINGS_RX_MAX);
    rings->rx = rx ? nla_get_u32(rx) : 0;
    rings->rx_max = max ? nla_get_u32(max) : 0;
    return NL_OK;
}

/* Stores the sizes of the rings of 'ifindex' in '*rings', zeros if it has none
 * or they cannot be read. */
void
fb_ethtool_get_rings(struct fb_ethtool *ethtool, int ifindex,
                     struct fb_ethtool_rings *rings)
{
    memset(rings, 0, sizeof *rings);
    ask(ethtool, ETHTOOL_MSG_RINGS_GET, ETHTOOL_A_RINGS_HEADER, ifindex,
        parse_rings, rings);
}
