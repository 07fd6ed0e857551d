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

#include "fb-cache.h"

#include <stdlib.h>
#include <unistd.h>

#include "svec.h"
#include "util.h"

/* Where quickstart keeps things when it runs as root. */
#define CACHE_DIR "/var/cache/ovs-fanbench"

/* Appends to 'dirs' the names under which quickstart's cache may have 'name':
 * in OVS_FANBENCH_CACHE if that is set, else in root's cache and in the
 * user's. */
void
fb_cache_add_dirs(const char *name, struct svec *dirs)
{
    const char *cache = getenv("OVS_FANBENCH_CACHE");
    const char *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");

    if (cache && cache[0]) {
        svec_add_nocopy(dirs, xasprintf("%s/%s", cache, name));
        return;
    }
    svec_add_nocopy(dirs, xasprintf("%s/%s", CACHE_DIR, name));
    if (!geteuid()) {
        return;
    } else if (xdg && xdg[0]) {
        svec_add_nocopy(dirs, xasprintf("%s/ovs-fanbench/%s", xdg, name));
    } else if (home && home[0]) {
        svec_add_nocopy(dirs, xasprintf("%s/.cache/ovs-fanbench/%s", home,
                                        name));
    }
}
