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
#include "fb-sizes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "util.h"

/* The "simple IMIX" of 64, 594 and 1,518 bytes with FCS as 7 to 4 to 1, which
 * RFC 6985 has as an example of a mix that must be told in full. */
#define IMIX "60:7,590:4,1514:1"

/* Makes 'sizes' the one 'size'. */
void
fb_sizes_init(struct fb_sizes *sizes, size_t size)
{
    memset(sizes, 0, sizeof *sizes);
    sizes->n = 1;
    sizes->period = 1;
    sizes->classes[0].size = size;
    sizes->classes[0].weight = 1;
}

/* Returns the whole number at '*s', and moves '*s' behind it; or returns -1 if
 * there is none. */
static long int
take_number(const char **s)
{
    char *end;

    if (**s < '0' || **s > '9') {
        return -1;
    }
    errno = 0;
    long int x = strtol(*s, &end, 10);
    *s = end;
    return errno ? -1 : x;
}

/* Adds the class that begins at '*s' to 'sizes', and moves '*s' behind it.
 * Otherwise like fb_sizes_parse(). */
static char *
parse_class(const char **s, size_t min, size_t max, struct fb_sizes *sizes)
{
    long int size = take_number(s);
    long int weight = 1;

    if (size >= 0 && **s == ':') {
        *s += 1;
        weight = take_number(s);
    }
    if (size < 0 || weight < 0 || (**s && **s != ',')) {
        return xstrdup("not a size, \"imix\" or a list like 64:7,1514:1");
    } else if (size < min || size > max) {
        return xasprintf("%ld is not between %"PRIuSIZE" and %"PRIuSIZE,
                         size, min, max);
    } else if (!weight || weight + sizes->period > FB_SIZES_MAX_PERIOD) {
        return xasprintf("weights must be positive and their sum at most %d",
                         FB_SIZES_MAX_PERIOD);
    } else if (sizes->n >= FB_SIZES_MAX) {
        return xasprintf("more than %d sizes", FB_SIZES_MAX);
    }
    sizes->classes[sizes->n].size = size;
    sizes->classes[sizes->n].weight = weight;
    sizes->n++;
    sizes->period += weight;
    return NULL;
}

/* Parses 's', "imix", a size, or sizes with weights such as "64:7,1514:1",
 * each size between 'min' and 'max', into '*sizes'.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_sizes_parse(const char *s, size_t min, size_t max, struct fb_sizes *sizes)
{
    memset(sizes, 0, sizeof *sizes);
    if (!strcmp(s, "imix")) {
        s = IMIX;
    }
    for (;;) {
        char *error = parse_class(&s, min, max, sizes);
        if (error || !*s) {
            return error;
        }
        s++;
    }
}

/* Fills in 'schedule', of 'sizes->period' elements, with the number of the
 * class of each frame.  Each class is spread as evenly as it can be: always
 * the one comes next that is furthest behind its share. */
void
fb_sizes_schedule(const struct fb_sizes *sizes, uint8_t *schedule)
{
    int ahead[FB_SIZES_MAX] = { 0 };

    for (size_t i = 0; i < sizes->period; i++) {
        size_t best = 0;
        for (size_t j = 0; j < sizes->n; j++) {
            ahead[j] += sizes->classes[j].weight;
            if (ahead[j] > ahead[best]) {
                best = j;
            }
        }
        ahead[best] -= sizes->period;
        schedule[i] = best;
    }
}

/* Returns the mean frame size, in bytes. */
double
fb_sizes_mean(const struct fb_sizes *sizes)
{
    double sum = 0;
    for (size_t i = 0; i < sizes->n; i++) {
        sum += (double) sizes->classes[i].size * sizes->classes[i].weight;
    }
    return sum / sizes->period;
}

/* Appends 'sizes' to 'ds' in the form that fb_sizes_parse() reads. */
void
fb_sizes_format(const struct fb_sizes *sizes, struct ds *ds)
{
    for (size_t i = 0; i < sizes->n; i++) {
        ds_put_format(ds, "%s%"PRIu16, i ? "," : "", sizes->classes[i].size);
        if (sizes->n > 1) {
            ds_put_format(ds, ":%"PRIu16, sizes->classes[i].weight);
        }
    }
}

/* Returns 'sizes' as JSON: an array of pairs of size and weight. */
struct json *
fb_sizes_to_json(const struct fb_sizes *sizes)
{
    struct json *json = json_array_create_empty();
    for (size_t i = 0; i < sizes->n; i++) {
        json_array_add(json, json_array_create_2(
                           json_integer_create(sizes->classes[i].size),
                           json_integer_create(sizes->classes[i].weight)));
    }
    return json;
}
