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

#ifndef FB_ERRNOS_H
#define FB_ERRNOS_H 1

/* Counts of errors by their number. */

#include <stddef.h>
#include <stdint.h>

/* Numbers below this are told apart; others count as number 0. */
#define FB_N_ERRNOS 134

struct ds;

/* How often each error occurred. */
struct fb_errnos {
    uint32_t n[FB_N_ERRNOS];    /* Indexed by positive errno. */
};

/* Returns the index at which errors of the number 'error' count. */
static inline size_t
fb_errno_index(int error)
{
    return error > 0 && error < FB_N_ERRNOS ? error : 0;
}

void fb_errnos_format(const struct fb_errnos *, struct ds *);

#endif /* fb-errnos.h */
