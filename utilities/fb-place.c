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

#include "fb-place.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fb-dut-kinds.h"
#include "fb-dut.h"
#include "fb-expect.h"
#include "fb-finding.h"
#include "fb-guest-init.h"
#include "fb-guest.h"
#include "fb-mirror.h"
#include "fb-result.h"
#include "fb-tap.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Memory of the guest, in MiB: a base, and for each port of each DUT. */
#define GUEST_MEM_BASE 768
#define GUEST_MEM_PER_PORT 1

/* Stores in 'place' the kinds of DUT that 'names' lists. */
static char *
parse_kinds(const char *names, struct fb_place *place)
{
    char *copy = xstrdup(names);
    char *save_ptr = NULL;
    char *error = NULL;

    for (char *name = strtok_r(copy, ", ", &save_ptr); name && !error;
         name = strtok_r(NULL, ", ", &save_ptr)) {
        const struct fb_dut_kind *kind = fb_dut_kind_find(name);
        if (!kind) {
            error = xasprintf("--duts: %s: no such kind of DUT (use \"%s "
                              "list\" for a list)", name, program_name);
        } else {
            place->kinds = xrealloc(place->kinds, (place->n_kinds + 1)
                                    * sizeof *place->kinds);
            place->kinds[place->n_kinds++] = kind;
        }
    }
    if (!error && !place->n_kinds) {
        error = xstrdup("--duts: names no DUT");
    }
    free(copy);
    return error;
}

/* Appends 'name' to the list in 'names'. */
static void
add_name(struct ds *names, const char *name)
{
    ds_put_format(names, "%s%s", names->length ? "," : "", name);
}

/* Moves those kinds out of 'place' that cannot run here, with 'vswitchd' as
 * for fb_dut_kind_check().  Returns NULL if all can, otherwise which cannot
 * and why.  Appends to 'for_guest' the names of those of them that can run in
 * a guest. */
static char *
leave_out_impossible(const char *vswitchd, struct fb_place *place,
                     struct ds *for_guest)
{
    struct ds why = DS_EMPTY_INITIALIZER;
    size_t n = 0;

    for (size_t i = 0; i < place->n_kinds; i++) {
        const struct fb_dut_kind *kind = place->kinds[i];
        char *reason = fb_dut_kind_check(kind, vswitchd);

        if (reason) {
            ds_put_format(&why, "%s%s: %s", why.length ? "; " : "",
                          kind->name, reason);
            free(reason);
            if (!fb_dut_kind_guest_lacks(kind, place->guest_cpus)) {
                add_name(for_guest, kind->name);
            }
        } else {
            place->kinds[n++] = kind;
        }
    }
    place->n_kinds = n;
    return why.length ? ds_steal_cstr(&why) : NULL;
}

/* Checks whether there can be a guest of 'kind' here.  Returns NULL if so,
 * otherwise the reason, which the caller must free(). */
char *
fb_place_check_guest(const struct fb_guest_kind *kind)
{
    struct fb_guest_kernel kernel;
    char *why;

    int retval = kind->find(&kernel, &why);
    if (retval) {
        return why;
    }
    fb_guest_kernel_destroy(&kernel);
    return NULL;
}

/* Returns why a run that is to be on this kernel, as 'where' says, is. */
static const char *
why_here(enum fb_where where)
{
    return (where == FB_HERE_FOR_DB ? "--db needs this kernel"
            : where == FB_HERE_FOR_UPLINK ? "--uplink needs this kernel"
            : "--no-guest was given");
}

/* Returns which of the DUTs of 'place' cannot run in a guest, wherever that
 * runs, and why, or NULL if all can.  The caller must free it. */
static char *
find_guest_lacks(const struct fb_place *place)
{
    struct ds ds = DS_EMPTY_INITIALIZER;

    for (size_t i = 0; i < place->n_kinds; i++) {
        const char *why = fb_dut_kind_guest_lacks(place->kinds[i],
                                                  place->guest_cpus);

        if (why) {
            ds_put_format(&ds, "%s%s: %s", ds.length ? "; " : "",
                          place->kinds[i]->name, why);
        }
    }
    return ds.length ? ds_steal_cstr(&ds) : NULL;
}

/* Makes 'place' the guest, as the user asks for. */
static char *
choose_guest(struct fb_place *place)
{
    char *lacks = find_guest_lacks(place);

    if (lacks) {
        char *error = xasprintf("--guest: %s; leave that out of --duts, or "
                                "use --no-guest", lacks);
        free(lacks);
        return error;
    }
    place->guest = true;
    return fb_place_check_guest(place->guest_kind);
}

/* Describes why the DUTs of a run, which the user has named, can run neither
 * here, for the reasons in 'why', nor in a guest, for those in 'no_guest'.
 * 'lacks' are those of single DUTs, or null; 'for_guest' names DUTs that could
 * run there without them. */
static char *
describe_nowhere(const char *why, const char *no_guest, const char *lacks,
                 const char *for_guest)
{
    return (lacks && for_guest[0]
            ? xasprintf("--duts: all DUTs of a run are in the same kernel, "
                        "which these cannot be: on this kernel, %s; in a "
                        "guest, %s.  Make two runs, one of them with "
                        "--duts=%s and, to compare with the other, wire",
                        why, lacks, for_guest)
            : xasprintf("%s; and there is no guest to run in: %s", why,
                        lacks ? lacks : no_guest));
}

