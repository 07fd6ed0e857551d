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

#ifndef FB_PRELOAD_H
#define FB_PRELOAD_H 1

/* Whether the plugin may work in the process that it finds itself in.
 *
 * Whoever sets LD_PRELOAD sets it for shells and tools, too, and perhaps for
 * an ovs-vswitchd of another version, whose structures differ.  In those, the
 * preloaded plugin does nothing but pass calls on.  The linked form is always
 * at home.
 *
 * Thread rules: any thread.  The answer never changes. */

#include <stdbool.h>
#include "openvswitch/compiler.h"
#include "openvswitch/json.h"

struct ds;

/* Functions whose calls a preloaded plugin cannot see, as Open vSwitch's
 * libraries were linked.  Main thread only. */
#ifdef FB_PRELOAD
/* The dynamic linker looks for variables, unlike functions, as soon as it
 * loads the plugin, and ends a program that lacks them if they are not weak.
 * Each that is used must be named here; none may be used away from home. */
#pragma weak ofproto_flow_limit
#pragma weak ofproto_max_idle

bool fb_preload_at_home(void);
void fb_preload_format_unseen(struct ds *);
struct json *fb_preload_json_unseen(void);
#else
static inline bool
fb_preload_at_home(void)
{
    return true;
}

static inline void
fb_preload_format_unseen(struct ds *ds OVS_UNUSED)
{
}

static inline struct json *
fb_preload_json_unseen(void)
{
    return json_array_create_empty();
}
#endif

#endif /* fb-preload.h */
