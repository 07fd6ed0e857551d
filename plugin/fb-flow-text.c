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
#include "fanbench-config.h"

#include "fb-flow-text.h"

#include "dpif.h"
#include "fb-dpif-get.h"
#include "fb-flow-key.h"
#include "fb-odp.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/ofpbuf.h"

/* The datapaths that are served, as ofproto has them open, or null.  Indexed
 * by datapath. */
static struct dpif *dpifs[FB_MAX_DATAPATHS];

/* Says that ofproto has 'dpif' open for datapath 'dp', or is going to close
 * it, if 'dpif' is null.  Does nothing if 'dp' is negative. */
void
fb_flow_text_set_dpif(int dp, struct dpif *dpif)
{
    if (dp >= 0) {
        dpifs[dp] = dpif;
    }
}

/* Returns the ufid of 'copy' as OVS has it. */
static ovs_u128
get_ufid(const struct fb_flow_copy *copy)
{
    ovs_u128 ufid;

    ufid.u64.lo = copy->id.ufid[0];
    ufid.u64.hi = copy->id.ufid[1];
    return ufid;
}

/* Appends what the flow of 'copy' matches, from 'ledger'.  Returns false if it
 * is not there. */
static bool
format_stored(struct fb_ledger *ledger, const struct fb_flow_copy *copy,
              struct ds *ds)
{
    uint64_t key_stub[1024 / 8], mask_stub[1024 / 8];
    uint8_t compact[FB_LEDGER_KEY_MAX];
    size_t n = fb_ledger_get_key(ledger, copy, compact);
    struct ofpbuf key, mask;

    if (!n) {
        return false;
    }
    ofpbuf_use_stub(&key, key_stub, sizeof key_stub);
    ofpbuf_use_stub(&mask, mask_stub, sizeof mask_stub);
    fb_flow_key_decode(compact, n, &key, &mask);
    fb_odp_flow_format(key.data, key.size, mask.data, mask.size, ds);
    ofpbuf_uninit(&key);
    ofpbuf_uninit(&mask);
    return true;
}

/* Appends what the flow of 'copy' matches, from the datapath.  Returns false
 * if it is not there. */
static bool
format_installed(const struct fb_flow_copy *copy, struct ds *ds)
{
    struct dpif *dpif = dpifs[copy->id.dp];
    uint64_t stub[DPIF_FLOW_BUFSIZE / 8];
    ovs_u128 ufid = get_ufid(copy);
    struct dpif_flow flow;
    struct ofpbuf buffer;
    bool found = false;

    if (!dpif || !copy->live) {
        return false;
    }
    ofpbuf_use_stub(&buffer, stub, sizeof stub);
    if (!fb_dpif_get(dpif, &ufid, copy->id.pmd_id, &buffer, &flow)
        && flow.key_len) {
        fb_odp_flow_format(flow.key, flow.key_len, flow.mask, flow.mask_len,
                           ds);
        found = true;
    }
    ofpbuf_uninit(&buffer);
    return found;
}

/* Appends the flow of 'copy': what it matches or, if nobody knows that, its
 * ufid. */
void
fb_flow_text(struct fb_ledger *ledger, const struct fb_flow_copy *copy,
             struct ds *ds)
{
    if (!format_stored(ledger, copy, ds) && !format_installed(copy, ds)) {
        fb_flow_text_ufid(copy, ds);
    }
}

/* Appends the ufid of 'copy'. */
void
fb_flow_text_ufid(const struct fb_flow_copy *copy, struct ds *ds)
{
    ovs_u128 ufid = get_ufid(copy);

    odp_format_ufid(&ufid, ds);
}
