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

#ifndef FB_DOCTOR_REPORT_H
#define FB_DOCTOR_REPORT_H 1

/* What the doctor has found, for people and for machines. */

struct ds;
struct fb_doctor;
struct table_style;

void fb_doctor_report_format(const struct fb_doctor *,
                             const struct table_style *, struct ds *);
void fb_doctor_report_checks(const struct table_style *, struct ds *);
struct json *fb_doctor_report_checks_json(void);

#endif /* fb-doctor-report.h */
