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

#include "fb-datapath-json.h"

#include <math.h>

#include "fb-datapath.h"
#include "fb-fdb.h"
#include "fb-figure-json.h"
#include "openvswitch/json.h"
#include "util.h"

/* Puts counter 'n' into 'json' under 'name'. */
static void
put(struct json *json, const char *name, uint64_t n)
{
    json_object_put(json, name, n == FB_DATAPATH_NONE ? json_null_create()
                    : json_integer_create(n));
}

/* Puts 'slow' into 'json'. */
static void
put_slow(struct json *json, const struct fb_slow_flows *slow)
{
    struct json *slow_json = NULL;

    if (slow->n != FB_DATAPATH_NONE) {
        slow_json = json_object_create();
        put(slow_json, "flows", slow->n);
        put(slow_json, "action", slow->action);
        put(slow_json, "match", slow->match);
        put(slow_json, "controller", slow->controller);
    }
    json_object_put(json, "slow_path",
                    slow_json ? slow_json : json_null_create());
}

/* Returns 'd', the rise of counters, with the masks that were tried for each
 * packet. */
struct json *
fb_datapath_to_json(const struct fb_datapath_counters *d)
{
    uint64_t lookups = d->hit + d->missed;
    struct json *json = json_object_create();

    put(json, "hit", d->hit);
    put(json, "missed", d->missed);
    put(json, "lost", d->lost);
    put(json, "dropped", d->dropped);
    put(json, "flows", d->flows);
    put_slow(json, &d->slow);
    put(json, "masks", d->masks);
    put(json, "masks_hit", d->masks_hit);
    json_object_put(json, "masks_per_packet",
                    fb_number_to_json(lookups
                                      && d->masks_hit != FB_DATAPATH_NONE
                                      ? (double) d->masks_hit / lookups
                                      : NAN));
    put(json, "cache_hit", d->cache_hit);
    put(json, "emc_hit", d->emc_hit);
    put(json, "smc_hit", d->smc_hit);
    put(json, "megaflow_hit", d->megaflow_hit);
    put(json, "pmd_busy_cycles", d->pmd_busy);
    put(json, "pmd_idle_cycles", d->pmd_idle);
    return json;
}

/* Returns the state 'fdb' of a bridge, out of whose ports 'copies' frames
 * went. */
struct json *
fb_fdb_to_json(const struct fb_fdb *fdb, uint64_t copies)
{
    struct json *json = json_object_create();
    put(json, "entries", fdb->n_entries);
    put(json, "ports_without_entry", fdb->n_ports_without);
    put(json, "ports_not_forwarding", fdb->n_not_forwarding);
    put(json, "copies", copies);
    return json;
}
