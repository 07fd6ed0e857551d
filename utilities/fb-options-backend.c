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

#include "fb-options-backend.h"

#include <string.h>

#include "fb-backend.h"
#include "fb-engine.h"
#include "fb-grid.h"
#include "fb-options.h"
#include "fb-result.h"
#include "util.h"

/* Returns the name of the backend that 'options' ask for, or NULL for the
 * best. */
const char *
fb_options_backend(const struct fb_options *options)
{
    return (options->backend && strcmp(options->backend, "auto")
            ? options->backend : NULL);
}

/* Returns the error message for a load of 'p' if 'engine' cannot make its
 * frames, otherwise NULL.  The caller must free it. */
static char *
check_frames(const struct fb_engine_class *engine,
             const struct fb_parameters *p)
{
    struct fb_traffic traffic = fb_result_traffic(p);

    return engine->check(&traffic);
}

/* Returns why 'engine' cannot send the load of 'p', or NULL if it can.  The
 * caller must free it. */
static char *
check_engine(const struct fb_engine_class *engine,
             const struct fb_parameters *p)
{
    if (fb_result_is_paced(p)) {
        return xstrdup("sends as fast as it goes, at no rate that somebody "
                       "chooses");
    } else if (p->latency_rate) {
        return xstrdup("marks no packets (use --no-latency)");
    } else if (p->n_threads > 1) {
        return xstrdup("sends by one thread (use --threads=1)");
    }
    char *cannot = check_frames(engine, p);
    for (size_t i = 0; !cannot && i < fb_grid_size(p); i++) {
        struct fb_parameters point = *p;

        fb_grid_set(&point, i);
        cannot = check_frames(engine, &point);
    }
    if (cannot) {
        char *why = xasprintf("does not do %s", cannot);
        free(cannot);
        return why;
    }
    return NULL;
}

/* Exits with an error message if the backend that 'options' ask for is none,
 * or cannot send the load of 'p', which is complete. */
void
fb_options_check_backend(const struct fb_options *options,
                         const struct fb_parameters *p)
{
    const char *name = fb_options_backend(options);
    const struct fb_backend *backend = name ? fb_backend_find(name) : NULL;

    if (name && !backend) {
        ovs_fatal(0, "--backend=%s: no such backend (use auto, sendmmsg, "
                  "ring, xdp or pktgen)", name);
    } else if (backend && backend->engine) {
        char *why = check_engine(backend->engine, p);
        if (why) {
            ovs_fatal(0, "--backend=%s: %s", name, why);
        }
    }
}
