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

#include <config.h>
#include "fb-load.h"

#include <errno.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fb-backend.h"
#include "fb-frames.h"
#include "fb-gap.h"
#include "fb-idle.h"
#include "fb-marker.h"
#include "fb-pace.h"
#include "util.h"

#define NS_PER_S UINT64_C(1000000000)

/* A paced run sleeps while the next frame is further away than this, in ns,
 * and wakes up one half before it is due.  Else it spins. */
#define SLEEP_THRESHOLD_NS UINT64_C(2000000)

/* A source of frames. */
struct lane {
    struct fb_sender *sender;   /* Sends them; its own or an earlier lane's. */
    bool own;                   /* Its own? */
    char *ifname;               /* Into which it sends. */
    struct fb_frames *frames;   /* What it sends. */
    bool back;                  /* Are they counted as fb_load_result's 'back'?
                                 */
};

/* A load generator. */
struct fb_load {
    const struct fb_backend *backend; /* How it sends. */
    struct lane *lanes;         /* Sources... */
    size_t n_lanes;             /* ...and their number. */
    size_t *turns;              /* Numbers of those that send in turn... */
    size_t n_turns;             /* ...and again after so many. */
    size_t turn;                /* Whose turn it is. */
    size_t n_given;             /* Frames that the one whose turn it is has
                                 * given to its sender, which did not try
                                 * them yet. */
    struct fb_idle idle;        /* Of the CPU on which it waits. */
    struct fb_gap gap;          /* How exactly it keeps its schedule. */
    struct fb_marker *marker;   /* Says which are marked; NULL for none. */
    size_t n_frames;            /* After so many it begins again where they
                                 * are sent. */
};

/* Returns the time of CLOCK_MONOTONIC in ns. */
static uint64_t
now_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

/* Gives 'lane' of 'load' a sender into its interface: that of an earlier lane
 * if there is one.  Returns 0 or an errno. */
static int
open_sender(struct fb_load *load, struct lane *lane)
{
    for (struct lane *l = load->lanes; l < lane; l++) {
        if (!strcmp(l->ifname, lane->ifname)) {
            lane->sender = l->sender;
            return 0;
        }
    }

    int ifindex = if_nametoindex(lane->ifname);
    int error = (ifindex ? load->backend->open(ifindex, &lane->sender)
                 : ENODEV);
    lane->own = !error;
    return error;
}

/* Adds 'source' to 'load', whose array has room for it.  Returns 0 or an
 * errno. */
static int
add_lane(struct fb_load *load, const struct fb_load_source *source)
{
    struct lane *lane = &load->lanes[load->n_lanes++];

    lane->ifname = xstrdup(source->ifname);
    lane->back = source->frames.share.source > 0;
    load->n_frames = MAX(load->n_frames, source->frames.n_destinations);
    int error = fb_frames_create(&source->frames, &lane->frames);
    return error ? error : open_sender(load, lane);
}

/* Opens the interfaces of 'config' in the current network namespace, which may
 * be left afterward, for a load of its frames.
 *
 * Returns 0 if successful and stores the load in '*loadp', which the caller
 * must close; otherwise returns an errno and stores NULL: ENODEV if there is
 * no such interface, EPERM without CAP_NET_RAW, EINVAL if a frame size is out
 * of range, EAFNOSUPPORT or another if this kernel has no such backend. */
int
fb_load_open(struct fb_load **loadp, const struct fb_load_config *config)
{
    struct fb_load *load = xzalloc(sizeof *load);
    int error = 0;

    load->backend = config->backend;
    load->lanes = xcalloc(config->n_sources, sizeof *load->lanes);
    load->turns = xmemdup(config->turns,
                          config->n_turns * sizeof *config->turns);
    load->n_turns = config->n_turns;
    for (size_t i = 0; !error && i < config->n_sources; i++) {
        error = add_lane(load, &config->sources[i]);
    }
    load->n_frames *= config->n_turns;
    fb_idle_init(&load->idle, now_ns);
    if (error) {
        fb_load_close(load);
        load = NULL;
    }
    *loadp = load;
    return error;
}

/* Closes 'load' and frees it.  It may be NULL. */
void
fb_load_close(struct fb_load *load)
{
    if (load) {
        for (size_t i = 0; i < load->n_lanes; i++) {
            struct lane *lane = &load->lanes[i];

            if (lane->own) {
                load->backend->close(lane->sender);
            }
            fb_frames_destroy(lane->frames);
            free(lane->ifname);
        }
        free(load->lanes);
        free(load->turns);
        free(load);
    }
}

/* Makes the first flow's frame of each source the next one that it sends, and
 * lets the first begin. */
void
fb_load_rewind(struct fb_load *load)
{
    load->turn = 0;
    load->n_given = 0;
    for (size_t i = 0; i < load->n_lanes; i++) {
        fb_frames_rewind(load->lanes[i].frames);
    }
}

