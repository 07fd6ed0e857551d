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

#ifndef FB_FINDING_H
#define FB_FINDING_H 1

/* Something to know about a run or about this host, with what to do about it,
 * and lists of these.
 *
 * No locks: a list belongs to one thread at a time. */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"

struct ds;
struct json;

/* How bad a finding is. */
enum fb_severity {
    FB_INFO,                    /* Good to know. */
    FB_WARNING,                 /* Slows something, or figures may mean less
                                 * than they seem to. */
    FB_ERROR,                   /* Packets are lost, or something does not
                                 * work at all. */
    FB_VOID                     /* Of a run: figures must not be used. */
};

const char *fb_severity_to_string(enum fb_severity);

/* A finding. */
struct fb_finding {
    enum fb_severity severity;
    char *code;                 /* For machines, e.g. "parity". */
    char *text;                 /* What was found, with the evidence. */
    char *fix;                  /* What to do about it; NULL if nothing. */
};

/* A list of findings.  All zeros is an empty one. */
struct fb_findings {
    struct fb_finding *findings; /* In the order in which they were added. */
    size_t n;
    size_t allocated;
};

void fb_findings_destroy(struct fb_findings *);
bool fb_findings_are_valid(const struct fb_findings *);
void fb_findings_add(struct fb_findings *, enum fb_severity, const char *code,
                     const char *fix, const char *text, ...)
    OVS_PRINTF_FORMAT(5, 6);
void fb_findings_add_valist(struct fb_findings *, enum fb_severity,
                            const char *code, const char *fix,
                            const char *text, va_list)
    OVS_PRINTF_FORMAT(5, 0);

void fb_findings_format_void(const struct fb_findings *, struct ds *);
void fb_findings_format_others(const struct fb_findings *, struct ds *);
struct json *fb_findings_to_json(const struct fb_findings *);
void fb_finding_format(const struct fb_finding *, struct ds *);
struct json *fb_finding_to_json(const struct fb_finding *);

#endif /* fb-finding.h */
