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

#ifndef FB_PORT_NAMES_H
#define FB_PORT_NAMES_H 1

/* Names of datapaths' ports, by number.
 *
 * OVS deletes a port by its number, and asking the datapath for the name then
 * costs a request, and a warning in the log if the port is already gone.
 *
 * Thread rules: main thread only. */

#include <stddef.h>
#include <stdint.h>

/* Ports whose names are known at most. */
#define FB_MAX_PORT_NAMES 65536

void fb_port_names_set(int dp, uint32_t port_no, const char *name);
void fb_port_names_remove(int dp, uint32_t port_no);
const char *fb_port_names_find(int dp, uint32_t port_no);
void fb_port_names_clear(int dp);

#endif /* fb-port-names.h */
