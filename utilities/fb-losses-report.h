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

#ifndef FB_LOSSES_REPORT_H
#define FB_LOSSES_REPORT_H 1

/* Where packets were lost, for people and for machines. */

struct ds;
struct fb_losses;
struct fb_result;
struct json;
struct table;

void fb_losses_add_cell(struct table *, const struct fb_losses *);
void fb_losses_format(const struct fb_result *, struct ds *);
struct json *fb_losses_to_json(const struct fb_losses *);

#endif /* fb-losses-report.h */
