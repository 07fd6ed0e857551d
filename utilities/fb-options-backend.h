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

#ifndef FB_OPTIONS_BACKEND_H
#define FB_OPTIONS_BACKEND_H 1

/* Whether the backend of --backend can send the load that the other options
 * ask for. */

struct fb_options;
struct fb_parameters;

const char *fb_options_backend(const struct fb_options *);
void fb_options_check_backend(const struct fb_options *,
                              const struct fb_parameters *);

#endif /* fb-options-backend.h */
