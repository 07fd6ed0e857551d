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

#include "fb-marks.h"

#include <poll.h>
#include <stdlib.h>

#include "bitmap.h"
#include "fatal-signal.h"
#include "fb-dut.h"
#include "fb-generator.h"
#include "fb-latency.h"
#include "fb-mark-ring.h"
#include "fb-marker.h"
#include "fb-proof.h"
#include "util.h"

/* How long to wait for the next marked frame of the proof, in ms. */
#define PROOF_TIMEOUT_MS 300

/* The first packets of each flow are upcalls, whose loss is no fault of the
 * topology's, so a proof that fails is tried again. */
#define PROOF_ATTEMPTS 3

/* The upper bits of a sequence number say which thread has sent the frame. */
#define SEQ_BITS 48

/* A thread of the generator. */
struct marking {
    struct fb_marker marker;

    /* At the beginning of the trial. */
    uint64_t first;             /* Marked frames sent until then. */
    uint64_t missed;            /* Of the marker. */
};

/* The marked frames of a DUT. */
struct fb_marks {
    struct marking *threads;    /* The generator's... */
    size_t n_threads;           /* ...and their number. */
    struct fb_mark_ring *ring;  /* The sinks'. */
    uint64_t rate;              /* Frames to mark per second. */

    /* Of the trial that the last fb_marks_begin() began. */
    struct fb_latency *latency; /* Where its latencies go, or NULL. */
    uint64_t longest_ns;        /* The greatest of them so far. */
    bool clock_set;             /* Was the clock set meanwhile? */

    /* At its beginning. */
    uint64_t received;          /* Of the ring. */
    uint64_t dropped;           /* Of the ring. */
};

/* Returns the room that the marked frames of a trial of 'duration' s take if
 * 'rate' are sent per second, in frames: with as much again for what a proof
 * sends and for what is late. */
size_t
fb_marks_slots(uint64_t rate, double duration)
{
    return MIN(rate * duration * 2 + 1, FB_MARK_RING_MAX_SLOTS);
}

/* Lets 'rate' frames per second of the load on 'dut' be marked, and its sinks
 * receive up to 'n_slots' of them a trial. */
char *
fb_marks_open(struct fb_dut *dut, uint64_t rate, size_t n_slots)
{
    struct fb_marks *marks = xzalloc(sizeof *marks);

    char *error = fb_mark_ring_open(dut->sink_fd, n_slots, &marks->ring);
    if (error) {
        free(marks);
        return error;
    }
    marks->rate = rate;
    marks->n_threads = fb_generator_n_threads(dut->generator);
    marks->threads = xcalloc(marks->n_threads, sizeof *marks->threads);
    for (size_t i = 0; i < marks->n_threads; i++) {
        fb_marker_init(&marks->threads[i].marker, (uint64_t) i << SEQ_BITS, 0);
        fb_generator_set_marker(dut->generator, i, &marks->threads[i].marker);
    }
    dut->marks = marks;
    return NULL;
}

/* Frees 'marks', which may be NULL, of a DUT whose generator is closed. */
void
fb_marks_close(struct fb_marks *marks)
{
    if (marks) {
        fb_mark_ring_close(marks->ring);
        free(marks->threads);
        free(marks);
    }
}

/* Lets 'rate' frames per second be marked by all threads of 'marks' together:
 * FB_MARKER_ALL for all frames. */
static void
set_rate(struct fb_marks *marks, uint64_t rate)
{
    size_t n = marks->n_threads;

    for (size_t i = 0; i < n; i++) {
        fb_marker_set_rate(&marks->threads[i].marker,
                           rate == FB_MARKER_ALL ? rate
                           : rate / n + (i < rate % n));
    }
}

/* Waits until something is in the ring of 'marks'.  Returns false if nothing
 * comes. */
static bool
wait_for_arrival(struct fb_marks *marks)
{
    struct pollfd pfd = {
        .fd = fb_mark_ring_fd(marks->ring),
        .events = POLLIN,
    };
    bool arrived = poll(&pfd, 1, PROOF_TIMEOUT_MS) > 0;

    fatal_signal_run();
    return arrived;
}

/* Receives marked frames until 'n' sinks of 'dut' have got one or nothing more
 * comes.  Sets the bits of those sinks in 'seen'. */
static void
receive(struct fb_dut *dut, size_t n, unsigned long *seen)
{
    struct fb_mark_arrival arrival;

    do {
        while (fb_mark_ring_next(dut->marks->ring, &arrival)) {
            for (size_t i = 0; i < dut->n_sinks; i++) {
                if (dut->sinks[i] == arrival.ifindex) {
                    bitmap_set1(seen, i);
                    break;
                }
            }
        }
    } while (bitmap_count1(seen, dut->n_sinks) < n
             && wait_for_arrival(dut->marks));
}

/* Sends a marked frame of each pair of 'dut', which so learns their way, and
 * stores in '*n_missing' the number of sinks to which none came. */
