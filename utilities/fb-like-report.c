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

#include "fb-like-report.h"

#include "bitmap.h"
#include "fb-figure-json.h"
#include "fb-figure-table.h"
#include "fb-like.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "table.h"
#include "util.h"

/* Returns the name of what bridges of 'kind' are. */
static const char *
kind_text(enum fb_like_kind kind)
{
    return kind == FB_LIKE_OVS ? "an Open vSwitch bridge" : "a Linux bridge";
}

/* Appends the VLANs in 'vlans' to 'ds', ranges as such, or "all". */
static void
format_vlans(const unsigned long *vlans, struct ds *ds)
{
    const char *separator = "";

    if (!vlans) {
        ds_put_cstr(ds, "all");
        return;
    }
    for (size_t i = bitmap_scan(vlans, true, 0, FB_N_VLANS); i < FB_N_VLANS;) {
        size_t end = bitmap_scan(vlans, false, i, FB_N_VLANS);

        ds_put_format(ds, "%s%"PRIuSIZE, separator, i);
        if (end > i + 1) {
            ds_put_format(ds, "-%"PRIuSIZE, end - 1);
        }
        separator = ",";
        i = bitmap_scan(vlans, true, end, FB_N_VLANS);
    }
}

/* Appends the table of ports. */
static void
format_ports(const struct fb_like *like, const struct table_style *style,
             struct ds *ds)
{
    struct table table;

    table_init(&table);
    table_add_column(&table, "port");
    table_add_column(&table, "number");
    table_add_column(&table, "type");
    table_add_column(&table, "MTU");
    table_add_column(&table, "VLAN mode");
    table_add_column(&table, "tag");
    table_add_column(&table, "trunks");
    table_add_column(&table, "QoS");
    for (size_t i = 0; i < like->n_ports; i++) {
        const struct fb_like_port *port = &like->ports[i];
        struct ds trunks = DS_EMPTY_INITIALIZER;

        if (port->vlan_mode != FB_VLAN_ACCESS) {
            format_vlans(port->trunks, &trunks);
        }
        table_add_row(&table);
        fb_add_text(&table, port->name);
        fb_add_cell(&table, "%u", port->ofport);
        fb_add_text(&table, port->type);
        fb_add_cell(&table, "%"PRIu32, port->mtu);
        fb_add_text(&table, fb_vlan_mode_name(port->vlan_mode));
        if (port->vlan_mode == FB_VLAN_TRUNK) {
            fb_add_text(&table, "");
        } else {
            fb_add_cell(&table, "%u", port->tag);
        }
        fb_add_text(&table, ds_cstr(&trunks));
        fb_add_text(&table, port->qos ? port->qos->type : "");
        ds_destroy(&trunks);
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}

/* Appends the strings in 'svec', if any, with 'title' before them, to
 * 'ds'. */
static void
format_list(const char *title, const struct svec *svec, struct ds *ds)
{
    if (svec->n) {
        ds_put_format(ds, "\n%s:\n", title);
    }
    for (size_t i = 0; i < svec->n; i++) {
        ds_put_format(ds, "  - %s\n", svec->names[i]);
    }
}

/* Appends what is lost from 'like', and what no twin has, to 'ds'. */
static void
format_lost(const struct fb_like *like, struct ds *ds)
{
    enum fb_like_kind other = (like->kind == FB_LIKE_OVS
                               ? FB_LIKE_LINUX : FB_LIKE_OVS);
    char *title = xasprintf("What %s cannot do by itself",
                            kind_text(other));

    if (!like->lost.n) {
        ds_put_format(ds, "\nAll that it does, %s can do as well.\n",
                      kind_text(other));
    }
    format_list(title, &like->lost, ds);
    format_list("What is left out of its twins", &like->left_out, ds);
    free(title);
}

/* Appends what 'like' is like to 'ds', in the form that 'style' asks for, of
 * which JSON can be read again. */
void
fb_like_report_format(const struct fb_like *like,
                      const struct table_style *style, struct ds *ds)
{
    bool words = style->format == TF_TABLE || style->format == TF_LIST;

    if (style->format == TF_JSON) {
        struct json *json = fb_like_to_json(like);
        json_to_ds(json, style->json_flags, ds);
        ds_put_char(ds, '\n');
        json_destroy(json);
        return;
    }
    table_format_reset();
    if (words) {
        ds_put_format(ds, "%s: %s, %"PRIuSIZE" ports, %"PRIuSIZE" mirrors, "
                      "%"PRIuSIZE" rules\n\n", like->name,
                      kind_text(like->kind), like->n_ports, like->n_mirrors,
                      like->rules.n);
    }
    format_ports(like, style, ds);
    if (words) {
        format_lost(like, ds);
    }
}

/* Appends to 'ds' what a run with twins of 'like' has to say of them. */
void
fb_like_report_add(const struct fb_like *like, struct ds *ds)
{
    ds_put_format(ds, "\nTwins of %s, %s: from port %s to ", like->name,
                  kind_text(like->kind), like->ports[0].name);
    for (size_t i = 1; i <= like->n_destinations && i <= 8; i++) {
        ds_put_format(ds, "%s%s", i > 1 ? ", " : "", like->ports[i].name);
    }
    if (like->n_destinations > 8) {
        ds_put_format(ds, " and %"PRIuSIZE" more", like->n_destinations - 8);
    }
    if (like->vlan) {
        ds_put_format(ds, ", in VLAN %u", like->vlan);
    }
    ds_put_format(ds, ".\n");
    format_lost(like, ds);
}

/* Returns what a run with twins of 'like' has to say of them as JSON: null if
 * 'like' is null. */
struct json *
fb_like_report_json(const struct fb_like *like)
{
    if (!like) {
        return json_null_create();
    }

    struct json *json = json_object_create();
    struct json *destinations = json_array_create_empty();
    for (size_t i = 1; i <= like->n_destinations; i++) {
        json_array_add(destinations, json_string_create(like->ports[i].name));
    }
    json_object_put_string(json, "bridge", like->name);
    json_object_put_string(json, "kind", fb_like_kind_name(like->kind));
    json_object_put(json, "ports", json_integer_create(like->n_ports));
    json_object_put(json, "rules", json_integer_create(like->rules.n));
    json_object_put_string(json, "source", like->ports[0].name);
    json_object_put(json, "destinations", destinations);
    json_object_put(json, "vlan", like->vlan ? json_integer_create(like->vlan)
                    : json_null_create());
    json_object_put(json, "lost", fb_strings_to_json(&like->lost));
    json_object_put(json, "left_out", fb_strings_to_json(&like->left_out));
    return json;
}
