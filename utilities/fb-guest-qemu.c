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

#ifdef __x86_64__
#include <cpuid.h>
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "fb-cache.h"
#include "fb-guest-boot.h"
#include "fb-guest-spec.h"
#include "fb-module.h"
#include "openvswitch/dynamic-string.h"
#include "process.h"
#include "svec.h"
#include "util.h"

/* QEMU: a machine for the distribution's own kernel, with as many CPUs as
 * wanted, by KVM where that is to be had, else emulated in software.
 *
 * The host's files are the guest's over 9P, for reading only: what it writes
 * to them it keeps in its memory.  Its own folder, where the host side waits
 * for it, is shared for writing. */

#define QEMU_PROGRAM "qemu-system-x86_64"
#define QEMU_PACKAGE "qemu-system-x86"
#define KERNEL_PACKAGE "linux-image-amd64"

/* The folder that has a kernel's package unpacked in it, if that is to be
 * taken rather than an installed one. */
#define KERNEL_VARIABLE "OVS_FANBENCH_KERNEL"

/* The archive with which the kernel starts, in the guest's folder. */
#define QEMU_INITRD "initrd"

/* Kernels' names in the folder "boot". */
#define IMAGE_PREFIX "vmlinuz-"

/* Returns the folder of modules of kernel 'release' below 'root'.  Packages
 * put it into "lib" or, since that is a link, "usr/lib". */
static char *
get_modules(const char *root, const char *release)
{
    char *dir = xasprintf("%s/lib/modules/%s", root, release);

    if (access(dir, F_OK)) {
        free(dir);
        dir = xasprintf("%s/usr/lib/modules/%s", root, release);
    }
    return dir;
}

/* Returns why the kernel 'image' with 'modules' cannot be a guest's, or NULL
 * if it can.  The caller must free it. */
static char *
why_not(const char *image, const char *modules)
{
    struct svec files = SVEC_EMPTY_INITIALIZER;
    const char *missing = "openvswitch";
    int error;

    if (access(image, R_OK)) {
        return xasprintf("%s: %s", image, ovs_strerror(errno));
    }
    error = fb_module_find(modules, missing, &files);
    if (!error) {
        error = fb_guest_boot_check_modules(modules, &missing);
    }
    svec_destroy(&files);
    return (error ? xasprintf("%s: module %s cannot be had from %s (%s)",
                              image, missing, modules, ovs_strerror(error))
            : NULL);
}

/* Looks for the newest kernel in the folder "boot" below 'root' that can be a
 * guest's.  If there is one, stores its files in 'kernel' and returns true;
 * otherwise adds to 'why' what is missing. */
static bool
find_image(const char *root, struct fb_guest_kernel *kernel, struct ds *why)
{
    char *boot = xasprintf("%s/boot", root);
    struct dirent **entries;
    int n = scandir(boot, &entries, NULL, versionsort);
    bool any = false;

    for (int i = n - 1; i >= 0; i--) {
        const char *name = entries[i]->d_name;

        if (!kernel->image
            && !strncmp(name, IMAGE_PREFIX, strlen(IMAGE_PREFIX))) {
            char *image = xasprintf("%s/%s", boot, name);
            char *modules = get_modules(root, name + strlen(IMAGE_PREFIX));
            char *reason = why_not(image, modules);

            any = true;
            if (reason) {
                ds_put_format(why, "; %s", reason);
                free(image);
                free(modules);
            } else {
                kernel->image = image;
                kernel->modules = modules;
            }
            free(reason);
        }
        free(entries[i]);
    }
    if (!any) {
        ds_put_format(why, "; %s has no "IMAGE_PREFIX"*", boot);
    }
    if (n >= 0) {
        free(entries);
    }
    free(boot);
    return kernel->image != NULL;
}

/* Looks for a kernel where the user says; else on this machine, and in what
 * quickstart has unpacked. */
