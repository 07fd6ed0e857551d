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

#ifndef FB_FLOWS_COMMAND_H
#define FB_FLOWS_COMMAND_H 1

/* The command fanbench/flows.
 *
 * Its search goes on in slices, one each time that the main loop turns; the
 * reply comes when it is done.  Until then the connection waits, as OVS's
 * unixctl has it.
 *
 * Thread rules: main thread only. */

void fb_flows_command_register(void);

/* Called by the main loop. */
void fb_flows_command_run(void);
void fb_flows_command_wait(void);

#endif /* fb-flows-command.h */
