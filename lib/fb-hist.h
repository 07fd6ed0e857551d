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

#ifndef FB_HIST_H
#define FB_HIST_H 1

/* Log-linear histogram
 * ====================
 *
 * Counts values of the whole range of uint64_t, times in ns as a rule, in a
 * fixed 30 kB.  Values below 2 * FB_HIST_SUB_BUCKETS have a bucket each; every
 * power of two above is divided into FB_HIST_SUB_BUCKETS buckets of equal
 * width.  A quantile is given as the middle of its bucket, hence within
 * FB_HIST_MAX_ERROR (2**-7, 0.8 %) of the sample that it stands for.  Number,
 * least, greatest and mean are exact.
 *
 * One thread records.  Any thread may merge that histogram into one of its own
 * at the same time: all accesses are relaxed atomics, so that the recorder
 * never waits.  A reader so gets every record that was completed before in
 * the order of its thread, and perhaps a part of the one being made: the sum
 * may then be one value behind the counts.
 *
 * Typical use:
 *
 *     struct fb_hist hist = ...;            (recorder's)
 *     fb_hist_init(&hist);
 *     fb_hist_record(&hist, latency_ns);
 *
 *     struct fb_hist *copy = xmalloc(...);  (reader's)
 *     fb_hist_init(copy);
 *     fb_hist_merge(copy, &hist);
 *     printf("p99 %"PRIu64"\n", fb_hist_quantile(copy, 0.99));
 */

#include <stdint.h>

#include "ovs-atomic.h"

#define FB_HIST_SUB_BITS 6
#define FB_HIST_SUB_BUCKETS (UINT64_C(1) << FB_HIST_SUB_BITS)
#define FB_HIST_N_BUCKETS ((64 - FB_HIST_SUB_BITS + 1) << FB_HIST_SUB_BITS)

/* Bound of the relative error of fb_hist_quantile(). */
#define FB_HIST_MAX_ERROR (1.0 / (2 * FB_HIST_SUB_BUCKETS))

/* A histogram.  All members are the functions' own business. */
struct fb_hist {
    ATOMIC(uint64_t) sum;       /* Of all values, modulo 2**64. */
    ATOMIC(uint64_t) min;       /* Least value, UINT64_MAX if none. */
    ATOMIC(uint64_t) max;       /* Greatest value, 0 if none. */
    ATOMIC(uint64_t) buckets[FB_HIST_N_BUCKETS]; /* Number of values each. */
};

void fb_hist_init(struct fb_hist *);
void fb_hist_clear(struct fb_hist *);
void fb_hist_merge(struct fb_hist *dst, const struct fb_hist *src);

uint64_t fb_hist_count(const struct fb_hist *);
uint64_t fb_hist_min(const struct fb_hist *);
uint64_t fb_hist_max(const struct fb_hist *);
double fb_hist_mean(const struct fb_hist *);
uint64_t fb_hist_quantile(const struct fb_hist *, double q);

/* Returns the number of the bucket for 'value', without a branch: a value's
 * highest FB_HIST_SUB_BITS + 1 bits, and by how much they were shifted. */
static inline uint32_t
fb_hist_bucket__(uint64_t value)
{
    uint32_t shift = 63 - FB_HIST_SUB_BITS
                     - __builtin_clzll(value | FB_HIST_SUB_BUCKETS);

    return (shift << FB_HIST_SUB_BITS) + (uint32_t) (value >> shift);
}

/* Adds 'delta' to '*counter', whose only writer is the caller. */
static inline void
fb_hist_add__(ATOMIC(uint64_t) *counter, uint64_t delta)
{
    uint64_t old;

    atomic_read_relaxed(counter, &old);
    atomic_store_relaxed(counter, old + delta);
}

/* Counts 'value' in 'hist'.  For the one thread that records there. */
static inline void
fb_hist_record(struct fb_hist *hist, uint64_t value)
{
    uint64_t bound;

    fb_hist_add__(&hist->buckets[fb_hist_bucket__(value)], 1);
    fb_hist_add__(&hist->sum, value);

    atomic_read_relaxed(&hist->min, &bound);
    if (OVS_UNLIKELY(value < bound)) {
        atomic_store_relaxed(&hist->min, value);
    }
    atomic_read_relaxed(&hist->max, &bound);
    if (OVS_UNLIKELY(value > bound)) {
        atomic_store_relaxed(&hist->max, value);
    }
}

#endif /* fb-hist.h */
