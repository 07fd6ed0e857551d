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

#include <config.h>
#include "fanbench-config.h"

#include "fb-ledger.h"

#include <string.h>

#include "fb-spin.h"
#include "openvswitch/compiler.h"

/* A slot's tag holds, from the highest bit: 32 bits of the flow's hash, which
 * tell most other flows apart; 30 bits that change with each new user of the
 * slot, so that a reader can tell whether it is still the same; and its state.
 * A free slot's tag is all zeros. */
enum tag_state {
    TAG_FREE,                   /* Nobody's. */
    TAG_BUSY,                   /* Being filled in. */
    TAG_DEAD,                   /* A flow that is not in the datapath. */
    TAG_LIVE,                   /* A flow that is. */
    TAG_STATE = 3               /* Bits that hold this. */
};
#define TAG_GENERATION (UINT64_C(0xfffffffc))

/* Tries to get a place before other threads do, before giving up. */
#define CLAIM_TRIES 16

/* Slots of the bucket that a flow prefers that are kept for those that found
 * no other place, as long as another bucket has more: with them the ledger can
 * be filled to 95 %. */
#define SPARE_SLOTS 2

/* Odd numbers without a pattern, to multiply by: the first is 2**64 divided by
 * the golden ratio. */
#define MIX_A UINT64_C(0x9e3779b97f4a7c15)
#define MIX_B UINT64_C(0xd1342543de82ef95)

/* Where a flow may be.  Its ufid already is a hash, so that little is to be
 * done for it. */
struct place {
    uint64_t a;                 /* Upper half: first bucket.  Lower half: as in
                                 * its tag. */
    uint64_t b;                 /* Upper half: second bucket.  Lower half:
                                 * lock. */
};

/* Returns where 'id' may be. */
static struct place
find_place(const struct fb_flow_id *id)
{
    uint64_t owner = ((uint64_t) id->pmd_id << 8 | id->dp) * MIX_B;

    return (struct place) {
        .a = (id->ufid[0] ^ owner) * MIX_A,
        .b = (id->ufid[1] + owner) * MIX_A,
    };
}

/* Returns the first slot of the bucket that the upper half of 'word' says. */
static uint32_t
first_slot(const struct fb_ledger *ledger, uint64_t word)
{
    return ((word >> 32) * ledger->n_buckets >> 32) * FB_LEDGER_WAYS;
}

/* Returns the first slot of the 'i'th bucket where 'p' may be: one by each
 * word, and then the next buckets after each. */
static uint32_t
bucket_of(const struct fb_ledger *ledger, const struct place *p, size_t i)
{
    uint32_t slot = first_slot(ledger, i % 2 ? p->b : p->a);

    if (i >= 2) {
        slot = ((slot / FB_LEDGER_WAYS + i / 2) % ledger->n_buckets
                * FB_LEDGER_WAYS);
    }
    return slot;
}

/* Returns the tag of slot 'slot'.  What it says of the record is valid. */
static uint64_t
get_tag(const struct fb_ledger *ledger, uint32_t slot)
{
    uint64_t tag;

    atomic_read_explicit(&ledger->tags[slot], &tag, memory_order_acquire);
    return tag;
}

/* Says whether 'record' is that of 'id'. */
static bool
is_record_of(struct fb_flow_record *record, const struct fb_flow_id *id)
{
    uint64_t lo, hi;
    uint32_t pmd_id;
    uint8_t dp;

    atomic_read_relaxed(&record->ufid[0], &lo);
    atomic_read_relaxed(&record->ufid[1], &hi);
    atomic_read_relaxed(&record->pmd_id, &pmd_id);
    atomic_read_relaxed(&record->dp, &dp);
    return (lo == id->ufid[0] && hi == id->ufid[1] && pmd_id == id->pmd_id
            && dp == id->dp);
}

/* Returns the record of 'id', which is at 'p', in the bucket that begins with
 * slot 'first', or null.  Then stores in '*n_freep' how many slots of it are
 * free: it is filled in order, and what was in use never becomes free. */
