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

#ifndef FB_MODULE_H
#define FB_MODULE_H 1

/* Finds and loads kernel modules in a given folder, without modprobe, which
 * not every system has and which knows one folder only. */

struct svec;

int fb_module_find(const char *dir, const char *name, struct svec *files);
int fb_module_load(const char *dir, const char *name);

#endif /* fb-module.h */
