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

#ifndef FB_SNAPSHOT_H
#define FB_SNAPSHOT_H 1

/* All that was recorded, at one moment, from which text and JSON are made.
 *
 * Threads go on recording while a snapshot is taken, so that figures may
 * differ by what happened in these microseconds.
 *
 * Thread rules: main thread only. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "fb-counters.h"
#include "fb-datapath.h"
#include "fb-record.h"
#include "fb-returns.h"
#include "fb-rounds.h"
#include "fb-worst-put.h"

struct fb_mainloop;
struct fb_ports;
struct fb_watch;

/* One datapath. */
struct fb_snapshot_dp {
    const char *name;           /* "type@name". */
    bool present;               /* Does ovs-vswitchd serve it now? */
    bool recorded;              /* Was it among those to record? */
    struct fb_round_totals rounds; /* Its revalidation rounds. */
    struct fb_cause_totals cause; /* Why they began; its flow limit. */
    struct fb_worst_put worst_put; /* Flow whose puts failed most often. */
    struct fb_counters total;   /* Sum over all threads. */
    struct fb_counters roles[FB_N_ROLES]; /* The same by role. */
    unsigned int n_threads[FB_N_ROLES]; /* Threads alive that counted. */
};

/* A snapshot. */
struct fb_snapshot {
    bool recording;             /* Is a recording going on? */
    bool any;                   /* Was anything ever recorded? */
    const char *only;           /* The only datapath recorded, or null. */
    uint64_t start;             /* Ticks at the start of the recording. */
    long long int start_msec;   /* The same, ms since the UNIX epoch. */
    uint64_t elapsed;           /* Ticks that it took so far. */
    unsigned int max_births;    /* As in struct fb_recording. */
    unsigned int n_refused;     /* Threads for which no record was free. */
    size_t n_dps;               /* Elements of 'dps'. */
    struct fb_snapshot_dp dps[FB_MAX_DATAPATHS]; /* Datapaths. */
    size_t n_threads;           /* Elements of 'threads'. */
    struct fb_record_copy *threads; /* Threads that live. */
    const struct fb_mainloop *mainloop; /* The main thread, or null. */
    const struct fb_ports *ports; /* Ports, or null if nothing happened. */
    const struct fb_watch *watch; /* OVS's own figures, or null. */
    struct fb_returns_all returns; /* Flows that came back. */
};

struct fb_snapshot *fb_snapshot_take(void);
void fb_snapshot_free(struct fb_snapshot *);

extern const char *const fb_op_names[FB_N_OPS];
extern const char *const fb_role_names[FB_N_ROLES];
bool fb_counters_any(const struct fb_counters *);

#endif /* fb-snapshot.h */