static inline struct fb_flow_record *
find_in_bucket(struct fb_ledger *ledger, uint32_t first,
               const struct place *p, const struct fb_flow_id *id,
               int *n_freep)
{
    for (uint32_t slot = first; slot < first + FB_LEDGER_WAYS; slot++) {
        uint64_t tag = get_tag(ledger, slot);

        if (tag >> 32 == (uint32_t) p->a && (tag & TAG_STATE) >= TAG_DEAD
            && is_record_of(&ledger->records[slot], id)) {
            return &ledger->records[slot];
        }
        if (!tag) {
            *n_freep = first + FB_LEDGER_WAYS - slot;
            return NULL;
        }
    }
    *n_freep = 0;
    return NULL;
}

/* Says whether a flow that is not in the first 'i' + 1 of its buckets, in
 * which at most 'n_free' slots are free, is in none. */
static bool
is_enough_room(size_t i, int n_free)
{
    return n_free > (i ? 0 : SPARE_SLOTS);
}

/* Returns the record of 'id' at 'p', or null. */
static struct fb_flow_record *
find_at(struct fb_ledger *ledger, const struct place *p,
        const struct fb_flow_id *id)
{
    int most_free = 0;

    for (size_t i = 0; i < FB_LEDGER_PROBES; i++) {
        struct fb_flow_record *record;
        int n_free;

        record = find_in_bucket(ledger, bucket_of(ledger, p, i), p, id,
                                &n_free);
        if (record) {
            return record;
        }
        most_free = MAX(most_free, n_free);
        if (is_enough_room(i, most_free)) {
            break;
        }
    }
    return NULL;
}

/* Returns the record of 'id', or null. */
struct fb_flow_record *
fb_ledger_find(struct fb_ledger *ledger, const struct fb_flow_id *id)
{
    struct place p = find_place(id);

    return find_at(ledger, &p, id);
}

/* Makes slot 'slot', whose tag is 'old', the caller's, by a tag that is stored
 * in '*newp'.  Returns false if another thread was faster. */
static bool
claim_slot(struct fb_ledger *ledger, uint32_t slot, uint64_t old,
           const struct place *p, uint64_t *newp)
{
    *newp = (p->a << 32
             | ((old + TAG_STATE + 1) & TAG_GENERATION) | TAG_BUSY);
    return atomic_compare_exchange_strong_explicit(
        &ledger->tags[slot], &old, *newp,
        memory_order_acq_rel, memory_order_relaxed);
}

/* Tries to find a slot at 'p' for a new flow and to claim it.  Takes the first
 * that is free, in the first bucket unless that is nearly full and the second
 * is emptier, or else that of the flow that has been dead for longest.
 * Returns it, and its tag in '*tagp', or UINT32_MAX if all are in use by flows
 * that live, or if another thread was faster, in which case '*againp' becomes
 * true. */
static uint32_t
try_claim_place(struct fb_ledger *ledger, const struct place *p,
                uint64_t *tagp, bool *againp)
{
    uint32_t best_free = UINT32_MAX, best_dead = UINT32_MAX;
    uint32_t oldest = 0, orig;
    int most_free = 0;

    for (size_t i = 0; i < FB_LEDGER_PROBES; i++) {
        uint32_t first = bucket_of(ledger, p, i);

        for (uint32_t slot = first; slot < first + FB_LEDGER_WAYS; slot++) {
            uint64_t tag = get_tag(ledger, slot);
            uint32_t died;

            if ((tag & TAG_STATE) == TAG_FREE) {
                int n_free = first + FB_LEDGER_WAYS - slot;

                if (n_free > most_free) {
                    most_free = n_free;
                    best_free = slot;
                }
                break;
            } else if ((tag & TAG_STATE) == TAG_DEAD) {
                atomic_read_relaxed(&ledger->records[slot].died, &died);
                if (best_dead == UINT32_MAX
                    || fb_ledger_is_before(died, oldest)) {
                    oldest = died;
                    best_dead = slot;
                }
            }
        }
        if (is_enough_room(i, most_free)) {
            break;
        }
    }
    *againp = best_free != UINT32_MAX || best_dead != UINT32_MAX;
    if (best_free != UINT32_MAX) {
        if (claim_slot(ledger, best_free, 0, p, tagp)) {
            return best_free;
        }
    } else if (best_dead != UINT32_MAX) {
        uint64_t tag = get_tag(ledger, best_dead);

        if ((tag & TAG_STATE) == TAG_DEAD
            && claim_slot(ledger, best_dead, tag, p, tagp)) {
            atomic_add_relaxed(&ledger->n_aged, 1, &orig);
            return best_dead;
        }
    }
    return UINT32_MAX;
}

