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

#include "fb-result-json.h"

#include "fb-cells.h"
#include "fb-churn-report.h"
#include "fb-cpu-json.h"
#include "fb-curve-report.h"
#include "fb-datapath-json.h"
#include "fb-directions.h"
#include "fb-backend.h"
#include "fb-dut.h"
#include "fb-environment.h"
#include "fb-figure-json.h"
#include "fb-latency-report.h"
#include "fb-like-report.h"
#include "fb-new-flows.h"
#include "fb-order-report.h"
#include "fb-losses-report.h"
#include "fb-model.h"
#include "fb-result.h"
#include "fb-search-preset.h"
#include "fb-search-report.h"
#include "fb-tap-report.h"
#include "fb-tax-report.h"
#include "fb-tcp-report.h"
#include "openvswitch/json.h"
#include "util.h"

/* Returns 'trial' as JSON.  'has_datapath' says that the DUT is an Open
 * vSwitch, 'tcp' that the load was TCP. */
static struct json *
trial_to_json(const struct fb_trial *trial, bool has_datapath, bool tcp)
{
    const struct fb_losses *losses = &trial->losses;
    struct json *json = json_object_create();

    json_object_put(json, "block", json_integer_create(trial->block));
    json_object_put(json, "build", json_integer_create(trial->build));
    json_object_put(json, "offered", json_integer_create(losses->offered));
    json_object_put(json, "delivered",
                    json_integer_create(losses->delivered));
    json_object_put(json, "delivered_in_time",
                    tcp ? json_null_create()
                    : json_integer_create(trial->in_time));
    json_object_put(json, "duration_s",
                    json_real_create(trial->duration_ns / 1e9));
    json_object_put(json, "lost", tcp ? json_null_create()
                    : fb_losses_to_json(losses));
    json_object_put(json, "unaccounted", tcp ? json_null_create()
                    : json_integer_create(losses->unaccounted));
    json_object_put(json, "tcp", tcp ? fb_tcp_trial_to_json(trial)
                    : json_null_create());
    json_object_put(json, "softnet_drops",
                    json_integer_create(losses->softnet));
    json_object_put(json, "copies", json_integer_create(trial->copies));
    json_object_put(json, "not_sent", json_integer_create(trial->not_sent));
    json_object_put(json, "cpu", fb_cpu_usage_to_json(&trial->cpu));
    json_object_put(json, "marked", json_integer_create(trial->marks.tried));
    json_object_put(json, "marked_arrived",
                    json_integer_create(trial->marks.arrived));
    json_object_put(json, "datapath",
                    has_datapath ? fb_datapath_to_json(&trial->datapath)
                    : json_null_create());
    return json;
}

/* Returns the latencies of 'dut' at chosen loads as JSON. */
static struct json *
latency_at_to_json(const struct fb_dut_result *dut)
{
    struct json *array = json_array_create_empty();

    for (size_t i = 0; i < dut->n_latency_at; i++) {
        json_array_add(array, fb_latency_at_to_json(&dut->latency_at[i]));
    }
    return array;
}

/* Returns 'pace' as JSON. */
static struct json *
pace_to_json(const struct fb_pace_result *pace)
{
    struct json *json = json_object_create();
    struct json *error = json_object_create();

    json_object_put(error, "p50", fb_number_to_json(pace->p50_ns));
    json_object_put(error, "p99", fb_number_to_json(pace->p99_ns));
    json_object_put(error, "max", fb_number_to_json(pace->max_ns));
    json_object_put(json, "asked_pps", fb_number_to_json(pace->asked_pps));
    json_object_put(json, "offered_pps",
                    fb_number_to_json(pace->offered_pps));
    json_object_put(json, "gap_error_ns", error);
    return json;
}

