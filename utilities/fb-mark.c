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

#include "fb-mark.h"

#include <string.h>

#include "packets.h"
#include "util.h"

/* "fbmarked" in ASCII. */
#define MAGIC UINT64_C(0x66626d61726b6564)

/* What follows the EtherType of a marked frame. */
struct mark_header {
    ovs_be64 magic;             /* MAGIC. */
    ovs_be64 seq;
    ovs_be64 sent_ns;
};

BUILD_ASSERT_DECL(sizeof(struct mark_header)
                  == FB_MARK_MAX_LEN - ETH_HEADER_LEN - 2 * VLAN_HEADER_LEN);

/* Returns the EtherType at offset 'ofs' of 'frame'. */
static uint16_t
eth_type_at(const uint8_t *frame, size_t ofs)
{
    return frame[ofs] << 8 | frame[ofs + 1];
}

/* Returns the offset of the EtherType that follows the addresses and at most
 * two VLAN tags of 'frame', of at least FB_MARK_MAX_LEN bytes. */
static size_t
eth_type_ofs(const uint8_t *frame)
{
    size_t ofs = 2 * ETH_ADDR_LEN;

    for (int i = 0; i < 2; i++) {
        uint16_t type = eth_type_at(frame, ofs);

        if (type != ETH_TYPE_VLAN_8021Q && type != ETH_TYPE_VLAN_8021AD) {
            break;
        }
        ofs += VLAN_HEADER_LEN;
    }
    return ofs;
}

/* Writes a frame with 'mark' to 'frame': as long as 'like', of 'len' bytes, at
 * least FB_MARK_MAX_LEN, with the same addresses and VLAN tags, and the same
 * bytes after the mark. */
void
fb_mark_build(const void *like, size_t len, const struct fb_mark *mark,
              void *frame_)
{
    const struct mark_header header = {
        .magic = htonll(MAGIC),
        .seq = htonll(mark->seq),
        .sent_ns = htonll(mark->sent_ns),
    };
    uint8_t *frame = frame_;

    size_t ofs = eth_type_ofs(like);

    memcpy(frame, like, len);
    frame[ofs] = FB_MARK_ETH_TYPE >> 8;
    frame[ofs + 1] = FB_MARK_ETH_TYPE & 0xff;
    memcpy(frame + ofs + 2, &header, sizeof header);
}

/* Reads the mark of the first 'len' bytes of 'frame', as it arrived at a sink,
 * into '*mark'.  Returns false if it has none. */
bool
fb_mark_parse(const void *frame_, size_t len, struct fb_mark *mark)
{
    const uint8_t *frame = frame_;
    struct mark_header header;

    if (len < FB_MARK_MAX_LEN) {
        return false;
    }

    size_t ofs = eth_type_ofs(frame);

    memcpy(&header, frame + ofs + 2, sizeof header);
    mark->seq = ntohll(header.seq);
    mark->sent_ns = ntohll(header.sent_ns);
    return (eth_type_at(frame, ofs) == FB_MARK_ETH_TYPE
            && header.magic == htonll(MAGIC));
}
