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

#include "fb-port-names.h"

#include <stdlib.h>

#include "hash.h"
#include "openvswitch/hmap.h"
#include "util.h"

/* A port. */
struct port {
    struct hmap_node node;      /* In 'ports'. */
    int dp;                     /* Index of its datapath. */
    uint32_t port_no;           /* Its number there. */
    char *name;                 /* Its name. */
};

/* All ports whose names are known. */
static struct hmap ports = HMAP_INITIALIZER(&ports);

/* Returns the port 'port_no' of datapath 'dp', or null if it is unknown. */
static struct port *
find(int dp, uint32_t port_no)
{
    struct port *port;

    HMAP_FOR_EACH_WITH_HASH (port, node, hash_2words(dp, port_no), &ports) {
        if (port->dp == dp && port->port_no == port_no) {
            return port;
        }
    }
    return NULL;
}

/* Forgets 'port'. */
static void
destroy(struct port *port)
{
    hmap_remove(&ports, &port->node);
    free(port->name);
    free(port);
}

/* Notes that port 'port_no' of datapath 'dp' is called 'name', unless too many
 * are known already. */
void
fb_port_names_set(int dp, uint32_t port_no, const char *name)
{
    struct port *port;

    fb_port_names_remove(dp, port_no);
    if (hmap_count(&ports) < FB_MAX_PORT_NAMES) {
        port = xmalloc(sizeof *port);
        port->dp = dp;
        port->port_no = port_no;
        port->name = xstrdup(name);
        hmap_insert(&ports, &port->node, hash_2words(dp, port_no));
    }
}

/* Forgets the name of port 'port_no' of datapath 'dp'. */
void
fb_port_names_remove(int dp, uint32_t port_no)
{
    struct port *port = find(dp, port_no);

    if (port) {
        destroy(port);
    }
}

/* Returns the name of port 'port_no' of datapath 'dp', or null if it is not
 * known.  It is good until the port's name is set or removed. */
const char *
fb_port_names_find(int dp, uint32_t port_no)
{
    const struct port *port = find(dp, port_no);

    return port ? port->name : NULL;
}

/* Forgets the names of all ports of datapath 'dp'. */
void
fb_port_names_clear(int dp)
{
    struct port *port;

    HMAP_FOR_EACH_SAFE (port, node, &ports) {
        if (port->dp == dp) {
            destroy(port);
        }
    }
}
