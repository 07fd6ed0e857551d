/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

#include <config.h>

#include "fb-guest-kind.h"

#include <stdlib.h>
#include <string.h>

#include "openvswitch/dynamic-string.h"
#include "util.h"

/* All of them, the one that "--guest" alone means first. */
static const struct fb_guest_kind *const kinds[] = {
    &fb_guest_uml, &fb_guest_qemu,
};

/* Returns kind number 'i' of guest, from 0, or NULL if there are no more. */
const struct fb_guest_kind *
fb_guest_kind_get(size_t i)
{
    return i < ARRAY_SIZE(kinds) ? kinds[i] : NULL;
}

/* Returns the kind of guest called 'name', or NULL if there is none. */
const struct fb_guest_kind *
fb_guest_kind_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
        if (!strcmp(kinds[i]->name, name)) {
            return kinds[i];
        }
    }
    return NULL;
}

/* Returns the names of all kinds for a message, e.g. "uml or qemu".  The
 * caller must free it. */
char *
fb_guest_kind_names(void)
{
    struct ds ds = DS_EMPTY_INITIALIZER;

    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
        ds_put_format(&ds, "%s%s", i ? " or " : "", kinds[i]->name);
    }
    return ds_steal_cstr(&ds);
}

/* Frees what 'kernel' holds. */
void
fb_guest_kernel_destroy(struct fb_guest_kernel *kernel)
{
    free(kernel->program);
    free(kernel->image);
    free(kernel->modules);
    memset(kernel, 0, sizeof *kernel);
}
