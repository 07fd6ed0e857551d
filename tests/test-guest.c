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

/* Runs itself in a guest: what the tests of the guest look at.
 *
 * "test-guest run RUNDIR TIMEOUT COMMAND [ARG...]" runs COMMAND in a guest
 * whose deadline is TIMEOUT seconds, "test-guest cleanup RUNDIR" ends what
 * such a run left behind, and each other COMMAND shows one property.  The
 * environment variable TEST_GUEST_KIND says what kind of guest, uml if it is
 * not set. */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command-line.h"
#include "fb-guest-init.h"
#include "fb-guest.h"
#include "socket-util.h"
#include "util.h"

static char *program;           /* argv[0] of main(). */

#ifndef __has_feature
#define __has_feature(FEATURE) 0
#endif

/* Returns the kind of guest to run. */
static const struct fb_guest_kind *
get_kind(void)
{
    const char *name = getenv("TEST_GUEST_KIND");
    const struct fb_guest_kind *kind;

    kind = fb_guest_kind_find(name ? name : "uml");
    if (!kind) {
        ovs_fatal(0, "%s: no such kind of guest", name);
    }
    return kind;
}

/* Is the guest's clock to count instructions? */
static bool
must_count(void)
{
    const char *clock = getenv("TEST_GUEST_CLOCK");

    return clock && !strcmp(clock, "instructions");
}

/* "find": is a guest possible here?  Exits with 77 if not. */
static void
do_find(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_guest_kernel kernel;
    char *why;

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
    puts("a program with AddressSanitizer cannot start in a guest");
    exit(77);
#endif

    if (must_count() && !get_kind()->can_count) {
        printf("%s cannot count instructions\n", get_kind()->title);
        exit(77);
    }
    if (get_kind()->find(&kernel, &why)) {
        printf("%s\n", why);
        exit(77);
    }
    printf("%s %s\n", kernel.program, kernel.modules);
    fb_guest_kernel_destroy(&kernel);
}

/* "run RUNDIR TIMEOUT COMMAND [ARG...]". */
static void
do_run(struct ovs_cmdl_context *ctx)
{
    const struct fb_guest_kind *kind = get_kind();
    struct fb_guest_config config = {
        .argv = ctx->argv + 2,
        .kind = kind,
        .machine = {
            .mem_mb = 512 + kind->mem_mb,
            .n_cpus = must_count() ? 1 : kind->default_cpus,
            .counts = must_count(),
        },
        .timeout_s = atoi(ctx->argv[2]),
        .progress = true,
        .rundir = ctx->argv[1],
    };
    int exit_code, error;
    char *message;

    ctx->argv[2] = program;
    error = fb_guest_run(&config, &exit_code, &message);
    if (error) {
        fprintf(stderr, "%s: %s\n", ovs_strerror(error), message);
        free(message);
        exit(70);
    }
    exit(exit_code);
}

/* "cleanup RUNDIR". */
static void
do_cleanup(struct ovs_cmdl_context *ctx)
{
    int error = fb_guest_cleanup(ctx->argv[1]);

    if (error) {
        ovs_fatal(error, "cleanup");
    }
}

/* "args [ARG...]": prints each argument to stdout, and their number to
 * stderr. */
static void
do_args(struct ovs_cmdl_context *ctx)
{
    for (int i = 1; i < ctx->argc; i++) {
        printf("<%s>\n", ctx->argv[i]);
    }
    fprintf(stderr, "%d arguments\n", ctx->argc - 1);
}

/* "cat FILE": copies a file to stdout. */
static void
do_cat(struct ovs_cmdl_context *ctx)
{
    FILE *stream = fopen(ctx->argv[1], "re");
    char buffer[65536];
    size_t n;

    if (!stream) {
        ovs_fatal(errno, "%s", ctx->argv[1]);
    }
    while ((n = fread(buffer, 1, sizeof buffer, stream)) > 0) {
        fwrite(buffer, 1, n, stdout);
    }
    fclose(stream);
}

/* "exit CODE". */
static void
do_exit(struct ovs_cmdl_context *ctx)
{
    exit(atoi(ctx->argv[1]));
}

