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

#ifndef FB_JSON_READ_H
#define FB_JSON_READ_H 1

/* Reading JSON that may lack what is asked for.  Each function takes a null
 * 'json', or one of another type, for one that has nothing. */

#include <stddef.h>

struct json;

const struct json *fb_json_member(const struct json *, const char *name);
double fb_json_number(const struct json *, const char *name);
const char *fb_json_string(const struct json *, const char *name);
size_t fb_json_size(const struct json *);
const struct json *fb_json_at(const struct json *, size_t);

#endif /* fb-json-read.h */
