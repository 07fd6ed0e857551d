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

#include "fb-options-load.h"

#include <stdlib.h>
#include <string.h>

#include "fb-cpus.h"
#include "fb-dut.h"
#include "fb-generator.h"
#include "fb-masks.h"
#include "fb-options-like.h"
#include "fb-options-tcp.h"
#include "fb-options.h"
#include "fb-pace.h"
#include "fb-result.h"
#include "fb-threads.h"
#include "util.h"

/* Exits with 'error', which is about the value 'value' of option 'name',
 * unless it is null. */
static void
check_value(const char *name, const char *value, char *error)
{
    if (error) {
        ovs_fatal(0, "--%s=%s: %s", name, value, error);
    }
}

/* Changes what 'p' says about the pattern of the load, as options say. */
static void
get_pattern(const struct fb_options *options, struct fb_parameters *p)
{
    struct fb_traffic *traffic = &p->traffic;

    if (options->pattern
        && !fb_pattern_from_name(options->pattern, &traffic->pattern)) {
        ovs_fatal(0, "--pattern=%s: no such pattern (use uniform, burst, "
                  "flood, churn, bidirectional or matrix)", options->pattern);
    }
    if (traffic->pattern == FB_PATTERN_CHURN) {
        traffic->fields = FB_FIELD_SPORT | FB_FIELD_DPORT;
        if (!traffic->flow_packets) {
            traffic->flow_packets = 10;
        }
        if (options->flow_packets) {
            traffic->flow_packets = fb_parse_number(
                "flow-packets", options->flow_packets, 1, 1e6, true);
        }
    } else if (options->flow_packets || options->new_flows) {
        ovs_fatal(0, "--%s needs --pattern=churn",
                  options->flow_packets ? "flow-packets" : "new-flows");
    } else {
        traffic->flow_packets = 0;
    }
    if (traffic->pattern != FB_PATTERN_BURST) {
        p->burst = p->pause = 0;
        if (options->burst || options->pause) {
            ovs_fatal(0, "--burst and --pause need --pattern=burst");
        }
        return;
    }
    if (!p->burst) {
        p->burst = 0.01;
        p->pause = 0.09;
    }
    if (options->burst) {
        p->burst = fb_parse_number("burst", options->burst, 0.0001, 60, false);
    }
    if (options->pause) {
        p->pause = fb_parse_number("pause", options->pause, 0.0001, 60, false);
    }
}

/* Changes the rate in 'p', as options say. */
static void
get_rate(const struct fb_options *options, struct fb_parameters *p)
{
    bool bursts = p->traffic.pattern == FB_PATTERN_BURST;

    if (bursts && !p->rate) {
        p->rate = 2000000;
    }
    if (!options->rate) {
        return;
    }
    char *from = xstrdup(options->rate);
    char *to = strstr(from, "..");
    p->rate = p->end_rate = 0;
    if (to) {
        *to = '\0';
        p->end_rate = fb_parse_number("rate", to + 2, 1, 1e9, true);
    }
    if (to || strcmp(from, "max")) {
        p->rate = fb_parse_number("rate", from, 1, 1e9, true);
    }
    free(from);
    if (bursts && (!p->rate || p->end_rate)) {
        ovs_fatal(0, "--rate=%s: bursts have a fixed rate", options->rate);
    }
}

/* Changes the rate or the length of flows in 'p' so that there are as many new
 * flows per second as options say, if they do. */
static void
get_new_flows(const struct fb_options *options, struct fb_parameters *p)
{
    if (!options->new_flows) {
        return;
    }
    uint64_t n = fb_parse_number("new-flows", options->new_flows, 1, 1e8,
                                 true);
    if (p->end_rate) {
        ovs_fatal(0, "--new-flows: excludes a ramp");
    } else if (!options->rate) {
        p->rate = n * p->traffic.flow_packets;
        if (p->rate > FB_PACE_MAX_RATE) {
            ovs_fatal(0, "--new-flows=%s: %"PRIu64" packets per second are "
                      "too many (use fewer --flow-packets)",
                      options->new_flows, p->rate);
        }
    } else if (options->flow_packets) {
        ovs_fatal(0, "--new-flows: excludes --rate with --flow-packets, which "
                  "say as much");
    } else if (!p->rate) {
        ovs_fatal(0, "--new-flows: excludes --rate=max");
    } else if (p->rate % n) {
        ovs_fatal(0, "--new-flows=%s: %"PRIu64" packets per second are not a "
                  "whole number of packets for each flow", options->new_flows,
                  p->rate);
    } else {
        p->traffic.flow_packets = p->rate / n;
    }
}

