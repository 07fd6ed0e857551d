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

#ifndef FB_RNG_H
#define FB_RNG_H 1

/* Seeded pseudo-random numbers
 * ============================
 *
 * Each instance has a state of its own, so that what one part of a run draws
 * does not depend on what another drew before: the same seed gives the same
 * order of trials on every machine.  Not for secrets.
 *
 * An instance serves one thread at a time. */

#include <stddef.h>
#include <stdint.h>

/* A generator.  Initialize it with fb_rng_init(). */
struct fb_rng {
    uint64_t s[4];              /* State, never all zero. */
};

void fb_rng_init(struct fb_rng *, uint64_t seed);
uint64_t fb_rng_next(struct fb_rng *);
uint64_t fb_rng_below(struct fb_rng *, uint64_t limit);
double fb_rng_unit(struct fb_rng *);
void fb_rng_shuffle(struct fb_rng *, size_t *array, size_t n);

#endif /* fb-rng.h */
