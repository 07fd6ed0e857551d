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

#include "fb-tap-result.h"

#include <stdlib.h>

#include "fb-tap.h"

/* Frees 'results', FB_N_TAP_INPUTS of them.  It may be null. */
void
fb_tap_result_destroy(struct fb_tap_result *results)
{
    for (size_t i = 0; results && i < FB_N_TAP_INPUTS; i++) {
        free(results[i].trials);
    }
    free(results);
}
