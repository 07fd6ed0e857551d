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

#include "fb-like.h"

#include <stdlib.h>
#include <string.h>

#include "bitmap.h"
#include "util.h"

/* Names of VLAN modes, as in Open vSwitch's database. */
static const char *const vlan_modes[FB_N_VLAN_MODES] = {
    [FB_VLAN_TRUNK] = "trunk",
    [FB_VLAN_ACCESS] = "access",
    [FB_VLAN_NATIVE_TAGGED] = "native-tagged",
    [FB_VLAN_NATIVE_UNTAGGED] = "native-untagged",
};

/* Returns the name of 'mode'. */
const char *
fb_vlan_mode_name(enum fb_vlan_mode mode)
{
    return vlan_modes[mode];
}

/* Stores the mode called 'name' in '*mode'.  Returns false if there is
 * none. */
bool
fb_vlan_mode_from_name(const char *name, enum fb_vlan_mode *mode)
{
    for (int i = 0; i < FB_N_VLAN_MODES; i++) {
        if (!strcmp(vlan_modes[i], name)) {
            *mode = i;
            return true;
        }
    }
    return false;
}

/* Returns the name of 'kind'. */
const char *
fb_like_kind_name(enum fb_like_kind kind)
{
    return kind == FB_LIKE_OVS ? "ovs" : "linux";
}

/* Makes 'like' a description of nothing. */
void
fb_like_init(struct fb_like *like)
{
    memset(like, 0, sizeof *like);
    smap_init(&like->config);
    svec_init(&like->rules);
    svec_init(&like->groups);
    svec_init(&like->meters);
    svec_init(&like->lost);
    svec_init(&like->left_out);
}

/* Frees 'qos', which may be null. */
static void
destroy_qos(struct fb_like_qos *qos)
{
    if (qos) {
        free(qos->type);
        smap_destroy(&qos->config);
        for (size_t i = 0; i < qos->n_queues; i++) {
            smap_destroy(&qos->queues[i].config);
        }
        free(qos->queues);
        free(qos);
    }
}

/* Frees what 'port' holds. */
static void
destroy_port(struct fb_like_port *port)
{
    free(port->name);
    free(port->type);
    bitmap_free(port->trunks);
    destroy_qos(port->qos);
}

/* Frees what 'mirror' holds. */
static void
destroy_mirror(struct fb_like_mirror *mirror)
{
    free(mirror->name);
    svec_destroy(&mirror->from);
    svec_destroy(&mirror->to);
    bitmap_free(mirror->vlans);
    free(mirror->output_port);
}

/* Frees what 'like' holds. */
void
fb_like_destroy(struct fb_like *like)
{
    for (size_t i = 0; i < like->n_ports; i++) {
        destroy_port(&like->ports[i]);
    }
    for (size_t i = 0; i < like->n_mirrors; i++) {
        destroy_mirror(&like->mirrors[i]);
    }
    free(like->name);
    smap_destroy(&like->config);
    free(like->ports);
    free(like->mirrors);
    svec_destroy(&like->rules);
    svec_destroy(&like->groups);
    svec_destroy(&like->meters);
    svec_destroy(&like->lost);
    svec_destroy(&like->left_out);
}

/* Adds a port that carries all VLANs to 'like' and returns it, until the next
 * is added. */
struct fb_like_port *
fb_like_add_port(struct fb_like *like, const char *name, const char *type)
{
    like->ports = xrealloc(like->ports,
                           (like->n_ports + 1) * sizeof *like->ports);
    struct fb_like_port *port = &like->ports[like->n_ports++];
    memset(port, 0, sizeof *port);
    port->name = xstrdup(name);
    port->type = xstrdup(type);
    return port;
}

/* Gives 'port' quality of service of 'type' with 'n_queues' queues, without
 * any configuration, and returns it. */
struct fb_like_qos *
fb_like_add_qos(struct fb_like_port *port, const char *type, size_t n_queues)
{
    struct fb_like_qos *qos = xzalloc(sizeof *qos);

    qos->type = xstrdup(type);
    smap_init(&qos->config);
    qos->queues = xcalloc(n_queues, sizeof *qos->queues);
    qos->n_queues = n_queues;
    for (size_t i = 0; i < n_queues; i++) {
        smap_init(&qos->queues[i].config);
    }
    port->qos = qos;
    return qos;
}

/* Adds a mirror of nothing to 'like' and returns it, until the next is
 * added. */
struct fb_like_mirror *
fb_like_add_mirror(struct fb_like *like, const char *name)
{
    like->mirrors = xrealloc(like->mirrors,
                             (like->n_mirrors + 1) * sizeof *like->mirrors);
    struct fb_like_mirror *mirror = &like->mirrors[like->n_mirrors++];
    memset(mirror, 0, sizeof *mirror);
    mirror->name = xstrdup(name);
    svec_init(&mirror->from);
    svec_init(&mirror->to);
    mirror->output_vlan = -1;
    return mirror;
}

