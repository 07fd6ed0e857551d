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

#ifndef FB_DATAPATH_JSON_H
#define FB_DATAPATH_JSON_H 1

/* Counters of a datapath or a bridge as JSON; what there is not, is null. */

#include <stdint.h>

struct fb_datapath_counters;
struct fb_fdb;
struct json;

struct json *fb_datapath_to_json(const struct fb_datapath_counters *);
struct json *fb_fdb_to_json(const struct fb_fdb *, uint64_t copies);

#endif /* fb-datapath-json.h */
