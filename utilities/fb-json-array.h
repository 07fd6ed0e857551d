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

#ifndef FB_JSON_ARRAY_H
#define FB_JSON_ARRAY_H 1

/* Elements of JSON arrays, in all versions of Open vSwitch's library. */

#include "fanbench-config.h"
#include "openvswitch/json.h"

/* Returns the number of elements of the array 'json'. */
static inline size_t
fb_json_array_size(const struct json *json)
{
#if FANBENCH_HAVE_JSON_ARRAY_AT
    return json_array_size(json);
#else
    return json_array(json)->n;
#endif
}

/* Returns element 'i' of the array 'json'. */
static inline const struct json *
fb_json_array_at(const struct json *json, size_t i)
{
#if FANBENCH_HAVE_JSON_ARRAY_AT
    return json_array_at(json, i);
#else
    return json_array(json)->elems[i];
#endif
}

#endif /* fb-json-array.h */
