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

#include "fb-uplink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "fb-netns.h"
#include "fb-nic.h"
#include "fb-rtnl.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "util.h"

/* Names, in the run's folder, of the journal and of the files that hold the
 * namespaces that the interface comes from and that it is moved to. */
#define JOURNAL "uplink"
#define HOME "uplink-home"
#define NETNS "uplink-netns"

/* Stores in '*nic' how the interface 'name' is, if it can be an uplink.  The
 * caller must destroy it, whatever this function returns. */
static char *
read_nic(struct fb_rtnl *rtnl, const char *name, struct fb_nic *nic)
{
    char *error = fb_nic_read(nic, rtnl, name);

    return error ? error : fb_nic_check_use(rtnl, nic);
}

/* Checks whether the interface 'name' can be an uplink. */
char *
fb_uplink_check(const char *name)
{
    struct fb_rtnl *rtnl;

    char *error = fb_rtnl_open(-1, &rtnl);
    if (!error) {
        struct fb_nic nic;

        error = read_nic(rtnl, name, &nic);
        fb_nic_destroy(&nic);
        fb_rtnl_close(rtnl);
    }
    return error;
}

/* Writes down in 'dir' how 'nic' is.  The journal is there whole or not at
 * all. */
static char *
write_journal(const char *dir, const struct fb_nic *nic)
{
    char *name = xasprintf("%s/"JOURNAL, dir);
    char *new_name = xasprintf("%s.new", name);
    struct json *json = fb_nic_to_json(nic);
    char *text = json_to_string(json, 0);

    FILE *stream = fopen(new_name, "we");
    bool ok = stream && fputs(text, stream) >= 0;
    if (stream && fclose(stream)) {
        ok = false;
    }
    char *error = (ok && !rename(new_name, name)
                   ? NULL
                   : xasprintf("%s: cannot be written (%s)", name,
                               ovs_strerror(errno)));
    free(text);
    json_destroy(json);
    free(new_name);
    free(name);
    return error;
}

/* Reads the journal in 'dir' into '*nic', for the caller to destroy, whatever
 * this function returns, and stores in '*there' whether there is one. */
static char *
read_journal(const char *dir, struct fb_nic *nic, bool *there)
{
    char *name = xasprintf("%s/"JOURNAL, dir);
    char *error = NULL;

    *there = !access(name, F_OK);
    struct json *json = *there ? json_from_file(name) : json_null_create();
    char *why = fb_nic_from_json(nic, json);
    if (*there && why) {
        error = xasprintf("%s: %s", name, why);
    }
    free(why);
    json_destroy(json);
    free(name);
    return error;
}

/* Makes the file 'name' in 'dir' hold the network namespace 'netns_fd' until
 * release() lets go of it. */
static char *
hold(const char *dir, const char *name, int netns_fd)
{
    char *source = xasprintf("/proc/self/fd/%d", netns_fd);
    char *file = xasprintf("%s/%s", dir, name);
    int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    char *error = NULL;

    if (fd < 0 || mount(source, file, NULL, MS_BIND, NULL)) {
        error = xasprintf("%s: cannot hold a network namespace (%s)", file,
                          ovs_strerror(errno));
    }
    if (fd >= 0) {
        close(fd);
    }
    free(file);
    free(source);
    return error;
}

/* Removes the files of an uplink from 'dir', if they are there, and lets go of
 * the namespaces. */
static void
release(const char *dir)
{
    static const char *const names[] = { JOURNAL, HOME, NETNS };

    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        char *file = xasprintf("%s/%s", dir, names[i]);

        umount2(file, MNT_DETACH);
        unlink(file);
        free(file);
    }
}

/* Opens the network namespace that the file 'name' in 'dir' holds, and a
 * socket in it. */
static char *
open_held(const char *dir, const char *name, int *fdp, struct fb_rtnl **rtnlp)
{
    char *file = xasprintf("%s/%s", dir, name);

    *fdp = open(file, O_RDONLY | O_CLOEXEC);
    char *error = (*fdp < 0
                   ? xasprintf("cannot open (%s)", ovs_strerror(errno))
                   : fb_rtnl_open(*fdp, rtnlp));
    if (error) {
        char *whole = xasprintf("%s: %s", file, error);
        free(error);
        error = whole;
    }
    free(file);
    return error;
}

/* Stores in '*home_fdp' a file descriptor of this network namespace and holds
 * it in 'dir', and in '*netns_fdp' one of a new one, held there, too. */
static char *
make_namespaces(const char *dir, int *home_fdp, int *netns_fdp)
{
    *netns_fdp = -1;
    *home_fdp = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    char *error = (*home_fdp < 0
                   ? xasprintf("cannot open this network namespace (%s)",
                               ovs_strerror(errno))
                   : hold(dir, HOME, *home_fdp));
    if (!error) {
        error = fb_netns_create(netns_fdp);
    }
    return error ? error : hold(dir, NETNS, *netns_fdp);
}

