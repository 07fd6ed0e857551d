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

#ifndef FB_SINK_CEILING_H
#define FB_SINK_CEILING_H 1

/* What a sink can take by itself, on one CPU.
 *
 * On a wire the generator's system calls do the sink's work, too, so that
 * neither can be told from what passes.  Here frames come into being in the
 * sink's interface (see fb-live.h), with no generator and no veth pair before
 * it, and what its IP layer has counted is what it took. */

#include <stddef.h>

#include "compiler.h"

struct fb_dut;
struct fb_traffic;

/* What a sink can take. */
struct fb_sink_ceiling {
    double pps;                 /* Frames per second: median of some short
                                 * trials; NaN if that is not known. */
    char *why_not;              /* Why not, or NULL. */
};

void fb_sink_ceiling_measure(struct fb_dut *wire, const struct fb_traffic *,
                             size_t n_destinations, struct fb_sink_ceiling *);
void fb_sink_ceiling_destroy(struct fb_sink_ceiling *);

#endif /* fb-sink-ceiling.h */
