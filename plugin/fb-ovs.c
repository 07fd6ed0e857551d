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

#include <stdlib.h>
#include <string.h>

#include "openvswitch/compiler.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* A command of OVS. */
struct command {
    const char *name;           /* As ovs-appctl knows it. */
    fb_ovs_cb_func *cb;         /* What does it; null until registered. */
    void *aux;                  /* Its last argument. */
};

/* The commands that are asked: all reply before they return. */
static struct command commands[] = {
    { .name = "coverage/read-counter" },
    { .name = "fdb/stats-show" },
    { .name = "ofproto/list" },
    { .name = "upcall/show" },
};

/* What queries pass as their connection.  The probe of commands keeps it from
 * all that would look into it; should it be looked into all the same, there
 * is as much of it as of a connection. */
static union {
    uint64_t align;             /* As aligned as a pointer has to be. */
    char zeros[4096];           /* More than a connection has. */
} query_conn;

/* Where the reply to the calling thread's query goes, and whether it came and
 * was no error. */
static __thread struct ds *reply;
static __thread bool replied;

/* Returns the command called 'name', or null if it is none that is asked. */
static struct command *
find_command(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
        if (!strcmp(name, commands[i].name)) {
            return &commands[i];
        }
    }
    return NULL;
}

/* OVS has registered the command 'name', which 'cb' does, given 'aux'. */
void
fb_ovs_registered(const char *name, fb_ovs_cb_func *cb, void *aux)
{
    struct command *command = find_command(name);

    if (command) {
        command->cb = cb;
        command->aux = aux;
    }
}

/* Says whether 'conn' stands for a query, so that no client waits for the
 * reply. */
bool
fb_ovs_is_query(const struct unixctl_conn *conn)
{
    return OVS_UNLIKELY(conn == (const struct unixctl_conn *) &query_conn);
}

/* The calling thread's query was replied to with 'body', or with an error if
 * that is null. */
void
fb_ovs_replied(const char *body)
{
    replied = body != NULL;
    if (body) {
        ds_put_cstr(reply, body);
    }
}

/* Runs 'name', one of the commands above, with the one argument 'arg', or with
 * none if that is null.  Appends the reply to 'ds'.  Returns false if this OVS
 * has no such command, or not yet, or if it fails. */
bool
fb_ovs_query(const char *name, const char *arg, struct ds *ds)
{
    const struct command *command = find_command(name);
    const char *argv[] = { name, arg, NULL };

    if (!command || !command->cb) {
        return false;
    }
    reply = ds;
    replied = false;
    command->cb((struct unixctl_conn *) &query_conn, arg ? 2 : 1, argv,
                command->aux);
    reply = NULL;
    return replied;
}

/* Stores in '*n' the value of OVS's coverage counter 'name'.  What other
 * threads counted is in it about a second later.  Returns false, and stores 0,
 * if this version of OVS has no such counter. */
bool
fb_ovs_read_counter(const char *name, uint64_t *n)
{
    struct ds ds = DS_EMPTY_INITIALIZER;
    bool ok = fb_ovs_query("coverage/read-counter", name, &ds);

    *n = ok ? strtoull(ds_cstr(&ds), NULL, 10) : 0;
    ds_destroy(&ds);
    return ok;
}

/* Returns the present flow limit of the datapath called 'dp_name', or 0 if it
 * is not known. */
unsigned int
fb_ovs_flow_limit(const char *dp_name)
{
    struct ds ds = DS_EMPTY_INITIALIZER;
    char *heading = xasprintf("%s:\n", dp_name);
    const char *section, *limit;
    unsigned int n = 0;

    fb_ovs_query("upcall/show", NULL, &ds);
    section = strstr(ds_cstr(&ds), heading);
    limit = section ? strstr(section, "(limit ") : NULL;
    if (limit && !ovs_scan(limit, "(limit %u)", &n)) {
        n = 0;
    }
    free(heading);
    ds_destroy(&ds);
    return n;
}
