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

#ifndef FB_GCD_H
#define FB_GCD_H 1

#include <stdint.h>

/* Returns the greatest common divisor of 'a' and 'b', of which at least one is
 * positive.  Pure. */
static inline uint64_t
fb_gcd(uint64_t a, uint64_t b)
{
    while (a) {
        uint64_t rest = b % a;

        b = a;
        a = rest;
    }
    return b;
}

#endif /* fb-gcd.h */
