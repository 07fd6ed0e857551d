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

#ifndef FB_LEDGER_H
#define FB_LEDGER_H 1

/* The flow ledger: one record for each datapath flow.
 *
 * A flow is known by its datapath, its ufid and, in a userspace datapath, the
 * PMD thread that has it.  Its record outlives it, so that flows that ended
 * can be shown, and that one that comes back is known to be the same.
 *
 * The ledger is a table of fixed size, allocated when a recording starts.  It
 * is set-associative: a flow's record is in one of FB_LEDGER_PROBES buckets of
 * FB_LEDGER_WAYS slots, most often in the first.  When they are full, the
 * record of the flow among them that has been dead for longest makes room.
 * When they all live, the new flow is not recorded, but counted.
 *
 * Thread rules: the main thread creates and drops ledgers, see
 * fb-ledger-life.h.  Any thread may find, add and change records without
 * waiting.  Adding takes a lock of the bucket, see fb-spin.h, that is given up
 * on when it does not get free soon, in which case the flow is not recorded
 * this time, but counted.  A thread must not keep what it found beyond its
 * next quiescent state (see ovs-rcu.h). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "fb-datapath.h"
#include "fb-look.h"
#include "openvswitch/types.h"
#include "ovs-atomic.h"
#include "util.h"

/* Records in a ledger, by default and at most. */
#define FB_LEDGER_DEFAULT_FLOWS 262144
#define FB_LEDGER_MAX_FLOWS 4194304

#define FB_LEDGER_WAYS 8        /* Slots in a bucket: a cache line of tags. */
#define FB_LEDGER_PROBES 8      /* Buckets in which a flow may be. */
#define FB_LEDGER_LOCKS 1024    /* Locks for adding. */
#define FB_LEDGER_KEY_WORDS 13  /* Space for a flow's key, in 64-bit words. */
#define FB_LEDGER_ERRNOS 134    /* Errors are counted by number below it. */

/* Flows to be found at a time.  OVS's revalidators take at most 50. */
#define FB_LEDGER_BATCH 64

/* Bytes for a key: the first word of the space holds its length. */
#define FB_LEDGER_KEY_MAX ((FB_LEDGER_KEY_WORDS - 1) * 8)

/* Coarse time: units of this many ticks (as a power of two) since the start of
 * the ledger, counted from 1; 0 means "never".  About 0.3 to 1 ms.  After
 * 2**32 of them, two weeks or more, it begins anew: see
 * fb_ledger_is_before(). */
#define FB_LEDGER_COARSE_SHIFT 20

/* How a flow ended. */
enum fb_end {
    FB_END_NONE,                /* No life has ended yet. */
    FB_END_IDLE,                /* Revalidator: no packet for max-idle. */
    FB_END_LIMIT,               /* Revalidator: flows over the flow limit. */
    FB_END_CHANGED,             /* Revalidator: no longer what is wanted. */
    FB_END_FLUSH,               /* Main thread: purged with all others. */
    FB_END_OUTSIDER,            /* It vanished: ovs-vswitchd did not do it. */
    FB_N_ENDS
};

/* One flow.  Counts are over all of its lives, times in ticks, "coarse" times
 * as above.  'packets', 'bytes', 'revalidation', 'seen', 'rate' and 'dumps'
 * are written by the revalidator that has the flow in its batch and by no
 * other at that time; the rest by any thread with atomic operations. */
struct fb_flow_record {
    /* First cache line: what a dump touches. */
    atomic_uint64_t ufid[2];    /* ovs_u128 as two words.  Set once. */
    atomic_uint64_t packets;    /* Packets that hit it, in this life. */
    atomic_uint64_t bytes;      /* Bytes of those. */
    atomic_uint64_t revalidation; /* Revalidators' time on it. */
    atomic_uint32_t seen;       /* When a dump last returned it, coarse. */
    atomic_uint32_t rate;       /* Packets per 256 coarse units, from the two
                                 * latest dumps. */
    atomic_uint32_t dumps;      /* Dumps that returned it. */
    atomic_uint32_t installs;   /* Lives. */
    atomic_uint32_t pmd_id;     /* PMD that has it, or UINT_MAX.  Set once. */
    atomic_uint8_t dp;          /* Index of the datapath.  Set once. */
    atomic_uint8_t end;         /* enum fb_end, of the latest that ended. */
    atomic_uint16_t put_errno;  /* Of the latest flow put that failed. */

