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

#ifndef FB_OP_ERRORS_H
#define FB_OP_ERRORS_H 1

/* Why datapath operations failed: counts by datapath, operation and errno.
 *
 * The counts only grow for as long as the process lives.  What belongs to a
 * recording is the difference to what they were at its begin.
 *
 * Thread rules: any thread may count and read, without waiting. */

#include "fb-counters.h"
#include "fb-errnos.h"

void fb_op_errors_count(int dp, enum fb_op, int error);
void fb_op_errors_read(int dp, enum fb_op, struct fb_errnos *);

#endif /* fb-op-errors.h */
