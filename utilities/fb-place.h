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

#ifndef FB_PLACE_H
#define FB_PLACE_H 1

/* Where a run happens: on this kernel, or in a guest that has what this one
 * lacks.  All DUTs of a run are in the same kernel. */

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"
#include "fb-options.h"

struct fb_dut_kind;
struct fb_findings;
struct fb_guest_kind;
struct fb_parameters;

/* Where to run what. */
struct fb_place {
    const struct fb_dut_kind **kinds; /* DUTs to run, maybe not all asked. */
    size_t n_kinds;             /* At least 1. */
    char *left_out;             /* Which DUTs are not, and why; or NULL... */
    char *left_out_fix;         /* ...and what lets them run. */
    bool guest;                 /* In the guest? */
    const struct fb_guest_kind *guest_kind; /* If so, in which... */
    unsigned int guest_cpus;    /* ...with how many CPUs. */
    char *why;                  /* The reason for the guest, or NULL. */
};

char *fb_place_choose(const struct fb_options *, const char *duts,
                      const char *vswitchd, struct fb_place *)
    OVS_WARN_UNUSED_RESULT;
/* What a run needs of a guest. */
struct fb_guest_needs {
    unsigned int mem_mb;        /* Memory beside what any run needs, in MiB. */
    unsigned int timeout_s;     /* After so many seconds it must be hanging,
                                 * were it a User-Mode Linux guest. */
    const char *kernel_args;    /* More words for its kernel, or NULL. */
    bool counts;                /* Its clock counts instructions? */
};

void fb_place_add_findings(const struct fb_place *, struct fb_findings *);
struct fb_guest_needs fb_place_guest_needs(const struct fb_place *,
                                           const struct fb_parameters *);
int fb_place_run_in_guest(const struct fb_place *, char **argv,
                          const struct fb_guest_needs *, const char *rundir,
                          unsigned int timeout);
char *fb_place_check_guest(const struct fb_guest_kind *)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-place.h */
