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
#include "fanbench-test.h"
#include "fb-rng.h"

#include <string.h>

#include "util.h"

/* The first numbers from a known state are those that the algorithm's
 * definition gives. */
static void
test_known_answers(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_rng rng;

    fb_rng_init(&rng, 0);
    CHECK(rng.s[0] == UINT64_C(0xe220a8397b1dcdaf));
    CHECK(rng.s[1] == UINT64_C(0x6e789e6aa1b965f4));
    CHECK(rng.s[2] == UINT64_C(0x06c45d188009454f));

    rng = (struct fb_rng) { { 1, 2, 3, 4 } };
    CHECK(fb_rng_next(&rng) == 11520);
    CHECK(fb_rng_next(&rng) == 0);
    CHECK(fb_rng_next(&rng) == 1509978240);
    CHECK(fb_rng_next(&rng) == UINT64_C(1215971899390074240));
}

/* The same seed gives the same order of trials, another seed another one, and
 * an order holds each trial once. */
static void
test_shuffle(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    enum { N = 100 };
    static const uint64_t seeds[] = { 7, 7, 8 };
    size_t order[ARRAY_SIZE(seeds)][N];

    for (size_t i = 0; i < ARRAY_SIZE(seeds); i++) {
        struct fb_rng rng;
        bool seen[N] = { false };

        fb_rng_init(&rng, seeds[i]);
        for (size_t j = 0; j < N; j++) {
            order[i][j] = j;
        }
        fb_rng_shuffle(&rng, order[i], N);
        for (size_t j = 0; j < N; j++) {
            CHECK(order[i][j] < N);
            CHECK(!seen[order[i][j]]);
            seen[order[i][j]] = true;
        }
    }
    CHECK(!memcmp(order[0], order[1], sizeof order[0]));
    CHECK(memcmp(order[0], order[2], sizeof order[0]));
}

/* Each of a few outcomes is about equally frequent: of 60,000 throws of a die
 * each face shows 10,000 times, within 5 standard deviations of 91.  The unit
 * draws are of [0, 1) with a mean of 1/2. */
static void
test_uniform(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    unsigned int faces[6] = { 0 };
    struct fb_rng rng;
    double sum = 0;

    fb_rng_init(&rng, 1);
    for (int i = 0; i < 60000; i++) {
        uint64_t face = fb_rng_below(&rng, ARRAY_SIZE(faces));

        CHECK(face < ARRAY_SIZE(faces));
        faces[face]++;
    }
    for (size_t i = 0; i < ARRAY_SIZE(faces); i++) {
        CHECK(faces[i] > 9545 && faces[i] < 10455);
    }
    for (int i = 0; i < 60000; i++) {
        double unit = fb_rng_unit(&rng);

        CHECK(unit >= 0 && unit < 1);
        sum += unit;
    }
    CHECK(sum > 29646 && sum < 30354);
    CHECK(fb_rng_below(&rng, 0) == 0);
    CHECK(fb_rng_below(&rng, 1) == 0);
}

const struct ovs_cmdl_command test_rng_commands[] = {
    { "rng-known-answers", NULL, 0, 0, test_known_answers, OVS_RO },
    { "rng-shuffle", NULL, 0, 0, test_shuffle, OVS_RO },
    { "rng-uniform", NULL, 0, 0, test_uniform, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
