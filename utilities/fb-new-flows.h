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

#ifndef FB_NEW_FLOWS_H
#define FB_NEW_FLOWS_H 1

/* Reports on how many new flows per second were offered, where flows come and
 * go.  In other traffic there is nothing to tell. */

struct ds;
struct fb_dut_result;
struct fb_result;
struct json;

void fb_new_flows_format(const struct fb_result *, struct ds *);
struct json *fb_new_flows_to_json(const struct fb_result *,
                                  const struct fb_dut_result *);

#endif /* fb-new-flows.h */
