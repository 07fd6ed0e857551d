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

#include "fb-preload.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

/* Library of OVS that this was built for.  The file's name has the major and
 * minor version in it. */
#define OVS_LIBRARY FANBENCH_OVS_LIBRARY

/* What is known about the process. */
enum home {
    HOME_UNKNOWN,               /* Not looked at yet. */
    HOME_NO,                    /* Pass calls on. */
    HOME_YES,                   /* The ovs-vswitchd this was built for. */
};

/* Says whether 'name' is that of ovs-vswitchd.  libtool may put "lt-" before
 * it. */
static bool
is_vswitchd(const char *name)
{
    return !strcmp(name, "ovs-vswitchd") || !strcmp(name, "lt-ovs-vswitchd");
}

/* Looks at the process. */
static enum home
look(void)
{
    void *function = dlsym(RTLD_NEXT, "dpif_operate");
    const char *slash;
    Dl_info info;

    if (!is_vswitchd(program_invocation_short_name)) {
        return HOME_NO;
    }
    if (!function || !dladdr(function, &info) || !info.dli_fname) {
        fprintf(stderr, "libfanbench.so: this ovs-vswitchd does not use Open "
                "vSwitch's shared libraries: no fanbench commands\n");
        return HOME_NO;
    }
    slash = strrchr(info.dli_fname, '/');
    if (strcmp(slash ? slash + 1 : info.dli_fname, OVS_LIBRARY)) {
        fprintf(stderr, "libfanbench.so: built for %s, but this ovs-vswitchd "
                "uses %s: no fanbench commands\n", OVS_LIBRARY,
                info.dli_fname);
        return HOME_NO;
    }
    return HOME_YES;
}

/* Says whether this is the ovs-vswitchd that the plugin was built for.  The
 * first call, which the constructor makes, says on standard error why an
 * ovs-vswitchd is not. */
bool
fb_preload_at_home(void)
{
    static enum home home = HOME_UNKNOWN;

    if (home == HOME_UNKNOWN) {
        home = look();
    }
    return home == HOME_YES;
}
