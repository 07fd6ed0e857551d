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

#include "fb-flow-events.h"

#include <errno.h>

#include "fb-cause.h"
#include "fb-clock.h"
#include "fb-flow-key.h"
#include "fb-ledger.h"
#include "fb-thread.h"
#include "ofproto/ofproto-provider.h"
#include "timeval.h"

/* Flows in a batch that are accounted for.  OVS takes at most 50. */
#define MAX_BATCH 64

/* Idle time, in ms, after which flows go when there are more than the limit:
 * OVS's own constant, from ofproto-dpif-upcall.c. */
#define OVER_LIMIT_IDLE_MS 100

/* How much older a flow may be than we know, in ms. */
#define AGE_SLACK_MS 100

/* A flow in a batch. */
struct batch_flow {
    struct fb_flow_record *record; /* Its record, or null. */
    long long int used;         /* Last use by OVS's time_msec(), 0 if none. */
};

/* What the calling thread is doing.  It is valid in one recording. */
struct in_progress {
    unsigned int epoch;         /* That recording. */

    /* Revalidators: the batch of flows being revalidated. */
    int n_flows;                /* Elements of 'flows' in use. */
    int n_batch;                /* Flows in the batch. */
    uint64_t batch_start;       /* Ticks when it was obtained. */
    uint64_t batch_ops;         /* Ticks of it that operations took. */
    struct batch_flow flows[MAX_BATCH]; /* The flows. */

    /* Handlers: the batch of upcalls being handled. */
    unsigned int n_misses;      /* Flow misses in it. */
    bool drained;               /* No more upcalls were there. */
    uint64_t misses_start;      /* Ticks when the first was received. */
};
static __thread struct in_progress in_progress;

/* Returns the calling thread's progress in the recording 'epoch'. */
static struct in_progress *
get_progress(unsigned int epoch)
{
    if (OVS_UNLIKELY(in_progress.epoch != epoch)) {
        in_progress.epoch = epoch;
        in_progress.n_flows = in_progress.n_batch = 0;
        in_progress.n_misses = 0;
    }
    return &in_progress;
}

/* Adds 1 to '*n'. */
static void
count(atomic_uint32_t *n)
{
    uint32_t orig;

    atomic_add_relaxed(n, 1, &orig);
}

/* Adds 'ticks' to '*sum'. */
static void
add(atomic_uint64_t *sum, uint64_t ticks)
{
    uint64_t orig;

    atomic_add_relaxed(sum, ticks, &orig);
}

/* Adds 'ticks' to '*sum', which no other thread writes at this time. */
static void
add_alone(atomic_uint64_t *sum, uint64_t ticks)
{
    uint64_t old;

    atomic_read_relaxed(sum, &old);
    atomic_store_relaxed(sum, old + ticks);
}

/* Returns 'when' (ticks) as it is kept in a record's 'pending'. */
static uint32_t
pack_receipt(uint64_t when)
{
    return (uint32_t) (when >> 4) | 1;
}

/* Returns the time, in ticks, from 'pending' to 'now'.  Right if it is less
 * than 2**36 ticks, some 20 seconds. */
static uint64_t
since_receipt(uint32_t pending, uint64_t now)
{
    return (uint64_t) (pack_receipt(now) - pending) << 4;
}

/* Says whether 'flow' has been idle for more than 'ms' at 'now' (OVS's time in
 * ms).  A flow that was never used counts as idle for its age, 'age_ms', as in
 * OVS, which has it from shortly before we do. */
static bool
is_idle(const struct batch_flow *flow, long long int now, long long int ms,
        uint32_t age_ms)
{
    return flow->used ? flow->used < now - ms : age_ms + AGE_SLACK_MS > ms;
}

/* A handler received 'upcall' from datapath 'dp' at 'when'. */
void
fb_flow_received(unsigned int epoch, int dp, const struct dpif_upcall *upcall,
                 uint64_t when)
{
    struct fb_ledger *ledger = fb_ledger_get(epoch);
    struct fb_flow_record *record;
    struct in_progress *p;
    struct fb_flow_id id;
    uint32_t none = 0;

    if (!ledger || upcall->type != DPIF_UC_MISS) {
        return;
    }
    p = get_progress(epoch);
    if (!p->n_misses || p->drained) {
        p->n_misses = 0;
        p->drained = false;
        p->misses_start = when;
    }
    p->n_misses++;

    id = fb_flow_id(dp, &upcall->ufid, PMD_ID_NULL);
    record = fb_ledger_find_or_add(ledger, &id);
    if (record) {
        count(&record->upcalls);
        atomic_compare_exchange_strong_explicit(
            &record->pending, &none, pack_receipt(when),
            memory_order_relaxed, memory_order_relaxed);
    }
}

