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

#include "fb-datapath.h"

#include <stdlib.h>
#include <string.h>

#include "fb-appctl.h"
#include "fb-drops.h"
#include "util.h"

/* With more datapath flows than this they are not dumped for what they
 * drop and how they are forwarded. */
#define MAX_DUMPED_FLOWS 2048

/* Returns the number that follows 'key' in 'text', or 'none' if there is no
 * such key. */
static uint64_t
number_after(const char *text, const char *key, uint64_t none)
{
    const char *p = strstr(text, key);
    return p ? strtoull(p + strlen(key), NULL, 10) : none;
}

/* Parses 'text', what "dpctl/show" says of one datapath, into '*counters'.
 * What it does not tell becomes FB_DATAPATH_NONE. */
char *
fb_datapath_parse_show(const char *text, struct fb_datapath_counters *counters)
{
    if (!strstr(text, "lookups: hit:")) {
        return xasprintf("dpctl/show: reply not understood: %s", text);
    }
    *counters = (struct fb_datapath_counters) {
        .hit = number_after(text, "lookups: hit:", 0),
        .missed = number_after(text, " missed:", 0),
        .lost = number_after(text, " lost:", 0),
        .flows = number_after(text, "flows: ", 0),
        .dropped = FB_DATAPATH_NONE,
        .no_port = FB_DATAPATH_NONE,
        .port_state = FB_DATAPATH_NONE,
        .slow.n = FB_DATAPATH_NONE,
        .masks = FB_DATAPATH_NONE,
        .masks_hit = FB_DATAPATH_NONE,
        .cache_hit = number_after(text, "  cache: hit:", FB_DATAPATH_NONE),
        .emc_hit = FB_DATAPATH_NONE,
        .smc_hit = FB_DATAPATH_NONE,
        .megaflow_hit = FB_DATAPATH_NONE,
        .pmd_busy = FB_DATAPATH_NONE,
        .pmd_idle = FB_DATAPATH_NONE,
    };
    const char *masks = strstr(text, "  masks: hit:");
    if (masks) {
        counters->masks_hit = number_after(masks, "hit:", FB_DATAPATH_NONE);
        counters->masks = number_after(masks, " total:", FB_DATAPATH_NONE);
    }
    return NULL;
}

/* Returns the sum of the numbers that follow 'key' in 'text'. */
static uint64_t
sum_after(const char *text, const char *key)
{
    uint64_t sum = 0;
    while ((text = strstr(text, key)) != NULL) {
        text += strlen(key);
        sum += strtoull(text, NULL, 10);
    }
    return sum;
}

/* Adds up what 'text', from "dpif-netdev/pmd-stats-show", says of all threads
 * that poll ports, in '*counters'. */
void
fb_datapath_parse_pmd_stats(const char *text,
                            struct fb_datapath_counters *counters)
{
    counters->emc_hit = sum_after(text, "  emc hits: ");
    counters->smc_hit = sum_after(text, "  smc hits: ");
    counters->megaflow_hit = sum_after(text, "  megaflow hits: ");
    if (strstr(text, "pmd thread") && strstr(text, "  processing cycles: ")) {
        counters->pmd_busy = sum_after(text, "  processing cycles: ");
        counters->pmd_idle = sum_after(text, "  idle cycles: ");
    }
}

/* Returns the name of the one datapath of 'type' in an Open vSwitch of our
 * own.  The caller must free it. */
static char *
make_name(const char *type)
{
    return xasprintf("%s@ovs-%s", type, type);
}

/* Reads the counters that are quick to read of the datapath of 'type' behind
 * 'rpc' into '*counters'. */
char *
fb_datapath_read(struct jsonrpc *rpc, const char *type,
                 struct fb_datapath_counters *counters)
{
    char *name = make_name(type);
    char *text;