char *
fb_marks_prove(struct fb_dut *dut, size_t *n_missing)
{
    unsigned long *seen = bitmap_allocate(dut->n_sinks);
    size_t n_frames = dut->flood ? dut->n_destinations : dut->n_pairs;
    int retval = 0;

    set_rate(dut->marks, FB_MARKER_ALL);
    for (int i = 0; !retval && i < PROOF_ATTEMPTS
         && bitmap_count1(seen, dut->n_sinks) < dut->n_sinks; i++) {
        fb_generator_rewind(dut->generator);
        for (size_t n = 0; !retval && n < n_frames; n += FB_PROOF_BATCH) {
            size_t batch = MIN(FB_PROOF_BATCH, n_frames - n);

            retval = fb_proof_send(dut, batch);
            /* Where several frames have one sink, wait for the last only. */
            receive(dut, (n + batch < n_frames && dut->two_way ? 0
                          : MIN(n + batch, dut->n_sinks)), seen);
        }
    }
    set_rate(dut->marks, 0);
    *n_missing = dut->n_sinks - bitmap_count1(seen, dut->n_sinks);
    bitmap_free(seen);
    return (retval
            ? xasprintf("%s: fb-gen: sending failed (%s)", dut->label,
                        ovs_strerror(retval))
            : NULL);
}

/* Begins a trial, in which the frames are marked that 'marking' says.  Their
 * latencies are added to 'latency', which may be NULL.  So may 'marks': then
 * this and the next two functions do nothing. */
void
fb_marks_begin(struct fb_marks *marks, enum fb_marking marking,
               struct fb_latency *latency)
{
    struct fb_mark_arrival ignored;

    if (!marks) {
        return;
    }
    while (fb_mark_ring_next(marks->ring, &ignored)) {
        /* Of an earlier trial. */
    }
    set_rate(marks, (marking == FB_MARK_ALL ? FB_MARKER_ALL
                     : marking == FB_MARK_SOME ? marks->rate : 0));
    for (size_t i = 0; i < marks->n_threads; i++) {
        struct marking *thread = &marks->threads[i];

        thread->first = thread->marker.n_marked;
        thread->missed = thread->marker.n_missed;
    }
    marks->received = fb_mark_ring_received(marks->ring);
    marks->dropped = fb_mark_ring_dropped(marks->ring);
    marks->clock_set = false;
    marks->longest_ns = 0;
    marks->latency = latency;
    if (latency) {
        /* Also if nothing is marked: trials are compared block by block. */
        fb_latency_begin_trial(latency);
    }
}

/* Has the clock been set since the trial of 'marks' began? */
static bool
is_clock_set(const struct fb_marks *marks)
{
    for (size_t i = 0; i < marks->n_threads; i++) {
        const struct marking *thread = &marks->threads[i];

        if (thread->marker.n_marked > thread->first
            && !fb_marker_is_clock_steady(&thread->marker)) {
            return true;
        }
    }
    return false;
}

/* Was the frame with the number 'seq' sent in the trial of 'marks'? */
static bool
is_of_trial(const struct fb_marks *marks, uint64_t seq)
{
    uint64_t thread = seq >> SEQ_BITS;
    uint64_t number = seq & ((UINT64_C(1) << SEQ_BITS) - 1);

    return (thread < marks->n_threads
            && number >= marks->threads[thread].first);
}

/* Takes note of what has arrived in the trial that fb_marks_begin() began.
 * Returns the longest time, in ns, that a marked frame was on its way; 0 if
 * there was none. */
uint64_t
fb_marks_longest(struct fb_marks *marks)
{
    struct fb_mark_arrival arrival;

    if (!marks) {
        return 0;
    }
    marks->clock_set |= is_clock_set(marks);
    while (fb_mark_ring_next(marks->ring, &arrival)) {
        /* The two clocks of a paced run are compared to within less than a
         * microsecond: no packet arrives before it is sent. */
        uint64_t sent_ns = arrival.mark.sent_ns;
        uint64_t ns = (arrival.arrived_ns > sent_ns
                       ? arrival.arrived_ns - sent_ns : 0);

        if (!marks->clock_set && is_of_trial(marks, arrival.mark.seq)) {
            marks->longest_ns = MAX(marks->longest_ns, ns);
            if (marks->latency) {
                fb_latency_add(marks->latency, ns);
            }
        }
    }
    return marks->longest_ns;
}

/* Ends the trial that fb_marks_begin() began, once no more frames arrive, and
 * stores what became of its marked frames in '*tally'. */
void
fb_marks_end(struct fb_marks *marks, struct fb_marks_tally *tally)
{
    if (!marks) {
        memset(tally, 0, sizeof *tally);
        return;
    }
    fb_marks_longest(marks);
    *tally = (struct fb_marks_tally) {
        .arrived = fb_mark_ring_received(marks->ring) - marks->received,
        .unread = fb_mark_ring_dropped(marks->ring) - marks->dropped,
        .clock_set = marks->clock_set,
    };
    for (size_t i = 0; i < marks->n_threads; i++) {
        const struct marking *thread = &marks->threads[i];

        tally->tried += thread->marker.n_marked - thread->first;
        tally->missed += thread->marker.n_missed - thread->missed;
    }
}

/* Returns the number of marked frames that have arrived at the sinks of the
 * DUT of 'marks'. */
uint64_t
fb_marks_received(struct fb_marks *marks)
{
    return fb_mark_ring_received(marks->ring);
}

/* Returns the sequence number of the next frame that is marked, of a generator
 * with one thread. */
uint64_t
fb_marks_next_seq(const struct fb_marks *marks)
{
    return marks->threads[0].marker.n_marked;
}

/* Adds 'tally' to 'sum'. */
void
fb_marks_tally_add(struct fb_marks_tally *sum,
                   const struct fb_marks_tally *tally)
{
    sum->tried += tally->tried;
    sum->arrived += tally->arrived;
    sum->missed += tally->missed;
    sum->unread += tally->unread;
    sum->clock_set |= tally->clock_set;
}
