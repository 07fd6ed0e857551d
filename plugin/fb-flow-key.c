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

#include "fb-flow-key.h"

#include <stdint.h>
#include <string.h>

#include "flow.h"
#include "netlink.h"
#include "odp-util.h"
#include "openvswitch/ofpbuf.h"
#include "util.h"

/* How an attribute is masked. */
enum masking {
    MASK_NONE,                  /* The flow has no mask at all. */
    MASK_ONES,                  /* All bits matter. */
    MASK_BYTES,                 /* A mask follows: its length, a byte, and its
                                 * value.  Masks of nested attributes may be
                                 * longer than what they mask. */
};

/* Where to write. */
struct writer {
    uint8_t *p;                 /* The next byte. */
    uint8_t *end;               /* End of the room. */
};

/* Writes the 'n' bytes at 'data_' to 'w', with the zeros left out.  Returns
 * false if there is no room. */
static bool
write_bytes(struct writer *w, const void *data_, size_t n)
{
    const uint8_t *data = data_;
    size_t n_bitmap = DIV_ROUND_UP(n, 8);
    uint8_t *bitmap = w->p;

    if (w->end - w->p < n_bitmap) {
        return false;
    }
    memset(bitmap, 0, n_bitmap);
    w->p += n_bitmap;
    for (size_t i = 0; i < n; i++) {
        if (data[i]) {
            if (w->p >= w->end) {
                return false;
            }
            bitmap[i / 8] |= 1 << (i % 8);
            *w->p++ = data[i];
        }
    }
    return true;
}

/* Writes the attribute 'a', masked by 'ma' (null if there are no masks).
 * Returns false if it does not fit. */
static bool
write_attr(struct writer *w, const struct nlattr *a, const struct nlattr *ma)
{
    size_t n = nl_attr_get_size(a);
    size_t n_mask = ma ? nl_attr_get_size(ma) : 0;
    enum masking masking;

    if (w->end - w->p < 3 || MAX(n, n_mask) > UINT8_MAX
        || nl_attr_type(a) > UINT8_MAX) {
        return false;
    }
    masking = !ma ? MASK_NONE
              : n == n_mask && is_all_ones(nl_attr_get(ma), n) ? MASK_ONES
              : MASK_BYTES;
    *w->p++ = nl_attr_type(a);
    *w->p++ = n;
    *w->p++ = masking;
    if (!write_bytes(w, nl_attr_get(a), n)) {
        return false;
    }
    if (masking == MASK_BYTES) {
        if (w->p >= w->end) {
            return false;
        }
        *w->p++ = n_mask;
        return write_bytes(w, nl_attr_get(ma), n_mask);
    }
    return true;
}

/* Writes the compact form of a flow to 'out', which has room for 'out_size'
 * bytes.  The 'key_len' bytes at 'key' and the 'mask_len' bytes at 'mask' are
 * OVS_KEY_ATTR_* attributes; 'mask_len' is 0 for a flow without a mask.
 * Returns the number of bytes, or 0 if it does not fit or is malformed. */
size_t
fb_flow_key_encode(const struct nlattr *key, size_t key_len,
                   const struct nlattr *mask, size_t mask_len,
                   void *out, size_t out_size)
{
    struct writer w = { out, (uint8_t *) out + out_size };
    const struct nlattr *a;
    size_t left;

    NL_ATTR_FOR_EACH (a, left, key, key_len) {
        const struct nlattr *ma = NULL;

        if (mask_len) {
            ma = nl_attr_find__(mask, mask_len, nl_attr_type(a));
            if (!ma || (is_all_zeros(nl_attr_get(ma), nl_attr_get_size(ma))
                        && nl_attr_type(a) != OVS_KEY_ATTR_ETHERNET)) {
                /* OVS does not show it.  That a frame has an Ethernet header
                 * is shown even where nothing in that matters. */
                continue;
            }
        }
        if (!write_attr(&w, a, ma)) {
            return 0;
        }
    }
    return left ? 0 : w.p - (uint8_t *) out;
}

/* Writes the compact form of 'flow', masked by 'wc' (which may be null), as a
 * datapath with all features would describe it.  Otherwise the same as
 * fb_flow_key_encode(). */
size_t
fb_flow_key_encode_flow(const struct flow *flow,
                        const struct flow_wildcards *wc,
                        void *out, size_t out_size)
{
    struct odp_flow_key_parms parms = {
        .flow = flow,
        .mask = wc ? &wc->masks : NULL,
        .support = {
            .max_vlan_headers = SIZE_MAX,
            .max_mpls_depth = SIZE_MAX,
            .recirc = true,
            .ct_state = true,
            .ct_zone = true,
            .ct_mark = true,
            .ct_label = true,
        },
    };
    struct odputil_keybuf key_stub, mask_stub;
    struct ofpbuf key, mask;
    size_t n;

    ofpbuf_use_stub(&key, &key_stub, sizeof key_stub);
    ofpbuf_use_stub(&mask, &mask_stub, sizeof mask_stub);
    odp_flow_key_from_flow(&parms, &key);
    if (wc) {
        parms.key_buf = &key;
        odp_flow_key_from_mask(&parms, &mask);
    }
    n = fb_flow_key_encode(key.data, key.size, mask.data, mask.size,
                           out, out_size);
    ofpbuf_uninit(&key);
    ofpbuf_uninit(&mask);
    return n;
}

/* Reads 'n' bytes that write_bytes() wrote from 'p' on, but not beyond 'end',
 * to 'out'.  Returns the end of what it read, or null if there was less. */
static const uint8_t *
read_bytes(const uint8_t *p, const uint8_t *end, uint8_t *out, size_t n)
{
    const uint8_t *bitmap = p;

    if (end - p < DIV_ROUND_UP(n, 8)) {
        return NULL;
    }
    p += DIV_ROUND_UP(n, 8);
    for (size_t i = 0; i < n; i++) {
        if (!(bitmap[i / 8] & (1 << (i % 8)))) {
            out[i] = 0;
        } else if (p < end) {
            out[i] = *p++;
        } else {
            return NULL;
        }
    }
    return p;
}

/* Says whether attributes of 'type' are nested, so that all ones are no valid
 * mask for them. */
static bool
is_nested(uint8_t type)
{
    return (type == OVS_KEY_ATTR_TUNNEL || type == OVS_KEY_ATTR_ENCAP
            || type == OVS_KEY_ATTR_NSH);
}

/* Appends the flow whose compact form is the 'in_size' bytes at 'in' to 'key'
 * and 'mask', as Netlink attributes.  A flow without a mask matches all bits;
 * 'mask' gets that if it can be expressed, else nothing. */
void
fb_flow_key_decode(const void *in, size_t in_size, struct ofpbuf *key,
                   struct ofpbuf *mask)
{
    const uint8_t *p = in, *end = p + in_size;
    uint32_t mask_start = mask->size;
    bool maskless = false;

    while (p && end - p >= 3) {
        uint8_t type = p[0], n = p[1], masking = p[2];
        uint8_t value[UINT8_MAX], bits[UINT8_MAX], n_mask = n;

        memset(bits, 0xff, sizeof bits);
        p = read_bytes(p + 3, end, value, n);
        if (p && masking == MASK_BYTES) {
            n_mask = p < end ? *p++ : 0;
            p = read_bytes(p, end, bits, n_mask);
        }
        if (p) {
            nl_msg_put_unspec(key, type, value, n);
            nl_msg_put_unspec(mask, type, bits, n_mask);
            maskless |= masking == MASK_NONE && is_nested(type);
        }
    }
    if (maskless) {
        mask->size = mask_start;
    }
}
