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

#include <endian.h>
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

/* First byte of the form that fb_flow_key_encode_picked() writes, which is no
 * type of an attribute. */
#define FORM_WORDS 0xff

/* In the byte before a word in that form, which holds the word's number: all
 * of its bits matter. */
#define WORD_ONES 0x80
BUILD_ASSERT_DECL(FLOW_U64S <= WORD_ONES);

/* The words of a flow that hold the options of a tunnel.  These hold a
 * pointer, too, so they are not to be kept. */
#define OPTIONS_FIRST (offsetof(struct flow, tunnel.metadata) / 8)
#define OPTIONS_END \
    (OPTIONS_FIRST + DIV_ROUND_UP(sizeof(struct tun_metadata), 8))
BUILD_ASSERT_DECL(offsetof(struct flow, tunnel.metadata) % 8 == 0);

/* Where to write. */
struct writer {
    uint8_t *p;                 /* The next byte. */
    uint8_t *end;               /* End of the room. */
};

/* Returns the 'n' bytes at 'data', at most 8, as a number whose lowest byte is
 * the first. */
static inline uint64_t
load(const uint8_t *data, size_t n)
{
    uint64_t word = 0;

    memcpy(&word, data, n);
    return le64toh(word);
}

/* Returns a byte whose bits say which bytes of 'word' are not zero. */
static inline uint8_t
nonzero_bytes(uint64_t word)
{
    word |= word >> 4;
    word |= word >> 2;
    word |= word >> 1;
    word &= UINT64_C(0x0101010101010101);
    /* Moves bit 8 i to bit 56 + i. */
    return word * UINT64_C(0x0102040810204080) >> 56;
}

/* Writes the bytes of 'word' that are not zero, and before them a byte that
 * says which these are.  Returns false if there is no room. */
static inline bool
write_word(struct writer *w, uint64_t word)
{
    uint8_t bitmap = nonzero_bytes(word);
    uint8_t *p = w->p;

    if (w->end - p < 1 + sizeof word
        && w->end - p < 1 + count_1bits(bitmap)) {
        return false;
    }
    *p++ = bitmap;
    for (unsigned int bits = bitmap; bits; bits &= bits - 1) {
        *p++ = word >> (8 * raw_ctz(bits));
    }
    w->p = p;
    return true;
}

/* Writes the 'n' bytes at 'data_' to 'w', with the zeros left out.  Returns
 * false if there is no room. */
