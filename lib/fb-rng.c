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

#include <config.h>
#include "fb-rng.h"

#include "util.h"

/* Advances the splitmix64 generator at '*state' and returns its next number.
 *
 * Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014. */
static uint64_t
splitmix64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Returns 'x' rotated left by 'n' bits, 0 < 'n' < 64. */
static uint64_t
rotate_left(uint64_t x, int n)
{
    return (x << n) | (x >> (64 - n));
}

/* Starts 'rng' from 'seed', of which every value is good: splitmix64 spreads
 * it over the state and does not give four zeros in a row. */
void
fb_rng_init(struct fb_rng *rng, uint64_t seed)
{
    for (size_t i = 0; i < ARRAY_SIZE(rng->s); i++) {
        rng->s[i] = splitmix64(&seed);
    }
}

/* Returns the next 64 random bits of 'rng', by xoshiro256**.
 *
 * Source: D. Blackman, S. Vigna, "Scrambled linear pseudorandom number
 * generators", ACM Transactions on Mathematical Software 47(4), 2021. */
uint64_t
fb_rng_next(struct fb_rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);

    return result;
}

/* Returns a number from 0 to 'limit' - 1, each equally likely; 0 if 'limit'
 * is 0.  Draws that would favor the low numbers are thrown away. */
uint64_t
fb_rng_below(struct fb_rng *rng, uint64_t limit)
{
    if (!limit) {
        return 0;
    }

    /* 2**64 modulo 'limit' is the number of draws too many. */
    uint64_t excess = (UINT64_MAX - limit + 1) % limit;
    uint64_t x;

    do {
        x = fb_rng_next(rng);
    } while (x < excess);
    return x % limit;
}

/* Returns a number of [0, 1), a multiple of 2**-53. */
double
fb_rng_unit(struct fb_rng *rng)
{
    return (fb_rng_next(rng) >> 11) * (1.0 / (UINT64_C(1) << 53));
}

/* Puts the 'n' elements of 'array' into random order, all orders equally
 * likely.
 *
 * Source: algorithm P of D. Knuth, "The Art of Computer Programming",
 * section 3.4.2. */
void
fb_rng_shuffle(struct fb_rng *rng, size_t *array, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = fb_rng_below(rng, i);
        size_t tmp = array[i - 1];

        array[i - 1] = array[j];
        array[j] = tmp;
    }
}
