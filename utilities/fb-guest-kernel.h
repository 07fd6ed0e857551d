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

#ifndef FB_GUEST_KERNEL_H
#define FB_GUEST_KERNEL_H 1

/* User-Mode Linux: where it is, what it needs, and how it is told. */

struct svec;

int fb_guest_find(char **kernel, char **modules, char **why);
const char *fb_guest_kernel_tmpdir(const char *dir, unsigned int mem_mb);
void fb_guest_kernel_compose(const char *kernel, const char *dir,
                             const char *tmpdir, unsigned int mem_mb,
                             struct svec *argv, struct svec *envp);

#endif /* fb-guest-kernel.h */
