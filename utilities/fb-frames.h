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

#ifndef FB_FRAMES_H
#define FB_FRAMES_H 1

/* The frames of a source, ready to be sent, one after another without end.
 *
 * While few are different they are all built beforehand.  Otherwise each of a
 * few frames is patched into the next that has its turn, which takes less time
 * than to fetch one of a million from memory.
 *
 * One thread at a time may use them. */

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "compiler.h"
#include "fb-flows.h"
#include "fb-packet.h"
#include "fb-traffic.h"

#define FB_FRAMES_WINDOW 64     /* Most frames that can be looked at. */

/* Room for different frames, in bytes, up to which they are built beforehand:
 * part of a CPU's second cache. */
#define FB_FRAMES_STORE (256 * 1024)

/* What frames are to be made. */
struct fb_frames_config {
    struct fb_traffic traffic;  /* As fb_traffic_check() accepts it. */
    size_t n_destinations;      /* At least 1. */
    struct fb_flows_share share; /* Which of its flows. */
    enum fb_packet_fault fault; /* Test hook: what is wrong with frames. */
};

struct fb_frames;

int fb_frames_create(const struct fb_frames_config *, struct fb_frames **)
    OVS_WARN_UNUSED_RESULT;
void fb_frames_destroy(struct fb_frames *);
void fb_frames_rewind(struct fb_frames *);
struct iovec *fb_frames_peek(struct fb_frames *, size_t n);
void fb_frames_advance(struct fb_frames *, size_t n);
uint64_t fb_frames_n_new_flows(const struct fb_frames *);

#endif /* fb-frames.h */
