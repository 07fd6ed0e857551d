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

#ifndef FB_OVS_PROGRAMS_H
#define FB_OVS_PROGRAMS_H 1

/* Which Open vSwitch to run.
 *
 * Functions that return 'char *' return NULL if successful, otherwise a
 * malloc()'d error message. */

#include "compiler.h"

/* The programs of an Open vSwitch. */
struct fb_ovs_programs {
    char *vswitchd;             /* ovs-vswitchd. */
    char *schema;               /* Its database schema. */
    char *version;              /* What its --version says... */
    char *dpdk;                 /* ...of DPDK, as in "DPDK 22.11.7"; NULL if it
                                 * is built without. */
};

char *fb_ovs_programs_find(const char *vswitchd, struct fb_ovs_programs *)
    OVS_WARN_UNUSED_RESULT;
char *fb_ovs_programs_find_dpdk(const char *vswitchd, struct fb_ovs_programs *)
    OVS_WARN_UNUSED_RESULT;
void fb_ovs_programs_destroy(struct fb_ovs_programs *);

#endif /* fb-ovs-programs.h */
