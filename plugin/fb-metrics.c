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

#include "fb-metrics.h"

#include <inttypes.h>
#include <stdint.h>

#include "fb-clock.h"
#include "fb-findings.h"
#include "fb-mainloop.h"
#include "fb-ports.h"
#include "fb-snapshot.h"
#include "fb-watch.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* There are two dialects.  In OpenMetrics 1.0, the metadata of a counter bear
 * its name without "_total", and there is a line about the unit.  In
 * Prometheus's own text format, version 0.0.4, they bear the whole name. */

/* The text and where it stands. */
struct writer {
    const struct fb_snapshot *s; /* What it is made from. */
    bool openmetrics;           /* The dialect. */
    struct ds *ds;              /* The text. */
    const char *name;           /* The present family, without suffix. */
    const char *suffix;         /* "_total" if it is a counter, else "". */
};

/* Begins the family of metrics called ovs_fanbench_'name', of 'type'.  Its
 * unit is seconds if 'name' says so. */
static void
put_family(struct writer *w, const char *name, const char *type,
           const char *help)
{
    const char *suffix = strcmp(type, "counter") ? "" : "_total";
    const char *shown = w->openmetrics ? "" : suffix;

    w->name = name;
    w->suffix = suffix;
    ds_put_format(w->ds, "# TYPE ovs_fanbench_%s%s %s\n", name, shown, type);
    if (w->openmetrics) {
        size_t n = strlen(name);

        if (n > 8 && !strcmp(&name[n - 8], "_seconds")) {
            ds_put_format(w->ds, "# UNIT ovs_fanbench_%s seconds\n", name);
        }
    }
    ds_put_format(w->ds, "# HELP ovs_fanbench_%s%s %s\n", name, shown, help);
}

/* Appends a label's value in quotation marks. */
static void
put_label_value(struct ds *ds, const char *value)
{
    ds_put_char(ds, '"');
    for (; *value; value++) {
        if (*value == '\n') {
            ds_put_cstr(ds, "\\n");
        } else {
            if (*value == '"' || *value == '\\') {
                ds_put_char(ds, '\\');
            }
            ds_put_char(ds, *value);
        }
    }
    ds_put_char(ds, '"');
}

/* Begins a sample of the present family.  The rest of the arguments are names
 * of labels and their values, in turn, and a null pointer. */
static void __attribute__((sentinel))
put_sample(struct writer *w, const char *suffix, ...)
{
    const char *separator = "{";
    const char *label;
    va_list args;

    ds_put_format(w->ds, "ovs_fanbench_%s%s", w->name, suffix);
    va_start(args, suffix);
    while ((label = va_arg(args, const char *))) {
        ds_put_format(w->ds, "%s%s=", separator, label);
        put_label_value(w->ds, va_arg(args, const char *));
        separator = ",";
    }
    va_end(args);
    ds_put_cstr(w->ds, *separator == ',' ? "} " : " ");
}

/* Ends a sample with 'n'. */
static void
put_count(struct writer *w, uint64_t n)
{
    ds_put_format(w->ds, "%"PRIu64"\n", n);
}

/* Ends a sample with 'ticks', in seconds. */
static void
put_time(struct writer *w, uint64_t ticks)
{
    uint64_t ns = fb_clock_to_ns(ticks);

    ds_put_format(w->ds, "%"PRIu64".%09"PRIu64"\n", ns / 1000000000,
                  ns % 1000000000);
}

/* Appends what is recorded, and for how long. */
static void
put_recording(struct writer *w)
{
    const struct fb_snapshot *s = w->s;

    put_family(w, "recording", "gauge", "Whether a recording is going on.");
    put_sample(w, "", NULL);
    put_count(w, s->recording);
    put_family(w, "recording_seconds", "gauge",
               "How long the recording has taken.");
    put_sample(w, "", NULL);
    put_time(w, s->elapsed);
    put_family(w, "threads_not_recorded", "counter",
               "Threads for which there was no room.");
    put_sample(w, w->suffix, NULL);
    put_count(w, s->n_refused);
}

/* A number in struct fb_round_totals. */
struct round_metric {
    const char *name;           /* Name of the family. */
    const char *type;           /* Its type. */
    const char *help;           /* What it is. */
    bool time;                  /* A time, rather than a count? */
    size_t offset;              /* Where the number is. */
};

