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

#ifndef FB_TAP_REPORT_H
#define FB_TAP_REPORT_H 1

/* What came out of taps (see fb-tap-run.h) as a table and as JSON. */

struct ds;
struct fb_result;
struct fb_tap_result;
struct json;
struct table_style;

void fb_tap_format(const struct fb_result *, const struct table_style *,
                   struct ds *);
struct json *fb_tap_to_json(const struct fb_tap_result *);

#endif /* fb-tap-report.h */
