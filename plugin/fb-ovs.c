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

#include "fb-ovs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "openvswitch/compiler.h"
#include "util.h"

/* A command of OVS. */
struct command {
    const char *name;           /* As ovs-appctl knows it. */
    fb_ovs_cb_func *cb;         /* What does it; null until registered. */
    void *aux;                  /* Its last argument. */
};

static struct command read_counter = { .name = "coverage/read-counter" };
static struct command upcall_show = { .name = "upcall/show" };

/* Does the calling thread run a command, and what did that reply? */
static __thread bool catching;
static __thread char *caught;

/* OVS has registered 'command', which 'cb' does, given 'aux'. */
void
fb_ovs_registered(const char *command, fb_ovs_cb_func *cb, void *aux)
{
    struct command *wanted[] = { &read_counter, &upcall_show };

    for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
        if (!strcmp(command, wanted[i]->name)) {
            wanted[i]->cb = cb;
            wanted[i]->aux = aux;
        }
    }
}

/* A command has replied with 'body', which is null if that is an error.
 * Returns true if it was called from here, and no client waits for that. */
bool
fb_ovs_catch_reply(const char *body)
{
    if (OVS_LIKELY(!catching)) {
        return false;
    }
    free(caught);
    caught = nullable_xstrdup(body);
    return true;
}

/* Runs 'command', with 'arg' unless that is null.  Returns its reply, which
 * the caller must free, or null if it is unknown or failed. */
static char *
run_command(const struct command *command, const char *arg)
{
    /* No command looks at its connection, but for the format of its output,
     * in which zero is text. */
    static union {
        uint64_t align;         /* As aligned as a pointer has to be. */
        char zeros[4096];       /* More than a connection has. */
    } conn;
    const char *argv[] = { command->name, arg, NULL };
    char *reply;

    if (command->cb) {
        catching = true;
        command->cb((struct unixctl_conn *) &conn, arg ? 2 : 1, argv,
                    command->aux);
        catching = false;
    }
    reply = caught;
    caught = NULL;
    return reply;
}

/* Stores in '*n' the value of OVS's coverage counter 'name'.  What other
 * threads counted is in it about a second later.  Returns false, and stores 0,
 * if this version of OVS has no such counter. */
bool
fb_ovs_read_counter(const char *name, uint64_t *n)
{
    char *reply = run_command(&read_counter, name);
    bool ok = reply != NULL;

    *n = ok ? strtoull(reply, NULL, 10) : 0;
    free(reply);
    return ok;
}

/* Returns the present flow limit of the datapath called 'dp_name', or 0 if it
 * is not known. */
unsigned int
fb_ovs_flow_limit(const char *dp_name)
{
    char *reply = run_command(&upcall_show, NULL);
    char *heading = xasprintf("%s:\n", dp_name);
    const char *section = reply ? strstr(reply, heading) : NULL;
    const char *limit = section ? strstr(section, "(limit ") : NULL;
    unsigned int n = 0;

    if (limit && !ovs_scan(limit, "(limit %u)", &n)) {
        n = 0;
    }
    free(heading);
    free(reply);
    return n;
}
