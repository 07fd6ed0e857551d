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

#ifndef FB_SANDBOX_H
#define FB_SANDBOX_H 1

/* A private Open vSwitch: an ovsdb-server and an ovs-vswitchd with their own
 * folder, in a network namespace of the caller's.  Or one that runs on this
 * host, which is joined.
 *
 * Functions that return 'char *' return NULL if successful, otherwise a
 * malloc()'d error message. */

#include <stdbool.h>
#include <sys/types.h>

#include "compiler.h"

struct ds;
struct fb_ovs_programs;
struct fb_sandbox;
struct jsonrpc;

/* What to say of an ovs-vswitchd that has ended unasked. */
#define FB_SANDBOX_ENDED \
    "ovs-vswitchd has ended during the run: somebody has killed it, or its " \
    "log says why"

char *fb_sandbox_start(const char *dir, int netns_fd,
                       const struct fb_ovs_programs *, struct fb_sandbox **)
    OVS_WARN_UNUSED_RESULT;
char *fb_sandbox_join(const char *db, struct fb_sandbox **)
    OVS_WARN_UNUSED_RESULT;
void fb_sandbox_stop(struct fb_sandbox *);

char *fb_sandbox_run(struct fb_sandbox *, const char *const argv[],
                     const char *input, struct ds *output)
    OVS_WARN_UNUSED_RESULT;
char *fb_sandbox_ofctl(struct fb_sandbox *, const char *command,
                       const char *bridge, const char *input)
    OVS_WARN_UNUSED_RESULT;
void fb_sandbox_pause(struct fb_sandbox *);
struct jsonrpc *fb_sandbox_rpc(struct fb_sandbox *);
bool fb_sandbox_has_ended(const struct fb_sandbox *);
pid_t fb_sandbox_vswitchd(const struct fb_sandbox *);

#endif /* fb-sandbox.h */
