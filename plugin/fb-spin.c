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

#include "fb-spin.h"

#include <sched.h>
#include <unistd.h>

#include "util.h"

/* Tries before the CPU is given up: some microseconds, for which a thread that
 * is not interrupted holds such a lock. */
#define SPINS 2000

/* Times to let other threads have the CPU before giving up: again some
 * microseconds, if none of them wants it. */
#define YIELDS 50

/* Microseconds between the tries of patient threads after that. */
#define PAUSE_US 100

/* Does the calling thread wait for as long as it takes? */
static __thread bool patient;

/* From now on fb_spin_lock() always succeeds in the calling thread.  For those
 * that have time, and that nobody waits for. */
void
fb_spin_be_patient(void)
{
    patient = true;
}

/* Takes '*lock' if it is free. */
static bool
try_lock(atomic_uint8_t *lock)
{
    uint8_t unlocked = 0;

    return atomic_compare_exchange_strong_explicit(
        lock, &unlocked, 1, memory_order_acquire, memory_order_relaxed);
}

/* Takes '*lock', which is 0 while it is free.  The thread that holds it may
 * have a lower priority and be interrupted, so the calling one then lets
 * others have the CPU, some times.  Returns false if that does not
 * help: the caller counts what it could not do. */
bool
fb_spin_lock(atomic_uint8_t *lock)
{
    for (int i = 0; i < SPINS; i++) {
        if (OVS_LIKELY(try_lock(lock))) {
            return true;
        }
    }
    for (int i = 0; i < YIELDS; i++) {
        sched_yield();
        if (try_lock(lock)) {
            return true;
        }
    }
    while (patient) {
        usleep(PAUSE_US);
        if (try_lock(lock)) {
            return true;
        }
    }
    return false;
}

/* Gives '*lock' back. */
void
fb_spin_unlock(atomic_uint8_t *lock)
{
    atomic_store_explicit(lock, 0, memory_order_release);
}
