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

#ifndef FB_SIZES_H
#define FB_SIZES_H 1

/* Sizes of frames, one or a mix.
 *
 * All sizes are in bytes without FCS, as in fb-packet.h. */

#include <stddef.h>
#include <stdint.h>

#include "compiler.h"

struct ds;
struct json;

#define FB_SIZES_MAX 8          /* Most sizes of a mix. */
#define FB_SIZES_MAX_PERIOD 1000 /* Greatest sum of weights. */

/* A mix: each size has its share of the frames. */
struct fb_sizes {
    size_t n;                   /* Number of sizes, at least 1. */
    struct {
        uint16_t size;          /* In bytes. */
        uint16_t weight;        /* Frames among 'period'. */
    } classes[FB_SIZES_MAX];
    size_t period;              /* Sum of the weights. */
};

char *fb_sizes_parse(const char *, size_t min, size_t max, struct fb_sizes *)
    OVS_WARN_UNUSED_RESULT;
void fb_sizes_init(struct fb_sizes *, size_t size);
void fb_sizes_schedule(const struct fb_sizes *, uint8_t *schedule);
double fb_sizes_mean(const struct fb_sizes *);
void fb_sizes_format(const struct fb_sizes *, struct ds *);
struct json *fb_sizes_to_json(const struct fb_sizes *);

#endif /* fb-sizes.h */
