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

#ifndef PLUGIN_TEST_H
#define PLUGIN_TEST_H 1

/* What the unit tests of the plugin share: main(), which runs one of the
 * tests of the program that it is linked into. */

#include "command-line.h"
#include "fb-clock.h"

/* The program's tests, one a property, ended by an element of zeros, and the
 * clock that they want. */
extern const struct ovs_cmdl_command plugin_tests[];
extern const enum fb_clock_source plugin_tests_clock;

#endif /* plugin-test.h */
