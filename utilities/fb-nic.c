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

#include "fb-nic.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/rtnetlink.h>
#include <math.h>
#include <net/if.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fb-ethtool.h"
#include "fb-ignore.h"
#include "fb-json-read.h"
#include "fb-rtnl.h"
#include "openvswitch/json.h"
#include "util.h"

/* The flags that a user can set. */
#define FLAGS (IFF_UP | IFF_PROMISC | IFF_ALLMULTI | IFF_NOARP)

/* Folders in which an interface has one for settings of its own. */
static const char *const sysctl_dirs[] = {
    "/proc/sys/net/ipv4/conf",
    "/proc/sys/net/ipv4/neigh",
    "/proc/sys/net/ipv6/conf",
    "/proc/sys/net/ipv6/neigh",
};

/* libnl callback: fills in the struct fb_nic 'nic_' from its link. */
static int
parse_link(struct nl_msg *msg, void *nic_)
{
    struct fb_nic *nic = nic_;
    struct nlmsghdr *hdr = nlmsg_hdr(msg);
    const struct ifinfomsg *ifi = nlmsg_data(hdr);
    struct nlattr *tb[IFLA_MAX + 1];

    if (hdr->nlmsg_type != RTM_NEWLINK || ifi->ifi_index != nic->ifindex
        || nlmsg_parse(hdr, sizeof *ifi, tb, IFLA_MAX, NULL)) {
        return NL_SKIP;
    }
    nic->flags = ifi->ifi_flags & FLAGS;
    nic->mtu = tb[IFLA_MTU] ? nla_get_u32(tb[IFLA_MTU]) : 0;
    nic->tx_queue_len = tb[IFLA_TXQLEN] ? nla_get_u32(tb[IFLA_TXQLEN]) : 0;
    return NL_OK;
}

/* Returns the value in the file 'name', without the end of the line, or NULL
 * if it has none that can be read.  The caller must free it. */
static char *
read_sysctl(const char *name)
{
    char value[256];
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, value, sizeof value - 1) : -1;

    if (fd >= 0) {
        close(fd);
    }
    if (n <= 0) {
        return NULL;
    }
    value[n] = '\0';
    value[strcspn(value, "\n")] = '\0';
    return xstrdup(value);
}

/* Adds the settings in the folder 'dir' to 'sysctls'. */
static void
read_sysctls(const char *dir, struct smap *sysctls)
{
    DIR *stream = opendir(dir);
    struct dirent *entry;

    while (stream && (entry = readdir(stream)) != NULL) {
        char *name = xasprintf("%s/%s", dir, entry->d_name);
        char *value = entry->d_name[0] != '.' ? read_sysctl(name) : NULL;
        if (value) {
            smap_add(sysctls, name, value);
            free(value);
        }
        free(name);
    }
    if (stream) {
        closedir(stream);
    }
}

/* Gives the settings that are not what 'sysctls' says, as far as they can be
 * written, those values. */
static void
write_sysctls(const struct smap *sysctls)
{
    const struct smap_node *node;

    SMAP_FOR_EACH (node, sysctls) {
        char *now = read_sysctl(node->key);
        if (now && strcmp(now, node->value)) {
            int fd = open(node->key, O_WRONLY | O_CLOEXEC);
            if (fd >= 0) {
                fb_ignore(write(fd, node->value, strlen(node->value)) < 0);
                close(fd);
            }
        }
        free(now);
    }
}

/* Stores in '*nic' how the interface 'name' is set up, in the namespace of
 * the calling thread, in which 'rtnl' is.  The caller must destroy it,
 * whatever this function returns. */
char *
fb_nic_read(struct fb_nic *nic, struct fb_rtnl *rtnl, const char *name)
{
    struct ifinfomsg ifi = { .ifi_family = AF_UNSPEC };
    struct fb_ethtool *ethtool = NULL;

    *nic = (struct fb_nic) { .name = xstrdup(name) };
    smap_init(&nic->sysctls);
    char *error = fb_rtnl_get_ifindex(rtnl, name, &nic->ifindex);
    if (error) {
        return error;
    }
    struct nl_msg *msg = nlmsg_alloc_simple(RTM_GETLINK, NLM_F_DUMP);
    nlmsg_append(msg, &ifi, sizeof ifi, NLMSG_ALIGNTO);
    int retval = fb_rtnl_query(rtnl, msg, parse_link, nic);
    if (retval < 0) {
        return xasprintf("%s: cannot be read (%s)", name,
                         fb_rtnl_strerror(rtnl, retval));
    }
    for (size_t i = 0; i < ARRAY_SIZE(sysctl_dirs); i++) {
        char *dir = xasprintf("%s/%s", sysctl_dirs[i], name);
        read_sysctls(dir, &nic->sysctls);
        free(dir);
    }
    error = fb_ethtool_open(-1, &ethtool);
    if (!error) {
        error = fb_ethtool_get_features(ethtool, nic->ifindex,
                                        &nic->features);
    }
    fb_ethtool_close(ethtool);
    return error;
}

