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

#ifndef FB_LIKE_REPORT_H
#define FB_LIKE_REPORT_H 1

/* What a bridge is like and what its twins lack, for people, and for the
 * result of a run. */

#include <stdbool.h>

struct ds;
struct fb_like;
struct json;
struct table_style;

void fb_like_report_format(const struct fb_like *, const struct table_style *,
                           struct ds *);
void fb_like_report_add(const struct fb_like *, struct ds *);
struct json *fb_like_report_json(const struct fb_like *);

#endif /* fb-like-report.h */
