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

#ifndef FB_ENVIRONMENT_H
#define FB_ENVIRONMENT_H 1

/* What a run is made on. */

#include <stdbool.h>
#include <stddef.h>

#include "fb-ceiling.h"
#include "fb-cpu-result.h"
#include "fb-generator.h"
#include "fb-isolation.h"

struct ds;
struct fb_guest_kind;
struct fb_ovs_programs;
struct json;

/* Where it was run. */
struct fb_environment {
    char *version;              /* Of this program. */
    char *date;                 /* Of the start: ISO 8601, UTC. */
    char *kernel;               /* "Linux 6.1.0", ... */
    char *cpu;                  /* Model. */
    unsigned int n_cpus;        /* Online. */
    long long int max_backlog;  /* net.core.netdev_max_backlog, in packets, or
                                 * -1 if it cannot be read. */
    const struct fb_guest_kind *guest; /* In which guest, or NULL... */
    bool emulated;              /* ...and are its CPUs emulated in software,
                                 * so that times are no measure? */
    char *ovs_version;          /* What ovs-vswitchd says; NULL if unused. */
    const char *generator;      /* How packets are sent. */
    char *iperf3;               /* What iperf3 calls itself; NULL if
                                 * unused. */
    struct fb_ceilings ceilings; /* What generator and sink can do. */
    int generator_cpus[FB_MAX_THREADS]; /* CPUs that are for the generator's
                                         * threads only, one each... */
    size_t n_generator_cpus;    /* ...or 0 if there is none. */
    struct fb_isolation isolation; /* What may disturb the CPUs. */
    struct fb_cpu_setup cpus;   /* How CPU time is measured. */
};

void fb_environment_read(struct fb_environment *,
                         const struct fb_ovs_programs *);
void fb_environment_format(const struct fb_environment *, struct ds *);
struct json *fb_environment_to_json(const struct fb_environment *);
void fb_environment_destroy(struct fb_environment *);

#endif /* fb-environment.h */
