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

#include "fb-options-command.h"

#include <string.h>

#include "fb-options.h"
#include "svec.h"
#include "util.h"

/* Most options of a command but "run". */
#define MAX_OPTIONS 3

/* The options of commands but "run", beside those that all commands have. */
static const struct {
    const char *command;
    const char *options[MAX_OPTIONS]; /* Without "--"; the rest is null. */
} others[] = {
    { "doctor", { "db", "interval", "output" } },
    { "describe", { "db", "output" } },
    { "list", { "output" } },
    { "cleanup", { NULL } },
    { "list-commands", { NULL } },
    { "help", { NULL } },
};

/* Is the option 'name' one that 'command' would ignore?  Of what is no
 * command, something else is to be said. */
static bool
is_idle(const char *command, const char *name)
{
    if (!strcmp(command, "run")) {
        return !strcmp(name, "interval");
    }
    for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
        if (!strcmp(others[i].command, command)) {
            for (size_t j = 0; j < MAX_OPTIONS && others[i].options[j]; j++) {
                if (!strcmp(others[i].options[j], name)) {
                    return false;
                }
            }
            return true;
        }
    }
    return false;
}

/* Exits with an error message if 'options' has one that 'command' would
 * ignore. */
void
fb_options_check_command(const struct fb_options *options, const char *command)
{
    for (size_t i = 0; i < options->given.n; i++) {
        const char *name = options->given.names[i];
        if (is_idle(command, name)) {
            ovs_fatal(0, "--%s: \"%s\" has no such option; use --help for "
                      "help", name, command);
        }
    }
}

/* Exits with an error message if 'options' has one that makes no difference to
 * what --pcap writes. */
void
fb_options_check_pcap(const struct fb_options *options)
{
    static const char *const idle[] = {
        "duts", "db", "uplink", "vswitchd", "guest", "guest-cpus", "no-guest",
        "backend", "threads", "cpus", "tune", "no-spinner", "precision",
        "max-time", "trials", "builds", "search", "loss-ratio", "sweep",
        "warmup", "latency-rate", "latency-at", "no-latency", "check-order",
        "output"
    };

    for (size_t i = 0; i < ARRAY_SIZE(idle); i++) {
        if (svec_contains_unsorted(&options->given, idle[i])) {
            ovs_fatal(0, "--pcap: writes packets and runs nothing, which does "
                      "not go with --%s", idle[i]);
        }
    }
}