/* The same, but tries again, some times, if another thread was faster. */
static uint32_t
claim_place(struct fb_ledger *ledger, const struct place *p, uint64_t *tagp)
{
    uint32_t slot = UINT32_MAX;
    bool again = true;

    for (int i = 0; i < CLAIM_TRIES && again && slot == UINT32_MAX; i++) {
        slot = try_claim_place(ledger, p, tagp, &again);
    }
    return slot;
}

/* Empties 'record', in 'slot', and makes it that of 'id'. */
static void
init_record(struct fb_ledger *ledger, uint32_t slot,
            const struct fb_flow_id *id)
{
    struct fb_flow_record *record = &ledger->records[slot];

    atomic_store_relaxed(&ledger->keys[(size_t) slot * FB_LEDGER_KEY_WORDS],
                         0);
    atomic_store_relaxed(&record->ufid[0], id->ufid[0]);
    atomic_store_relaxed(&record->ufid[1], id->ufid[1]);
    atomic_store_relaxed(&record->pmd_id, id->pmd_id);
    atomic_store_relaxed(&record->dp, id->dp);
    atomic_store_relaxed(&record->end, FB_END_NONE);
    atomic_store_relaxed(&record->put_errno, 0);
#define CLEAR(MEMBER) atomic_store_relaxed(&record->MEMBER, 0)
    CLEAR(packets);
    CLEAR(bytes);
    CLEAR(revalidation);
    CLEAR(seen);
    CLEAR(rate);
    CLEAR(dumps);
    CLEAR(installs);
    CLEAR(born);
    CLEAR(died);
    CLEAR(pending);
    CLEAR(upcalls);
    CLEAR(setups);
    CLEAR(puts);
    CLEAR(put_errors);
    CLEAR(dels);
    CLEAR(setup);
    CLEAR(put);
    CLEAR(del);
    CLEAR(created);
    CLEAR(past_packets);
#undef CLEAR
}

/* Returns the lock of the bucket that 'p' names. */
static atomic_uint8_t *
lock_of(struct fb_ledger *ledger, const struct place *p)
{
    return &ledger->locks[p->b % FB_LEDGER_LOCKS];
}

/* Adds a record for 'id', a flow that counts as dead, unless another thread
 * has done so meanwhile.  Returns its record, or null. */
static struct fb_flow_record *
add_record(struct fb_ledger *ledger, const struct place *p,
           const struct fb_flow_id *id)
{
    struct fb_flow_record *record;
    uint32_t slot, orig;
    uint64_t tag;

    if (!fb_spin_lock(lock_of(ledger, p))) {
        atomic_add_relaxed(&ledger->n_contended, 1, &orig);
        return NULL;
    }
    record = find_at(ledger, p, id);
    if (!record) {
        slot = claim_place(ledger, p, &tag);
        if (slot != UINT32_MAX) {
            init_record(ledger, slot, id);
            record = &ledger->records[slot];
            atomic_store_explicit(&ledger->tags[slot],
                                  (tag & ~(uint64_t) TAG_STATE) | TAG_DEAD,
                                  memory_order_release);
        } else {
            atomic_add_relaxed(&ledger->n_full, 1, &orig);
        }
    }
    fb_spin_unlock(lock_of(ledger, p));
    return record;
}

/* Returns the record of 'id', which is added if there is none, or null if
 * there is no room for it. */
struct fb_flow_record *
fb_ledger_find_or_add(struct fb_ledger *ledger, const struct fb_flow_id *id)
{
    struct place p = find_place(id);
    struct fb_flow_record *record = find_at(ledger, &p, id);

    return OVS_LIKELY(record) ? record : add_record(ledger, &p, id);
}

/* Stores the records of the 'n' flows 'ids', at most FB_LEDGER_BATCH, in
 * 'records', as fb_ledger_find_or_add() would return them.  What they need of
 * the memory is loaded for all at the same time. */
void
fb_ledger_find_or_add_batch(struct fb_ledger *ledger,
                            const struct fb_flow_id ids[],
                            struct fb_flow_record *records[], int n)
{
    struct place places[FB_LEDGER_BATCH];

