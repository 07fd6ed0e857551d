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

#ifndef FB_CELLS_H
#define FB_CELLS_H 1

/* What each DUT did at each point of a sweep, or of two across each other (see
 * fb-grid.h). */

#include <stddef.h>
#include <stdint.h>

#include "fb-stats.h"

struct ds;
struct fb_dut_result;
struct fb_result;
struct json;
struct table_style;

/* On Ethernet, each frame is followed by its FCS of 4 bytes, preceded by a
 * preamble of 8, and by a gap of 12.  Source: IEEE 802.3. */
#define FB_LINE_OVERHEAD 24

/* What a DUT did at a point. */
struct fb_cell {
    double value;               /* Of the sweep... */
    double across;              /* ...and of the one across it, 0 if there is
                                 * none. */
    uint64_t copies;            /* Of each packet that are to arrive. */
    struct fb_estimate pps;     /* Packets delivered per second. */
    double bits;                /* Bits that each of them takes on an Ethernet
                                 * line. */
    struct fb_estimate ns;      /* Time per delivered packet, in ns. */
    struct fb_estimate cpu_pct; /* CPU time in use, percent of one CPU... */
    struct fb_estimate cpu_ns;  /* ...and per delivered packet, in ns. */
    double loss_pct;            /* Of all packets offered, in percent. */
};

void fb_cells_compute(const struct fb_result *, struct fb_dut_result *);
void fb_cells_judge(struct fb_result *);
void fb_cells_format(const struct fb_result *, const struct table_style *,
                     struct ds *);
struct json *fb_cells_to_json(const struct fb_dut_result *);

#endif /* fb-cells.h */
