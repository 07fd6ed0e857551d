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

#include "fb-guest-kernel.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "fb-guest-spec.h"
#include "process.h"
#include "svec.h"
#include "util.h"

/* The guest's kernel, and where Debian's package puts its modules. */
#define UML_PROGRAM "linux.uml"
#define UML_MODULES "/usr/lib/uml/modules"
#define UML_PACKAGE "user-mode-linux"

/* Returns the release of the kernel UML_PROGRAM, or NULL if it cannot be
 * run.  The caller frees it. */
static char *
get_release(void)
{
    FILE *stream = popen(UML_PROGRAM " --version 2>/dev/null", "re");
    char release[128];
    char *retval = NULL;

    if (stream) {
        if (fscanf(stream, "%127s", release) == 1) {
            retval = xstrdup(release);
        }
        if (pclose(stream)) {
            free(retval);
            retval = NULL;
        }
    }
    return retval;
}

/* Is there what a guest needs?  If so, returns 0 and stores the file name of
 * the kernel in '*kernel' and the name of the folder of its modules in
 * '*modules'.  If not, returns a positive errno value and stores in '*why'
 * what is missing and what to do.  The caller frees the strings; those that
 * were not stored are NULL. */
int
fb_guest_find(char **kernel, char **modules, char **why)
{
    char *release = NULL;
    char *module = NULL;

    *modules = *why = NULL;
    *kernel = process_search_path(UML_PROGRAM);
    if (!*kernel) {
        *why = xasprintf("%s is not in PATH; please install the package "
                         "\""UML_PACKAGE"\"", UML_PROGRAM);
    } else if (access(*kernel, X_OK)
               || (release = get_release()) == NULL) {
        *why = xasprintf("%s cannot be executed", *kernel);
    } else {
        *modules = xasprintf("%s/%s", UML_MODULES, release);
        module = xasprintf("%s/kernel/net/openvswitch/openvswitch.ko",
                           *modules);
        if (access(module, R_OK)) {
            *why = xasprintf("%s: %s; %s %s needs its modules, please install "
                             "the package \""UML_PACKAGE"\"", module,
                             ovs_strerror(errno), *kernel, release);
        }
    }
    free(module);
    free(release);
    if (*why) {
        free(*kernel);
        free(*modules);
        *kernel = *modules = NULL;
        return ENOENT;
    }
    return 0;
}

/* Can a file of 'mem_mb' MiB be made and executed in 'dir'?  The guest's
 * memory is a file. */
static bool
can_hold_memory(const char *dir, unsigned int mem_mb)
{
    struct statvfs s;

    return !access(dir, W_OK | X_OK) && !statvfs(dir, &s)
           && !(s.f_flag & ST_NOEXEC)
           && (unsigned long long) s.f_bavail * s.f_frsize >> 20 >= mem_mb;
}

/* Returns a folder that can hold the memory, 'mem_mb' MiB, of a guest whose
 * own folder is 'dir', or NULL if there is none.  A folder in memory is
 * faster; but containers often have a small one only. */
const char *
fb_guest_kernel_tmpdir(const char *dir, unsigned int mem_mb)
{
    const char *dirs[] = { "/dev/shm", dir, "/tmp", "/var/tmp" };

    for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
        if (can_hold_memory(dirs[i], mem_mb)) {
            return dirs[i];
        }
    }
    return NULL;
}

/* Appends to 'argv' the command line, and to 'envp' the environment, that
 * make 'kernel' boot with 'mem_mb' MiB of memory below 'tmpdir', on the host's
 * files, with the program, the files and the Unix socket of the guest in
 * 'dir', which has no white space in its name.  Terminates both with NULL. */
void
fb_guest_kernel_compose(const char *kernel, const char *dir,
                        const char *tmpdir, unsigned int mem_mb,
                        struct svec *argv, struct svec *envp)
{
    svec_add(argv, kernel);
    svec_add_nocopy(argv, xasprintf("mem=%uM", mem_mb));
    svec_add(argv, "root=/dev/root");
    svec_add(argv, "rootfstype=hostfs");
    svec_add(argv, "rootflags=/");
    svec_add(argv, "rw");
    svec_add_nocopy(argv, xasprintf("init=%s/%s", dir, FB_GUEST_INIT));
    svec_add_nocopy(argv, xasprintf("%s=%s", FB_GUEST_VARIABLE, dir));

    /* The program may be in the host's /dev/shm: its init mounts /dev. */
    svec_add(argv, "devtmpfs.mount=0");

    /* Its console is its stdout, and nothing else has a terminal. */
    svec_add(argv, "con0=null,fd:1");
    svec_add(argv, "con=null");
    svec_add(argv, "ssl=null");

    /* Not in the user's home.  If this name is too long for a Unix socket, the
     * kernel goes on without one, and a folder in what it takes for HOME. */
    svec_add_nocopy(argv, xasprintf("uml_dir=%s/", dir));
    svec_add(argv, "umid=uml");

    /* A panic ends the guest. */
    svec_add(argv, "noreboot");
    svec_add(argv, "panic=-1");
    svec_terminate(argv);

    svec_add_nocopy(envp, xasprintf("TMPDIR=%s", tmpdir));
    svec_add(envp, "PATH=/usr/bin:/bin");
    svec_add_nocopy(envp, xasprintf("HOME=%s", dir));
    svec_terminate(envp);
}
