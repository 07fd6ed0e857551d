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

#include "fb-pktgen.h"

#include <inttypes.h>
#include <string.h>

#include "fb-flows.h"
#include "fb-frames.h"
#include "fb-packet.h"
#include "openvswitch/util.h"
#include "packets.h"
#include "svec.h"
#include "util.h"

/* Returns NULL if pktgen can make the frames of 'traffic', otherwise a
 * malloc()'d text that says what it cannot.
 *
 * It counts addresses up from frame to frame, the MAC address after its use
 * and the IP address before, which serves for as many flows as there are
 * destinations.  It counts every field by itself: with more fields to tell
 * flows apart, which flows there are would depend on how many values each of
 * them has. */
char *
fb_pktgen_check(const struct fb_traffic *traffic)
{
    return (traffic->pattern != FB_PATTERN_UNIFORM
            && traffic->pattern != FB_PATTERN_FLOOD
            ? xasprintf("--pattern=%s", fb_pattern_name(traffic->pattern))
            : traffic->n_flows ? xstrdup("more flows than destinations")
            : traffic->n_masks ? xstrdup("masks")
            : traffic->sizes.n > 1 ? xstrdup("several frame sizes")
            : traffic->ipv6 ? xstrdup("IPv6 with checksums")
            : traffic->vlan ? xstrdup("a VLAN tag")
            : NULL);
}

/* Appends to 'commands' what makes pktgen send the frames of 'config', which
 * fb_pktgen_check() must have accepted, one command an element, for the file
 * of a device.
 *
 * The UDP checksum is 0, which says that there is none: with UDPCSUM, pktgen
 * leaves it to the device, so that what arrives would need one. */
void
fb_pktgen_commands(const struct fb_frames_config *config,
                   struct svec *commands)
{
    const struct fb_traffic *traffic = &config->traffic;
    size_t n = fb_flows_n_targets(traffic, config->n_destinations, 0);
    struct fb_packet_spec first, last;
    struct fb_flows flows;

    fb_flows_init(&flows, traffic, config->n_destinations, NULL);
    fb_flows_next(&flows, &first);
    last = first;
    for (size_t i = 1; i < n; i++) {
        fb_flows_next(&flows, &last);
    }
    svec_add(commands, "count 0");
    svec_add(commands, "delay 0");
    svec_add(commands, "clone_skb 0");
    svec_add_nocopy(commands, xasprintf("pkt_size %"PRIu16,
                                        traffic->sizes.classes[0].size));
    svec_add_nocopy(commands, xasprintf("src_mac "ETH_ADDR_FMT,
                                        ETH_ADDR_ARGS(first.src)));
    svec_add_nocopy(commands, xasprintf("dst_mac "ETH_ADDR_FMT,
                                        ETH_ADDR_ARGS(first.dst)));
    svec_add_nocopy(commands, xasprintf("dst_mac_count %"PRIuSIZE, n));
    svec_add_nocopy(commands, xasprintf("src_min "IP_FMT,
                                        IP_ARGS(first.ip_src)));
    svec_add_nocopy(commands, xasprintf("src_max "IP_FMT,
                                        IP_ARGS(first.ip_src)));
    svec_add_nocopy(commands, xasprintf("dst_min "IP_FMT,
                                        IP_ARGS(first.ip_dst)));
    svec_add_nocopy(commands, xasprintf("dst_max "IP_FMT,
                                        IP_ARGS(last.ip_dst)));
    svec_add_nocopy(commands, xasprintf("udp_src_min %"PRIu16, first.sport));
    svec_add_nocopy(commands, xasprintf("udp_src_max %"PRIu16, first.sport));
    svec_add_nocopy(commands, xasprintf("udp_dst_min %"PRIu16, first.dport));
    svec_add_nocopy(commands, xasprintf("udp_dst_max %"PRIu16, first.dport));
}

/* Stores in '*x' the number that follows 'name' in 'text', after "Current:",
 * above which there are the parameters.  Returns false if there is none. */
static bool
get_number(const char *text, const char *name, uint64_t *x)
{
    const char *p = strstr(text, "Current:");

    p = p ? strstr(p, name) : NULL;
    return p && sscanf(p + strlen(name), " %"SCNu64, x) == 1;
}

/* Stores in '*state' what 'text', the file of a device, says.  Returns false
 * if it does not say all of that. */
bool
fb_pktgen_parse(const char *text, struct fb_pktgen_state *state)
{
    const char *result = strstr(text, "Result:");

    /* Whatever it was told last, and its end, is "OK: ...". */
    state->running = result && !strncmp(result, "Result: Starting",
                                        strlen("Result: Starting"));
    return (result
            && get_number(text, "pkts-sofar:", &state->sent)
            && get_number(text, "errors:", &state->errors)
            && get_number(text, "started:", &state->started_us)
            && get_number(text, "stopped:", &state->stopped_us));
}
