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

#include "fb-intake.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fb-alloc.h"
#include "fb-clock.h"
#include "fb-flow-apply.h"
#include "fb-spin.h"
#include "fb-wake.h"
#include "openvswitch/thread.h"
#include "ovs-atomic.h"
#include "util.h"

/* Words in a ring: a power of two.  An event of an IPv4 packet takes some 25
 * of them, so there is room for some 2,500, or for 10 ms in a storm of
 * upcalls: an idle processor may take some time to wake up. */
#define RING_WORDS 65536

/* Each time that so many words were written, the thread that takes them is
 * woken up: a power of two. */
#define WAKE_WORDS 8192

/* Rings at most.  The events of more threads are applied at once. */
#define MAX_RINGS 64

/* Words of the longest event, and of one without what its flow matches. */
#define HEAD_WORDS (sizeof(struct fb_flow_event) / 8)
#define MAX_WORDS (HEAD_WORDS + FB_EVENT_WORDS)
BUILD_ASSERT_DECL(sizeof(struct fb_flow_event) % 8 == 0);

/* Kind of what fills the ring up to its end: its first word is all there is of
 * it. */
#define KIND_FILLER UINT8_MAX

/* Bytes to load before they are written. */
#define PREFETCH_BYTES 256

/* Events of one thread. */
struct ring {
    PADDED_MEMBERS(CACHE_LINE_SIZE,
        atomic_uint64_t head;   /* Words written so far.  Owner's. */
        uint64_t free_until;    /* 'head' may go up to here.  Owner's. */
        bool owned;             /* Has it an owner?  Under 'rings_mutex'. */
    );
    PADDED_MEMBERS(CACHE_LINE_SIZE,
        atomic_uint64_t tail;   /* Words taken so far. */
        atomic_uint8_t lock;    /* Is a thread taking from it? */
    );
    uint64_t words[RING_WORDS]; /* The events. */
};

/* All rings: they stay for the next thread when theirs ends. */
static struct ring *rings[MAX_RINGS];
static atomic_uint n_rings;
static struct ovs_mutex rings_mutex = OVS_MUTEX_INITIALIZER;

/* The calling thread's; null if it has none (yet). */
static __thread struct ring *own;
static __thread bool refused;   /* There was none for it. */

/* An event that goes to no ring. */
static __thread union {
    struct fb_flow_event event; /* The event. */
    uint64_t words[MAX_WORDS];  /* Room for what follows it. */
} out_of_turn;

/* Its destructor serves a thread that ends. */
static pthread_key_t rings_key;
static bool have_rings_key;

/* Woken up each time that a thread has written WAKE_WORDS.  Null: nobody waits
 * for that. */
static ATOMIC(const struct fb_wake *) taker;

/* A thread ends, whose ring is 'ring_'. */
static void
thread_ends(void *ring_)
{
    struct ring *ring = ring_;

    ovs_mutex_lock(&rings_mutex);
    ring->owned = false;
    ovs_mutex_unlock(&rings_mutex);
}

/* Prepares.  If the process has no thread-specific key left, the rings of
 * threads that end are not used again. */
void
fb_intake_init(void)
{
    have_rings_key = !pthread_key_create(&rings_key, thread_ends);
}

/* Has 'wake', which must stay, be woken up each time that there is more to
 * take.  Any thread. */
void
fb_intake_set_wake(const struct fb_wake *wake)
{
    atomic_store_explicit(&taker, wake, memory_order_release);
}

/* There is more to take: says so to who waits for that. */
static void
wake_taker(void)
{
    const struct fb_wake *wake;

    atomic_read_explicit(&taker, &wake, memory_order_acquire);
    if (wake) {
        fb_wake_up(wake);
    }
}

/* Returns the number of rings, whose pointers are then valid. */
static unsigned int
count_rings(void)
{
    unsigned int n;

    atomic_read_explicit(&n_rings, &n, memory_order_acquire);
    return n;
}

/* Returns a new ring, or null if there is no memory. */
static struct ring *
ring_create(void)
{
    struct ring *ring = fb_alloc_cacheline(sizeof *ring);

    if (ring) {
        /* All of its memory is to be present. */
        memset(ring, 0, sizeof *ring);
        ring->free_until = RING_WORDS;
    }
    return ring;
}

/* Gives the calling thread a ring, if there is one for it. */
static void
claim_ring(void)
{
    unsigned int n, i;

    ovs_mutex_lock(&rings_mutex);
    n = count_rings();
    for (i = 0; i < n && rings[i]->owned; i++) {
        continue;
    }
    if (i >= n && n < MAX_RINGS) {
        rings[n] = ring_create();
        if (rings[n]) {
            n++;
            atomic_store_explicit(&n_rings, n, memory_order_release);
        }
    }
    if (i < n) {
        own = rings[i];
        own->owned = true;
    } else {
        refused = true;
    }
    ovs_mutex_unlock(&rings_mutex);
    if (own && have_rings_key) {
        pthread_setspecific(rings_key, own);
    }
}

/* Returns the words written to 'ring' so far. */
static uint64_t
get_head(struct ring *ring, memory_order order)
{
    uint64_t head;

    atomic_read_explicit(&ring->head, &head, order);
    return head;
}

/* Returns the words taken from 'ring' so far. */
static uint64_t
get_tail(struct ring *ring, memory_order order)
{
    uint64_t tail;

    atomic_read_explicit(&ring->tail, &tail, order);
    return tail;
}

