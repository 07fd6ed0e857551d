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

#include "fb-curve-result.h"

#include <stdlib.h>

#include "fb-trial.h"

/* Frees 'curve'.  It may be null. */
void
fb_curve_destroy(struct fb_curve *curve)
{
    if (curve) {
        for (size_t i = 0; i < curve->n; i++) {
            free(curve->steps[i].trials);
        }
        free(curve);
    }
}
