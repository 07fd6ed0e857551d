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

#include "fb-ports.h"

#include <string.h>

#include "fb-clock.h"
#include "util.h"

const char *const fb_port_op_names[FB_N_PORT_OPS] = {
    [FB_PORT_ADD] = "add",
    [FB_PORT_DEL] = "del",
};

/* What the present iteration of the main loop has had so far. */
struct iteration {
    uint64_t n_read;            /* Interfaces whose statistics were read. */
    uint64_t read_ticks;        /* Time for that. */
    uint64_t read_start;        /* When the first was begun. */
    uint64_t read_end;          /* When the last was done. */
    uint64_t slowest;           /* Longest time for one. */
    char slowest_name[FB_PORT_NAME]; /* The name of that. */
    uint64_t n_ops;             /* Ports added and deleted. */
    uint64_t n_added;           /* Of these, added. */
    uint64_t ops_ticks;         /* Time of those operations. */
    size_t class;               /* Class of the first of them. */
};

/* What is recorded, and the present iteration. */
static struct fb_ports ports;
static struct iteration iteration;

/* Begins to record in 'epoch', if that is new. */
static void
renew(unsigned int epoch)
{
    if (OVS_UNLIKELY(ports.epoch != epoch)) {
        memset(&ports, 0, sizeof ports);
        memset(&iteration, 0, sizeof iteration);
        ports.epoch = epoch;
    }
}

/* Returns the class of a datapath with 'n' ports. */
static size_t
class_from_count(uint64_t n)
{
    return n ? MIN(log_2_floor(n), FB_N_PORT_CLASSES - 1) : 0;
}

/* The statistics of the interface called 'name' were read, from 'start' to
 * 'end' (ticks). */
void
fb_ports_read(unsigned int epoch, const char *name, uint64_t start,
              uint64_t end)
{
    uint64_t ticks = fb_clock_since(start, end);

    renew(epoch);
    if (!iteration.n_read++) {
        iteration.read_start = start;
    }
    iteration.read_end = end;
    iteration.read_ticks += ticks;
    if (ticks > iteration.slowest || iteration.n_read == 1) {
        iteration.slowest = ticks;
        ovs_strzcpy(iteration.slowest_name, name,
                    sizeof iteration.slowest_name);
    }
}

/* Says whether the number of ports of datapath 'dp' must be set before
 * fb_ports_changed() is called for it. */
bool
fb_ports_need_count(unsigned int epoch, int dp)
{
    renew(epoch);
    return !ports.counted[dp];
}

/* Sets the number of ports of datapath 'dp' to 'n'. */
void
fb_ports_set_count(unsigned int epoch, int dp, uint64_t n)
{
    renew(epoch);
    ports.counted[dp] = true;
    ports.n_ports[dp] = n;
}

/* 'op' was done to the port called 'name' of datapath 'dp', in 'ticks', and
 * ended with 'error', a positive errno or 0. */
void
fb_ports_changed(unsigned int epoch, int dp, enum fb_port_op op,
                 const char *name, uint64_t ticks, int error)
{
    struct fb_port_totals *t = &ports.ops[dp][op];
    struct fb_port_class *class;
    size_t idx;

    renew(epoch);
    idx = class_from_count(ports.n_ports[dp]);
    class = &t->classes[idx];
    class->n++;
    class->ticks += ticks;
    class->max = MAX(class->max, ticks);

    t->n++;
    t->ticks += ticks;
    if (ticks > t->max) {
        t->max = ticks;
        ovs_strzcpy(t->max_name, name, sizeof t->max_name);
    }
    if (error) {
        t->n_errors++;
        t->errnos.n[fb_errno_index(error)]++;
    } else if (op == FB_PORT_ADD) {
        ports.n_ports[dp]++;
    } else if (ports.n_ports[dp]) {
        ports.n_ports[dp]--;
    }

    if (!iteration.n_ops++) {
        iteration.class = idx;
    }
    iteration.n_added += op == FB_PORT_ADD;
    iteration.ops_ticks += ticks;
}

/* Notes the sweep in the present iteration. */
static void
note_sweep(void)
{
    struct fb_sweeps *s = &ports.sweeps;
    uint64_t ticks = fb_clock_since(iteration.read_start, iteration.read_end);

    if (!s->n++) {
        s->first_start = iteration.read_start;
    }
    s->last_start = iteration.read_start;
    s->n_interfaces += iteration.n_read;
    s->last_interfaces = iteration.n_read;
    s->ticks += ticks;
    s->read_ticks += iteration.read_ticks;
    s->max = MAX(s->max, ticks);
    s->last = ticks;
    if (iteration.slowest > s->slowest || s->n == 1) {
        s->slowest = iteration.slowest;
        ovs_strzcpy(s->slowest_name, iteration.slowest_name,
                    sizeof s->slowest_name);
    }
}

/* An iteration of the main loop ends, which took 'duration'. */
void
fb_ports_iteration(unsigned int epoch, uint64_t duration)
{
    renew(epoch);
    if (iteration.n_ops) {
        struct fb_port_changes *c = &ports.changes[iteration.class];

        c->n++;
        c->n_ops += iteration.n_ops;
        c->ticks += duration;
        c->ops_ticks += iteration.ops_ticks;
        c->max = MAX(c->max, duration);
    }
    if (iteration.n_read && !iteration.n_added) {
        note_sweep();
    }
    memset(&iteration, 0, sizeof iteration);
}

/* What happened in the present iteration of the main loop does not count,
 * because its begin was not seen. */
void
fb_ports_forget(void)
{
    memset(&iteration, 0, sizeof iteration);
}

/* Returns what was recorded in 'epoch', or null if nothing was.  It belongs to
 * this module. */
const struct fb_ports *
fb_ports_get(unsigned int epoch)
{
    return epoch && ports.epoch == epoch ? &ports : NULL;
}

/* Returns the mean time from the begin of a sweep to that of the next, 0 if
 * there were fewer than two. */
uint64_t
fb_sweeps_interval(const struct fb_sweeps *s)
{
    return (s->n > 1
            ? fb_clock_since(s->first_start, s->last_start) / (s->n - 1) : 0);
}