static const struct round_metric round_metrics[] = {
#define T(MEMBER) offsetof(struct fb_round_totals, MEMBER)
    { "rounds", "counter", "Revalidation rounds.", false, T(n) },
    { "round_errors", "counter", "Rounds whose dump failed.", false,
      T(n_errors) },
    { "rounds_unfinished", "counter", "Rounds whose end was not seen.",
      false, T(n_unfinished) },
    { "round_duration_seconds", "counter", "Duration of all rounds.", true,
      T(duration) },
    { "round_max_seconds", "gauge", "Duration of the longest round.", true,
      T(max) },
    { "round_last_seconds", "gauge", "Duration of the latest round.", true,
      T(last) },
    { "round_last_flows", "gauge", "Flows in the latest round.", false,
      T(last_flows) },
    { "round_flows", "counter", "Flows that rounds dumped.", false,
      T(work.n[FB_W_FLOWS]) },
    { "round_operations", "counter", "Flow operations in rounds.", false,
      T(work.n[FB_W_OPS]) },
    { "revalidator_seconds", "counter", "Time of threads in rounds.", true,
      T(work.n[FB_W_THREAD]) },
    { "netlink_receive_seconds", "counter",
      "Part of the phase dump: receiving netlink messages.", true,
      T(work.n[FB_W_NETLINK]) },
    { "lock_wait_seconds", "counter",
      "Part of the phase dump: waiting for mutexes.", true,
      T(work.n[FB_W_LOCK_WAIT]) },
#undef T
};

/* Appends the revalidation rounds. */
static void
put_rounds(struct writer *w)
{
    static const struct {
        const char *name;       /* Label of the phase. */
        enum fb_work work;      /* Which it is. */
    } phases[] = {
        { "dump", FB_W_DUMP },
        { "revalidation", FB_W_REVALIDATION },
        { "operations", FB_W_OPERATIONS },
        { "sweep", FB_W_SWEEP },
        { "barrier", FB_W_BARRIER },
        { "pause", FB_W_PAUSE },
    };
    const struct fb_snapshot *s = w->s;

    for (size_t m = 0; m < ARRAY_SIZE(round_metrics); m++) {
        const struct round_metric *metric = &round_metrics[m];

        put_family(w, metric->name, metric->type, metric->help);
        for (size_t i = 0; i < s->n_dps; i++) {
            if (s->dps[i].recorded) {
                const char *t = (const char *) &s->dps[i].rounds;
                uint64_t n;

                memcpy(&n, t + metric->offset, sizeof n);
                put_sample(w, w->suffix, "datapath", s->dps[i].name, NULL);
                (metric->time ? put_time : put_count)(w, n);
            }
        }
    }
    put_family(w, "revalidator_phase_seconds", "counter",
               "Time of revalidator threads in rounds, by phase.");
    for (size_t i = 0; i < s->n_dps; i++) {
        for (size_t p = 0; p < ARRAY_SIZE(phases) && s->dps[i].recorded;
             p++) {
            put_sample(w, w->suffix, "datapath", s->dps[i].name, "phase",
                       phases[p].name, NULL);
            put_time(w, s->dps[i].rounds.work.n[phases[p].work]);
        }
    }
}

/* A counter that is kept by kind of thread. */
struct counter_metric {
    const char *name;           /* Name of the family. */
    const char *help;           /* What it is. */
    const char *label;          /* Name of a further label, or null. */
    const char *value;          /* Value of that. */
    bool time;                  /* A time, rather than a count? */
    enum fb_counter counter;    /* Which it is. */
};

/* Those with one name must follow each other. */
static const struct counter_metric counter_metrics[] = {
#define PER_OP(NAME, HELP, TIME, COUNTER)                               \
    { NAME, HELP, "op", "put", TIME, COUNTER(FB_OP_PUT) },              \
    { NAME, HELP, "op", "del", TIME, COUNTER(FB_OP_DEL) },              \
    { NAME, HELP, "op", "get", TIME, COUNTER(FB_OP_GET) },              \
    { NAME, HELP, "op", "execute", TIME, COUNTER(FB_OP_EXECUTE) }
    PER_OP("operations", "Flow operations.", false, FB_C_OP),
    PER_OP("operation_errors", "Flow operations that failed.", false,
           FB_C_OP_ERRORS),
    PER_OP("operation_seconds", "Time of flow operations.", true,
           FB_C_OP_TICKS),
#undef PER_OP
    { "upcalls", "Packets passed up.", "type", "miss", false, FB_C_MISS },
    { "upcalls", "Packets passed up.", "type", "action", false,
      FB_C_ACTION },
    { "misses_not_recorded",
      "Upcalls of type miss that came too fast to be recorded by flow.", NULL,
      NULL, false, FB_C_UNRECORDED },
    { "upcall_errors", "Upcalls that failed.", NULL, NULL, false,
      FB_C_UPCALL_ERRORS },
    { "upcall_seconds", "Time of upcalls.", NULL, NULL, true,
      FB_C_UPCALL_TICKS },
    { "other_dumps", "Flow dumps that are no rounds.", NULL, NULL, false,
      FB_C_DUMPS },
    { "other_dump_flows", "Flows that those returned.", NULL, NULL, false,
      FB_C_DUMP_FLOWS },
    { "other_dump_seconds", "Time of those.", NULL, NULL, true,
      FB_C_DUMP_TICKS },
};

