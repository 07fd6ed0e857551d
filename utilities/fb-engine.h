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

#ifndef FB_ENGINE_H
#define FB_ENGINE_H 1

/* Engines: what makes and sends frames by itself, as fast as it goes, once it
 * was told to.
 *
 * A backend (fb-backend.h) is handed frames and sends them.  An engine knows
 * what the frames are to be, and nobody touches a single one: so none can be
 * marked, none is due at a time of its own, and which were sent only the
 * counts tell.
 *
 * For the main thread, or for a single other one. */

#include <signal.h>
#include <stdint.h>

#include "compiler.h"

struct fb_engine;
struct fb_load_result;
struct fb_load_source;
struct fb_traffic;

/* A kind of engine. */
struct fb_engine_class {
    const char *module;         /* Kernel module that has it. */

    /* Returns NULL if it can make the frames of the traffic, otherwise a
     * malloc()'d text that names what it cannot: "several frame sizes". */
    char *(*check)(const struct fb_traffic *);

    /* Has an engine get ready to send the frames of 'source' into its
     * interface in the current network namespace, which may be left afterward.
     * Returns 0 and stores the engine, for the caller to close, in '*enginep',
     * or returns an errno. */
    int (*open)(const struct fb_load_source *source,
                struct fb_engine **enginep);
    void (*close)(struct fb_engine *);

    /* Lets it begin.  Returns once it sends, with 0, or with an errno. */
    int (*start)(struct fb_engine *);

    /* Lets an engine that was started send until 'duration_ns' ns after its
     * beginning, or until '*stop' becomes nonzero, and waits for its end.
     * Fills in '*result'.  Returns like fb_load_run(). */
    int (*finish)(struct fb_engine *, uint64_t duration_ns,
                  const volatile sig_atomic_t *stop,
                  struct fb_load_result *result);
};

extern const struct fb_engine_class fb_engine_pktgen;

#endif /* fb-engine.h */
