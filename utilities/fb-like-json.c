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
#include "fb-figure-json.h"
#include "fb-json-array.h"
#include "openvswitch/json.h"
#include "ovsdb-error.h"
#include "ovsdb-parser.h"
#include "packets.h"
#include "util.h"

/* Returns the VLANs in 'vlans' as a JSON array, or null if that is null. */
static struct json *
vlans_to_json(const unsigned long *vlans)
{
    if (!vlans) {
        return json_null_create();
    }

    struct json *array = json_array_create_empty();
    for (int vlan = 0; vlan < FB_N_VLANS; vlan++) {
        if (bitmap_is_set(vlans, vlan)) {
            json_array_add(array, json_integer_create(vlan));
        }
    }
    return array;
}

/* Returns 'qos' as JSON: null if there is none. */
static struct json *
qos_to_json(const struct fb_like_qos *qos)
{
    if (!qos) {
        return json_null_create();
    }

    struct json *json = json_object_create();
    struct json *queues = json_array_create_empty();
    for (size_t i = 0; i < qos->n_queues; i++) {
        struct json *queue = json_object_create();
        json_object_put(queue, "id", json_integer_create(qos->queues[i].id));
        json_object_put(queue, "other_config",
                        smap_to_json(&qos->queues[i].config));
        json_array_add(queues, queue);
    }
    json_object_put_string(json, "type", qos->type);
    json_object_put(json, "other_config", smap_to_json(&qos->config));
    json_object_put(json, "queues", queues);
    return json;
}

/* Returns 'port' as JSON. */
static struct json *
port_to_json(const struct fb_like_port *port)
{
    struct json *json = json_object_create();

    json_object_put_string(json, "name", port->name);
    json_object_put_string(json, "type", port->type);
    json_object_put(json, "ofport", json_integer_create(port->ofport));
    json_object_put(json, "mtu", json_integer_create(port->mtu));
    json_object_put_string(json, "vlan_mode",
                           fb_vlan_mode_name(port->vlan_mode));
    json_object_put(json, "tag", json_integer_create(port->tag));
    json_object_put(json, "trunks", vlans_to_json(port->trunks));
    json_object_put(json, "address", port->has_address
                    ? json_string_create_nocopy(
                        xasprintf(ETH_ADDR_FMT, ETH_ADDR_ARGS(port->address)))
                    : json_null_create());
    json_object_put(json, "qos", qos_to_json(port->qos));
    return json;
}

/* Returns 'mirror' as JSON. */
static struct json *
mirror_to_json(const struct fb_like_mirror *mirror)
{
    struct json *json = json_object_create();

    json_object_put_string(json, "name", mirror->name);
    json_object_put(json, "select_all",
                    json_boolean_create(mirror->select_all));
    json_object_put(json, "select_src_port",
                    fb_strings_to_json(&mirror->from));
    json_object_put(json, "select_dst_port",
                    fb_strings_to_json(&mirror->to));
    json_object_put(json, "select_vlan", vlans_to_json(mirror->vlans));
    json_object_put(json, "output_port",
                    fb_string_to_json(mirror->output_port));
    json_object_put(json, "output_vlan",
                    mirror->output_vlan >= 0
                    ? json_integer_create(mirror->output_vlan)
                    : json_null_create());
    return json;
}

/* Returns 'like' as JSON, which the caller must destroy. */
struct json *
fb_like_to_json(const struct fb_like *like)
{
    struct json *json = json_object_create();
    struct json *ports = json_array_create_empty();
    struct json *mirrors = json_array_create_empty();

    for (size_t i = 0; i < like->n_ports; i++) {
        json_array_add(ports, port_to_json(&like->ports[i]));
    }
    for (size_t i = 0; i < like->n_mirrors; i++) {
        json_array_add(mirrors, mirror_to_json(&like->mirrors[i]));
    }
    json_object_put_string(json, "schema", FB_LIKE_SCHEMA);
    json_object_put_string(json, "kind", fb_like_kind_name(like->kind));
    json_object_put_string(json, "name", like->name);
    json_object_put(json, "vlan_filtering",
                    json_boolean_create(like->vlan_filtering));
    json_object_put(json, "other_config", smap_to_json(&like->config));
    json_object_put(json, "ports", ports);
    json_object_put(json, "mirrors", mirrors);
    json_object_put(json, "rules", fb_strings_to_json(&like->rules));
    json_object_put(json, "groups", fb_strings_to_json(&like->groups));
    json_object_put(json, "meters", fb_strings_to_json(&like->meters));
    json_object_put(json, "lost", fb_strings_to_json(&like->lost));
    json_object_put(json, "left_out", fb_strings_to_json(&like->left_out));
    return json;
}

