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

#include "fb-thread.h"

#include <pthread.h>
#include <string.h>

#include "fb-record.h"
#include "util.h"

FB_THREAD_LOCAL struct fb_thread fb_thread__;
FB_THREAD_LOCAL bool fb_thread_in_dump__;

/* Its destructor gives back the records of a thread that ends. */
static pthread_key_t thread_key;
static bool have_thread_key;

/* Returns the role of the thread called 'name'.  OVS numbers threads, and the
 * main thread has no name. */
static enum fb_role
role_from_name(const char *name)
{
    static const struct {
        const char *prefix;     /* How the names of such threads begin. */
        enum fb_role role;      /* What they are. */
    } prefixes[] = {
        { "handler", FB_ROLE_HANDLER },
        { "revalidator", FB_ROLE_REVALIDATOR },
        { "pmd-", FB_ROLE_PMD },
    };

    if (!name[0]) {
        return FB_ROLE_MAIN;
    }
    for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
        if (!strncmp(name, prefixes[i].prefix, strlen(prefixes[i].prefix))) {
            return prefixes[i].role;
        }
    }
    return FB_ROLE_OTHER;
}

/* Gives back all records of the thread whose state is 'thread_', which
 * ends. */
static void
thread_ends(void *thread_)
{
    struct fb_thread *thread = thread_;

    for (int dp = 0; dp < FB_MAX_DATAPATHS; dp++) {
        if (thread->records[dp]) {
            fb_record_release(thread->records[dp]);
            thread->records[dp] = NULL;
        }
    }
}

/* Prepares for fb_thread_self().  To be called once, before any other thread
 * exists.  If the process has no thread-specific key left, the records of
 * threads that end are not used again. */
void
fb_thread_init(void)
{
    have_thread_key = !pthread_key_create(&thread_key, thread_ends);
}

/* Makes the calling thread's state valid, and empty, in the recording
 * 'epoch'.  Its records stay its own.  Internal: use fb_thread_self(). */
void
fb_thread_reset__(unsigned int epoch)
{
    struct fb_thread *thread = &fb_thread__;
    const char *name = get_subprogram_name();

    thread->role = role_from_name(name);
    ovs_strlcpy(thread->name, name[0] ? name : "main", sizeof thread->name);
    thread->epoch = epoch;
    thread->round.stage = FB_STAGE_IDLE;
    thread->dump_dp = -1;
    fb_thread_in_dump__ = false;
    for (int dp = 0; dp < FB_MAX_DATAPATHS; dp++) {
        thread->refused[dp] = false;
        if (thread->records[dp]) {
            fb_record_renew(thread->records[dp], epoch);
        }
    }
}

/* Returns the record in which 'thread', the calling thread, counts for
 * datapath 'dp'.  The first call for a datapath takes a mutex.  Returns null
 * if no record was free. */
struct fb_record *
fb_thread_record(struct fb_thread *thread, int dp)
{
    struct fb_record *record = thread->records[dp];

    if (OVS_UNLIKELY(!record) && !thread->refused[dp]) {
        record = fb_record_claim(dp, thread->role, thread->name);
        if (record) {
            fb_record_renew(record, thread->epoch);
            thread->records[dp] = record;
            if (have_thread_key) {
                pthread_setspecific(thread_key, thread);
            }
        } else {
            thread->refused[dp] = true;
        }
    }
    return record;
}
