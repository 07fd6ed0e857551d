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

#ifndef FB_OPTIONS_LOAD_H
#define FB_OPTIONS_LOAD_H 1

/* The options about the load: which packets, how many and when. */

struct fb_options;
struct fb_parameters;

void fb_options_get_load(const struct fb_options *, struct fb_parameters *);
void fb_options_settle_bursts(struct fb_parameters *);

#endif /* fb-options-load.h */
