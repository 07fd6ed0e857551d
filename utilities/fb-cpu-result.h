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

#ifndef FB_CPU_RESULT_H
#define FB_CPU_RESULT_H 1

/* What the trials of a DUT took of the CPUs, in all: plain data, filled in by
 * those who measure.
 *
 * Shares are in percent of one CPU, so that two busy CPUs are 200 %.  The time
 * in which the generator only waited for the next frame is nobody's: it counts
 * as spare, though its loop keeps the CPU busy. */

#include <stdbool.h>
#include <stddef.h>

#include "fb-cpu.h"
#include "fb-stats.h"

/* The generator's row among those of enum fb_crew. */
#define FB_CREW_GENERATOR FB_N_CREWS
#define FB_N_CPU_CREWS (FB_N_CREWS + 1)

/* How the CPUs were watched. */
struct fb_cpu_setup {
    size_t n_cpus;              /* CPUs that were watched. */
    bool spinner;               /* Was there a spinner? */
    double floor_pct;           /* What it saw in use when nothing was done,
                                 * in percent of one CPU. */
    const char *accounting;     /* How the kernel books CPU time... */
    bool nohz_full;             /* ...and has it full dynticks? */
};

/* Figures of one DUT.  Estimates are medians over its trials. */
struct fb_cpu_figures {
    bool spinner;               /* Whose figures 'used' and 'ns' are: the
                                 * spinner's, else the threads'. */
    struct fb_estimate used;    /* Percent of one CPU. */
    struct fb_estimate ns;      /* CPU time per delivered packet. */
    double others;              /* Part of 'used' that no thread of ours or of
                                 * the kernel's had, with a spinner, else
                                 * NaN. */

    /* Over all trials together: these come in whole ticks. */
    double kinds[FB_N_CPU_KINDS]; /* Percent of one CPU. */
    double stat_used;           /* Of these, what is not spare. */
    double resolution;          /* Percent of one CPU by which 'stat_used' may
                                 * be off because it was sampled. */

    struct fb_estimate crews[FB_N_CPU_CREWS]; /* Percent of one CPU. */
    unsigned int n_threads[FB_N_CPU_CREWS]; /* Threads in each. */

    struct fb_estimate switches; /* Context switches per second: of the whole
                                  * machine... */
    struct fb_estimate voluntary; /* ...and of the generator and
                                   * ovs-vswitchd. */
    struct fb_estimate involuntary;
};

#endif /* fb-cpu-result.h */
