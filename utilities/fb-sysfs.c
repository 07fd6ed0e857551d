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

#include "fb-sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fb-netns.h"
#include "svec.h"
#include "util.h"

/* Longest line that is read; masks of CPUs have 9 characters for 32. */
#define MAX_LINE 4096

/* Mounts, nowhere, a sysfs of the network namespace that the calling thread is
 * in.  Returns a file descriptor or -1, with errno set. */
static int
mount_nowhere(void)
{
    int fs = syscall(SYS_fsopen, "sysfs", FSOPEN_CLOEXEC);
    int fd = -1;

    if (fs >= 0) {
        if (!syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0)) {
            fd = syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, 0);
        }
        int error = errno;
        close(fs);
        errno = error;
    }
    return fd;
}

/* Stores in '*fdp' the root folder of a sysfs of the namespace 'netns_fd', for
 * the caller to close, or -1.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message: kernels
 * before 5.2 cannot do this, nor can who is not root. */
char *
fb_sysfs_open(int netns_fd, int *fdp)
{
    int old_fd;

    *fdp = -1;
    char *error = fb_netns_enter(netns_fd, &old_fd);
    if (!error) {
        *fdp = mount_nowhere();
        if (*fdp < 0) {
            error = xasprintf("sysfs cannot be seen (%s)",
                              ovs_strerror(errno));
        }
        fb_netns_leave(old_fd);
    }
    return error;
}

/* Returns the first line of the file 'name' in the sysfs 'fd', which the
 * caller must free(), or NULL if it has none or cannot be read. */
char *
fb_sysfs_read_line(int fd, const char *name)
{
    char line[MAX_LINE];
    int file = openat(fd, name, O_RDONLY | O_CLOEXEC);
    ssize_t n = file >= 0 ? read(file, line, sizeof line - 1) : -1;

    if (file >= 0) {
        close(file);
    }
    if (n <= 0) {
        return NULL;
    }
    line[n] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return xstrdup(line);
}

/* Adds the names of what is in the folder 'dir' in the sysfs 'fd' to 'names',
 * sorted; nothing if there is no such folder. */
void
fb_sysfs_list(int fd, const char *dir, struct svec *names)
{
    int dir_fd = openat(fd, dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = dir_fd >= 0 ? fdopendir(dir_fd) : NULL;
    struct dirent *entry;

    while (stream && (entry = readdir(stream))) {
        if (entry->d_name[0] != '.') {
            svec_add(names, entry->d_name);
        }
    }
    svec_sort(names);
    if (stream) {
        closedir(stream);
    } else if (dir_fd >= 0) {
        close(dir_fd);
    }
}