/* A handler found no more upcalls: if it does no operations now, then the
 * misses that it received cost no more. */
void
fb_flow_drained(void)
{
    in_progress.drained = true;
}

/* A userspace datapath had ofproto translate a flow miss from 'start' to
 * 'end', with result 'error'.  If that is 0 the datapath is going to install
 * the flow. */
void
fb_flow_translated(unsigned int epoch, int dp, const struct flow *flow,
                   const struct flow_wildcards *wc, const ovs_u128 *ufid,
                   unsigned int pmd_id, uint64_t start, uint64_t end,
                   int error)
{
    struct fb_ledger *ledger = fb_ledger_get(epoch);
    uint64_t ticks = fb_clock_since(start, end);
    struct fb_flow_record *record;
    struct fb_flow_id id;

    if (!ledger) {
        return;
    }
    add(&ledger->dps[dp].miss_ticks, ticks);
    add(&ledger->dps[dp].misses, 1);

    id = fb_flow_id(dp, ufid, pmd_id);
    record = fb_ledger_find_or_add(ledger, &id);
    if (!record) {
        return;
    }
    /* What is in the datapath does not miss. */
    fb_ledger_kill(ledger, record, FB_END_OUTSIDER, start);
    count(&record->upcalls);
    if (!error) {
        count(&record->setups);
        add(&record->setup, ticks);
        atomic_store_relaxed(&record->created, time_msec());
        if (!fb_ledger_has_key(ledger, record)) {
            uint8_t key[FB_LEDGER_KEY_MAX];

            fb_ledger_set_key(ledger, record, key,
                              fb_flow_key_encode_flow(flow, wc, key,
                                                      sizeof key));
        }
    }
}

/* Returns how a revalidator came to delete the flow of 'record' just now.
 * OVS does not say it; this applies OVS's own rules to what is known. */
static enum fb_end
why_deleted(int dp, const struct in_progress *p,
            const struct fb_flow_record *record)
{
    uint64_t limit = fb_cause_limit(dp);
    uint64_t n_flows = limit ? fb_cause_flows(dp) : 0;
    long long int now_ms = time_msec();
    uint32_t age_ms = (uint32_t) now_ms - fb_ledger_count(&record->created);

    for (int i = 0; i < p->n_flows; i++) {
        const struct batch_flow *flow = &p->flows[i];

        if (flow->record == record) {
            if (is_idle(flow, now_ms, ofproto_max_idle, age_ms)) {
                return FB_END_IDLE;
            }
            if (n_flows > 2 * limit
                || (n_flows > limit
                    && is_idle(flow, now_ms, OVER_LIMIT_IDLE_MS, age_ms))) {
                return FB_END_LIMIT;
            }
        }
    }
    return FB_END_CHANGED;
}

/* 'op', a flow put, took 'ticks' of the time from 'start' to 'end'. */
static void
put_done(struct fb_ledger *ledger, const struct fb_thread *thread, int dp,
         const struct dpif_op *op, uint64_t ticks, uint64_t start,
         uint64_t end)
{
    const struct dpif_flow_put *put = &op->flow_put;
    struct fb_flow_record *record;
    uint8_t key[FB_LEDGER_KEY_MAX];
    struct fb_flow_id id;
    uint32_t pending;

    if (op->error) {
        count(&ledger->dps[dp].errors[MIN(op->error, FB_LEDGER_ERRNOS - 1)]);
    }
    if (!put->ufid) {
        return;
    }
    id = fb_flow_id(dp, put->ufid, put->pmd_id);
    record = fb_ledger_find_or_add(ledger, &id);
    if (!record) {
        return;
    }
    count(&record->puts);
    add(&record->put, ticks);
    if (!fb_ledger_has_key(ledger, record)) {
        fb_ledger_set_key(ledger, record, key,
                          fb_flow_key_encode(put->key, put->key_len,
                                             put->mask, put->mask_len,
                                             key, sizeof key));
    }
    if (op->error) {
        count(&record->put_errors);
        atomic_store_relaxed(&record->put_errno, op->error);
        if (op->error == ENOENT) {
            fb_ledger_kill(ledger, record, FB_END_OUTSIDER, start);
        }
    }
    if (thread->role != FB_ROLE_HANDLER) {
        return;
    }

    pending = fb_ledger_count(&record->pending);
    if (pending && atomic_compare_exchange_strong_explicit(
                       &record->pending, &pending, 0,
                       memory_order_relaxed, memory_order_relaxed)
        && !op->error) {
        count(&record->setups);
        add(&record->setup, since_receipt(pending, end));
    }
    if (!op->error) {
        if (fb_ledger_count(&record->born) < fb_ledger_coarse(ledger, start)) {
            /* The datapath did not have it, so if it lived, it is gone. */
            fb_ledger_kill(ledger, record, FB_END_OUTSIDER, start);
        }
        fb_ledger_revive(ledger, record, end);
    }
}