/* Returns the port called 'name' of 'like', or NULL. */
struct fb_like_port *
fb_like_find_port(const struct fb_like *like, const char *name)
{
    for (size_t i = 0; i < like->n_ports; i++) {
        if (!strcmp(like->ports[i].name, name)) {
            return &like->ports[i];
        }
    }
    return NULL;
}

/* Does 'port' carry frames of 'vlan', which is 0 for those without one? */
bool
fb_like_port_carries(const struct fb_like_port *port, uint16_t vlan)
{
    if (port->vlan_mode != FB_VLAN_TRUNK && vlan == port->tag) {
        return true;
    } else if (port->vlan_mode == FB_VLAN_ACCESS) {
        return false;
    } else if (port->vlan_mode != FB_VLAN_TRUNK && !vlan) {
        return false;           /* Such frames are of VLAN 'tag'. */
    }
    return !port->trunks || bitmap_is_set(port->trunks, vlan);
}

/* Do frames of 'vlan', which 'port' carries, come to it without a tag? */
bool
fb_like_port_untagged(const struct fb_like_port *port, uint16_t vlan)
{
    return (!vlan
            || (port->vlan_mode != FB_VLAN_TRUNK && vlan == port->tag
                && port->vlan_mode != FB_VLAN_NATIVE_TAGGED));
}

/* Does 'like' tell VLANs apart? */
bool
fb_like_has_vlans(const struct fb_like *like)
{
    bool has = like->vlan_filtering;

    for (size_t i = 0; i < like->n_ports; i++) {
        has |= (like->ports[i].vlan_mode != FB_VLAN_TRUNK
                || like->ports[i].trunks);
    }
    return has;
}

/* Do twins have the key 'key' of a bridge's other_config? */
bool
fb_like_has_config(const char *key)
{
    static const char *const keys[] = {
        "mac-table-size", "mac-aging-time", "forward-bpdu"
    };

    for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
        if (!strcmp(keys[i], key)) {
            return true;
        }
    }
    return false;
}

/* Returns the least MTU among the ports of 'like' that the load passes, or 0
 * if none is known. */
uint32_t
fb_like_mtu(const struct fb_like *like)
{
    uint32_t mtu = 0;

    for (size_t i = 0; i <= like->n_destinations && i < like->n_ports; i++) {
        uint32_t x = like->ports[i].mtu;
        mtu = x && (!mtu || x < mtu) ? x : mtu;
    }
    return mtu;
}

/* Can the load pass 'port' of 'like' in 'vlan'?  Ports that mirrors copy to
 * carry nothing else. */
static bool
takes_part(const struct fb_like *like, const struct fb_like_port *port,
           uint16_t vlan)
{
    for (size_t i = 0; i < like->n_mirrors; i++) {
        const char *output = like->mirrors[i].output_port;
        if (output && !strcmp(output, port->name)) {
            return false;
        }
    }
    return fb_like_port_carries(port, vlan);
}

/* Returns the number of ports of 'like' that the load can pass in 'vlan'. */
static size_t
n_carrying(const struct fb_like *like, uint16_t vlan)
{
    size_t n = 0;

    for (size_t i = 0; i < like->n_ports; i++) {
        n += takes_part(like, &like->ports[i], vlan);
    }
    return n;
}

/* Chooses for 'like' a load that passes as many of its ports as can be, with
 * up to 'max_destinations' destinations: in the VLAN that most ports carry,
 * from the first of them to the others. */
char *
fb_like_choose_load(struct fb_like *like, size_t max_destinations)
{
    size_t most = n_carrying(like, 0);
    like->vlan = 0;
    for (uint16_t vlan = 1; vlan < FB_N_VLANS - 1; vlan++) {
        size_t n = n_carrying(like, vlan);
        if (n > most) {
            most = n;
            like->vlan = vlan;
        }
    }
    if (most < 2) {
        return xasprintf("%s: no VLAN has two ports between which frames "
                         "could be sent (it has %"PRIuSIZE" ports)",
                         like->name, like->n_ports);
    }

    /* Those that carry it come first, in their order. */
    size_t n = 0;
    for (size_t i = 0; i < like->n_ports && n <= max_destinations; i++) {
        if (takes_part(like, &like->ports[i], like->vlan)) {
            struct fb_like_port port = like->ports[i];
            memmove(&like->ports[n + 1], &like->ports[n],
                    (i - n) * sizeof port);
            like->ports[n++] = port;
        }
    }
    like->n_destinations = n - 1;
    like->load_tag = (fb_like_port_untagged(&like->ports[0], like->vlan)
                      ? 0 : like->vlan);
    return NULL;
}
