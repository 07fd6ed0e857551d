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

#ifndef FB_DELAY_H
#define FB_DELAY_H 1

/* Delays of known size, for tests.
 *
 * OVS_FANBENCH_TEST_DELAY in the environment, as in "dump:1400,put:20", makes
 * each recorded event of a kind take so many milliseconds longer, so that a
 * test knows which figure has to grow and by how much.  Nothing is delayed
 * unless a recording goes on.
 *
 * Thread rules: fb_delay_init() is called while there is one thread. */

#include <stdbool.h>
#include "openvswitch/compiler.h"

/* Where a delay may be. */
enum fb_delay {
    FB_DELAY_DUMP,              /* Once a round: creating its dump. */
    FB_DELAY_LOCK,              /* Each thread's first lock of a round. */
    FB_DELAY_PUT,               /* Each batch with a flow put in it. */
    FB_DELAY_REVALIDATION,      /* After each batch of flows of a round. */
    FB_DELAY_UPCALL,            /* Each upcall: finding out what to do. */
    FB_N_DELAYS
};

/* Is there any delay?  Internal. */
extern bool fb_delay_any__;

void fb_delay_init(const char *spec);
void fb_delay_sleep__(enum fb_delay);

/* Sleeps as long as is wanted at 'delay', as a rule not at all. */
static inline void
fb_delay(enum fb_delay delay)
{
    if (OVS_UNLIKELY(fb_delay_any__)) {
        fb_delay_sleep__(delay);
    }
}

#endif /* fb-delay.h */
