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

#ifndef FB_GUEST_SPEC_H
#define FB_GUEST_SPEC_H 1

/* What the host side hands to the init of the guest.
 *
 * Both sides see one folder, because the guest's root is the host's.  The
 * host side writes the file FB_GUEST_SPEC there before it boots the guest;
 * the guest's output and its status come back through the other files.
 *
 * The file holds records, each ended by a NUL, of which the first byte says
 * what the rest is.  So any byte that an argument can hold comes through. */

#include <stdbool.h>

#include "svec.h"

/* Names in the folder. */
#define FB_GUEST_SPEC "spec"            /* struct fb_guest_spec. */
#define FB_GUEST_STDOUT "stdout"        /* What the program wrote. */
#define FB_GUEST_STDERR "stderr"        /* What it wrote to stderr. */
#define FB_GUEST_STATUS "status"        /* Lines, see below. */
#define FB_GUEST_INIT "init"            /* Symbolic link to the program. */

/* Lines of FB_GUEST_STATUS. */
#define FB_GUEST_UP "up"                /* The program starts. */
#define FB_GUEST_EXIT "exit "           /* Its exit code follows. */
#define FB_GUEST_FAIL "fail "           /* Why it could not be started. */

/* The variable, on the guest kernel's command line and so in the environment
 * of its init, that names the folder. */
#define FB_GUEST_VARIABLE "FANBENCH_GUEST"

/* What to run in the guest, and how. */
struct fb_guest_spec {
    char *cwd;                  /* Working folder, an absolute name. */
    char *modules;              /* Folder of the kernel's modules. */
    char *kind;                 /* The kind of guest, by name. */
    bool emulated;              /* Are its CPUs emulated in software? */
    bool progress;              /* Is the caller's stderr a terminal? */
    struct svec args;           /* The command line, argv[0] first. */
    struct svec env;            /* The environment, each "NAME=VALUE". */
};

void fb_guest_spec_init(struct fb_guest_spec *);
void fb_guest_spec_destroy(struct fb_guest_spec *);
int fb_guest_spec_write(const struct fb_guest_spec *, const char *dir);
int fb_guest_spec_read(struct fb_guest_spec *, const char *dir);

#endif /* fb-guest-spec.h */
