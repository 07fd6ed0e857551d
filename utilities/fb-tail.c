/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

#include <config.h>

#include "fb-tail.h"

#include <ctype.h>
#include <string.h>

#include "util.h"

/* Bytes kept at least, and the excess at which the oldest are dropped. */
#define TAIL_SIZE 16384

/* Makes 'tail' empty.  The caller destroys it with fb_tail_destroy(). */
void
fb_tail_init(struct fb_tail *tail)
{
    ds_init(&tail->text);
}

/* Frees what 'tail' holds. */
void
fb_tail_destroy(struct fb_tail *tail)
{
    ds_destroy(&tail->text);
}

/* Drops all but the last TAIL_SIZE bytes of 'tail'. */
static void
drop_oldest(struct fb_tail *tail)
{
    struct ds *text = &tail->text;

    memmove(text->string, text->string + text->length - TAIL_SIZE, TAIL_SIZE);
    ds_truncate(text, TAIL_SIZE);
}

/* Appends the 'n' bytes at 'data' to 'tail'.  Carriage returns are dropped
 * and other bytes that a terminal might act upon become "?", so that a
 * console's text cannot upset the terminal that it is shown on. */
void
fb_tail_append(struct fb_tail *tail, const char *data, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = data[i];

        if (c == '\t') {
            ds_put_char(&tail->text, ' ');
        } else if (c == '\n' || isprint(c)) {
            ds_put_char(&tail->text, c);
        } else if (c != '\r') {
            ds_put_char(&tail->text, '?');
        }
        if (tail->text.length >= 2 * TAIL_SIZE) {
            drop_oldest(tail);
        }
    }
}

/* Appends the last 'n_lines' lines of 'tail' to 'out', each with 'indent' in
 * front and a new-line behind; fewer if there are fewer. */
void
fb_tail_format(const struct fb_tail *tail, size_t n_lines,
               const char *indent, struct ds *out)
{
    const char *start = tail->text.string;
    const char *end, *p;

    if (!tail->text.length || !n_lines) {
        return;
    }

    end = start + tail->text.length;
    if (end[-1] == '\n') {
        end--;
    }
    for (p = end; p > start; p--) {
        if (p[-1] == '\n' && !--n_lines) {
            break;
        }
    }
    while (p < end) {
        size_t n = strcspn(p, "\n");

        n = MIN(n, end - p);
        ds_put_cstr(out, indent);
        ds_put_buffer(out, p, n);
        ds_put_char(out, '\n');
        p += n + 1;
    }
}
