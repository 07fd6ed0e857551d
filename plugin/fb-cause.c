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

#include "fb-cause.h"

#include <limits.h>
#include <string.h>

#include "fb-clock.h"
#include "fb-events.h"
#include "fb-ovs.h"
#include "fb-phase.h"
#include "fb-rounds.h"
#include "openvswitch/thread.h"
#include "timeval.h"
#include "util.h"

const char *const fb_trigger_names[FB_N_TRIGGERS] = {
    [FB_TRIGGER_RECONFIGURE] = "reconfigure",
    [FB_TRIGGER_STP] = "stp",
    [FB_TRIGGER_RSTP] = "rstp",
    [FB_TRIGGER_BOND] = "bond",
    [FB_TRIGGER_PORT_TOGGLED] = "port-toggled",
    [FB_TRIGGER_FLOW_TABLE] = "flow-table",
    [FB_TRIGGER_MAC_LEARNING] = "mac-learning",
    [FB_TRIGGER_MCAST_SNOOPING] = "mcast-snooping",
    [FB_TRIGGER_OTHER] = "other",
    [FB_TRIGGER_PAUSE] = "pause",
    [FB_TRIGGER_TIMER] = "timer",
};

const char *const fb_law_names[FB_N_LAWS] = {
    [FB_LAW_NONE] = "none",
    [FB_LAW_GREW] = "grew",
    [FB_LAW_REDUCED] = "reduced",
    [FB_LAW_SCALED] = "scaled",
    [FB_LAW_CONFIGURED] = "configured",
};

const char *const fb_rev_counters[FB_N_REV_COUNTERS] = {
    [FB_TRIGGER_RECONFIGURE] = "rev_reconfigure",
    [FB_TRIGGER_STP] = "rev_stp",
    [FB_TRIGGER_RSTP] = "rev_rstp",
    [FB_TRIGGER_BOND] = "rev_bond",
    [FB_TRIGGER_PORT_TOGGLED] = "rev_port_toggled",
    [FB_TRIGGER_FLOW_TABLE] = "rev_flow_table",
    [FB_TRIGGER_MAC_LEARNING] = "rev_mac_learning",
    [FB_TRIGGER_MCAST_SNOOPING] = "rev_mcast_snooping",
};

/* A counter of OVS whose growth is an event.  Growth again within
 * STREAK_NSEC is the same event. */
struct watch {
    const char *counter;        /* Name of the coverage counter. */
    enum fb_event_kind kind;    /* What its growth means. */
    bool known;                 /* Is 'value' valid? */
    uint64_t value;             /* When last read. */
    uint64_t grew;              /* Ticks when last seen to grow, 0: never. */
};
#define STREAK_NSEC UINT64_C(5000000000)

/* What is known of a datapath. */
struct state {
    uint32_t pending;           /* Triggers for the next round. */
    unsigned int n_requests;    /* Requests for it. */
    bool over;                  /* Had that more flows than the limit? */
    bool doubted;               /* Was the limit last read as another one? */
    struct fb_cause_totals totals; /* Sums. */
};

/* Protects everything below, but for 'n_flows' and 'limits'. */
static struct ovs_mutex cause_mutex = OVS_MUTEX_INITIALIZER;

/* The recording that 'states' and 'watches' belong to. */
static unsigned int cause_epoch;
static struct state states[FB_MAX_DATAPATHS];

/* They count for all datapaths together. */
static struct watch watches[] = {
    { .counter = "upcall_flow_limit_hit", .kind = FB_EVENT_HIT },
    { .counter = "upcall_flow_limit_kill", .kind = FB_EVENT_KILL },
};

/* Flows that OVS last saw in each datapath, and the flow limit that it
 * applies, 0 if not known. */
static ATOMIC(uint64_t) n_flows[FB_MAX_DATAPATHS];
static atomic_uint limits[FB_MAX_DATAPATHS];

/* OVS's other_config:flow-limit, which only the main thread changes, or null
 * if there is none, as in a unit test. */
