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

#ifndef FB_DOCTOR_OVS_H
#define FB_DOCTOR_OVS_H 1

/* What the doctor's checks of Open vSwitch share: their evidence. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fb-ovs-host.h"

struct fb_doctor;

/* Threads of ovs-vswitchd of one kind. */
struct fb_ovs_crew {
    unsigned int n;             /* How many there are. */
    uint64_t run_ns;            /* Time on a CPU, summed. */
    uint64_t wait_ns;           /* Time without one when they wanted it. */
};

/* A sample of what ovs-vswitchd tells.  Texts are as ovs-appctl prints them,
 * or NULL if they cannot be had. */
struct fb_ovs_sample {
    char *datapaths;            /* dpctl/show */
    char *upcalls;              /* upcall/show */
    char *coverage;             /* coverage/show */
    struct fb_ovs_crew main;
    struct fb_ovs_crew handlers;
    struct fb_ovs_crew revalidators;
    struct fb_ovs_crew pmds;
    bool has_threads;           /* Could they be read? */
};

/* A datapath in a sample. */
struct fb_ovs_dp {
    char name[64];              /* "system@ovs-system", ... */
    bool kernel;                /* Is it the kernel's? */
    uint64_t hit, missed, lost; /* Packets since it was created. */
    uint64_t flows;             /* Now. */
    uint64_t mask_lookups;      /* Masks tried since it was created... */
    uint64_t masks;             /* ...and masks now; 0 if not told. */
    uint64_t limit;             /* Of flows; 0 if not told. */
    uint64_t max_flows;         /* Most flows so far. */
    uint64_t dump_ms;           /* Duration of the latest round. */
};

/* The evidence. */
struct fb_doctor_ovs {
    struct fb_ovs_host host;
    struct fb_ovs_sample first;
    struct fb_ovs_sample second;
    char *memory;               /* memory/show, or NULL. */
    char *dispatch;             /* dpif-netlink/dispatch-mode, or NULL. */
    struct fb_ovs_dp *dps[2];   /* Datapaths in the first and the second
                                 * sample. */
    size_t n_dps[2];
};

const struct fb_ovs_dp *fb_doctor_ovs_before(const struct fb_doctor_ovs *,
                                             const struct fb_ovs_dp *);
uint64_t fb_doctor_ovs_number(const char *text, const char *key);
double fb_doctor_ovs_coverage(const struct fb_doctor *,
                              const struct fb_doctor_ovs *,
                              const char *counter);
double fb_doctor_ovs_coverage_hour(const struct fb_doctor_ovs *,
                                   const char *counter);

/* Checks of fb-doctor-ovs-run.c: how it runs. */
void fb_check_down(struct fb_doctor *, const void *);
void fb_check_lost(struct fb_doctor *, const void *);
void fb_check_misses(struct fb_doctor *, const void *);
void fb_check_flow_limit(struct fb_doctor *, const void *);
void fb_check_limit_reduced(struct fb_doctor *, const void *);
void fb_check_rounds(struct fb_doctor *, const void *);
void fb_check_masks(struct fb_doctor *, const void *);
void fb_check_handlers(struct fb_doctor *, const void *);
void fb_check_dispatch(struct fb_doctor *, const void *);
void fb_check_revalidators(struct fb_doctor *, const void *);
void fb_check_slow_path(struct fb_doctor *, const void *);

/* Checks of fb-doctor-ovs-config.c: how it is configured. */
void fb_check_mac_table(struct fb_doctor *, const void *);
void fb_check_mac_moves(struct fb_doctor *, const void *);
void fb_check_mirrors(struct fb_doctor *, const void *);
void fb_check_datapath_type(struct fb_doctor *, const void *);
void fb_check_interface_errors(struct fb_doctor *, const void *);
void fb_check_statistics(struct fb_doctor *, const void *);

/* Checks of other files. */
void fb_check_rules(struct fb_doctor *, const void *);
void fb_check_probe(struct fb_doctor *, const void *);

#endif /* fb-doctor-ovs.h */
