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

#include "fb-datapath.h"

#include <errno.h>
#include <string.h>

#include "ovs-atomic.h"
#include "util.h"

/* One datapath. */
struct datapath {
    char name[96];              /* "type@name".  Never changes once set. */
    bool present;               /* Is it served now?  Main thread only. */
};

/* All that were ever served.  The first 'n_datapaths' are in use; an entry is
 * complete before the number includes it. */
static struct datapath datapaths[FB_MAX_DATAPATHS];
static atomic_int n_datapaths = 0;

/* Returns the number of datapaths ever known: the valid indexes are those
 * below it. */
int
fb_datapath_count(void)
{
    int n;

    atomic_read_explicit(&n_datapaths, &n, memory_order_acquire);
    return n;
}

/* Returns the index of the datapath called 'name' in full ("type@name"), or
 * -1 if there is none. */
int
fb_datapath_find(const char *name)
{
    int n = fb_datapath_count();

    for (int i = 0; i < n; i++) {
        if (!strcmp(datapaths[i].name, name)) {
            return i;
        }
    }
    return -1;
}

/* Makes the datapath called 'name' ("type@name") known.  Main thread only.
 * Returns its index, or -1 if there are too many or the name is too long. */
int
fb_datapath_add(const char *name)
{
    int dp = fb_datapath_find(name);

    if (dp < 0) {
        dp = fb_datapath_count();
        if (dp >= FB_MAX_DATAPATHS
            || strlen(name) >= sizeof datapaths[dp].name) {
            return -1;
        }
        ovs_strlcpy(datapaths[dp].name, name, sizeof datapaths[dp].name);
        atomic_store_explicit(&n_datapaths, dp + 1, memory_order_release);
    }
    datapaths[dp].present = true;
    return dp;
}

/* Notes that the datapath called 'name' is no longer served.  Its index and
 * what was recorded about it stay.  Main thread only. */
void
fb_datapath_remove(const char *name)
{
    int dp = fb_datapath_find(name);

    if (dp >= 0) {
        datapaths[dp].present = false;
    }
}

/* Finds the datapath that a user calls 'arg': its full name, or what follows
 * the "@" if only one that is served has it.  Main thread only.  Returns 0 and
 * stores its index in '*dpp', ENODEV if none that is served has that name, or
 * ENOTUNIQ if more than one has. */
int
fb_datapath_parse(const char *arg, int *dpp)
{
    int n_found = 0;

    for (int i = 0; i < fb_datapath_count(); i++) {
        const char *at = strchr(datapaths[i].name, '@');

        if (!datapaths[i].present) {
            continue;
        }
        if (!strcmp(datapaths[i].name, arg)) {
            *dpp = i;
            return 0;
        }
        if (at && !strcmp(at + 1, arg)) {
            *dpp = i;
            n_found++;
        }
    }
    return n_found == 1 ? 0 : n_found ? ENOTUNIQ : ENODEV;
}

/* Returns the full name of the datapath with index 'dp'. */
const char *
fb_datapath_name(int dp)
{
    return datapaths[dp].name;
}

/* Says whether ovs-vswitchd serves the datapath with index 'dp' at present.
 * Main thread only. */
bool
fb_datapath_is_present(int dp)
{
    return datapaths[dp].present;
}
