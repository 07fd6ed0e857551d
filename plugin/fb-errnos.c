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

#include "fb-errnos.h"

#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Appends the errors of 'errnos' to 'ds', as "File exists 3, Invalid argument
 * 1", in the order of their numbers.  Appends nothing if there are none. */
void
fb_errnos_format(const struct fb_errnos *errnos, struct ds *ds)
{
    const char *separator = "";

    for (size_t i = 1; i < FB_N_ERRNOS; i++) {
        if (errnos->n[i]) {
            ds_put_format(ds, "%s%s %u", separator, ovs_strerror(i),
                          errnos->n[i]);
            separator = ", ";
        }
    }
    if (errnos->n[0]) {
        ds_put_format(ds, "%sothers %u", separator, errnos->n[0]);
    }
}
