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

#ifndef FB_TCP_REPORT_H
#define FB_TCP_REPORT_H 1

/* What came of TCP in bulk, in tables and JSON, and what to say of it. */

struct ds;
struct fb_dut_result;
struct fb_parameters;
struct fb_result;
struct fb_trial;
struct json;
struct table_style;

void fb_tcp_analyze(struct fb_result *);

void fb_tcp_format_load(const struct fb_parameters *, struct ds *);
void fb_tcp_format(const struct fb_result *, const struct table_style *,
                   struct ds *);
struct json *fb_tcp_to_json(const struct fb_result *,
                            const struct fb_dut_result *);
struct json *fb_tcp_trial_to_json(const struct fb_trial *);

#endif /* fb-tcp-report.h */