/* Returns the string member 'name' that 'p' finds, or "". */
static const char *
get_string(struct ovsdb_parser *p, const char *name)
{
    const struct json *json = ovsdb_parser_member(p, name, OP_STRING);
    return json ? json_string(json) : "";
}

/* Returns the string member 'name' that 'p' finds, or NULL if it is null. */
static const char *
get_string_or_null(struct ovsdb_parser *p, const char *name)
{
    const struct json *json = ovsdb_parser_member(p, name,
                                                  OP_STRING | OP_NULL);
    return json && json->type == JSON_STRING ? json_string(json) : NULL;
}

/* Returns the number that member 'name' is that 'p' finds.  Raises an error
 * if it is not between 'min' and 'max'. */
static long long int
get_integer(struct ovsdb_parser *p, const char *name, long long int min,
            long long int max)
{
    const struct json *json = ovsdb_parser_member(p, name, OP_INTEGER);
    long long int x = json ? json_integer(json) : min;

    if (x < min || x > max) {
        ovsdb_parser_raise_error(p, "\"%s\" is not between %lld and %lld",
                                 name, min, max);
        x = min;
    }
    return x;
}

/* Stores the strings that member 'name' is that 'p' finds in 'svec'. */
static void
get_strings(struct ovsdb_parser *p, const char *name, struct svec *svec)
{
    const struct json *array = ovsdb_parser_member(p, name, OP_ARRAY);

    for (size_t i = 0; array && i < fb_json_array_size(array); i++) {
        const struct json *element = fb_json_array_at(array, i);
        if (element->type == JSON_STRING) {
            svec_add(svec, json_string(element));
        } else {
            ovsdb_parser_raise_error(p, "\"%s\" holds what is not a string",
                                     name);
        }
    }
}

/* Stores the map that member 'name' is that 'p' finds in 'smap'. */
static void
get_smap(struct ovsdb_parser *p, const char *name, struct smap *smap)
{
    const struct json *json = ovsdb_parser_member(p, name, OP_OBJECT);
    struct shash_node *node;

    if (json) {
        SHASH_FOR_EACH (node, json_object(json)) {
            const struct json *value = node->data;
            if (value->type == JSON_STRING) {
                smap_add(smap, node->name, json_string(value));
            } else {
                ovsdb_parser_raise_error(p, "\"%s\" of \"%s\" is not a string",
                                         node->name, name);
            }
        }
    }
}

/* Returns the VLANs that member 'name' is that 'p' finds, or NULL for all. */
static unsigned long *
get_vlans(struct ovsdb_parser *p, const char *name)
{
    const struct json *array = ovsdb_parser_member(p, name,
                                                   OP_ARRAY | OP_NULL);
    if (!array || array->type != JSON_ARRAY) {
        return NULL;
    }

    unsigned long *vlans = bitmap_allocate(FB_N_VLANS);
    for (size_t i = 0; i < fb_json_array_size(array); i++) {
        const struct json *element = fb_json_array_at(array, i);
        if (element->type == JSON_INTEGER && json_integer(element) >= 0
            && json_integer(element) < FB_N_VLANS) {
            bitmap_set1(vlans, json_integer(element));
        } else {
            ovsdb_parser_raise_error(p, "\"%s\" holds what is not a VLAN ID",
                                     name);
        }
    }
    return vlans;
}

/* Returns 'error' as a malloc()'d string, or NULL if it is null. */
static char *
to_string(struct ovsdb_error *error)
{
    return error ? ovsdb_error_to_string_free(error) : NULL;
}

/* Fills in the quality of service of 'port' from 'json'. */
static char *
parse_qos(struct fb_like_port *port, const struct json *json)
{
    struct ovsdb_parser p;

    ovsdb_parser_init(&p, json, "qos");
    const struct json *queues = ovsdb_parser_member(&p, "queues", OP_ARRAY);
    size_t n = queues ? fb_json_array_size(queues) : 0;
    struct fb_like_qos *qos = fb_like_add_qos(port, get_string(&p, "type"), n);
    get_smap(&p, "other_config", &qos->config);
    char *error = to_string(ovsdb_parser_finish(&p));
    for (size_t i = 0; !error && i < n; i++) {
        struct fb_like_queue *queue = &qos->queues[i];

        ovsdb_parser_init(&p, fb_json_array_at(queues, i), "queue");
        queue->id = get_integer(&p, "id", 0, UINT16_MAX);
        get_smap(&p, "other_config", &queue->config);
        error = to_string(ovsdb_parser_finish(&p));
    }
    return error;
}

