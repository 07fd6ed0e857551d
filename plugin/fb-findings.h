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

#ifndef FB_FINDINGS_H
#define FB_FINDINGS_H 1

/* What is wrong, since when, and what to change: conclusions from a snapshot.
 *
 * Each kind of finding has a rule of its own.  A switch that does well has no
 * findings.
 *
 * Thread rules: main thread only. */

#include <stddef.h>
#include <stdint.h>

struct fb_snapshot;

/* How bad it is. */
enum fb_severity {
    FB_SEV_INFO,                /* Costs something; nothing is lost. */
    FB_SEV_WARNING,             /* Traffic suffers, or is about to. */
    FB_SEV_ERROR,               /* Traffic is lost. */
};

/* What it is about. */
enum fb_about {
    FB_ABOUT_ROUNDS = 1 << 0,   /* Rounds and the flow limit. */
    FB_ABOUT_UPCALLS = 1 << 1,  /* Upcalls and flows. */
    FB_ABOUT_MAIN = 1 << 2,     /* The main thread, and the recording. */
    FB_ABOUT_ALL = 7,           /* All of these. */
};

/* One finding. */
struct fb_finding {
    enum fb_severity severity;  /* How bad it is. */
    const char *code;           /* Its kind, e.g. "mac-table-full". */
    char *text;                 /* What is wrong, a sentence or two. */
    char *fix;                  /* What to change. */
    long long int since;        /* Since when, in ms since the UNIX epoch. */
};

/* Findings, the worst first. */
struct fb_findings {
    size_t n;                   /* Elements of 'findings'. */
    struct fb_finding *findings; /* Findings. */
};

/* For each severity, its name in text and JSON. */
extern const char *const fb_severity_names[];

void fb_findings_find(const struct fb_snapshot *, enum fb_about,
                      struct fb_findings *);
void fb_findings_destroy(struct fb_findings *);

#endif /* fb-findings.h */
