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

#ifndef FB_CAUSE_H
#define FB_CAUSE_H 1

/* Why rounds begin, and what they do to the flow limit.
 *
 * A round begins because something changed that flows depend on, or because
 * it is time.  When ofproto asks for a round, in the main thread, the reasons
 * are those of OVS's coverage counters "rev_*" that have just grown; the next
 * round to begin takes them.
 *
 * The flow limit is private to OVS.  It is known when a datapath is new, or
 * read as fb_ovs_flow_limit() does, and from then on the law is followed by
 * which OVS changes it at the end of each round, see fb_cause_law().  Now and
 * then it is read again, see fb-watch.h, and corrected.
 *
 * Thread rules: fb_cause_init() and fb_cause_read_triggers() are for the main
 * thread, all else is for any thread.  What takes no lock says so. */

#include <stdbool.h>
#include <stdint.h>
#include "fb-datapath.h"
#include "fb-events.h"
#include "ovs-atomic.h"

struct fb_round;

/* Why a round began. */
enum fb_trigger {
    /* Something changed. */
    FB_TRIGGER_RECONFIGURE,
    FB_TRIGGER_STP,
    FB_TRIGGER_RSTP,
    FB_TRIGGER_BOND,
    FB_TRIGGER_PORT_TOGGLED,
    FB_TRIGGER_FLOW_TABLE,
    FB_TRIGGER_MAC_LEARNING,
    FB_TRIGGER_MCAST_SNOOPING,
    FB_TRIGGER_OTHER,           /* What, OVS's counters do not tell. */

    FB_TRIGGER_PAUSE,           /* The main thread paused revalidators. */
    FB_TRIGGER_TIMER,           /* None of these: it was time. */
    FB_N_TRIGGERS
};

/* What a round did to the flow limit. */
enum fb_law {
    FB_LAW_NONE,                /* Nothing, or the limit is not known. */
    FB_LAW_GREW,                /* Under 1 s, many flows: 1,000 more. */
    FB_LAW_REDUCED,             /* Over 1.3 s: a quarter less. */
    FB_LAW_SCALED,              /* Over 2 s: divided by the seconds. */
    FB_LAW_CONFIGURED,          /* Lowered to other_config:flow-limit. */
    FB_N_LAWS
};

/* How a flow limit came to be known. */
enum fb_limit_from {
    FB_LIMIT_NEW,               /* It is that of a new datapath. */
    FB_LIMIT_READ,              /* OVS was asked for it. */
    FB_LIMIT_SET,               /* A command has just set it. */
};

/* What is known about one round. */
struct fb_cause {
    uint32_t triggers;          /* A bit for each enum fb_trigger. */
    unsigned int n_requests;    /* Times that ofproto asked for it. */
    long long int start_msec;   /* time_msec() when it began. */
    unsigned int n_flows;       /* Flows in the datapath then, as OVS had it;
                                 * 0 if not seen. */
    unsigned int limit_before;  /* Flow limit in the round, 0: not known. */
    unsigned int limit_after;   /* Flow limit after it, 0: not known. */
    enum fb_law law;            /* By which law it changed. */
};

/* Sums over the rounds of a datapath. */
struct fb_cause_totals {
    uint64_t triggers[FB_N_TRIGGERS]; /* Rounds, by what triggered them. */
    uint64_t laws[FB_N_LAWS];   /* Rounds, by what they did to the limit. */
    uint64_t n_over;            /* Rounds with more flows than the limit. */
    uint64_t over_ops;          /* Flow operations in those. */
    unsigned int limit;         /* Flow limit now, 0: not known. */
    unsigned int limit_min;     /* Lowest ever, 0: not known. */
    uint64_t n_corrected;       /* Times that it was not what the law said. */
    struct fb_event first_fall; /* First round that lowered the limit for its
                                 * length; all zeros if none did. */
    struct fb_event last_lowered; /* What lowered it last, whatever it was. */
};

/* For each, its word in text and JSON. */
extern const char *const fb_trigger_names[FB_N_TRIGGERS];
extern const char *const fb_law_names[FB_N_LAWS];

/* For the triggers that have one, the name of OVS's coverage counter. */
#define FB_N_REV_COUNTERS FB_TRIGGER_OTHER
extern const char *const fb_rev_counters[FB_N_REV_COUNTERS];

void fb_cause_init(const unsigned int *configured_limit);
uint32_t fb_cause_read_triggers(void);
void fb_cause_request(int dp, unsigned int epoch, uint32_t triggers);
void fb_cause_set_flows(int dp, uint64_t n_flows);
void fb_cause_limit_is(int dp, unsigned int epoch, unsigned int limit,
                       enum fb_limit_from);
unsigned int fb_cause_limit(int dp);
uint64_t fb_cause_flows(int dp);

void fb_cause_begin(int dp, unsigned int epoch, uint64_t age,
                    struct fb_cause *);
void fb_cause_end(unsigned int epoch, struct fb_round *);

unsigned int fb_cause_law(unsigned int limit, long long int msec,
                          uint64_t n_flows, unsigned int configured,
                          enum fb_law *);
void fb_cause_totals(unsigned int epoch, int dp, struct fb_cause_totals *);

#endif /* fb-cause.h */
