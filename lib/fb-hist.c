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
#include "fb-hist.h"

#include <math.h>

#include "util.h"

/* Returns '*counter', which another thread may be writing. */
static uint64_t
read_counter(const ATOMIC(uint64_t) *counter_)
{
    /* Reading does not write, but not every atomic_read() takes const. */
    ATOMIC(uint64_t) *counter = CONST_CAST(ATOMIC(uint64_t) *, counter_);
    uint64_t value;

    atomic_read_relaxed(counter, &value);
    return value;
}

/* Returns the middle of bucket 'i', rounded down. */
static uint64_t
bucket_middle(uint32_t i)
{
    if (i < 2 * FB_HIST_SUB_BUCKETS) {
        return i;
    }

    uint32_t shift = (i >> FB_HIST_SUB_BITS) - 1;
    uint64_t top = FB_HIST_SUB_BUCKETS + i % FB_HIST_SUB_BUCKETS;

    return (top << shift) + (UINT64_C(1) << shift >> 1);
}

/* Makes 'hist' an empty histogram, which nobody uses yet.  It owns no memory
 * besides its own and need not be destroyed. */
void
fb_hist_init(struct fb_hist *hist)
{
    atomic_init(&hist->sum, 0);
    atomic_init(&hist->min, UINT64_MAX);
    atomic_init(&hist->max, 0);
    for (size_t i = 0; i < FB_HIST_N_BUCKETS; i++) {
        atomic_init(&hist->buckets[i], 0);
    }
}

/* Forgets all values of 'hist'.  For the thread that records there. */
void
fb_hist_clear(struct fb_hist *hist)
{
    atomic_store_relaxed(&hist->sum, 0);
    atomic_store_relaxed(&hist->min, UINT64_MAX);
    atomic_store_relaxed(&hist->max, 0);
    for (size_t i = 0; i < FB_HIST_N_BUCKETS; i++) {
        atomic_store_relaxed(&hist->buckets[i], 0);
    }
}

/* Adds what 'src' counted to 'dst'.  'dst' is the caller's own; 'src' may be
 * written by its recorder meanwhile. */
void
fb_hist_merge(struct fb_hist *dst, const struct fb_hist *src)
{
    uint64_t min = MIN(read_counter(&dst->min), read_counter(&src->min));
    uint64_t max = MAX(read_counter(&dst->max), read_counter(&src->max));

    fb_hist_add__(&dst->sum, read_counter(&src->sum));
    atomic_store_relaxed(&dst->min, min);
    atomic_store_relaxed(&dst->max, max);
    for (size_t i = 0; i < FB_HIST_N_BUCKETS; i++) {
        uint64_t n = read_counter(&src->buckets[i]);

        if (n) {
            fb_hist_add__(&dst->buckets[i], n);
        }
    }
}

/* Returns the number of values in 'hist'. */
uint64_t
fb_hist_count(const struct fb_hist *hist)
{
    uint64_t n = 0;

    for (size_t i = 0; i < FB_HIST_N_BUCKETS; i++) {
        n += read_counter(&hist->buckets[i]);
    }
    return n;
}

/* Returns the least value in 'hist', 0 if it is empty. */
uint64_t
fb_hist_min(const struct fb_hist *hist)
{
    uint64_t min = read_counter(&hist->min);

    return min <= read_counter(&hist->max) ? min : 0;
}

/* Returns the greatest value in 'hist', 0 if it is empty. */
uint64_t
fb_hist_max(const struct fb_hist *hist)
{
    return read_counter(&hist->max);
}

/* Returns the mean of the values in 'hist', NaN if it is empty.  Exact as long
 * as their sum is below 2**64, which times in ns reach after 584 years. */
double
fb_hist_mean(const struct fb_hist *hist)
{
    double sum = read_counter(&hist->sum);
    uint64_t n = fb_hist_count(hist);

    return n ? sum / n : NAN;
}

/* Returns the 'q' quantile of the values in 'hist': a value within
 * FB_HIST_MAX_ERROR of the least sample that at least 'q' times their number
 * do not exceed.  A 'q' of 0 or less gives the least value and 1 or more the
 * greatest, both exact.  0 if 'hist' is empty. */
uint64_t
fb_hist_quantile(const struct fb_hist *hist, double q)
{
    uint64_t min = fb_hist_min(hist);
    uint64_t max = fb_hist_max(hist);

    if (!(q > 0)) {
        return min;
    } else if (q >= 1) {
        return max;
    }

    double rank = ceil(q * fb_hist_count(hist));
    uint64_t seen = 0;

    for (size_t i = 0; i < FB_HIST_N_BUCKETS; i++) {
        seen += read_counter(&hist->buckets[i]);
        if (seen && seen >= rank) {
            return MIN(MAX(bucket_middle(i), min), max);
        }
    }
    return max;
}