/* 'op', a flow deletion, took 'ticks' of the time from 'start' to 'end'. */
static void
del_done(struct fb_ledger *ledger, const struct fb_thread *thread, int dp,
         const struct in_progress *p, const struct dpif_op *op,
         uint64_t ticks, uint64_t start, uint64_t end)
{
    const struct dpif_flow_del *del = &op->flow_del;
    struct fb_flow_record *record;
    uint8_t key[FB_LEDGER_KEY_MAX];
    struct fb_flow_id id;
    enum fb_end how;
    uint32_t orig;

    if (!del->ufid) {
        return;
    }
    id = fb_flow_id(dp, del->ufid, del->pmd_id);
    record = fb_ledger_find_or_add(ledger, &id);
    if (!record) {
        return;
    }
    count(&record->dels);
    atomic_add_relaxed(&record->del, (uint32_t) (ticks >> 4), &orig);
    if (!fb_ledger_has_key(ledger, record)) {
        fb_ledger_set_key(ledger, record, key,
                          fb_flow_key_encode(del->key, del->key_len, NULL, 0,
                                             key, sizeof key));
    }
    if (!op->error && del->stats) {
        atomic_store_relaxed(&record->packets, del->stats->n_packets);
        atomic_store_relaxed(&record->bytes, del->stats->n_bytes);
    }
    if (op->error == ENOENT) {
        how = FB_END_OUTSIDER;
    } else if (thread->role != FB_ROLE_REVALIDATOR) {
        how = FB_END_FLUSH;
    } else {
        how = why_deleted(dp, p, record);
    }
    if (!op->error || op->error == ENOENT) {
        if (!fb_ledger_count(&record->installs)) {
            /* Its life began before the recording, or no dump saw it. */
            fb_ledger_revive(ledger, record, end);
        }
        fb_ledger_kill(ledger, record, how, end);
        if (fb_ledger_count(&record->died)
            >= fb_ledger_coarse(ledger, start)) {
            /* Also if a miss was quicker to tell that it is gone. */
            atomic_store_relaxed(&record->end, how);
        }
    }
}

/* 'thread' had done the 'n_ops' operations 'ops' in datapath 'dp' from 'start'
 * to 'end'.  Each is taken to have had an equal share of the time. */
void
fb_flow_operated(const struct fb_thread *thread, int dp, struct dpif_op **ops,
                 size_t n_ops, uint64_t start, uint64_t end)
{
    struct fb_ledger *ledger = fb_ledger_get(thread->epoch);
    struct in_progress *p = get_progress(thread->epoch);
    uint64_t share = fb_clock_since(start, end) / n_ops;
    uint64_t puts = 0;

    if (!ledger) {
        return;
    }
    for (size_t i = 0; i < n_ops; i++) {
        if (ops[i]->type == DPIF_OP_FLOW_PUT) {
            put_done(ledger, thread, dp, ops[i], share, start, end);
            puts += share;
        } else if (ops[i]->type == DPIF_OP_FLOW_DEL) {
            del_done(ledger, thread, dp, p, ops[i], share, start, end);
        }
    }
    if (p->n_batch) {
        p->batch_ops += fb_clock_since(start, end);
    }
    if (p->n_misses && thread->role == FB_ROLE_HANDLER) {
        add(&ledger->dps[dp].miss_ticks,
            fb_clock_since(p->misses_start + puts, end));
        add(&ledger->dps[dp].misses, p->n_misses);
        p->n_misses = 0;
    }
}

/* Returns how many flows 'thread', a revalidator that OVS lets have
 * 'max_flows' at once, should ask for. */
