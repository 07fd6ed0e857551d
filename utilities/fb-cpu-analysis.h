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

#ifndef FB_CPU_ANALYSIS_H
#define FB_CPU_ANALYSIS_H 1

/* Sums up what the trials of a DUT took of the CPUs, see fb-cpu-result.h. */

#include <stdbool.h>

struct fb_dut_result;
struct fb_result;
struct fb_trial;

const char *fb_cpu_crew_name(int crew);
double fb_cpu_used_pct(const struct fb_trial *, bool spinner);
double fb_cpu_used_ns(const struct fb_trial *, bool spinner);
void fb_cpu_analyze(struct fb_dut_result *);
void fb_cpu_judge(struct fb_result *, const struct fb_dut_result *);

#endif /* fb-cpu-analysis.h */
