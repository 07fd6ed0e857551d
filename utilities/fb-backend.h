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

#ifndef FB_BACKEND_H
#define FB_BACKEND_H 1

/* Ways to send frames into an interface.
 *
 * All pass the queueing discipline by, and all frames look alike to what
 * receives them.  One thread at a time may use a sender. */

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* Most frames that one system call sends. */
#define FB_BACKEND_BATCH 64

/* How long, in microseconds, the kernel may let a frame wait for room in the
 * socket's buffer.  A device that never sends must not hold up the end. */
#define FB_BACKEND_TIMEOUT_US 100000

struct fb_engine_class;
struct fb_load_result;
struct fb_sender;

/* A way to send. */
struct fb_backend {
    const char *name;           /* "sendmmsg", ... */
    const char *description;    /* In a few words. */
    const struct fb_engine_class *engine; /* What sends as fast as it goes, or
                                           * NULL.  If there is one the members
                                           * below are for single frames. */

    /* Opens interface 'ifindex' of the current network namespace, which may be
     * left afterward.  Returns 0 and stores a sender, for the caller to close,
     * in '*senderp', or returns an errno. */
    int (*open)(int ifindex, struct fb_sender **senderp);
    void (*close)(struct fb_sender *);

    /* Sends 'n' frames, at most FB_BACKEND_BATCH, by one system call, and
     * counts in 'result' what became of them.  Stores in '*n_tried' how many
     * need not be given to it again: the first ones; the next call must begin
     * with the others.  That may be more than 'n' if an earlier call was given
     * more.
     *
     * Returns 0, or the errno of a failure that will not pass. */
    int (*send)(struct fb_sender *, struct iovec *, size_t n,
                struct fb_load_result *result, size_t *n_tried);
};

extern const struct fb_backend fb_backend_sendmmsg;
extern const struct fb_backend fb_backend_ring;
extern const struct fb_backend fb_backend_xdp;
extern const struct fb_backend fb_backend_pktgen;

const struct fb_backend *const *fb_backends(size_t *n);
const struct fb_backend *fb_backend_find(const char *name);
int fb_backend_count_refused(struct fb_load_result *, int error);

#endif /* fb-backend.h */
