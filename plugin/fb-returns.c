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

#include "fb-returns.h"

#include <string.h>

#include "fb-clock.h"
#include "hash.h"
#include "ovs-atomic.h"
#include "util.h"

/* Slots: a power of two. */
#define N_SLOTS 65536

/* A slot is one word, so that it is read and written at once:
 *
 *     bits 0-22   when, in units of UNIT_MS since the recording began
 *     bit 23      is the flow there, as far as is known?
 *     bits 24-26  enum fb_end of its latest end
 *     bits 27-31  how often it returned, in a row; no more than MAX_RETURNS
 *     bits 32-35  datapath
 *     bits 36-63  part of a hash of the ufid
 *
 * Times wrap after 37 hours, which may take an old flow for a recent one,
 * once, if it is put in just the right 10 seconds. */
#define UNIT_MS 16
#define TIME_MASK ((UINT32_C(1) << 23) - 1)
#define ALIVE (UINT32_C(1) << 23)
#define END_SHIFT 24
#define END_MASK 7
#define RETURNS_SHIFT 27
#define MAX_RETURNS 31
BUILD_ASSERT_DECL(FB_N_ENDS <= END_MASK + 1);
BUILD_ASSERT_DECL(FB_MAX_DATAPATHS <= 16);

static atomic_uint64_t slots[N_SLOTS];

/* Sums of one kind of end. */
struct sums {
    atomic_uint64_t n;          /* Returns. */
    atomic_uint64_t away_ms;    /* Time from their ends to them. */
    atomic_uint64_t away_max_ms; /* The longest. */
    atomic_uint64_t first;      /* Ticks at the first. */
};
static struct sums sums[FB_MAX_DATAPATHS][FB_N_ENDS];

/* Flows that vanished. */
struct vanished {
    atomic_uint64_t n;          /* Times that one was found to have. */
    atomic_uint64_t n_astray;   /* Misses of such flows. */
    atomic_uint64_t first;      /* Ticks at the first. */
};
static struct vanished vanished[FB_MAX_DATAPATHS];

/* A packet that misses this long, in ms, after its flow was set up, or less,
 * may have been looked up before that was done. */
#define ON_ITS_WAY_MS 1000

/* Ticks when the recording began, and which it is. */
static atomic_uint64_t start;
static atomic_uint epoch;

/* OVS's other_config:max-idle, or null if there is none, as in a unit test. */
static const unsigned int *max_idle_ms;

/* Commands that delete flows.  Main thread only. */
static uint64_t n_deletes, last_delete;
static char delete_name[64];

/* Prepares: '*ms' is other_config:max-idle, which only the main thread
 * changes. */
void
fb_returns_init(const unsigned int *ms)
{
    max_idle_ms = ms;
}

/* The recording 'new_epoch' begins. */
void
fb_returns_begin(unsigned int new_epoch)
{
    atomic_store_relaxed(&epoch, 0);
    for (size_t i = 0; i < N_SLOTS; i++) {
        atomic_store_relaxed(&slots[i], 0);
    }
    for (size_t dp = 0; dp < FB_MAX_DATAPATHS; dp++) {
        atomic_store_relaxed(&vanished[dp].n, 0);
        atomic_store_relaxed(&vanished[dp].n_astray, 0);
        atomic_store_relaxed(&vanished[dp].first, 0);
        for (size_t end = 0; end < FB_N_ENDS; end++) {
            atomic_store_relaxed(&sums[dp][end].n, 0);
            atomic_store_relaxed(&sums[dp][end].away_ms, 0);
            atomic_store_relaxed(&sums[dp][end].away_max_ms, 0);
            atomic_store_relaxed(&sums[dp][end].first, 0);
        }
    }
    atomic_store_relaxed(&start, fb_clock_ticks());
    atomic_store_explicit(&epoch, new_epoch, memory_order_release);
    n_deletes = last_delete = 0;
    delete_name[0] = '\0';
}

/* Returns the recording that began last, which may be over, or 0. */
unsigned int
fb_returns_epoch(void)
{
    unsigned int now;

    atomic_read_explicit(&epoch, &now, memory_order_acquire);
    return now;
}

/* Returns 'now' (ticks) as a slot has it. */
static uint32_t
pack_time(uint64_t now)
{
    uint64_t from;

    atomic_read_relaxed(&start, &from);
    return (fb_clock_to_ns(fb_clock_since(from, now)) / (UNIT_MS * 1000000)
            & TIME_MASK);
}

/* Returns the slot of the flow 'id', and stores in '*tagp' the upper half of
 * its word. */
static atomic_uint64_t *
find_slot(const struct fb_flow_id *id, uint32_t *tagp)
{
    uint64_t hash = hash_uint64_basis(id->ufid[0], hash_uint64(id->ufid[1]));

    *tagp = ((uint32_t) (id->ufid[0] ^ id->ufid[1] >> 32 ^ id->pmd_id) << 4
             | id->dp);
    return &slots[hash & (N_SLOTS - 1)];
}

/* Adds to the sums of 'dp' and 'end' a return at 'now' after 'away_ms'. */
static void
count_return(int dp, enum fb_end end, uint64_t away_ms, uint64_t now)
{
    struct sums *s = &sums[dp][end];
    uint64_t orig;

    atomic_add_relaxed(&s->n, 1, &orig);
    if (!orig) {
        atomic_store_relaxed(&s->first, now);
    }
    atomic_add_relaxed(&s->away_ms, away_ms, &orig);
    atomic_read_relaxed(&s->away_max_ms, &orig);
    if (away_ms > orig) {
        atomic_store_relaxed(&s->away_max_ms, away_ms);
    }
}