int
fb_flow_batch_size(const struct fb_thread *thread, int max_flows)
{
    struct fb_ledger *ledger = fb_ledger_get(thread->epoch);

    return (ledger && ledger->exact && !(thread->round.id % ledger->exact)
            ? 1 : max_flows);
}

/* A dump of the round that began at 'round_start' (coarse) returned 'flow' at
 * 'now'.  Returns its record, or null. */
static struct fb_flow_record *
dumped(struct fb_ledger *ledger, const struct fb_flow_id *id,
       const struct dpif_flow *flow, uint32_t round_start, uint64_t now)
{
    struct fb_flow_record *record = fb_ledger_find_or_add(ledger, id);
    uint32_t coarse = fb_ledger_coarse(ledger, now);
    uint64_t packets;
    uint32_t seen;

    if (!record) {
        return NULL;
    }
    if (!fb_ledger_is_live(ledger, record)
        && (fb_ledger_count(&record->died) < round_start
            || !fb_ledger_count(&record->installs))) {
        fb_ledger_revive(ledger, record, now);
    }
    atomic_read_relaxed(&record->packets, &packets);
    seen = fb_ledger_count(&record->seen);
    if (seen && coarse > seen && flow->stats.n_packets >= packets) {
        uint64_t rate = (((flow->stats.n_packets - packets) << 8)
                         / (coarse - seen));

        atomic_store_relaxed(&record->rate, MIN(rate, UINT32_MAX));
    }
    atomic_store_relaxed(&record->seen, coarse);
    atomic_store_relaxed(&record->packets, flow->stats.n_packets);
    atomic_store_relaxed(&record->bytes, flow->stats.n_bytes);
    atomic_store_relaxed(&record->dumps,
                         fb_ledger_count(&record->dumps) + 1);
    return record;
}

/* 'thread', a revalidator in a round, obtained the 'n' flows 'flows' at
 * 'now'. */
void
fb_flow_batch_begin(const struct fb_thread *thread,
                    const struct dpif_flow *flows, int n, uint64_t now)
{
    struct fb_ledger *ledger = fb_ledger_get(thread->epoch);
    struct in_progress *p = get_progress(thread->epoch);
    struct fb_flow_id ids[MAX_BATCH];
    uint32_t round_start;
    int dp = thread->round.dp;

    p->n_flows = p->n_batch = 0;
    if (!ledger || n <= 0) {
        return;
    }
    p->n_batch = n;
    p->n_flows = MIN(n, MAX_BATCH);
    round_start = fb_ledger_coarse(ledger, thread->round.joined);
    for (int i = 0; i < p->n_flows; i++) {
        ids[i] = fb_flow_id(dp, &flows[i].ufid, flows[i].pmd_id);
        fb_ledger_prefetch(ledger, &ids[i]);
    }
    for (int i = 0; i < p->n_flows; i++) {
        fb_ledger_prefetch_record(ledger, &ids[i]);
    }
    for (int i = 0; i < p->n_flows; i++) {
        p->flows[i].record = flows[i].ufid_present
                             ? dumped(ledger, &ids[i], &flows[i],
                                      round_start, now)
                             : NULL;
        p->flows[i].used = flows[i].stats.used;
    }
    p->batch_ops = 0;
    p->batch_start = fb_clock_ticks();
}

/* 'thread' was done with its batch at 'now'.  The time without operations is
 * shared equally among its flows. */
void
fb_flow_batch_end(const struct fb_thread *thread, uint64_t now)
{
    struct in_progress *p = get_progress(thread->epoch);

    if (p->n_batch) {
        uint64_t share = (fb_clock_since(p->batch_start + p->batch_ops, now)
                          / p->n_batch);

        for (int i = 0; i < p->n_flows; i++) {
            if (p->flows[i].record) {
                add_alone(&p->flows[i].record->revalidation, share);
            }
        }
        p->n_flows = p->n_batch = 0;
    }
}

/* 'thread' led a round of datapath 'dp' that began at 'start'. */
void
fb_flow_round_end(const struct fb_thread *thread, int dp, uint64_t start)
{
    struct fb_ledger *ledger = fb_ledger_get(thread->epoch);

    if (ledger) {
        struct fb_ledger_dp *ldp = &ledger->dps[dp];

        atomic_store_relaxed(&ldp->round_before,
                             fb_ledger_count(&ldp->round));
        atomic_store_relaxed(&ldp->round, fb_ledger_coarse(ledger, start));
    }
}
