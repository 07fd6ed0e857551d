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

#ifndef FB_COUNTERS_H
#define FB_COUNTERS_H 1

/* What the probe counts for each thread and datapath, outside of revalidation
 * rounds.
 *
 * Counters are plain numbers in an array, so that they are added up and
 * cleared by loops.  Times are in ticks of fb_clock_ticks(). */

#include <stdint.h>

/* Kinds of datapath operations, in the order in which they are shown. */
enum fb_op {
    FB_OP_PUT,                  /* Flow put: installation or change. */
    FB_OP_DEL,                  /* Flow deletion. */
    FB_OP_GET,                  /* Flow retrieval. */
    FB_OP_EXECUTE,              /* Execution of actions on a packet. */
    FB_N_OPS
};

/* Kinds of threads in ovs-vswitchd, told by their names. */
enum fb_role {
    FB_ROLE_MAIN,               /* The main thread. */
    FB_ROLE_HANDLER,            /* "handlerN": upcalls of the kernel. */
    FB_ROLE_REVALIDATOR,        /* "revalidatorN". */
    FB_ROLE_PMD,                /* "pmd-...": userspace datapath. */
    FB_ROLE_OTHER,              /* Any other. */
    FB_N_ROLES
};

/* The counters.  Those of upcalls come first: in a record they share a cache
 * line.  Each operation has FB_N_PER_OP, starting at FB_C_OP(OP). */
enum fb_counter {
    FB_C_MISS,                  /* Upcalls: flow misses. */
    FB_C_ACTION,                /* Upcalls: userspace actions. */
    FB_C_UNRECORDED,            /* Misses that the flow ledger is not told of:
                                 * see fb-births.h. */
    FB_C_UPCALL_ERRORS,         /* Receptions or callbacks that failed. */
    FB_C_UPCALL_TICKS,          /* Time to receive, or in the callback. */
    FB_C_DUMPS,                 /* Dumps that are no round. */
    FB_C_DUMP_FLOWS,            /* Flows returned by those. */
    FB_C_DUMP_TICKS,            /* Time in those. */
    FB_C_OPS,
    FB_N_PER_OP = 3,
    FB_N_COUNTERS = FB_C_OPS + FB_N_OPS * FB_N_PER_OP
};

/* The counters of operation 'OP': how many, how many failed, how long. */
#define FB_C_OP(OP) (FB_C_OPS + (OP) * FB_N_PER_OP)
#define FB_C_OP_ERRORS(OP) (FB_C_OP(OP) + 1)
#define FB_C_OP_TICKS(OP) (FB_C_OP(OP) + 2)

/* A reader's copy of the counters. */
struct fb_counters {
    uint64_t n[FB_N_COUNTERS];  /* Indexed by enum fb_counter. */
};

#endif /* fb-counters.h */
