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


#ifndef FB_ALLOC_H
#define FB_ALLOC_H 1

/* Memory without risk: unlike OVS's functions, these do not abort the process
 * if there is none. */

#include <stddef.h>

void *fb_alloc_zeroed(size_t);
void *fb_alloc_cacheline(size_t);

#endif /* fb-alloc.h */
