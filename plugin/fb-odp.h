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

#ifndef FB_ODP_H
#define FB_ODP_H 1

/* Functions of OVS whose arguments depend on its version.  To be included
 * after "fanbench-config.h". */

#include <stdbool.h>
#include <stddef.h>
#include "odp-util.h"

/* Appends to 'ds', in OVS's syntax, the flow whose key is the 'key_len' bytes
 * of attributes 'key', with the mask 'mask', of 'mask_len' bytes.  Fields
 * without a mask are exact.  Any thread. */
static inline void
fb_odp_flow_format(const struct nlattr *key, size_t key_len,
                   const struct nlattr *mask, size_t mask_len, struct ds *ds)
{
#if FANBENCH_HAVE_ODP_FLOW_FORMAT_SKIP_NO_MASK
    odp_flow_format(key, key_len, mask, mask_len, NULL, ds, false, false);
#else
    odp_flow_format(key, key_len, mask, mask_len, NULL, ds, false);
#endif
}

#endif /* fb-odp.h */
