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

#ifndef FB_ENVIRONMENT_H
#define FB_ENVIRONMENT_H 1

/* What a run is made on. */

struct ds;
struct fb_environment;
struct fb_ovs_programs;
struct json;

void fb_environment_read(struct fb_environment *,
                         const struct fb_ovs_programs *);
void fb_environment_format(const struct fb_environment *, struct ds *);
struct json *fb_environment_to_json(const struct fb_environment *);
void fb_environment_destroy(struct fb_environment *);

#endif /* fb-environment.h */
