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

#ifndef FB_REAPER_H
#define FB_REAPER_H 1

/* The first process of a system, for the rest of its life: it reaps what
 * others leave, and passes on what a program writes. */

#include <sys/types.h>

/* A pipe and the file that its bytes are appended to. */
struct fb_pump {
    int from;                   /* Reading end of the pipe, non-blocking. */
    int to;                     /* The file, or anything that blocks. */
};

int fb_reaper_run(pid_t program, struct fb_pump *, int n);

#endif /* fb-reaper.h */
