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

#ifndef FB_SHOW_EVENTS_H
#define FB_SHOW_EVENTS_H 1

/* "fanbench/rounds --events": why rounds begin, and what happened to the flow
 * limit.
 *
 * Thread rules: main thread only. */

#include <stddef.h>
#include <stdint.h>
#include "fb-cause.h"

struct ds;
struct fb_event;
struct fb_round;
struct fb_snapshot;
struct json;

/* What text and JSON are made from, beside the snapshot. */
struct fb_events_view {
    int dp;                     /* Only this datapath, or -1. */
    size_t n_events;            /* Elements of 'events'. */
    struct fb_event *events;    /* The latest events. */
    uint64_t n_total;           /* Events that there ever were. */
};

struct fb_events_view *fb_events_view_take(int dp, size_t max);
void fb_events_view_free(struct fb_events_view *);
void fb_show_events_text(const struct fb_snapshot *,
                         const struct fb_events_view *, struct ds *);
struct json *fb_show_events_json(const struct fb_snapshot *,
                                 const struct fb_events_view *);

void fb_show_cause_text(const struct fb_round *, struct ds *);
void fb_show_cause_json(const struct fb_round *, struct json *);

#endif /* fb-show-events.h */
