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

#include "fb-figure-json.h"

#include <math.h>

#include "fb-stats.h"
#include "openvswitch/json.h"
#include "svec.h"

/* Returns 'x' as JSON: null if it is not a number. */
struct json *
fb_number_to_json(double x)
{
    return isfinite(x) ? json_real_create(x) : json_null_create();
}

/* Returns 's' as JSON: null if it is null. */
struct json *
fb_string_to_json(const char *s)
{
    return s ? json_string_create(s) : json_null_create();
}

/* Returns the strings in 'svec' as a JSON array. */
struct json *
fb_strings_to_json(const struct svec *svec)
{
    struct json *array = json_array_create_empty();

    for (size_t i = 0; i < svec->n; i++) {
        json_array_add(array, json_string_create(svec->names[i]));
    }
    return array;
}

/* Returns the 95 % interval of 'e' as JSON: null if there is none. */
struct json *
fb_interval_to_json(const struct fb_estimate *e)
{
    if (!isfinite(e->lo) || !isfinite(e->hi)) {
        return json_null_create();
    }
    struct json *json = json_array_create_empty();
    json_array_add(json, fb_number_to_json(e->lo));
    json_array_add(json, fb_number_to_json(e->hi));
    return json;
}

/* Returns 'e' as JSON. */
struct json *
fb_estimate_to_json(const struct fb_estimate *e)
{
    struct json *json = json_object_create();
    json_object_put(json, "median", fb_number_to_json(e->median));
    json_object_put(json, "ci95", fb_interval_to_json(e));
    return json;
}
