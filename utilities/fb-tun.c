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

#include "fb-tun.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "fb-netns.h"
#include "fb-rtnl.h"
#include "util.h"

/* Creates a tap interface called 'name' in the namespace 'netns_fd', whose
 * interfaces 'rtnl' has, and sets it up.  Stores in '*fdp' a file descriptor
 * for its other end, which does not block; the interface exists until the
 * caller closes it.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message, and stores
 * -1. */
char *
fb_tun_create(int netns_fd, struct fb_rtnl *rtnl, const char *name, int *fdp)
{
    struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI };
    int retval = 0;
    int ifindex, old_fd;

    *fdp = -1;
    ovs_strlcpy(ifr.ifr_name, name, sizeof ifr.ifr_name);
    char *error = fb_netns_enter(netns_fd, &old_fd);
    if (error) {
        return error;
    }
    int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || ioctl(fd, TUNSETIFF, &ifr)) {
        retval = errno;
    }
    fb_netns_leave(old_fd);
    error = (retval
             ? xasprintf("%s: cannot create a tap interface (%s)", name,
                         ovs_strerror(retval))
             : fb_rtnl_get_ifindex(rtnl, name, &ifindex));
    if (!error) {
        error = fb_rtnl_set_up(rtnl, ifindex);
    }
    if (error && fd >= 0) {
        close(fd);
    } else if (!error) {
        *fdp = fd;
    }
    return error;
}
