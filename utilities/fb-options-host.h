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

#ifndef FB_OPTIONS_HOST_H
#define FB_OPTIONS_HOST_H 1

/* What of the host a run is to use, its Open vSwitch (--db) or an interface
 * (--uplink), and what does not go with that. */

struct fb_options;
struct fb_parameters;
struct fb_place;

void fb_options_check_host(struct fb_options *, const struct fb_parameters *);
void fb_options_check_host_place(const struct fb_options *,
                                 const struct fb_place *);

#endif /* fb-options-host.h */