static bool
write_bytes(struct writer *w, const void *data_, size_t n)
{
    const uint8_t *data = data_;

    for (size_t i = 0; i < n; i += 8) {
        if (!write_word(w, load(&data[i], MIN(n - i, 8)))) {
            return false;
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
        || nl_attr_type(a) >= FORM_WORDS) {
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
    const struct nlattr *next = mask;
    size_t next_left = mask_len;
    const struct nlattr *a;
    size_t left;

    NL_ATTR_FOR_EACH (a, left, key, key_len) {
        const struct nlattr *ma = NULL;

        if (mask_len) {
            /* Most often the attributes are in the same order in both. */
            if (next_left >= NLA_HDRLEN
                && nl_attr_type(next) == nl_attr_type(a)) {
                ma = next;
                next = nl_attr_next(next);
                next_left = mask_len - ((uint8_t *) next - (uint8_t *) mask);
            } else {
                ma = nl_attr_find__(mask, mask_len, nl_attr_type(a));
            }
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

/* Writes word number 'i' of a flow, 'value', masked by 'mask'.  Bits that do
 * not matter are kept, too: OVS shows them. */
static inline bool
write_flow_word(struct writer *w, size_t i, uint64_t value, uint64_t mask)
{
    uint64_t whole = (mask & UINT64_C(0x0101010101010101)) * 0xff;
    uint8_t *p = w->p;

    if (w->end - p < 2 + sizeof mask) {
        return false;
    }
    if (mask == UINT64_MAX) {
        *p++ = i | WORD_ONES;
    } else {
        *p++ = i;
        if (mask == whole) {
            *p++ = nonzero_bytes(le64toh(mask));
        } else {
            *p++ = 0;
            memcpy(p, &mask, sizeof mask);
            p += sizeof mask;
        }
    }
    w->p = p;
    return write_word(w, le64toh(value));
}

/* Words of a flow that may be kept. */
#define N_WORDS (FLOW_U64S - OPTIONS_END + OPTIONS_FIRST)
BUILD_ASSERT_DECL(N_WORDS <= 64);

/* Masks with which flows were picked lately.  Nearly all flows of a kind have
 * the same. */
struct recent_masks {
    uint64_t masks[N_WORDS];    /* The masks of the words that may be kept. */
    uint64_t words;             /* A bit for each that is not 0. */
    uint64_t ones;              /* A bit for each that is all ones. */
    size_t n_words;             /* Number of 1-bits in 'words'. */
    size_t n_other;             /* The same without those in 'ones'. */
    uint8_t numbers[N_WORDS];   /* Numbers in a flow of those in 'words'. */
    uint64_t other[N_WORDS];    /* Masks in 'words' that are not all ones. */
};

/* Of the calling thread, by kind of flow: a power of two. */
static __thread struct recent_masks recent[4];

/* Returns the number in a flow of the word that has 'bit' in 'words'. */
static size_t
word_no(size_t bit)
{
    return bit < OPTIONS_FIRST ? bit : bit - OPTIONS_FIRST + OPTIONS_END;
}

/* Makes 'r' that of 'masks'. */
static void
learn_masks(struct recent_masks *r, const uint64_t *masks)
{
    r->words = r->ones = r->n_words = r->n_other = 0;
    for (size_t bit = 0; bit < N_WORDS; bit++) {
        uint64_t mask = masks[word_no(bit)];

        r->masks[bit] = mask;
        if (mask) {
            r->words |= UINT64_C(1) << bit;
            r->numbers[r->n_words++] = word_no(bit);
        }
        if (mask == UINT64_MAX) {
            r->ones |= UINT64_C(1) << bit;
        } else if (mask) {
            r->other[r->n_other++] = mask;
        }
    }
}

/* Copies what matters of 'flow', masked by 'wc', to 'words', which has room
 * for FB_FLOW_KEY_PICKED.  Returns the number of words, or 0 for a flow of a
 * tunnel with options.  Takes as little time as it can. */
size_t
fb_flow_key_pick(const struct flow *flow, const struct flow_wildcards *wc,
                 uint64_t words[])
{
    const uint64_t *values = (const uint64_t *) flow;
    const uint64_t *masks = (const uint64_t *) &wc->masks;
    size_t kind = (flow->nw_proto ^ flow->nw_proto >> 2) % ARRAY_SIZE(recent);
    struct recent_masks *r = &recent[kind];

    if (flow->tunnel.metadata.present.map) {
        return 0;
    }
    if (memcmp(&r->masks[OPTIONS_FIRST], &masks[OPTIONS_END],
               (N_WORDS - OPTIONS_FIRST) * 8)
        || memcmp(r->masks, masks, OPTIONS_FIRST * 8)) {
        learn_masks(r, masks);
    }
    words[0] = r->words;
    words[1] = r->ones;
    words += 2;
    for (size_t i = 0; i < r->n_words; i++) {
        words[i] = values[r->numbers[i]];
    }
    memcpy(&words[r->n_words], r->other, r->n_other * 8);
    return 2 + r->n_words + r->n_other;
}

/* Writes another compact form of a flow, from the 'n' words that
 * fb_flow_key_pick() copied to 'words'.  Otherwise the same as
 * fb_flow_key_encode(). */
size_t
fb_flow_key_encode_picked(const uint64_t words[], size_t n,
                          void *out, size_t out_size)
{
    struct writer w = { out, (uint8_t *) out + out_size };
    const uint64_t *value = &words[2], *mask;

    if (n < 2 || !out_size) {
        return 0;
    }
    *w.p++ = FORM_WORDS;
    mask = value + count_1bits(words[0]);
    for (uint64_t map = words[0]; map; map &= map - 1) {
        bool all = words[1] & map & -map;

        if (!write_flow_word(&w, word_no(raw_ctz(map)), *value++,
                             all ? UINT64_MAX : *mask++)) {
            return 0;
        }
    }
    return w.p - (uint8_t *) out;
}

/* Reads what write_word() wrote from 'p' on, but not beyond 'end', to '*word'.
 * Returns the end of what it read, or null if there was less. */
static const uint8_t *
read_word(const uint8_t *p, const uint8_t *end, uint64_t *word)
{
    unsigned int bits;

    *word = 0;
    if (p >= end) {
        return NULL;
    }
    for (bits = *p++; bits; bits = zero_rightmost_1bit(bits)) {
        if (p >= end) {
            return NULL;
        }
        *word |= (uint64_t) *p++ << (8 * raw_ctz(bits));
    }
    return p;
}

/* Reads the mask of a word of a flow.  Otherwise as read_word(). */
static const uint8_t *
read_mask(const uint8_t *p, const uint8_t *end, uint64_t *mask)
{
    if (p >= end) {
        return NULL;
    }
    if (*p) {
        uint64_t ones = 0;

        for (int i = 0; i < 8; i++) {
            ones |= *p & (1 << i) ? UINT64_C(0xff) << (8 * i) : 0;
        }
        *mask = htole64(ones);
        return p + 1;
    }
    p++;
    if (end - p < sizeof *mask) {
        return NULL;
    }
    memcpy(mask, p, sizeof *mask);
    return p + sizeof *mask;
}

/* Appends the flow whose form fb_flow_key_encode_picked() wrote from 'p' to
 * 'end', without its first byte, to 'key' and 'mask', as a datapath with all
 * features would describe it. */
static void
decode_words(const uint8_t *p, const uint8_t *end, struct ofpbuf *key,
             struct ofpbuf *mask)
{
    struct flow_wildcards wc;
    struct flow flow;
    struct odp_flow_key_parms parms = {
        .flow = &flow,
        .mask = &wc.masks,
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
    uint32_t key_start = key->size;
    struct ofpbuf own_key;

    memset(&flow, 0, sizeof flow);
    memset(&wc, 0, sizeof wc);
    while (p && p < end) {
        size_t i = *p & ~WORD_ONES;
        bool ones = *p & WORD_ONES;
        uint64_t bits = UINT64_MAX, word = 0;

        p = ones ? p + 1 : read_mask(p + 1, end, &bits);
        p = p ? read_word(p, end, &word) : NULL;
        if (!p || i >= FLOW_U64S || (i >= OPTIONS_FIRST && i < OPTIONS_END)) {
            return;
        }
        ((uint64_t *) &flow)[i] = htole64(word);
        ((uint64_t *) &wc.masks)[i] = bits;
    }
    odp_flow_key_from_flow(&parms, key);
    ofpbuf_use_const(&own_key, (char *) key->data + key_start,
                     key->size - key_start);
    parms.key_buf = &own_key;
    odp_flow_key_from_mask(&parms, mask);
}

/* Reads 'n' bytes that write_bytes() wrote from 'p' on, but not beyond 'end',
 * to 'out'.  Returns the end of what it read, or null if there was less. */
static const uint8_t *
read_bytes(const uint8_t *p, const uint8_t *end, uint8_t *out, size_t n)
{
    for (size_t i = 0; i < n && p; i += 8) {
        uint64_t word;

        p = read_word(p, end, &word);
        word = htole64(word);
        memcpy(&out[i], &word, MIN(n - i, 8));
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

    if (p < end && *p == FORM_WORDS) {
        decode_words(p + 1, end, key, mask);
        return;
    }
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
