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

/* User-Mode Linux: the guest whose kernel is an ordinary program, with one
 * CPU. */

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

/* Implements find(). */
static int
uml_find(struct fb_guest_kernel *kernel, char **why)
{
    char *release = NULL;
    char *module = NULL;

    memset(kernel, 0, sizeof *kernel);
    *why = NULL;
    kernel->program = process_search_path(UML_PROGRAM);
    if (!kernel->program) {
        *why = xasprintf("%s is not in PATH; please install the package "
                         "\""UML_PACKAGE"\"", UML_PROGRAM);
    } else if (access(kernel->program, X_OK)
               || (release = get_release()) == NULL) {
        *why = xasprintf("%s cannot be executed", kernel->program);
    } else {
        kernel->modules = xasprintf("%s/%s", UML_MODULES, release);
        module = xasprintf("%s/kernel/net/openvswitch/openvswitch.ko",
                           kernel->modules);
        if (access(module, R_OK)) {
            *why = xasprintf("%s: %s; %s %s needs its modules, please install "
                             "the package \""UML_PACKAGE"\"", module,
                             ovs_strerror(errno), kernel->program, release);
        }
    }
    free(module);
    free(release);
    if (*why) {
        fb_guest_kernel_destroy(kernel);
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
static const char *
get_tmpdir(const char *dir, unsigned int mem_mb)
{
    const char *dirs[] = { "/dev/shm", dir, "/tmp", "/var/tmp" };

    for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
        if (can_hold_memory(dirs[i], mem_mb)) {
            return dirs[i];
        }
    }
    return NULL;
}

/* Implements prepare(). */
static int
uml_prepare(const struct fb_guest_kernel *kernel,
            const struct fb_guest_machine *machine, const char *dir,
            struct svec *argv, struct svec *envp, char **errorp)
{
    const char *tmpdir = get_tmpdir(dir, machine->mem_mb);

    if (!tmpdir) {
        *errorp = xasprintf("there is no folder for the guest's memory: none "
                            "of /dev/shm, %s, /tmp and /var/tmp is mounted "
                            "without \"noexec\" and has %u MiB left",
                            dir, machine->mem_mb);
        return ENOSPC;
    }

    svec_add(argv, kernel->program);
    svec_add_nocopy(argv, xasprintf("mem=%uM", machine->mem_mb));
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
    if (machine->kernel_args) {
        svec_parse_words(argv, machine->kernel_args);
    }
    svec_terminate(argv);

    svec_add_nocopy(envp, xasprintf("TMPDIR=%s", tmpdir));
    svec_add(envp, "PATH=/usr/bin:/bin");
    svec_add_nocopy(envp, xasprintf("HOME=%s", dir));
    svec_terminate(envp);
    return 0;
}

const struct fb_guest_kind fb_guest_uml = {
    .name = "uml",
    .title = "User-Mode Linux",
    .default_cpus = 1,
    .max_cpus = 1,
    .boot_s = 60,
    .slowness = 1,
    .find = uml_find,
    .prepare = uml_prepare,
};
