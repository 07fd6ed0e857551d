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
#include <string.h>

#include "fb-births.h"
#include "fb-clock.h"
#include "fb-end.h"
#include "fb-flow-key.h"
#include "fb-intake.h"
#include "fb-ledger-life.h"
#include "fb-ledger.h"
#include "fb-look.h"
#include "fb-misses.h"
#include "fb-preload.h"
#include "fb-record.h"
#include "fb-thread.h"
#include "timeval.h"

/* What the calling thread is doing.  It is valid in one recording. */
struct in_progress {
    unsigned int epoch;         /* That recording. */
    struct fb_births_share births; /* Set-ups that the ledger may be told. */

    /* Handlers: the batch of upcalls being handled. */
    unsigned int n_misses;      /* Flow misses in it. */
    bool drained;               /* No more upcalls were there. */
    bool unrecorded;            /* The ledger is not told of its misses. */
    uint64_t misses_start;      /* Ticks when the first was received. */

    /* Revalidators: the batch of flows being revalidated. */
    const struct dpif_flow *batch; /* As the dump returned it. */
    int n_batch;                /* Flows in it. */
    int n_records;              /* Elements of 'records' in use: 0 if the
                                 * flows of this round are not looked at. */
    uint64_t batch_start;       /* Ticks when it was obtained. */
    uint64_t batch_ops;         /* Ticks of it that operations took. */
    uint64_t look_ticks;        /* Ticks that looking took in this round. */
    struct fb_flow_record *records[FB_LEDGER_BATCH]; /* The flows', or null. */
};
static __thread struct in_progress in_progress;

/* Returns the calling thread's progress in the recording 'epoch'. */
static struct in_progress *
get_progress(unsigned int epoch)
{
    if (OVS_UNLIKELY(in_progress.epoch != epoch)) {
        in_progress.epoch = epoch;
        in_progress.births = (struct fb_births_share) { .left = 0 };
        in_progress.unrecorded = false;
        in_progress.n_records = in_progress.n_batch = 0;
        in_progress.look_ticks = 0;
        in_progress.n_misses = 0;
    }
    return &in_progress;
}

/* Adds 'ticks' to '*sum', which no other thread writes at this time. */
static void
add_alone(atomic_uint64_t *sum, uint64_t ticks)
{
    uint64_t old;

    atomic_read_relaxed(sum, &old);
    atomic_store_relaxed(sum, old + ticks);
}

/* Returns the lower 32 bits of OVS's time_msec() at 'now' (ticks), not long
 * ago.  To ask for it takes the time of a whole lookup, so each thread does so
 * once in a coarse unit of time. */
static uint32_t
msec_at(uint64_t now)
{
    static __thread uint64_t asked;
    static __thread uint32_t msec;

    if (now >> FB_LEDGER_COARSE_SHIFT != asked) {
        asked = now >> FB_LEDGER_COARSE_SHIFT;
        msec = time_msec();
    }
    return msec;
}

/* Fills in what 'event', of 'kind', about a flow of datapath 'dp' and of
 * 'pmd_id' from 'start' to 'end', has in common with others. */
static inline void
fill_in(struct fb_flow_event *event, enum fb_flow_event_kind kind,
        unsigned int epoch, int dp, const ovs_u128 *ufid, unsigned int pmd_id,
        uint64_t start, uint64_t end)
{
    event->epoch = epoch;
    event->n_words = 0;
    event->kind = kind;
    event->dp = dp;
    event->ufid[0] = ufid->u64.lo;
    event->ufid[1] = ufid->u64.hi;
    event->pmd_id = pmd_id;
    event->error = 0;
    event->start = start;
    event->end = end;
    event->msec = msec_at(end);
}

/* Counts a miss of datapath 'dp' of which the ledger is not told. */
static void
count_unrecorded(unsigned int epoch, int dp)
{
    fb_record_add(fb_thread_record(fb_thread_self(epoch), dp),
                  FB_C_UNRECORDED, 1);
}

/* The calling thread is about to have a miss translated: loads what it would
 * tell the ledger with. */
void
fb_flow_translates(unsigned int epoch)
{
    if (get_progress(epoch)->births.left > 0) {
        fb_intake_prefetch();
    }
}

/* A handler received 'upcall' from datapath 'dp' at 'when'.  Its packet found
 * no flow at 'sent_after' or later.  Either the ledger is told of all misses
 * of a batch and of the flow puts that answer them, or of none. */
