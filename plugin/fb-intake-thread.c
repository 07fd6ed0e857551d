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
#include "fanbench-config.h"

#include "fb-intake-thread.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "fb-ignore.h"
#include "fb-intake.h"
#include "fb-ledger-life.h"
#include "fb-recording.h"
#include "fb-spin.h"
#include "fb-wake.h"
#include "ovs-thread.h"
#include "util.h"

/* How long events wait at most while recording, in ms. */
#define INTERVAL_MS 500

/* The lowest priority that an ordinary thread can have. */
#define NICE 19

/* Woken up when there is something to do. */
static struct fb_wake wake;
static bool can_wake;           /* Can it be? */

/* The thread.  It gets memory for the ledger, too. */
static void *
intake_main(void *aux OVS_UNUSED)
{
    /* Of the calling thread only, in Linux. */
    fb_ignore(setpriority(PRIO_PROCESS, 0, NICE));
    fb_spin_be_patient();
    for (;;) {
        unsigned int epoch = fb_recording_epoch();

        int timeout = epoch || !can_wake ? INTERVAL_MS : -1;

        fb_intake_drain(UINT64_MAX);
        if (fb_ledger_fill(epoch)) {
            timeout = 0;
        }
        fb_wake_wait(&wake, timeout);
    }
    return NULL;
}

/* A thread that does nothing. */
static void *
do_nothing(void *aux)
{
    return aux;
}

/* Says whether the process may have one more thread.  OVS's own function
 * aborts it otherwise. */
static bool
may_have_thread(void)
{
    pthread_t thread;

    return (!pthread_create(&thread, NULL, do_nothing, NULL)
            && !pthread_join(thread, NULL));
}

/* Starts the thread when the first recording goes on, and wakes it when
 * another does.  Without it, threads that have events apply them themselves,
 * some at a time. */
void
fb_intake_thread_run(void)
{
    static unsigned int last_epoch;
    static bool tried, runs;
    unsigned int epoch = fb_recording_epoch();

    if (OVS_LIKELY(epoch == last_epoch)) {
        return;
    }
    last_epoch = epoch;
    if (epoch && !tried) {
        tried = true;
        runs = may_have_thread();
        if (runs) {
            can_wake = fb_wake_init(&wake);
            fb_intake_set_wake(&wake);
            ovs_thread_create("fanbench", intake_main, NULL);
        }
    } else if (epoch && runs) {
        fb_wake_up(&wake);
    }
}
