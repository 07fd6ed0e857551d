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

#ifndef FB_ARGUMENT_H
#define FB_ARGUMENT_H 1

/* Arguments of commands. */

#include <ctype.h>
#include <stdbool.h>

#include "util.h"

/* Stores the whole number 's' in '*x'.  Returns false if it is none: blanks
 * before it and signs, which str_to_int() takes, make it none. */
static inline bool
fb_argument_to_int(const char *s, int *x)
{
    return isdigit((unsigned char) *s) && str_to_int(s, 10, x);
}

#endif /* fb-argument.h */
