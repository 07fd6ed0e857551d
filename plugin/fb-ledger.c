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

#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "openvswitch/compiler.h"
#include "ovs-rcu.h"
#include "timeval.h"

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

/* Tries to get the lock of a bucket before giving up: some microseconds. */
#define LOCK_TRIES 2000

/* Tries to get a place before other threads do, before giving up. */
#define CLAIM_TRIES 16

/* Where a flow may be. */
struct place {
    uint32_t hash;              /* Upper half of its tag. */
    uint32_t lock;              /* Index of the lock for adding it. */
    uint32_t buckets[FB_LEDGER_PROBES]; /* In order of preference. */
};

/* The ledger in use, or null. */
static OVSRCU_TYPE(struct fb_ledger *) ledger_now;

/* Options for the next ledger.  There is none unless it is asked for: with it,
 * a round over a userspace datapath takes half as many instructions more. */
static uint32_t option_flows;
static unsigned int option_exact;

/* Chooses how many flows the next ledger holds, or that there is none if
 * 'max_flows' is 0, and in which rounds flows are timed one by one: in every
 * 'exact'th, or never if it is 0. */
void
fb_ledger_configure(uint32_t max_flows, unsigned int exact)
{
    option_flows = max_flows;
    option_exact = exact;
}

/* Frees 'ledger'. */
static void
ledger_free(struct fb_ledger *ledger)
{
    free(ledger->memory);
    free(ledger);
}

/* Returns 'size' bytes of zeros, or null if there is no memory.  Unlike OVS's
 * functions it does not abort the process then.  The kernel provides the
 * memory of a large block when it is first touched. */
static void *
alloc(size_t size)
{
    void *(*alloc_func)(size_t, size_t) = calloc;

    return alloc_func(1, size);
}

/* Returns a ledger with one reference, or null if there is no memory. */
static struct fb_ledger *
ledger_create(unsigned int epoch, uint64_t start)
{
    uint32_t n_buckets = DIV_ROUND_UP(option_flows, FB_LEDGER_WAYS);
    size_t n = (size_t) n_buckets * FB_LEDGER_WAYS;
    size_t slot_size = (sizeof(struct fb_flow_record)
                        + (1 + FB_LEDGER_KEY_WORDS) * sizeof(uint64_t));
    struct fb_ledger *ledger = alloc(sizeof *ledger);

    if (!ledger) {
        return NULL;
    }
    ledger->memory = alloc(n * slot_size + CACHE_LINE_SIZE);
    if (!ledger->memory) {
        free(ledger);
        return NULL;
    }
    ledger->epoch = epoch;
    ledger->start = start;
    ledger->exact = option_exact;
    ledger->n_buckets = n_buckets;
    ledger->n_refs = 1;
    ledger->records = (void *) ROUND_UP((uintptr_t) ledger->memory,
                                        CACHE_LINE_SIZE);
    ledger->tags = (void *) &ledger->records[n];
    ledger->keys = &ledger->tags[n];
    return ledger;
}

/* Makes a new, empty ledger for the recording 'epoch', which started at
 * 'start' (ticks), the one in use, if fb_ledger_configure() asked for one.  If
 * there is no memory, flows are not recorded. */
void
fb_ledger_begin(unsigned int epoch, uint64_t start)
{
    fb_ledger_drop();
    ovsrcu_set(&ledger_now, (option_flows ? ledger_create(epoch, start)
                             : NULL));
}

/* Ceases to use a ledger. */
void
fb_ledger_drop(void)
{
    struct fb_ledger *ledger = ovsrcu_get_protected(struct fb_ledger *,
                                                    &ledger_now);

    if (ledger) {
        ovsrcu_set(&ledger_now, NULL);
        fb_ledger_unref(ledger);
    }
}

/* Returns a reference to the ledger in use, which the caller must give back
 * with fb_ledger_unref(), or null. */
struct fb_ledger *
fb_ledger_ref(void)
{
    struct fb_ledger *ledger = ovsrcu_get_protected(struct fb_ledger *,
                                                    &ledger_now);

    if (ledger) {
        ledger->n_refs++;
    }
    return ledger;
}

/* Gives a reference to 'ledger' back. */
void
fb_ledger_unref(struct fb_ledger *ledger)
{
    if (ledger && !--ledger->n_refs) {
        ovsrcu_postpone(ledger_free, ledger);
    }
}

