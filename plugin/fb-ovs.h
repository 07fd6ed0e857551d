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

#ifndef FB_OVS_H
#define FB_OVS_H 1

/* Asks OVS for what only its own ovs-appctl commands tell.
 *
 * Coverage counters, flow limits and MAC tables are private to OVS's modules.
 * Their commands' functions pass by when OVS registers them; here they are
 * called as ovs-appctl would have it, and what they reply is caught.
 *
 * Thread rules: OVS registers its commands before there is any other thread.
 * fb_ovs_read_counter() is safe in any thread: OVS's function takes the mutex
 * of the coverage counters for an instant and also collects what the calling
 * thread has counted.  It allocates a short string, so it is not for hot
 * paths.  All else that asks is for the main thread. */

#include <stdbool.h>
#include <stdint.h>

struct ds;
struct unixctl_conn;
typedef void fb_ovs_cb_func(struct unixctl_conn *, int argc,
                            const char *argv[], void *aux);

/* Of the probe of commands. */
void fb_ovs_registered(const char *command, fb_ovs_cb_func *, void *aux);
bool fb_ovs_is_query(const struct unixctl_conn *);
void fb_ovs_replied(const char *body);

bool fb_ovs_query(const char *command, const char *arg, struct ds *);
bool fb_ovs_read_counter(const char *name, uint64_t *);
unsigned int fb_ovs_flow_limit(const char *dp_name);

#endif /* fb-ovs.h */
