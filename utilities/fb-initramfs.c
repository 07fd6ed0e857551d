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

#include "fb-initramfs.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util.h"

/* The name of the last member, which is no file. */
#define TRAILER "TRAILER!!!"

/* Everything is aligned to so many bytes. */
#define ALIGNMENT 4

/* Length of a member's header: the magic and 13 numbers of 8 digits. */
#define HEADER_LEN (6 + 13 * 8)

/* Notes that 'error', a positive errno value, happened to 'name', unless
 * something did before. */
static void
set_error(struct fb_initramfs *initramfs, const char *name, int error)
{
    if (!initramfs->error) {
        initramfs->error = xasprintf("%s: %s", name, ovs_strerror(error));
    }
}

/* Begins the archive 'file_name', a new file for its owner's eyes only, which
 * the caller must end with fb_initramfs_close(). */
void
fb_initramfs_open(struct fb_initramfs *initramfs, const char *file_name)
{
    memset(initramfs, 0, sizeof *initramfs);
    initramfs->file_name = xstrdup(file_name);
    sset_init(&initramfs->dirs);
    initramfs->stream = fopen(file_name, "wxe");
    if (!initramfs->stream) {
        set_error(initramfs, file_name, errno);
    }
}

/* Writes zeros until 'len' bytes, those so far, are a multiple of the
 * alignment. */
static void
pad(FILE *stream, size_t len)
{
    for (; len % ALIGNMENT; len++) {
        putc(0, stream);
    }
}

/* Writes the header of the member 'name', which has 'size' bytes.  Its
 * numbers are inode, mode, owner and group (root), links, time, size, device
 * (twice two), length of the name and checksum (none). */
static void
put_header(struct fb_initramfs *initramfs, const char *name, mode_t mode,
           uint32_t size)
{
    const uint32_t numbers[] = {
        ++initramfs->n_inodes, mode, 0, 0, 1, 0, size, 0, 0, 0, 0,
        strlen(name) + 1, 0,
    };

    fputs("070701", initramfs->stream);
    for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
        fprintf(initramfs->stream, "%08x", numbers[i]);
    }
    fwrite(name, 1, strlen(name) + 1, initramfs->stream);
    pad(initramfs->stream, HEADER_LEN + strlen(name) + 1);
}

/* Adds the folders above 'name' that are not there yet. */
static void
add_parents(struct fb_initramfs *initramfs, const char *name)
{
    for (const char *p = strchr(name, '/'); p; p = strchr(p + 1, '/')) {
        char *dir = xmemdup0(name, p - name);

        if (dir[0] && sset_add(&initramfs->dirs, dir)) {
            put_header(initramfs, dir, S_IFDIR | 0755, 0);
        }
        free(dir);
    }
}

/* Writes all of 'in', which is the file 'source', as a member. */
static void
put_file(struct fb_initramfs *initramfs, const char *name, FILE *in,
         const char *source, mode_t permissions)
{
    static char buffer[65536];
    uint32_t left;
    struct stat s;

    if (fstat(fileno(in), &s)) {
        set_error(initramfs, source, errno);
        return;
    } else if (s.st_size > UINT32_MAX) {
        set_error(initramfs, source, EFBIG);
        return;
    }
    put_header(initramfs, name, S_IFREG | permissions, s.st_size);
    left = s.st_size;
    while (left) {
        size_t n = fread(buffer, 1, MIN(left, sizeof buffer), in);

        if (!n) {
            set_error(initramfs, source, ferror(in) ? errno : EIO);
            return;
        }
        fwrite(buffer, 1, n, initramfs->stream);
        left -= n;
    }
    pad(initramfs->stream, s.st_size);
}

/* Adds what is in the file 'source' under the absolute name 'name', and
 * whatever folders that needs. */
void
fb_initramfs_add(struct fb_initramfs *initramfs, const char *name,
                 const char *source, mode_t permissions)
{
    FILE *in;

    if (initramfs->error) {
        return;
    }
    in = fopen(source, "re");
    if (!in) {
        set_error(initramfs, source, errno);
        return;
    }
    name += strspn(name, "/");
    add_parents(initramfs, name);
    put_file(initramfs, name, in, source, permissions);
    fclose(in);
}

/* Ends the archive and frees what 'initramfs' holds.  Returns NULL if all of
 * it was written, otherwise what went wrong, for the caller to free. */
char *
fb_initramfs_close(struct fb_initramfs *initramfs)
{
    if (initramfs->stream) {
        put_header(initramfs, TRAILER, 0, 0);
        if (ferror(initramfs->stream)) {
            set_error(initramfs, initramfs->file_name, EIO);
        }
        if (fclose(initramfs->stream)) {
            set_error(initramfs, initramfs->file_name, errno);
        }
    }
    free(initramfs->file_name);
    sset_destroy(&initramfs->dirs);
    return initramfs->error;
}
