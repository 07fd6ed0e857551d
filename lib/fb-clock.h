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

#ifndef FB_CLOCK_H
#define FB_CLOCK_H 1

/* A clock that is cheap to read.
 *
 * Purpose: to time short events, in a daemon's hot paths and in a packet
 * generator, also where clock_gettime() is a real system call.
 *
 * Time is read in *ticks* of the processor's own counter: the x86 time stamp
 * counter when cpuid calls it invariant, the virtual count register on
 * 64-bit Arm, else nanoseconds of CLOCK_MONOTONIC.  Ticks are turned into
 * nanoseconds by a rate that is measured against CLOCK_MONOTONIC.
 *
 * Typical use:
 *
 *     fb_clock_init(FB_CLOCK_AUTO);             -- Once, while one thread.
 *     uint64_t start = fb_clock_ticks();
 *     ...
 *     uint64_t took = fb_clock_since(start, fb_clock_ticks());
 *     ...
 *     fb_clock_calibrate();                     -- Before results are shown.
 *     uint64_t ns = fb_clock_to_ns(took);
 *
 * Thread rules: fb_clock_init() is called before other threads use the clock.
 * Everything else is safe in any thread at any time. */

#include <stdint.h>
#include <time.h>
#include "openvswitch/compiler.h"
#include "util.h"

/* Where the ticks come from. */
enum fb_clock_source {
    FB_CLOCK_AUTO,              /* Only to ask for: the cheapest that works. */
    FB_CLOCK_GETTIME,           /* clock_gettime(CLOCK_MONOTONIC). */
    FB_CLOCK_TSC,               /* x86: rdtsc. */
    FB_CLOCK_CNTVCT,            /* 64-bit Arm: cntvct_el0. */
};

/* The source in use.  Internal to this module; for fb_clock_ticks(). */
extern enum fb_clock_source fb_clock_source__;

void fb_clock_init(enum fb_clock_source);
void fb_clock_calibrate(void);
uint64_t fb_clock_to_ns(uint64_t ticks);
uint64_t fb_clock_gettime_ns(void);
const char *fb_clock_name(void);

/* Returns the present time in ticks.  Only differences mean anything, and
 * those only after fb_clock_init().  Reads are not ordered against the
 * instructions around them: an error of some tens of cycles. */
static inline uint64_t
fb_clock_ticks(void)
{
#if defined(__x86_64__) || defined(__i386__)
    if (OVS_LIKELY(fb_clock_source__ == FB_CLOCK_TSC)) {
        return __builtin_ia32_rdtsc();
    }
#elif defined(__aarch64__)
    if (OVS_LIKELY(fb_clock_source__ == FB_CLOCK_CNTVCT)) {
        uint64_t ticks;

        asm volatile("mrs %0, cntvct_el0" : "=r" (ticks));
        return ticks;
    }
#endif
    return fb_clock_gettime_ns();
}

/* Returns the ticks from 'start' to 'end', or 0 if 'end' seems to be before
 * 'start', as a tiny difference between two processors' counters may have
 * it. */
static inline uint64_t
fb_clock_since(uint64_t start, uint64_t end)
{
    return end > start ? end - start : 0;
}

#endif /* fb-clock.h */
