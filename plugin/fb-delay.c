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
#include "fanbench-config.h"

#include "fb-delay.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util.h"

bool fb_delay_any__;

/* In milliseconds. */
static int delays[FB_N_DELAYS];

/* Longest delay, in milliseconds: a test has no use for more. */
enum { MAX_DELAY = 10000 };

/* Takes over the delay called 'name' with its argument 'value'.  Others than
 * those known, and bad values, are ignored: nobody reads a log yet. */
static void
set_delay(const char *name, const char *value)
{
    static const char *const names[FB_N_DELAYS] = {
        [FB_DELAY_DUMP] = "dump",
        [FB_DELAY_LOCK] = "lock",
        [FB_DELAY_PUT] = "put",
        [FB_DELAY_REVALIDATION] = "revalidation",
        [FB_DELAY_UPCALL] = "upcall",
    };
    int ms;

    if (!str_to_int(value, 10, &ms) || ms < 1 || ms > MAX_DELAY) {
        return;
    }
    for (size_t i = 0; i < FB_N_DELAYS; i++) {
        if (!strcmp(name, names[i])) {
            delays[i] = ms;
            fb_delay_any__ = true;
        }
    }
}

/* Sets the delays to those in 'spec', "NAME:MS[,NAME:MS]...", which may be
 * null. */
void
fb_delay_init(const char *spec)
{
    char *copy = nullable_xstrdup(spec);
    char *save_ptr = NULL;

    for (char *item = copy ? strtok_r(copy, ",", &save_ptr) : NULL; item;
         item = strtok_r(NULL, ",", &save_ptr)) {
        char *value = strchr(item, ':');

        if (value) {
            *value++ = '\0';
            set_delay(item, value);
        }
    }
    free(copy);
}

/* Sleeps as long as is wanted at 'delay'.  Internal: use fb_delay(). */
void
fb_delay_sleep__(enum fb_delay delay)
{
    struct timespec ts = {
        .tv_sec = delays[delay] / 1000,
        .tv_nsec = delays[delay] % 1000 * 1000000L,
    };

    if (delays[delay]) {
        nanosleep(&ts, NULL);
    }
}
