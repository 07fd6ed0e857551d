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

#ifndef FB_IGNORE_H
#define FB_IGNORE_H 1

/* The result of a function whose failure does not matter.  (OVS has such a
 * function, too, but not under the same name in all versions.) */

#include <stdbool.h>
#include "openvswitch/compiler.h"

/* Does nothing with 'result'.  Any thread. */
static inline void
fb_ignore(bool result OVS_UNUSED)
{
}

#endif /* fb-ignore.h */
