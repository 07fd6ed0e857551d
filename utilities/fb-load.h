/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */

#ifndef FB_LOAD_H
#define FB_LOAD_H 1

/* The load generator
 * ==================
 *
 * Sends frames into an interface, past the queueing discipline, in turn, as
 * fast as it goes or at a fixed rate; or into several, whose turn it is with
 * each system call.
 *
 * What it reports is what it tried and what the kernel took.  Whether a frame
 * arrived is for the sink to say.
 *
 * One thread at a time may use a load; several loads may run at once.
 *
 * Typical use, in the network namespace that holds the interface:
 *
 *     struct fb_load *load;
 *     int error = fb_load_open(&load, &config);
 *     if (!error) {
 *         struct fb_load_result result;
 *         error = fb_load_run(load, &spec, 100 * 1000 * 1000, NULL,
 *                             &result);
 *         fb_load_close(load);
 *     }
 */

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "fb-frames.h"
#include "fb-gap.h"

/* What came of a run.
 *
 * 'attempted' is the load offered: it is always 'accepted' plus 'refused'.
 * In a paced run that came to its end, 'attempted' plus 'missed' is the number
 * of frames that rate and duration ask for. */
struct fb_load_result {
    uint64_t attempted;         /* Frames that the kernel was asked to send. */
    uint64_t accepted;          /* Of those, frames that it took. */
    uint64_t refused;           /* Of those, frames that it did not take. */

    /* Parts of 'refused' by the errno that the kernel gave.  It gives none
     * where it had taken frames in the same system call before. */
    uint64_t refused_enobufs;   /* ENOBUFS: the device's queue was full. */
    uint64_t refused_eagain;    /* EAGAIN: the socket's buffer stayed full. */
    uint64_t refused_other;     /* Another one, or not told. */

    uint64_t back;              /* Part of 'attempted': frames of other
                                 * sources than the first. */
    uint64_t new_flows;         /* With churn: flows that began. */
    uint64_t missed;            /* Paced: frames never tried, being late. */
    uint64_t late_max_ns;       /* Paced: greatest lateness of a batch. */
    struct fb_gap_error gap_error; /* Paced: how exact it was. */
    uint64_t calls;             /* System calls made to send. */
    uint64_t idle_ns;           /* Paced: time in which it waited, awake, and
                                 * nothing else wanted its CPU. */
    uint64_t slept_ns;          /* Paced: time in which it slept. */
    uint64_t kernel_ns;         /* CPU time of a thread of the kernel's that
                                 * sent instead of the caller. */
    uint64_t voluntary;         /* Context switches of sender threads other
                                 * than the caller's that they asked for... */
    uint64_t involuntary;       /* ...and that they did not. */
    uint64_t start_ns;          /* Time before the first, CLOCK_MONOTONIC... */
    uint64_t end_ns;            /* ...and after the last. */
};

/* A source of frames. */
struct fb_load_source {
    const char *ifname;         /* Interface into which they are sent. */
    struct fb_frames_config frames;
};

/* What a load is like. */
struct fb_load_config {
    const struct fb_backend *backend; /* How it sends. */
    const struct fb_load_source *sources; /* From where to where... */
    size_t n_sources;           /* ...at least one... */
    const size_t *turns;        /* ...by number, in this order... */
    size_t n_turns;             /* ...and again. */
};

struct fb_backend;
struct fb_hist;
struct fb_load;
struct fb_marker;
struct fb_pace_spec;

int fb_load_open(struct fb_load **, const struct fb_load_config *);
void fb_load_close(struct fb_load *);
void fb_load_rewind(struct fb_load *);
void fb_load_set_marker(struct fb_load *, struct fb_marker *);
int fb_load_run(struct fb_load *, const struct fb_pace_spec *,
                uint64_t duration_ns, const volatile sig_atomic_t *stop,
                struct fb_load_result *);
const struct fb_hist *fb_load_gap_errors(const struct fb_load *);

#endif /* fb-load.h */
