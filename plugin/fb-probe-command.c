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
#include "fanbench-config.h"

/* Probe of commands, as from "ovs-appctl".
 *
 * Each command is registered with a callback of ours, which calls its own.
 * What commands reply goes to fb-ovs.c if the command was called from there.
 *
 * While nothing is recorded, a command costs one branch more. */

#include <string.h>

#include "fb-clock.h"
#include "fb-mainloop.h"
#include "fb-ovs.h"
#include "fb-probe-control.h"
#include "fb-recording.h"
#include "fb-returns.h"
#include "fb-thread.h"
#include "fb-wrap.h"
#include "openvswitch/json.h"
#include "openvswitch/shash.h"
#include "unixctl.h"
#include "util.h"

FB_PROBED(void, unixctl_command_register,
          (const char *, const char *, int, int, unixctl_cb_func *, void *));
FB_PROBED(void, unixctl_command_reply, (struct unixctl_conn *, const char *));
FB_PROBED(void, unixctl_command_reply_error,
          (struct unixctl_conn *, const char *));
#if FANBENCH_HAVE_UNIXCTL_REPLY_JSON
FB_PROBED(void, unixctl_command_reply_json,
          (struct unixctl_conn *, struct json *));
FB_PROBED(enum unixctl_output_fmt, unixctl_command_get_output_format,
          (struct unixctl_conn *));
#endif

/* Stands between the server of commands and a command. */
struct command_shim {
    unixctl_cb_func *cb;        /* The command's callback. */
    void *aux;                  /* The last argument of that. */
};

/* All commands: each a struct command_shim. */
static struct shash shims = SHASH_INITIALIZER(&shims);

/* Stores in 'name', of 'size' bytes, the command line 'argv', as far as it
 * fits. */
static void
format_command(char *name, size_t size, int argc, const char *argv[])
{
    size_t n = 0;

    name[0] = '\0';
    for (int i = 0; i < argc && n + 1 < size; i++) {
        if (i) {
            name[n++] = ' ';
            name[n] = '\0';
        }
        ovs_strzcpy(&name[n], argv[i], size - n);
        n += strlen(&name[n]);
    }
}

/* Runs the command whose shim is 'shim_'. */
static void
run_command(struct unixctl_conn *conn, int argc, const char *argv[],
            void *shim_)
{
    const struct command_shim *shim = shim_;
    unsigned int epoch = fb_recording_epoch();
    char name[FB_SPAN_NAME];
    struct fb_span span;

    if (OVS_LIKELY(!epoch)
        || fb_thread_self(epoch)->role != FB_ROLE_MAIN) {
        shim->cb(conn, argc, argv, shim->aux);
        return;
    }
    fb_returns_command(argv[0], fb_clock_ticks());
    format_command(name, sizeof name, argc, argv);
    fb_mainloop_enter(&span, epoch, FB_ACT_COMMAND, fb_clock_ticks());
    shim->cb(conn, argc, argv, shim->aux);
    fb_mainloop_leave(&span, fb_recording_epoch(), name, fb_clock_ticks());
}

/* A command is registered. */
void
FB_WRAP(unixctl_command_register)(const char *name, const char *usage,
                                  int min_args, int max_args,
                                  unixctl_cb_func *cb, void *aux)
{
    if (!shash_find(&shims, name)) {
        struct command_shim *shim = xmalloc(sizeof *shim);

        shim->cb = fb_probe_control_command(name, cb, aux);
        shim->aux = aux;
        shash_add(&shims, name, shim);
        FB_REAL(unixctl_command_register)(name, usage, min_args, max_args,
                                          run_command, shim);
    }
}

/* A command replies. */
void
FB_WRAP(unixctl_command_reply)(struct unixctl_conn *conn, const char *result)
{
    if (fb_ovs_is_query(conn)) {
        fb_ovs_replied(result ? result : "");
    } else {
        FB_REAL(unixctl_command_reply)(conn, result);
    }
}

/* A command replies with an error. */
void
FB_WRAP(unixctl_command_reply_error)(struct unixctl_conn *conn,
                                     const char *error)
{
    if (fb_ovs_is_query(conn)) {
        fb_ovs_replied(NULL);
    } else {
        FB_REAL(unixctl_command_reply_error)(conn, error);
    }
}

#if FANBENCH_HAVE_UNIXCTL_REPLY_JSON
/* A command replies with JSON, which queries do not ask for. */
void
FB_WRAP(unixctl_command_reply_json)(struct unixctl_conn *conn,
                                    struct json *body)
{
    if (fb_ovs_is_query(conn)) {
        json_destroy(body);
    } else {
        FB_REAL(unixctl_command_reply_json)(conn, body);
    }
}

/* A command wants to know in what format to reply. */
enum unixctl_output_fmt
FB_WRAP(unixctl_command_get_output_format)(struct unixctl_conn *conn)
{
    return (fb_ovs_is_query(conn) ? UNIXCTL_OUTPUT_FMT_TEXT
            : FB_REAL(unixctl_command_get_output_format)(conn));
}
#endif
