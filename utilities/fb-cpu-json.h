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

#ifndef FB_CPU_JSON_H
#define FB_CPU_JSON_H 1

/* The CPU time of a result as JSON.  The caller destroys what is returned. */

#include <stdbool.h>

struct fb_cpu_figures;
struct fb_cpu_setup;
struct fb_cpu_usage;
struct json;

struct json *fb_cpu_setup_to_json(const struct fb_cpu_setup *);
struct json *fb_cpu_usage_to_json(const struct fb_cpu_usage *);
struct json *fb_cpu_figures_to_json(const struct fb_cpu_figures *,
                                    bool packets);
struct json *fb_cpu_switches_to_json(const struct fb_cpu_figures *);

#endif /* fb-cpu-json.h */
