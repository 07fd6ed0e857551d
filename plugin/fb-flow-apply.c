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

#include "fb-flow-apply.h"

#include <errno.h>

#include "fb-clock.h"
#include "fb-flow-key.h"
#include "fb-intake.h"
#include "fb-ledger-life.h"
#include "fb-ledger.h"
#include "fb-returns.h"
#include "fb-worst-put.h"
#include "netlink.h"
#include "util.h"

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

/* Returns the flow of 'event'. */
static struct fb_flow_id
id_of(const struct fb_flow_event *event)
{
    return (struct fb_flow_id) {
        .ufid = { event->ufid[0], event->ufid[1] },
        .pmd_id = event->pmd_id,
        .dp = event->dp,
    };
}

/* Says whether the present life of 'record' began after 'when' (ticks), as
 * when a dump shows a flow before the event that says so is applied. */
static bool
is_born_after(struct fb_ledger *ledger, const struct fb_flow_record *record,
              uint64_t when)
{
    return (fb_ledger_is_live(ledger, record)
            && fb_ledger_is_before(fb_ledger_coarse(ledger, when),
                                   fb_ledger_count(&record->born)));
}

/* A packet that came in at 'when' did not find the flow of 'record', or it was
 * not there to be changed: if it lived, it is gone. */
static void
is_absent(struct fb_ledger *ledger, struct fb_flow_record *record,
          uint64_t when)
{
    if (!is_born_after(ledger, record, when)) {
        fb_ledger_kill(ledger, record, FB_END_OUTSIDER, when);
    }
}

/* Gives 'record' what its flow matches, if 'event' knows and the record does
 * not. */
static void
keep_key(struct fb_ledger *ledger, const struct fb_flow_record *record,
         const struct fb_flow_event *event)
{
    uint8_t key[FB_LEDGER_KEY_MAX];
    size_t n;

    if (!event->n_words || fb_ledger_has_key(ledger, record)) {
        return;
    }
    if (event->kind == FB_EV_PUT) {
        size_t mask = DIV_ROUND_UP(event->key_len, 8);

        n = fb_flow_key_encode((const struct nlattr *) event->words,
                               event->key_len,
                               (const struct nlattr *) &event->words[mask],
                               event->mask_len, key, sizeof key);
    } else {
        n = fb_flow_key_encode_picked(event->words, event->n_words, key,
                                      sizeof key);
    }
    fb_ledger_set_key(ledger, record, key, n);
}

/* A handler received a miss. */
static void
received(struct fb_ledger *ledger, struct fb_flow_record *record,
         const struct fb_flow_event *event)
{
    uint32_t none = 0;

    fb_record_count(&record->upcalls);
    if (!is_born_after(ledger, record, event->start)) {
        atomic_compare_exchange_strong_explicit(
            &record->pending, &none, pack_receipt(event->start),
            memory_order_relaxed, memory_order_relaxed);
    }
}

/* A miss of a userspace datapath was translated. */
static void
translated(struct fb_ledger *ledger, struct fb_flow_record *record,
           const struct fb_flow_event *event)
{
    /* What is in the datapath does not miss. */
    is_absent(ledger, record, event->start);
    fb_record_count(&record->upcalls);
    if (!event->error) {
        fb_record_count(&record->setups);
        fb_record_sum(&record->setup,
                      fb_clock_since(event->start, event->end));
        fb_ledger_revive(ledger, record, event->end, event->msec);
        keep_key(ledger, record, event);
    }
}

/* A handler's flow put was done: it answers the upcalls. */
static void
answered(struct fb_ledger *ledger, struct fb_flow_record *record,
         const struct fb_flow_event *event)
{
    uint32_t pending = fb_ledger_count(&record->pending);

    if (pending && atomic_compare_exchange_strong_explicit(
                       &record->pending, &pending, 0,
                       memory_order_relaxed, memory_order_relaxed)
        && !event->error) {
        fb_record_count(&record->setups);
        fb_record_sum(&record->setup, since_receipt(pending, event->end));
    }
    if (!event->error) {
        if (fb_ledger_is_before(fb_ledger_count(&record->born),
                                fb_ledger_coarse(ledger, event->start))) {
            /* The datapath did not have it. */
            is_absent(ledger, record, event->start);
        }
        fb_ledger_revive(ledger, record, event->end, event->msec);
    }
}

/* A flow put was done. */
static void
put(struct fb_ledger *ledger, struct fb_flow_record *record,
    const struct fb_flow_event *event)
{
    fb_record_count(&record->puts);
    fb_record_sum(&record->put, event->ticks);
    keep_key(ledger, record, event);
    if (event->error) {
        fb_record_count(&record->put_errors);
        fb_worst_put_note(ledger, record, event->dp);
        atomic_store_relaxed(&record->put_errno, event->error);
        if (event->error == ENOENT) {
            is_absent(ledger, record, event->start);
        }
    }
    if (event->handler) {
        answered(ledger, record, event);
    }
}

/* Applies 'event' to what is kept without a ledger, too. */
static void
apply_to_returns(const struct fb_flow_event *event)
{
    struct fb_flow_id id = id_of(event);

    switch (event->kind) {
    case FB_EV_RECEIVED:
        fb_returns_missed(&id, event->ticks, event->start);
        break;
    case FB_EV_TRANSLATED:
        fb_returns_missed(&id, event->start, event->start);
        if (!event->error) {
            fb_returns_put(&id, event->end);
        }
        break;
    case FB_EV_PUT:
        if (event->handler && !event->error) {
            fb_returns_put(&id, event->end);
        }
        break;
    default:
        break;
    }
}

/* Applies the 'n' events 'events', at most FB_FLOW_APPLY_MAX, which are all
 * from one recording, to its ledger. */
static void
apply_to_ledger(struct fb_ledger *ledger,
                const struct fb_flow_event *const events[], size_t n)
{
    struct fb_flow_record *records[FB_FLOW_APPLY_MAX];
    struct fb_flow_id ids[FB_FLOW_APPLY_MAX];

    for (size_t i = 0; i < n; i++) {
        ids[i] = id_of(events[i]);
    }
    fb_ledger_find_or_add_batch(ledger, ids, records, n);
    for (size_t i = 0; i < n; i++) {
        if (records[i]) {
            fb_ledger_prefetch(ledger, records[i]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (!records[i]) {
            continue;
        }
        switch (events[i]->kind) {
        case FB_EV_RECEIVED:
            received(ledger, records[i], events[i]);
            break;
        case FB_EV_TRANSLATED:
            translated(ledger, records[i], events[i]);
            break;
        case FB_EV_PUT:
            put(ledger, records[i], events[i]);
            break;
        default:
            break;
        }
    }
}

/* Applies the 'n' events 'events', at most FB_FLOW_APPLY_MAX, in their order.
 * Those of an earlier recording are forgotten. */
void
fb_flow_apply(const struct fb_flow_event *const events[], size_t n)
{
    const struct fb_flow_event *current[FB_FLOW_APPLY_MAX];
    unsigned int epoch = fb_returns_epoch();
    struct fb_ledger *ledger = fb_ledger_get(epoch);
    size_t n_current = 0;

    for (size_t i = 0; i < n; i++) {
        if (events[i]->epoch == epoch) {
            apply_to_returns(events[i]);
            current[n_current++] = events[i];
        }
    }
    if (ledger && n_current) {
        apply_to_ledger(ledger, current, n_current);
    }
}