    /* Second cache line. */
    atomic_uint32_t born;       /* When its life was first seen, coarse. */
    atomic_uint32_t died;       /* When it ended, coarse. */
    atomic_uint32_t pending;    /* Receipt of the first upcall that no flow put
                                 * has answered, in 16 ticks, or 0. */
    atomic_uint32_t upcalls;    /* Flow misses. */
    atomic_uint32_t setups;     /* Misses answered: terms of 'setup'. */
    atomic_uint32_t puts;       /* Flow puts. */
    atomic_uint32_t put_errors; /* Of these, those that failed. */
    atomic_uint32_t dels;       /* Flow deletions. */
    atomic_uint64_t setup;      /* Time from receipt to flow put done. */
    atomic_uint64_t put;        /* Time in flow puts. */
    atomic_uint32_t del;        /* Time in flow deletions, in 16 ticks. */
    atomic_uint32_t created;    /* When its life began, by OVS's time_msec(),
                                 * lower 32 bits, or 0: not known. */
    atomic_uint64_t past_packets; /* Packets that hit it in earlier lives. */
};
BUILD_ASSERT_DECL(sizeof(struct fb_flow_record) == 128);

/* Adds 1 to '*n', a count in a record or the like.  Any thread. */
static inline void
fb_record_count(atomic_uint32_t *n)
{
    uint32_t orig;

    atomic_add_relaxed(n, 1, &orig);
}

/* Adds 'x' to '*sum', such as ticks in a record.  Any thread. */
static inline void
fb_record_sum(atomic_uint64_t *sum, uint64_t x)
{
    uint64_t orig;

    atomic_add_relaxed(sum, x, &orig);
}

/* Adds 'x' to '*sum', which stays at its greatest value once it is there.  Any
 * thread; where several do so at the same time, it may miss some. */
static inline void
fb_record_sum_up_to_max(atomic_uint32_t *sum, uint64_t x)
{
    uint32_t old;

    atomic_read_relaxed(sum, &old);
    atomic_store_relaxed(sum, MIN(old + x, UINT32_MAX));
}

/* Bytes that a slot takes: record, tag and key. */
#define FB_LEDGER_SLOT_SIZE \
    (sizeof(struct fb_flow_record) + (1 + FB_LEDGER_KEY_WORDS) * 8)

/* What a ledger knows of one datapath. */
struct fb_ledger_dp {
    PADDED_MEMBERS(CACHE_LINE_SIZE,
        atomic_uint64_t miss_ticks; /* Time on misses, but for flow puts. */
        atomic_uint64_t misses; /* Number of misses in 'miss_ticks'. */
        atomic_uint32_t round;  /* Start of the latest whole round that was
                                 * looked at, coarse. */
        atomic_uint32_t round_before; /* Start of the one before that. */
    );
    atomic_uint64_t worst_put;  /* Highest 'put_errors' of a record, and in the
                                 * lower half its slot: see fb-worst-put.h. */
    struct fb_look look;        /* In which rounds flows are looked at. */
    atomic_uint32_t errors[FB_LEDGER_ERRNOS]; /* Failed puts by errno. */
};

/* A ledger. */
struct fb_ledger {
    unsigned int epoch;         /* Recording that it belongs to. */
    uint64_t start;             /* Ticks when that started. */
    unsigned int every;         /* As in struct fb_ledger_options. */
    unsigned int exact;         /* The same. */
    uint32_t n_buckets;         /* Buckets. */
    unsigned int n_refs;        /* References.  Main thread only. */
    void *memory;               /* What the next three are in. */
    size_t memory_size;         /* Bytes at 'memory'. */
    size_t n_present;           /* Bytes of that which are in memory for sure:
                                 * for fb_ledger_fill(). */
    struct fb_flow_record *records; /* One a slot. */
    atomic_uint64_t *tags;      /* One a slot: see fb-ledger.c. */
    atomic_uint64_t *keys;      /* FB_LEDGER_KEY_WORDS a slot. */
    atomic_uint8_t locks[FB_LEDGER_LOCKS]; /* For adding, by bucket. */
    struct fb_ledger_dp dps[FB_MAX_DATAPATHS]; /* By datapath. */

    /* Counters. */
    atomic_uint32_t n_aged;     /* Records of dead flows that made room. */
    atomic_uint32_t n_full;     /* Additions that found no room. */
    atomic_uint32_t n_contended; /* Additions that found a bucket locked. */
};

