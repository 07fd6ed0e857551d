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

#include "fb-appctl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "jsonrpc.h"
#include "openvswitch/json.h"
#include "openvswitch/poll-loop.h"
#include "stream.h"
#include "timeval.h"
#include "util.h"

/* How long a daemon may take for an answer, in ms: no less than what ovs-vsctl
 * is given for a thousand ports. */
#define TIMEOUT_MS (60 * 1000)

/* Connects to the daemon whose control socket is 'socket' and stores the
 * connection in '*rpcp', for the caller to close with jsonrpc_close().
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_appctl_open(const char *socket, struct jsonrpc **rpcp)
{
    struct stream *stream;

    *rpcp = NULL;
    char *name = xasprintf("unix:%s", socket);
    int error = stream_open_block(stream_open(name, &stream, DSCP_DEFAULT),
                                  TIMEOUT_MS, &stream);
    free(name);
    if (error) {
        return xasprintf("%s: cannot connect (%s)", socket,
                         ovs_strerror(error));
    }
    *rpcp = jsonrpc_open(stream);
    return NULL;
}

/* Sends 'request', which this function frees, over 'rpc' and waits for the
 * reply.  Returns 0 and stores it in '*replyp', for the caller to destroy; or
 * returns a positive errno value, ETIMEDOUT if there is none, or EOF. */
static int
transact(struct jsonrpc *rpc, struct jsonrpc_msg *request,
         struct jsonrpc_msg **replyp)
{
    long long int deadline = time_msec() + TIMEOUT_MS;
    struct json *id = json_clone(request->id);

    *replyp = NULL;
    int error = jsonrpc_send(rpc, request);
    while (!error) {
        struct jsonrpc_msg *msg = NULL;

        jsonrpc_run(rpc);
        int retval = jsonrpc_recv(rpc, &msg);
        if (msg && (msg->type == JSONRPC_REPLY || msg->type == JSONRPC_ERROR)
            && json_equal(id, msg->id)) {
            *replyp = msg;
            break;
        }
        jsonrpc_msg_destroy(msg);
        if (retval && retval != EAGAIN) {
            error = retval;
        } else if (time_msec() >= deadline) {
            error = ETIMEDOUT;
        } else if (retval) {
            jsonrpc_wait(rpc);
            jsonrpc_recv_wait(rpc);
            poll_timer_wait_until(deadline);
            poll_block();
        }
    }
    json_destroy(id);
    return error;
}

/* Sends 'command' with the arguments that follow, up to a NULL, over 'rpc'.
 * If 'replyp' is nonnull, stores the reply in '*replyp', which the caller must
 * free().
 *
 * Returns NULL if successful, otherwise a malloc()'d error message and a null
 * '*replyp'. */
char *
fb_appctl(struct jsonrpc *rpc, char **replyp, const char *command, ...)
{
    struct json *params = json_array_create_empty();
    struct jsonrpc_msg *reply;
    char *error = NULL;
    const char *arg;
    va_list args;

    if (replyp) {
        *replyp = NULL;
    }
    va_start(args, command);
    while ((arg = va_arg(args, const char *)) != NULL) {
        json_array_add(params, json_string_create(arg));
    }
    va_end(args);

    int retval = transact(rpc, jsonrpc_create_request(command, params, NULL),
                          &reply);
    if (retval == ETIMEDOUT) {
        return xasprintf("%s: no answer within %d s", command,
                         TIMEOUT_MS / 1000);
    } else if (retval) {
        return xasprintf("%s: cannot be sent (%s)", command,
                         ovs_retval_to_string(retval));
    }
    if (reply->error && reply->error->type == JSON_STRING) {
        error = xasprintf("%s: %s", command, json_string(reply->error));
    } else if (!reply->result || reply->result->type != JSON_STRING) {
        error = xasprintf("%s: the reply is not text", command);
    } else if (replyp) {
        *replyp = xstrdup(json_string(reply->result));
    }
    jsonrpc_msg_destroy(reply);
    return error;
}
