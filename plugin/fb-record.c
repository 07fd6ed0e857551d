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

#include "fb-record.h"

#include <string.h>

#include "openvswitch/thread.h"

/* Counters of threads that are gone. */
struct gone {
    unsigned int epoch;         /* Recording that 'counters' belong to. */
    struct fb_counters counters; /* Sum over those threads. */
};

/* Protects who owns which record, and 'gone'. */
static struct ovs_mutex record_mutex = OVS_MUTEX_INITIALIZER;

/* Aligned, so that no two threads write to one cache line. */
static OVS_ALIGNED_VAR(CACHE_LINE_SIZE) struct fb_record
    records[FB_MAX_RECORDS];

/* Indexed by datapath and role. */
static struct gone gone[FB_MAX_DATAPATHS][FB_N_ROLES];

/* Claims that found no free record. */
static atomic_uint n_refused = 0;

/* Adds the counters of 'record' to 'sum'. */
static void
add_counters(const struct fb_record *record, struct fb_counters *sum)
{
    for (size_t i = 0; i < FB_N_COUNTERS; i++) {
        uint64_t n;

        atomic_read_relaxed(&CONST_CAST(struct fb_record *, record)->n[i],
                            &n);
        sum->n[i] += n;
    }
}

/* Returns the epoch of 'record'.  If it is the present one, then 'n' has been
 * zeroed for it. */
static unsigned int
get_epoch(const struct fb_record *record)
{
    unsigned int epoch;

    atomic_read_explicit(&CONST_CAST(struct fb_record *, record)->epoch,
                         &epoch, memory_order_acquire);
    return epoch;
}

/* Gives the calling thread, called 'name', a record for datapath 'dp'.  Its
 * counters mean nothing before fb_record_renew().  Takes a mutex: to be called
 * once a thread and datapath.  Returns null if none is free. */
struct fb_record *
fb_record_claim(int dp, enum fb_role role, const char *name)
{
    struct fb_record *found = NULL;
    unsigned int orig;

    ovs_mutex_lock(&record_mutex);
    for (size_t i = 0; i < FB_MAX_RECORDS && !found; i++) {
        if (!records[i].used) {
            found = &records[i];
            atomic_store_explicit(&found->epoch, 0, memory_order_release);
            found->used = true;
            found->dp = dp;
            found->role = role;
            ovs_strlcpy(found->name, name, sizeof found->name);
        }
    }
    ovs_mutex_unlock(&record_mutex);
    if (!found) {
        atomic_add_relaxed(&n_refused, 1, &orig);
    }
    return found;
}

/* Makes 'record', which the calling thread owns, part of the recording
 * 'epoch': zeroes its counters if they belong to another. */
void
fb_record_renew(struct fb_record *record, unsigned int epoch)
{
    if (get_epoch(record) != epoch) {
        for (size_t i = 0; i < FB_N_COUNTERS; i++) {
            atomic_store_relaxed(&record->n[i], 0);
        }
        atomic_store_explicit(&record->epoch, epoch, memory_order_release);
    }
}

/* Gives 'record' back, because its owner ends.  What it holds is kept in the
 * totals of threads that are gone. */
void
fb_record_release(struct fb_record *record)
{
    unsigned int epoch = get_epoch(record);
    struct gone *total = &gone[record->dp][record->role];

    ovs_mutex_lock(&record_mutex);
    if (epoch && (int) (epoch - total->epoch) > 0) {
        memset(total, 0, sizeof *total);
        total->epoch = epoch;
    }
    if (epoch && epoch == total->epoch) {
        add_counters(record, &total->counters);
    }
    record->used = false;
    ovs_mutex_unlock(&record_mutex);
}

/* Copies what belongs to the recording 'epoch', in one go, so that a thread
 * that ends meanwhile counts exactly once.  Returns the number of records
 * whose threads live and stores an array of them in '*copiesp', which the
 * caller must free.  Stores the totals of threads that are gone in
 * 'gone_counters'. */
size_t
fb_record_read(unsigned int epoch, struct fb_record_copy **copiesp,
               struct fb_counters gone_counters[FB_MAX_DATAPATHS][FB_N_ROLES])
{
    struct fb_record_copy *copies;
    size_t n = 0;

    copies = xcalloc(FB_MAX_RECORDS, sizeof *copies);
    ovs_mutex_lock(&record_mutex);
    for (size_t i = 0; i < FB_MAX_RECORDS; i++) {
        const struct fb_record *record = &records[i];

        if (record->used && get_epoch(record) == epoch) {
            struct fb_record_copy *copy = &copies[n++];

            ovs_strlcpy(copy->name, record->name, sizeof copy->name);
            copy->role = record->role;
            copy->dp = record->dp;
            add_counters(record, &copy->counters);
        }
    }
    for (int dp = 0; dp < FB_MAX_DATAPATHS; dp++) {
        for (int role = 0; role < FB_N_ROLES; role++) {
            const struct gone *total = &gone[dp][role];

            if (total->epoch == epoch) {
                gone_counters[dp][role] = total->counters;
            } else {
                memset(&gone_counters[dp][role], 0,
                       sizeof gone_counters[dp][role]);
            }
        }
    }
    ovs_mutex_unlock(&record_mutex);
    *copiesp = copies;
    return n;
}

/* Returns how often, since the process started, a thread found no free record
 * for a datapath and went uncounted. */
unsigned int
fb_record_n_refused(void)
{
    unsigned int n;

    atomic_read_relaxed(&n_refused, &n);
    return n;
}
