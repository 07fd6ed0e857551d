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

#include "fb-drops.h"

#include <stdlib.h>
#include <string.h>

#include "fb-appctl.h"
#include "util.h"

/* With more flows that drop than this, it is not asked why. */
#define MAX_TRACED_FLOWS 16

/* Why a flow drops. */
enum cause {
    CAUSE_RULE,                 /* No OpenFlow rule, or one that drops. */
    CAUSE_NO_PORT,              /* The rule's port is not there. */
    CAUSE_PORT_STATE,           /* It does not forward. */
};

/* What ofproto/trace says of a packet that is not output, and why that is. */
static const struct {
    const char *text;           /* Part of what it says. */
    enum cause cause;           /* What that means. */
} reasons[] = {
    { "Nonexistent output port", CAUSE_NO_PORT },
    { "OFPPC_NO_FWD set, skipping output", CAUSE_PORT_STATE },
    { "STP not in forwarding state, skipping output", CAUSE_PORT_STATE },
};

/* Stores in '*cause' why 'flow', as dpctl/dump-flows has it, of the datapath
 * of 'type' behind 'rpc' drops packets: how its OpenFlow rules are carried out
 * tells.  An answer that is not understood names no port. */
static char *
trace(struct jsonrpc *rpc, const char *type, const char *flow,
      enum cause *cause)
{
    char *text = NULL;

    *cause = CAUSE_RULE;
    char *error = fb_appctl(rpc, &text, "ofproto/trace", type, flow, NULL);
    for (size_t i = 0; !error && i < ARRAY_SIZE(reasons); i++) {
        if (strstr(text, reasons[i].text)) {
            *cause = reasons[i].cause;
            break;
        }
    }
    free(text);
    return error;
}

/* Adds the packets of 'line', a flow of dpctl/dump-flows, to '*drops' if it
 * drops them.  Asks why, if '*n_traced', the number of flows of which that was
 * asked, allows it. */
static char *
count_line(struct jsonrpc *rpc, const char *type, char *line, int *n_traced,
           struct fb_drops *drops)
{
    char *packets = strstr(line, ", packets:");
    enum cause cause = CAUSE_RULE;
    char *error = NULL;

    if (!packets || !strstr(packets, "actions:drop")) {
        return NULL;
    }
    uint64_t n = strtoull(packets + strlen(", packets:"), NULL, 10);
    if (rpc && n && (*n_traced)++ < MAX_TRACED_FLOWS) {
        *packets = '\0';
        error = trace(rpc, type, line, &cause);
    }
    drops->n += n;
    drops->no_port += cause == CAUSE_NO_PORT ? n : 0;
    drops->port_state += cause == CAUSE_PORT_STATE ? n : 0;
    return error;
}

/* Counts in '*drops' the packets that, as 'flows' from dpctl/dump-flows says,
 * matched flows of the datapath of 'type' that drop them, and asks the Open
 * vSwitch behind 'rpc', unless that is null, why.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_drops_count(struct jsonrpc *rpc, const char *type, const char *flows,
               struct fb_drops *drops)
{
    char *error = NULL;
    int n_traced = 0;

    memset(drops, 0, sizeof *drops);
    while (*flows && !error) {
        size_t n = strcspn(flows, "\n");
        char *line = xmemdup0(flows, n);

        error = count_line(rpc, type, line, &n_traced, drops);
        free(line);
        flows += n + (flows[n] != '\0');
    }
    return error;
}