/* Takes the interface 'name' of this network namespace into a new one, of
 * which it stores a file descriptor in '*netns_fdp', for the caller to close.
 * fb_uplink_undo(), with the same 'dir', the run's folder, puts it back: the
 * caller must call that, also after an error. */
char *
fb_uplink_take(const char *name, const char *dir, int *netns_fdp)
{
    struct fb_nic nic;
    struct fb_rtnl *rtnl;
    int home_fd;

    *netns_fdp = -1;
    char *error = fb_rtnl_open(-1, &rtnl);
    if (error) {
        return error;
    }
    error = read_nic(rtnl, name, &nic);
    if (!error) {
        error = make_namespaces(dir, &home_fd, netns_fdp);
        if (home_fd >= 0) {
            close(home_fd);
        }
    }
    if (!error) {
        error = write_journal(dir, &nic);
    }
    if (!error) {
        error = fb_rtnl_set_netns(rtnl, nic.ifindex, *netns_fdp);
        if (error) {
            /* It has not moved. */
            release(dir);
        }
    }
    fb_nic_destroy(&nic);
    fb_rtnl_close(rtnl);
    return error;
}

/* Makes 'nic', which is back in the namespace 'home_fd' as 'ifindex', what it
 * was.  'home' is in that namespace. */
static char *
restore(const struct fb_nic *nic, int home_fd, struct fb_rtnl *home,
        int ifindex)
{
    int old_fd;

    char *error = fb_netns_enter(home_fd, &old_fd);
    if (!error) {
        error = fb_nic_restore(nic, home, ifindex);
        fb_netns_leave(old_fd);
    }
    return error;
}

/* Is there an interface 'name' in the namespace of 'rtnl'?  If so, stores its
 * index in '*ifindex'. */
static bool
is_there(struct fb_rtnl *rtnl, const char *name, int *ifindex)
{
    char *error = fb_rtnl_get_ifindex(rtnl, name, ifindex);
    bool there = !error;

    free(error);
    return there;
}

/* Moves 'nic' from the namespace of 'inside' to that of 'home', 'home_fd', and
 * makes it what it was there.  Stores in '*gone' whether there is no hope that
 * this can ever be done, after an error. */
static char *
move_back(const struct fb_nic *nic, struct fb_rtnl *inside, int home_fd,
          struct fb_rtnl *home, bool *gone)
{
    char *error = NULL;
    int ifindex;

    if (is_there(inside, nic->name, &ifindex)) {
        error = fb_rtnl_set_netns(inside, ifindex, home_fd);
    } else if (!is_there(home, nic->name, &ifindex)
               || ifindex != nic->ifindex) {
        /* With that index, it was never moved, or was put back before. */
        *gone = true;
        error = xasprintf("%s is gone: it cannot be put back", nic->name);
    }
    if (!error) {
        error = fb_rtnl_get_ifindex(home, nic->name, &ifindex);
    }
    return error ? error : restore(nic, home_fd, home, ifindex);
}

/* Puts 'nic' back from the namespace that is held in 'dir'.  'gone' is as for
 * move_back(). */
static char *
put_back(const char *dir, const struct fb_nic *nic, bool *gone)
{
    struct fb_rtnl *inside = NULL, *home = NULL;
    int inside_fd, home_fd = -1;

    char *error = open_held(dir, NETNS, &inside_fd, &inside);
    if (!error) {
        error = open_held(dir, HOME, &home_fd, &home);
    }
    if (!error) {
        error = move_back(nic, inside, home_fd, home, gone);
    }
    fb_rtnl_close(inside);
    fb_rtnl_close(home);
    if (inside_fd >= 0) {
        close(inside_fd);
    }
    if (home_fd >= 0) {
        close(home_fd);
    }
    return error;
}

/* Puts the uplink of the run whose folder is 'dir' back as it was, if it has
 * one.  Says so in a line that it appends to 'report', or, if that is null,
 * only an error, on stderr.
 *
 * Returns false if that fails and should be tried again later, for which all
 * that is needed stays in 'dir'.  What is gone is not tried again. */
bool
fb_uplink_undo(const char *dir, struct ds *report)
{
    bool there, gone = false;
    struct fb_nic nic;

    char *error = read_journal(dir, &nic, &there);
    if (there && !error) {
        error = put_back(dir, &nic, &gone);
    }
    if (report && there) {
        ds_put_format(report, "%s: %s\n", nic.name ? nic.name : dir,
                      error ? error : "put back");
    } else if (error) {
        ovs_error(0, "--uplink: %s%s", error,
                  gone ? "" : " (try \"ovs-fanbench cleanup\")");
    }
    bool done = !error || gone;
    if (done) {
        release(dir);
    }
    free(error);
    fb_nic_destroy(&nic);
    return done;
}