/* Returns for how long, in ms, the flow 'id' has been there at 'now', 0 if it
 * was set up later, or UINT64_MAX if that is not known. */
uint64_t
fb_returns_age(const struct fb_flow_id *id, uint64_t now)
{
    uint32_t tag, age;
    uint64_t word;

    atomic_read_relaxed(find_slot(id, &tag), &word);
    if (word >> 32 != tag || !(word & ALIVE)) {
        return UINT64_MAX;
    }
    age = (pack_time(now) - (uint32_t) word) & TIME_MASK;
    return age > TIME_MASK / 2 ? 0 : (uint64_t) age * UNIT_MS;
}

/* It is seen at 'now' that a packet of the flow 'id' found no flow.  It did so
 * at 'sent_after' or later: a packet may have waited for ovs-vswitchd. */
void
fb_returns_missed(const struct fb_flow_id *id, uint64_t sent_after,
                  uint64_t now)
{
    struct vanished *v = &vanished[id->dp];
    uint32_t tag;
    atomic_uint64_t *slot = find_slot(id, &tag);
    uint64_t word, orig;

    atomic_read_relaxed(slot, &word);
    if (OVS_LIKELY(word >> 32 != tag)) {
        return;
    }
    if (word & ALIVE) {
        if (fb_returns_age(id, sent_after) < ON_ITS_WAY_MS) {
            return;
        }
        fb_returns_deleted(id, FB_END_OUTSIDER, now);
        atomic_add_relaxed(&v->n, 1, &orig);
        if (!orig) {
            atomic_store_relaxed(&v->first, now);
        }
    } else if ((word >> END_SHIFT & END_MASK) != FB_END_OUTSIDER) {
        return;
    }
    atomic_add_relaxed(&v->n_astray, 1, &orig);
}

/* The flow 'id' was set up at 'now'. */
void
fb_returns_put(const struct fb_flow_id *id, uint64_t now)
{
    uint32_t time = pack_time(now);
    uint32_t tag, low = 0;
    atomic_uint64_t *slot = find_slot(id, &tag);
    uint64_t word;

    atomic_read_relaxed(slot, &word);
    if (word && word >> 32 == tag) {
        uint64_t away_ms = ((time - (uint32_t) word) & TIME_MASK) * UNIT_MS;
        uint32_t n = (uint32_t) word >> RETURNS_SHIFT;

        low = (uint32_t) word & ~(TIME_MASK | ALIVE);
        if (!(word & ALIVE)) {
            low &= END_MASK << END_SHIFT;
            if (away_ms <= FB_RETURN_MS) {
                low |= MIN(n + 1, MAX_RETURNS) << RETURNS_SHIFT;
                count_return(id->dp, low >> END_SHIFT & END_MASK, away_ms,
                             now);
            }
        }
    }
    atomic_store_relaxed(slot, (uint64_t) tag << 32 | low | ALIVE | time);
}

/* The flow 'id' ended by 'end' at 'now'. */
void
fb_returns_deleted(const struct fb_flow_id *id, enum fb_end end, uint64_t now)
{
    uint32_t tag, n = 0;
    atomic_uint64_t *slot = find_slot(id, &tag);
    uint64_t word;

    atomic_read_relaxed(slot, &word);
    if (word && word >> 32 == tag) {
        n = (uint32_t) word >> RETURNS_SHIFT;
    }
    atomic_store_relaxed(slot, ((uint64_t) tag << 32 | n << RETURNS_SHIFT
                                | (uint32_t) end << END_SHIFT
                                | pack_time(now)));
}

/* The main thread runs the command 'name' at 'now'. */
void
fb_returns_command(const char *name, uint64_t now)
{
    if (!strncmp(name, "dpctl/del-flow", strlen("dpctl/del-flow"))
        || !strcmp(name, "revalidator/purge")) {
        n_deletes++;
        last_delete = now;
        ovs_strzcpy(delete_name, name, sizeof delete_name);
    }
}

/* Copies all that was seen to '*all'. */
void
fb_returns_read(struct fb_returns_all *all)
{
    memset(all, 0, sizeof *all);
    for (size_t dp = 0; dp < FB_MAX_DATAPATHS; dp++) {
        struct fb_vanished *v = &all->vanished[dp];

        atomic_read_relaxed(&vanished[dp].n, &v->n);
        atomic_read_relaxed(&vanished[dp].n_astray, &v->n_astray);
        atomic_read_relaxed(&vanished[dp].first, &v->first);
        for (size_t end = 0; end < FB_N_ENDS; end++) {
            struct fb_returns *r = &all->dps[dp][end];
            struct sums *s = &sums[dp][end];

            atomic_read_relaxed(&s->n, &r->n);
            atomic_read_relaxed(&s->away_ms, &r->away_ms);
            atomic_read_relaxed(&s->away_max_ms, &r->away_max_ms);
            atomic_read_relaxed(&s->first, &r->first);
        }
    }
    for (size_t i = 0; i < N_SLOTS; i++) {
        struct fb_returns *r;
        uint64_t word;
        uint32_t n;

        atomic_read_relaxed(&slots[i], &word);
        n = (uint32_t) word >> RETURNS_SHIFT;
        r = &all->dps[word >> 32 & (FB_MAX_DATAPATHS - 1)]
                     [word >> END_SHIFT & END_MASK];
        r->n_circling += n >= FB_RETURN_CIRCLES;
        r->most = MAX(r->most, n);
    }
    all->max_idle_ms = max_idle_ms ? *max_idle_ms : 0;
    all->n_deletes = n_deletes;
    all->last_delete = last_delete;
    ovs_strzcpy(all->delete_name, delete_name, sizeof all->delete_name);
}
