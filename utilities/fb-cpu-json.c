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

#include "fb-cpu-json.h"

#include "fb-cpu-analysis.h"
#include "fb-cpu-result.h"
#include "fb-figure-json.h"
#include "openvswitch/json.h"
#include "util.h"

/* Returns how the CPUs were watched. */
struct json *
fb_cpu_setup_to_json(const struct fb_cpu_setup *setup)
{
    struct json *json = json_object_create();
    json_object_put(json, "cpus", json_integer_create(setup->n_cpus));
    json_object_put(json, "spinner", json_boolean_create(setup->spinner));
    json_object_put(json, "floor_pct",
                    setup->spinner ? fb_number_to_json(setup->floor_pct)
                    : json_null_create());
    json_object_put_string(json, "accounting", setup->accounting);
    json_object_put(json, "nohz_full",
                    json_boolean_create(setup->nohz_full));
    return json;
}

/* Returns what a trial took. */
struct json *
fb_cpu_usage_to_json(const struct fb_cpu_usage *usage)
{
    struct json *json = json_object_create();
    json_object_put(json, "window_ns",
                    json_integer_create(usage->window_ns));
    json_object_put(json, "spinner_ns",
                    usage->has_spinner ? json_integer_create(usage->used_ns)
                    : json_null_create());
    json_object_put(json, "generator_ns",
                    json_integer_create(usage->generator_ns));
    json_object_put(json, "generator_waited_ns",
                    json_integer_create(usage->waited_ns));
    json_object_put(json, "context_switches",
                    json_integer_create(usage->switches));
    return json;
}

/* Returns the shares that /proc/stat tells. */
static struct json *
kinds_to_json(const struct fb_cpu_figures *figures)
{
    struct json *json = json_object_create();
    for (int i = 0; i < FB_N_CPU_KINDS; i++) {
        json_object_put(json, fb_cpu_kind_name(i),
                        fb_number_to_json(figures->kinds[i]));
    }
    json_object_put(json, "used", fb_number_to_json(figures->stat_used));
    json_object_put(json, "resolution",
                    fb_number_to_json(figures->resolution));
    return json;
}

/* Returns the shares of threads, those that there are. */
static struct json *
threads_to_json(const struct fb_cpu_figures *figures)
{
    struct json *array = json_array_create_empty();
    for (int i = 0; i < FB_N_CPU_CREWS; i++) {
        if (figures->n_threads[i]) {
            struct json *json = json_object_create();
            json_object_put_string(json, "name", fb_cpu_crew_name(i));
            json_object_put(json, "n",
                            json_integer_create(figures->n_threads[i]));
            json_object_put(json, "pct",
                            fb_estimate_to_json(&figures->crews[i]));
            json_array_add(array, json);
        }
    }
    return array;
}

/* Returns the CPU time in 'figures'.  'packets' says that they are those of
 * packets, not bytes. */
struct json *
fb_cpu_figures_to_json(const struct fb_cpu_figures *figures, bool packets)
{
    static const struct fb_estimate none = FB_NO_ESTIMATE;
    struct json *json = json_object_create();
    json_object_put(json, "spinner_pct",
                    figures->spinner ? fb_estimate_to_json(&figures->used)
                    : json_null_create());
    json_object_put(json, "proc_stat", kinds_to_json(figures));
    json_object_put(json, "threads", threads_to_json(figures));
    json_object_put_string(json, "clock",
                           figures->spinner ? "spinner" : "threads");
    json_object_put(json, "used_pct", fb_estimate_to_json(&figures->used));
    json_object_put(json, "others_pct", fb_number_to_json(figures->others));
    json_object_put(json, "ns_per_packet",
                    fb_estimate_to_json(packets ? &figures->ns : &none));
    return json;
}

/* Returns the context switches per second in 'figures'. */
struct json *
fb_cpu_switches_to_json(const struct fb_cpu_figures *figures)
{
    struct json *json = fb_estimate_to_json(&figures->switches);
    json_object_put(json, "voluntary",
                    fb_estimate_to_json(&figures->voluntary));
    json_object_put(json, "involuntary",
                    fb_estimate_to_json(&figures->involuntary));
    return json;
}
