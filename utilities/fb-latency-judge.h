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

#ifndef FB_LATENCY_JUDGE_H
#define FB_LATENCY_JUDGE_H 1

/* Finds out what makes latencies mean less than they seem to. */

struct fb_dut_result;
struct fb_result;

void fb_latency_judge(struct fb_result *, const struct fb_dut_result *);

#endif /* fb-latency-judge.h */
