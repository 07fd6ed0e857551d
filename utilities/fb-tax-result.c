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

#include "fb-tax-result.h"

#include <stdlib.h>

#include "fb-mirror.h"

/* Frees 'taxes', FB_N_MIRRORS of them.  It may be null. */
void
fb_tax_destroy(struct fb_tax *taxes)
{
    for (size_t i = 0; taxes && i < FB_N_MIRRORS; i++) {
        free(taxes[i].pps);
        free(taxes[i].why_not);
    }
    free(taxes);
}
