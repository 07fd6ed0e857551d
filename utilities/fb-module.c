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

#include "fb-module.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/module.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "svec.h"
#include "util.h"

/* Is 'path', e.g. "kernel/net/bridge/br_netfilter.ko", a file of module
 * 'name'?  In names of modules "-" and "_" are the same. */
static bool
path_is_module(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    const char *p = slash ? slash + 1 : path;

    for (; *name; p++, name++) {
        if (*p != *name && !(*p == '-' && *name == '_')
            && !(*p == '_' && *name == '-')) {
            return false;
        }
    }
    return !strncmp(p, ".ko", 3);
}

/* Finds the line of module 'name' in 'dir'/modules.dep, of which each line is
 * a module's file, a colon, and the files of all modules that it needs, the
 * first to load last.  Stores the files in 'files', the module's own first.
 * Returns 0 or a positive errno value, ENOENT if the module is not there. */
static int
find_files(const char *dir, const char *name, struct svec *files)
{
    char *file_name = xasprintf("%s/modules.dep", dir);
    FILE *stream = fopen(file_name, "re");
    int error = stream ? ENOENT : errno;
    size_t allocated = 0;
    char *line = NULL;

    free(file_name);
    while (stream && error && getline(&line, &allocated, stream) > 0) {
        char *colon = strchr(line, ':');

        if (colon) {
            *colon = '\0';
            if (path_is_module(line, name)) {
                svec_add(files, line);
                svec_parse_words(files, colon + 1);
                error = 0;
            }
        }
    }
    free(line);
    if (stream) {
        fclose(stream);
    }
    return error;
}

/* Is module 'name' part of the kernel that 'dir' belongs to? */
static bool
is_builtin(const char *dir, const char *name)
{
    char *file_name = xasprintf("%s/modules.builtin", dir);
    FILE *stream = fopen(file_name, "re");
    bool found = false;
    size_t allocated = 0;
    char *line = NULL;

    free(file_name);
    while (stream && !found && getline(&line, &allocated, stream) > 0) {
        found = path_is_module(line, name);
    }
    free(line);
    if (stream) {
        fclose(stream);
    }
    return found;
}

/* Loads the file 'path' below 'dir'.  Returns 0, also if it was loaded, or a
 * positive errno value. */
static int
load_file(const char *dir, const char *path)
{
    char *file_name = xasprintf("%s/%s", dir, path);
    int fd = open(file_name, O_RDONLY | O_CLOEXEC);
    int error = fd < 0 ? errno : 0;

    /* A name that goes on after ".ko" is that of a compressed file. */
    if (!error) {
        const char *suffix = strstr(path, ".ko");
        int flags = suffix && suffix[3] ? MODULE_INIT_COMPRESSED_FILE : 0;

        if (syscall(SYS_finit_module, fd, "", flags) && errno != EEXIST) {
            error = errno;
        }
        close(fd);
    }
    free(file_name);
    return error;
}

/* Appends to 'files' the files of module 'name' of the kernel whose modules
 * are in 'dir', e.g. "/lib/modules/6.1.0", and of all modules that it needs,
 * the first to load last, all below 'dir'; nothing if it is built in.  Returns
 * 0 or a positive errno value, ENOENT if 'dir' does not have it. */
int
fb_module_find(const char *dir, const char *name, struct svec *files)
{
    int error = find_files(dir, name, files);

    return error == ENOENT && is_builtin(dir, name) ? 0 : error;
}

/* Loads module 'name' of the running kernel, and all that it needs, from
 * 'dir', as in fb_module_find().  Needs CAP_SYS_MODULE.  Returns 0, also if
 * the module was loaded before or is built in, or a positive errno value,
 * ENOENT if 'dir' does not have it. */
int
fb_module_load(const char *dir, const char *name)
{
    struct svec files = SVEC_EMPTY_INITIALIZER;
    int error = fb_module_find(dir, name, &files);

    for (size_t i = files.n; !error && i > 0; i--) {
        error = load_file(dir, files.names[i - 1]);
    }
    svec_destroy(&files);
    return error;
}
