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

#include "fb-main-text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "fb-clock.h"
#include "fb-mainloop.h"
#include "fb-ports.h"
#include "fb-show.h"
#include "fb-snapshot.h"
#include "openvswitch/dynamic-string.h"
#include "timeval.h"
#include "util.h"

/* Hold-ups that are shown. */
enum { MAX_HOLDS_SHOWN = 10 };

/* Appends what the main thread was busy with. */
static void
put_mainloop(const struct fb_snapshot *s, struct ds *ds)
{
    const struct fb_mainloop *m = s->mainloop;

    ds_put_format(ds, "main loop: %"PRIu64" iterations, busy %.1f%% of the "
                  "time\n", m->n, 100 * fb_show_ratio(m->busy, s->elapsed));
    ds_put_format(ds, "  iteration ms: p50 %.3f, p90 %.3f, p99 %.3f, "
                  "p99.9 %.3f, max %.3f\n",
                  fb_show_ms(fb_hist_quantile(&m->durations, 0.5)),
                  fb_show_ms(fb_hist_quantile(&m->durations, 0.9)),
                  fb_show_ms(fb_hist_quantile(&m->durations, 0.99)),
                  fb_show_ms(fb_hist_quantile(&m->durations, 0.999)),
                  fb_show_ms(fb_hist_max(&m->durations)));
    ds_put_format(ds, "  %-12s %10s %12s %7s %10s  %s\n", "busy with",
                  "count", "total ms", "share", "max ms", "longest");
    for (size_t i = 0; i < FB_N_ACTIVITIES; i++) {
        const struct fb_activity_totals *t = &m->activities[i];

        if (t->n) {
            ds_put_format(ds, "  %-12s %10"PRIu64" %12.3f %6.1f%% %10.3f  "
                          "%s\n", fb_activity_names[i], t->n,
                          fb_show_ms(t->ticks),
                          100 * fb_show_ratio(t->ticks, m->busy),
                          fb_show_ms(t->max),
                          t->max_name[0] ? t->max_name : "-");
        }
    }
}

/* Appends the latest hold-ups. */
static void
put_holds(const struct fb_snapshot *s, struct ds *ds)
{
    const struct fb_mainloop *m = s->mainloop;
    size_t n = MIN(fb_mainloop_n_kept(m), MAX_HOLDS_SHOWN);

    ds_put_format(ds, "held up for %d ms or more: %"PRIu64" times\n",
                  FB_HOLD_MS, m->n_holds);
    if (!n) {
        return;
    }
    ds_put_format(ds, "  %10s %10s %10s  %s\n", "start s", "ms", "cause ms",
                  "cause");
    for (uint64_t i = m->n_holds - n; i < m->n_holds; i++) {
        const struct fb_hold *h = &m->holds[i % FB_HOLDS_HISTORY];

        ds_put_format(ds, "  %10.3f %10.3f %10.3f  %s%s%s\n",
                      fb_show_ms(fb_clock_since(s->start, h->start)) / 1000,
                      fb_show_ms(h->duration), fb_show_ms(h->cause_ticks),
                      fb_activity_names[h->cause], h->name[0] ? ": " : "",
                      h->name);
    }
}

/* Appends the sweeps over the interfaces' statistics. */
static void
put_sweeps(const struct fb_sweeps *w, struct ds *ds)
{
    uint64_t interval = fb_sweeps_interval(w);

    ds_put_format(ds, "statistics sweeps: %"PRIu64, w->n);
    if (w->n) {
        ds_put_format(ds, ", %"PRIu64" interfaces in the last\n",
                      w->last_interfaces);
        ds_put_format(ds, "  ms: avg %.3f, max %.3f, last %.3f; "
                      "us/interface: %.3f (reading them %.3f)\n",
                      fb_show_ratio(fb_show_ms(w->ticks), w->n),
                      fb_show_ms(w->max),
                      fb_show_ms(w->last),
                      1000 * fb_show_ratio(fb_show_ms(w->ticks),
                                           w->n_interfaces),
                      1000 * fb_show_ratio(fb_show_ms(w->read_ticks),
                                           w->n_interfaces));
        ds_put_format(ds, "  slowest interface: %s, %.3f ms",
                      w->slowest_name, fb_show_ms(w->slowest));
        if (interval) {
            ds_put_format(ds, "; one each %.3f s, %.1f%% of the time",
                          fb_show_ms(interval) / 1000,
                          100 * fb_show_ratio(w->ticks / w->n, interval));
        }
    }
    ds_put_char(ds, '\n');
}