/* Returns the bytes of memory that 'ledger' takes when all of it is used. */
size_t
fb_ledger_memory(const struct fb_ledger *ledger)
{
    return sizeof *ledger + fb_ledger_n_slots(ledger)
           * (sizeof *ledger->records
              + (1 + FB_LEDGER_KEY_WORDS) * sizeof(uint64_t));
}

/* Returns the ledger of the recording 'epoch', or null if there is none. */
struct fb_ledger *
fb_ledger_get(unsigned int epoch)
{
    struct fb_ledger *ledger = ovsrcu_get(struct fb_ledger *, &ledger_now);

    return OVS_LIKELY(ledger && ledger->epoch == epoch) ? ledger : NULL;
}

/* Returns what identifies the flow 'ufid' of 'pmd_id' in datapath 'dp'. */
struct fb_flow_id
fb_flow_id(int dp, const ovs_u128 *ufid, unsigned int pmd_id)
{
    return (struct fb_flow_id) {
        .ufid = { ufid->u64.lo, ufid->u64.hi },
        .pmd_id = pmd_id,
        .dp = dp,
    };
}

/* Returns bucket number 'hash' scaled to the buckets of 'ledger'. */
static uint32_t
scale(const struct fb_ledger *ledger, uint32_t hash)
{
    return ((uint64_t) hash * ledger->n_buckets) >> 32;
}

/* Returns where 'id' may be in 'ledger'. */
static struct place
find_place(const struct fb_ledger *ledger, const struct fb_flow_id *id)
{
    uint32_t a = hash_uint64_basis(id->ufid[0], id->pmd_id);
    uint32_t b = hash_uint64_basis(id->ufid[1], a + id->dp);
    struct place p;

    p.hash = hash_2words(a, b);
    p.buckets[0] = scale(ledger, b);
    p.buckets[1] = scale(ledger, a ^ (b * 0x9e3779b1u));
    p.buckets[2] = (p.buckets[0] + 1) % ledger->n_buckets;
    p.buckets[3] = (p.buckets[1] + 1) % ledger->n_buckets;
    p.lock = b % FB_LEDGER_LOCKS;
    return p;
}

/* Returns the tag of slot 'slot'.  What it says of the record is valid. */
static uint64_t
get_tag(const struct fb_ledger *ledger, uint32_t slot)
{
    uint64_t tag;

    atomic_read_explicit(&ledger->tags[slot], &tag, memory_order_acquire);
    return tag;
}

/* Begins to load what fb_ledger_find() will look at. */
void
fb_ledger_prefetch(const struct fb_ledger *ledger, const struct fb_flow_id *id)
{
    struct place p = find_place(ledger, id);

    OVS_PREFETCH(&ledger->tags[p.buckets[0] * FB_LEDGER_WAYS]);
    OVS_PREFETCH(&ledger->tags[p.buckets[1] * FB_LEDGER_WAYS]);
}

/* Begins to load more of that.  fb_ledger_prefetch() should have come some
 * time before. */
