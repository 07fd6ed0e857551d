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

#ifndef FB_FLOWS_RENDER_H
#define FB_FLOWS_RENDER_H 1

/* What fanbench/flows replies, from a search that is done.
 *
 * Thread rules: main thread only. */

struct ds;
struct fb_flows;
struct fb_snapshot;

void fb_flows_text(const struct fb_snapshot *, const struct fb_flows *,
                   struct ds *);
struct json *fb_flows_json(const struct fb_snapshot *,
                           const struct fb_flows *);

#endif /* fb-flows-render.h */
