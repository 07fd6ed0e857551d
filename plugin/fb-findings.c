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

#include "fb-findings.h"

#include <stdlib.h>

#include "fb-clock.h"
#include "fb-find.h"
#include "fb-snapshot.h"
#include "util.h"

const char *const fb_severity_names[] = {
    [FB_SEV_INFO] = "info",
    [FB_SEV_WARNING] = "warning",
    [FB_SEV_ERROR] = "error",
};

/* Adds a finding to 'f', true since 'ticks' (0: since the recording began),
 * and returns it. */
struct fb_finding *
fb_finding_add(struct fb_findings *f, const struct fb_snapshot *s,
               enum fb_severity severity, const char *code, uint64_t ticks)
{
    struct fb_finding *finding;

    f->findings = xrealloc(f->findings, (f->n + 1) * sizeof *f->findings);
    finding = &f->findings[f->n++];
    finding->severity = severity;
    finding->code = code;
    finding->text = NULL;
    finding->fix = NULL;
    finding->since = s->start_msec;
    if (ticks) {
        finding->since += fb_clock_to_ns(fb_clock_since(s->start, ticks))
                          / 1000000;
    }
    return finding;
}

/* Threads that the recording misses. */
static void
find_refused(const struct fb_snapshot *s, struct fb_findings *f)
{
    struct fb_finding *finding;

    if (s->n_refused) {
        finding = fb_finding_add(f, s, FB_SEV_INFO, "threads-not-recorded",
                                 0);
        finding->text = xasprintf(
            "%u threads were not recorded, because there is room for %d: the "
            "figures are too low.", s->n_refused, FB_MAX_RECORDS);
        finding->fix = xstrdup("Record one datapath: fanbench/start DP.");
    }
}

/* The rules, and what each is about. */
static const struct {
    fb_find_func *find;         /* Adds what it finds. */
    enum fb_about about;        /* What it is about, one bit. */
} rules[] = {
    { fb_find_lost, FB_ABOUT_UPCALLS },
    { fb_find_dropped, FB_ABOUT_UPCALLS },
    { fb_find_mac_table, FB_ABOUT_ROUNDS },
    { fb_find_over_limit, FB_ABOUT_ROUNDS },
    { fb_find_limit_reduced, FB_ABOUT_ROUNDS },
    { fb_find_slow_rounds, FB_ABOUT_ROUNDS },
    { fb_find_starved, FB_ABOUT_ROUNDS },
    { fb_find_put_errors, FB_ABOUT_UPCALLS },
    { fb_find_idle_out, FB_ABOUT_UPCALLS },
    { fb_find_put_again, FB_ABOUT_UPCALLS },
    { fb_find_vanished, FB_ABOUT_UPCALLS },
    { fb_find_misses, FB_ABOUT_UPCALLS },
    { fb_find_holds, FB_ABOUT_MAIN },
    { fb_find_sweeps, FB_ABOUT_MAIN },
    { find_refused, FB_ABOUT_MAIN },
};

/* Orders findings 'a_' and 'b_', the worse first and then the older. */
static int
compare_findings(const void *a_, const void *b_)
{
    const struct fb_finding *a = a_;
    const struct fb_finding *b = b_;

    if (a->severity != b->severity) {
        return a->severity > b->severity ? -1 : 1;
    }
    return a->since < b->since ? -1 : a->since > b->since;
}

/* Stores in '*f' what 's' says is wrong with what 'about' says, a bit for each
 * enum fb_about.  The caller must free it with fb_findings_destroy(). */
void
fb_findings_find(const struct fb_snapshot *s, enum fb_about about,
                 struct fb_findings *f)
{
    *f = (struct fb_findings) { .n = 0 };
    if (!s->any) {
        return;
    }
    for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
        if (rules[i].about & about) {
            rules[i].find(s, f);
        }
    }
    if (f->n) {
        qsort(f->findings, f->n, sizeof *f->findings, compare_findings);
    }
}

/* Frees what 'f' holds. */
void
fb_findings_destroy(struct fb_findings *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->findings[i].text);
        free(f->findings[i].fix);
    }
    free(f->findings);
}
