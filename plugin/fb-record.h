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

#ifndef FB_RECORD_H
#define FB_RECORD_H 1

/* Records: the counters of one thread for one datapath.
 *
 * Each record is written by the thread that owns it and by no other, without
 * waiting; a reader adds records up while they change.  They come from a table
 * of fixed size.  When a thread ends, what it counted is added to a total for
 * threads that are gone, and its records serve others.  Threads that find no
 * free record go uncounted, and are counted as such.
 *
 * Thread rules: fb_record_claim() and fb_record_add() are for the owner; the
 * functions that read are for the main thread. */

#include <stddef.h>
#include "fb-counters.h"
#include "fb-datapath.h"
#include "ovs-atomic.h"
#include "util.h"

/* Records in the table. */
#define FB_MAX_RECORDS 1024

/* One record. */
struct fb_record {
    PADDED_MEMBERS_CACHELINE_MARKER(CACHE_LINE_SIZE, cacheline0,
        /* Number of the recording that 'n' belongs to.  Set by the owner,
         * after it has zeroed 'n'. */
        atomic_uint epoch;

        /* Set when the record is claimed, under the table's mutex. */
        bool used;              /* Does a thread own it? */
        int dp;                 /* Index of the datapath. */
        enum fb_role role;      /* The owner's role. */
        char name[16];          /* The owner's name. */
    );
    PADDED_MEMBERS(CACHE_LINE_SIZE,
        atomic_uint64_t n[FB_N_COUNTERS]; /* Indexed by enum fb_counter. */
    );
};

/* A reader's copy of a record. */
struct fb_record_copy {
    char name[16];              /* The owner's name. */
    enum fb_role role;          /* The owner's role. */
    int dp;                     /* Index of the datapath. */
    struct fb_counters counters; /* What it counted. */
};

struct fb_record *fb_record_claim(int dp, enum fb_role, const char *name);
void fb_record_renew(struct fb_record *, unsigned int epoch);
void fb_record_release(struct fb_record *);

size_t fb_record_read(unsigned int epoch, struct fb_record_copy **copiesp,
                      struct fb_counters [FB_MAX_DATAPATHS][FB_N_ROLES]);
unsigned int fb_record_n_refused(void);

/* Adds 'n' to counter 'counter' of 'record', which belongs to the calling
 * thread.  'record' may be null: then nothing is counted. */
static inline void
fb_record_add(struct fb_record *record, int counter, uint64_t n)
{
    if (OVS_LIKELY(record)) {
        uint64_t old;

        atomic_read_relaxed(&record->n[counter], &old);
        atomic_store_relaxed(&record->n[counter], old + n);
    }
}

#endif /* fb-record.h */
