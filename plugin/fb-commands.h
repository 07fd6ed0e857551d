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

#ifndef FB_COMMANDS_H
#define FB_COMMANDS_H 1

/* The fanbench/... commands of "ovs-appctl".  See ovs-fanbench-plugin(8). */

#include <stdbool.h>

struct json;
struct unixctl_conn;

void fb_commands_register(void);

/* For commands in other files. */
bool fb_commands_wants_json(struct unixctl_conn *);
void fb_commands_reply_json(struct unixctl_conn *, struct json *);

#endif /* fb-commands.h */