/* Returns 'dut' of 'result' as JSON. */
static struct json *
dut_to_json(const struct fb_result *result, const struct fb_dut_result *dut)
{
    static const struct fb_estimate none = FB_NO_ESTIMATE;
    bool paced = result->parameters.rate > 0;
    bool tcp = result->parameters.tcp.wanted;
    struct json *json = json_object_create();
    struct json *trials = json_array_create_empty();

    for (size_t i = 0; i < dut->n_trials; i++) {
        json_array_add(trials, trial_to_json(&dut->trials[i],
                                             dut->datapath_type != NULL,
                                             tcp));
    }
    json_object_put_string(json, "name", dut->name);
    json_object_put_string(json, "kind", dut->kind);
    json_object_put(json, "datapath_type",
                    fb_string_to_json(dut->datapath_type));
    json_object_put(json, "trials", trials);
    json_object_put(json, "delivered_pps",
                    fb_estimate_to_json(tcp ? &none : &dut->pps));
    json_object_put(json, "ns_per_packet",
                    fb_estimate_to_json(tcp ? &none : &dut->ns));
    json_object_put(json, "added_ns_per_packet",
                    fb_estimate_to_json(tcp ? &none : &dut->added_ns));
    json_object_put(json, "tcp", fb_tcp_to_json(result, dut));
    json_object_put(json, "cpu", fb_cpu_figures_to_json(&dut->cpu, !tcp));
    json_object_put(json, "context_switches_per_s",
                    fb_cpu_switches_to_json(&dut->cpu));
    json_object_put(json, "pace",
                    paced ? pace_to_json(&dut->pace) : json_null_create());
    fb_latency_put_json(&dut->latency, json);
    json_object_put(json, "latency_at", latency_at_to_json(dut));
    json_object_put(json, "order", fb_order_to_json(&dut->order));
    json_object_put(json, "offered",
                    json_integer_create(dut->sum.offered));
    json_object_put(json, "delivered",
                    json_integer_create(dut->sum.delivered));
    json_object_put(json, "lost", tcp ? json_null_create()
                    : fb_losses_to_json(&dut->sum));
    json_object_put(json, "loss_pct", fb_estimate_to_json(&dut->loss_pct));
    json_object_put(json, "directions", fb_directions_to_json(result, dut));
    json_object_put(json, "new_flows", fb_new_flows_to_json(result, dut));
    json_object_put(json, "datapath",
                    dut->datapath_type ? fb_datapath_to_json(&dut->datapath)
                    : json_null_create());
    json_object_put(json, "fdb",
                    dut->is_bridge ? fb_fdb_to_json(&dut->fdb, dut->n_left)
                    : json_null_create());
    json_object_put(json, "search", fb_search_report_to_json(dut->search));
    json_object_put(json, "new_flows_per_s",
                    fb_churn_report_to_json(dut, &result->parameters));
    json_object_put(json, "curve", fb_curve_to_json(dut->curve));
    json_object_put(json, "mirrors", fb_tax_to_json(dut->taxes));
    json_object_put(json, "taps", fb_tap_to_json(dut->taps));
    json_object_put(json, "model", fb_model_to_json(dut->model));
    json_object_put(json, "cells", fb_cells_to_json(dut));
    json_object_put(json, "probe",
                    dut->probe ? json_clone(dut->probe) : json_null_create());
    json_object_put(json, "probe_missing",
                    fb_string_to_json(dut->probe_missing));
    return json;
}

/* Returns 'sweep' as JSON: null if there is none. */
static struct json *
sweep_to_json(const struct fb_sweep *sweep)
{
    if (!sweep->what) {
        return json_null_create();
    }

    struct json *json = json_object_create();
    struct json *values = json_array_create_empty();
    for (size_t i = 0; i < sweep->n; i++) {
        json_array_add(values, json_integer_create(sweep->values[i]));
    }
    json_object_put_string(json, "parameter", fb_sweep_name(sweep));
    json_object_put(json, "values", values);
    return json;
}

/* Returns 'p' as JSON: null if there are no curves. */
static struct json *
curve_parameters_to_json(const struct fb_curve_parameters *p)
{
    if (!p->wanted) {
        return json_null_create();
    }

    struct json *json = json_object_create();

    json_object_put(json, "steps", json_integer_create(p->steps));
    json_object_put(json, "blocks", json_integer_create(p->blocks));
    json_object_put(json, "duration_s", json_real_create(p->duration));
    return json;
}

