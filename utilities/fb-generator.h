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

#ifndef FB_GENERATOR_H
#define FB_GENERATOR_H 1

/* The generator of a DUT: one or more sender threads, each with a load of its
 * own (fb-load.h), which together keep one schedule and send each flow, from
 * one port or from several in turn.
 *
 * The first thread is the caller's.  The others last as long as a run.  Each
 * has a CPU to itself, see fb-cpus.h.
 *
 * With a backend that has an engine (fb-engine.h), what is sent as fast as it
 * goes is sent by that, without a thread of ours.
 *
 * For the main thread. */

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

struct fb_backend;
struct fb_generator;
struct fb_load_result;
struct fb_load_source;
struct fb_marker;
struct fb_pace_spec;

#define FB_MAX_THREADS 64       /* Most sender threads. */

int fb_generator_open(struct fb_generator **, const struct fb_backend *,
                      const struct fb_load_source *, size_t n_threads);
void fb_generator_close(struct fb_generator *);
size_t fb_generator_n_threads(const struct fb_generator *);
void fb_generator_rewind(struct fb_generator *);
void fb_generator_set_marker(struct fb_generator *, size_t thread,
                             struct fb_marker *);
int fb_generator_start(struct fb_generator *);
int fb_generator_run(struct fb_generator *, const struct fb_pace_spec *,
                     uint64_t duration_ns, const volatile sig_atomic_t *stop,
                     struct fb_load_result *);
int fb_generator_send(struct fb_generator *, uint64_t n, uint64_t rate);

#endif /* fb-generator.h */
