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

#include <config.h>

#include "fb-ip.h"

#include <stdlib.h>

#include "fb-process.h"
#include "packets.h"
#include "util.h"

/* Gives an interface in the namespace 'netns_fd' the addresses in 'config',
 * and has it up.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_ip_configure(int netns_fd, const struct fb_ip_config *config)
{
    static const char *const argv[] = { "ip", "-batch", "-", NULL };

    char *batch = xasprintf(
        "link set dev %s up\n"
        "address add %s dev %s\n"
        "neighbour add %s lladdr "ETH_ADDR_FMT" dev %s nud permanent\n",
        config->ifname, config->address, config->ifname, config->neighbor,
        ETH_ADDR_ARGS(config->neighbor_mac), config->ifname);
    char *error = fb_process_run(&(struct fb_process_spec) {
        .argv = argv, .netns_fd = netns_fd, .input = batch }, NULL);
    free(batch);
    return error;
}