    memset(counters, 0, sizeof *counters);
    char *error = fb_appctl(rpc, &text, "dpctl/show", name, NULL);
    if (!error) {
        error = fb_datapath_parse_show(text, counters);
    }
    if (!error && !strcmp(type, "netdev")) {
        /* Here alone misses that were lost are not among "missed". */
        counters->missed += counters->lost;
    }
    free(text);
    free(name);
    return error;
}

/* Reads all counters of the datapath of 'type' behind 'rpc' into
 * '*counters'. */
char *
fb_datapath_read_more(struct jsonrpc *rpc, const char *type,
                      struct fb_datapath_counters *counters)
{
    char *name = make_name(type);
    char *text = NULL;

    char *error = fb_datapath_read(rpc, type, counters);
    if (!error && !strcmp(type, "netdev")) {
        error = fb_appctl(rpc, &text, "dpif-netdev/pmd-stats-show", NULL);
        if (!error) {
            fb_datapath_parse_pmd_stats(text, counters);
        }
        free(text);
        text = NULL;
    }
    if (!error && counters->flows <= MAX_DUMPED_FLOWS) {
        error = fb_appctl(rpc, &text, "dpctl/dump-flows", name, NULL);
        if (!error) {
            struct fb_drops drops;

            error = fb_drops_count(rpc, type, text, &drops);
            counters->dropped = drops.n;
            counters->no_port = drops.no_port;
            counters->port_state = drops.port_state;
            counters->slow = fb_slow_flows_count(text);
        }
        free(text);
    }
    free(name);
    return error;
}

/* Returns 'after' - 'before', if both are there and it is not negative. */
static uint64_t
rise(uint64_t before, uint64_t after)
{
    return (before == FB_DATAPATH_NONE || after == FB_DATAPATH_NONE
            ? FB_DATAPATH_NONE
            : after > before ? after - before : 0);
}

/* Returns what is between 'before' and 'after'; of what is counted "now", what
 * is so after. */
struct fb_datapath_counters
fb_datapath_rise(const struct fb_datapath_counters *before,
                 const struct fb_datapath_counters *after)
{
#define RISE(MEMBER) .MEMBER = rise(before->MEMBER, after->MEMBER)
    return (struct fb_datapath_counters) {
        RISE(hit), RISE(missed), RISE(lost), RISE(dropped), RISE(no_port),
        RISE(port_state), RISE(masks_hit), RISE(cache_hit), RISE(emc_hit),
        RISE(smc_hit), RISE(megaflow_hit),
        RISE(pmd_busy), RISE(pmd_idle),
        .flows = after->flows, .masks = after->masks,
        .slow = after->slow,
    };
#undef RISE
}

/* Adds 'x' to '*sum', which stays FB_DATAPATH_NONE if either is. */
static void
add(uint64_t *sum, uint64_t x)
{
    *sum = (x == FB_DATAPATH_NONE || *sum == FB_DATAPATH_NONE
            ? FB_DATAPATH_NONE : *sum + x);
}

/* Adds the rise 'd' to 'sum'; of what is counted "now", the latest stays. */
void
fb_datapath_add(struct fb_datapath_counters *sum,
                const struct fb_datapath_counters *d)
{
    add(&sum->hit, d->hit);
    add(&sum->missed, d->missed);
    add(&sum->lost, d->lost);
    add(&sum->dropped, d->dropped);
    add(&sum->no_port, d->no_port);
    add(&sum->port_state, d->port_state);
    add(&sum->masks_hit, d->masks_hit);
    add(&sum->cache_hit, d->cache_hit);
    add(&sum->emc_hit, d->emc_hit);
    add(&sum->smc_hit, d->smc_hit);
    add(&sum->megaflow_hit, d->megaflow_hit);
    add(&sum->pmd_busy, d->pmd_busy);
    add(&sum->pmd_idle, d->pmd_idle);
    sum->flows = d->flows;
    sum->slow = d->slow;
    sum->masks = d->masks;
}
