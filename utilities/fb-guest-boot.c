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

#include "fb-guest-boot.h"

#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fb-guest-spec.h"
#include "fb-initramfs.h"
#include "fb-module.h"
#include "svec.h"
#include "util.h"

/* Where things are in the initramfs. */
#define BOOT_MODULES "/modules"         /* Modules and their lists. */
#define BOOT_LIBRARIES "/lib"           /* In LD_LIBRARY_PATH. */
#define BOOT_HOST "/host"               /* The host's files. */
#define BOOT_MEMORY "/memory"           /* What the guest writes to them. */
#define BOOT_ROOT "/root"               /* Both, one above the other. */

/* Bytes in one message of the file system's protocol.  Greater ones make
 * reading programs faster. */
#define MESSAGE_SIZE "262144"

/* The modules by which the guest reaches the host's files. */
static const char *const modules[] = {
    "virtio_pci", "9pnet_virtio", "9p", "overlay",
};

/* Does the folder 'dir' of a kernel's modules have what a guest needs to reach
 * the host's files?  Returns 0 if so, otherwise a positive errno value, after
 * storing the name of what cannot be found in '*missing'. */
int
fb_guest_boot_check_modules(const char *dir, const char **missing)
{
    for (size_t i = 0; i < ARRAY_SIZE(modules); i++) {
        struct svec files = SVEC_EMPTY_INITIALIZER;
        int error = fb_module_find(dir, modules[i], &files);

        svec_destroy(&files);
        if (error) {
            *missing = modules[i];
            return error;
        }
    }
    return 0;
}

/* Adds the modules that are needed, and the lists by which they are found,
 * from 'dir'. */
static void
add_modules(struct fb_initramfs *initramfs, const char *dir)
{
    static const char *const lists[] = { "modules.dep", "modules.builtin" };
    struct svec files = SVEC_EMPTY_INITIALIZER;
    const char *file;
    size_t i;

    for (i = 0; i < ARRAY_SIZE(modules); i++) {
        fb_module_find(dir, modules[i], &files);
    }
    for (i = 0; i < ARRAY_SIZE(lists); i++) {
        svec_add(&files, lists[i]);
    }
    svec_sort_unique(&files);
    SVEC_FOR_EACH (i, file, &files) {
        char *source = xasprintf("%s/%s", dir, file);
        char *name = xasprintf("%s/%s", BOOT_MODULES, file);

        fb_initramfs_add(initramfs, name, source, 0644);
        free(name);
        free(source);
    }
    svec_destroy(&files);
}

/* For dl_iterate_phdr(): adds the shared library that 'info' tells of, or the
 * loader that the program names, to the initramfs 'aux'. */
static int
add_library(struct dl_phdr_info *info, size_t size OVS_UNUSED, void *aux)
{
    struct fb_initramfs *initramfs = aux;
    const char *name = info->dlpi_name;

    if (name[0] == '/') {
        char *base = base_name(name);
        char *member = xasprintf("%s/%s", BOOT_LIBRARIES, base);

        fb_initramfs_add(initramfs, member, name, 0755);
        free(member);
        free(base);
    }
    for (size_t i = 0; !name[0] && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *phdr = &info->dlpi_phdr[i];

        if (phdr->p_type == PT_INTERP) {
            const char *loader = (const char *) (info->dlpi_addr
                                                 + phdr->p_vaddr);
            fb_initramfs_add(initramfs, loader, loader, 0755);
        }
    }
    return 0;
}

/* Writes the initramfs with which a guest begins to the new file 'file_name':
 * this program, the libraries that it runs with, and modules from the folder
 * 'dir', which fb_guest_boot_check_modules() has checked.  Returns NULL or an
 * error message, which the caller must free. */
char *
fb_guest_boot_write(const char *file_name, const char *dir)
{
    struct fb_initramfs initramfs;

    fb_initramfs_open(&initramfs, file_name);
    fb_initramfs_add(&initramfs, "/init", "/proc/self/exe", 0755);
    dl_iterate_phdr(add_library, &initramfs);
    add_modules(&initramfs, dir);
    return fb_initramfs_close(&initramfs);
}

/* Says on the console why the guest cannot go on and ends it. */
static OVS_NO_RETURN void OVS_PRINTF_FORMAT(1, 2)
fail(const char *format, ...)
{
    va_list args;

    fputs("ovs-fanbench: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputs("\n", stderr);
    reboot(RB_POWER_OFF);
    _exit(1);
}

/* Mounts the file system of 'type' called 'source' at 'target', which it makes
 * unless it is there. */
static void
mount_at(const char *source, const char *target, const char *type,
         unsigned long int flags, const char *data)
{
    if ((mkdir(target, 0755) && errno != EEXIST)
        || mount(source, target, type, flags, data)) {
        fail("%s: cannot mount %s (%s)", target, type, ovs_strerror(errno));
    }
}

/* Makes the host's files, with what the guest writes above them in memory, the
 * root, and in it 'dir' the guest's own folder, which host and guest share. */
static void
make_root(const char *dir)
{
    char *target = xasprintf("%s%s", BOOT_ROOT, dir);

    mount_at(FB_GUEST_BOOT_ROOT_TAG, BOOT_HOST, "9p", MS_RDONLY,
             "trans=virtio,version=9p2000.L,cache=loose,msize="MESSAGE_SIZE);
    mount_at("tmpfs", BOOT_MEMORY, "tmpfs", 0, "mode=755");
    if (mkdir(BOOT_MEMORY "/upper", 0755)
        || mkdir(BOOT_MEMORY "/work", 0755)) {
        fail("%s: %s", BOOT_MEMORY, ovs_strerror(errno));
    }
    mount_at("overlay", BOOT_ROOT, "overlay", 0, "lowerdir="BOOT_HOST
             ",upperdir="BOOT_MEMORY"/upper,workdir="BOOT_MEMORY"/work");

    /* Nothing of this one may stay in a cache: the host waits for it. */
    mount_at(FB_GUEST_BOOT_DIR_TAG, target, "9p", 0,
             "trans=virtio,version=9p2000.L,cache=none,msize="MESSAGE_SIZE);
    free(target);

    if (chdir(BOOT_ROOT) || mount(".", "/", NULL, MS_MOVE, NULL)
        || chroot(".") || chdir("/")) {
        fail("/: cannot change to the host's files (%s)",
             ovs_strerror(errno));
    }
}

/* In an initramfs that fb_guest_boot_write() has made, makes the host's files
 * the root and becomes the init that is in the guest's folder 'dir'. */
void
fb_guest_boot(const char *dir)
{
    char *init = xasprintf("%s/%s", dir, FB_GUEST_INIT);

    for (size_t i = 0; i < ARRAY_SIZE(modules); i++) {
        int error = fb_module_load(BOOT_MODULES, modules[i]);

        if (error) {
            fail("cannot load module %s (%s)", modules[i],
                 ovs_strerror(error));
        }
    }
    make_root(dir);
    unsetenv("LD_LIBRARY_PATH");
    unsetenv(FB_GUEST_BOOT_VARIABLE);
    execl(init, init, NULL);
    fail("%s: %s", init, ovs_strerror(errno));
}