static const unsigned int *configured_limit;

/* Prepares: '*limit' is other_config:flow-limit.  Called once, while there is
 * one thread. */
void
fb_cause_init(const unsigned int *limit)
{
    configured_limit = limit;
}

/* Makes sure that the state belongs to the recording 'epoch'.  Returns false
 * if that is over. */
static bool
enter_epoch(unsigned int epoch)
{
    if ((int) (epoch - cause_epoch) > 0) {
        cause_epoch = epoch;
        memset(states, 0, sizeof states);
        for (size_t i = 0; i < ARRAY_SIZE(watches); i++) {
            watches[i].known = false;
            watches[i].grew = 0;
        }
    }
    return epoch == cause_epoch;
}

/* Returns why revalidation has just been asked for, a bit for each enum
 * fb_trigger: the reasons whose coverage counters have grown since the last
 * call, which may be for just that, when a recording begins.  ofproto counts
 * one reason a request. */
uint32_t
fb_cause_read_triggers(void)
{
    static uint64_t last[FB_N_REV_COUNTERS];
    uint32_t triggers = 0;

    for (size_t i = 0; i < FB_N_REV_COUNTERS; i++) {
        uint64_t n;

        if (fb_ovs_read_counter(fb_rev_counters[i], &n) && n > last[i]) {
            triggers |= 1u << i;
        }
        last[i] = n;
    }
    return triggers;
}

/* ofproto asked for a round of datapath 'dp' because of 'triggers', a bit for
 * each enum fb_trigger; none if it is not known why. */
void
fb_cause_request(int dp, unsigned int epoch, uint32_t triggers)
{
    ovs_mutex_lock(&cause_mutex);
    if (enter_epoch(epoch)) {
        states[dp].pending |= triggers ? triggers : 1u << FB_TRIGGER_OTHER;
        states[dp].n_requests++;
    }
    ovs_mutex_unlock(&cause_mutex);
}

/* OVS has seen 'n' flows in datapath 'dp'.  Without lock. */
void
fb_cause_set_flows(int dp, uint64_t n)
{
    atomic_store_relaxed(&n_flows[dp], n);
}

/* Returns the number of flows that OVS last saw in datapath 'dp'.  Without
 * lock. */
uint64_t
fb_cause_flows(int dp)
{
    uint64_t n;

    atomic_read_relaxed(&n_flows[dp], &n);
    return n;
}

/* Returns the flow limit of datapath 'dp', or 0 if it is not known.  Without
 * lock. */
unsigned int
fb_cause_limit(int dp)
{
    unsigned int limit;

    atomic_read_relaxed(&limits[dp], &limit);
    return limit;
}

/* The flow limit of datapath 'dp', whose state is 'state', is 'limit'. */
static void
set_limit(int dp, struct state *state, unsigned int limit)
{
    struct fb_cause_totals *t = &state->totals;

    t->limit = limit;
    t->limit_min = t->limit_min ? MIN(t->limit_min, limit) : limit;
    atomic_store_relaxed(&limits[dp], limit);
}

/* Adds 'event', which set or lowered the flow limit. */
static void
add_lowering(unsigned int epoch, struct state *state,
             const struct fb_event *event)
{
    struct fb_cause_totals *t = &state->totals;

    if (event->after < event->before) {
        t->last_lowered = *event;
    }
    if (!t->first_fall.round && (event->kind == FB_EVENT_REDUCED
                                 || event->kind == FB_EVENT_SCALED)) {
        t->first_fall = *event;
    }
    fb_events_add(epoch, event);
}

/* The flow limit of datapath 'dp' is 'limit', 0 if it is not known, by what
 * 'from' says.  Right after a round OVS may not have changed it yet, so what
 * the law said stays until the limit was read as another one twice. */
void
fb_cause_limit_is(int dp, unsigned int epoch, unsigned int limit,
                  enum fb_limit_from from)
{
    struct state *state = &states[dp];
    struct fb_cause_totals *t = &state->totals;
    bool read = from == FB_LIMIT_READ;