/* Changes what 'p' says about the packets of the load, as options say. */
static void
get_traffic(const struct fb_options *options, struct fb_parameters *p)
{
    struct fb_traffic *traffic = &p->traffic;

    get_pattern(options, p);
    if (options->flows && traffic->pattern == FB_PATTERN_CHURN) {
        ovs_fatal(0, "--flows: with --pattern=churn flows are without end");
    }
    if (options->flows) {
        traffic->n_flows = fb_parse_number("flows", options->flows, 1,
                                           FB_MAX_FLOWS, true);
        traffic->fields = FB_FIELD_SPORT | FB_FIELD_DPORT;
    }
    if (options->flow_fields) {
        if (!options->flows && traffic->pattern != FB_PATTERN_CHURN) {
            ovs_fatal(0, "--flow-fields needs --flows");
        }
        check_value("flow-fields", options->flow_fields,
                    fb_fields_parse(options->flow_fields, &traffic->fields));
    }
    if (options->masks) {
        traffic->n_masks = fb_parse_number("masks", options->masks, 1,
                                           FB_MASKS_MAX, true);
    }
    if (traffic->n_masks && (options->flows || traffic->flow_packets)) {
        ovs_fatal(0, "--masks: decides which flows there are, which does not "
                  "go with --%s", options->flows ? "flows" : "pattern=churn");
    }
    if (options->vlan) {
        traffic->vlan = fb_parse_number("vlan", options->vlan, 1, 4094, true);
    }
    traffic->ipv6 |= options->ipv6;
    if (options->frame_size) {
        check_value("frame-size", options->frame_size,
                    fb_sizes_parse(options->frame_size, FB_PACKET_MIN_SIZE,
                                   FB_MAX_FRAME_SIZE, &traffic->sizes));
    } else {
        /* The scenario's may be too small for IPv6. */
        p->frame_size = MAX(p->frame_size, fb_traffic_min_size(traffic));
    }
    struct fb_traffic complete = fb_result_traffic(p);
    char *error = fb_traffic_check(&complete, p->n_destinations);
    if (error) {
        ovs_fatal(0, "%s", error);
    }
}

/* Changes the number of threads in 'p', as options say. */
static void
get_threads(const struct fb_options *options, struct fb_parameters *p)
{
    p->n_threads = MAX(p->n_threads, 1);
    if (options->threads) {
        p->n_threads = fb_parse_number("threads", options->threads, 1,
                                       FB_MAX_THREADS, true);
        if (p->n_threads > 1 && options->backend
            && p->traffic.pattern != FB_PATTERN_BIDIRECTIONAL
            && !strcmp(options->backend, "xdp")) {
            ovs_fatal(0, "--backend=xdp: an interface can be used by one "
                      "thread only (use --threads=1)");
        }
        check_value("threads", options->threads, fb_threads_check(p));
    }
}

/* Changes what 'p', which holds a scenario's defaults, says about the load, as
 * options say.  Exits with an error message if one has a bad value. */
void
fb_options_get_load(const struct fb_options *options, struct fb_parameters *p)
{
    if (options->cpus) {
        check_value("cpus", options->cpus, fb_cpus_limit(options->cpus));
    }
    if (fb_options_get_tcp(options, p)) {
        return;
    }
    if (options->destinations) {
        p->n_destinations = fb_parse_number("destinations",
                                            options->destinations, 1,
                                            FB_MAX_DESTINATIONS, true);
    }
    if (options->like) {
        fb_options_get_like(options, p);
    }
    get_traffic(options, p);
    get_rate(options, p);
    get_new_flows(options, p);
    get_threads(options, p);
}

/* Makes trials of 'p' long enough for ten bursts, if there are any and nothing
 * else was said, and checks that they are for one. */
void
fb_options_settle_bursts(struct fb_parameters *p)
{
    if (p->burst > 0 && !p->duration) {
        p->duration = 10 * (p->burst + p->pause);
    }
    if (p->duration && p->duration < p->burst + p->pause) {
        ovs_fatal(0, "--duration=%g: less than a burst and a pause (%g)",
                  p->duration, p->burst + p->pause);
    }
}
