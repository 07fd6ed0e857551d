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

#ifndef FANBENCH_TEST_H
#define FANBENCH_TEST_H 1

/* What the unit tests share. */

#include "command-line.h"
#include "compiler.h"

/* Ends the program with a message that names the place and the condition
 * unless 'CONDITION' holds. */
#define CHECK(CONDITION)                                \
    ((CONDITION)                                        \
     ? (void) 0                                         \
     : check_failed(OVS_SOURCE_LOCATOR, #CONDITION))

OVS_NO_RETURN void check_failed(const char *where, const char *condition);

/* The tests, one table a file, each ended by an element of zeros. */
extern const struct ovs_cmdl_command test_ceiling_commands[];
extern const struct ovs_cmdl_command test_cpu_commands[];
extern const struct ovs_cmdl_command test_generator_commands[];
extern const struct ovs_cmdl_command test_curve_commands[];
extern const struct ovs_cmdl_command test_groups_commands[];
extern const struct ovs_cmdl_command test_hist_commands[];
extern const struct ovs_cmdl_command test_latency_commands[];
extern const struct ovs_cmdl_command test_line_commands[];
extern const struct ovs_cmdl_command test_load_commands[];
extern const struct ovs_cmdl_command test_mark_commands[];
extern const struct ovs_cmdl_command test_order_commands[];
extern const struct ovs_cmdl_command test_losses_commands[];
extern const struct ovs_cmdl_command test_packet_commands[];
extern const struct ovs_cmdl_command test_pktgen_commands[];
extern const struct ovs_cmdl_command test_plan_commands[];
extern const struct ovs_cmdl_command test_rng_commands[];
extern const struct ovs_cmdl_command test_search_commands[];
extern const struct ovs_cmdl_command test_stats_commands[];
extern const struct ovs_cmdl_command test_tcp_commands[];
extern const struct ovs_cmdl_command test_traffic_commands[];

#endif /* fanbench-test.h */
