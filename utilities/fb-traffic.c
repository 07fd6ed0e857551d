/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */

#include <config.h>
#include "fb-traffic.h"

#include <stdlib.h>
#include <string.h>

#include "fb-flows.h"
#include "fb-packet.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "util.h"

/* Names of the fields, by the number of their bit. */
static const char *const field_names[FB_N_FIELDS] = {
    "sport", "dport", "ip-src", "ip-dst", "eth-src"
};

/* Returns the name of the field whose bit is 1 << 'bit'. */
const char *
fb_field_name(size_t bit)
{
    return field_names[bit];
}

/* Names of the patterns. */
static const char *const pattern_names[FB_N_PATTERNS] = {
    [FB_PATTERN_UNIFORM] = "uniform",
    [FB_PATTERN_BURST] = "burst",
    [FB_PATTERN_FLOOD] = "flood",
    [FB_PATTERN_CHURN] = "churn",
    [FB_PATTERN_BIDIRECTIONAL] = "bidirectional",
    [FB_PATTERN_MATRIX] = "matrix",
};

/* Returns the name of 'pattern'. */
const char *
fb_pattern_name(enum fb_pattern pattern)
{
    return pattern_names[pattern];
}

/* Stores the pattern called 'name' in '*pattern'.  Returns false if there is
 * none. */
bool
fb_pattern_from_name(const char *name, enum fb_pattern *pattern)
{
    for (int i = 0; i < FB_N_PATTERNS; i++) {
        if (!strcmp(pattern_names[i], name)) {
            *pattern = i;
            return true;
        }
    }
    return false;
}

/* Parses 's', names of fields with commas between them, into '*fields'.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_fields_parse(const char *s, unsigned int *fields)
{
    char *copy = xstrdup(s);
    char *save_ptr = NULL;
    char *error = NULL;

    *fields = 0;
    for (char *name = strtok_r(copy, ",", &save_ptr); name && !error;
         name = strtok_r(NULL, ",", &save_ptr)) {
        size_t bit = 0;
        while (bit < FB_N_FIELDS && strcmp(field_names[bit], name)) {
            bit++;
        }
        if (bit < FB_N_FIELDS) {
            *fields |= 1u << bit;
        } else {
            error = xasprintf("%s: no such field (use sport, dport, ip-src, "
                              "ip-dst or eth-src)", name);
        }
    }
    if (!error && !*fields) {
        error = xstrdup("names no field");
    }
    free(copy);
    return error;
}

/* Appends the names of 'fields' to 'ds', with commas between them. */
static void
format_fields(unsigned int fields, struct ds *ds)
{
    const char *separator = "";
    for (size_t bit = 0; bit < FB_N_FIELDS; bit++) {
        if (fields & (1u << bit)) {
            ds_put_format(ds, "%s%s", separator, field_names[bit]);
            separator = ",";
        }
    }
}

/* Do packets of 'traffic' come from the destinations, too? */
bool
fb_traffic_is_two_way(const struct fb_traffic *traffic)
{
    return (traffic->pattern == FB_PATTERN_BIDIRECTIONAL
            || traffic->pattern == FB_PATTERN_MATRIX);
}

/* Returns the number of ports that send 'traffic' with 'n_destinations': the
 * generator's, which is number 0, and perhaps those of all destinations. */
size_t
fb_traffic_n_sources(const struct fb_traffic *traffic, size_t n_destinations)
{
    return fb_traffic_is_two_way(traffic) ? n_destinations + 1 : 1;
}

/* Returns the number of turns after which it begins again which port sends.
 * Each turn is as long as any other. */
size_t
fb_traffic_n_turns(const struct fb_traffic *traffic, size_t n_destinations)
{
    return (traffic->pattern == FB_PATTERN_BIDIRECTIONAL ? 2 * n_destinations
            : fb_traffic_n_sources(traffic, n_destinations));
}

/* Returns the number of the port whose turn number 'turn' is, from 0 and less
 * than fb_traffic_n_turns(). */
size_t
fb_traffic_source(const struct fb_traffic *traffic, size_t turn)
{
    return (traffic->pattern != FB_PATTERN_BIDIRECTIONAL ? turn
            : turn % 2 ? turn / 2 + 1 : 0);
}

/* Returns the number of pairs of a source and a destination, which is that of
 * turns in which each of them is served once: with one destination each turn.
 * Broadcasts have one. */
size_t
fb_traffic_n_pairs(const struct fb_traffic *traffic, size_t n_destinations)
{
    return (traffic->pattern == FB_PATTERN_MATRIX
            ? n_destinations * (n_destinations + 1)
            : traffic->pattern == FB_PATTERN_BIDIRECTIONAL
            ? 2 * n_destinations
            : fb_flows_n_targets(traffic, n_destinations, 0));
}

/* Returns the number of flows of 'traffic' to 'n_destinations', from all ports
 * that send: those that tell them apart, at least.  With churn, those that
 * there can be before one comes again. */
uint64_t
fb_traffic_n_flows(const struct fb_traffic *traffic, size_t n_destinations)
{
    size_t n_sources = fb_traffic_n_sources(traffic, n_destinations);
    uint64_t n = 0;

    for (size_t i = 0; i < n_sources; i++) {
        n += fb_flows_count(traffic, n_destinations, i);
    }
    return n;
}

/* Returns the number of packets among which each flow is at least once; with
 * churn, a number. */