void
fb_ledger_prefetch_record(const struct fb_ledger *ledger,
                          const struct fb_flow_id *id)
{
    struct place p = find_place(ledger, id);

    for (size_t i = 0; i < 2; i++) {
        uint32_t first = p.buckets[i] * FB_LEDGER_WAYS;

        for (uint32_t slot = first; slot < first + FB_LEDGER_WAYS; slot++) {
            if (get_tag(ledger, slot) >> 32 == p.hash) {
                OVS_PREFETCH_WRITE(&ledger->records[slot]);
                return;
            }
        }
    }
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

/* Returns the record of 'id' at 'p', or null. */
static struct fb_flow_record *
find_at(struct fb_ledger *ledger, const struct place *p,
        const struct fb_flow_id *id)
{
    for (size_t i = 0; i < FB_LEDGER_PROBES; i++) {
        uint32_t first = p->buckets[i] * FB_LEDGER_WAYS;

        for (uint32_t slot = first; slot < first + FB_LEDGER_WAYS; slot++) {
            uint64_t tag = get_tag(ledger, slot);

            if (tag >> 32 == p->hash && (tag & TAG_STATE) >= TAG_DEAD
                && is_record_of(&ledger->records[slot], id)) {
                return &ledger->records[slot];
            }
        }
    }
    return NULL;
}

/* Returns the record of 'id', or null. */
struct fb_flow_record *
fb_ledger_find(struct fb_ledger *ledger, const struct fb_flow_id *id)
{
    struct place p = find_place(ledger, id);

    return find_at(ledger, &p, id);
}

/* Makes slot 'slot', whose tag is 'old', the caller's, by a tag that is stored
 * in '*newp'.  Returns false if another thread was faster. */
static bool
claim_slot(struct fb_ledger *ledger, uint32_t slot, uint64_t old,
           uint32_t hash, uint64_t *newp)
{
    *newp = ((uint64_t) hash << 32
             | ((old + TAG_STATE + 1) & TAG_GENERATION) | TAG_BUSY);
    return atomic_compare_exchange_strong_explicit(
        &ledger->tags[slot], &old, *newp,
        memory_order_acq_rel, memory_order_relaxed);
}

/* Tries to find a slot at 'p' for a new flow and to claim it.  Takes the first
 * that is free, in the emptier of the two buckets that the flow prefers, or
 * else that of the flow that has been dead for longest.  Returns it, and its
 * tag in '*tagp', or UINT32_MAX if all are in use by flows that live, or if
 * another thread was faster, in which case '*againp' becomes true. */
static uint32_t
try_claim_place(struct fb_ledger *ledger, const struct place *p,
                uint64_t *tagp, bool *againp)
{
    uint32_t best_free = UINT32_MAX, best_dead = UINT32_MAX;
    uint32_t oldest = UINT32_MAX, orig;
    int most_free = 0;

    for (size_t i = 0; i < FB_LEDGER_PROBES; i++) {
        uint32_t first = p->buckets[i] * FB_LEDGER_WAYS;
        int n_free = 0;

        for (uint32_t slot = first; slot < first + FB_LEDGER_WAYS; slot++) {
            uint64_t tag = get_tag(ledger, slot);
            uint32_t died;

            if ((tag & TAG_STATE) == TAG_FREE && ++n_free > most_free) {
                most_free = n_free;
                best_free = slot;
            } else if ((tag & TAG_STATE) == TAG_DEAD) {
                atomic_read_relaxed(&ledger->records[slot].died, &died);
                if (died < oldest) {
                    oldest = died;
                    best_dead = slot;
                }
            }
        }
        if (i == 1 && most_free) {
            break;
        }
    }
    *againp = best_free != UINT32_MAX || best_dead != UINT32_MAX;
    if (best_free != UINT32_MAX) {
        if (claim_slot(ledger, best_free, 0, p->hash, tagp)) {
            atomic_add_relaxed(&ledger->n_used, 1, &orig);
            return best_free;
        }
    } else if (best_dead != UINT32_MAX) {
        uint64_t tag = get_tag(ledger, best_dead);

        if ((tag & TAG_STATE) == TAG_DEAD
            && claim_slot(ledger, best_dead, tag, p->hash, tagp)) {
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

/* Takes the lock that 'p' names.  Returns false if it is not free soon. */
static bool
lock_place(struct fb_ledger *ledger, const struct place *p)
{
    for (int i = 0; i < LOCK_TRIES; i++) {
        uint8_t unlocked = 0;

        if (atomic_compare_exchange_strong_explicit(
                &ledger->locks[p->lock], &unlocked, 1,
                memory_order_acquire, memory_order_relaxed)) {
            return true;
        }
    }
    return false;
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

    if (!lock_place(ledger, p)) {
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
    atomic_store_explicit(&ledger->locks[p->lock], 0, memory_order_release);
    return record;
}

/* Returns the record of 'id', which is added if there is none, or null if
 * there is no room for it. */
struct fb_flow_record *
fb_ledger_find_or_add(struct fb_ledger *ledger, const struct fb_flow_id *id)
{
    struct place p = find_place(ledger, id);
    struct fb_flow_record *record = find_at(ledger, &p, id);

    return OVS_LIKELY(record) ? record : add_record(ledger, &p, id);
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
 * another life, if it does not live. */
void
fb_ledger_revive(struct fb_ledger *ledger, struct fb_flow_record *record,
                 uint64_t now)
{
    uint32_t orig;

    if (change_state(ledger, record, TAG_DEAD, TAG_LIVE)) {
        atomic_store_relaxed(&record->born, fb_ledger_coarse(ledger, now));
        if (!fb_ledger_count(&record->created)) {
            atomic_store_relaxed(&record->created, time_msec());
        }
        atomic_store_relaxed(&record->rate, 0);
        atomic_add_relaxed(&record->installs, 1, &orig);
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
