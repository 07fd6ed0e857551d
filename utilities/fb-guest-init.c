/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

#include <config.h>

#include "fb-guest-init.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fb-guest-boot.h"
#include "fb-guest-kind.h"
#include "fb-guest-spec.h"
#include "fb-ignore.h"
#include "fb-module.h"
#include "fb-reaper.h"
#include "socket-util.h"
#include "util.h"

/* Where private state goes: gone with the guest, and a Unix socket there is
 * none of the host's. */
#define GUEST_TMPDIR "/run/fanbench"

/* A file system that the guest has of its own. */
struct own_fs {
    const char *target;         /* Where it is mounted. */
    const char *type;           /* What it is. */
    unsigned long flags;        /* MS_*. */
    const char *data;           /* Options. */
};

/* In the order of mounting. */
static const struct own_fs own_fs[] = {
    { "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL },
    { "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL },
    { "/dev", "devtmpfs", MS_NOSUID, "mode=755" },
    { "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "mode=620,ptmxmode=666" },
    { "/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755" },
};

/* Modules that are loaded at the start, because the kernel does not ask for
 * all of them.  br_netfilter is not among them: it changes what a bridge
 * does. */
static const char *const modules[] = {
    "openvswitch", "bridge", "veth", "tun",
};

/* What this side knows, once fb_guest_init() has run. */
static struct fb_guest_spec spec;
static bool inside;
static int status_fd = -1;

/* Is this process the init of a guest that fb_guest_run() has booted? */
bool
fb_guest_is_init(void)
{
    return getpid() == 1 && getenv(FB_GUEST_VARIABLE);
}

/* Is this process, which may be fb_guest_init()'s child, inside a guest? */
bool
fb_guest_is_inside(void)
{
    return inside;
}

/* Returns what kind of guest this process is inside, or NULL outside. */
const struct fb_guest_kind *
fb_guest_get_kind(void)
{
    return inside ? fb_guest_kind_find(spec.kind) : NULL;
}

/* Inside a guest, are its CPUs emulated in software, so that times in it are
 * no measure of anything? */
bool
fb_guest_is_emulated(void)
{
    return inside && spec.emulated;
}

/* Inside a guest, is the caller's stderr a terminal, so that progress may be
 * shown?  isatty() says no there. */
bool
fb_guest_progress(void)
{
    return inside && spec.progress;
}

/* Adds a line, 'keyword' and what 'format' makes, to the status file. */
static void OVS_PRINTF_FORMAT(2, 3)
report(const char *keyword, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = xvasprintf(format, args);
    va_end(args);

    if (status_fd >= 0) {
        dprintf(status_fd, "%s%s\n", keyword, text);
    }
    free(text);
}

/* Ends the guest. */
static OVS_NO_RETURN void
power_off(void)
{
    reboot(RB_POWER_OFF);

    /* The kernel panics when its init ends, which ends the guest too. */
    _exit(1);
}

/* Tells the host side why the program cannot be started and ends the
 * guest. */
static OVS_NO_RETURN void OVS_PRINTF_FORMAT(1, 2)
fail(const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = xvasprintf(format, args);
    va_end(args);

    report(FB_GUEST_FAIL, "%s", text);
    fprintf(stderr, "%s\n", text);
    power_off();
}

/* Makes sure that descriptors 0 to 2 are taken: the kernel opens them on
 * /dev/console, which may not be there yet. */
static void
reserve_stdio(void)
{
    int fd;

    do {
        fd = open("/dev/null", O_RDWR);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO) {
        close(fd);
    }
}

/* Opens 'name' in the folder 'dir' for appending. */
static int
open_channel(const char *dir, const char *name)
{
    char *file_name = xasprintf("%s/%s", dir, name);
    int fd = open(file_name, O_WRONLY | O_APPEND | O_CLOEXEC);

    if (fd < 0) {
        fail("%s: %s", file_name, ovs_strerror(errno));
    }
    free(file_name);
    return fd;
}

/* The host's folders that one of the guest's own file systems is about to
 * hide, but that the user may mean. */
struct kept_dir {
    char *name;                 /* E.g. "/run/user". */
    int fd;                     /* Opened with O_PATH, or -1. */
};

/* Makes 'kept' the folder below 'target', e.g. "/run", in which 'path' is,
 * or nothing if 'path' is elsewhere or not there. */
static void
open_kept_dir(struct kept_dir *kept, const char *target, const char *path)
{
    size_t n = strlen(target);
    struct stat s;

    kept->name = NULL;
    kept->fd = -1;
    if (path && !strncmp(path, target, n) && path[n] == '/' && path[n + 1]) {
        kept->name = xmemdup0(path, n + 1 + strcspn(path + n + 1, "/"));
        if (!stat(kept->name, &s) && S_ISDIR(s.st_mode)) {
            kept->fd = open(kept->name, O_PATH | O_DIRECTORY | O_CLOEXEC);
        }
    }
}

/* Makes 'kept' visible again under its name and frees what it holds. */
static void
restore_kept_dir(struct kept_dir *kept)
{
    if (kept->fd >= 0) {
        char *source = xasprintf("/proc/self/fd/%d", kept->fd);

        if ((mkdir(kept->name, 0755) && errno != EEXIST)
            || mount(source, kept->name, NULL, MS_BIND, NULL)) {
            fail("%s: cannot keep it visible (%s)", kept->name,
                 ovs_strerror(errno));
        }
        free(source);
        close(kept->fd);
    }
    free(kept->name);
}

/* Mounts the guest's own file systems. */
static void
mount_own_fs(void)
{
    char *link = xasprintf("%s/%s", getenv(FB_GUEST_VARIABLE), FB_GUEST_INIT);
    char *exe = follow_symlinks(link);
    struct kept_dir kept[4];

    open_kept_dir(&kept[0], "/run", "/run/user/");
    open_kept_dir(&kept[1], "/run", spec.cwd);
    open_kept_dir(&kept[2], "/run", exe);
    open_kept_dir(&kept[3], "/dev", "/dev/shm/");
    free(exe);
    free(link);

    for (size_t i = 0; i < ARRAY_SIZE(own_fs); i++) {
        const struct own_fs *fs = &own_fs[i];

        mkdir(fs->target, 0755);
        if (mount(fs->type, fs->target, fs->type, fs->flags, fs->data)) {
            fail("%s: cannot mount %s (%s)", fs->target, fs->type,
                 ovs_strerror(errno));
        }
    }
    for (size_t i = 0; i < ARRAY_SIZE(kept); i++) {
        restore_kept_dir(&kept[i]);
    }
}

/* Makes the files and folders that programs expect in what was mounted. */
static void
populate(void)
{
    static const char *const dirs[] = {
        GUEST_TMPDIR, "/run/lock", "/run/netns", "/run/openvswitch",
    };
    struct stat s;

    for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
        if (mkdir(dirs[i], 0755) && errno != EEXIST) {
            fail("%s: %s", dirs[i], ovs_strerror(errno));
        }
    }
    fb_ignore(symlink("/proc/self/fd", "/dev/fd"));
    fb_ignore(symlink("/proc/self/fd/0", "/dev/stdin"));
    fb_ignore(symlink("/proc/self/fd/1", "/dev/stdout"));
    fb_ignore(symlink("/proc/self/fd/2", "/dev/stderr"));

    /* Old systems have a folder where others have a link to /run. */
    if (!lstat("/var/run", &s) && S_ISDIR(s.st_mode)
        && mount("/run", "/var/run", NULL, MS_BIND, NULL)) {
        fail("/var/run: %s", ovs_strerror(errno));
    }
}

/* Has the kernel look for modules that it wants later in 'spec.modules', as
 * far as this is possible: where there is no modprobe, only what
 * fb_module_load() was asked for is there. */
static void
redirect_modprobe(void)
{
    const char *script = GUEST_TMPDIR "/modprobe";
    char *lib = xasprintf("%s/lib", GUEST_TMPDIR);
    char *link = xasprintf("%s/modules", lib);
    char *parent = dir_name(spec.modules);
    FILE *stream;

    if (!mkdir(lib, 0755) && !symlink(parent, link)
        && (stream = fopen(script, "we")) != NULL) {
        fprintf(stream, "#!/bin/sh\nexec /sbin/modprobe -d %s \"$@\"\n",
                GUEST_TMPDIR);
        fchmod(fileno(stream), 0755);
        fclose(stream);
        stream = fopen("/proc/sys/kernel/modprobe", "we");
        if (stream) {
            fputs(script, stream);
            fclose(stream);
        }
    }
    free(parent);
    free(link);
    free(lib);
}

/* Loads the kernel module 'name', and what it needs, into the guest's kernel.
 * Returns 0, also if it was there, or a positive errno value: ENOENT if this
 * kernel has no such module, EOPNOTSUPP outside a guest. */
int
fb_guest_load_module(const char *name)
{
    return inside ? fb_module_load(spec.modules, name) : EOPNOTSUPP;
}

/* Sets the loopback interface up. */
static void
set_loopback_up(void)
{
    struct ifreq ifr = { .ifr_name = "lo" };
    int sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    if (sock < 0 || ioctl(sock, SIOCGIFFLAGS, &ifr)) {
        fail("lo: %s", ovs_strerror(errno));
    }
    ifr.ifr_flags |= IFF_UP;
    if (ioctl(sock, SIOCSIFFLAGS, &ifr)) {
        fail("lo: %s", ovs_strerror(errno));
    }
    close(sock);
}

/* Replaces the environment by the caller's. */
static void
set_environment(void)
{
    const char *path;
    const char *s;
    size_t i;

    clearenv();
    SVEC_FOR_EACH (i, s, &spec.env) {
        putenv(xstrdup(s));
    }

    /* An ordinary user's PATH may lack the folders of root's programs. */
    path = getenv("PATH");
    char *new_path = xasprintf("%s%s/usr/local/sbin:/usr/sbin:/sbin:"
                               "/usr/local/bin:/usr/bin:/bin",
                               path ? path : "", path && *path ? ":" : "");
    setenv("PATH", new_path, 1);
    free(new_path);
    setenv("TMPDIR", GUEST_TMPDIR, 1);
}

/* Sets the guest up, as far as that is the kernel's business. */
static void
set_up(void)
{
    mount_own_fs();
    populate();
    redirect_modprobe();
    if (sethostname("fanbench-guest", strlen("fanbench-guest"))) {
        fail("hostname: %s", ovs_strerror(errno));
    }
    set_loopback_up();
    for (size_t i = 0; i < ARRAY_SIZE(modules); i++) {
        int error = fb_guest_load_module(modules[i]);

        if (error) {
            fail("%s: cannot load module %s (%s)", spec.modules, modules[i],
                 ovs_strerror(error));
        }
    }

    /* From here on the console has errors and worse only: what it prints
     * takes time from what is measured. */
    klogctl(8 /* SYSLOG_ACTION_CONSOLE_LEVEL */, NULL, 4);
}

/* Makes a pipe for what the program writes and stores its writing end in
 * '*fd'.  Returns how it goes on to the file 'to'. */
static struct fb_pump
make_pump(int to, int *fd)
{
    int fds[2];

    if (pipe2(fds, O_CLOEXEC)) {
        fail("pipe: %s", ovs_strerror(errno));
    }
    set_nonblocking(fds[0]);
    *fd = fds[1];
    return (struct fb_pump) { .from = fds[0], .to = to };
}

/* What the first process does for the rest of its life: it sees to 'program',
 * and what comes through the 'n' 'pumps', and at the program's end ends the
 * guest. */
static OVS_NO_RETURN void
be_init(pid_t program, struct fb_pump *pumps, int n)
{
    int wstatus = fb_reaper_run(program, pumps, n);

    if (WIFSIGNALED(wstatus)) {
        dprintf(pumps[1].to, "%s: killed by signal %d (%s)\n",
                spec.args.names[0], WTERMSIG(wstatus),
                strsignal(WTERMSIG(wstatus)));
        report(FB_GUEST_EXIT, "%d", 128 + WTERMSIG(wstatus));
    } else {
        report(FB_GUEST_EXIT, "%d", WEXITSTATUS(wstatus));
    }
    power_off();
}

/* Becomes the program, in a child of the first process: it has 'out' and
 * 'err' as stdout and stderr, and 'cwd' as working folder. */
static void
be_program(int out, int err, int cwd)
{
    int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);

    setsid();
    if (null_fd < 0 || dup2(null_fd, STDIN_FILENO) < 0
        || dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0
        || fchdir(cwd)) {
        fail("cannot prepare for the program (%s)", ovs_strerror(errno));
    }
    close(null_fd);
    close(out);
    close(err);
    close(cwd);
    close(status_fd);
    status_fd = -1;
    set_environment();
}

/* Turns the first process of a guest into what the user started: in an
 * initramfs, goes on to the host's files first; sets the guest up and replaces
 * '*argcp' and '*argvp' by the user's command line.  Returns in a child
 * process; the first process stays behind, and when the child ends it passes
 * the exit code on and ends the guest.  On failure it tells the host side why
 * and ends the guest.
 *
 * Call it only if fb_guest_is_init() and before there are other threads. */
void
fb_guest_init(int *argcp, char ***argvp)
{
    const char *dir = getenv(FB_GUEST_VARIABLE);
    struct fb_pump pumps[2];
    int cwd, out, err, error;
    pid_t pid;

    if (getenv(FB_GUEST_BOOT_VARIABLE)) {
        fb_guest_boot(dir);
    }

    inside = true;
    reserve_stdio();
    status_fd = open_channel(dir, FB_GUEST_STATUS);
    pumps[0] = make_pump(open_channel(dir, FB_GUEST_STDOUT), &out);
    pumps[1] = make_pump(open_channel(dir, FB_GUEST_STDERR), &err);
    fb_guest_spec_init(&spec);
    error = fb_guest_spec_read(&spec, dir);
    if (error) {
        fail("%s/%s: %s", dir, FB_GUEST_SPEC, ovs_strerror(error));
    }
    cwd = open(spec.cwd, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (cwd < 0) {
        fail("%s: %s", spec.cwd, ovs_strerror(errno));
    }
    set_up();

    report(FB_GUEST_UP, "%s", "");
    pid = fork();
    if (pid < 0) {
        fail("cannot fork (%s)", ovs_strerror(errno));
    } else if (pid) {
        close(out);
        close(err);
        be_init(pid, pumps, ARRAY_SIZE(pumps));
    }
    for (size_t i = 0; i < ARRAY_SIZE(pumps); i++) {
        close(pumps[i].from);
        close(pumps[i].to);
    }
    be_program(out, err, cwd);
    svec_terminate(&spec.args);
    *argcp = spec.args.n;
    *argvp = spec.args.names;
}

/* Inside a guest, sleeps until an ovs-vswitchd may be started; elsewhere
 * returns at once.
 *
 * count_cpu_cores() in some versions of OVS, 3.1 among them, keeps its answer
 * for 10 s of CLOCK_MONOTONIC, and takes the time 0 for that of its first
 * answer, 0 cores.  So in the first 10 s after the boot it says 0, the kernel
 * datapath gets no handler thread, and every upcall is lost.  Where the
 * machine has just booted only waiting helps, for nothing can move that
 * clock. */
void
fb_guest_wait_handlers_bug(void)
{
    /* OVS's own clock, in ms rounded down, may be behind by one tick. */
    struct timespec until = { .tv_sec = 10, .tv_nsec = 100 * 1000 * 1000 };

    while (inside
           && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL)
              == EINTR) {
        continue;
    }
}
