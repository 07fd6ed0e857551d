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

#ifndef FB_JSON_H
#define FB_JSON_H 1

/* The fanbench commands' JSON documents.
 *
 * Every document has a member "schema".  Times are integers, in nanoseconds.
 *
 * Thread rules: main thread only.  The caller owns what is returned. */

#include <stddef.h>

struct fb_round;
struct fb_snapshot;
struct json;

/* Name and version of what the documents hold.  The number grows when a member
 * goes or changes its meaning. */
#define FB_JSON_SCHEMA "ovs-fanbench-plugin/1"

struct json *fb_json_document(const struct fb_snapshot *);
struct json *fb_json_status(const struct fb_snapshot *);
struct json *fb_json_show(const struct fb_snapshot *);
struct json *fb_json_rounds(const struct fb_snapshot *,
                            const struct fb_round *, size_t n);
struct json *fb_json_ports(const struct fb_snapshot *, int dp);

#endif /* fb-json.h */
