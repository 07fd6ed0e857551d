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

#ifndef FB_PHASE_H
#define FB_PHASE_H 1

/* In which phase of rounds revalidators spent their time.
 *
 * Thread rules: none, there is no state. */

#include "fb-rounds.h"

enum fb_work fb_phase_longest(const struct fb_round_work *);
const char *fb_phase_name(enum fb_work);

#endif /* fb-phase.h */
