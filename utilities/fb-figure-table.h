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

#ifndef FB_FIGURE_TABLE_H
#define FB_FIGURE_TABLE_H 1

/* Figures as cells of Open vSwitch's tables.  Each function adds one cell to
 * the last row. */

#include "compiler.h"

struct fb_estimate;
struct table;

void fb_add_cell(struct table *, const char *format, ...)
    OVS_PRINTF_FORMAT(2, 3);
void fb_add_text(struct table *, const char *);
void fb_add_number(struct table *, double, int digits);
void fb_add_interval(struct table *, const struct fb_estimate *, int digits);

#endif /* fb-figure-table.h */
