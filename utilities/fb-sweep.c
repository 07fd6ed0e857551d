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

#include "fb-sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fb-result.h"
#include "fb-rng.h"
#include "util.h"

/* What can be swept. */
static const struct {
    const char *name;           /* As in --sweep; NULL for none. */
    const char *unit;           /* Of a value, in the singular. */
} names[] = {
    [FB_SWEEP_NONE] = { NULL, NULL },
    [FB_SWEEP_FRAME_SIZE] = { "frame-size", "byte" },
    [FB_SWEEP_DESTINATIONS] = { "destinations", "port" },
    [FB_SWEEP_FLOWS] = { "flows", "flow" },
};

/* Parses the values in 's', with commas between them, which it changes.
 * Returns NULL if successful, otherwise a malloc()'d error message. */
static char *
parse_values(char *s, struct fb_sweep *sweep)
{
    char *save_ptr = NULL;

    for (char *token = strtok_r(s, ",", &save_ptr); token;
         token = strtok_r(NULL, ",", &save_ptr)) {
        char *end;

        errno = 0;
        unsigned long int value = strtoul(token, &end, 10);
        if (errno || *end || *token < '0' || *token > '9') {
            return xasprintf("%s: not a whole number", token);
        } else if (sweep->n && value <= sweep->values[sweep->n - 1]) {
            return xasprintf("%s: values must ascend", token);
        } else if (sweep->n >= FB_SWEEP_MAX) {
            return xasprintf("more than %d values", FB_SWEEP_MAX);
        }
        sweep->values[sweep->n++] = value;
    }
    return (sweep->n >= 2 ? NULL
            : xstrdup("needs at least two values, e.g. frame-size:64,1024"));
}

/* Parses 's', for example "frame-size:64,256,1024", into '*sweep'.  Whether
 * the values make sense is not checked.  Returns NULL if successful, otherwise
 * a malloc()'d error message. */
char *
fb_sweep_parse(const char *s, struct fb_sweep *sweep)
{
    size_t len = strcspn(s, ":");

    memset(sweep, 0, sizeof *sweep);
    for (size_t i = 1; i < ARRAY_SIZE(names); i++) {
        if (strlen(names[i].name) == len && !memcmp(names[i].name, s, len)) {
            sweep->what = i;
        }
    }
    if (!sweep->what) {
        return xstrdup("must be frame-size, destinations or flows, a colon, "
                       "and values");
    }

    char *copy = xstrdup(s[len] ? s + len + 1 : "");
    char *error = parse_values(copy, sweep);

    free(copy);
    return error;
}

/* Returns the name of what 'sweep' changes, NULL if it changes nothing. */
const char *
fb_sweep_name(const struct fb_sweep *sweep)
{
    return names[sweep->what].name;
}

/* Returns the unit of the values of 'sweep', in the singular. */
const char *
fb_sweep_unit(const struct fb_sweep *sweep)
{
    return names[sweep->what].unit;
}

/* Returns the value that build number 'build', from 0, has in 'sweep'.  The
 * same 'seed' gives the same order. */
double
fb_sweep_value(const struct fb_sweep *sweep, uint64_t seed,
               unsigned int build)
{
    size_t order[FB_SWEEP_MAX];
    struct fb_rng rng;

    for (size_t i = 0; i < sweep->n; i++) {
        order[i] = i;
    }
    fb_rng_init(&rng, seed + build / sweep->n);
    fb_rng_shuffle(&rng, order, sweep->n);
    return sweep->values[order[build % sweep->n]];
}

/* Gives what 'sweep' changes the value 'value' in 'p'. */
void
fb_sweep_set(const struct fb_sweep *sweep, double value,
             struct fb_parameters *p)
{
    switch (sweep->what) {
    case FB_SWEEP_NONE:
        break;
    case FB_SWEEP_FRAME_SIZE:
        p->frame_size = value;
        break;
    case FB_SWEEP_DESTINATIONS:
        p->n_destinations = value;
        break;
    case FB_SWEEP_FLOWS:
        p->traffic.n_flows = value;
        break;
    }
}
