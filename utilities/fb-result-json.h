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

#ifndef FB_RESULT_JSON_H
#define FB_RESULT_JSON_H 1

/* A result as JSON, in the form that tests/result-schema.json describes. */

struct fb_result;
struct json;

/* Name and version of the form. */
#define FB_RESULT_SCHEMA "ovs-fanbench/1"

struct json *fb_result_to_json(const struct fb_result *);

#endif /* fb-result-json.h */
