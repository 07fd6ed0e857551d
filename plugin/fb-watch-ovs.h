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

#ifndef FB_WATCH_OVS_H
#define FB_WATCH_OVS_H 1

/* Takes the figures of fb-watch.h from the running ovs-vswitchd.
 *
 * Thread rules: main thread only. */

struct dpif;

void fb_watch_ovs_init(void);
void fb_watch_ovs_set_dpif(int dp, struct dpif *);

#endif /* fb-watch-ovs.h */
