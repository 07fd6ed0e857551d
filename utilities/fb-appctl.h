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

#ifndef FB_APPCTL_H
#define FB_APPCTL_H 1

/* Commands to a running daemon of Open vSwitch's, as ovs-appctl sends them,
 * over a connection that is kept. */

#include "compiler.h"

struct jsonrpc;

char *fb_appctl_open(const char *socket, struct jsonrpc **)
    OVS_WARN_UNUSED_RESULT;
char *fb_appctl(struct jsonrpc *, char **replyp, const char *command, ...)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-appctl.h */