static bool
find_kernel(struct fb_guest_kernel *kernel, struct ds *why)
{
    const char *dir = getenv(KERNEL_VARIABLE);
    struct svec roots = SVEC_EMPTY_INITIALIZER;
    const char *root;
    bool found = false;
    size_t i;

    if (dir && dir[0]) {
        svec_add(&roots, dir);
    } else {
        svec_add(&roots, "");
        fb_cache_add_dirs("kernel", &roots);
    }
    SVEC_FOR_EACH (i, root, &roots) {
        found = found || find_image(root, kernel, why);
    }
    svec_destroy(&roots);
    return found;
}

/* Has the CPU what hypervisors need: VMX or SVM?  Source: Intel's manual,
 * CPUID leaf 1; AMD's, CPUID function 8000_0001h. */
static bool
has_virtualization(void)
{
#ifdef __x86_64__
    unsigned int eax, ebx, ecx, edx;

    return ((__get_cpuid(1, &eax, &ebx, &ecx, &edx) && ecx & (1u << 5))
            || (__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx)
                && ecx & (1u << 2)));
#else
    return false;
#endif
}

/* Can this process make virtual machines by KVM?  There is a KVM that does
 * without the CPU's help, but it does not boot every kernel. */
static bool
can_use_kvm(void)
{
    int fd = (has_virtualization() ? open("/dev/kvm", O_RDWR | O_CLOEXEC)
              : -1);
    int vm = fd < 0 ? -1 : ioctl(fd, KVM_CREATE_VM, 0);

    if (vm >= 0) {
        close(vm);
    }
    if (fd >= 0) {
        close(fd);
    }
    return vm >= 0;
}

/* Implements find(). */
static int
qemu_find(struct fb_guest_kernel *kernel, char **why)
{
    struct ds ds = DS_EMPTY_INITIALIZER;

    memset(kernel, 0, sizeof *kernel);
    *why = NULL;
#ifndef __x86_64__
    *why = xstrdup("the QEMU guest is one for x86-64 machines");
#endif
    if (!*why) {
        kernel->program = process_search_path(QEMU_PROGRAM);
    }
    if (!*why && !kernel->program) {
        *why = xasprintf("%s is not in PATH; please install the package "
                         "\""QEMU_PACKAGE"\"", QEMU_PROGRAM);
    } else if (!*why && !find_kernel(kernel, &ds)) {
        *why = xasprintf("there is no kernel for a QEMU guest; please install "
                         "the package \""KERNEL_PACKAGE"\", or unpack what "
                         "it depends on, run depmod on it, and name the "
                         "folder by "KERNEL_VARIABLE"%s", ds_cstr(&ds));
    }
    ds_destroy(&ds);
    if (*why) {
        fb_guest_kernel_destroy(kernel);
        return ENOENT;
    }
    kernel->emulated = !can_use_kvm();
    return 0;
}

/* Adds to 'argv' that the host's folder 'path' is the guest's under the name
 * 'tag'.  In options of QEMU's a comma is written twice. */
static void
add_folder(struct svec *argv, const char *path, const char *tag,
           const char *options)
{
    struct ds ds = DS_EMPTY_INITIALIZER;

    ds_put_format(&ds, "local,id=%s,security_model=none,multidevs=remap,%s"
                  "path=", tag, options);
    for (const char *p = path; *p; p++) {
        ds_put_format(&ds, "%s%c", *p == ',' ? "," : "", *p);
    }
    svec_add(argv, "-fsdev");
    svec_add_nocopy(argv, ds_steal_cstr(&ds));
    svec_add(argv, "-device");
    svec_add_nocopy(argv, xasprintf("virtio-9p-pci,fsdev=%s,mount_tag=%s",
                                    tag, tag));
}

/* Adds to 'argv' the CPUs of 'machine'.  What counts instructions has one CPU,
 * which copies memory by loops that have as many instructions as that takes,
 * not by one. */
