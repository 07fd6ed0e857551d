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

#include "fb-dut.h"

#include <inttypes.h>
#include <string.h>

#include "util.h"

const struct fb_dut_kind fb_dut_wire = {
    .name = "wire",
    .description = "a bare veth pair: the cost of the harness itself",
};

/* Are the ports of 'kind' of 'port_type', as in struct fb_dut_kind? */
bool
fb_dut_has_ports(const struct fb_dut_kind *kind, const char *port_type)
{
    return kind->port_type && !strcmp(kind->port_type, port_type);
}

/* Returns the name of port number 'i' of the switch 'dut'.  The caller must
 * free it. */
char *
fb_dut_port_name(const struct fb_dut *dut, size_t i)
{
    return (dut->uplink && i == dut->n_destinations
            ? xstrdup(dut->uplink)
            : xasprintf("%s%"PRIuSIZE, dut->port_prefix, i));
}

/* Returns the number in 'dut->sinks' of the sink that frames from endpoint
 * 'source' to 'destination', both 0 for the generator, arrive at. */
size_t
fb_dut_sink(const struct fb_dut *dut, size_t source, size_t destination)
{
    if (!dut->n_ports) {
        return source ? 1 : 0;
    }
    return destination ? destination - 1 : dut->n_sinks - 1;
}

/* Returns a name for a DUT of the kind 'all[i]' that none of those of the
 * kinds before it has.  The caller must free it. */
char *
fb_dut_make_label(const struct fb_dut_kind *const all[], size_t i)
{
    size_t n = 1;

    for (size_t j = 0; j < i; j++) {
        n += all[j] == all[i];
    }
    return (n > 1
            ? xasprintf("%s-%"PRIuSIZE, all[i]->name, n)
            : xstrdup(all[i]->name));
}
