/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

#include <config.h>

#include "fb-options-guest.h"

#include <stdlib.h>

#include "fb-guest-kind.h"
#include "fb-options.h"
#include "util.h"

/* Implements "--guest", 'value' NULL, and "--guest=KIND". */
void
fb_options_set_guest(struct fb_options *options, const char *value)
{
    options->where = FB_GUEST;
    options->guest = (value ? fb_guest_kind_find(value) : &fb_guest_uml);
    if (!options->guest) {
        char *names = fb_guest_kind_names();
        ovs_fatal(0, "--guest=%s: no such kind of guest (%s)", value, names);
    }
}

/* Implements "--no-guest". */
void
fb_options_set_no_guest(struct fb_options *options,
                        const char *value OVS_UNUSED)
{
    options->where = FB_HERE;
}

/* Implements "--guest-cpus". */
void
fb_options_set_guest_cpus(struct fb_options *options, const char *value)
{
    options->guest_cpus = fb_parse_number("guest-cpus", value, 1,
                                          FB_GUEST_MAX_CPUS, true);
}

/* Settles which guest 'options' mean, if there is to be one, and how many CPUs
 * it has.  Exits with an error message if they ask for more than it can. */
void
fb_options_check_guest(struct fb_options *options)
{
    if (options->guest_cpus && options->where != FB_GUEST) {
        ovs_fatal(0, "--guest-cpus: says nothing without --guest");
    }
    if (options->where != FB_GUEST) {
        /* The one that a run may choose by itself. */
        options->guest = &fb_guest_uml;
    }
    if (options->guest_cpus > options->guest->max_cpus) {
        ovs_fatal(0, "--guest-cpus=%u: a %s guest has a single CPU (use "
                  "--guest=%s)", options->guest_cpus, options->guest->title,
                  fb_guest_qemu.name);
    }
    if (!options->guest_cpus) {
        options->guest_cpus = options->guest->default_cpus;
    }
}

/* Exits with an error message unless 'options', which fb_options_check_guest()
 * has settled, ask for a guest whose clock can count instructions, as
 * 'scenario' needs it.  Makes it one with a single CPU. */
void
fb_options_need_counting_guest(struct fb_options *options,
                               const char *scenario)
{
    if (options->where != FB_GUEST || !options->guest->can_count) {
        ovs_fatal(0, "\"%s\" needs a machine whose clock counts instructions "
                  "(use --guest=%s)", scenario, fb_guest_qemu.name);
    }
    if (svec_contains_unsorted(&options->given, "guest-cpus")
        && options->guest_cpus > 1) {
        ovs_fatal(0, "--guest-cpus=%u: \"%s\" needs a machine whose clock "
                  "counts instructions, which has one CPU",
                  options->guest_cpus, scenario);
    }
    options->guest_cpus = 1;
}
