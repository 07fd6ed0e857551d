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

#ifndef FB_ACCOUNTING_H
#define FB_ACCOUNTING_H 1

/* How the kernel books CPU time, which decides what /proc/stat is worth. */

#include <stdbool.h>

/* How times come about. */
enum fb_accounting {
    FB_ACCOUNTING_UNKNOWN,      /* Nothing tells. */
    FB_ACCOUNTING_TICK,         /* A whole tick is what it interrupts. */
    FB_ACCOUNTING_TICK_IRQ,     /* The same, but interrupts and softirqs are
                                 * measured (IRQ_TIME_ACCOUNTING). */
    FB_ACCOUNTING_EXACT,        /* Each change is measured
                                 * (VIRT_CPU_ACCOUNTING_GEN and nohz_full, or
                                 * VIRT_CPU_ACCOUNTING_NATIVE). */
};

const char *fb_accounting_name(enum fb_accounting);
enum fb_accounting fb_accounting_parse(const char *config, bool nohz_full);
enum fb_accounting fb_accounting_find(bool *nohz_full);

#endif /* fb-accounting.h */