/* Appends what is counted by kind of thread. */
static void
put_counters(struct writer *w)
{
    const struct fb_snapshot *s = w->s;
    const char *last = "";

    for (size_t m = 0; m < ARRAY_SIZE(counter_metrics); m++) {
        const struct counter_metric *metric = &counter_metrics[m];

        if (strcmp(metric->name, last)) {
            put_family(w, metric->name, "counter", metric->help);
            last = metric->name;
        }
        for (size_t i = 0; i < s->n_dps; i++) {
            for (size_t r = 0; r < FB_N_ROLES; r++) {
                const struct fb_counters *c = &s->dps[i].roles[r];

                if (s->dps[i].recorded && fb_counters_any(c)) {
                    put_sample(w, w->suffix, "datapath", s->dps[i].name,
                               "thread", fb_role_names[r], metric->label,
                               metric->value, NULL);
                    (metric->time ? put_time
                     : put_count)(w, c->n[metric->counter]);
                }
            }
        }
    }
}

/* Appends how long the iterations of the main loop were, and what was in
 * them. */
static void
put_mainloop(struct writer *w)
{
    static const struct {
        const char *label;      /* The label's value. */
        double q;               /* The quantile. */
    } quantiles[] = {
        { "0.5", 0.5 }, { "0.9", 0.9 }, { "0.99", 0.99 }, { "0.999", 0.999 },
    };
    const struct fb_mainloop *m = w->s->mainloop;

    if (!m) {
        return;
    }
    put_family(w, "main_loop_iteration_seconds", "summary",
               "Iterations of the main loop: time between two waits.");
    for (size_t i = 0; i < ARRAY_SIZE(quantiles); i++) {
        put_sample(w, "", "quantile", quantiles[i].label, NULL);
        put_time(w, fb_hist_quantile(&m->durations, quantiles[i].q));
    }
    put_sample(w, "_sum", NULL);
    put_time(w, m->busy);
    put_sample(w, "_count", NULL);
    put_count(w, m->n);
    put_family(w, "main_loop_max_seconds", "gauge",
               "The longest iteration of the main loop.");
    put_sample(w, "", NULL);
    put_time(w, fb_hist_max(&m->durations));
    put_family(w, "main_loop_activity_seconds", "counter",
               "What the main thread was busy with.");
    for (size_t i = 0; i < FB_N_ACTIVITIES; i++) {
        put_sample(w, w->suffix, "activity", fb_activity_names[i], NULL);
        put_time(w, m->activities[i].ticks);
    }
    put_family(w, "main_loop_hold_ups", "counter",
               "Long iterations of the main loop, by their cause.");
    for (size_t i = 0; i < FB_N_ACTIVITIES; i++) {
        put_sample(w, w->suffix, "activity", fb_activity_names[i], NULL);
        put_count(w, m->activities[i].n_holds);
    }
}

/* Appends one number of each operation on ports, at 'offset' in struct
 * fb_port_totals.  'time' says that it is a time. */
static void
put_port_metric(struct writer *w, const char *name, const char *help,
                bool time, size_t offset)
{
    const struct fb_snapshot *s = w->s;

    put_family(w, name, "counter", help);
    for (size_t i = 0; i < s->n_dps; i++) {
        for (size_t op = 0; op < FB_N_PORT_OPS && s->dps[i].recorded; op++) {
            uint64_t n;

            memcpy(&n, (const char *) &s->ports->ops[i][op] + offset,
                   sizeof n);
            put_sample(w, w->suffix, "datapath", s->dps[i].name, "op",
                       fb_port_op_names[op], NULL);
            (time ? put_time : put_count)(w, n);
        }
    }
}

