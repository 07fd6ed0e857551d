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

#ifndef FB_EXPERIMENT_REPORT_H
#define FB_EXPERIMENT_REPORT_H 1

/* The result of an experiment for people and, in the form that
 * tests/experiment-schema.json describes, for machines. */

struct ds;
struct fb_experiment_result;
struct json;
struct table_style;

/* Name and version of the form for machines. */
#define FB_EXPERIMENT_SCHEMA "ovs-fanbench-experiment/1"

void fb_experiment_report_format(const struct fb_experiment_result *,
                                 const struct table_style *, struct ds *);
struct json *fb_experiment_report_to_json(const struct fb_experiment_result *);

#endif /* fb-experiment-report.h */
