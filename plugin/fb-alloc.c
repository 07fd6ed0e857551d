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

#include "fb-alloc.h"

#include <stdlib.h>

#include "util.h"

/* Returns 'size' bytes of zeros, or null if there is no memory.  The caller
 * must free() them.  The kernel provides the memory of a large block when it
 * is first touched. */
void *
fb_alloc_zeroed(size_t size)
{
    void *(*alloc)(size_t, size_t) = calloc;

    return alloc(1, size);
}

/* Returns 'size' bytes that begin with a cache line, or null if there is no
 * memory.  The caller must free() them. */
void *
fb_alloc_cacheline(size_t size)
{
    void *memory;

    return posix_memalign(&memory, CACHE_LINE_SIZE, size) ? NULL : memory;
}
