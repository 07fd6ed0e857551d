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

#include "fb-slow-flows.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

/* Returns true if 'word' is among 'words', which are separated by commas and
 * end with a parenthesis. */
static bool
has_word(const char *words, const char *word)
{
    size_t len = strlen(word);

    for (;;) {
        size_t n = strcspn(words, ",)");

        if (n == len && !memcmp(words, word, len)) {
            return true;
        } else if (words[n] != ',') {
            return false;
        }
        words += n + 1;
    }
}

/* Adds 'line', a flow of dpctl/dump-flows, to '*slow'.
 *
 * format_odp_userspace_action() in OVS's odp-util.c writes what is looked for
 * here, and SLOW_PATH_REASONS in odp-util.h names the reasons. */
static void
count_line(const char *line, struct fb_slow_flows *slow)
{
    static const char start[] = ",slow_path(";
    const char *reasons = strstr(line, start);
    bool controller = strstr(line, ",controller(reason=") != NULL;
    bool action = false, match = false;

    if (reasons) {
        reasons += strlen(start);
        action = has_word(reasons, "action");
        match = has_word(reasons, "match");
    }
    slow->action += action;
    slow->match += match;
    slow->controller += controller;
    slow->n += action || match || controller;
}

/* Counts the flows in 'flows', what "dpctl/dump-flows" prints, whose packets
 * all go through ovs-vswitchd; but not those of protocols that it takes part
 * in itself, such as LACP and BFD. */
struct fb_slow_flows
fb_slow_flows_count(const char *flows)
{
    struct fb_slow_flows slow = { .n = 0 };

    while (*flows) {
        size_t n = strcspn(flows, "\n");
        char *line = xmemdup0(flows, n);

        count_line(line, &slow);
        free(line);
        flows += n + (flows[n] != '\0');
    }
    return slow;
}