/* Returns the source whose turn it is. */
static struct lane *
get_lane(struct fb_load *load)
{
    return &load->lanes[load->turns[load->turn]];
}

/* Returns the next 'n' frames of 'load', at most FB_BACKEND_BATCH, all of the
 * source whose turn it is. */
static struct iovec *
peek(struct fb_load *load, size_t n)
{
    return fb_frames_peek(get_lane(load)->frames, n);
}

/* Lets 'marker' say which frames of 'load' are marked from the next run on;
 * none if it is NULL.  It must outlive 'load', or be taken from it before. */
void
fb_load_set_marker(struct fb_load *load, struct fb_marker *marker)
{
    load->marker = marker;
}

/* Sends the batch of 'n' frames at 'iovs', which are the next ones of 'load',
 * at most FB_BACKEND_BATCH, by one system call, and counts them in 'result'.
 * Then it is the next source's turn, unless the sender still has some.
 *
 * Returns 0, with the number of frames that were tried in '*n_tried'; or the
 * errno of a failure that will not pass. */
static int
send_iovs(struct fb_load *load, struct iovec *iovs, size_t n,
          struct fb_load_result *result, size_t *n_tried)
{
    struct lane *lane = get_lane(load);
    int error = load->backend->send(lane->sender, iovs, n, result, n_tried);

    fb_frames_advance(lane->frames, *n_tried);
    if (lane->back) {
        result->back += *n_tried;
    }
    load->n_given = MAX(load->n_given, n) - MIN(MAX(load->n_given, n),
                                                *n_tried);
    if (!load->n_given && ++load->turn == load->n_turns) {
        load->turn = 0;
    }
    return error;
}

/* Sends the next 'n' frames of 'load', at most FB_BACKEND_BATCH.  Returns what
 * send_iovs() does. */
static int
send_batch(struct fb_load *load, size_t n, struct fb_load_result *result,
           size_t *n_tried)
{
    return send_iovs(load, peek(load, n), n, result, n_tried);
}

/* Like send_batch(), but the frame at position 'position' of the batch, from
 * 0, is sent marked as due at 'due_ns' of now_ns(); 0 for the present time.
 * 'now' is for fb_marker_next(). */
static int
send_marked_batch(struct fb_load *load, size_t n, size_t position,
                  uint64_t due_ns, uint64_t now,
                  struct fb_load_result *result, size_t *n_tried)
{
    struct iovec *frames = peek(load, n);
    struct iovec iovs[FB_BACKEND_BATCH];

    memcpy(iovs, frames, n * sizeof *iovs);
    fb_marker_write(load->marker, iovs[position].iov_base,
                    iovs[position].iov_len, due_ns);
    iovs[position].iov_base = load->marker->frame;

    int error = send_iovs(load, iovs, n, result, n_tried);
    if (*n_tried > position) {
        fb_marker_next(load->marker, now);
    }
    return error;
}

/* Waits for 'due_ns', a time of now_ns(), which is after 'now'.  May return
 * early; the caller looks at the clock anyway. */
static void
wait_until(struct fb_load *load, uint64_t now, uint64_t due_ns,
           struct fb_load_result *result)
{
    fb_idle_look(&load->idle, now);
    if (due_ns - now > SLEEP_THRESHOLD_NS) {
        uint64_t wake_ns = due_ns - SLEEP_THRESHOLD_NS / 2;
        struct timespec ts = {
            .tv_sec = wake_ns / NS_PER_S,
            .tv_nsec = wake_ns % NS_PER_S,
        };

        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
        fb_idle_work(&load->idle);
        result->slept_ns += now_ns() - now;
    }
}

/* Sends as fast as it goes until 'duration_ns' after 'result->start_ns'.
 * Otherwise like fb_load_run(). */
static int
run_unpaced(struct fb_load *load, uint64_t duration_ns,
            const volatile sig_atomic_t *stop, struct fb_load_result *result)
{
    uint64_t now;

    while ((now = now_ns()) - result->start_ns < duration_ns) {
        size_t n_tried;
        int error;

        if (stop && *stop) {
            return EINTR;
        }
        if (load->marker && fb_marker_is_due(load->marker, now)) {
            /* Batches begin with another frame each time, even if their
             * length is a multiple of the number of frames. */
            peek(load, 1);
            fb_frames_advance(get_lane(load)->frames, 1);
            error = send_marked_batch(load, FB_BACKEND_BATCH, 0, 0, now,
                                      result, &n_tried);
        } else {
            error = send_batch(load, FB_BACKEND_BATCH, result, &n_tried);
        }
        if (error) {
            return error;
        }
    }
    return 0;
}

/* Sends the next 'n' frames of 'load', at most FB_BACKEND_BATCH, due by
 * 'pace'.  Otherwise like send_batch(). */
static int
send_paced(struct fb_load *load, const struct fb_pace *pace, uint64_t n,
           struct fb_load_result *result, size_t *n_tried)
{
    struct fb_marker *marker = load->marker;

