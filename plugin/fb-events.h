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

#ifndef FB_EVENTS_H
#define FB_EVENTS_H 1

/* What happened to the flow limit, and because of it: the latest events.
 *
 * Thread rules: all functions may be called by any thread.  They take a mutex
 * for an instant; there are a few events a round at most. */

#include <stddef.h>
#include <stdint.h>

/* Events that are kept; more push the oldest out. */
#define FB_EVENTS_HISTORY 256

/* Kinds of events. */
enum fb_event_kind {
    FB_EVENT_SCALED,            /* A round over 2 s divided the limit. */
    FB_EVENT_REDUCED,           /* One over 1.3 s took a quarter, silently. */
    FB_EVENT_CONFIGURED,        /* Lowered to other_config:flow-limit. */
    FB_EVENT_SET,               /* By "ovs-appctl upcall/set-flow-limit". */
    FB_EVENT_CHANGED,           /* Found lower, how was not seen. */
    FB_EVENT_OVER,              /* More flows than the limit: idle ones go. */
    FB_EVENT_HIT,               /* Flows begin to be refused. */
    FB_EVENT_KILL,              /* Twice the limit: all flows deleted. */
    FB_EVENT_FAILED,            /* The flow dump failed. */
    FB_N_EVENTS
};

/* An event. */
struct fb_event {
    enum fb_event_kind kind;    /* What happened. */
    int dp;                     /* Index of the datapath. */
    uint64_t time;              /* When, in ticks. */
    uint64_t round;             /* Id of the round that ended so, or 0. */
    uint64_t duration;          /* Of that round, in ticks. */
    int phase;                  /* enum fb_work: what took longest in it. */
    uint64_t phase_ticks;       /* How long that took, all threads. */
    unsigned int before, after; /* Flow limit, 0 if not known. */
    uint64_t n;                 /* Flows there, refused, or operations; for
                                 * FB_EVENT_FAILED, the errno. */
};

/* For each kind, its word in text and JSON. */
extern const char *const fb_event_names[FB_N_EVENTS];

void fb_events_add(unsigned int epoch, const struct fb_event *);
size_t fb_events_read(unsigned int epoch, int dp, size_t max,
                      struct fb_event **, uint64_t *n_totalp);

#endif /* fb-events.h */
