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

#ifndef FB_NETSTAT_H
#define FB_NETSTAT_H 1

/* Counters of the kernel's that belong to no interface. */

#include <stdint.h>

#include "compiler.h"

char *fb_netstat_ip_errors(int netns_fd, uint64_t *) OVS_WARN_UNUSED_RESULT;
uint64_t fb_netstat_parse_ip_errors(const char *snmp);

char *fb_netstat_softnet_drops(uint64_t *) OVS_WARN_UNUSED_RESULT;
uint64_t fb_netstat_parse_softnet(const char *text);

#endif /* fb-netstat.h */
