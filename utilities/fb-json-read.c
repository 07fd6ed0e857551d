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

#include "fb-json-read.h"

#include <math.h>

#include "fb-json-array.h"
#include "openvswitch/json.h"
#include "openvswitch/shash.h"

/* Returns the member 'name' of 'json', or NULL if it has none. */
const struct json *
fb_json_member(const struct json *json, const char *name)
{
    return (json && json->type == JSON_OBJECT
            ? shash_find_data(json_object(json), name) : NULL);
}

/* Returns the number that the member 'name' of 'json' is, or NaN. */
double
fb_json_number(const struct json *json, const char *name)
{
    const struct json *member = fb_json_member(json, name);

    return (!member ? NAN
            : member->type == JSON_INTEGER ? json_integer(member)
            : member->type == JSON_REAL ? json_real(member)
            : NAN);
}

/* Returns the string that the member 'name' of 'json' is, or NULL. */
const char *
fb_json_string(const struct json *json, const char *name)
{
    const struct json *member = fb_json_member(json, name);

    return (member && member->type == JSON_STRING
            ? json_string(member) : NULL);
}

/* Returns the number of elements of the array 'json'. */
size_t
fb_json_size(const struct json *json)
{
    return (json && json->type == JSON_ARRAY
            ? fb_json_array_size(json) : 0);
}

/* Returns element 'i' of the array 'json', or NULL. */
const struct json *
fb_json_at(const struct json *json, size_t i)
{
    return i < fb_json_size(json) ? fb_json_array_at(json, i) : NULL;
}
