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

#include "fb-flows.h"

#include <stdlib.h>
#include <string.h>

#include "fb-clock.h"
#include "fb-flow-text.h"
#include "fb-intake.h"
#include "fb-ledger-life.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Flows looked at between two looks at the clock, with and without making
 * their text. */
#define STEP_TEXT 16
#define STEP_PLAIN 256

/* Slices in which to have events applied, before the search goes on without
 * the rest: only if a thread that is about it does not run. */
#define MAX_DRAINS 100

const char *const fb_flows_sort_names[FB_N_SORTS] = {
    [FB_SORT_SETUP] = "setup",
    [FB_SORT_REVALIDATION] = "revalidation",
    [FB_SORT_UPCALLS] = "upcalls",
    [FB_SORT_PACKETS] = "packets",
    [FB_SORT_REINSTALLS] = "reinstalls",
    [FB_SORT_REPAY] = "repay",
    [FB_SORT_PUTS_FAILED] = "puts-failed",
};

const char *const fb_end_names[FB_N_ENDS] = {
    [FB_END_NONE] = "none",
    [FB_END_IDLE] = "idle",
    [FB_END_LIMIT] = "limit",
    [FB_END_CHANGED] = "changed",
    [FB_END_FLUSH] = "flush",
    [FB_END_OUTSIDER] = "outsider",
};

/* Returns what a miss costs on average in datapath 'dp', in ticks, or 0 if
 * there was none. */
uint64_t
fb_flows_miss_cost(const struct fb_ledger *ledger, int dp)
{
    struct fb_ledger_dp *ldp = CONST_CAST(struct fb_ledger_dp *,
                                          &ledger->dps[dp]);
    uint64_t ticks, n;

    atomic_read_relaxed(&ldp->miss_ticks, &ticks);
    atomic_read_relaxed(&ldp->misses, &n);
    return n ? ticks / n : 0;
}

/* Returns what having the flow 'copy' has cost, in ticks. */
static uint64_t
cost(const struct fb_flow_copy *copy)
{
    return copy->put + ((uint64_t) copy->del << 4) + copy->revalidation;
}

/* Returns what 'copy' is sorted by. */
static int64_t
sort_value(const struct fb_flows *flows, const struct fb_flow_copy *copy)
{
    switch (flows->query.sort) {
    case FB_SORT_SETUP:
        return copy->setup;
    case FB_SORT_REVALIDATION:
        return copy->revalidation;
    case FB_SORT_UPCALLS:
        return copy->upcalls;
    case FB_SORT_PACKETS:
        return copy->packets + copy->past_packets;
    case FB_SORT_REINSTALLS:
        return (int64_t) copy->installs - 1;
    case FB_SORT_REPAY:
        return cost(copy) - ((copy->packets + copy->past_packets)
                             * fb_flows_miss_cost(flows->ledger,
                                                  copy->id.dp));
    case FB_SORT_PUTS_FAILED:
        return copy->put_errors;
    case FB_N_SORTS:
    default:
        OVS_NOT_REACHED();
    }
}

/* Corrects 'copy' if its flow lives by what we know, but no longer came up in
 * either of the two latest whole rounds. */
static void
find_vanished(const struct fb_ledger *ledger, struct fb_flow_copy *copy)
{
    const struct fb_ledger_dp *ldp = &ledger->dps[copy->id.dp];
    uint32_t last = (fb_ledger_is_before(copy->seen, copy->born) ? copy->born
                     : copy->seen);

    if (copy->live
        && fb_ledger_is_before(last, fb_ledger_count(&ldp->round_before))) {
        copy->live = false;
        copy->end = FB_END_OUTSIDER;
        copy->died = last;
    }
}

/* Returns a new search for 'query', whose 'match' it takes over. */
struct fb_flows *
fb_flows_create(const struct fb_flows_query *query)
{
    struct fb_flows *flows = xzalloc(sizeof *flows);

    flows->query = *query;
    flows->ledger = fb_ledger_ref();
    flows->shown = xcalloc(query->max, sizeof *flows->shown);
    return flows;
}

/* Frees 'flows'. */
void
fb_flows_destroy(struct fb_flows *flows)
{
    for (size_t i = 0; i < flows->n_shown; i++) {
        free(flows->shown[i].text);
    }
    free(flows->shown);
    free(flows->query.match);
    fb_ledger_unref(flows->ledger);
    free(flows);
}

