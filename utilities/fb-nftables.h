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

#ifndef FB_NFTABLES_H
#define FB_NFTABLES_H 1

/* What there is of netfilter's rules in this network namespace.  Any
 * thread. */

#include <stddef.h>

#include "compiler.h"

char *fb_nftables_count(size_t *n) OVS_WARN_UNUSED_RESULT;

#endif /* fb-nftables.h */