/* Adds the port 'json' to 'like'. */
static char *
parse_port(struct fb_like *like, const struct json *json)
{
    struct ovsdb_parser p;

    ovsdb_parser_init(&p, json, "port");
    struct fb_like_port *port = fb_like_add_port(like, get_string(&p, "name"),
                                                 get_string(&p, "type"));
    const char *mode = get_string(&p, "vlan_mode");
    port->ofport = get_integer(&p, "ofport", 0, UINT16_MAX);
    port->mtu = get_integer(&p, "mtu", 0, UINT16_MAX);
    port->tag = get_integer(&p, "tag", 0, FB_N_VLANS - 2);
    port->trunks = get_vlans(&p, "trunks");
    if (!fb_vlan_mode_from_name(mode, &port->vlan_mode)) {
        ovsdb_parser_raise_error(&p, "\"%s\" is not a VLAN mode", mode);
    }
    const char *address = get_string_or_null(&p, "address");
    port->has_address = address != NULL;
    if (address && !eth_addr_from_string(address, &port->address)) {
        ovsdb_parser_raise_error(&p, "\"%s\" is not an address", address);
    }
    const struct json *qos = ovsdb_parser_member(&p, "qos",
                                                 OP_OBJECT | OP_NULL);
    char *error = to_string(ovsdb_parser_finish(&p));
    return (error || qos->type == JSON_NULL
            ? error : parse_qos(port, qos));
}

/* Adds the mirror 'json' to 'like', whose ports are there. */
static char *
parse_mirror(struct fb_like *like, const struct json *json)
{
    struct ovsdb_parser p;

    ovsdb_parser_init(&p, json, "mirror");
    struct fb_like_mirror *mirror
        = fb_like_add_mirror(like, get_string(&p, "name"));
    const struct json *all = ovsdb_parser_member(&p, "select_all", OP_BOOLEAN);
    mirror->select_all = all && json_boolean(all);
    get_strings(&p, "select_src_port", &mirror->from);
    get_strings(&p, "select_dst_port", &mirror->to);
    mirror->vlans = get_vlans(&p, "select_vlan");
    const char *port = get_string_or_null(&p, "output_port");
    mirror->output_port = nullable_xstrdup(port);
    const struct json *vlan = ovsdb_parser_member(&p, "output_vlan",
                                                  OP_INTEGER | OP_NULL);
    if (vlan && vlan->type == JSON_INTEGER) {
        mirror->output_vlan = json_integer(vlan);
    }
    return to_string(ovsdb_parser_finish(&p));
}

/* Fills in 'like', which is initialized and empty, from 'json'. */
char *
fb_like_from_json(struct fb_like *like, const struct json *json)
{
    struct ovsdb_parser p;

    ovsdb_parser_init(&p, json, "bridge");
    const char *schema = get_string(&p, "schema");
    if (strcmp(schema, FB_LIKE_SCHEMA)) {
        ovsdb_parser_raise_error(&p, "is not of the form "FB_LIKE_SCHEMA);
    }
    const char *kind = get_string(&p, "kind");
    like->kind = strcmp(kind, "linux") ? FB_LIKE_OVS : FB_LIKE_LINUX;
    like->name = xstrdup(get_string(&p, "name"));
    const struct json *filters = ovsdb_parser_member(&p, "vlan_filtering",
                                                     OP_BOOLEAN);
    like->vlan_filtering = filters && json_boolean(filters);
    get_smap(&p, "other_config", &like->config);
    get_strings(&p, "rules", &like->rules);
    get_strings(&p, "groups", &like->groups);
    get_strings(&p, "meters", &like->meters);
    get_strings(&p, "lost", &like->lost);
    get_strings(&p, "left_out", &like->left_out);
    const struct json *ports = ovsdb_parser_member(&p, "ports", OP_ARRAY);
    const struct json *mirrors = ovsdb_parser_member(&p, "mirrors", OP_ARRAY);
    char *error = to_string(ovsdb_parser_finish(&p));
    for (size_t i = 0; !error && i < fb_json_array_size(ports); i++) {
        error = parse_port(like, fb_json_array_at(ports, i));
    }
    for (size_t i = 0; !error && i < fb_json_array_size(mirrors); i++) {
        error = parse_mirror(like, fb_json_array_at(mirrors, i));
    }
    return error;
}