/* Returns the name of 'scale'. */
static const char *
scale_name(enum fb_scale scale)
{
    return (scale == FB_SCALE_QUICK ? "quick"
            : scale == FB_SCALE_FULL ? "full" : "normal");
}

/* Returns the parameters 'p' as JSON. */
static struct json *
parameters_to_json(const struct fb_parameters *p)
{
    struct fb_traffic traffic = fb_result_traffic(p);
    struct json *json = json_object_create();
    json_object_put_string(json, "scale", scale_name(p->scale));
    json_object_put_string(json, "load",
                           p->tcp.wanted ? "iperf3" : "frames");
    json_object_put(json, "tso", p->tcp.wanted
                    ? json_boolean_create(p->tcp.tso) : json_null_create());
    json_object_put(json, "destinations",
                    json_integer_create(p->n_destinations));
    json_object_put(json, "frame_size",
                    traffic.sizes.n == 1 && !p->tcp.wanted
                    ? json_integer_create(traffic.sizes.classes[0].size)
                    : json_null_create());
    json_object_put(json, "traffic", p->tcp.wanted ? json_null_create()
                    : fb_traffic_to_json(&traffic, p->n_destinations));
    json_object_put(json, "threads", json_integer_create(p->n_threads));
    json_object_put(json, "rate_pps",
                    p->rate ? json_integer_create(p->rate)
                    : json_null_create());
    json_object_put(json, "end_rate_pps",
                    p->end_rate ? json_integer_create(p->end_rate)
                    : json_null_create());
    json_object_put(json, "burst_s", json_real_create(p->burst));
    json_object_put(json, "pause_s", json_real_create(p->pause));
    json_object_put(json, "trials",
                    p->n_trials ? json_integer_create(p->n_trials)
                    : json_null_create());
    json_object_put(json, "precision",
                    p->n_trials ? json_null_create()
                    : json_real_create(p->precision));
    json_object_put(json, "max_time_s",
                    p->n_trials && !p->search ? json_null_create()
                    : json_real_create(p->max_time));
    json_object_put(json, "duration_s", json_real_create(p->duration));
    json_object_put(json, "warmup_s", json_real_create(p->warmup));
    json_object_put(json, "seed", json_integer_create(p->seed));
    json_object_put(json, "sweep", sweep_to_json(&p->sweep));
    json_object_put(json, "across", sweep_to_json(&p->across));
    json_object_put(json, "search",
                    fb_string_to_json(p->search ? p->search->name : NULL));
    json_object_put(json, "latency_rate",
                    json_integer_create(p->latency_rate));
    json_object_put(json, "curve", curve_parameters_to_json(&p->curve));
    return json;
}

/* Returns the sampling 's' as JSON. */
static struct json *
sampling_to_json(const struct fb_sampling *s)
{
    struct json *json = json_object_create();
    json_object_put(json, "blocks", json_integer_create(s->n_blocks));
    json_object_put(json, "builds", json_integer_create(s->n_builds));
    json_object_put(json, "seconds", json_real_create(s->seconds));
    json_object_put_string(json, "ended_by", fb_plan_end_to_string(s->end));
    json_object_put(json, "precision", fb_number_to_json(s->reached));
    json_object_put(json, "noise", fb_number_to_json(s->noise));
    return json;
}

/* Returns what each backend can do as JSON. */
static struct json *
ceilings_to_json(const struct fb_ceilings *c)
{
    struct json *array = json_array_create_empty();
    for (size_t i = 0; i < c->n; i++) {
        const struct fb_ceiling *ceiling = &c->all[i];
        struct json *json = json_object_create();
        bool used = !ceiling->why_not;
        json_object_put_string(json, "backend", ceiling->backend->name);
        json_object_put(json, "offered_pps",
                        used ? json_real_create(ceiling->offered_pps)
                        : json_null_create());
        json_object_put(json, "delivered_pps",
                        used ? json_real_create(ceiling->delivered_pps)
                        : json_null_create());
        json_object_put(json, "why_not", fb_string_to_json(ceiling->why_not));
        json_array_add(array, json);
    }
    return array;
}

