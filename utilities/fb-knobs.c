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

#include "fb-knobs.h"

#include <linux/if_link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fb-ethtool.h"
#include "fb-netns.h"
#include "fb-rtnl.h"
#include "fb-sysfs.h"
#include "fb-tc.h"
#include "smap.h"
#include "svec.h"
#include "util.h"

/* Files of each interface in sysfs, below "class/net/NAME". */
static const char *const interface_files[] = {
    "gro_flush_timeout", "napi_defer_hard_irqs", "threaded",
};

/* Files of each of its receive and transmit queues, below "queues/QUEUE".  A
 * queue has only those of its direction, and some none with a value. */
static const char *const queue_files[] = {
    "rps_cpus", "rps_flow_cnt", "xps_cpus", "xps_rxqs",
};

/* Reads the 'n' 'files' of 'dir' in the sysfs 'fd' into 'knobs', each called
 * by its name with 'prefix' before it. */
static void
read_files(int fd, const char *dir, const char *prefix,
           const char *const files[], size_t n, struct smap *knobs)
{
    for (size_t i = 0; i < n; i++) {
        char *name = xasprintf("%s/%s", dir, files[i]);
        char *value = fb_sysfs_read_line(fd, name);

        if (value) {
            smap_add_nocopy(knobs, xasprintf("%s%s", prefix, files[i]),
                            value);
        }
        free(name);
    }
}

/* Reads what the sysfs 'fd' has of the interface of 'knobs'. */
static void
describe_sysfs(int fd, struct smap *knobs)
{
    const char *name = smap_get_def(knobs, FB_KNOB_NAME, "");
    char *dir = xasprintf("class/net/%s", name);
    char *queues = xasprintf("%s/queues", dir);
    struct svec names = SVEC_EMPTY_INITIALIZER;
    const char *queue;
    size_t i;

    read_files(fd, dir, "", interface_files, ARRAY_SIZE(interface_files),
               knobs);
    fb_sysfs_list(fd, queues, &names);
    SVEC_FOR_EACH (i, queue, &names) {
        char *queue_dir = xasprintf("%s/%s", queues, queue);
        char *prefix = xasprintf("%s ", queue);

        read_files(fd, queue_dir, prefix, queue_files,
                   ARRAY_SIZE(queue_files), knobs);
        free(prefix);
        free(queue_dir);
    }
    svec_destroy(&names);
    free(queues);
    free(dir);
}

/* Returns a name for 'xdp', XDP_ATTACHED_*. */
static const char *
xdp_to_string(uint8_t xdp)
{
    return (xdp == XDP_ATTACHED_NONE ? "off"
            : xdp == XDP_ATTACHED_DRV ? "in native mode"
            : xdp == XDP_ATTACHED_SKB ? "in generic mode"
            : "in another mode");
}

/* Adds what rtnetlink says of 'ifindex' to 'knobs'. */
static char *
describe_link(struct fb_rtnl *rtnl, int ifindex, struct smap *knobs)
{
    struct fb_link_traits t;

    char *error = fb_rtnl_get_traits(rtnl, ifindex, &t);
    if (!error) {
        smap_add(knobs, FB_KNOB_NAME, t.name);
        smap_add(knobs, "kind", t.kind);
        smap_add(knobs, "state", t.up ? "up" : "down");
        smap_add_format(knobs, "MTU", "%"PRIu32, t.mtu);
        smap_add_format(knobs, "queue length", "%"PRIu32, t.tx_queue_len);
        smap_add_format(knobs, "TX queues", "%"PRIu32, t.n_tx_queues);
        smap_add_format(knobs, "RX queues", "%"PRIu32, t.n_rx_queues);
        smap_add_format(knobs, "GSO size", "%"PRIu32, t.gso_max_size);
        smap_add(knobs, FB_KNOB_XDP, xdp_to_string(t.xdp));
    }
    return error;
}

/* Adds the offloads of 'ifindex' that are on to 'knobs'. */
static char *
describe_offloads(struct fb_ethtool *ethtool, int ifindex, struct smap *knobs)
{
    char *features;
    char *save_ptr = NULL;

    char *error = fb_ethtool_get_features(ethtool, ifindex, &features);
    for (char *name = error ? NULL : strtok_r(features, " ", &save_ptr);
         name; name = strtok_r(NULL, " ", &save_ptr)) {
        smap_add_nocopy(knobs, xasprintf(FB_KNOB_OFFLOAD"%s", name),
                        xstrdup("on"));
    }
    free(features);
    return error;
}

/* Adds 'error', which it frees, to '*unknown'.  Does nothing if it is null. */
static void
note_unknown(char *error, char **unknown)
{
    if (error && *unknown) {
        char *both = xasprintf("%s; %s", *unknown, error);
        free(*unknown);
        free(error);
        *unknown = both;
    } else if (error) {
        *unknown = error;
    }
}

/* Adds to each element of 'knobs', which the caller must have initialized,
 * what the interface of that index of the 'n' in 'ifindexes' is set to, and
 * its name.  All are in the namespace 'netns_fd', which 'rtnl' is for.  A knob
 * that is off may be missing.
 *
 * Stores in '*unknown' what this kernel does not tell, or NULL; the caller
 * must free() it.  Returns NULL if successful, otherwise a malloc()'d error
 * message. */
char *
fb_knobs_of_interfaces(struct fb_rtnl *rtnl, int netns_fd,
                       const int ifindexes[], size_t n, struct smap *knobs,
                       char **unknown)
{
    struct fb_ethtool *ethtool;
    char *error = NULL;
    int sysfs;

    *unknown = NULL;
    note_unknown(fb_ethtool_open(netns_fd, &ethtool), unknown);
    note_unknown(fb_sysfs_open(netns_fd, &sysfs), unknown);
    for (size_t i = 0; i < n && !error; i++) {
        error = describe_link(rtnl, ifindexes[i], &knobs[i]);
        if (!error && ethtool) {
            error = describe_offloads(ethtool, ifindexes[i], &knobs[i]);
        }
        if (!error && sysfs >= 0) {
            describe_sysfs(sysfs, &knobs[i]);
        }
    }
    if (!error) {
        error = fb_tc_describe(rtnl, ifindexes, n, knobs);
    }
    fb_ethtool_close(ethtool);
    if (sysfs >= 0) {
        close(sysfs);
    }
    return error;
}

/* Adds to 'knobs' what netfilter does in the namespace 'netns_fd': a knob that
 * is off is missing.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_knobs_of_netns(int netns_fd, struct smap *knobs)
{
    int old_fd;

    char *error = fb_netns_enter(netns_fd, &old_fd);
    if (!error) {
        FILE *stream = fopen("/proc/sys/net/netfilter/nf_conntrack_count",
                             "re");
        unsigned int n;

        if (stream) {
            /* How many connections there are is no knob. */
            if (fscanf(stream, "%u", &n) == 1 && n) {
                smap_replace(knobs, "conntrack", "on");
            }
            fclose(stream);
        }
        fb_netns_leave(old_fd);
    }
    return error;
}