/* Returns what is at 'pos' in 'ring'. */
static struct fb_flow_event *
event_at(struct ring *ring, uint64_t pos)
{
    return (struct fb_flow_event *) &ring->words[pos % RING_WORDS];
}

/* Applies events of 'ring' up to 'head', at most as many as can be applied
 * together.  Returns false if a thread that takes from it keeps it. */
static bool
take_batch(struct ring *ring, uint64_t head)
{
    const struct fb_flow_event *events[FB_FLOW_APPLY_MAX];
    uint64_t tail;
    size_t n = 0;

    if (!fb_spin_lock(&ring->lock)) {
        return false;
    }
    tail = get_tail(ring, memory_order_relaxed);
    while (tail < head && n < ARRAY_SIZE(events)) {
        const struct fb_flow_event *event = event_at(ring, tail);

        if (event->kind == KIND_FILLER) {
            tail = ROUND_UP(tail + 1, RING_WORDS);
        } else {
            events[n++] = event;
            tail += HEAD_WORDS + event->n_words;
        }
    }
    fb_flow_apply(events, n);
    atomic_store_explicit(&ring->tail, tail, memory_order_release);
    fb_spin_unlock(&ring->lock);
    return true;
}

/* Says whether 'max_ns' have passed since 'start' (ticks).  UINT64_MAX never
 * does. */
static bool
is_over(uint64_t start, uint64_t max_ns)
{
    return (max_ns != UINT64_MAX
            && (fb_clock_to_ns(fb_clock_since(start, fb_clock_ticks()))
                >= max_ns));
}

/* Applies what is in 'ring' now, for 'max_ns' from 'start' (ticks) at most.
 * Returns false if something is left. */
static bool
drain(struct ring *ring, uint64_t start, uint64_t max_ns)
{
    uint64_t head = get_head(ring, memory_order_acquire);

    while (get_tail(ring, memory_order_acquire) < head) {
        if (is_over(start, max_ns) || !take_batch(ring, head)) {
            return false;
        }
    }
    return true;
}

/* Applies the events that all threads have reported by now, for 'max_ns' at
 * most (UINT64_MAX: as long as it takes).  Returns false if some are left:
 * after that time, or if another thread that is about it does not run. */
bool
fb_intake_drain(uint64_t max_ns)
{
    uint64_t start = max_ns != UINT64_MAX ? fb_clock_ticks() : 0;
    unsigned int n = count_rings();
    bool done = true;

    for (unsigned int i = 0; i < n; i++) {
        done = drain(rings[i], start, max_ns) && done;
    }
    return done;
}

/* The calling thread may soon have an event: loads what that would be written
 * to. */
void
fb_intake_prefetch(void)
{
    if (OVS_LIKELY(own)) {
        uint64_t head = get_head(own, memory_order_relaxed);
        const char *p = (const char *) event_at(own, head);

        for (size_t i = 0; i < PREFETCH_BYTES; i += CACHE_LINE_SIZE) {
            OVS_PREFETCH_WRITE(p + i);
        }
    }
}

/* Makes room for an event of any length in 'ring', in which the calling thread
 * has written up to 'head'.  Returns false if that is not possible now. */
static bool
make_room(struct ring *ring, uint64_t head)
{
    uint64_t left = RING_WORDS - head % RING_WORDS;
    uint64_t need = MAX_WORDS + (left < MAX_WORDS ? left : 0);

    if (ring->free_until - head < need) {
        ring->free_until = (get_tail(ring, memory_order_acquire)
                            + RING_WORDS);
        if (ring->free_until - head < need) {
            drain(ring, 0, UINT64_MAX);
            ring->free_until = (get_tail(ring, memory_order_acquire)
                                + RING_WORDS);
        }
    }
    return ring->free_until - head >= need;
}

/* Returns an event for the calling thread to fill in, with room for
 * FB_EVENT_WORDS words after it.  fb_intake_end() must follow. */
struct fb_flow_event *
fb_intake_begin(void)
{
    uint64_t head;

    if (OVS_UNLIKELY(!own) && !refused) {
        claim_ring();
    }
    if (OVS_UNLIKELY(!own)) {
        return &out_of_turn.event;
    }
    head = get_head(own, memory_order_relaxed);
    if (OVS_UNLIKELY(own->free_until - head < 2 * MAX_WORDS)
        && !make_room(own, head)) {
        return &out_of_turn.event;
    }
    if (OVS_UNLIKELY(RING_WORDS - head % RING_WORDS < MAX_WORDS)) {
        event_at(own, head)->kind = KIND_FILLER;
        head = ROUND_UP(head + 1, RING_WORDS);
        atomic_store_explicit(&own->head, head, memory_order_release);
        wake_taker();
    }
    return event_at(own, head);
}

/* 'event', which fb_intake_begin() returned, is complete. */
void
fb_intake_end(struct fb_flow_event *event)
{
    uint64_t head, end;

    if (OVS_UNLIKELY(event == &out_of_turn.event)) {
        const struct fb_flow_event *only = event;

        fb_flow_apply(&only, 1);
        return;
    }
    head = get_head(own, memory_order_relaxed);
    end = head + HEAD_WORDS + event->n_words;
    atomic_store_explicit(&own->head, end, memory_order_release);
    if (OVS_UNLIKELY((head ^ end) & WAKE_WORDS)) {
        wake_taker();
    }
}
