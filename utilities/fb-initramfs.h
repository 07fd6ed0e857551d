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

#ifndef FB_INITRAMFS_H
#define FB_INITRAMFS_H 1

/* Writes the archive of files with which a kernel starts, in the "newc" format
 * of cpio, not compressed.
 *
 * Typical use:
 *
 *     fb_initramfs_open(&initramfs, "initrd");
 *     fb_initramfs_add(&initramfs, "/init", "/usr/bin/true", 0755);
 *     error = fb_initramfs_close(&initramfs);
 *
 * What goes wrong is kept until the end, with the name of the file.
 *
 * Source of the format: Documentation/driver-api/early-userspace/
 * buffer-format.rst in Linux.
 *
 * Not thread-safe. */

#include <stdio.h>
#include <sys/types.h>

#include "compiler.h"
#include "sset.h"

/* An archive that is being written. */
struct fb_initramfs {
    FILE *stream;               /* It, or NULL if it could not be made. */
    char *file_name;            /* Its own name. */
    unsigned int n_inodes;      /* Members so far. */
    struct sset dirs;           /* Names of the folders in it. */
    char *error;                /* What went wrong first, or NULL. */
};

void fb_initramfs_open(struct fb_initramfs *, const char *file_name);
void fb_initramfs_add(struct fb_initramfs *, const char *name,
                      const char *source, mode_t permissions);
char *fb_initramfs_close(struct fb_initramfs *) OVS_WARN_UNUSED_RESULT;

#endif /* fb-initramfs.h */
