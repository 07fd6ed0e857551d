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


#ifndef FB_INTAKE_H
#define FB_INTAKE_H 1

/* Events on their way to the flow ledger.
 *
 * To look a flow up, in memory that is in no cache, and to write down what it
 * matches takes several times what it takes to say what happened.  So threads
 * that serve packets only do the latter: each appends its events to a ring of
 * its own.  A thread of low priority (see fb-intake-thread.h) takes them from
 * there and has fb_flow_apply() do the rest.  When a ring is full, its owner
 * does that itself.  When it cannot, because another thread is about it, it
 * applies the new event out of turn.  So nothing is lost.
 *
 * Whoever is about to change or to read what events are about first calls
 * fb_intake_drain(), so as to come after them.
 *
 * Thread rules: each thread has its ring, and no other appends to it.  One
 * thread at a time takes from a ring, any thread.  Nothing waits for longer
 * than microseconds.  The first event of a thread takes a mutex and
 * memory. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "fb-flow-key.h"

struct fb_wake;

/* What an event is about. */
enum fb_flow_event_kind {
    FB_EV_RECEIVED,             /* A handler received a miss. */
    FB_EV_TRANSLATED,           /* A miss of a userspace datapath was
                                 * translated; if that succeeded, the flow is
                                 * to be installed. */
    FB_EV_PUT,                  /* A flow put was done. */
};

/* Words that may follow an event. */
#define FB_EVENT_WORDS FB_FLOW_KEY_PICKED

/* An event, which is followed by what its flow matches, if that is known. */
struct fb_flow_event {
    uint32_t epoch;             /* Recording that it belongs to. */
    uint16_t n_words;           /* Words that follow. */
    uint8_t kind;               /* enum fb_flow_event_kind. */
    uint8_t dp;                 /* Index of the datapath. */
    uint64_t ufid[2];           /* Its flow: ovs_u128 as two words. */
    uint32_t pmd_id;            /* PMD that has it, or UINT_MAX. */
    uint16_t error;             /* Positive errno, or 0. */
    bool handler;               /* FB_EV_PUT: by a handler? */
    uint64_t start;             /* Ticks: when it began, or the receipt. */
    uint64_t end;               /* Ticks: when it was done. */
    uint64_t ticks;             /* FB_EV_PUT: its share of the time between.
                                 * FB_EV_RECEIVED: the packet found no flow at
                                 * this time or later. */
    uint32_t msec;              /* OVS's time_msec() at 'end', lower bits. */
    uint16_t key_len;           /* FB_EV_PUT: bytes of the Netlink key that */
    uint16_t mask_len;          /* follows, and of the mask after it, each
                                 * padded to words. */
    uint64_t words[];           /* FB_EV_TRANSLATED: what fb_flow_key_pick()
                                 * wrote. */
};

/* The thread that has the event. */
void fb_intake_prefetch(void);
struct fb_flow_event *fb_intake_begin(void);
void fb_intake_end(struct fb_flow_event *);

/* Any thread. */
bool fb_intake_drain(uint64_t max_ns);

/* Prepares: while there is one thread. */
void fb_intake_init(void);
void fb_intake_set_wake(const struct fb_wake *);

#endif /* fb-intake.h */
