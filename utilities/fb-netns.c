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

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler.h"
#include "fb-ignore.h"
#include "fb-netns.h"
#include "util.h"

/* Where the kernel shows the calling thread's network namespace. */
#define SELF_NETNS "/proc/thread-self/ns/net"

/* Writes 'value' to the sysctl in 'path', if there is such a sysctl. */
static void
write_sysctl(const char *path, const char *value)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        fb_ignore(write(fd, value, strlen(value)));
        close(fd);
    }
}

/* Makes the namespace that the calling thread is in quiet and plain: no IPv6,
 * whose neighbor and multicast messages would be counted with the load, and no
 * netfilter for bridged frames, which a fresh namespace otherwise has if
 * br_netfilter is there at all. */
static void
quieten(void)
{
    write_sysctl("/proc/sys/net/ipv6/conf/all/disable_ipv6", "1");
    write_sysctl("/proc/sys/net/ipv6/conf/default/disable_ipv6", "1");
    write_sysctl("/proc/sys/net/bridge/bridge-nf-call-iptables", "0");
    write_sysctl("/proc/sys/net/bridge/bridge-nf-call-ip6tables", "0");
    write_sysctl("/proc/sys/net/bridge/bridge-nf-call-arptables", "0");
}

/* Lets netfilter see bridged frames in the namespace 'fd', as it does where
 * br_netfilter is loaded and nobody has switched it off.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_netns_enable_br_netfilter(int fd)
{
    static const char name[] = "/proc/sys/net/bridge/bridge-nf-call-iptables";
    int old_fd;

    char *error = fb_netns_enter(fd, &old_fd);
    if (!error) {
        if (access(name, W_OK)) {
            error = xasprintf("%s: not there; is br_netfilter loaded?", name);
        } else {
            write_sysctl(name, "1");
        }
        fb_netns_leave(old_fd);
    }
    return error;
}

/* Stores in '*loaded' whether br_netfilter is there, and in '*on' whether
 * netfilter sees the IPv4 frames of all bridges in the namespace 'fd'.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_netns_get_br_netfilter(int fd, bool *loaded, bool *on)
{
    int old_fd;

    *loaded = *on = false;
    char *error = fb_netns_enter(fd, &old_fd);
    if (!error) {
        FILE *file = fopen("/proc/sys/net/bridge/bridge-nf-call-iptables",
                           "re");
        if (file) {
            *loaded = true;
            *on = getc(file) == '1';
            fclose(file);
        }
        fb_netns_leave(old_fd);
    }
    return error;
}

/* Keeps the interface 'ifname', of ours, in the namespace 'fd', which may not
 * be ours, from sending IPv6's neighbor and multicast messages.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_netns_disable_ipv6(int fd, const char *ifname)
{
    int old_fd;

    char *error = fb_netns_enter(fd, &old_fd);
    if (!error) {
        char *name = xasprintf("/proc/sys/net/ipv6/conf/%s/disable_ipv6",
                               ifname);
        write_sysctl(name, "1");
        free(name);
        fb_netns_leave(old_fd);
    }
    return error;
}

/* Checks whether the calling thread, were it to leave its network namespace,
 * could come back: root of a user namespace cannot if that is another's.
 *
 * Returns NULL if so, otherwise a malloc()'d error message. */
char *
fb_netns_check(void)
{
    int old_fd;
    int fd = open(SELF_NETNS, O_RDONLY | O_CLOEXEC);
    char *error = NULL;

    if (fd < 0) {
        return xasprintf("%s: cannot open (%s)", SELF_NETNS,
                         ovs_strerror(errno));
    }
    error = fb_netns_enter(fd, &old_fd);
    if (!error) {
        fb_netns_leave(old_fd);
    } else {
        free(error);
        error = xstrdup("needs root of the user namespace that this network "
                        "namespace belongs to (\"unshare -Urn\" makes both)");
    }
    close(fd);
    return error;
}

/* Creates a network namespace and stores a file descriptor that stands for it
 * in '*fdp', which the caller must close.  The calling thread stays where it
 * is.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_netns_create(int *fdp)
{
    char *error = NULL;

    *fdp = -1;
    int old_fd = open(SELF_NETNS, O_RDONLY | O_CLOEXEC);
    if (old_fd < 0) {
        return xasprintf("%s: cannot open (%s)", SELF_NETNS,
                         ovs_strerror(errno));
    }
    if (unshare(CLONE_NEWNET)) {
        error = xasprintf("cannot create a network namespace (%s)",
                          ovs_strerror(errno));
    } else {
        quieten();
        *fdp = open(SELF_NETNS, O_RDONLY | O_CLOEXEC);
        if (*fdp < 0) {
            error = xasprintf("%s: cannot open (%s)", SELF_NETNS,
                              ovs_strerror(errno));
        }
        fb_netns_leave(old_fd);
        return error;
    }
    close(old_fd);
    return error;
}

/* Moves the calling thread into the network namespace 'fd' and stores in
 * '*old_fdp' what fb_netns_leave() needs to bring it back.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_netns_enter(int fd, int *old_fdp)
{
    *old_fdp = open(SELF_NETNS, O_RDONLY | O_CLOEXEC);
    if (*old_fdp < 0) {
        return xasprintf("%s: cannot open (%s)", SELF_NETNS,
                         ovs_strerror(errno));
    }
    if (setns(fd, CLONE_NEWNET)) {
        char *error = xasprintf("cannot enter a network namespace (%s)",
                                ovs_strerror(errno));
        close(*old_fdp);
        *old_fdp = -1;
        return error;
    }
    return NULL;
}

/* Moves the calling thread back to the network namespace that it was in before
 * fb_netns_enter() and closes 'old_fd'.  A process that cannot go back must
 * not go on, because it would touch the wrong interfaces. */
void
fb_netns_leave(int old_fd)
{
    if (setns(old_fd, CLONE_NEWNET)) {
        ovs_fatal(errno, "cannot return to the first network namespace");
    }
    close(old_fd);
}
