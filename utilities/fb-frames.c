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
#include "fb-frames.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fb-churn.h"
#include "fb-gcd.h"
#include "util.h"

/* A frame and what it was built of. */
struct frame {
    struct fb_packet_spec spec;
    uint8_t *bytes;             /* On a cache line of its own. */
};

/* A source's frames. */
struct fb_frames {
    struct fb_flows start;      /* Before the first flow. */
    struct fb_flows flows;      /* Before the next flow to make a frame of. */
    struct fb_sizes sizes;
    uint8_t schedule[FB_SIZES_MAX_PERIOD]; /* Classes of the sizes, in turn. */
    struct fb_churn churn;      /* Instead of 'flows' if there is churn. */
    size_t size_turn;           /* Whose turn in 'schedule' it is. */
    size_t skip;                /* Turns to leave out after the last flow, so
                                 * that each flow has each size. */

    /* Frames, one for each size of each: of each flow if 'stored', else of
     * each slot of the window. */
    struct frame *frames;
    size_t n_frames;
    uint8_t *bytes;             /* Of all frames. */
    bool stored;
    uint32_t flow_packets;      /* Packets of each flow; 0 if all stay. */

    /* The window: the next 'n_ready' frames. */
    struct iovec window[FB_FRAMES_WINDOW];
    size_t slots[FB_FRAMES_WINDOW]; /* Which of the slots it is in. */
    bool first[FB_FRAMES_WINDOW]; /* Is it the first of a flow that was never
                                   * there before?  With churn only. */
    size_t n_ready;
    uint64_t n_new_flows;       /* Such frames that were taken. */
};

/* Lets 'frames' have room for 'n' frames of each size. */
static void
allocate(struct fb_frames *frames, size_t n)
{
    size_t size = 0;

    for (size_t i = 0; i < frames->sizes.n; i++) {
        size += n * ROUND_UP(frames->sizes.classes[i].size, CACHE_LINE_SIZE);
    }
    frames->n_frames = n * frames->sizes.n;
    frames->frames = xcalloc(frames->n_frames, sizeof *frames->frames);
    frames->bytes = xmalloc_cacheline(size);

    uint8_t *bytes = frames->bytes;
    for (size_t i = 0; i < frames->n_frames; i++) {
        size_t frame_size = frames->sizes.classes[i % frames->sizes.n].size;
        frames->frames[i].spec.frame_size = frame_size;
        frames->frames[i].bytes = bytes;
        bytes += ROUND_UP(frame_size, CACHE_LINE_SIZE);
    }
}

/* Builds every frame of 'frames': stored ones are those of one flow after
 * another, others all of the first.  Returns 0 or EINVAL. */
static int
build(struct fb_frames *frames, const struct fb_frames_config *config)
{
    struct fb_packet_spec spec = {
        .vlan = config->traffic.vlan,
        .ipv6 = config->traffic.ipv6,
        .fault = config->fault,
    };
    struct fb_flows flows = frames->flows;

    for (size_t i = 0; i < frames->n_frames; i++) {
        struct frame *frame = &frames->frames[i];
        if (i % frames->sizes.n == 0 && (frames->stored || !i)) {
            fb_flows_next(&flows, &spec);
        }
        spec.frame_size = frame->spec.frame_size;
        frame->spec = spec;
        int error = fb_packet_build(&spec, frame->bytes);
        if (error) {
            return error;
        }
    }
    return 0;
}

/* Makes the frames of 'config' and stores them in '*framesp', for the caller
 * to destroy.
 *
 * Returns 0 if successful; EINVAL, and stores NULL, if a frame size is out of
 * range. */
int
fb_frames_create(const struct fb_frames_config *config,
                 struct fb_frames **framesp)
{
    struct fb_frames *frames = xzalloc(sizeof *frames);
    size_t size = 0;

    fb_flows_init(&frames->start, &config->traffic, config->n_destinations,
                  &config->share);
    frames->flows = frames->start;
    frames->sizes = config->traffic.sizes;
    fb_sizes_schedule(&frames->sizes, frames->schedule);
    while (fb_gcd(frames->flows.n_flows + frames->skip, frames->sizes.period)
           != 1) {
        frames->skip++;
    }
    for (size_t i = 0; i < frames->sizes.n; i++) {
        size += ROUND_UP(frames->sizes.classes[i].size, CACHE_LINE_SIZE);
    }
    frames->flow_packets = config->traffic.flow_packets;
    frames->stored = (!frames->flow_packets
                      && frames->flows.n_flows <= FB_FRAMES_STORE / size);
    allocate(frames,
             frames->stored ? frames->flows.n_flows : FB_FRAMES_WINDOW);
    for (size_t i = 0; i < FB_FRAMES_WINDOW; i++) {
        frames->slots[i] = i;
    }