/* Appends the first and last number of ports in class 'i', in a column. */
static void
put_class(size_t i, struct ds *ds)
{
    char *s = xasprintf("%llu-%llu", i ? 1ULL << i : 0ULL, (2ULL << i) - 1);

    ds_put_format(ds, "  %-16s", s);
    free(s);
}

/* Appends the iterations in which ports were added or deleted. */
static void
put_changes(const struct fb_ports *p, struct ds *ds)
{
    bool head = false;

    for (size_t i = 0; i < FB_N_PORT_CLASSES; i++) {
        const struct fb_port_changes *c = &p->changes[i];

        if (!c->n) {
            continue;
        }
        if (!head) {
            ds_put_format(ds, "changes of ports (main loop iterations with "
                          "them):\n  %-16s %8s %8s %12s %12s %12s %10s\n",
                          "ports before", "count", "ports", "total ms",
                          "datapath ms", "ms/port", "max ms");
            head = true;
        }
        put_class(i, ds);
        ds_put_format(ds, " %8"PRIu64" %8"PRIu64" %12.3f %12.3f %12.3f "
                      "%10.3f\n", c->n, c->n_ops, fb_show_ms(c->ticks),
                      fb_show_ms(c->ops_ticks),
                      fb_show_ratio(fb_show_ms(c->ticks), c->n_ops),
                      fb_show_ms(c->max));
    }
}

/* Appends operation 'op' on a datapath's ports, 't'. */
static void
put_port_op(const struct fb_port_totals *t, const char *op, struct ds *ds)
{
    if (!t->n) {
        return;
    }
    ds_put_format(ds, "  port %s: %"PRIu64", %"PRIu64" failed", op, t->n,
                  t->n_errors);
    if (t->n_errors) {
        ds_put_cstr(ds, " (");
        fb_errnos_format(&t->errnos, ds);
        ds_put_char(ds, ')');
    }
    ds_put_format(ds, "; %.3f ms in all, slowest %s %.3f ms\n",
                  fb_show_ms(t->ticks), t->max_name, fb_show_ms(t->max));
    for (size_t i = 0; i < FB_N_PORT_CLASSES; i++) {
        const struct fb_port_class *c = &t->classes[i];

        if (c->n) {
            ds_put_cstr(ds, "  ");
            put_class(i, ds);
            ds_put_format(ds, " %8"PRIu64" %12.3f ms/port, max %.3f\n", c->n,
                          fb_show_ratio(fb_show_ms(c->ticks), c->n),
                          fb_show_ms(c->max));
        }
    }
}

/* Appends the text of fanbench/ports, of datapath 'dp' or of all if that is
 * negative. */
void
fb_text_ports(const struct fb_snapshot *s, int dp, struct ds *ds)
{
    if (!s->any) {
        ds_put_cstr(ds, "recording: off, nothing recorded\n");
    }
    if (s->mainloop) {
        put_mainloop(s, ds);
        put_holds(s, ds);
    }
    if (!s->ports) {
        return;
    }
    put_sweeps(&s->ports->sweeps, ds);
    put_changes(s->ports, ds);
    for (size_t i = 0; i < s->n_dps; i++) {
        const struct fb_port_totals *ops = s->ports->ops[i];

        if ((dp < 0 || dp == i)
            && (ops[FB_PORT_ADD].n || ops[FB_PORT_DEL].n)) {
            ds_put_format(ds, "%s:\n", s->dps[i].name);
            for (size_t op = 0; op < FB_N_PORT_OPS; op++) {
                put_port_op(&ops[op], fb_port_op_names[op], ds);
            }
        }
    }
}
