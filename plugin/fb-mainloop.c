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

#include "fb-mainloop.h"

#include <string.h>

#include "fb-clock.h"
#include "util.h"

const char *const fb_activity_names[FB_N_ACTIVITIES] = {
    [FB_ACT_COMMAND] = "command",
    [FB_ACT_OPENFLOW] = "openflow",
    [FB_ACT_STATISTICS] = "statistics",
    [FB_ACT_PORT_ADD] = "port_add",
    [FB_ACT_PORT_DEL] = "port_del",
    [FB_ACT_PACKETS] = "packets",
    [FB_ACT_BRIDGES] = "bridges",
    [FB_ACT_OTHER] = "other",
};

/* The iteration that is going on. */
struct iteration {
    bool begun;                 /* Is there one whose begin was seen? */
    uint64_t start;             /* When it began. */
    unsigned int depth;         /* Spans that have begun and not ended. */
    uint64_t inside;            /* Time of the spans in the present one. */
    uint64_t own[FB_N_ACTIVITIES]; /* Own time of spans by activity. */
    uint64_t longest[FB_N_ACTIVITIES]; /* Of the longest span of each. */
    char names[FB_N_ACTIVITIES][FB_SPAN_NAME]; /* Names of those. */
};

/* What is recorded, and the present iteration of it. */
static struct fb_mainloop mainloop;
static struct iteration iteration;

/* Begins to record in 'epoch', if that is new. */
static void
renew(unsigned int epoch)
{
    if (OVS_UNLIKELY(mainloop.epoch != epoch)) {
        memset(&mainloop, 0, offsetof(struct fb_mainloop, durations));
        fb_hist_init(&mainloop.durations);
        memset(mainloop.activities, 0, sizeof mainloop.activities);
        mainloop.n_holds = 0;
        memset(&iteration, 0, sizeof iteration);
        mainloop.epoch = epoch;
    }
}

/* The main thread has been woken up, at 'now', and begins an iteration. */
void
fb_mainloop_begin(unsigned int epoch, uint64_t now)
{
    renew(epoch);
    memset(&iteration, 0, sizeof iteration);
    iteration.begun = true;
    iteration.start = now;
}

/* Returns the kind of activity that had most of the present iteration. */
static enum fb_activity
find_cause(void)
{
    enum fb_activity cause = FB_ACT_OTHER;

    for (size_t i = 0; i < FB_N_ACTIVITIES; i++) {
        if (iteration.own[i] > iteration.own[cause]) {
            cause = i;
        }
    }
    return cause;
}

/* Notes that the present iteration, of 'duration' ticks, was a hold-up. */
static void
note_hold(uint64_t duration)
{
    struct fb_hold *hold = &mainloop.holds[mainloop.n_holds++
                                           % FB_HOLDS_HISTORY];
    struct fb_activity_totals *t;

    hold->start = iteration.start;
    hold->duration = duration;
    hold->cause = find_cause();
    hold->cause_ticks = iteration.own[hold->cause];
    ovs_strlcpy(hold->name, iteration.names[hold->cause], sizeof hold->name);

    t = &mainloop.activities[hold->cause];
    if (!t->n_holds++) {
        t->hold_since = hold->start;
    }
    if (duration > t->hold_max) {
        t->hold_max = duration;
        ovs_strlcpy(t->hold_name, hold->name, sizeof t->hold_name);
    }
}

/* The main thread is going to wait, at 'now': the iteration ends.  Returns
 * true and stores how long it was in '*duration' if its begin was seen in the
 * same recording. */
bool
fb_mainloop_end(unsigned int epoch, uint64_t now, uint64_t *duration)
{
    struct fb_activity_totals *other = &mainloop.activities[FB_ACT_OTHER];

    renew(epoch);
    if (!iteration.begun) {
        return false;
    }
    iteration.begun = false;
    *duration = fb_clock_since(iteration.start, now);
    iteration.own[FB_ACT_OTHER] = fb_clock_since(iteration.inside, *duration);

    mainloop.n++;
    mainloop.busy += *duration;
    fb_hist_record(&mainloop.durations, *duration);
    other->n++;
    other->ticks += iteration.own[FB_ACT_OTHER];
    other->max = MAX(other->max, iteration.own[FB_ACT_OTHER]);
    if (fb_clock_to_ns(*duration) >= FB_HOLD_MS * UINT64_C(1000000)) {
        note_hold(*duration);
    }
    return true;
}

/* The main thread begins with 'activity' at 'now'.  'span' is the caller's,
 * to be passed to fb_mainloop_leave(). */
void
fb_mainloop_enter(struct fb_span *span, unsigned int epoch,
                  enum fb_activity activity, uint64_t now)
{
    renew(epoch);
    span->epoch = epoch;
    span->activity = activity;
    span->start = now;
    span->inside = iteration.inside;
    iteration.inside = 0;
    iteration.depth++;
}

/* The main thread has done at 'now' what 'span' says, to or for 'name'.
 * 'epoch' is the present one: if it is no longer that of the span's begin,
 * nothing is recorded.  Returns the time from begin to end. */
uint64_t
fb_mainloop_leave(struct fb_span *span, unsigned int epoch, const char *name,
                  uint64_t now)
{
    enum fb_activity activity = span->activity;
    struct fb_activity_totals *t = &mainloop.activities[activity];
    uint64_t duration = fb_clock_since(span->start, now);
    uint64_t own;

    if (span->epoch != epoch || span->epoch != mainloop.epoch) {
        return duration;
    }

    own = fb_clock_since(iteration.inside, duration);
    iteration.inside = span->inside + duration;
    iteration.depth--;
    iteration.own[activity] += own;
    if (own > iteration.longest[activity]) {
        iteration.longest[activity] = own;
        ovs_strzcpy(iteration.names[activity], name,
                    sizeof iteration.names[activity]);
    }
    t->n++;
    t->ticks += own;
    if (own > t->max) {
        t->max = own;
        ovs_strzcpy(t->max_name, name, sizeof t->max_name);
    }
    return duration;
}

/* Says whether the main thread is in a span of the recording 'epoch'. */
bool
fb_mainloop_in_span(unsigned int epoch)
{
    return mainloop.epoch == epoch && iteration.depth;
}

/* Returns what was recorded in 'epoch', or null if nothing was.  It belongs to
 * this module. */
const struct fb_mainloop *
fb_mainloop_get(unsigned int epoch)
{
    return epoch && mainloop.epoch == epoch ? &mainloop : NULL;
}

/* Returns how many hold-ups 'm' still has: the latest. */
size_t
fb_mainloop_n_kept(const struct fb_mainloop *m)
{
    return MIN(m->n_holds, FB_HOLDS_HISTORY);
}
