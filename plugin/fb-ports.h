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

#ifndef FB_PORTS_H
#define FB_PORTS_H 1

/* What ports cost the main thread: sweeps over the interfaces' statistics, and
 * adding and deleting ports.
 *
 * A *sweep* is all reading of statistics in one iteration of the main loop
 * that is not on behalf of a command, an OpenFlow message or a protocol.
 * ovs-vswitchd does one each other_config:stats-update-interval.  It also
 * reads the statistics of an interface that it has just added: iterations in
 * which ports were added do not count as sweeps.
 *
 * All times are in ticks of fb_clock_ticks().
 *
 * Thread rules: main thread only, for writing and for reading. */

#include <stdbool.h>
#include <stdint.h>
#include "fb-datapath.h"
#include "fb-errnos.h"

/* Operations on ports. */
enum fb_port_op {
    FB_PORT_ADD,                /* dpif_port_add(). */
    FB_PORT_DEL,                /* dpif_port_del(). */
    FB_N_PORT_OPS
};

/* Operations are told apart by the number of ports that the datapath had
 * before: class I is from 2**I to 2**(I+1) - 1, class 0 also no port. */
#define FB_N_PORT_CLASSES 17

/* Bytes for the name of an interface. */
#define FB_PORT_NAME 64

/* The operations in one class. */
struct fb_port_class {
    uint64_t n;                 /* How many. */
    uint64_t ticks;             /* Time of all. */
    uint64_t max;               /* Time of the longest. */
};

/* What is known about one operation on one datapath. */
struct fb_port_totals {
    uint64_t n;                 /* How many, also those that failed. */
    uint64_t n_errors;          /* Those that failed. */
    uint64_t ticks;             /* Time of all. */
    uint64_t max;               /* Time of the longest. */
    char max_name[FB_PORT_NAME]; /* The interface of that. */
    struct fb_errnos errnos;    /* Errors by number. */
    struct fb_port_class classes[FB_N_PORT_CLASSES]; /* By number of ports. */
};

/* Iterations of the main loop in which ports were added or deleted, by the
 * number of ports. */
struct fb_port_changes {
    uint64_t n;                 /* Iterations. */
    uint64_t n_ops;             /* Operations in them. */
    uint64_t ticks;             /* Duration of the iterations. */
    uint64_t ops_ticks;         /* Of this, time of the operations. */
    uint64_t max;               /* The longest iteration. */
};

/* The sweeps. */
struct fb_sweeps {
    uint64_t n;                 /* How many. */
    uint64_t n_interfaces;      /* Interfaces read in all of them. */
    uint64_t last_interfaces;   /* Interfaces read in the latest. */
    uint64_t ticks;             /* From first to last interface, summed. */
    uint64_t read_ticks;        /* Of this, time to read the statistics. */
    uint64_t max;               /* The longest sweep. */
    uint64_t last;              /* The latest sweep. */
    uint64_t slowest;           /* Longest time for one interface. */
    char slowest_name[FB_PORT_NAME]; /* The name of that. */
    uint64_t first_start;       /* When the first one began. */
    uint64_t last_start;        /* When the latest one began. */
};

/* All that is recorded. */
struct fb_ports {
    unsigned int epoch;         /* Recording that this belongs to. */
    struct fb_sweeps sweeps;    /* Statistics. */
    struct fb_port_totals ops[FB_MAX_DATAPATHS][FB_N_PORT_OPS]; /* Each. */
    struct fb_port_changes changes[FB_N_PORT_CLASSES]; /* By ports, before. */
    bool counted[FB_MAX_DATAPATHS]; /* Is 'n_ports' known? */
    uint64_t n_ports[FB_MAX_DATAPATHS]; /* Ports of each datapath now. */
};

/* For each operation, its name in text and JSON. */
extern const char *const fb_port_op_names[FB_N_PORT_OPS];

void fb_ports_read(unsigned int epoch, const char *name, uint64_t start,
                   uint64_t end);
bool fb_ports_need_count(unsigned int epoch, int dp);
void fb_ports_set_count(unsigned int epoch, int dp, uint64_t n);
void fb_ports_changed(unsigned int epoch, int dp, enum fb_port_op,
                      const char *name, uint64_t ticks, int error);
void fb_ports_iteration(unsigned int epoch, uint64_t duration);
void fb_ports_forget(void);

const struct fb_ports *fb_ports_get(unsigned int epoch);
uint64_t fb_sweeps_interval(const struct fb_sweeps *);

#endif /* fb-ports.h */
