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

#include "fb-hostfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Most of a file that is read: files in /proc have no size to go by. */
#define MAX_SIZE (16 * 1024 * 1024)

/* Returns the name under which to open 'name'.  The caller must free() it. */
char *
fb_hostfile_name(const char *name)
{
    const char *root = getenv("OVS_FANBENCH_DOCTOR_ROOT");
    return xasprintf("%s%s", root ? root : "", name);
}

/* Returns what is in the file 'name', which the caller must free(), or NULL
 * with errno set if it cannot be read. */
char *
fb_hostfile_read(const char *name)
{
    char *path = fb_hostfile_name(name);
    struct ds ds = DS_EMPTY_INITIALIZER;
    char buffer[4096];
    size_t n;

    FILE *file = fopen(path, "re");
    free(path);
    if (!file) {
        return NULL;
    }
    errno = 0;
    while (ds.length < MAX_SIZE
           && (n = fread(buffer, 1, sizeof buffer, file)) > 0) {
        ds_put_buffer(&ds, buffer, n);
    }
    int error = ferror(file) ? (errno ? errno : EIO) : 0;
    fclose(file);
    if (error) {
        ds_destroy(&ds);
        errno = error;
        return NULL;
    }
    return ds_steal_cstr(&ds);
}

/* Returns the first line of the file 'name' without its end, which the caller
 * must free(), or NULL with errno set if it cannot be read. */
char *
fb_hostfile_read_line(const char *name)
{
    char *text = fb_hostfile_read(name);
    if (text) {
        text[strcspn(text, "\n")] = '\0';
    }
    return text;
}

/* Stores the number that the file 'name' begins with in '*number'.  Returns
 * false with errno set if there is none. */
bool
fb_hostfile_read_number(const char *name, long long int *number)
{
    char *text = fb_hostfile_read(name);
    char *end;

    *number = 0;
    if (!text) {
        return false;
    }
    errno = 0;
    *number = strtoll(text, &end, 10);
    if (end == text) {
        errno = EINVAL;
    }
    free(text);
    return !errno;
}

/* Opens the folder 'name', for the caller to close with closedir().  Returns
 * NULL with errno set if it cannot be opened. */
DIR *
fb_hostfile_opendir(const char *name)
{
    char *path = fb_hostfile_name(name);
    DIR *dir = opendir(path);
    int error = errno;
    free(path);
    errno = error;
    return dir;
}
