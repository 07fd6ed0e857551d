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

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fb-dut.h"
#include "fb-masks.h"
#include "fb-packet.h"
#include "fb-rng.h"
#include "fb-traffic.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* What can be swept. */
static const struct {
    const char *name;           /* As in --sweep; NULL for none. */
    const char *unit;           /* What costs, in the singular. */
    double min, max;            /* Values. */
} kinds[] = {
    [FB_SWEEP_NONE] = { NULL, NULL, 0, 0 },
    [FB_SWEEP_FRAME_SIZE] = { "frame-size", "byte", FB_PACKET_MIN_SIZE,
                              FB_MAX_FRAME_SIZE },
    [FB_SWEEP_DESTINATIONS] = { "destinations", "port", 1,
                                FB_MAX_DESTINATIONS },
    [FB_SWEEP_FLOWS] = { "flows", "flow", 1, FB_MAX_FLOWS },
    [FB_SWEEP_MASKS] = { "masks", "mask", 1, FB_MASKS_MAX },
    [FB_SWEEP_FLOW_PACKETS] = { "flow-packets", "miss", 1, 1e6 },
    [FB_SWEEP_COPIES] = { "copies", "copy", 1, FB_MAX_DESTINATIONS },
};

/* Adds 'value', which 'token' has, to 'sweep'.  Returns NULL if successful,
 * otherwise a malloc()'d error message. */
static char *
add_value(double value, const char *token, struct fb_sweep *sweep)
{
    if (sweep->n && value <= sweep->values[sweep->n - 1]) {
        return xasprintf("%s: values must ascend", token);
    } else if (sweep->n >= FB_SWEEP_MAX) {
        return xasprintf("more than %d values", FB_SWEEP_MAX);
    }
    sweep->values[sweep->n++] = value;
    return NULL;
}

/* Parses 'token', a value or a range of them, in which each is the double of
 * the one before, but for the last.  Returns NULL if successful, otherwise a
 * malloc()'d error message. */
static char *
parse_token(const char *token, struct fb_sweep *sweep)
{
    unsigned long int first, last;
    char *error = NULL;
    char *end;

    errno = 0;
    first = last = strtoul(token, &end, 10);
    if (end != token && !strncmp(end, "..", 2) && isdigit((uint8_t) end[2])) {
        last = strtoul(end + 2, &end, 10);
        if (!first || last <= first) {
            return xasprintf("%s: values must ascend, from 1 or more", token);
        }
    }
    if (errno || *end || !isdigit((uint8_t) *token)) {
        return xasprintf("%s: not a whole number", token);
    }
    for (double x = first; x < last && !error; x *= 2) {
        error = add_value(x, token, sweep);
    }
    return error ? error : add_value(last, token, sweep);
}

/* Parses the values in 's', with commas between them, which it changes.
 * Returns NULL if successful, otherwise a malloc()'d error message. */
static char *
parse_values(char *s, struct fb_sweep *sweep)
{
    char *save_ptr = NULL;

    for (char *token = strtok_r(s, ",", &save_ptr); token;
         token = strtok_r(NULL, ",", &save_ptr)) {
        char *error = parse_token(token, sweep);
        if (error) {
            return error;
        }
    }
    return (sweep->n >= 2 ? NULL
            : xstrdup("needs at least two values, e.g. frame-size:64,1024"));
}

/* Returns an error message that says what can be swept. */
static char *
no_such_sweep(void)
{
    struct ds ds = DS_EMPTY_INITIALIZER;

    ds_put_cstr(&ds, "must be ");
    for (size_t i = 1; i < ARRAY_SIZE(kinds); i++) {
        ds_put_format(&ds, "%s%s", i == 1 ? ""
                      : i + 1 == ARRAY_SIZE(kinds) ? " or " : ", ",
                      kinds[i].name);
    }
    ds_put_cstr(&ds, ", a colon, and values");
    return ds_steal_cstr(&ds);
}

/* Parses 's', for example "frame-size:64,256,1024" or "masks:1..256", into
 * '*sweep'.  Whether the values make sense is not checked.  Returns NULL if
 * successful, otherwise a malloc()'d error message. */
char *
fb_sweep_parse(const char *s, struct fb_sweep *sweep)
{
    size_t len = strcspn(s, ":");

    memset(sweep, 0, sizeof *sweep);
    for (size_t i = 1; i < ARRAY_SIZE(kinds); i++) {
        if (strlen(kinds[i].name) == len && !memcmp(kinds[i].name, s, len)) {
            sweep->what = i;
        }
    }
    if (!sweep->what) {
        return no_such_sweep();
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
    return kinds[sweep->what].name;
}

/* Returns the unit that fb_sweep_units() counts, in the singular. */
const char *
fb_sweep_unit(const struct fb_sweep *sweep)
{
    return kinds[sweep->what].unit;
}

/* Stores in '*min' and '*max' between which the values of 'sweep' must lie. */
void
fb_sweep_limits(const struct fb_sweep *sweep, double *min, double *max)
{
    *min = kinds[sweep->what].min;
    *max = kinds[sweep->what].max;
}

/* Returns how many of the units that cost something a packet has at 'value' of
 * 'sweep'.  Of a flow's packets the first is a miss. */
double
fb_sweep_units(const struct fb_sweep *sweep, double value)
{
    return sweep->what == FB_SWEEP_FLOW_PACKETS ? 1 / value : value;
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
