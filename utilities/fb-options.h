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

#ifndef FB_OPTIONS_H
#define FB_OPTIONS_H 1

/* The command line's options, checked before anything starts. */

#include <stdbool.h>

#include "fb-packet.h"
#include "fb-result.h"
#include "svec.h"
#include "table.h"

/* Seconds between the doctor's two samples: as long as revalidators wait
 * between rounds at least once, and no longer than people like to wait. */
#define FB_DEFAULT_INTERVAL 1

/* Where to run. */
enum fb_where {
    FB_ANYWHERE,                /* Here if that can be, else in the guest. */
    FB_HERE,                    /* --no-guest... */
    FB_HERE_FOR_DB,             /* ...or what a guest cannot have. */
    FB_HERE_FOR_UPLINK,
    FB_GUEST                    /* --guest. */
};

struct fb_guest_kind;

/* What the options say.  Members that have no value of their own for "not
 * given" come from the scenario: see fb_options_get_parameters(). */
struct fb_options {
    struct svec given;          /* Names of all options on the command line but
                                 * those that every command has. */
    enum fb_scale scale;        /* --quick, --full. */
    char *duts;                 /* --duts, or NULL. */
    char *uplink;               /* --uplink, or NULL. */
    char *like;                 /* --like, or NULL. */
    char *load;                 /* --load, or NULL. */
    bool tso;                   /* --tso. */
    char *destinations;         /* --destinations, or NULL; and so on. */
    char *frame_size;
    char *flows;
    char *flow_fields;
    bool ipv6;                  /* --ipv6. */
    char *vlan;
    char *rate;
    char *backend;
    char *threads;
    char *cpus;
    bool tune;                  /* --tune. */
    char *pcap;                 /* --pcap, or NULL. */
    char *pattern;
    char *burst;
    char *pause;
    char *flow_packets;
    char *masks;
    char *new_flows;
    char *trials;
    char *precision;
    char *max_time;
    char *builds;
    char *search;
    char *loss_ratio;
    char *sweep;
    char *values;
    char *duration;
    char *warmup;
    char *seed;
    char *latency_rate;
    char *latency_at;
    bool no_latency;            /* --no-latency. */
    bool check_order;           /* --check-order. */
    char *vswitchd;             /* --vswitchd, or NULL. */
    char *output;               /* --output, or NULL for standard output. */
    enum fb_where where;
    const struct fb_guest_kind *guest; /* --guest, or what a run chooses... */
    unsigned int guest_cpus;    /* ...and --guest-cpus.  0 and NULL until
                                 * fb_options_check_guest(). */
    char *db;                   /* --db, or NULL. */
    double interval;            /* --interval, in seconds. */
    bool no_spinner;            /* --no-spinner. */
    unsigned int timeout;       /* --timeout in seconds; 0 for none. */
    struct table_style style;   /* --format and its like. */
    enum fb_packet_fault fault; /* Test hook, see fb-dut.h. */
    bool br_netfilter;          /* Test hook, see fb-dut.h. */
    bool alternate_marks;       /* Test hook, see fb-run.h. */
    const char *hook;           /* Test hook, see fb-run.h; or NULL. */
};

void fb_options_parse(int argc, char *argv[], struct fb_options *,
                      void (*usage)(void));
void fb_options_usage(void);
double fb_parse_number(const char *name, const char *value, double min,
                       double max, bool whole);
void fb_options_get_parameters(const struct fb_options *,
                               struct fb_parameters *);

#endif /* fb-options.h */
