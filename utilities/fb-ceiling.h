/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */

#ifndef FB_CEILING_H
#define FB_CEILING_H 1

/* What the generator can do by itself, and the sink: on a wire that is built
 * for that only, with the run's own frames, by each backend. */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"
#include "fb-sink-ceiling.h"

struct fb_backend;
struct fb_dut_config;

#define FB_CEILINGS_MAX 4       /* Most backends. */

/* What one backend can do. */
struct fb_ceiling {
    const struct fb_backend *backend;
    double offered_pps;         /* Packets that it gave to the kernel per
                                 * second: median of some short trials. */
    double delivered_pps;       /* Of those, packets that the sink took. */
    char *why_not;              /* Why it cannot be used here, or NULL. */
};

/* What they all can do. */
struct fb_ceilings {
    struct fb_ceiling all[FB_CEILINGS_MAX]; /* Those that were asked for. */
    size_t n;
    const struct fb_ceiling *chosen; /* The one that delivered most. */
    struct fb_sink_ceiling sink; /* The sink's own. */
};

char *fb_ceilings_measure(struct fb_dut_config *, const char *name,
                          bool single, const volatile sig_atomic_t *stop,
                          struct fb_ceilings *) OVS_WARN_UNUSED_RESULT;
void fb_ceilings_destroy(struct fb_ceilings *);

#endif /* fb-ceiling.h */
