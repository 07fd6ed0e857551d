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

#ifndef FB_MAINLOOP_H
#define FB_MAINLOOP_H 1

/* How long the main thread was busy, and with what.
 *
 * While the main thread does one thing, everything else that it is there for
 * waits: OpenFlow, the database, commands, and in the userspace datapath also
 * packets, where no PMD thread has the port.  An *iteration* is what the main
 * loop does between two waits in poll_block().  Inside an iteration, *spans*
 * say what it was: they nest, and each span's own time is its duration less
 * that of the spans in it.
 *
 *     fb_mainloop_begin(...);                -- poll_block() returned.
 *     fb_mainloop_enter(&span, ...);
 *     fb_mainloop_leave(&span, ...);
 *     fb_mainloop_end(...);                  -- poll_block() is called.
 *
 * An iteration of FB_HOLD_MS or more is a *hold-up*.  Its cause is the kind of
 * activity that had most of it.
 *
 * All times are in ticks of fb_clock_ticks().
 *
 * Thread rules: main thread only, for writing and for reading. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "fb-hist.h"

/* Iterations at least this long, in ms, are hold-ups. */
#define FB_HOLD_MS 100

/* Hold-ups that are kept. */
#define FB_HOLDS_HISTORY 64

/* Bytes of a span's name, with the null byte. */
#define FB_SPAN_NAME 80

/* What the main thread may be doing, in the order in which it is shown. */
enum fb_activity {
    FB_ACT_COMMAND,             /* A command, as from "ovs-appctl". */
    FB_ACT_OPENFLOW,            /* An OpenFlow message. */
    FB_ACT_STATISTICS,          /* Reading an interface's statistics. */
    FB_ACT_PORT_ADD,            /* Adding a port to a datapath. */
    FB_ACT_PORT_DEL,            /* Deleting a port from a datapath. */
    FB_ACT_PACKETS,             /* dpif_run(): packets in userspace. */
    FB_ACT_BRIDGES,             /* Else in ofproto_run(), ..._type_run(). */
    FB_ACT_OTHER,               /* Anything else: database, configuration. */
    FB_N_ACTIVITIES
};

/* What is known about one kind of activity. */
struct fb_activity_totals {
    uint64_t n;                 /* Spans; for FB_ACT_OTHER, iterations. */
    uint64_t ticks;             /* Their own time. */
    uint64_t max;               /* The longest one's own time. */
    uint64_t n_holds;           /* Hold-ups that it caused. */
    uint64_t hold_max;          /* The longest of these. */
    uint64_t hold_since;        /* When the first of these began. */
    char max_name[FB_SPAN_NAME]; /* Name of the span of 'max'. */
    char hold_name[FB_SPAN_NAME]; /* Name of the cause of 'hold_max'. */
};

/* One hold-up. */
struct fb_hold {
    uint64_t start;             /* When the iteration began. */
    uint64_t duration;          /* How long it was. */
    enum fb_activity cause;     /* What had most of it. */
    uint64_t cause_ticks;       /* How much that was. */
    char name[FB_SPAN_NAME];    /* Name of the longest span of the cause. */
};

/* All that is recorded. */
struct fb_mainloop {
    unsigned int epoch;         /* Recording that this belongs to. */
    uint64_t n;                 /* Iterations. */
    uint64_t busy;              /* Sum of their durations. */
    struct fb_hist durations;   /* Their durations. */
    struct fb_activity_totals activities[FB_N_ACTIVITIES]; /* By kind. */
    uint64_t n_holds;           /* Hold-ups, also those not kept. */
    struct fb_hold holds[FB_HOLDS_HISTORY]; /* Hold-up I at I % the size. */
};

/* A span that has begun.  Its members are internal. */
struct fb_span {
    unsigned int epoch;         /* Recording that it began in. */
    enum fb_activity activity;  /* What it is. */
    uint64_t start;             /* When it began. */
    uint64_t inside;            /* Spans in the enclosing one before this. */
};

/* For each kind of activity, its name in text and JSON. */
extern const char *const fb_activity_names[FB_N_ACTIVITIES];

void fb_mainloop_begin(unsigned int epoch, uint64_t now);
bool fb_mainloop_end(unsigned int epoch, uint64_t now, uint64_t *duration);
void fb_mainloop_enter(struct fb_span *, unsigned int epoch,
                       enum fb_activity, uint64_t now);
uint64_t fb_mainloop_leave(struct fb_span *, unsigned int epoch,
                           const char *name, uint64_t now);
bool fb_mainloop_in_span(unsigned int epoch);

const struct fb_mainloop *fb_mainloop_get(unsigned int epoch);
size_t fb_mainloop_n_kept(const struct fb_mainloop *);

#endif /* fb-mainloop.h */