/* Returns what a sink can take as JSON. */
static struct json *
sink_ceiling_to_json(const struct fb_sink_ceiling *ceiling)
{
    struct json *json = json_object_create();

    json_object_put(json, "received_pps", fb_number_to_json(ceiling->pps));
    json_object_put(json, "why_not", fb_string_to_json(ceiling->why_not));
    return json;
}

/* Returns the CPUs of the generator's threads as JSON. */
static struct json *
generator_cpus_to_json(const struct fb_environment *e)
{
    struct json *array = json_array_create_empty();
    for (size_t i = 0; i < e->n_generator_cpus; i++) {
        json_array_add(array, json_integer_create(e->generator_cpus[i]));
    }
    return array;
}

/* Returns the environment 'e', and how the load is sent in it, as JSON. */
static struct json *
environment_to_json(const struct fb_environment *e)
{
    struct json *json = fb_environment_to_json(e);

    json_object_put(json, "iperf3", fb_string_to_json(e->iperf3));
    json_object_put_string(json, "generator", e->generator);
    json_object_put(json, "backend",
                    fb_string_to_json(e->ceilings.chosen
                                      ? e->ceilings.chosen->backend->name
                                      : NULL));
    json_object_put(json, "ceilings", ceilings_to_json(&e->ceilings));
    json_object_put(json, "sink_ceiling",
                    e->ceilings.n ? sink_ceiling_to_json(&e->ceilings.sink)
                    : json_null_create());
    json_object_put(json, "generator_cpu",
                    e->n_generator_cpus
                    ? json_integer_create(e->generator_cpus[0])
                    : json_null_create());
    json_object_put(json, "generator_cpus", generator_cpus_to_json(e));
    json_object_put(json, "isolation", fb_isolation_to_json(&e->isolation));
    json_object_put(json, "cpu_time", fb_cpu_setup_to_json(&e->cpus));
    return json;
}

/* Returns the comparisons of 'result' as JSON. */
static struct json *
comparisons_to_json(const struct fb_result *result)
{
    struct json *array = json_array_create_empty();
    for (size_t i = 0; i < result->n_comparisons; i++) {
        const struct fb_comparison *c = &result->comparisons[i];
        struct json *json = json_object_create();
        json_object_put_string(json, "dut", c->dut);
        json_object_put_string(json, "base", c->base);
        json_object_put_string(json, "metric",
                               result->parameters.tcp.wanted
                               ? "ns_per_byte" : "ns_per_packet");
        json_object_put(json, "ratio", fb_number_to_json(c->ratio.median));
        json_object_put(json, "ci95", fb_interval_to_json(&c->ratio));
        json_object_put(json, "margin",
                        json_real_create(fb_verdict_margin(&c->ratio)));
        json_object_put_string(json, "verdict",
                               fb_verdict_to_string(c->verdict));
        json_array_add(array, json);
    }
    return array;
}

/* Returns 'result' as JSON, which the caller must destroy. */
struct json *
fb_result_to_json(const struct fb_result *result)
{
    struct json *json = json_object_create();
    struct json *duts = json_array_create_empty();

    for (size_t i = 0; i < result->n_duts; i++) {
        json_array_add(duts, dut_to_json(result, &result->duts[i]));
    }
    json_object_put_string(json, "schema", FB_RESULT_SCHEMA);
    json_object_put_string(json, "scenario", result->parameters.scenario);
    json_object_put(json, "parameters",
                    parameters_to_json(&result->parameters));
    json_object_put(json, "like",
                    fb_like_report_json(result->parameters.like));
    json_object_put(json, "sampling", sampling_to_json(&result->sampling));
    json_object_put(json, "environment",
                    environment_to_json(&result->environment));
    json_object_put(json, "duts", duts);
    json_object_put(json, "comparisons", comparisons_to_json(result));
    json_object_put(json, "validity", fb_findings_to_json(&result->findings));
    return json;
}
