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

#include "fb-options-like.h"

#include <stdlib.h>

#include "fb-dut.h"
#include "fb-guest-init.h"
#include "fb-like.h"
#include "fb-options.h"
#include "fb-result.h"
#include "openvswitch/json.h"
#include "util.h"

/* How a guest learns what the bridge is like: it cannot see the host's. */
#define ENV_NAME "OVS_FANBENCH_LIKE"

/* Ethernet header and a VLAN tag, which an MTU does not count. */
#define HEADER_LEN 14
#define TAG_LEN 4

/* Fills in 'like' from 'text', what the host has read. */
static char *
take(struct fb_like *like, const char *text)
{
    struct json *json = json_from_string(text);
    char *error = fb_like_from_json(like, json);

    json_destroy(json);
    unsetenv(ENV_NAME);
    return error;
}

/* Reads the bridge that 'options' name and changes 'p', of which
 * 'n_destinations' is then the number of destinations that its twins have, as
 * it asks.  Exits with an error message if that cannot be. */
void
fb_options_get_like(const struct fb_options *options, struct fb_parameters *p)
{
    const char *told = fb_guest_is_inside() ? getenv(ENV_NAME) : NULL;
    struct fb_like *like = xmalloc(sizeof *like);

    if (options->vlan) {
        ovs_fatal(0, "--vlan: the bridge says which VLANs there are, which "
                  "does not go with --like");
    }
    fb_like_init(like);
    char *error = (told ? take(like, told)
                   : fb_like_read(like, options->like, options->db));
    if (!error) {
        error = fb_like_choose_load(like, options->destinations
                                    ? p->n_destinations
                                    : FB_MAX_DESTINATIONS);
    }
    if (error) {
        ovs_fatal(0, "--like=%s: %s", options->like, error);
    }
    if (options->destinations && like->n_destinations < p->n_destinations) {
        ovs_fatal(0, "--destinations=%s: %s has only %"PRIuSIZE" ports that "
                  "its port %s can send to", options->destinations,
                  like->name, like->n_destinations, like->ports[0].name);
    }
    p->n_destinations = like->n_destinations;
    p->traffic.vlan = like->load_tag;
    p->like = like;
}

/* Checks that all frames of 'p', which is complete, fit the ports of the
 * bridge.  Exits with an error message if not. */
void
fb_options_check_like(const struct fb_parameters *p)
{
    struct fb_traffic traffic = fb_result_traffic(p);
    uint32_t mtu = fb_like_mtu(p->like);
    size_t largest = 0;

    if (p->sweep.what && !strcmp(fb_sweep_name(&p->sweep), "destinations")) {
        ovs_fatal(0, "--sweep: the bridge says how many destinations there "
                  "are, which does not go with --like");
    }
    if (fb_traffic_is_two_way(&traffic)) {
        ovs_fatal(0, "--pattern=%s: with --like, packets go one way only",
                  fb_pattern_name(traffic.pattern));
    }
    for (size_t i = 0; i < traffic.sizes.n; i++) {
        largest = MAX(largest, traffic.sizes.classes[i].size);
    }
    if (p->sweep.what && !strcmp(fb_sweep_name(&p->sweep), "frame-size")) {
        largest = p->sweep.values[p->sweep.n - 1];
    }
    size_t header = HEADER_LEN + (traffic.vlan ? TAG_LEN : 0);
    if (mtu && largest > mtu + header) {
        ovs_fatal(0, "--frame-size: %"PRIuSIZE" bytes are too many for an MTU "
                  "of %"PRIu32", which a port of %s has", largest, mtu,
                  p->like->name);
    }
}

/* Lets a guest that is about to be started know of the bridge of 'p', if there
 * is one. */
void
fb_options_pass_like(const struct fb_parameters *p)
{
    if (p->like) {
        struct json *json = fb_like_to_json(p->like);
        char *text = json_to_string(json, 0);

        setenv(ENV_NAME, text, 1);
        free(text);
        json_destroy(json);
    }
}
