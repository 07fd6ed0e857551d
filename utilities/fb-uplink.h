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

#ifndef FB_UPLINK_H
#define FB_UPLINK_H 1

/* A network interface of the host's, the uplink, which a DUT has for as long
 * as it stands, and which is put back as it was.
 *
 * It is moved into a network namespace that a file in the run's folder holds
 * on to (a bind mount), as another does to the one that it comes from, so that
 * even an interface that is not hardware outlives a run that is killed.  How
 * it was is in a journal beside them.  From these, fb_uplink_undo() puts it
 * back, whoever calls it.
 *
 * An interface that the host uses, or that has more to lose than can be put
 * back, is refused: see fb-nic.h.
 *
 * For single-threaded use.  Functions that return 'char *' return NULL if
 * successful, otherwise a malloc()'d error message. */

#include <stdbool.h>

#include "compiler.h"

struct ds;

char *fb_uplink_check(const char *name) OVS_WARN_UNUSED_RESULT;
char *fb_uplink_take(const char *name, const char *dir, int *netns_fdp)
    OVS_WARN_UNUSED_RESULT;
bool fb_uplink_undo(const char *dir, struct ds *report);

#endif /* fb-uplink.h */
