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

#ifndef FB_FIGURE_JSON_H
#define FB_FIGURE_JSON_H 1

/* Figures as JSON.  What cannot be told is null.  The caller destroys what is
 * returned. */

struct fb_estimate;
struct json;
struct svec;

struct json *fb_number_to_json(double);
struct json *fb_string_to_json(const char *);
struct json *fb_strings_to_json(const struct svec *);
struct json *fb_interval_to_json(const struct fb_estimate *);
struct json *fb_estimate_to_json(const struct fb_estimate *);

#endif /* fb-figure-json.h */
