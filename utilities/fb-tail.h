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

#ifndef FB_TAIL_H
#define FB_TAIL_H 1

/* The last lines of a stream of text, e.g. of a console, for an error
 * message.  Bounded in memory, whatever is appended.  Not thread-safe. */

#include <stddef.h>

#include "openvswitch/dynamic-string.h"

/* The end of a text. */
struct fb_tail {
    struct ds text;             /* Printable bytes and new-lines only. */
};

void fb_tail_init(struct fb_tail *);
void fb_tail_destroy(struct fb_tail *);
void fb_tail_append(struct fb_tail *, const char *data, size_t n);
void fb_tail_format(const struct fb_tail *, size_t n_lines,
                    const char *indent, struct ds *);

#endif /* fb-tail.h */
