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

#include <config.h>
#include "fanbench-config.h"

#include "fb-clock.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "openvswitch/thread.h"
#include "ovs-atomic.h"

/* The rate is measured over at least this time. */
#define MIN_BASELINE_NS (10 * UINT64_C(1000000))

/* How often both clocks are read for one pair: the closest reading counts. */
#define N_READINGS 8

/* The same instant on both clocks. */
struct clock_pair {
    uint64_t ticks;             /* From fb_clock_ticks(). */
    uint64_t ns;                /* CLOCK_MONOTONIC. */
};

enum fb_clock_source fb_clock_source__ = FB_CLOCK_GETTIME;

/* Protects 'anchor'. */
static struct ovs_mutex clock_mutex = OVS_MUTEX_INITIALIZER;

/* What fb_clock_init() read: the start of every baseline. */
static struct clock_pair anchor;

/* Nanoseconds per tick, times 2^32.  0 until calibrated. */
static atomic_uint64_t ns_per_tick;

/* Returns CLOCK_MONOTONIC in nanoseconds. */
uint64_t
fb_clock_gettime_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

/* Says whether the time stamp counter runs at one rate whatever the
 * processor's frequency and idle state ("invariant TSC", see the Intel SDM,
 * volume 3, "Time-Stamp Counter", and the AMD APM, volume 3, "CPUID
 * Fn8000_0007_EDX"). */
static bool
tsc_is_invariant(void)
{
#if defined(__x86_64__) || defined(__i386__)
    unsigned int eax, ebx, ecx, edx;

    return (__get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx)
            && edx & (1u << 8));
#else
    return false;
#endif
}

/* Returns the best source that this processor has. */
static enum fb_clock_source
best_source(void)
{
    if (tsc_is_invariant()) {
        return FB_CLOCK_TSC;
    }
#ifdef __aarch64__
    return FB_CLOCK_CNTVCT;
#else
    return FB_CLOCK_GETTIME;
#endif
}

/* Reads both clocks.  A reading is as good as the two reads of the tick
 * counter around that of CLOCK_MONOTONIC are close. */
static struct clock_pair
read_pair(void)
{
    struct clock_pair best = { .ticks = 0 };
    uint64_t best_width = UINT64_MAX;

    for (int i = 0; i < N_READINGS; i++) {
        uint64_t before = fb_clock_ticks();
        uint64_t ns = fb_clock_gettime_ns();
        uint64_t width = fb_clock_since(before, fb_clock_ticks());

        if (width < best_width) {
            best_width = width;
            best.ticks = before + width / 2;
            best.ns = ns;
        }
    }
    return best;
}

/* Chooses where ticks come from: 'source' if this processor has it, else
 * clock_gettime(); the best there is for FB_CLOCK_AUTO.  A source that was
 * asked for but is missing shows in fb_clock_name().
 *
 * To be called before any other thread uses the clock.  Ticks from before a
 * second call and from after it cannot be compared. */
void
fb_clock_init(enum fb_clock_source source)
{
    enum fb_clock_source best = best_source();

    ovs_mutex_lock(&clock_mutex);
    fb_clock_source__ = (source == FB_CLOCK_AUTO || source == best
                         ? best : FB_CLOCK_GETTIME);
    anchor = read_pair();
    atomic_store_relaxed(&ns_per_tick, 0);
    ovs_mutex_unlock(&clock_mutex);
}

/* Measures the rate again, over all the time since fb_clock_init().  It takes
 * some microseconds, except in the first 10 ms after that call, whose rest it
 * waits for.  The longer ago fb_clock_init() was, the better the rate. */
void
fb_clock_calibrate(void)
{
    struct clock_pair now;
    uint64_t rate;

    ovs_mutex_lock(&clock_mutex);
    do {
        now = read_pair();
    } while (now.ns - anchor.ns < MIN_BASELINE_NS);
    if (fb_clock_source__ == FB_CLOCK_GETTIME || now.ticks <= anchor.ticks) {
        rate = UINT64_C(1) << 32;
    } else {
        rate = (double) (now.ns - anchor.ns) / (now.ticks - anchor.ticks)
               * (UINT64_C(1) << 32);
    }
    atomic_store_relaxed(&ns_per_tick, rate);
    ovs_mutex_unlock(&clock_mutex);
}

/* Returns 'ticks', a difference of times, in nanoseconds.  Exact to 1 ns for
 * durations up to 100 days, beside the error of the rate. */
uint64_t
fb_clock_to_ns(uint64_t ticks)
{
    uint64_t rate;

    if (fb_clock_source__ == FB_CLOCK_GETTIME) {
        return ticks;
    }
    atomic_read_relaxed(&ns_per_tick, &rate);
    if (!rate) {
        fb_clock_calibrate();
        atomic_read_relaxed(&ns_per_tick, &rate);
    }
    return (double) ticks * rate / (UINT64_C(1) << 32);
}

/* Returns the name of the source in use: "tsc", "cntvct" or
 * "clock_gettime". */
const char *
fb_clock_name(void)
{
    switch (fb_clock_source__) {
    case FB_CLOCK_TSC:
        return "tsc";
    case FB_CLOCK_CNTVCT:
        return "cntvct";
    case FB_CLOCK_AUTO:
    case FB_CLOCK_GETTIME:
    default:
        return "clock_gettime";
    }
}