uint64_t
fb_traffic_cycle(const struct fb_traffic *traffic, size_t n_destinations)
{
    return (traffic->flow_packets ? 1000
            : traffic->pattern == FB_PATTERN_BIDIRECTIONAL
            ? 2 * n_destinations * MAX(traffic->n_flows, 1)
            : fb_traffic_n_flows(traffic, n_destinations));
}

/* Returns the least frame size that 'traffic' may have, in bytes. */
size_t
fb_traffic_min_size(const struct fb_traffic *traffic)
{
    return fb_packet_min_size(&(struct fb_packet_spec) {
        .vlan = traffic->vlan, .ipv6 = traffic->ipv6 });
}

/* Checks whether 'traffic' can be sent to 'n_destinations'.
 *
 * Returns NULL if so, otherwise a malloc()'d error message that names the
 * option to change. */
char *
fb_traffic_check(const struct fb_traffic *traffic, size_t n_destinations)
{
    uint64_t n_flows = fb_flows_count(traffic, n_destinations, 0);
    size_t last = fb_traffic_n_sources(traffic, n_destinations) - 1;
    size_t min = fb_traffic_min_size(traffic);

    for (size_t i = 0; i < traffic->sizes.n; i++) {
        if (traffic->sizes.classes[i].size < min) {
            return xasprintf("--frame-size: %"PRIu16" bytes are too few for "
                             "%s%s, which needs %"PRIuSIZE,
                             traffic->sizes.classes[i].size,
                             traffic->ipv6 ? "IPv6" : "IPv4",
                             traffic->vlan ? " in a VLAN" : "", min);
        }
    }
    if (traffic->pattern == FB_PATTERN_MATRIX
        && n_destinations > FB_MAX_MATRIX) {
        return xasprintf("--pattern=matrix: --destinations can be %d at most",
                         FB_MAX_MATRIX);
    }
    if (traffic->n_masks && last) {
        return xasprintf("masks: need a pattern in which one port sends, not "
                         "--pattern=%s", fb_pattern_name(traffic->pattern));
    }
    if (n_flows < fb_flows_n_targets(traffic, n_destinations, 0)) {
        return xasprintf("--flows=%"PRIu64": each of the %"PRIuSIZE
                         " destinations has a flow of its own (use "
                         "--destinations=%"PRIu64")", n_flows, n_destinations,
                         n_flows);
    }
    uint64_t max = fb_flows_capacity(traffic, n_destinations, last);
    if (fb_flows_count(traffic, n_destinations, last) > max) {
        struct ds ds = DS_EMPTY_INITIALIZER;
        format_fields(traffic->fields, &ds);
        char *error = xasprintf("--flows=%"PRIu64": the fields %s tell only "
                                "%"PRIu64" flows apart (name more in "
                                "--flow-fields)", n_flows, ds_cstr(&ds), max);
        ds_destroy(&ds);
        return error;
    }
    return NULL;
}

/* Appends 'traffic' to 'ds', in words. */
void
fb_traffic_format(const struct fb_traffic *traffic, struct ds *ds)
{
    if (traffic->pattern != FB_PATTERN_UNIFORM) {
        ds_put_format(ds, "%s, ", fb_pattern_name(traffic->pattern));
    }
    fb_sizes_format(&traffic->sizes, ds);
    ds_put_cstr(ds, "-byte frames");
    if (traffic->ipv6) {
        ds_put_cstr(ds, ", IPv6");
    }
    if (traffic->vlan) {
        ds_put_format(ds, ", VLAN %"PRIu16, traffic->vlan);
    }
    if (traffic->n_masks) {
        ds_put_format(ds, ", %"PRIu32" masks", traffic->n_masks);
    }
    if (traffic->flow_packets) {
        ds_put_format(ds, ", flows of %"PRIu32" packets (",
                      traffic->flow_packets);
        format_fields(traffic->fields, ds);
        ds_put_char(ds, ')');
    } else if (traffic->n_flows && !traffic->n_masks) {
        ds_put_format(ds, ", %"PRIu64" flows%s (", traffic->n_flows,
                      fb_traffic_is_two_way(traffic) ? " from each port" : "");
        format_fields(traffic->fields, ds);
        ds_put_char(ds, ')');
    }
}

/* Returns 'traffic' to 'n_destinations' as JSON. */
struct json *
fb_traffic_to_json(const struct fb_traffic *traffic, size_t n_destinations)
{
    struct json *json = json_object_create();
    struct json *fields = json_array_create_empty();

    for (size_t bit = 0; bit < FB_N_FIELDS; bit++) {
        if (traffic->fields & (1u << bit)) {
            json_array_add(fields, json_string_create(field_names[bit]));
        }
    }
    json_object_put_string(json, "pattern",
                           fb_pattern_name(traffic->pattern));
    json_object_put(json, "flow_packets",
                    traffic->flow_packets
                    ? json_integer_create(traffic->flow_packets)
                    : json_null_create());
    json_object_put(json, "frame_sizes", fb_sizes_to_json(&traffic->sizes));
    json_object_put(json, "frame_size_mean",
                    json_real_create(fb_sizes_mean(&traffic->sizes)));
    json_object_put(json, "ipv6", json_boolean_create(traffic->ipv6));
    json_object_put(json, "vlan",
                    traffic->vlan ? json_integer_create(traffic->vlan)
                    : json_null_create());
    json_object_put(json, "flows", json_integer_create(
                        fb_traffic_n_flows(traffic, n_destinations)));
    json_object_put(json, "flow_fields", fields);
    json_object_put(json, "masks",
                    traffic->n_masks ? json_integer_create(traffic->n_masks)
                    : json_null_create());
    return json;
}