/* "env NAME": prints the value of an environment variable. */
static void
do_env(struct ovs_cmdl_context *ctx)
{
    const char *value = getenv(ctx->argv[1]);

    printf("%s\n", value ? value : "(unset)");
}

/* "state": prints what a program finds in the guest. */
static void
do_state(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct utsname u;
    char *cwd = get_cwd();
    struct stat s;

    uname(&u);
    printf("inside=%d progress=%d uid=%d pid1=%d host=%s cwd=%s tun=%d\n",
           fb_guest_is_inside(), fb_guest_progress(), (int) getuid(),
           getpid() == 1, u.nodename, cwd,
           !stat("/dev/net/tun", &s) && S_ISCHR(s.st_mode));
    free(cwd);
}

/* "shell COMMAND": runs a shell command and exits as it does. */
static void
do_shell(struct ovs_cmdl_context *ctx)
{
    int wstatus;

    fflush(stdout);
    wstatus = system(ctx->argv[1]);
    exit(WIFEXITED(wstatus) ? WEXITSTATUS(wstatus) : 99);
}

/* "load MODULE": loads a kernel module in the guest. */
static void
do_load(struct ovs_cmdl_context *ctx)
{
    int error = fb_guest_load_module(ctx->argv[1]);

    if (error) {
        ovs_fatal(error, "%s", ctx->argv[1]);
    }
}

/* "hang": says so on the guest's console, and does nothing for ever. */
static void
do_hang(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    FILE *stream = fopen("/dev/kmsg", "we");

    if (stream) {
        fprintf(stream, "<2>test-guest hangs now\n");
        fclose(stream);
    }
    puts("hanging");
    fflush(stdout);
    for (;;) {
        pause();
    }
}

/* "crash": makes the guest's kernel panic. */
static void
do_crash(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    FILE *stream = fopen("/proc/sysrq-trigger", "we");

    if (stream) {
        puts("crashing");
        fflush(stdout);
        /* The guest's first process passes that on. */
        xsleep(1);
        putc('c', stream);
        fclose(stream);
    }
    exit(1);
}

/* "abort": dies of a signal. */
static void
do_abort(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    raise(SIGABRT);
}

/* "wait": prints CLOCK_MONOTONIC in s after the wait for OVS. */
static void
do_wait(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct timespec ts;

    fb_guest_wait_handlers_bug();
    clock_gettime(CLOCK_MONOTONIC, &ts);
    printf("%lld\n", (long long int) ts.tv_sec);
}

static const struct ovs_cmdl_command commands[] = {
    { "find", "", 0, 0, do_find, OVS_RO },
    { "run", "RUNDIR TIMEOUT COMMAND [ARG...]", 3, INT_MAX, do_run, OVS_RW },
    { "cleanup", "RUNDIR", 1, 1, do_cleanup, OVS_RW },
    { "args", "[ARG...]", 0, INT_MAX, do_args, OVS_RO },
    { "cat", "FILE", 1, 1, do_cat, OVS_RO },
    { "exit", "CODE", 1, 1, do_exit, OVS_RO },
    { "env", "NAME", 1, 1, do_env, OVS_RO },
    { "state", "", 0, 0, do_state, OVS_RO },
    { "shell", "COMMAND", 1, 1, do_shell, OVS_RW },
    { "load", "MODULE", 1, 1, do_load, OVS_RW },
    { "hang", "", 0, 0, do_hang, OVS_RO },
    { "crash", "", 0, 0, do_crash, OVS_RW },
    { "abort", "", 0, 0, do_abort, OVS_RO },
    { "wait", "", 0, 0, do_wait, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};

int
main(int argc, char *argv[])
{
    if (fb_guest_is_init()) {
        fb_guest_init(&argc, &argv);
    }
    set_program_name(argv[0]);

    program = argv[0];
    struct ovs_cmdl_context ctx = { .argc = argc - 1, .argv = argv + 1 };
    ovs_cmdl_run_command(&ctx, commands);
    return 0;
}
