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

#ifndef FB_CHURN_REPORT_H
#define FB_CHURN_REPORT_H 1

/* How many new flows per second a search has found to get through, as a table
 * and as JSON. */

struct ds;
struct fb_dut_result;
struct fb_parameters;
struct fb_result;
struct json;
struct table_style;

void fb_churn_report_format(const struct fb_result *,
                            const struct table_style *, struct ds *);
struct json *fb_churn_report_to_json(const struct fb_dut_result *,
                                     const struct fb_parameters *);

#endif /* fb-churn-report.h */
