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

#ifndef FB_GUEST_KIND_H
#define FB_GUEST_KIND_H 1

/* The kinds of guest: what each can do, where its kernel is, and how that is
 * told what to do.  A kind is a row of operations; whoever runs a guest knows
 * no kind.
 *
 * Not thread-safe: from the main thread. */

#include <stdbool.h>
#include <stddef.h>

struct svec;

/* The most CPUs that any guest can have. */
#define FB_GUEST_MAX_CPUS 32

/* What a guest boots, as find() fills it in. */
struct fb_guest_kernel {
    char *program;              /* What is executed, an absolute name: the
                                 * kernel, or what emulates its machine. */
    char *image;                /* The kernel's file if that is another one,
                                 * else NULL. */
    char *modules;              /* Folder of its modules. */
    bool emulated;              /* Are its CPUs emulated in software? */
};

void fb_guest_kernel_destroy(struct fb_guest_kernel *);

/* What a guest's machine is to be like. */
struct fb_guest_machine {
    unsigned int mem_mb;        /* Memory, in MiB. */
    unsigned int n_cpus;        /* 1 ... the kind's 'max_cpus'. */
    bool counts;                /* Its clock counts instructions?  Only if
                                 * 'n_cpus' is 1 and the kind 'can_count'. */
    const char *kernel_args;    /* More words for the kernel, or NULL. */
};

/* A kind of guest. */
struct fb_guest_kind {
    const char *name;           /* As in --guest. */
    const char *title;          /* E.g. "User-Mode Linux". */
    unsigned int default_cpus;  /* CPUs that it has unless told... */
    unsigned int max_cpus;      /* ...and at most, FB_GUEST_MAX_CPUS. */
    bool can_count;             /* Can its clock count instructions? */
    unsigned int mem_mb;        /* Memory that it takes beside what the
                                 * program needs, in MiB... */
    unsigned int mem_mb_per_cpu; /* ...and for each CPU. */
    unsigned int boot_s;        /* A boot that takes longer hangs, in s. */
    unsigned int slowness;      /* Things take up to so many times as long as
                                 * in a User-Mode Linux guest. */

    /* Is there what such a guest needs?  If so, returns 0 and fills in the
     * kernel, which the caller must destroy.  If not, returns a positive errno
     * value and stores in '*why' what is missing and what to do, for the
     * caller to free. */
    int (*find)(struct fb_guest_kernel *, char **why);

    /* Makes what the kernel needs to boot as the machine says in the guest's
     * folder 'dir', which has no white space or quotation mark in its name:
     * it boots on the host's files, and starts the program that the link
     * FB_GUEST_INIT in 'dir' names, with FB_GUEST_VARIABLE in its environment.
     * Its console is its standard output.  Appends the command line to 'argv'
     * and the environment to 'envp', each with NULL at its end.
     *
     * Returns 0 or, after setting '*errorp' for the caller to free, a positive
     * errno value. */
    int (*prepare)(const struct fb_guest_kernel *,
                   const struct fb_guest_machine *, const char *dir,
                   struct svec *argv, struct svec *envp, char **errorp);
};

extern const struct fb_guest_kind fb_guest_uml;
extern const struct fb_guest_kind fb_guest_qemu;

const struct fb_guest_kind *fb_guest_kind_get(size_t i);
const struct fb_guest_kind *fb_guest_kind_find(const char *name);
char *fb_guest_kind_names(void);

#endif /* fb-guest-kind.h */
