/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

#include <config.h>

#include "fb-instructions.h"

#include <stddef.h>

#include "fb-backend.h"
#include "fb-load.h"
#include "util.h"

/* Rounds of two loops whose difference in instructions is known, and how often
 * to compare them: an interrupt in between costs one time. */
#define SHORT_LOOP 1000
#define LONG_LOOP 11000
#define N_COMPARISONS 20

/* Instructions of the cheapest full batch since fb_instructions_reset(), or
 * UINT64_MAX if there was none. */
static uint64_t least = UINT64_MAX;

/* Returns the clock that counts, which is the TSC: an emulated CPU without a
 * clock of its own takes both from the instructions. */
static inline uint64_t
now(void)
{
#ifdef __x86_64__
    uint32_t low, high;

    asm volatile ("rdtsc" : "=a" (low), "=d" (high) : : "memory");
    return (uint64_t) high << 32 | low;
#else
    return 0;
#endif
}

/* Returns what the clock says of a loop of 'n' rounds of two instructions. */
static uint64_t
time_loop(uint64_t n)
{
    uint64_t start = now();

#ifdef __x86_64__
    asm volatile ("1: dec %0\n\t"
                  "jnz 1b" : "+r" (n) : : "cc");
#endif
    return now() - start;
}

/* Does this machine's clock count instructions?  It does if two more for each
 * of many more rounds are what it says, exactly. */
bool
fb_instructions_are_counted(void)
{
    for (int i = 0; i < N_COMPARISONS; i++) {
        uint64_t shorter = time_loop(SHORT_LOOP);
        uint64_t longer = time_loop(LONG_LOOP);

        if (longer - shorter == 2 * (LONG_LOOP - SHORT_LOOP)) {
            return true;
        }
    }
    return false;
}

/* Forgets all batches so far. */
void
fb_instructions_reset(void)
{
    least = UINT64_MAX;
}

/* Returns how many instructions the cheapest batch of FB_BACKEND_BATCH frames
 * took since fb_instructions_reset(), UINT64_MAX if there was none. */
uint64_t
fb_instructions_least(void)
{
    return least;
}

/* The 'open' member of struct fb_backend. */
static int
counted_open(int ifindex, struct fb_sender **senderp)
{
    return fb_backend_sendmmsg.open(ifindex, senderp);
}

/* The 'close' member of struct fb_backend. */
static void
counted_close(struct fb_sender *sender)
{
    fb_backend_sendmmsg.close(sender);
}

/* The 'send' member of struct fb_backend. */
static int
counted_send(struct fb_sender *sender, struct iovec *iovs, size_t n,
             struct fb_load_result *result, size_t *n_tried)
{
    uint64_t accepted = result->accepted;
    uint64_t start = now();

    int error = fb_backend_sendmmsg.send(sender, iovs, n, result, n_tried);
    uint64_t taken = now() - start;
    if (result->accepted - accepted == FB_BACKEND_BATCH) {
        least = MIN(least, taken);
    }
    return error;
}

const struct fb_backend fb_backend_counted = {
    .name = "counted",
    .description = "AF_PACKET, sendmmsg of 64, instructions counted",
    .open = counted_open,
    .close = counted_close,
    .send = counted_send,
};
