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
#include "fb-backend.h"

#include <errno.h>
#include <string.h>

#include "fb-load.h"
#include "util.h"

/* All of them.  Between equals the first is taken. */
static const struct fb_backend *const backends[] = {
    &fb_backend_sendmmsg,
    &fb_backend_ring,
    &fb_backend_xdp,
    &fb_backend_pktgen,
};

/* Returns all backends and stores their number in '*n'. */
const struct fb_backend *const *
fb_backends(size_t *n)
{
    *n = ARRAY_SIZE(backends);
    return backends;
}

/* Returns the backend called 'name', or NULL. */
const struct fb_backend *
fb_backend_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(backends); i++) {
        if (!strcmp(backends[i]->name, name)) {
            return backends[i];
        }
    }
    return NULL;
}

/* Counts in 'result' that the kernel refused a frame with 'error'.  Returns 0
 * if the next frame may fare better, otherwise 'error'. */
int
fb_backend_count_refused(struct fb_load_result *result, int error)
{
    result->refused++;
    switch (error) {
    case ENOBUFS:
        result->refused_enobufs++;
        return 0;
    case EAGAIN:
        result->refused_eagain++;
        return 0;
    case ENOMEM:
        result->refused_other++;
        return 0;
    default:
        result->refused_other++;
        return error;
    }
}
