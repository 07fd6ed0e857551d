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

#ifndef FB_ISOLATION_H
#define FB_ISOLATION_H 1

/* What of the host disturbs the CPUs of a run: frequency, turbo, interrupts.
 *
 * It is only read, unless the user asks for more.  What that changes is
 * written down in the folder of the run first, from where fb_isolation_undo()
 * puts it back, after a run that was killed as well.
 *
 * Functions that return 'char *' return NULL if successful, otherwise a
 * malloc()'d error message. */

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"

struct fb_findings;
struct json;

/* The state of the host at the start of a run. */
struct fb_isolation {
    char *governor;             /* Frequency governor of the CPUs of the run,
                                 * "mixed" if they differ, or NULL if their
                                 * frequency is not the kernel's affair. */
    int turbo;                  /* 1 if on, 0 if off, -1 if unknown. */
    bool irqbalance;            /* Does irqbalance run? */
    size_t n_irqs;              /* Interrupts that may come to a CPU of the
                                 * generator. */
    size_t n_tuned;             /* Settings that --tune has changed. */
};

char *fb_isolation_begin(const char *tune_dir, bool pinned,
                         struct fb_isolation *, struct fb_findings *)
    OVS_WARN_UNUSED_RESULT;
void fb_isolation_destroy(struct fb_isolation *);
struct json *fb_isolation_to_json(const struct fb_isolation *);

size_t fb_isolation_undo(const char *rundir);

#endif /* fb-isolation.h */