/* fb_place_choose() for a run that need not be in the guest. */
static char *
choose_here(bool given, enum fb_where where, const char *vswitchd,
            struct fb_place *place)
{
    struct ds for_guest = DS_EMPTY_INITIALIZER;
    char *error = NULL;

    const struct fb_dut_kind **all = xmemdup(place->kinds, place->n_kinds
                                             * sizeof *all);
    size_t n_all = place->n_kinds;

    char *lacks = where != FB_ANYWHERE ? NULL : find_guest_lacks(place);
    char *no_guest = (where != FB_ANYWHERE ? xstrdup(why_here(where))
                      : lacks ? NULL
                      : fb_place_check_guest(place->guest_kind));
    place->why = leave_out_impossible(vswitchd, place, &for_guest);
    if (place->why && !no_guest && !lacks) {
        place->guest = true;
        memcpy(place->kinds, all, n_all * sizeof *all);
        place->n_kinds = n_all;
    } else if (place->why && (given || !place->n_kinds)) {
        error = describe_nowhere(place->why, no_guest, lacks,
                                 ds_cstr(&for_guest));
    } else if (place->why) {
        place->left_out = place->why;
        place->why = NULL;
        place->left_out_fix
            = (!lacks || !for_guest.length
               ? xstrdup("install user-mode-linux and use --guest")
               : xasprintf("make another run, in a guest: --duts=%s",
                           ds_cstr(&for_guest)));
    }
    ds_destroy(&for_guest);
    free(all);
    free(no_guest);
    free(lacks);
    return error;
}

/* Decides where to run the DUTs that 'options' name, so that none may be left
 * out, or else those that 'duts' lists.  'vswitchd' is the one that the user
 * asked for, or null.  Fills in '*place', which lives as long as the process.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_place_choose(const struct fb_options *options, const char *duts,
                const char *vswitchd, struct fb_place *place)
{
    memset(place, 0, sizeof *place);
    place->guest_kind = options->guest;
    place->guest_cpus = options->guest_cpus;
    char *error = parse_kinds(options->duts ? options->duts : duts, place);
    if (error || fb_guest_is_inside()) {
        return error;
    } else if (options->where == FB_GUEST) {
        return choose_guest(place);
    }
    return choose_here(options->duts != NULL, options->where, vswitchd, place);
}

/* Adds to 'findings' what 'place' leaves out, and what it does to figures. */
void
fb_place_add_findings(const struct fb_place *place,
                      struct fb_findings *findings)
{
    if (place->left_out) {
        fb_findings_add(findings, FB_WARNING, "left-out", place->left_out_fix,
                        "left out: %s", place->left_out);
    }
    if (fb_guest_is_emulated()) {
        fb_findings_add(findings, FB_WARNING, "emulated",
                        "for times and rates, run it where it is not "
                        "emulated: on a real kernel, in a guest of kind uml, "
                        "or where there is KVM",
                        "the CPUs are emulated in software: no time, rate or "
                        "CPU figure here is a measure of anything, and no "
                        "difference between DUTs in one; what is counted, "
                        "such as packets, losses and memory, is right");
    }
}

/* Returns what a run of 'p' needs of a guest, as 'place' says. */
struct fb_guest_needs
fb_place_guest_needs(const struct fb_place *place,
                     const struct fb_parameters *p)
{
    return (struct fb_guest_needs) {
        .mem_mb = GUEST_MEM_PER_PORT * p->n_destinations * place->n_kinds,
        .timeout_s = fb_expect_deadline(p, place->kinds, place->n_kinds),
    };
}

/* Runs the command line 'argv', which asks for a run with 'needs', in a guest,
 * as 'place' says, with 'rundir' for what that needs on the host.  Ends it
 * after 'timeout' seconds unless that is 0.  What it prints comes out here.
 * Returns its exit code. */
int
fb_place_run_in_guest(const struct fb_place *place, char **argv,
                      const struct fb_guest_needs *needs, const char *rundir,
                      unsigned int timeout)
{
    const struct fb_guest_kind *kind = place->guest_kind;
    unsigned int timeout_s = (timeout ? timeout
                              : MIN((double) needs->timeout_s
                                    * kind->slowness, UINT_MAX));
    bool terminal = isatty(STDERR_FILENO);
    int exit_code = EXIT_FAILURE;
    char *error = NULL;

    if (terminal && place->why) {
        fprintf(stderr, "running in a guest (%s)\n", place->why);
    }
    int retval = fb_guest_run(&(struct fb_guest_config) {
        .argv = argv,
        .kind = kind,
        .machine = {
            .mem_mb = (GUEST_MEM_BASE + needs->mem_mb + kind->mem_mb
                       + kind->mem_mb_per_cpu * place->guest_cpus),
            .n_cpus = place->guest_cpus,
            .counts = needs->counts,
            .kernel_args = needs->kernel_args,
        },
        .timeout_s = timeout_s,
        .progress = terminal,
        .rundir = rundir,
    }, &exit_code, &error);
    if (retval) {
        ovs_error(0, "%s", error ? error : ovs_strerror(retval));
        free(error);
        return EXIT_FAILURE;
    }
    return exit_code;
}