    ovs_mutex_lock(&cause_mutex);
    if (!enter_epoch(epoch) || !limit) {
        goto out;
    }
    if (read && t->limit && limit != t->limit && !state->doubted) {
        state->doubted = true;
        goto out;
    }
    state->doubted = false;
    if (from == FB_LIMIT_SET || (read && limit < t->limit)) {
        struct fb_event event = {
            .kind = read ? FB_EVENT_CHANGED : FB_EVENT_SET,
            .dp = dp,
            .time = fb_clock_ticks(),
            .before = t->limit,
            .after = limit,
        };

        add_lowering(epoch, state, &event);
    }
    t->n_corrected += read && t->limit && limit != t->limit;
    set_limit(dp, state, limit);
out:
    ovs_mutex_unlock(&cause_mutex);
}

/* A round of datapath 'dp' began 'age' ticks ago.  Fills in '*cause'. */
void
fb_cause_begin(int dp, unsigned int epoch, uint64_t age,
               struct fb_cause *cause)
{
    memset(cause, 0, sizeof *cause);
    cause->start_msec = time_msec() - fb_clock_to_ns(age) / 1000000;
    cause->n_flows = MIN(fb_cause_flows(dp), UINT_MAX);

    ovs_mutex_lock(&cause_mutex);
    if (enter_epoch(epoch)) {
        struct state *state = &states[dp];

        cause->triggers = state->pending;
        cause->n_requests = state->n_requests;
        cause->limit_before = state->totals.limit;
        state->pending = 0;
        state->n_requests = 0;
        for (size_t i = 0; i < ARRAY_SIZE(watches); i++) {
            struct watch *w = &watches[i];

            if (!w->known) {
                w->known = fb_ovs_read_counter(w->counter, &w->value);
            }
        }
    }
    ovs_mutex_unlock(&cause_mutex);
}

/* Returns what becomes of the flow limit 'limit' after a round that took
 * 'msec' ms, 1 at least, when there were 'flows' flows, 'configured' being
 * other_config:flow-limit.  Stores in '*law' why.  This is the law in OVS's
 * udpif_revalidator(), the same in all supported versions: over 2 s the limit
 * is divided by the whole seconds, over 1.3 s it loses a quarter, and under
 * 1 s it gains 1,000 if that many flows a second and more could be dumped. */
unsigned int
fb_cause_law(unsigned int limit, long long int msec, uint64_t flows,
             unsigned int configured, enum fb_law *law)
{
    unsigned int after = limit;

    *law = FB_LAW_NONE;
    if (msec > 2000) {
        after /= msec / 1000;
        *law = FB_LAW_SCALED;
    } else if (msec > 1300) {
        after = after * 3 / 4;
        *law = FB_LAW_REDUCED;
    } else if (msec < 1000 && after < flows * 1000 / msec) {
        after += 1000;
        *law = FB_LAW_GREW;
    }
    after = MAX(after, 1000);
    if (after > configured) {
        after = configured;
        *law = FB_LAW_CONFIGURED;
    }
    if (after == limit || (*law == FB_LAW_CONFIGURED && after > limit)) {
        *law = after == limit ? FB_LAW_NONE : FB_LAW_GREW;
    }
    return after;
}

/* Returns the event of 'kind' that 'round', which has just ended, brought. */
static struct fb_event
make_event(const struct fb_round *round, enum fb_event_kind kind, uint64_t n)
{
    enum fb_work phase = fb_phase_longest(&round->work);

    return (struct fb_event) {
        .kind = kind,
        .dp = round->dp,
        .time = round->start + round->duration,
        .round = round->id,
        .duration = round->duration,
        .phase = phase,
        .phase_ticks = round->work.n[phase],
        .before = round->cause.limit_before,
        .after = round->cause.limit_after,
        .n = n,
    };
}