/* What identifies a flow. */
struct fb_flow_id {
    uint64_t ufid[2];           /* ovs_u128 as two words. */
    uint32_t pmd_id;            /* PMD that has it, or UINT_MAX. */
    int dp;                     /* Index of the datapath. */
};

/* A reader's copy of a record. */
struct fb_flow_copy {
    uint32_t slot;              /* Where the record is. */
    uint64_t tag;               /* Its tag, which says whose it is. */
    struct fb_flow_id id;       /* The flow. */
    bool live;                  /* Is it installed, as far as is known? */
    uint8_t end;                /* enum fb_end. */
    uint16_t put_errno;         /* The rest is as in struct */
    uint64_t packets;           /* fb_flow_record. */
    uint64_t bytes;
    uint64_t revalidation;
    uint32_t seen;
    uint32_t rate;
    uint32_t dumps;
    uint32_t installs;
    uint32_t born;
    uint32_t died;
    uint32_t upcalls;
    uint32_t setups;
    uint32_t puts;
    uint32_t put_errors;
    uint32_t dels;
    uint64_t setup;
    uint64_t put;
    uint32_t del;
    uint64_t past_packets;
};

/* Any thread. */
void fb_ledger_prefetch(const struct fb_ledger *,
                        const struct fb_flow_record *);
struct fb_flow_record *fb_ledger_find(struct fb_ledger *,
                                      const struct fb_flow_id *);
struct fb_flow_record *fb_ledger_find_or_add(struct fb_ledger *,
                                             const struct fb_flow_id *);
void fb_ledger_find_or_add_batch(struct fb_ledger *,
                                 const struct fb_flow_id[],
                                 struct fb_flow_record *[], int n);
bool fb_ledger_is_live(struct fb_ledger *, const struct fb_flow_record *);
void fb_ledger_revive(struct fb_ledger *, struct fb_flow_record *,
                      uint64_t now, uint32_t msec);
void fb_ledger_kill(struct fb_ledger *, struct fb_flow_record *,
                    enum fb_end, uint64_t now);
bool fb_ledger_has_key(struct fb_ledger *, const struct fb_flow_record *);
void fb_ledger_set_key(struct fb_ledger *, const struct fb_flow_record *,
                       const void *key, size_t size);

/* Readers. */
uint32_t fb_ledger_n_slots(const struct fb_ledger *);
bool fb_ledger_copy(struct fb_ledger *, uint32_t slot, struct fb_flow_copy *);
size_t fb_ledger_get_key(struct fb_ledger *, const struct fb_flow_copy *,
                         void *key);
uint32_t fb_ledger_count(const atomic_uint32_t *);

/* Returns what identifies the flow 'ufid' of 'pmd_id' in datapath 'dp'. */
static inline struct fb_flow_id
fb_flow_id(int dp, const ovs_u128 *ufid, unsigned int pmd_id)
{
    return (struct fb_flow_id) {
        .ufid = { ufid->u64.lo, ufid->u64.hi },
        .pmd_id = pmd_id,
        .dp = dp,
    };
}

/* Returns 'ticks' as a coarse time of 'ledger'. */
static inline uint32_t
fb_ledger_coarse(const struct fb_ledger *ledger, uint64_t ticks)
{
    uint32_t coarse;

    if (ticks <= ledger->start) {
        return 1;
    }
    coarse = ((ticks - ledger->start) >> FB_LEDGER_COARSE_SHIFT) + 1;
    return OVS_LIKELY(coarse) ? coarse : 1;
}

/* Says whether the coarse time 'a' is before 'b'.  Right if there is a week
 * between them at most.  "Never" is before all else. */
static inline bool
fb_ledger_is_before(uint32_t a, uint32_t b)
{
    return a && b ? (int32_t) (a - b) < 0 : a < b;
}

/* Returns the ticks from the start of 'ledger' to the coarse time 'coarse',
 * which must be at 'now' or less than two weeks before it; 0 for "never". */
static inline uint64_t
fb_ledger_ticks(const struct fb_ledger *ledger, uint32_t coarse, uint64_t now)
{
    uint64_t all = 1;
    uint32_t age;

    if (!coarse) {
        return 0;
    }
    if (now > ledger->start) {
        all = ((now - ledger->start) >> FB_LEDGER_COARSE_SHIFT) + 1;
    }
    age = all - coarse;
    if (age == UINT32_MAX) {
        /* The next unit had begun on another processor. */
        age = 0;
    }
    return (all - 1 - MIN(age, all - 1)) << FB_LEDGER_COARSE_SHIFT;
}

#endif /* fb-ledger.h */
