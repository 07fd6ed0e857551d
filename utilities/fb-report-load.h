/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */

#ifndef FB_REPORT_LOAD_H
#define FB_REPORT_LOAD_H 1

/* What a result says about the load itself, in tables. */

struct ds;
struct fb_result;
struct table_style;

void fb_report_pace(const struct fb_result *, const struct table_style *,
                    struct ds *);
void fb_report_ceilings(const struct fb_result *, struct ds *);
void fb_report_rate(const struct fb_result *, struct ds *);

#endif /* fb-report-load.h */
