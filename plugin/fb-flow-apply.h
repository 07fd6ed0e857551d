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


#ifndef FB_FLOW_APPLY_H
#define FB_FLOW_APPLY_H 1

/* What events mean for the records of their flows.
 *
 * Thread rules: any thread; waits for nothing.  Events of one flow are to be
 * applied in their order, with the exception that fb-intake.h tells. */

#include <stddef.h>

struct fb_flow_event;

/* Events to be applied at a time, at most. */
#define FB_FLOW_APPLY_MAX 16

void fb_flow_apply(const struct fb_flow_event *const[], size_t n);

#endif /* fb-flow-apply.h */
