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

#include "fb-netstat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fb-hostfile.h"
#include "fb-netns.h"
#include "util.h"

/* Returns the column "InHdrErrors" of "Ip" in 'snmp', what /proc/net/snmp
 * says; 0 if it is not there.  The first line with a label has the columns'
 * names, the second their values. */
uint64_t
fb_netstat_parse_ip_errors(const char *snmp)
{
    const char *names = strstr(snmp, "Ip: ");
    const char *values = names ? strstr(names + 4, "\nIp: ") : NULL;
    if (!values) {
        return 0;
    }

    names += strlen("Ip: ");
    values += strlen("\nIp: ");
    for (;;) {
        size_t n = strcspn(names, " \n");
        if (n == strlen("InHdrErrors")
            && !strncmp(names, "InHdrErrors", n)) {
            return strtoull(values, NULL, 10);
        }
        names += n;
        values += strcspn(values, " \n");
        if (*names != ' ' || *values != ' ') {
            return 0;
        }
        names++;
        values++;
    }
}

/* Stores in '*n' how many IPv4 packets the kernel has refused in the namespace
 * 'netns_fd' because of their headers: on a host, or in a bridge whose frames
 * netfilter sees.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_netstat_ip_errors(int netns_fd, uint64_t *n)
{
    int old_fd;

    *n = 0;
    char *error = fb_netns_enter(netns_fd, &old_fd);
    if (!error) {
        char *text = fb_hostfile_read("/proc/thread-self/net/snmp");
        if (text) {
            *n = fb_netstat_parse_ip_errors(text);
            free(text);
        } else {
            error = xasprintf("/proc/net/snmp: cannot be read (%s)",
                              ovs_strerror(errno));
        }
        fb_netns_leave(old_fd);
    }
    return error;
}

/* Returns the sum of the second column of 'text', what
 * /proc/net/softnet_stat says: packets that found the receive queue of a CPU
 * full, over all CPUs. */
uint64_t
fb_netstat_parse_softnet(const char *text)
{
    uint64_t sum = 0;
    unsigned int dropped;

    while (sscanf(text, "%*x %x", &dropped) == 1) {
        sum += dropped;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return sum;
}

/* Stores in '*n' how many packets have found the receive queue of their CPU
 * full, on the whole machine.  The kernel counts them in 32 bits a CPU.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_netstat_softnet_drops(uint64_t *n)
{
    char *text = fb_hostfile_read("/proc/net/softnet_stat");
    if (!text) {
        return xasprintf("/proc/net/softnet_stat: cannot be read (%s)",
                         ovs_strerror(errno));
    }
    *n = fb_netstat_parse_softnet(text);
    free(text);
    return NULL;
}