/* Adds the event of 'kind' that 'round', which has just ended, brought. */
static void
add_event(unsigned int epoch, const struct fb_round *round,
          enum fb_event_kind kind, uint64_t n)
{
    struct fb_event event = make_event(round, kind, n);

    fb_events_add(epoch, &event);
}

/* Reads the counters that are watched, after 'round'. */
static void
check_watches(unsigned int epoch, const struct fb_round *round)
{
    uint64_t now = round->start + round->duration;

    for (size_t i = 0; i < ARRAY_SIZE(watches); i++) {
        struct watch *w = &watches[i];
        uint64_t value;

        if (!w->known || !fb_ovs_read_counter(w->counter, &value)
            || value <= w->value) {
            continue;
        }
        if (!w->grew
            || fb_clock_to_ns(fb_clock_since(w->grew, now)) > STREAK_NSEC) {
            add_event(epoch, round, w->kind,
                      w->kind == FB_EVENT_KILL ? round->work.n[FB_W_OPS]
                      : value - w->value);
        }
        w->value = value;
        w->grew = now;
    }
}

/* Works out what 'round', which has just ended, does to the flow limit. */
static void
apply_law(unsigned int epoch, struct state *state, struct fb_round *round)
{
    struct fb_cause *cause = &round->cause;
    long long int msec = MAX(time_msec() - cause->start_msec, 1);
    uint64_t flows = (cause->n_flows ? cause->n_flows
                      : round->work.n[FB_W_FLOWS]);
    unsigned int limit = state->totals.limit;

    cause->limit_after = limit;
    if (limit) {
        cause->limit_after = fb_cause_law(limit, msec, flows,
                                          configured_limit ? *configured_limit
                                          : UINT_MAX, &cause->law);
        set_limit(round->dp, state, cause->limit_after);
    }
    state->totals.laws[cause->law]++;
    if (cause->limit_after < limit) {
        struct fb_event event
            = make_event(round, cause->law == FB_LAW_SCALED ? FB_EVENT_SCALED
                         : cause->law == FB_LAW_REDUCED ? FB_EVENT_REDUCED
                         : FB_EVENT_CONFIGURED, flows);

        add_lowering(epoch, state, &event);
    }
}

/* 'round' has ended.  Fills in the rest of its cause, and adds it to the
 * totals. */
void
fb_cause_end(unsigned int epoch, struct fb_round *round)
{
    struct fb_cause *cause = &round->cause;
    struct state *state = &states[round->dp];

    ovs_mutex_lock(&cause_mutex);
    if (!enter_epoch(epoch)) {
        goto out;
    }
    if (!cause->triggers) {
        cause->triggers = 1u << (round->work.n[FB_W_PAUSE] ? FB_TRIGGER_PAUSE
                                 : FB_TRIGGER_TIMER);
    }
    for (size_t i = 0; i < FB_N_TRIGGERS; i++) {
        state->totals.triggers[i] += (cause->triggers >> i) & 1;
    }
    apply_law(epoch, state, round);
    if (round->error) {
        add_event(epoch, round, FB_EVENT_FAILED, round->error);
    }
    if (cause->limit_before && cause->n_flows > cause->limit_before) {
        state->totals.n_over++;
        state->totals.over_ops += round->work.n[FB_W_OPS];
        if (!state->over) {
            add_event(epoch, round, FB_EVENT_OVER, cause->n_flows);
        }
        state->over = true;
    } else {
        state->over = false;
    }
    check_watches(epoch, round);
out:
    ovs_mutex_unlock(&cause_mutex);
}

/* Copies to '*totals' those of datapath 'dp' in the recording 'epoch'. */
void
fb_cause_totals(unsigned int epoch, int dp, struct fb_cause_totals *totals)
{
    ovs_mutex_lock(&cause_mutex);
    if (epoch && epoch == cause_epoch) {
        *totals = states[dp].totals;
    } else {
        memset(totals, 0, sizeof *totals);
    }
    ovs_mutex_unlock(&cause_mutex);
}