    for (int i = 0; i < n; i++) {
        places[i] = find_place(&ids[i]);
        OVS_PREFETCH(&ledger->tags[first_slot(ledger, places[i].a)]);
    }
    for (int i = 0; i < n; i++) {
        uint32_t first = first_slot(ledger, places[i].a);

        records[i] = NULL;
        for (uint32_t slot = first; slot < first + FB_LEDGER_WAYS; slot++) {
            if (get_tag(ledger, slot) >> 32 == (uint32_t) places[i].a) {
                records[i] = &ledger->records[slot];
                OVS_PREFETCH_WRITE(records[i]);
                break;
            }
        }
    }
    for (int i = 0; i < n; i++) {
        if (OVS_UNLIKELY(!records[i] || !is_record_of(records[i], &ids[i])
                         || ((get_tag(ledger, records[i] - ledger->records)
                              & TAG_STATE) < TAG_DEAD))) {
            records[i] = find_at(ledger, &places[i], &ids[i]);
            if (!records[i]) {
                records[i] = add_record(ledger, &places[i], &ids[i]);
            }
        }
    }
}

/* Says whether the flow of 'record' lives. */
bool
fb_ledger_is_live(struct fb_ledger *ledger,
                  const struct fb_flow_record *record)
{
    return ((get_tag(ledger, record - ledger->records) & TAG_STATE)
            == TAG_LIVE);
}

/* Changes the state of 'record' from 'old' to 'new'.  Returns false if it was
 * another. */
static bool
change_state(struct fb_ledger *ledger, const struct fb_flow_record *record,
             enum tag_state old, enum tag_state new)
{
    uint32_t slot = record - ledger->records;
    uint64_t tag = get_tag(ledger, slot);

    return ((tag & TAG_STATE) == old
            && atomic_compare_exchange_strong_explicit(
                &ledger->tags[slot], &tag, tag - old + new,
                memory_order_acq_rel, memory_order_relaxed));
}

/* The flow of 'record' was found to be installed at 'now' (ticks): begins
 * another life, if it does not live.  'msec' is when that began, by OVS's
 * time_msec(), or 0 if that is not known. */
void
fb_ledger_revive(struct fb_ledger *ledger, struct fb_flow_record *record,
                 uint64_t now, uint32_t msec)
{
    if (change_state(ledger, record, TAG_DEAD, TAG_LIVE)) {
        atomic_store_relaxed(&record->born, fb_ledger_coarse(ledger, now));
        if (!fb_ledger_count(&record->created)) {
            atomic_store_relaxed(&record->created, msec);
        }
        atomic_store_relaxed(&record->rate, 0);
        /* No other thread begins a life before this one has ended. */
        atomic_store_relaxed(&record->installs,
                             fb_ledger_count(&record->installs) + 1);
    }
}

/* The flow of 'record' was found to have ended, by 'end', at 'now' (ticks).
 * Nothing happens if it does not live. */
void
fb_ledger_kill(struct fb_ledger *ledger, struct fb_flow_record *record,
               enum fb_end end, uint64_t now)
{
    uint64_t packets, orig;

    if (!fb_ledger_is_live(ledger, record)) {
        return;
    }
    atomic_store_relaxed(&record->died, fb_ledger_coarse(ledger, now));
    if (change_state(ledger, record, TAG_LIVE, TAG_DEAD)) {
        atomic_store_relaxed(&record->end, end);
        atomic_store_relaxed(&record->created, 0);
        atomic_read_relaxed(&record->packets, &packets);
        atomic_add_relaxed(&record->past_packets, packets, &orig);
        atomic_store_relaxed(&record->packets, 0);
        atomic_store_relaxed(&record->rate, 0);
    }
}

/* Returns the words that hold the key of 'slot'. */
static atomic_uint64_t *
key_words(const struct fb_ledger *ledger, uint32_t slot)
{
    return &ledger->keys[(size_t) slot * FB_LEDGER_KEY_WORDS];
}

/* Begins to load 'record' and its key, to write them. */
void
fb_ledger_prefetch(const struct fb_ledger *ledger,
                   const struct fb_flow_record *record)
{
    const char *key = (char *) key_words(ledger, record - ledger->records);

    OVS_PREFETCH_WRITE(record);
    OVS_PREFETCH_WRITE(&record->born);
    OVS_PREFETCH_WRITE(key);
    OVS_PREFETCH_WRITE(key + CACHE_LINE_SIZE);
}

/* Says whether 'record' has a key, or is just getting one. */
bool
fb_ledger_has_key(struct fb_ledger *ledger,
                  const struct fb_flow_record *record)
{
    uint64_t size;

    atomic_read_relaxed(key_words(ledger, record - ledger->records), &size);
    return size != 0;
}