/* Appends the sweeps over interfaces' statistics and operations on ports. */
static void
put_ports(struct writer *w)
{
    const struct fb_sweeps *sweeps;

    if (!w->s->ports) {
        return;
    }
    sweeps = &w->s->ports->sweeps;
    put_family(w, "statistics_sweeps", "counter",
               "Sweeps over the statistics of all interfaces.");
    put_sample(w, w->suffix, NULL);
    put_count(w, sweeps->n);
    put_family(w, "statistics_sweep_interfaces", "counter",
               "Interfaces read in those sweeps.");
    put_sample(w, w->suffix, NULL);
    put_count(w, sweeps->n_interfaces);
    put_family(w, "statistics_sweep_seconds", "counter",
               "Time of those sweeps.");
    put_sample(w, w->suffix, NULL);
    put_time(w, sweeps->ticks);

    put_port_metric(w, "port_operations", "Ports added and deleted.", false,
                    offsetof(struct fb_port_totals, n));
    put_port_metric(w, "port_operation_errors",
                    "Additions and deletions of ports that failed.", false,
                    offsetof(struct fb_port_totals, n_errors));
    put_port_metric(w, "port_operation_seconds",
                    "Time to add and delete ports.", true,
                    offsetof(struct fb_port_totals, ticks));
}

/* Appends why flow puts failed. */
static void
put_put_errors(struct writer *w)
{
    put_family(w, "flow_put_errors", "counter",
               "Flow puts that failed, by reason.");
    for (size_t i = 0; i < w->s->n_dps; i++) {
        const uint32_t *n = w->s->watch->dps[i].put_errors.n;

        for (size_t e = 0; e < FB_N_ERRNOS; e++) {
            if (n[e]) {
                put_sample(w, w->suffix, "datapath", w->s->dps[i].name,
                           "error", e ? ovs_strerror(e) : "others", NULL);
                put_count(w, n[e]);
            }
        }
    }
}

/* Appends OVS's own figures, as they rose in the recording. */
static void
put_watch(struct writer *w)
{
    const struct fb_snapshot *s = w->s;

    if (!s->watch) {
        return;
    }
    put_family(w, "coverage", "counter",
               "Coverage counters, since the recording began.");
    for (size_t i = 0; i < FB_N_COVERAGE; i++) {
        if (s->watch->coverage[i].known) {
            put_sample(w, w->suffix, "counter", fb_coverage_names[i], NULL);
            put_count(w, fb_watched_rise(&s->watch->coverage[i]));
        }
    }
    put_family(w, "datapath_packets", "counter",
               "Packets by what became of them, since the recording began.");
    for (size_t i = 0; i < s->n_dps; i++) {
        const struct fb_watched_dp *dp = &s->watch->dps[i];

        if (dp->hit.known) {
            put_sample(w, w->suffix, "datapath", s->dps[i].name, "result",
                       "hit", NULL);
            put_count(w, fb_watched_rise(&dp->hit));
            put_sample(w, w->suffix, "datapath", s->dps[i].name, "result",
                       "missed", NULL);
            put_count(w, fb_watched_rise(&dp->missed));
            put_sample(w, w->suffix, "datapath", s->dps[i].name, "result",
                       "lost", NULL);
            put_count(w, fb_watched_rise(&dp->lost));
        }
    }
    put_family(w, "flows", "gauge", "Flows in the datapath.");
    for (size_t i = 0; i < s->n_dps; i++) {
        if (s->watch->dps[i].hit.known) {
            put_sample(w, "", "datapath", s->dps[i].name, NULL);
            put_count(w, s->watch->dps[i].n_flows);
        }
    }
    put_family(w, "flow_limit", "gauge", "Limit of flows in the datapath.");
    for (size_t i = 0; i < s->n_dps; i++) {
        if (s->dps[i].cause.limit) {
            put_sample(w, "", "datapath", s->dps[i].name, NULL);
            put_count(w, s->dps[i].cause.limit);
        }
    }
    put_put_errors(w);
}

/* Appends the number of findings by severity. */
static void
put_findings(struct writer *w)
{
    struct fb_findings f;

    fb_findings_find(w->s, FB_ABOUT_ALL, &f);
    put_family(w, "findings", "gauge", "Findings, see fanbench/show.");
    for (int severity = FB_SEV_INFO; severity <= FB_SEV_ERROR; severity++) {
        uint64_t n = 0;

        for (size_t i = 0; i < f.n; i++) {
            n += f.findings[i].severity == severity;
        }
        put_sample(w, "", "severity", fb_severity_names[severity], NULL);
        put_count(w, n);
    }
    fb_findings_destroy(&f);
}

/* Appends all that is in 's' to 'ds': as OpenMetrics 1.0 if 'openmetrics' is
 * set, else in Prometheus's own text format. */
void
fb_metrics_format(const struct fb_snapshot *s, bool openmetrics,
                  struct ds *ds)
{
    struct writer w = { .s = s, .openmetrics = openmetrics, .ds = ds };

    put_recording(&w);
    put_rounds(&w);
    put_counters(&w);
    put_mainloop(&w);
    put_ports(&w);
    put_watch(&w);
    put_findings(&w);
    ds_put_cstr(ds, "# EOF\n");
}
