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

#include "fb-options-experiment.h"

#include <stdlib.h>
#include <string.h>

#include "fb-dut.h"
#include "fb-experiment.h"
#include "fb-options.h"
#include "fb-place.h"
#include "fb-traffic.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Most measurements at a point. */
#define MAX_TRIALS 1000

/* Stores in 'p' the values of 'class' that 'text' lists. */
static void
parse_values(const struct fb_experiment_class *class, const char *text,
             struct fb_experiment_parameters *p)
{
    char *copy = xstrdup(text);
    char *rest = copy;
    char *value;

    p->n_values = 0;
    while ((value = strsep(&rest, ",")) != NULL) {
        if (p->n_values >= FB_MAX_VALUES) {
            ovs_fatal(0, "--values=%s: more than %d values", text,
                      FB_MAX_VALUES);
        }
        p->values[p->n_values++] = fb_parse_number("values", value, class->min,
                                                   class->max, true);
    }
    free(copy);
}

/* Exits with an error message if 'options' has one of those that are about a
 * load, as the experiment 'scenario', of 'class', makes its own. */
void
fb_options_check_experiment(const struct fb_options *options,
                            const char *scenario,
                            const struct fb_experiment_class *class)
{
    const struct {
        const char *name;       /* Of the option. */
        bool given;             /* Was it? */
    } loads[] = {
        { "like", options->like },
        { "db", options->db },
        { "load", options->load },
        { "tso", options->tso },
        { "uplink", options->uplink },
        { "destinations", options->destinations },
        { "frame-size", options->frame_size },
        { "flow-fields", options->flow_fields },
        { "ipv6", options->ipv6 },
        { "vlan", options->vlan },
        { "rate", options->rate },
        { "backend", options->backend },
        { "cpus", options->cpus },
        { "tune", options->tune },
        { "masks", options->masks },
        { "new-flows", options->new_flows },
        { "pcap", options->pcap },
        { "pattern", options->pattern },
        { "burst", options->burst },
        { "pause", options->pause },
        { "flow-packets", options->flow_packets },
        { "precision", options->precision },
        { "max-time", options->max_time },
        { "builds", options->builds },
        { "search", options->search },
        { "loss-ratio", options->loss_ratio },
        { "sweep", options->sweep },
        { "duration", options->duration },
        { "warmup", options->warmup },
        { "seed", options->seed },
        { "latency-rate", options->latency_rate },
        { "latency-at", options->latency_at },
        { "threads", options->threads },
        { "no-latency", options->no_latency },
        { "check-order", options->check_order },
        { "no-spinner", options->no_spinner },
    };

    for (size_t i = 0; i < ARRAY_SIZE(loads); i++) {
        if (loads[i].given) {
            ovs_fatal(0, "--%s: \"%s\" makes a load of its own (its options "
                      "are --values%s, --trials and --duts)", loads[i].name,
                      scenario, class->here.flows ? ", --flows" : "");
        }
    }
    if (options->flows && !class->here.flows) {
        ovs_fatal(0, "--flows: \"%s\" needs no number of flows", scenario);
    }
}

/* Fills in '*p' for the experiment 'scenario', of 'class': its defaults, which
 * differ in a guest, with --quick and with
 * --full, unless 'options' say otherwise.  Exits with an error
 * message if one has a bad value. */
void
fb_options_get_experiment(const struct fb_options *options,
                          const char *scenario,
                          const struct fb_experiment_class *class, bool guest,
                          struct fb_experiment_parameters *p)
{
    const struct fb_experiment_defaults *d = (guest ? &class->guest
                                              : &class->here);
    static const struct fb_experiment_defaults none;
    const struct fb_experiment_defaults *scale
        = (options->scale == FB_SCALE_QUICK ? &class->quick
           : options->scale == FB_SCALE_FULL ? &class->full : &none);

    *p = (struct fb_experiment_parameters) {
        .scenario = scenario,
        .varies = class->varies,
        .flows = scale->flows ? scale->flows : d->flows,
        .trials = scale->trials ? scale->trials : d->trials,
    };
    parse_values(class, options->values ? options->values
                 : scale->values ? scale->values : d->values, p);
    if (options->flows) {
        p->flows = fb_parse_number("flows", options->flows, 1, FB_MAX_FLOWS,
                                   true);
    }
    if (options->trials) {
        p->trials = fb_parse_number("trials", options->trials, 1, MAX_TRIALS,
                                    true);
    }
}

/* Exits with an error message if the experiment 'scenario', of 'class', cannot
 * run on one of the DUTs in 'place'. */
void
fb_options_check_experiment_place(const struct fb_place *place,
                                  const char *scenario,
                                  const struct fb_experiment_class *class)
{
    for (size_t i = 0; i < place->n_kinds; i++) {
        const char *why = class->check(place->kinds[i]);
        if (why) {
            ovs_fatal(0, "--duts: \"%s\" cannot run on %s: %s", scenario,
                      place->kinds[i]->name, why);
        }
    }
}
