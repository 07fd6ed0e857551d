/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */

#include <config.h>
#include "fanbench-test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

/* All tables of tests. */
static const struct ovs_cmdl_command *const tables[] = {
    test_ceiling_commands,
    test_cpu_commands,
    test_generator_commands,
    test_groups_commands,
    test_hist_commands,
    test_latency_commands,
    test_line_commands,
    test_load_commands,
    test_curve_commands,
    test_mark_commands,
    test_order_commands,
    test_losses_commands,
    test_packet_commands,
    test_pktgen_commands,
    test_plan_commands,
    test_rng_commands,
    test_search_commands,
    test_stats_commands,
    test_tcp_commands,
    test_traffic_commands,
};

/* Reports that 'condition' does not hold at 'where' and exits. */
void
check_failed(const char *where, const char *condition)
{
    ovs_fatal(0, "%s: check failed: %s", where, condition);
}

/* Returns the table that holds the test called 'name', NULL if none does. */
static const struct ovs_cmdl_command *
find_table(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
        for (const struct ovs_cmdl_command *c = tables[i]; c->name; c++) {
            if (!strcmp(c->name, name)) {
                return tables[i];
            }
        }
    }
    return NULL;
}

int
main(int argc, char *argv[])
{
    set_program_name(argv[0]);
    if (argc < 2) {
        printf("usage: %s TEST [ARG]...\nTests:\n", program_name);
        for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
            ovs_cmdl_print_commands(tables[i]);
        }
        return EXIT_FAILURE;
    }

    const struct ovs_cmdl_command *table = find_table(argv[1]);

    if (!table) {
        ovs_fatal(0, "%s: no such test", argv[1]);
    }

    struct ovs_cmdl_context ctx = { .argc = argc - 1, .argv = argv + 1 };

    ovs_cmdl_run_command(&ctx, table);
    return EXIT_SUCCESS;
}
