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

#include "fb-options-host.h"

#include <stdlib.h>

#include "fb-dut.h"
#include "fb-grid.h"
#include "fb-options.h"
#include "fb-place.h"
#include "fb-result.h"
#include "fb-traffic.h"
#include "fb-uplink.h"
#include "util.h"

/* Is 'test' true of 'p' at some point of its sweeps, or, if it has none, as it
 * is? */
static bool
ever(const struct fb_parameters *p, bool (*test)(const struct fb_parameters *))
{
    size_t n = fb_grid_size(p);
    bool is = !n && test(p);

    for (size_t i = 0; i < n && !is; i++) {
        struct fb_parameters at = *p;

        fb_grid_set(&at, i);
        is = test(&at);
    }
    return is;
}

/* For ever(): do flows of 'p' come and go? */
static bool
is_churn(const struct fb_parameters *p)
{
    return p->traffic.pattern == FB_PATTERN_CHURN;
}

/* For ever(): does 'p' ask for masks? */
static bool
has_masks(const struct fb_parameters *p)
{
    return p->traffic.n_masks > 0;
}

/* For ever(): does 'p' have a single destination? */
static bool
has_one_destination(const struct fb_parameters *p)
{
    return p->n_destinations < 2;
}

/* Checks that a run of 'p' can do what --db asks for, and keeps it out of a
 * guest, from which it cannot be reached.  With --like, it says only where to
 * read.  Exits with an error message if not. */
static void
check_db(struct fb_options *options, const struct fb_parameters *p)
{
    if (!options->db || p->like) {
        return;
    } else if (options->where == FB_GUEST) {
        ovs_fatal(0, "--db: an Open vSwitch of this host cannot be used from "
                  "a guest, so that it does not go with --guest");
    } else if (options->vswitchd) {
        ovs_fatal(0, "--db: uses the ovs-vswitchd that runs, which does not "
                  "go with --vswitchd");
    } else if (p->tax.wanted || p->tap.wanted) {
        ovs_fatal(0, "--db: \"%s\" changes more than a bridge of its own; "
                  "leave --db out", p->scenario);
    } else if (ever(p, is_churn)) {
        ovs_fatal(0, "--db: --pattern=churn would have all of the host's "
                  "flows be exact; leave --db out");
    } else if (ever(p, has_masks)) {
        ovs_fatal(0, "--db: to count masks, caches of the host's datapath "
                  "would have to be switched off; leave --db out");
    }
    options->where = FB_HERE_FOR_DB;
}

/* Checks that no DUT in 'place' needs another configuration of the host's Open
 * vSwitch, if that is used.  Exits with an error message if one does. */
static void
check_db_place(const struct fb_options *options, const struct fb_place *place)
{
    for (size_t i = 0; (options->db && !options->like
                        && i < place->n_kinds); i++) {
        if (place->kinds[i]->port_type) {
            ovs_fatal(0, "--db: %s needs PMD threads, for which the host's "
                      "other_config would have to change",
                      place->kinds[i]->name);
        }
    }
}

/* Checks that a run of 'p', which is complete, can do what --uplink in
 * 'options' asks for, if it is there, and keeps it out of a guest, which
 * cannot have the interface.  Exits with an error message if not. */
static void
check_uplink(struct fb_options *options, const struct fb_parameters *p)
{
    if (!options->uplink) {
        return;
    } else if (options->where == FB_GUEST) {
        ovs_fatal(0, "--uplink: a guest cannot have an interface of this "
                  "host, so that it does not go with --guest");
    } else if (options->like || options->db || p->tcp.wanted) {
        ovs_fatal(0, "--uplink: does not go with --%s",
                  options->like ? "like" : options->db ? "db"
                  : "load=iperf3");
    } else if (p->tax.wanted || p->tap.wanted) {
        ovs_fatal(0, "--uplink: \"%s\" has no use for it", p->scenario);
    } else if (fb_traffic_is_two_way(&p->traffic)) {
        ovs_fatal(0, "--uplink: nobody sends from behind it, which "
                  "--pattern=%s needs", fb_pattern_name(p->traffic.pattern));
    } else if (ever(p, has_one_destination)) {
        ovs_fatal(0, "--uplink: needs two destinations or more, of which one "
                  "is behind it");
    }
    options->where = FB_HERE_FOR_UPLINK;
}

/* Checks that one of the DUTs in 'place' can have the uplink that 'options'
 * name, if they do.  Exits with an error message if not. */
static void
check_uplink_place(const struct fb_options *options,
                   const struct fb_place *place)
{
    size_t n_switches = 0;

    if (!options->uplink) {
        return;
    }
    for (size_t i = 0; i < place->n_kinds; i++) {
        const struct fb_dut_kind *kind = place->kinds[i];

        n_switches += kind != &fb_dut_wire;
        if (kind->port_type) {
            ovs_fatal(0, "--uplink: %s would drive the interface in another "
                      "way, from which it cannot be put back for certain; "
                      "leave that out of --duts", kind->name);
        }
    }
    if (n_switches != 1) {
        ovs_fatal(0, "--uplink: an interface can belong to one switch only: "
                  "name that, with or without the wire, in --duts");
    }
    char *error = fb_uplink_check(options->uplink);
    if (error) {
        ovs_fatal(0, "--uplink: %s", error);
    }
}

/* Checks that a run of 'p', which is complete, can have what of the host
 * 'options' ask for, and keeps it out of a guest, which cannot.  Exits with an
 * error message if not. */
void
fb_options_check_host(struct fb_options *options,
                      const struct fb_parameters *p)
{
    check_db(options, p);
    check_uplink(options, p);
}

/* Checks that the DUTs in 'place' can have what of the host 'options' ask for.
 * Exits with an error message if not. */
void
fb_options_check_host_place(const struct fb_options *options,
                            const struct fb_place *place)
{
    check_db_place(options, place);
    check_uplink_place(options, place);
}
