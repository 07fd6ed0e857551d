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

#include "fb-worst-put.h"

#include <stdlib.h>

#include "fb-flow-text.h"
#include "fb-ledger-life.h"
#include "fb-ledger.h"
#include "openvswitch/dynamic-string.h"
#include "ovs-atomic.h"

/* A flow put for the flow of 'record', of datapath 'dp', has failed and been
 * counted. */
void
fb_worst_put_note(struct fb_ledger *ledger,
                  const struct fb_flow_record *record, int dp)
{
    atomic_uint64_t *worst = &ledger->dps[dp].worst_put;
    uint32_t n = fb_ledger_count(&record->put_errors);
    uint64_t new = (uint64_t) n << 32 | (record - ledger->records);
    uint64_t old;

    atomic_read_relaxed(worst, &old);
    while (old >> 32 < n
           && !atomic_compare_exchange_weak_explicit(
                  worst, &old, new,
                  memory_order_relaxed, memory_order_relaxed)) {
        continue;
    }
}

/* Stores in '*w' the flow of datapath 'dp' whose flow puts failed most often.
 * The caller must free it with fb_worst_put_destroy(). */
void
fb_worst_put_read(int dp, struct fb_worst_put *w)
{
    struct fb_ledger *ledger = fb_ledger_ref();
    struct fb_flow_copy copy;
    uint64_t worst;

    *w = (struct fb_worst_put) { .n = 0 };
    if (!ledger) {
        return;
    }
    atomic_read_relaxed(&ledger->dps[dp].worst_put, &worst);
    /* A flow that died may have given its place to another. */
    if (worst && fb_ledger_copy(ledger, (uint32_t) worst, &copy)
        && copy.id.dp == dp && copy.put_errors >= worst >> 32) {
        struct ds ds = DS_EMPTY_INITIALIZER;

        fb_flow_text(ledger, &copy, &ds);
        w->n = copy.put_errors;
        w->error = copy.put_errno;
        w->text = ds_steal_cstr(&ds);
    }
    fb_ledger_unref(ledger);
}

/* Frees what 'w' holds. */
void
fb_worst_put_destroy(struct fb_worst_put *w)
{
    free(w->text);
}