/* Gives 'record' the 'size' bytes at 'key' for a key, unless it has one.  Does
 * nothing if 'size' is 0 or above FB_LEDGER_KEY_MAX. */
void
fb_ledger_set_key(struct fb_ledger *ledger,
                  const struct fb_flow_record *record, const void *key,
                  size_t size)
{
    atomic_uint64_t *words = key_words(ledger, record - ledger->records);
    uint64_t none = 0, data[FB_LEDGER_KEY_WORDS - 1];

    if (!size || size > sizeof data
        || !atomic_compare_exchange_strong_explicit(
               words, &none, UINT64_MAX,
               memory_order_acq_rel, memory_order_relaxed)) {
        return;
    }
    data[DIV_ROUND_UP(size, 8) - 1] = 0;
    memcpy(data, key, size);
    for (size_t i = 0; i < DIV_ROUND_UP(size, 8); i++) {
        atomic_store_relaxed(&words[i + 1], data[i]);
    }
    atomic_store_explicit(words, size, memory_order_release);
}

/* Returns the number of slots in 'ledger'. */
uint32_t
fb_ledger_n_slots(const struct fb_ledger *ledger)
{
    return ledger->n_buckets * FB_LEDGER_WAYS;
}

/* Returns '*n'. */
uint32_t
fb_ledger_count(const atomic_uint32_t *n)
{
    uint32_t value;

    atomic_read_relaxed(CONST_CAST(atomic_uint32_t *, n), &value);
    return value;
}

/* Copies the record in 'slot' to '*copy'.  Returns false if there is none or
 * it changes hands. */
bool
fb_ledger_copy(struct fb_ledger *ledger, uint32_t slot,
               struct fb_flow_copy *copy)
{
    struct fb_flow_record *record = &ledger->records[slot];
    uint64_t tag = get_tag(ledger, slot);
    uint8_t dp;

    if ((tag & TAG_STATE) < TAG_DEAD) {
        return false;
    }
    copy->slot = slot;
    copy->tag = tag;
    copy->live = (tag & TAG_STATE) == TAG_LIVE;
    atomic_read_relaxed(&record->ufid[0], &copy->id.ufid[0]);
    atomic_read_relaxed(&record->ufid[1], &copy->id.ufid[1]);
    atomic_read_relaxed(&record->pmd_id, &copy->id.pmd_id);
    atomic_read_relaxed(&record->dp, &dp);
    copy->id.dp = dp;
#define COPY(MEMBER) atomic_read_relaxed(&record->MEMBER, &copy->MEMBER)
    COPY(end);
    COPY(put_errno);
    COPY(packets);
    COPY(bytes);
    COPY(revalidation);
    COPY(seen);
    COPY(rate);
    COPY(dumps);
    COPY(installs);
    COPY(born);
    COPY(died);
    COPY(upcalls);
    COPY(setups);
    COPY(puts);
    COPY(put_errors);
    COPY(dels);
    COPY(setup);
    COPY(put);
    COPY(del);
    COPY(past_packets);
#undef COPY
    atomic_thread_fence(memory_order_acquire);
    return !((get_tag(ledger, slot) ^ tag) & ~(uint64_t) TAG_STATE);
}

/* Copies the key of the flow whose record 'copy' is of to 'key', which has
 * room for FB_LEDGER_KEY_MAX bytes.  Returns the number of bytes, or 0 if it
 * has none, or its record is no longer there. */
size_t
fb_ledger_get_key(struct fb_ledger *ledger, const struct fb_flow_copy *copy,
                  void *key)
{
    atomic_uint64_t *words = key_words(ledger, copy->slot);
    uint64_t size, data[FB_LEDGER_KEY_WORDS - 1];

    atomic_read_explicit(words, &size, memory_order_acquire);
    if (!size || size > sizeof data) {
        return 0;
    }
    for (size_t i = 0; i < DIV_ROUND_UP(size, 8); i++) {
        atomic_read_relaxed(&words[i + 1], &data[i]);
    }
    atomic_thread_fence(memory_order_acquire);
    if ((get_tag(ledger, copy->slot) ^ copy->tag) & ~(uint64_t) TAG_STATE) {
        return 0;
    }
    memcpy(key, data, size);
    return size;
}
