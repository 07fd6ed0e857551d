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

#ifndef FB_TEXT_H
#define FB_TEXT_H 1

/* The fanbench commands' text.
 *
 * Thread rules: main thread only. */

#include <stddef.h>

struct ds;
struct fb_round;
struct fb_snapshot;
struct fb_snapshot_dp;

void fb_text_heading(const struct fb_snapshot *, struct ds *);
void fb_text_status(const struct fb_snapshot *, struct ds *);
void fb_text_show(const struct fb_snapshot *, struct ds *);
void fb_text_unrecorded(const struct fb_snapshot *,
                        const struct fb_snapshot_dp *, const char *prefix,
                        struct ds *);
void fb_text_rounds(const struct fb_snapshot *, const struct fb_round *,
                    size_t n, struct ds *);

#endif /* fb-text.h */
