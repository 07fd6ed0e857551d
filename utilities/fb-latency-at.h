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

#ifndef FB_LATENCY_AT_H
#define FB_LATENCY_AT_H 1

/* Latency at chosen loads: after the trials as fast as it goes, short ones at
 * shares of the throughput that each DUT had in those. */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"

/* Most trials of a DUT at each load. */
#define FB_LATENCY_AT_MAX_TRIALS 50

struct fb_dut;
struct fb_dut_result;
struct fb_parameters;
struct fb_result;

char *fb_latency_at_run(struct fb_dut *const duts[], const bool broken[],
                        const volatile sig_atomic_t *stop,
                        struct fb_result *) OVS_WARN_UNUSED_RESULT;

double fb_latency_at_duration(const struct fb_parameters *);
double fb_latency_at_throughput(const struct fb_dut_result *);

#endif /* fb-latency-at.h */
