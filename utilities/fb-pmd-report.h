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

#ifndef FB_PMD_REPORT_H
#define FB_PMD_REPORT_H 1

/* What PMD threads did with their time, for reports. */

struct ds;
struct fb_result;

void fb_pmd_report_format(const struct fb_result *, struct ds *);

#endif /* fb-pmd-report.h */
