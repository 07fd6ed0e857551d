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

#ifndef FB_DOCTOR_H
#define FB_DOCTOR_H 1

/* "ovs-fanbench doctor": looks at this host and its Open vSwitch, and says
 * what distorts a measurement or slows the switch.  It changes nothing.
 *
 * What can be examined falls into areas.  Each area reads its evidence twice,
 * some time apart, so that rates can be told from totals.  Its checks are a
 * table, and look only at that evidence:
 *
 *     begin() of each area; a while; end() of each area; all checks
 *
 * For single-threaded use. */

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"
#include "fb-finding.h"
#include "openvswitch/types.h"
#include "svec.h"

struct ds;
struct table_style;

/* What to examine. */
struct fb_doctor_config {
    const char *db;             /* Open vSwitch's database, "unix:SOCKET", or
                                 * NULL for the usual one. */
    double interval;            /* Between the two samples, in seconds. */
};

/* An examination. */
struct fb_doctor {
    const struct fb_doctor_config *config;
    double seconds;             /* Measured, between the two samples. */
    struct fb_findings findings; /* The worst first, in the end. */
    struct svec examined;       /* What there is, in words. */
    struct svec unread;         /* What could not be read, and why; each
                                 * once. */
    const char *code;           /* Of the check that is running. */
};

/* A check. */
struct fb_doctor_check {
    const char *code;           /* Of its findings. */
    const char *reads;          /* Its evidence, in a few words. */
    const char *finds;          /* When it finds something, in a few words. */

    /* Looks at what the area's begin() has returned. */
    void (*run)(struct fb_doctor *, const void *evidence);
};

/* An area. */
struct fb_doctor_area {
    const char *name;           /* "ovs", ... */
    const struct fb_doctor_check *checks;
    size_t n_checks;

    /* Takes the first sample.  Returns what the other functions need. */
    void *(*begin)(struct fb_doctor *);

    /* Takes the second sample. */
    void (*end)(struct fb_doctor *, void *evidence);

    /* Frees 'evidence'. */
    void (*destroy)(void *evidence);
};

extern const struct fb_doctor_area fb_doctor_bridge;
extern const struct fb_doctor_area fb_doctor_host;
extern const struct fb_doctor_area fb_doctor_interface;
extern const struct fb_doctor_area fb_doctor_ovs;

const struct fb_doctor_area *const *fb_doctor_areas(size_t *n);
const char *fb_doctor_area_of(const char *code);

void fb_doctor_examine(struct fb_doctor *, const struct fb_doctor_config *);
void fb_doctor_destroy(struct fb_doctor *);
int fb_doctor_exit_code(const struct fb_doctor *);

/* For areas and checks. */
void fb_doctor_add(struct fb_doctor *, enum fb_severity, const char *fix,
                   const char *text, ...)
    OVS_PRINTF_FORMAT(4, 5);
void fb_doctor_add_examined(struct fb_doctor *, const char *text, ...)
    OVS_PRINTF_FORMAT(2, 3);
void fb_doctor_add_unread(struct fb_doctor *, const char *text, ...)
    OVS_PRINTF_FORMAT(2, 3);
bool fb_doctor_has_found(const struct fb_doctor *, const char *code);
double fb_doctor_rate(const struct fb_doctor *, uint64_t first,
                      uint64_t second);

#endif /* fb-doctor.h */
