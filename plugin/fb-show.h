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

#ifndef FB_SHOW_H
#define FB_SHOW_H 1

/* Small helpers of what renders figures as text or JSON. */

#include <stdint.h>
#include "fb-clock.h"
#include "openvswitch/json.h"

/* Returns 'ticks' in milliseconds. */
static inline double
fb_show_ms(uint64_t ticks)
{
    return fb_clock_to_ns(ticks) / 1e6;
}

/* Returns 'a' / 'b', or 0 if 'b' is 0. */
static inline double
fb_show_ratio(double a, double b)
{
    return b ? a / b : 0;
}

/* Adds 'n' to 'object' as member 'name'. */
static inline void
fb_show_put(struct json *object, const char *name, uint64_t n)
{
    json_object_put(object, name, json_integer_create(n));
}

/* Adds 'ticks' to 'object' as member 'name', in nanoseconds. */
static inline void
fb_show_put_time(struct json *object, const char *name, uint64_t ticks)
{
    fb_show_put(object, name, fb_clock_to_ns(ticks));
}

#endif /* fb-show.h */
