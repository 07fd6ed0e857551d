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

#include "fb-op-errors.h"

#include "fb-datapath.h"
#include "ovs-atomic.h"

/* Errors are rare, so that all threads share the counts. */
static atomic_uint32_t counts[FB_MAX_DATAPATHS][FB_N_OPS][FB_N_ERRNOS];

/* Counts that operation 'op' on datapath 'dp' failed with 'error', a positive
 * errno. */
void
fb_op_errors_count(int dp, enum fb_op op, int error)
{
    uint32_t orig;

    atomic_add_relaxed(&counts[dp][op][fb_errno_index(error)], 1, &orig);
}

/* Stores in 'errnos' how often operation 'op' on datapath 'dp' has failed
 * while it was being recorded since the process started. */
void
fb_op_errors_read(int dp, enum fb_op op, struct fb_errnos *errnos)
{
    for (size_t i = 0; i < FB_N_ERRNOS; i++) {
        atomic_read_relaxed(&counts[dp][op][i], &errnos->n[i]);
    }
}
