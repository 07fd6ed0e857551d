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

#include "fb-meters.h"

#include <stdlib.h>

#include "openvswitch/list.h"
#include "openvswitch/ofp-errors.h"
#include "openvswitch/ofp-meter.h"
#include "openvswitch/ofpbuf.h"
#include "openvswitch/vconn.h"
#include "util.h"

/* How long a bridge may take to answer. */
#define TIMEOUT_MS 10000

/* Returns the number of packets that the bands of all meters in 'msg' were
 * applied to. */
static uint64_t
add_up(struct ofpbuf *msg)
{
    struct ofputil_meter_stats stats;
    struct ofpbuf bands;
    uint64_t n = 0;

    ofpbuf_init(&bands, 64);
    while (!ofputil_decode_meter_stats(msg, &stats, &bands)) {
        for (uint16_t i = 0; i < stats.n_bands; i++) {
            n += stats.bands[i].packet_count;
        }
    }
    ofpbuf_uninit(&bands);
    return n;
}

/* Stores in '*n' how many packets all meters of the bridge whose management
 * socket is 'management' have dropped, since each was made: all that Open
 * vSwitch's meters can do to a packet is to drop it.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_meters_count_drops(const char *management, uint64_t *n)
{
    char *name = xasprintf("unix:%s", management);
    struct ovs_list requests, replies;
    struct vconn *vconn;
    struct ofpbuf *reply;

    *n = 0;
    int retval = vconn_open_block(name, 1u << OFP13_VERSION, 0, TIMEOUT_MS,
                                  &vconn);
    if (!retval) {
        struct ofpbuf *request = ofputil_encode_meter_request(
            OFP13_VERSION, OFPUTIL_METER_STATS, OFPM13_ALL);

        ovs_list_init(&requests);
        ovs_list_push_back(&requests, &request->list_node);
        retval = vconn_transact_multipart(vconn, &requests, &replies);
        vconn_close(vconn);
    }
    if (!retval) {
        LIST_FOR_EACH_POP (reply, list_node, &replies) {
            *n += add_up(reply);
            ofpbuf_delete(reply);
        }
    }
    free(name);
    return (retval
            ? xasprintf("%s: meters cannot be read (%s)", management,
                        ovs_retval_to_string(retval))
            : NULL);
}
