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

#include "fb-ovs-programs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dirs.h"
#include "fb-cache.h"
#include "fb-process.h"
#include "openvswitch/dynamic-string.h"
#include "process.h"
#include "svec.h"
#include "util.h"

/* Returns the folder of this program, or NULL.  The caller must free it. */
static char *
program_dir(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0) {
        return NULL;
    }
    path[n] = '\0';
    return dir_name(path);
}

/* Adds our ovs-vswitchd to 'candidates': in the build tree (where libtool puts
 * programs with shared libraries into a folder of their own) and installed. */
static void
add_ours(struct svec *candidates)
{
    char *dir = program_dir();
    if (dir) {
        svec_add_nocopy(candidates,
                        xasprintf("%s/../plugin/ovs-vswitchd", dir));
        svec_add_nocopy(candidates,
                        xasprintf("%s/../../plugin/ovs-vswitchd", dir));
    }
    svec_add(candidates, FANBENCH_PKGLIBEXECDIR "/ovs-vswitchd");
    free(dir);
}

/* Returns the first file in 'candidates' that 'mode' allows (as for access()),
 * or NULL.  The caller must free it.  Destroys 'candidates'. */
static char *
first_file(struct svec *candidates, int mode)
{
    char *found = NULL;
    for (size_t i = 0; i < candidates->n && !found; i++) {
        if (!access(candidates->names[i], mode)) {
            found = xstrdup(candidates->names[i]);
        }
    }
    svec_destroy(candidates);
    return found;
}

/* Finds the ovs-vswitchd to use: ours, which has the probe; else the
 * distribution's. */
static char *
find_vswitchd(void)
{
    struct svec candidates = SVEC_EMPTY_INITIALIZER;

    add_ours(&candidates);
    svec_add(&candidates, "/usr/sbin/ovs-vswitchd");
    svec_add(&candidates, "/usr/local/sbin/ovs-vswitchd");
    return first_file(&candidates, X_OK);
}

/* Finds the database schema for 'vswitchd'. */
static char *
find_schema(const char *vswitchd)
{
    struct svec candidates = SVEC_EMPTY_INITIALIZER;
    char *dir = dir_name(vswitchd);

    svec_add_nocopy(&candidates, xasprintf("%s/vswitch.ovsschema", dir));
    svec_add(&candidates, FANBENCH_PKGDATADIR "/vswitch.ovsschema");
    svec_add_nocopy(&candidates,
                    xasprintf("%s/vswitch.ovsschema", ovs_pkgdatadir()));
    svec_add(&candidates, "/usr/share/openvswitch/vswitch.ovsschema");
    free(dir);
    return first_file(&candidates, R_OK);
}

/* Reads the versions of 'programs->vswitchd'. */
static char *
read_versions(struct fb_ovs_programs *programs)
{
    const char *const argv[] = { programs->vswitchd, "--version", NULL };
    struct ds output = DS_EMPTY_INITIALIZER;

    char *error = fb_process_run(&(struct fb_process_spec) {
        .argv = argv, .netns_fd = -1 }, &output);
    if (!error) {
        const char *text = ds_cstr(&output);
        const char *dpdk = strstr(text, "\nDPDK ");

        programs->version = xmemdup0(text, strcspn(text, "\n"));
        if (dpdk) {
            programs->dpdk = xmemdup0(dpdk + 1, strcspn(dpdk + 1, "\n"));
        }
    }
    ds_destroy(&output);
    return error;
}

/* Finds what else is needed to run 'programs->vswitchd'. */
static char *
complete(struct fb_ovs_programs *programs)
{
    static const char *const tools[] = {
        "ovsdb-tool", "ovsdb-server", "ovs-vsctl", "ovs-ofctl"
    };

    programs->schema = find_schema(programs->vswitchd);
    if (!programs->schema) {
        return xstrdup("vswitch.ovsschema was not found; please install Open "
                       "vSwitch");
    }
    for (size_t i = 0; i < ARRAY_SIZE(tools); i++) {
        char *found = process_search_path(tools[i]);
        if (!found) {
            return xasprintf("%s is not in PATH; please install Open vSwitch",
                             tools[i]);
        }
        free(found);
    }
    return read_versions(programs);
}

/* Finds the programs to run Open vSwitch with: 'vswitchd', or a suitable one
 * if that is null.  The caller must free '*programs' with
 * fb_ovs_programs_destroy(), whatever this function returns. */
char *
fb_ovs_programs_find(const char *vswitchd, struct fb_ovs_programs *programs)
{
    memset(programs, 0, sizeof *programs);
    if (vswitchd) {
        if (access(vswitchd, X_OK)) {
            return xasprintf("%s: cannot be executed (%s)", vswitchd,
                             ovs_strerror(errno));
        }
        programs->vswitchd = xstrdup(vswitchd);
    } else {
        programs->vswitchd = find_vswitchd();
        if (!programs->vswitchd) {
            return xstrdup("ovs-vswitchd was not found; please install Open "
                           "vSwitch or use --vswitchd=PATH");
        }
    }
    return complete(programs);
}

/* Finds the programs to run an Open vSwitch with DPDK with: 'vswitchd' if that
 * is nonnull and built with DPDK; else ours, if it is; else the one that
 * quickstart keeps beside it; else the distribution's.  The caller must free
 * '*programs' with fb_ovs_programs_destroy(), whatever this function
 * returns. */
char *
fb_ovs_programs_find_dpdk(const char *vswitchd,
                          struct fb_ovs_programs *programs)
{
    struct svec candidates = SVEC_EMPTY_INITIALIZER;

    memset(programs, 0, sizeof *programs);
    if (vswitchd) {
        svec_add(&candidates, vswitchd);
    }
    add_ours(&candidates);
    fb_cache_add_dirs("dpdk/ovs-vswitchd-dpdk", &candidates);
    svec_add(&candidates,
             "/usr/lib/openvswitch-switch-dpdk/ovs-vswitchd-dpdk");
    svec_add(&candidates, "/usr/sbin/ovs-vswitchd");
    for (size_t i = 0; i < candidates.n && !programs->dpdk; i++) {
        fb_ovs_programs_destroy(programs);
        if (!access(candidates.names[i], X_OK)) {
            programs->vswitchd = xstrdup(candidates.names[i]);
            /* What cannot even do that has no DPDK. */
            free(read_versions(programs));
        }
    }
    svec_destroy(&candidates);
    if (!programs->dpdk) {
        return xstrdup("no ovs-vswitchd with DPDK was found; please install "
                       "one (Debian: openvswitch-switch-dpdk and "
                       "librte-net-af-packet), or name it by --vswitchd=PATH");
    }
    free(programs->version);
    free(programs->dpdk);
    return complete(programs);
}

/* Frees what 'programs' holds. */
void
fb_ovs_programs_destroy(struct fb_ovs_programs *programs)
{
    free(programs->vswitchd);
    free(programs->schema);
    free(programs->version);
    free(programs->dpdk);
    memset(programs, 0, sizeof *programs);
}
