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

#ifndef FB_TAX_REPORT_H
#define FB_TAX_REPORT_H 1

/* The tax of mirrors (see fb-tax.h) as a table and as JSON. */

struct ds;
struct fb_result;
struct fb_tax;
struct json;
struct table_style;

void fb_tax_format(const struct fb_result *, const struct table_style *,
                   struct ds *);
struct json *fb_tax_to_json(const struct fb_tax *);

#endif /* fb-tax-report.h */
