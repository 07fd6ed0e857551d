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

#ifndef FB_RETURNS_H
#define FB_RETURNS_H 1

/* Flows that are put, deleted, and soon put again.
 *
 * Where a flow returns within FB_RETURN_MS of its end, and again and again, it
 * costs an upcall each time and has been deleted in vain.  What ended it says
 * what to do about that.
 *
 * A flow that misses though it has been set up, and no one in ovs-vswitchd has
 * deleted it, has *vanished*.  ovs-vswitchd does not put it again until it has
 * forgotten it, as a rule when it is idle: all its packets *go astray* until
 * then.
 *
 * The latest set-ups and deletions are kept in a table of fixed size, by the
 * flows, in a slot each that the next flow to need it takes over: so
 * there is no need of the flow ledger, and of very many flows some returns go
 * unseen, never the other way round.  A flow is known by its ufid and its PMD
 * thread, so another packet that a megaflow is set up for makes it another
 * flow.
 *
 * Thread rules: fb_returns_init() is called while there is one thread.
 * fb_returns_begin(), fb_returns_command() and fb_returns_read() are for the
 * main thread, all else is for any thread.  Nothing takes a lock. */

#include <stddef.h>
#include <stdint.h>
#include "fb-datapath.h"
#include "fb-ledger.h"

/* A flow that is put again within this time, in ms, has returned. */
#define FB_RETURN_MS 10000

/* A flow that returned this often, each time so soon, goes in circles. */
#define FB_RETURN_CIRCLES 3

/* Flows that returned after one kind of end. */
struct fb_returns {
    uint64_t n;                 /* Returns. */
    uint64_t away_ms;           /* Time from their ends to them, summed. */
    uint64_t away_max_ms;       /* The longest of these. */
    uint64_t first;             /* Ticks at the first return. */
    uint64_t n_circling;        /* Flows now that went in circles so. */
    uint64_t most;              /* Returns of the flow that did most often;
                                 * more than 31 count as 31. */
};

/* Flows that vanished. */
struct fb_vanished {
    uint64_t n;                 /* Times that one was found to have. */
    uint64_t n_astray;          /* Misses of such flows until they returned. */
    uint64_t first;             /* Ticks when the first was found. */
};

/* All that returned in a recording. */
struct fb_returns_all {
    struct fb_returns dps[FB_MAX_DATAPATHS][FB_N_ENDS]; /* By last end. */
    unsigned int max_idle_ms;   /* other_config:max-idle, 0 if not known. */
    struct fb_vanished vanished[FB_MAX_DATAPATHS]; /* By datapath. */
    uint64_t n_deletes;         /* Commands that delete datapath flows. */
    uint64_t last_delete;       /* Ticks when the latest was run. */
    char delete_name[64];       /* Its name, "" if there was none. */
};

void fb_returns_init(const unsigned int *max_idle_ms);
void fb_returns_begin(unsigned int epoch);
unsigned int fb_returns_epoch(void);
void fb_returns_missed(const struct fb_flow_id *, uint64_t sent_after,
                       uint64_t now);
void fb_returns_put(const struct fb_flow_id *, uint64_t now);
void fb_returns_deleted(const struct fb_flow_id *, enum fb_end, uint64_t now);
uint64_t fb_returns_age(const struct fb_flow_id *, uint64_t now);
void fb_returns_command(const char *name, uint64_t now);
void fb_returns_read(struct fb_returns_all *);

#endif /* fb-returns.h */
