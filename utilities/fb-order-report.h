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

#ifndef FB_ORDER_REPORT_H
#define FB_ORDER_REPORT_H 1

/* What was seen of the order of packets, as JSON and as a table. */

struct ds;
struct fb_order_result;
struct fb_result;
struct json;
struct table_style;

struct json *fb_order_to_json(const struct fb_order_result *);
void fb_order_format(const struct fb_result *, const struct table_style *,
                     struct ds *);

#endif /* fb-order-report.h */
