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

#include "fb-like.h"

#include <stdlib.h>
#include <string.h>

#include "fb-like-read.h"
#include "openvswitch/json.h"
#include "util.h"

/* Fills in 'like' from the file 'name'. */
static char *
read_file(struct fb_like *like, const char *name)
{
    struct json *json = json_from_file(name);
    char *error = (json->type == JSON_STRING
                   ? xstrdup(json_string(json))
                   : fb_like_from_json(like, json));

    json_destroy(json);
    if (error) {
        /* Errors of files that cannot be read begin with their name. */
        char *whole = (strstr(error, name) ? xstrdup(error)
                       : xasprintf("%s: %s", name, error));
        free(error);
        return whole;
    }
    return NULL;
}

/* Fills in 'like', which is initialized and empty, with what the bridge 'name'
 * is like: one of the Open vSwitch whose database is 'db' ("unix:SOCKET", or
 * NULL for the usual one), or else a Linux bridge of this network namespace.
 * If there is a slash in 'name' it is instead a file that holds what
 * fb_like_to_json() has made. */
char *
fb_like_read(struct fb_like *like, const char *name, const char *db)
{
    bool found = false;

    if (strchr(name, '/')) {
        return read_file(like, name);
    }
    char *error = fb_like_read_ovs(like, name, db, &found);
    if (!error && !found && !db) {
        error = fb_like_read_linux(like, name, &found);
    }
    if (!error && !found) {
        error = xasprintf(
            db ? "%s: the Open vSwitch of --db has no such bridge"
            : "%s: there is no such bridge, neither Open vSwitch's nor Linux's"
            " (use --db=unix:SOCKET for another Open vSwitch)", name);
    }
    return error;
}
