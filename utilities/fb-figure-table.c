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

#include <config.h>

#include "fb-figure-table.h"

#include <math.h>
#include <stdarg.h>

#include "fb-stats.h"
#include "table.h"
#include "util.h"

/* Adds a cell with the text that 'format' and what follows it make. */
void
fb_add_cell(struct table *table, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    table_add_cell(table)->text = xvasprintf(format, args);
    va_end(args);
}

/* Adds a cell with 'text', or "-" if that is null. */
void
fb_add_text(struct table *table, const char *text)
{
    table_add_cell(table)->text = xstrdup(text ? text : "-");
}

/* Adds a cell with 'x', or "-" if that is not a number. */
void
fb_add_number(struct table *table, double x, int digits)
{
    if (isfinite(x)) {
        fb_add_cell(table, "%.*f", digits, x);
    } else {
        fb_add_cell(table, "-");
    }
}

/* Adds a cell with the 95 % interval of 'e'. */
void
fb_add_interval(struct table *table, const struct fb_estimate *e, int digits)
{
    if (isfinite(e->lo) && isfinite(e->hi)) {
        fb_add_cell(table, "%.*f to %.*f", digits, e->lo, digits, e->hi);
    } else {
        fb_add_cell(table, "-");
    }
}
