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

#ifndef FB_DATAPATH_H
#define FB_DATAPATH_H 1

/* The datapaths that ovs-vswitchd serves.
 *
 * A datapath is known by its name in OVS's own form, e.g. "system@ovs-system",
 * and here also by a small number, its index, which it keeps for as long as
 * the process lives.  ofproto-dpif announces a datapath when it registers an
 * upcall callback for it, with the kernel datapath too.  Datapaths that others
 * created, e.g. with "ovs-dpctl add-dp", have no handlers or revalidators and
 * are unknown here.
 *
 * Thread rules: the main thread adds and removes, any thread may look up
 * without waiting. */

#include <stdbool.h>

/* Most datapaths that can be known.  ovs-vswitchd uses one a type. */
#define FB_MAX_DATAPATHS 16

int fb_datapath_add(const char *name);
void fb_datapath_remove(const char *name);
int fb_datapath_find(const char *name);
int fb_datapath_parse(const char *arg, int *dpp);
int fb_datapath_count(void);
const char *fb_datapath_name(int dp);
bool fb_datapath_is_present(int dp);

#endif /* fb-datapath.h */
