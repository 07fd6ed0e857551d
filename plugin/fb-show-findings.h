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

#ifndef FB_SHOW_FINDINGS_H
#define FB_SHOW_FINDINGS_H 1

/* Text and JSON of findings.
 *
 * Thread rules: main thread only. */

#include "fb-findings.h"

struct ds;
struct fb_snapshot;
struct json;

void fb_show_findings_text(const struct fb_snapshot *, enum fb_about,
                           struct ds *);
struct json *fb_show_findings_json(const struct fb_snapshot *, enum fb_about);

#endif /* fb-show-findings.h */
