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

#include "fb-doctor.h"

#include <stdlib.h>
#include <string.h>

#include "fb-clock.h"
#include "openvswitch/poll-loop.h"
#include "timeval.h"
#include "util.h"

/* Exit codes of an examination.  1 is for one that could not be made, as with
 * every command; see also EXIT_VOID of a run. */
#define EXIT_WARNINGS 2
#define EXIT_ERRORS 3

/* All areas, in the order in which they are examined. */
static const struct fb_doctor_area *const areas[] = {
    &fb_doctor_host,
    &fb_doctor_ovs,
    &fb_doctor_bridge,
    &fb_doctor_interface,
};

/* Returns all areas and stores their number in '*n'. */
const struct fb_doctor_area *const *
fb_doctor_areas(size_t *n)
{
    *n = ARRAY_SIZE(areas);
    return areas;
}

/* Returns the name of the area that has the check 'code', or NULL if there is
 * none. */
const char *
fb_doctor_area_of(const char *code)
{
    for (size_t i = 0; i < ARRAY_SIZE(areas); i++) {
        for (size_t j = 0; j < areas[i]->n_checks; j++) {
            if (!strcmp(areas[i]->checks[j].code, code)) {
                return areas[i]->name;
            }
        }
    }
    return NULL;
}

/* Adds a finding of the running check.  'text' is a format for what follows;
 * 'fix' may be null. */
void
fb_doctor_add(struct fb_doctor *doctor, enum fb_severity severity,
              const char *fix, const char *text, ...)
{
    va_list args;

    va_start(args, text);
    fb_findings_add_valist(&doctor->findings, severity, doctor->code, fix,
                           text, args);
    va_end(args);
}

/* Notes what was examined.  'text' is a format for what follows. */
void
fb_doctor_add_examined(struct fb_doctor *doctor, const char *text, ...)
{
    va_list args;

    va_start(args, text);
    svec_add_nocopy(&doctor->examined, xvasprintf(text, args));
    va_end(args);
}

/* Notes that something could not be read, and why, unless that has been said
 * before.  'text' is a format for what follows. */
void
fb_doctor_add_unread(struct fb_doctor *doctor, const char *text, ...)
{
    va_list args;

    va_start(args, text);
    char *s = xvasprintf(text, args);
    va_end(args);
    for (size_t i = 0; i < doctor->unread.n; i++) {
        if (!strcmp(doctor->unread.names[i], s)) {
            free(s);
            return;
        }
    }
    svec_add_nocopy(&doctor->unread, s);
}

/* Is there a finding 'code' already? */
bool
fb_doctor_has_found(const struct fb_doctor *doctor, const char *code)
{
    for (size_t i = 0; i < doctor->findings.n; i++) {
        if (!strcmp(doctor->findings.findings[i].code, code)) {
            return true;
        }
    }
    return false;
}

/* Returns the rise per second of a counter that was 'first' and then 'second';
 * 0 if it was reset meanwhile. */
double
fb_doctor_rate(const struct fb_doctor *doctor, uint64_t first,
               uint64_t second)
{
    return (second > first && doctor->seconds > 0
            ? (second - first) / doctor->seconds
            : 0);
}

/* Waits for 'seconds', unless a signal ends this process. */
static void
wait_for(double seconds)
{
    long long int deadline = time_msec() + (long long int) (seconds * 1000);

    while (time_msec() < deadline) {
        poll_timer_wait_until(deadline);
        poll_block();
    }
}

/* Orders findings 'a_' and 'b_': the worse first. */
static int
compare_findings(const void *a_, const void *b_)
{
    const struct fb_finding *a = a_;
    const struct fb_finding *b = b_;

    if (a->severity != b->severity) {
        return a->severity > b->severity ? -1 : 1;
    }
    int cmp = strcmp(a->code, b->code);
    return cmp ? cmp : strcmp(a->text, b->text);
}

/* Examines what 'config', which must live as long as 'doctor', asks for, and
 * fills in 'doctor', which the caller must destroy with
 * fb_doctor_destroy(). */
void
fb_doctor_examine(struct fb_doctor *doctor,
                  const struct fb_doctor_config *config)
{
    void *evidence[ARRAY_SIZE(areas)];

    memset(doctor, 0, sizeof *doctor);
    doctor->config = config;
    svec_init(&doctor->examined);
    svec_init(&doctor->unread);

    for (size_t i = 0; i < ARRAY_SIZE(areas); i++) {
        evidence[i] = areas[i]->begin(doctor);
    }
    uint64_t start = fb_clock_gettime_ns();
    wait_for(config->interval);
    doctor->seconds = (fb_clock_gettime_ns() - start) / 1e9;
    for (size_t i = 0; i < ARRAY_SIZE(areas); i++) {
        areas[i]->end(doctor, evidence[i]);
    }
    for (size_t i = 0; i < ARRAY_SIZE(areas); i++) {
        for (size_t j = 0; j < areas[i]->n_checks; j++) {
            const struct fb_doctor_check *check = &areas[i]->checks[j];

            /* The probe in ovs-vswitchd may have found the same. */
            if (!fb_doctor_has_found(doctor, check->code)) {
                doctor->code = check->code;
                check->run(doctor, evidence[i]);
            }
        }
        areas[i]->destroy(evidence[i]);
    }
    if (doctor->findings.n) {
        qsort(doctor->findings.findings, doctor->findings.n,
              sizeof *doctor->findings.findings, compare_findings);
    }
}

/* Frees what 'doctor' holds. */
void
fb_doctor_destroy(struct fb_doctor *doctor)
{
    fb_findings_destroy(&doctor->findings);
    svec_destroy(&doctor->examined);
    svec_destroy(&doctor->unread);
}

/* Returns the exit code for what 'doctor' has found. */
int
fb_doctor_exit_code(const struct fb_doctor *doctor)
{
    if (!doctor->findings.n
        || doctor->findings.findings[0].severity == FB_INFO) {
        return EXIT_SUCCESS;
    }
    return (doctor->findings.findings[0].severity == FB_WARNING
            ? EXIT_WARNINGS : EXIT_ERRORS);
}