/* Lets the element 'i' of the heap of 'flows' sink to where it belongs. */
static void
sift_down(struct fb_flows *flows, size_t i)
{
    struct fb_flow_shown *heap = flows->shown;

    for (;;) {
        size_t least = i;

        for (size_t child = 2 * i + 1; child <= 2 * i + 2; child++) {
            if (child < flows->n_shown
                && heap[child].value < heap[least].value) {
                least = child;
            }
        }
        if (least == i) {
            return;
        }
        struct fb_flow_shown tmp = heap[i];

        heap[i] = heap[least];
        heap[least] = tmp;
        i = least;
    }
}

/* Puts 'copy', whose value is 'value', into the heap of 'flows', unless it is
 * full of better ones. */
static void
offer(struct fb_flows *flows, const struct fb_flow_copy *copy, int64_t value)
{
    struct fb_flow_shown *heap = flows->shown;

    if (flows->n_shown < flows->query.max) {
        size_t i = flows->n_shown++;

        while (i && heap[(i - 1) / 2].value > value) {
            heap[i] = heap[(i - 1) / 2];
            i = (i - 1) / 2;
        }
        heap[i] = (struct fb_flow_shown) { .flow = *copy, .value = value };
    } else if (value > heap[0].value) {
        heap[0] = (struct fb_flow_shown) { .flow = *copy, .value = value };
        sift_down(flows, 0);
    }
}

/* Says whether the text of 'copy' has what the query of 'flows' wants. */
static bool
matches(struct fb_flows *flows, const struct fb_flow_copy *copy)
{
    struct ds ds = DS_EMPTY_INITIALIZER;
    bool match;

    fb_flow_text(flows->ledger, copy, &ds);
    ds_put_char(&ds, ' ');
    fb_flow_text_ufid(copy, &ds);
    match = strstr(ds_cstr(&ds), flows->query.match) != NULL;
    ds_destroy(&ds);
    return match;
}

/* Looks at the next slot. */
static void
look_at_next(struct fb_flows *flows)
{
    struct fb_flow_copy copy;
    int64_t value;

    if (!fb_ledger_copy(flows->ledger, flows->next++, &copy)
        || (flows->query.dp >= 0 && copy.id.dp != flows->query.dp)) {
        return;
    }
    find_vanished(flows->ledger, &copy);
    if (copy.live) {
        flows->n_live++;
    } else if (copy.installs) {
        flows->n_dead++;
    } else {
        flows->n_never++;
    }
    value = sort_value(flows, &copy);
    if (value > 0 && (!flows->query.match || matches(flows, &copy))) {
        offer(flows, &copy, value);
    }
}

/* Compares two flows for qsort(): the greater value comes first. */
static int
compare_shown(const void *a_, const void *b_)
{
    const struct fb_flow_shown *a = a_, *b = b_;

    return (a->value != b->value ? (a->value > b->value ? -1 : 1)
            : a->flow.slot < b->flow.slot ? -1
            : a->flow.slot > b->flow.slot);
}

/* Completes 's'. */
static void
complete(struct fb_flows *flows, struct fb_flow_shown *s)
{
    uint64_t miss = fb_flows_miss_cost(flows->ledger, s->flow.id.dp);
    struct ds ds = DS_EMPTY_INITIALIZER;

    fb_flow_text(flows->ledger, &s->flow, &ds);
    s->text = ds_steal_cstr(&ds);
    s->repay_known = miss && cost(&s->flow);
    if (s->repay_known) {
        s->repay = DIV_ROUND_UP(cost(&s->flow), miss);
    }
}

/* Goes on with 'flows' for FB_FLOWS_SLICE_US.  Returns true if it is done. */
bool
fb_flows_run(struct fb_flows *flows)
{
    uint64_t start = fb_clock_ticks();
    uint32_t n_slots = flows->ledger ? fb_ledger_n_slots(flows->ledger) : 0;
    int step = flows->query.match ? STEP_TEXT : STEP_PLAIN;

    if (!flows->drained) {
        flows->drained = fb_intake_drain(FB_FLOWS_SLICE_US * 1000);
        if (!flows->drained && ++flows->n_drains < MAX_DRAINS) {
            return false;
        }
        flows->drained = true;
    }
    do {
        for (int i = 0; i < step && flows->next < n_slots; i++) {
            look_at_next(flows);
        }
        if (flows->next >= n_slots) {
            if (!flows->sorted) {
                qsort(flows->shown, flows->n_shown, sizeof *flows->shown,
                      compare_shown);
                flows->sorted = true;
            }
            for (int i = 0; i < STEP_TEXT; i++) {
                if (flows->n_text >= flows->n_shown) {
                    return true;
                }
                complete(flows, &flows->shown[flows->n_text++]);
            }
        }
    } while (fb_clock_to_ns(fb_clock_since(start, fb_clock_ticks()))
             < FB_FLOWS_SLICE_US * 1000);
    return false;
}
