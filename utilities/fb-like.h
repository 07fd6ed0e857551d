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

#ifndef FB_LIKE_H
#define FB_LIKE_H 1

/* A description of a bridge, from which twins of it can be built: Open
 * vSwitch's or a Linux bridge's.  It is read from a running bridge, which is
 * not changed, or from a file that holds such a description in JSON.
 *
 * A description is plain data.  Functions that return 'char *' return NULL if
 * successful, otherwise a malloc()'d error message. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler.h"
#include "openvswitch/types.h"
#include "smap.h"
#include "svec.h"

struct fb_rtnl;
struct json;

/* Of the JSON form. */
#define FB_LIKE_SCHEMA "ovs-fanbench-bridge/1"

/* VLAN IDs. */
#define FB_N_VLANS 4096

/* What a bridge is. */
enum fb_like_kind {
    FB_LIKE_OVS,                /* Open vSwitch's. */
    FB_LIKE_LINUX               /* A Linux bridge. */
};

/* How a port takes and gives frames of VLANs; ovs-vswitchd.conf.db(5) has
 * more about each. */
enum fb_vlan_mode {
    FB_VLAN_TRUNK,              /* Tagged, of the trunks; VLAN 0 untagged. */
    FB_VLAN_ACCESS,             /* Untagged, of one VLAN. */
    FB_VLAN_NATIVE_TAGGED,      /* A trunk to which untagged frames of 'tag'
                                 * may come. */
    FB_VLAN_NATIVE_UNTAGGED,    /* The same, and they leave untagged, too. */
    FB_N_VLAN_MODES
};

/* A queue of a port. */
struct fb_like_queue {
    unsigned int id;
    struct smap config;         /* Its other_config. */
};

/* Quality of service of a port.  It must not move in memory, for maps must
 * not. */
struct fb_like_qos {
    char *type;                 /* "linux-htb", ... */
    struct smap config;         /* Its other_config. */
    struct fb_like_queue *queues;
    size_t n_queues;
};

/* A port. */
struct fb_like_port {
    char *name;
    char *type;                 /* "system", "internal", "vxlan", ... */
    uint16_t ofport;            /* OpenFlow port number; 0 for none. */
    uint32_t mtu;               /* In bytes; 0 if it is not known. */
    enum fb_vlan_mode vlan_mode;
    uint16_t tag;               /* VLAN ID of all but trunks. */
    unsigned long *trunks;      /* Bitmap of FB_N_VLANS, or NULL for all. */
    bool has_address;           /* Is 'address' one that lives behind it? */
    struct eth_addr address;
    struct fb_like_qos *qos;    /* NULL for none. */
};

/* A mirror of an Open vSwitch.  Ports are those of 'fb_like.ports'. */
struct fb_like_mirror {
    char *name;
    bool select_all;            /* All packets? */
    struct svec from;           /* Names of ports where they come in... */
    struct svec to;             /* ...and where they go out. */
    unsigned long *vlans;       /* Bitmap of FB_N_VLANS, or NULL for all. */
    char *output_port;          /* Name, or NULL... */
    int output_vlan;            /* ...and VLAN ID, or -1. */
};

/* A bridge. */
struct fb_like {
    enum fb_like_kind kind;
    char *name;
    bool vlan_filtering;        /* Linux: does it look at VLANs? */
    struct smap config;         /* Open vSwitch: its other_config. */
    struct fb_like_port *ports;
    size_t n_ports;
    struct fb_like_mirror *mirrors;
    size_t n_mirrors;
    struct svec rules;          /* OpenFlow, as "ovs-ofctl add-flows",
                                 * "add-groups" and... */
    struct svec groups;         /* ..."add-meter" take them. */
    struct svec meters;
    struct svec lost;           /* What the other kind of bridge cannot do, in
                                 * words... */
    struct svec left_out;       /* ...and what no twin has. */

    /* Set by fb_like_choose_load(), which puts the source of the load first
     * among the ports, and its destinations next. */
    size_t n_destinations;
    uint16_t vlan;              /* VLAN of the load; 0 for none... */
    uint16_t load_tag;          /* ...and that of the tag of its frames. */
};

void fb_like_init(struct fb_like *);
void fb_like_destroy(struct fb_like *);
struct fb_like_port *fb_like_add_port(struct fb_like *, const char *name,
                                      const char *type);
struct fb_like_qos *fb_like_add_qos(struct fb_like_port *, const char *type,
                                    size_t n_queues);
struct fb_like_mirror *fb_like_add_mirror(struct fb_like *, const char *name);
struct fb_like_port *fb_like_find_port(const struct fb_like *,
                                       const char *name);
const char *fb_like_kind_name(enum fb_like_kind);
const char *fb_vlan_mode_name(enum fb_vlan_mode);
bool fb_vlan_mode_from_name(const char *, enum fb_vlan_mode *);
bool fb_like_port_carries(const struct fb_like_port *, uint16_t vlan);
bool fb_like_port_untagged(const struct fb_like_port *, uint16_t vlan);
bool fb_like_has_vlans(const struct fb_like *);
bool fb_like_has_config(const char *key);
uint32_t fb_like_mtu(const struct fb_like *);
char *fb_like_choose_load(struct fb_like *, size_t max_destinations)
    OVS_WARN_UNUSED_RESULT;

char *fb_like_read(struct fb_like *, const char *name, const char *db)
    OVS_WARN_UNUSED_RESULT;

struct json *fb_like_to_json(const struct fb_like *);
char *fb_like_from_json(struct fb_like *, const struct json *)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-like.h */
