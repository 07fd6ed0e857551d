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

#include "fb-find.h"

#include <inttypes.h>

#include "fb-findings.h"
#include "fb-show.h"
#include "fb-snapshot.h"
#include "fb-watch.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* MAC tables that are too small, so that learning never ends. */
void
fb_find_mac_table(const struct fb_snapshot *s, struct fb_findings *f)
{
    const struct fb_mac_table *mac;
    const struct fb_watched *evicted, *rev;
    struct fb_finding *finding;

    if (!s->watch) {
        return;
    }
    mac = &s->watch->mac;
    evicted = &s->watch->coverage[FB_COV_MAC_EVICTED];
    rev = &s->watch->coverage[FB_COV_REV_MAC];
    if (!fb_watched_rise(evicted)) {
        return;
    }
    finding = fb_finding_add(f, s, FB_SEV_WARNING, "mac-table-full",
                             evicted->since);
    finding->text = xasprintf(
        "The MAC table is too small%s%s: %"PRIu64" addresses were thrown out "
        "to learn others (%"PRIu64" of %"PRIu64" entries in use), and "
        "changes of MAC tables had all flows revalidated %"PRIu64" times.",
        mac->bridge[0] ? " on bridge " : "", mac->bridge,
        fb_watched_rise(evicted), mac->n, mac->max, fb_watched_rise(rev));
    finding->fix = xasprintf(
        "ovs-vsctl set bridge %s other-config:mac-table-size=N with N above "
        "the number of addresses behind it, e.g. %"PRIu64".",
        mac->bridge[0] ? mac->bridge : "BRIDGE",
        mac->max ? mac->max * 4 : 16384);
}

/* Flows that could not be installed. */
void
fb_find_put_errors(const struct fb_snapshot *s, struct fb_findings *f)
{
    for (size_t i = 0; s->watch && i < s->n_dps; i++) {
        const struct fb_watched_dp *w = &s->watch->dps[i];
        const struct fb_worst_put *worst = &s->dps[i].worst_put;
        struct fb_finding *finding;
        struct ds ds = DS_EMPTY_INITIALIZER;

        if (!fb_watched_rise(&w->put_failed)) {
            continue;
        }
        ds_put_format(&ds, "%"PRIu64" of %"PRIu64" flow puts on %s failed: ",
                      fb_watched_rise(&w->put_failed),
                      s->dps[i].total.n[FB_C_OP(FB_OP_PUT)], s->dps[i].name);
        fb_errnos_format(&w->put_errors, &ds);
        ds_put_cstr(&ds, ". Each packet of such a flow goes through "
                    "ovs-vswitchd.");
        if (worst->text) {
            ds_put_format(&ds, " The flow with most, %"PRIu32" (%s), is %s.",
                          worst->n, ovs_strerror(worst->error), worst->text);
        }
        finding = fb_finding_add(f, s, FB_SEV_WARNING, "flow-put-errors",
                                 w->put_failed.since);
        finding->text = ds_steal_cstr(&ds);
        finding->fix = xstrdup(
            "\"File exists\": delete flows that others put in by hand (see "
            "ovs-appctl dpctl/dump-flows). \"Invalid argument\": the datapath "
            "does not know an action or a match of the rules (see the log of "
            "the kernel). \"fanbench/flows --sort=puts-failed\" names all "
            "such flows.");
    }
}

/* Upcalls that the kernel could not deliver.
 *
 * Userspace datapaths count as lost all misses for which no flow was to be
 * installed, most of which they forward (fast_path_processing()
 * in dpif-netdev.c). */
void
fb_find_lost(const struct fb_snapshot *s, struct fb_findings *f)
{
    for (size_t i = 0; s->watch && i < s->n_dps; i++) {
        const struct fb_watched_dp *w = &s->watch->dps[i];
        struct fb_finding *finding;

        if (!fb_watched_rise(&w->lost) || !fb_find_is_kernel(&s->dps[i])) {
            continue;
        }
        finding = fb_finding_add(f, s, FB_SEV_ERROR, "upcalls-lost",
                                 w->lost.since);
        finding->text = xasprintf(
            "%s lost %"PRIu64" of %"PRIu64" packets that no flow matched on "
            "the way to ovs-vswitchd: they came faster than they were "
            "handled.", s->dps[i].name, fb_watched_rise(&w->lost),
            fb_watched_rise(&w->missed));
        finding->fix = xstrdup(
            "Raise other_config:n-handler-threads if CPUs are idle. Else have "
            "fewer packets miss: rules that match fewer fields, longer "
            "other_config:max-idle, a higher flow limit.");
    }
}

/* Packets that userspace datapaths dropped instead of passing them up. */
void
fb_find_dropped(const struct fb_snapshot *s, struct fb_findings *f)
{
    const struct fb_watched *upcall, *lock;
    struct fb_finding *finding;
    uint64_t since;

    if (!s->watch) {
        return;
    }
    upcall = &s->watch->coverage[FB_COV_DROP_UPCALL];
    lock = &s->watch->coverage[FB_COV_DROP_LOCK];
    if (!fb_watched_rise(upcall) && !fb_watched_rise(lock)) {
        return;
    }
    since = MIN(upcall->since ? upcall->since : UINT64_MAX,
                lock->since ? lock->since : UINT64_MAX);
    finding = fb_finding_add(f, s, FB_SEV_ERROR, "upcalls-dropped",
                             since);
    finding->text = xasprintf(
        "Userspace datapaths dropped packets that no flow matched: %"PRIu64" "
        "because ovs-vswitchd did not know what to do with them, %"PRIu64" "
        "because its configuration was just being changed.",
        fb_watched_rise(upcall), fb_watched_rise(lock));
    finding->fix = xstrdup(
        "The former: see the log, and ofproto/trace. The latter: change "
        "threads, ports and bridges less often.");
}