    fb_frames_rewind(frames);
    int error = build(frames, config);
    if (error) {
        fb_frames_destroy(frames);
        frames = NULL;
    }
    *framesp = frames;
    return error;
}

/* Frees 'frames', which may be null. */
void
fb_frames_destroy(struct fb_frames *frames)
{
    if (frames) {
        free(frames->frames);
        free_cacheline(frames->bytes);
        free(frames);
    }
}

/* Makes the first flow's frame the next one. */
void
fb_frames_rewind(struct fb_frames *frames)
{
    frames->flows = frames->start;
    if (frames->flow_packets) {
        fb_churn_init(&frames->churn, &frames->start, frames->flow_packets);
    }
    frames->size_turn = 0;
    frames->n_ready = 0;
}

/* Returns the class of the size whose turn it is. */
static size_t
next_class(struct fb_frames *frames, bool last_flow)
{
    size_t class = frames->schedule[frames->size_turn];

    frames->size_turn += last_flow ? 1 + frames->skip : 1;
    if (frames->size_turn >= frames->sizes.period) {
        frames->size_turn %= frames->sizes.period;
    }
    return class;
}

/* Puts the next frame into place 'i' of the window. */
static void
prepare(struct fb_frames *frames, size_t i)
{
    struct fb_packet_spec spec;
    struct frame *frame;

    if (frames->stored) {
        size_t flow = frames->flows.flow;
        bool last = flow + 1 == frames->flows.n_flows;
        frames->flows.flow = last ? 0 : flow + 1;
        frame = &frames->frames[flow * frames->sizes.n
                                + next_class(frames, last)];
    } else {
        /* All slots are of one flow at first, so their 'vlan' and so on are
         * those of any frame. */
        frame = &frames->frames[frames->slots[i] * frames->sizes.n];
        spec = frame->spec;
        if (frames->flow_packets) {
            frames->first[i] = fb_churn_next(&frames->churn, &spec);
            frame += next_class(frames, false);
        } else {
            frame += next_class(frames,
                                fb_flows_next(&frames->flows, &spec));
        }
        spec.frame_size = frame->spec.frame_size;
        fb_packet_patch(&frame->spec, &spec, frame->bytes);
        frame->spec = spec;
    }
    frames->window[i].iov_base = frame->bytes;
    frames->window[i].iov_len = frame->spec.frame_size;
}

/* Returns the next 'n' frames, at most FB_FRAMES_WINDOW, without taking them.
 * They stay as they are until taken. */
struct iovec *
fb_frames_peek(struct fb_frames *frames, size_t n)
{
    while (frames->n_ready < n) {
        prepare(frames, frames->n_ready++);
    }
    return frames->window;
}

/* Takes the next 'n' frames, which fb_frames_peek() has returned. */
void
fb_frames_advance(struct fb_frames *frames, size_t n)
{
    size_t left = frames->n_ready - n;

    for (size_t i = 0; frames->flow_packets && i < n; i++) {
        frames->n_new_flows += frames->first[i];
    }
    if (left) {
        /* Those that are left come first, and the slots of those that are
         * taken are the last. */
        size_t taken[FB_FRAMES_WINDOW];
        memcpy(taken, frames->slots, n * sizeof *taken);
        memmove(frames->slots, frames->slots + n, left * sizeof *taken);
        memcpy(frames->slots + left, taken, n * sizeof *taken);
        memmove(frames->window, frames->window + n,
                left * sizeof *frames->window);
        memmove(frames->first, frames->first + n,
                left * sizeof *frames->first);
    }
    frames->n_ready = left;
}

/* Returns the number of frames taken from 'frames', since it was created, that
 * were the first of a flow that was never there before.  0 without churn. */
uint64_t
fb_frames_n_new_flows(const struct fb_frames *frames)
{
    return frames->n_new_flows;
}