void
fb_flow_received(unsigned int epoch, int dp, const struct dpif_upcall *upcall,
                 uint64_t sent_after, uint64_t when)
{
    struct fb_flow_event *event;
    struct in_progress *p;

    if (upcall->type != DPIF_UC_MISS) {
        return;
    }
    p = get_progress(epoch);
    if (!p->n_misses || p->drained) {
        p->n_misses = 0;
        p->drained = false;
        p->unrecorded = !fb_births_admit(&p->births, when);
        p->misses_start = when;
    }
    p->n_misses++;
    if (p->unrecorded) {
        count_unrecorded(epoch, dp);
        return;
    }
    fb_births_record(&p->births);

    event = fb_intake_begin();
    fill_in(event, FB_EV_RECEIVED, epoch, dp, &upcall->ufid, PMD_ID_NULL,
            when, when);
    event->ticks = sent_after;
    fb_intake_end(event);
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
 * the flow, 'flow' masked by 'wc'.  A flow of a userspace datapath belongs to
 * one thread, the only one in which it misses.
 *
 * Returns 0 if the ledger is told of it.  Otherwise it is not to be told of
 * further ones before the time that is returned, in ticks. */
uint64_t
fb_flow_translated(unsigned int epoch, int dp, const ovs_u128 *ufid,
                   unsigned int pmd_id, const struct flow *flow,
                   const struct flow_wildcards *wc,
                   uint64_t start, uint64_t end, int error)
{
    struct in_progress *p = get_progress(epoch);
    struct fb_flow_event *event;

    fb_misses_add(epoch, dp, fb_clock_since(start, end));
    if (!fb_births_admit(&p->births, end)) {
        count_unrecorded(epoch, dp);
        return p->births.not_before;
    }
    fb_births_record(&p->births);

    event = fb_intake_begin();
    fill_in(event, FB_EV_TRANSLATED, epoch, dp, ufid, pmd_id, start, end);
    event->error = MIN(error, UINT16_MAX);
    if (!error && wc && fb_ledger_get(epoch)) {
        event->n_words = fb_flow_key_pick(flow, wc, event->words);
    }
    fb_intake_end(event);
    return 0;
}

/* Returns how a revalidator came to delete the flow 'id', whose record is
 * 'record', just now. */
static enum fb_end
why_deleted(const struct fb_flow_id *id, const struct in_progress *p,
            const struct fb_flow_record *record)
{
    uint32_t now = time_msec();

    for (int i = 0; i < p->n_batch; i++) {
        const struct dpif_flow *flow = &p->batch[i];

        if (flow->ufid.u64.lo == id->ufid[0]
            && flow->ufid.u64.hi == id->ufid[1]
            && flow->pmd_id == id->pmd_id) {
            uint32_t created = fb_ledger_count(&record->created);

            return fb_end_infer(id->dp, flow->stats.used,
                                created ? now - created : UINT64_MAX);
        }
    }
    return FB_END_CHANGED;
}

/* Copies what 'put' has for its flow to match to the end of 'event', if there
 * is room. */
static void
copy_key(struct fb_flow_event *event, const struct dpif_flow_put *put)
{
    size_t n_key = DIV_ROUND_UP(put->key_len, 8);
    size_t n_mask = put->mask ? DIV_ROUND_UP(put->mask_len, 8) : 0;

    if (n_key + n_mask <= FB_EVENT_WORDS) {
        memcpy(event->words, put->key, put->key_len);
        if (n_mask) {
            memcpy(&event->words[n_key], put->mask, put->mask_len);
        }
        event->key_len = put->key_len;
        event->mask_len = n_mask ? put->mask_len : 0;
        event->n_words = n_key + n_mask;
    }
}

/* 'op', a flow put, took 'ticks' of the time from 'start' to 'end'. */
static void
put_done(struct fb_ledger *ledger, const struct fb_thread *thread, int dp,
         const struct dpif_op *op, uint64_t ticks, uint64_t start,
         uint64_t end)
{
    const struct dpif_flow_put *put = &op->flow_put;
    bool handler = thread->role == FB_ROLE_HANDLER;
    struct fb_flow_event *event;

    if (op->error && ledger) {
        fb_record_count(&ledger->dps[dp].errors[MIN(op->error,
                                                    FB_LEDGER_ERRNOS - 1)]);
    }
    if (!put->ufid || (handler && in_progress.unrecorded)) {
        return;
    }
    event = fb_intake_begin();
    fill_in(event, FB_EV_PUT, thread->epoch, dp, put->ufid, put->pmd_id,
            start, end);
    event->ticks = ticks;
    event->error = MIN(op->error, UINT16_MAX);
    event->handler = handler;
    if (ledger) {
        copy_key(event, put);
    }
    fb_intake_end(event);
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

    if (!del->ufid) {
        return;
    }
    id = fb_flow_id(dp, del->ufid, del->pmd_id);
    record = fb_ledger_find_or_add(ledger, &id);
    if (!record) {
        return;
    }
    fb_record_count(&record->dels);
    fb_record_sum_up_to_max(&record->del, ticks >> 4);
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
        how = why_deleted(&id, p, record);
    }
    if (!op->error || op->error == ENOENT) {
        uint32_t began = fb_ledger_coarse(ledger, start);
        uint32_t died = fb_ledger_count(&record->died);

        if (!fb_ledger_count(&record->installs)
            || (!op->error && fb_ledger_is_before(died, began))) {
            /* Its life began before the recording, or its set-up was not
             * recorded and no dump saw it. */
            fb_ledger_revive(ledger, record, end, 0);
        }
        fb_ledger_kill(ledger, record, how, end);
        if (!fb_ledger_is_before(fb_ledger_count(&record->died), began)) {
            /* Also if a miss was quicker to tell that it is gone. */
            atomic_store_relaxed(&record->end, how);
        }
    }
}