    if (marker && fb_marker_is_due(marker, pace->next + n)) {
        uint64_t position = marker->next - pace->next;
        uint64_t due_ns = (result->start_ns
                           + fb_pace_due_ns(pace, marker->next));

        /* One of them in a batch. */
        return send_marked_batch(load, MIN(n, position + marker->interval),
                                 position, due_ns, 0, result, n_tried);
    }
    return send_batch(load, n, result, n_tried);
}

/* Sends what is due by 'pace', which started at 'result->start_ns', and waits
 * for the end of 'duration_ns'.  Otherwise like fb_load_run(). */
static int
run_paced(struct fb_load *load, struct fb_pace *pace, uint64_t duration_ns,
          const volatile sig_atomic_t *stop, struct fb_load_result *result)
{
    fb_idle_work(&load->idle);
    for (;;) {
        uint64_t now = now_ns();
        uint64_t elapsed = now - result->start_ns;

        if (stop && *stop) {
            return EINTR;
        }

        result->missed += fb_pace_give_up(pace, elapsed);
        if (load->marker) {
            fb_marker_skip(load->marker, pace->next);
        }
        if (fb_pace_is_done(pace)) {
            if (elapsed >= duration_ns) {
                return 0;
            }
            /* The last frame has its share of the time, too. */
            wait_until(load, now, result->start_ns + duration_ns, result);
            continue;
        }

        uint64_t due_ns = fb_pace_due_ns(pace, pace->next);
        uint64_t n = fb_pace_ready(pace, elapsed);

        if (!n) {
            wait_until(load, now, result->start_ns + due_ns, result);
            continue;
        }
        fb_idle_work(&load->idle);

        size_t n_tried;
        int error = send_paced(load, pace, MIN(n, FB_BACKEND_BATCH), result,
                               &n_tried);

        fb_gap_add(&load->gap, pace, pace->next, n_tried, elapsed);
        pace->next += n_tried;
        result->late_max_ns = MAX(result->late_max_ns, elapsed - due_ns);
        if (error) {
            return error;
        }
    }
}

/* Returns the number of flows that 'load' has ever begun, with churn. */
static uint64_t
count_new_flows(const struct fb_load *load)
{
    uint64_t n = 0;

    for (size_t i = 0; i < load->n_lanes; i++) {
        n += fb_frames_n_new_flows(load->lanes[i].frames);
    }
    return n;
}

/* Sends the frames of 'load' in turn, beginning after the last one of the run
 * before, for 'duration_ns' ns, when 'spec' says.  Ends early when '*stop'
 * becomes nonzero, as a signal handler may make it; 'stop' may be NULL.
 *
 * A frame that the kernel refuses for lack of room is counted and passed over:
 * it is never tried again in the same turn.  A paced frame that is late by
 * more than FB_PACE_MAX_LATE_NS is not sent but counted as missed.  Between
 * paced frames it spins on the clock unless they are milliseconds apart.
 *
 * Always fills in '*result'.  Returns 0 if the time was used up; EINTR if it
 * was stopped; EINVAL if the rate is above FB_PACE_MAX_RATE; otherwise the
 * errno with which the kernel refused for good, such as ENETDOWN if the
 * interface is down, ENXIO if it is gone, or EMSGSIZE if a frame is longer
 * than its MTU allows. */
int
fb_load_run(struct fb_load *load, const struct fb_pace_spec *spec,
            uint64_t duration_ns, const volatile sig_atomic_t *stop,
            struct fb_load_result *result)
{
    uint64_t new_flows = count_new_flows(load);
    int error;

    memset(result, 0, sizeof *result);
    load->idle.total = 0;
    fb_gap_init(&load->gap);
    if (load->marker && spec->rate) {
        fb_marker_start_paced(load->marker,
                              (MAX(spec->rate, spec->end_rate)
                               / MAX(spec->step, 1)),
                              load->n_frames);
    } else if (load->marker) {
        fb_marker_start_unpaced(load->marker, now_ns());
    }
    result->start_ns = now_ns();
    if (MAX(spec->rate, spec->end_rate) > FB_PACE_MAX_RATE) {
        error = EINVAL;
    } else if (spec->rate) {
        struct fb_pace pace;

        fb_pace_init(&pace, spec, duration_ns);
        error = run_paced(load, &pace, duration_ns, stop, result);
    } else {
        error = run_unpaced(load, duration_ns, stop, result);
    }
    result->end_ns = now_ns();
    result->idle_ns = load->idle.total;
    result->new_flows = count_new_flows(load) - new_flows;
    fb_gap_get(&load->gap.errors, &result->gap_error);
    result->attempted = result->accepted + result->refused;
    return error;
}

/* Returns the errors of the gaps in the last run of 'load', in ns, which the
 * next run replaces. */
const struct fb_hist *
fb_load_gap_errors(const struct fb_load *load)
{
    return &load->gap.errors;
}
