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

#ifndef FB_MODULE_LOAN_H
#define FB_MODULE_LOAN_H 1

/* Kernel modules that a run loads because it needs them and that are removed
 * again once no run does.
 *
 * What was loaded is written down in the folder of the run first, so that
 * fb_module_loan_end() finds it also after a run that was killed. */

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"

char *fb_module_loan_begin(const char *rundir, const char *name, bool load)
    OVS_WARN_UNUSED_RESULT;
size_t fb_module_loan_end(const char *rundir);

#endif /* fb-module-loan.h */
