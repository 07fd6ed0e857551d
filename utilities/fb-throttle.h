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

#ifndef FB_THROTTLE_H
#define FB_THROTTLE_H 1

/* Does the kernel say that CPUs become slower while a run goes on: throttled
 * for heat or power, or at another clock frequency?
 *
 * Only where it tells: x86 with thermal interrupts has counters, and a CPU
 * whose frequency the system governs has one to read.  Virtual machines mostly
 * have neither.  Nothing is read while a trial runs.  One thread. */

#include <stdbool.h>

struct fb_environment;
struct fb_result;

/* What was seen so far. */
struct fb_throttle {
    long long int first;        /* Events counted at the first look... */
    long long int last;         /* ...and the latest, of all CPUs. */
    long long int min_khz;      /* Least and... */
    long long int max_khz;      /* ...greatest frequency; 0 if unknown. */
    bool looked;                /* Was there a look? */
};

void fb_throttle_look(struct fb_throttle *, const struct fb_environment *);
void fb_throttle_judge(const struct fb_throttle *, struct fb_result *);

#endif /* fb-throttle.h */