static void
add_cpus(struct svec *argv, const struct fb_guest_kernel *kernel,
         const struct fb_guest_machine *machine)
{
    bool kvm = !kernel->emulated && !machine->counts;

    svec_add(argv, "-accel");
    svec_add(argv, kvm ? "kvm" : machine->counts ? "tcg,thread=single"
             : "tcg,thread=multi");
    svec_add(argv, "-cpu");
    svec_add(argv, kvm ? "host" : machine->counts ? "max,-erms,-fsrm"
             : "max");
    if (machine->counts) {
        svec_add(argv, "-icount");
        svec_add(argv, "shift=0");
    }
    svec_add(argv, "-smp");
    svec_add_nocopy(argv, xasprintf("%u", machine->n_cpus));
    svec_add(argv, "-m");
    svec_add_nocopy(argv, xasprintf("%uM", machine->mem_mb));
}

/* Returns the kernel's command line for a guest in 'dir'. */
static char *
get_kernel_args(const struct fb_guest_kernel *kernel,
                const struct fb_guest_machine *machine, const char *dir)
{
    struct ds ds = DS_EMPTY_INITIALIZER;

    ds_put_format(&ds, "console=ttyS0 loglevel=5 panic=-1 rdinit=/init "
                  "LD_LIBRARY_PATH=/lib %s=1 %s=%s nokaslr "
                  "random.trust_cpu=on", FB_GUEST_BOOT_VARIABLE,
                  FB_GUEST_VARIABLE, dir);
    if (kernel->emulated || machine->counts) {
        /* What is so slow must not be taken for a hang, nor its clock for a
         * bad one; and there is nothing to mitigate. */
        ds_put_cstr(&ds, " mitigations=off tsc=reliable nowatchdog "
                    "rcupdate.rcu_cpu_stall_suppress=1");
    }
    if (machine->kernel_args) {
        ds_put_format(&ds, " %s", machine->kernel_args);
    }
    return ds_steal_cstr(&ds);
}

/* Implements prepare(). */
static int
qemu_prepare(const struct fb_guest_kernel *kernel,
             const struct fb_guest_machine *machine, const char *dir,
             struct svec *argv, struct svec *envp, char **errorp)
{
    static const char *const fixed[] = {
        "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
        "-machine", "q35", "-chardev", "stdio,id=console,signal=off",
        "-serial", "chardev:console",
    };
    char *initrd = xasprintf("%s/"QEMU_INITRD, dir);

    *errorp = fb_guest_boot_write(initrd, kernel->modules);
    if (*errorp) {
        free(initrd);
        return EIO;
    }

    svec_add(argv, kernel->program);
    for (size_t i = 0; i < ARRAY_SIZE(fixed); i++) {
        svec_add(argv, fixed[i]);
    }
    add_cpus(argv, kernel, machine);
    svec_add(argv, "-kernel");
    svec_add(argv, kernel->image);
    svec_add(argv, "-initrd");
    svec_add_nocopy(argv, initrd);
    svec_add(argv, "-append");
    svec_add_nocopy(argv, get_kernel_args(kernel, machine, dir));
    add_folder(argv, "/", FB_GUEST_BOOT_ROOT_TAG, "readonly=on,");
    add_folder(argv, dir, FB_GUEST_BOOT_DIR_TAG, "");
    svec_terminate(argv);

    svec_add(envp, "PATH=/usr/bin:/bin");
    svec_add_nocopy(envp, xasprintf("HOME=%s", dir));
    svec_add_nocopy(envp, xasprintf("TMPDIR=%s", dir));
    svec_terminate(envp);
    return 0;
}

const struct fb_guest_kind fb_guest_qemu = {
    .name = "qemu",
    .title = "QEMU",
    .default_cpus = 2,
    .max_cpus = FB_GUEST_MAX_CPUS,
    .can_count = true,
    .mem_mb = 512,
    .mem_mb_per_cpu = 32,
    .boot_s = 300,
    .slowness = 5,
    .find = qemu_find,
    .prepare = qemu_prepare,
};
