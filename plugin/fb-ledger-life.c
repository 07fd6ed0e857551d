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

#include "fb-ledger-life.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "fb-alloc.h"
#include "fb-clock.h"
#include "fb-ignore.h"
#include "ovs-rcu.h"
#include "util.h"

/* How long to make memory present at a time.  One large page may take longer,
 * where the kernel itself has to wait for memory. */
#define PRESENT_US 500

/* The least size of a page, and that of a large one. */
#define PAGE 4096
#define LARGE_PAGE (2 * 1024 * 1024)

/* The ledger in use, or null. */
static OVSRCU_TYPE(struct fb_ledger *) ledger_now;

/* Options for the next ledger. */
static struct fb_ledger_options options = { FB_LEDGER_DEFAULT_FLOWS, 0, 0 };

/* Chooses what the next ledger is like. */
void
fb_ledger_configure(const struct fb_ledger_options *new)
{
    options = *new;
}

/* Frees 'ledger'. */
static void
ledger_free(struct fb_ledger *ledger)
{
    free(ledger->memory);
    free(ledger);
}

/* Asks the kernel for large pages for the 'size' bytes at 'memory': flows are
 * all over the place, so with small ones each access would need a page table
 * entry that no cache has. */
static void
ask_for_large_pages(void *memory, size_t size)
{
#ifdef MADV_HUGEPAGE
    uintptr_t start = ROUND_UP((uintptr_t) memory, LARGE_PAGE);
    uintptr_t end = ROUND_DOWN((uintptr_t) memory + size, LARGE_PAGE);

    if (start < end) {
        fb_ignore(madvise((void *) start, end - start, MADV_HUGEPAGE));
    }
#endif
}

/* Returns a ledger with one reference, or null if there is no memory. */
static struct fb_ledger *
ledger_create(unsigned int epoch, uint64_t start)
{
    uint32_t n_buckets = DIV_ROUND_UP(options.max_flows, FB_LEDGER_WAYS);
    size_t n = (size_t) n_buckets * FB_LEDGER_WAYS;
    struct fb_ledger *ledger = fb_alloc_zeroed(sizeof *ledger);

    if (!ledger) {
        return NULL;
    }
    ledger->memory_size = n * FB_LEDGER_SLOT_SIZE + CACHE_LINE_SIZE;
    ledger->memory = fb_alloc_zeroed(ledger->memory_size);
    if (!ledger->memory) {
        free(ledger);
        return NULL;
    }
    ask_for_large_pages(ledger->memory, ledger->memory_size);
    ledger->epoch = epoch;
    ledger->start = start;
    ledger->every = options.every;
    ledger->exact = options.exact;
    ledger->n_buckets = n_buckets;
    ledger->n_refs = 1;
    ledger->records = (void *) ROUND_UP((uintptr_t) ledger->memory,
                                        CACHE_LINE_SIZE);
    ledger->tags = (void *) &ledger->records[n];
    ledger->keys = &ledger->tags[n];
    return ledger;
}

/* Makes a new, empty ledger for the recording 'epoch', which started at
 * 'start' (ticks), the one in use, unless fb_ledger_configure() asked for
 * none.  If there is no memory, flows are not recorded. */
void
fb_ledger_begin(unsigned int epoch, uint64_t start)
{
    fb_ledger_drop();
    ovsrcu_set(&ledger_now, (options.max_flows ? ledger_create(epoch, start)
                             : NULL));
}

/* Returns the ledger in use, or null.  Main thread only. */
static struct fb_ledger *
get_now(void)
{
    return ovsrcu_get_protected(struct fb_ledger *, &ledger_now);
}

/* Ceases to use a ledger. */
void
fb_ledger_drop(void)
{
    struct fb_ledger *ledger = get_now();

    if (ledger) {
        ovsrcu_set(&ledger_now, NULL);
        fb_ledger_unref(ledger);
    }
}

/* Returns a reference to the ledger in use, which the caller must give back
 * with fb_ledger_unref(), or null. */
struct fb_ledger *
fb_ledger_ref(void)
{
    struct fb_ledger *ledger = get_now();

    if (ledger) {
        ledger->n_refs++;
    }
    return ledger;
}

/* Gives a reference to 'ledger', which may be null, back. */
void
fb_ledger_unref(struct fb_ledger *ledger)
{
    if (ledger && !--ledger->n_refs) {
        ovsrcu_postpone(ledger_free, ledger);
    }
}

/* Returns the bytes of memory that 'ledger' takes. */
size_t
fb_ledger_memory(const struct fb_ledger *ledger)
{
    return sizeof *ledger + ledger->memory_size;
}

/* Returns the ledger of the recording 'epoch', or null if there is none. */
struct fb_ledger *
fb_ledger_get(unsigned int epoch)
{
    struct fb_ledger *ledger = ovsrcu_get(struct fb_ledger *, &ledger_now);

    return OVS_LIKELY(ledger && ledger->epoch == epoch) ? ledger : NULL;
}

/* Makes some more of the memory of the ledger of the recording 'epoch'
 * present, so that no thread that serves packets has to wait for the kernel to
 * provide it.  Returns true if there is more to do.  For one thread, which may
 * be any. */
bool
fb_ledger_fill(unsigned int epoch)
{
    struct fb_ledger *ledger = fb_ledger_get(epoch);
    size_t size = ledger ? ledger->memory_size - CACHE_LINE_SIZE : 0;
    uint64_t start;

    if (OVS_LIKELY(!ledger || ledger->n_present >= size)) {
        return false;
    }
    start = fb_clock_ticks();
    do {
        uint64_t orig;

        /* Others may be writing there. */
        atomic_add_relaxed(ALIGNED_CAST(atomic_uint64_t *,
                                        (char *) ledger->records
                                        + ledger->n_present),
                           0, &orig);
        ledger->n_present += PAGE;
    } while (ledger->n_present < size
             && fb_clock_to_ns(fb_clock_since(start, fb_clock_ticks()))
                < PRESENT_US * 1000);
    return ledger->n_present < size;
}