/* Sets the flags, the MTU and the length of the transmit queue of the
 * interface 'ifindex' as 'nic' says; the flags 'without' not yet. */
static char *
restore_link(const struct fb_nic *nic, struct fb_rtnl *rtnl, int ifindex,
             unsigned int without)
{
    struct nl_msg *msg = nlmsg_alloc_simple(RTM_SETLINK, 0);
    struct ifinfomsg ifi = {
        .ifi_family = AF_UNSPEC,
        .ifi_index = ifindex,
        .ifi_flags = nic->flags & ~without,
        .ifi_change = FLAGS & ~without,
    };

    nlmsg_append(msg, &ifi, sizeof ifi, NLMSG_ALIGNTO);
    nla_put_u32(msg, IFLA_MTU, nic->mtu);
    nla_put_u32(msg, IFLA_TXQLEN, nic->tx_queue_len);
    int retval = fb_rtnl_query(rtnl, msg, NULL, NULL);
    return (retval < 0
            ? xasprintf("%s: flags and MTU cannot be put back (%s)", nic->name,
                        fb_rtnl_strerror(rtnl, retval))
            : NULL);
}

/* Makes the interface 'ifindex', which is in the namespace of the calling
 * thread, in which 'rtnl' is, what 'nic' says.  Goes on after an error, of
 * which it returns the first. */
char *
fb_nic_restore(const struct fb_nic *nic, struct fb_rtnl *rtnl, int ifindex)
{
    struct fb_ethtool *ethtool = NULL;

    /* Before it comes up, as some settings tell what happens then. */
    write_sysctls(&nic->sysctls);
    char *error = restore_link(nic, rtnl, ifindex, IFF_UP);
    char *error2 = fb_ethtool_open(-1, &ethtool);
    if (!error2) {
        error2 = fb_ethtool_set_features(ethtool, ifindex, nic->features);
        fb_ethtool_close(ethtool);
    }
    char *error3 = restore_link(nic, rtnl, ifindex, 0);

    /* And after, as some change by that. */
    write_sysctls(&nic->sysctls);
    char *first = error ? error : error2 ? error2 : error3;
    if (first != error2) {
        free(error2);
    }
    if (first != error3) {
        free(error3);
    }
    return first;
}

/* Frees what 'nic' holds. */
void
fb_nic_destroy(struct fb_nic *nic)
{
    free(nic->name);
    free(nic->features);
    smap_destroy(&nic->sysctls);
}

/* Returns 'nic' as JSON, for fb_nic_from_json(). */
struct json *
fb_nic_to_json(const struct fb_nic *nic)
{
    struct json *json = json_object_create();

    json_object_put_string(json, "name", nic->name);
    json_object_put(json, "ifindex", json_integer_create(nic->ifindex));
    json_object_put(json, "mtu", json_integer_create(nic->mtu));
    json_object_put(json, "tx_queue_len",
                    json_integer_create(nic->tx_queue_len));
    json_object_put(json, "flags", json_integer_create(nic->flags));
    json_object_put_string(json, "features", nic->features);
    json_object_put(json, "sysctls", smap_to_json(&nic->sysctls));
    return json;
}

/* Stores in '*nic' what 'json', which may be anything, says.  The caller must
 * destroy it, whatever this function returns. */
char *
fb_nic_from_json(struct fb_nic *nic, const struct json *json)
{
    const struct json *sysctls = fb_json_member(json, "sysctls");
    const char *name = fb_json_string(json, "name");
    const char *features = fb_json_string(json, "features");
    double ifindex = fb_json_number(json, "ifindex");
    double mtu = fb_json_number(json, "mtu");
    double tx_queue_len = fb_json_number(json, "tx_queue_len");
    double flags = fb_json_number(json, "flags");

    *nic = (struct fb_nic) { .name = nullable_xstrdup(name) };
    smap_init(&nic->sysctls);
    if (!name || !features || !sysctls || sysctls->type != JSON_OBJECT
        || isnan(ifindex + mtu + tx_queue_len + flags)) {
        return xstrdup("does not say how the interface was");
    }
    nic->features = xstrdup(features);
    nic->ifindex = ifindex;
    nic->mtu = mtu;
    nic->tx_queue_len = tx_queue_len;
    nic->flags = flags;
    smap_from_json(&nic->sysctls, sysctls);
    return NULL;
}
