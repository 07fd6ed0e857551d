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

#include "fb-module-loan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "fb-guest-init.h"
#include "fb-module.h"
#include "svec.h"
#include "util.h"

/* The modules that a run has loaded, in its folder, one a line; or that it
 * uses, and another has loaded. */
#define JOURNAL "modules"

/* Is the module 'name' loaded, or built in? */
static bool
is_there(const char *name)
{
    char *path = xasprintf("/sys/module/%s", name);
    bool there = !access(path, F_OK);

    free(path);
    return there;
}

/* Adds the lines of the journal 'path' to 'names'.  Returns true if there is
 * one. */
static bool
read_journal(const char *path, struct svec *names)
{
    FILE *stream = fopen(path, "re");
    char *line = NULL;
    size_t allocated = 0;

    while (stream && getline(&line, &allocated, stream) > 0) {
        line[strcspn(line, "\n")] = '\0';
        svec_add(names, line);
    }
    free(line);
    if (stream) {
        fclose(stream);
    }
    return stream != NULL;
}

/* Has another run than that in 'rundir', a folder beside theirs, the module
 * 'name' on loan? */
static bool
others_have(const char *rundir, const char *name)
{
    char *base = dir_name(rundir);
    char *pattern = xasprintf("%s/run-*/"JOURNAL, base);
    char *own = xasprintf("%s/"JOURNAL, rundir);
    struct svec names = SVEC_EMPTY_INITIALIZER;
    glob_t found;

    if (!glob(pattern, 0, NULL, &found)) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            if (strcmp(found.gl_pathv[i], own)) {
                read_journal(found.gl_pathv[i], &names);
            }
        }
        globfree(&found);
    }
    bool have = svec_contains_unsorted(&names, name);
    svec_destroy(&names);
    free(own);
    free(pattern);
    free(base);
    return have;
}

/* Writes down in 'rundir' that the run uses module 'name'.  Returns 0 or a
 * positive errno. */
static int
write_down(const char *rundir, const char *name)
{
    char *path = xasprintf("%s/"JOURNAL, rundir);
    char *line = xasprintf("%s\n", name);
    size_t len = strlen(line);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    int error = fd < 0 || write(fd, line, len) != len ? errno : 0;

    if (fd >= 0) {
        close(fd);
    }
    free(line);
    free(path);
    return error;
}

/* Loads module 'name' of this kernel.  Returns 0 or a positive errno. */
static int
load(const char *name)
{
    struct utsname u;

    if (uname(&u)) {
        return errno;
    }
    char *dir = xasprintf("/lib/modules/%s", u.release);
    int error = fb_module_load(dir, name);

    free(dir);
    return error;
}

/* Makes sure that the module 'name', whose functions are for the run in
 * 'rundir', is loaded.  If it is not it is loaded for the time of the run if
 * 'may_load', or if this is a guest, whose kernel ends with it.
 *
 * Returns NULL if the module is there, otherwise a malloc()'d error
 * message. */
char *
fb_module_loan_begin(const char *rundir, const char *name, bool may_load)
{
    bool there = is_there(name);
    int error = 0;

    if (there && (fb_guest_is_inside() || !others_have(rundir, name))) {
        return NULL;
    } else if (fb_guest_is_inside()) {
        error = fb_guest_load_module(name);
    } else if (!there && !may_load) {
        return xasprintf("the kernel module %s is not loaded", name);
    } else {
        error = write_down(rundir, name);
        if (!error && !there) {
            error = load(name);
        }
    }
    return (error == ENOENT
            ? xasprintf("this kernel has no module %s", name)
            : error ? xasprintf("the kernel module %s cannot be loaded (%s)",
                                name, ovs_strerror(error))
            : NULL);
}

/* Has somebody given pktgen a device in this network namespace?  That is no
 * use that the kernel counts. */
static bool
pktgen_has_devices(void)
{
    DIR *dir = opendir("/proc/thread-self/net/pktgen");
    struct dirent *entry;
    bool found = false;

    while (dir && (entry = readdir(dir)) != NULL) {
        found |= (entry->d_name[0] != '.' && strcmp(entry->d_name, "pgctrl")
                  && strncmp(entry->d_name, "kpktgend_", 9));
    }
    if (dir) {
        closedir(dir);
    }
    return found;
}

/* Removes the module 'name'.  Returns false if it should have gone and has
 * not. */
static bool
unload(const char *name)
{
    if (!is_there(name)
        || (!strcmp(name, "pktgen") && pktgen_has_devices())) {
        return true;
    }
    /* One that is in use is somebody else's by now. */
    return (!syscall(SYS_delete_module, name, O_NONBLOCK)
            || errno == EAGAIN || errno == EBUSY || errno == ENOENT);
}

/* Removes the modules that were loaded for the run in 'rundir', but for those
 * that another run uses, or anybody else.  Returns how many should have gone
 * and have not. */
size_t
fb_module_loan_end(const char *rundir)
{
    char *path = xasprintf("%s/"JOURNAL, rundir);
    struct svec names = SVEC_EMPTY_INITIALIZER;
    size_t n_failed = 0;

    if (read_journal(path, &names)) {
        for (size_t i = 0; i < names.n; i++) {
            n_failed += (!others_have(rundir, names.names[i])
                         && !unload(names.names[i]));
        }
        if (!n_failed) {
            unlink(path);
        }
    }
    svec_destroy(&names);
    free(path);
    return n_failed;
}