/* 'thread' is about to do the 'n_ops' operations 'ops'.  What other threads
 * have reported comes before deletions. */
void
fb_flow_operates(struct dpif_op **ops, size_t n_ops)
{
    for (size_t i = 0; i < n_ops; i++) {
        if (ops[i]->type == DPIF_OP_FLOW_DEL) {
            fb_intake_drain(UINT64_MAX);
            break;
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

    for (size_t i = 0; i < n_ops; i++) {
        if (ops[i]->type == DPIF_OP_FLOW_PUT) {
            put_done(ledger, thread, dp, ops[i], share, start, end);
            puts += share;
        } else if (ops[i]->type == DPIF_OP_FLOW_DEL && ledger) {
            del_done(ledger, thread, dp, p, ops[i], share, start, end);
        }
    }
    if (p->n_batch) {
        p->batch_ops += fb_clock_since(start, end);
    }
    if (p->n_misses && thread->role == FB_ROLE_HANDLER) {
        if (ledger) {
            fb_record_sum(&ledger->dps[dp].miss_ticks,
                          fb_clock_since(p->misses_start + puts, end));
            fb_record_sum(&ledger->dps[dp].misses, p->n_misses);
        }
        p->n_misses = 0;
        p->unrecorded = false;
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

/* 'thread' leads a round, which begins at 'now'. */
void
fb_flow_round_begin(const struct fb_thread *thread, uint64_t now)
{
    struct fb_ledger *ledger = fb_ledger_get(thread->epoch);
    uint64_t id = thread->round.id;

    if (ledger && id) {
        fb_look_begin(&ledger->dps[thread->round.dp].look, ledger->every, id,
                      ledger->exact && !(id % ledger->exact), now);
    }
}

/* A dump of the round that began at 'round_start' (coarse) returned 'flow',
 * whose record is 'record', at 'now'. */
static void
dumped(struct fb_ledger *ledger, struct fb_flow_record *record,
       const struct dpif_flow *flow, uint32_t round_start, uint64_t now)
{
    uint32_t coarse = fb_ledger_coarse(ledger, now);
    uint64_t packets, rate = 0;
    uint32_t seen;

    if (!fb_ledger_is_live(ledger, record)
        && (fb_ledger_is_before(fb_ledger_count(&record->died), round_start)
            || !fb_ledger_count(&record->installs))) {
        fb_ledger_revive(ledger, record, now, 0);
    }
    atomic_read_relaxed(&record->packets, &packets);
    seen = fb_ledger_count(&record->seen);
    if (seen && fb_ledger_is_before(seen, coarse)
        && flow->stats.n_packets >= packets) {
        if (flow->stats.n_packets > packets) {
            rate = (((flow->stats.n_packets - packets) << 8)
                    / (coarse - seen));
        }
        atomic_store_relaxed(&record->rate, MIN(rate, UINT32_MAX));
    }
    atomic_store_relaxed(&record->seen, coarse);
    atomic_store_relaxed(&record->packets, flow->stats.n_packets);
    atomic_store_relaxed(&record->bytes, flow->stats.n_bytes);
    atomic_store_relaxed(&record->dumps,
                         fb_ledger_count(&record->dumps) + 1);
}

/* Looks at the batch of flows that 'thread' obtained at 'now'. */
static void
look_at_batch(struct fb_ledger *ledger, const struct fb_thread *thread,
              struct in_progress *p, uint64_t now)
{
    uint32_t round_start = fb_ledger_coarse(ledger, thread->round.joined);
    int n = MIN(p->n_batch, FB_LEDGER_BATCH);
    struct fb_flow_id ids[FB_LEDGER_BATCH];

    /* A flow that is dumped has been reported before. */
    fb_intake_drain(UINT64_MAX);
    ids[0].dp = 0;              /* The compiler does not know that n > 0. */
    for (int i = 0; i < n; i++) {
        const struct dpif_flow *flow = &p->batch[i];

        if (OVS_UNLIKELY(!flow->ufid_present)) {
            /* An old kernel, whose flows are not recorded. */
            return;
        }
        ids[i] = fb_flow_id(thread->round.dp, &flow->ufid, flow->pmd_id);
    }
    fb_ledger_find_or_add_batch(ledger, ids, p->records, n);
    for (int i = 0; i < n; i++) {
        if (OVS_LIKELY(p->records[i])) {
            dumped(ledger, p->records[i], &p->batch[i], round_start, now);
        }
    }
    p->n_records = n;
}

/* 'thread', a revalidator in a round, obtained the 'n' flows 'flows' at
 * 'now'. */
void
fb_flow_batch_begin(const struct fb_thread *thread,
                    const struct dpif_flow *flows, int n, uint64_t now)
{
    struct fb_ledger *ledger = fb_ledger_get(thread->epoch);
    struct in_progress *p = get_progress(thread->epoch);
    struct fb_ledger_dp *ldp;

    p->n_records = p->n_batch = 0;
    if (!ledger || n <= 0) {
        return;
    }
    ldp = &ledger->dps[thread->round.dp];
    p->batch = flows;
    p->n_batch = n;
    if (fb_look_is_on(&ldp->look, thread->round.id)) {
        look_at_batch(ledger, thread, p, now);
        p->batch_ops = 0;
        p->batch_start = fb_clock_ticks();
        p->look_ticks += fb_clock_since(now, p->batch_start);
    }
}

/* 'thread' was done with its batch at 'now'.  The time without operations is
 * shared equally among its flows. */
void
fb_flow_batch_end(const struct fb_thread *thread, uint64_t now)
{
    struct in_progress *p = get_progress(thread->epoch);
    struct fb_ledger *ledger;

    if (p->n_records) {
        uint64_t share = (fb_clock_since(p->batch_start + p->batch_ops, now)
                          / p->n_batch);

        ledger = fb_ledger_get(thread->epoch);
        if (ledger) {
            share *= fb_look_weight(&ledger->dps[thread->round.dp].look);
        }
        for (int i = 0; i < p->n_records; i++) {
            if (OVS_LIKELY(ledger && p->records[i])) {
                add_alone(&p->records[i]->revalidation, share);
            }
        }
        p->look_ticks += fb_clock_since(now, fb_clock_ticks());
    }
    p->n_records = p->n_batch = 0;
}

/* 'thread' has no more flows to dump at 'now'. */
void
fb_flow_dump_end(const struct fb_thread *thread, uint64_t now)
{
    struct in_progress *p = get_progress(thread->epoch);
    struct fb_ledger *ledger = fb_ledger_get(thread->epoch);

    fb_flow_batch_end(thread, now);
    if (ledger && thread->round.stage == FB_STAGE_DUMP) {
        fb_look_add(&ledger->dps[thread->round.dp].look,
                    thread->round.work.n[FB_W_FLOWS], p->look_ticks,
                    fb_clock_since(thread->round.joined, now));
    }
    p->look_ticks = 0;
}

/* 'thread' led a round of datapath 'dp' that began at 'start'. */
void
fb_flow_round_end(const struct fb_thread *thread, int dp, uint64_t start)
{
    struct fb_ledger *ledger = fb_ledger_get(thread->epoch);
    struct fb_ledger_dp *ldp;

    if (!ledger) {
        return;
    }
    ldp = &ledger->dps[dp];
    fb_look_end(&ldp->look, thread->round.id);
    if (fb_look_is_on(&ldp->look, thread->round.id)) {
        atomic_store_relaxed(&ldp->round_before,
                             fb_ledger_count(&ldp->round));
        atomic_store_relaxed(&ldp->round, fb_ledger_coarse(ledger, start));
    }
}
