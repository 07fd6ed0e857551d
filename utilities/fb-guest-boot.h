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

#ifndef FB_GUEST_BOOT_H
#define FB_GUEST_BOOT_H 1

/* The first seconds of a guest whose kernel cannot reach the host's files by
 * itself: this program, in an initramfs, loads the modules for that, makes the
 * host's files its root, and becomes the guest's init.
 *
 * Both sides of that are here: what to put into the initramfs, and what runs
 * in it. */

#include "compiler.h"

/* The variable that the kernel's command line sets where there is an
 * initramfs. */
#define FB_GUEST_BOOT_VARIABLE "FANBENCH_BOOT"

/* What the machine calls its folders: the host's files, and the guest's own
 * folder. */
#define FB_GUEST_BOOT_ROOT_TAG "root"
#define FB_GUEST_BOOT_DIR_TAG "guest"

int fb_guest_boot_check_modules(const char *modules, const char **missing);
char *fb_guest_boot_write(const char *file_name, const char *modules)
    OVS_WARN_UNUSED_RESULT;
void fb_guest_boot(const char *dir) OVS_NO_RETURN;

#endif /* fb-guest-boot.h */
