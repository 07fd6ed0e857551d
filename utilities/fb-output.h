/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License. */

#ifndef FB_OUTPUT_H
#define FB_OUTPUT_H 1

/* Where a result goes: standard output, or a file that appears only when it is
 * whole. */

#include "compiler.h"

struct fb_output;

char *fb_output_open(const char *file_name, struct fb_output **)
    OVS_WARN_UNUSED_RESULT;
char *fb_output_become_stdout(struct fb_output *) OVS_WARN_UNUSED_RESULT;
char *fb_output_commit(struct fb_output *, const char *text)
    OVS_WARN_UNUSED_RESULT;
void fb_output_close(struct fb_output *);

#endif /* fb-output.h */
