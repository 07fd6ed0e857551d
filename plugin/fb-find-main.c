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

#include "fb-find.h"

#include <inttypes.h>

#include "fb-clock.h"
#include "fb-findings.h"
#include "fb-mainloop.h"
#include "fb-ports.h"
#include "fb-show.h"
#include "fb-snapshot.h"
#include "util.h"

/* Share of its interval, in percent, that a sweep over the interfaces'
 * statistics may take. */
#define MAX_SWEEP_PERCENT 10

/* A hold-up without an observer is a finding from this on. */
#define LONG_HOLD_NS UINT64_C(1000000000)

/* Returns who held up the main thread by 'activity', in words. */
static const char *
name_cause(enum fb_activity activity)
{
    switch (activity) {
    case FB_ACT_COMMAND:
        return "a command from outside";
    case FB_ACT_OPENFLOW:
        return "an OpenFlow request from outside";
    case FB_ACT_STATISTICS:
        return "reading interfaces' statistics";
    case FB_ACT_PORT_ADD:
        return "adding ports";
    case FB_ACT_PORT_DEL:
        return "deleting ports";
    case FB_ACT_PACKETS:
        return "forwarding packets";
    case FB_ACT_BRIDGES:
        return "the regular work of bridges";
    case FB_ACT_OTHER:
    case FB_N_ACTIVITIES:
    default:
        return "the database, configuration or other work of its own";
    }
}

/* The main thread being kept from its work. */
void
fb_find_holds(const struct fb_snapshot *s, struct fb_findings *f)
{
    for (size_t i = 0; s->mainloop && i < FB_N_ACTIVITIES; i++) {
        const struct fb_activity_totals *t = &s->mainloop->activities[i];
        bool observer = i == FB_ACT_COMMAND || i == FB_ACT_OPENFLOW;
        struct fb_finding *finding;

        if (!t->n_holds
            || (!observer && fb_clock_to_ns(t->hold_max) < LONG_HOLD_NS)) {
            continue;
        }
        finding = fb_finding_add(f, s, FB_SEV_WARNING, "main-thread-held",
                                 t->hold_since);
        finding->text = xasprintf(
            "The main thread was held up %"PRIu64" times for %d ms or more, "
            "at most %.0f ms, by %s%s%s%s. Meanwhile it answered no OpenFlow, "
            "database or command and served no userspace port that has no PMD "
            "thread.", t->n_holds, FB_HOLD_MS, fb_show_ms(t->hold_max),
            name_cause(i), t->hold_name[0] ? " (" : "", t->hold_name,
            t->hold_name[0] ? ")" : "");
        finding->fix = xstrdup(
            observer
            ? "Run it less often, or when there is little traffic, or ask for "
              "less at a time (one table, one cookie, an aggregate)."
            : "See fanbench/ports for where the time goes.");
    }
}

/* Sweeps over the interfaces' statistics that take too much of the time. */
void
fb_find_sweeps(const struct fb_snapshot *s, struct fb_findings *f)
{
    const struct fb_sweeps *w = s->ports ? &s->ports->sweeps : NULL;
    uint64_t interval = w ? fb_sweeps_interval(w) : 0;
    struct fb_finding *finding;

    if (!interval || w->ticks / w->n * 100 < interval * MAX_SWEEP_PERCENT) {
        return;
    }
    finding = fb_finding_add(f, s, FB_SEV_INFO, "statistics-sweeps",
                             w->first_start);
    finding->text = xasprintf(
        "Reading the statistics of %"PRIu64" interfaces takes the main thread "
        "%.0f ms each %.1f s, %.0f %% of its time (%.1f us an interface, "
        "slowest %s).", w->last_interfaces, fb_show_ms(w->ticks / w->n),
        fb_show_ms(interval) / 1000, 100.0 * (w->ticks / w->n) / interval,
        1000 * fb_show_ms(w->ticks) / w->n_interfaces, w->slowest_name);
    finding->fix = xasprintf(
        "ovs-vsctl set Open_vSwitch . "
        "other_config:stats-update-interval=N, in ms, e.g. %.0f.",
        fb_show_ms(interval) * 10);
}
