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

#include "fb-events.h"

#include <string.h>

#include "openvswitch/thread.h"
#include "util.h"

const char *const fb_event_names[FB_N_EVENTS] = {
    [FB_EVENT_SCALED] = "scaled",
    [FB_EVENT_REDUCED] = "reduced",
    [FB_EVENT_CONFIGURED] = "configured",
    [FB_EVENT_SET] = "set",
    [FB_EVENT_CHANGED] = "changed",
    [FB_EVENT_OVER] = "over",
    [FB_EVENT_HIT] = "hit",
    [FB_EVENT_KILL] = "kill",
    [FB_EVENT_FAILED] = "failed",
};

/* Protects everything below. */
static struct ovs_mutex events_mutex = OVS_MUTEX_INITIALIZER;

/* The recording that all below belongs to. */
static unsigned int events_epoch;

/* The latest events: the oldest is overwritten.  'n_events' counts all. */
static struct fb_event events[FB_EVENTS_HISTORY];
static uint64_t n_events;

/* Keeps 'event', of the recording 'epoch', unless there is a newer one. */
void
fb_events_add(unsigned int epoch, const struct fb_event *event)
{
    ovs_mutex_lock(&events_mutex);
    if ((int) (epoch - events_epoch) > 0) {
        events_epoch = epoch;
        n_events = 0;
    }
    if (epoch == events_epoch) {
        events[n_events++ % FB_EVENTS_HISTORY] = *event;
    }
    ovs_mutex_unlock(&events_mutex);
}

/* Copies the latest events of the recording 'epoch', at most 'max' of those of
 * datapath 'dp' (-1: of all).  Returns their number and stores in '*eventsp'
 * an array of them, the oldest first, which the caller must free, and in
 * '*n_totalp' how many there ever were, of all datapaths. */
size_t
fb_events_read(unsigned int epoch, int dp, size_t max,
               struct fb_event **eventsp, uint64_t *n_totalp)
{
    struct fb_event *copies = xcalloc(FB_EVENTS_HISTORY, sizeof *copies);
    size_t first = FB_EVENTS_HISTORY;

    *n_totalp = 0;
    ovs_mutex_lock(&events_mutex);
    if (epoch && epoch == events_epoch) {
        size_t n = MIN(n_events, FB_EVENTS_HISTORY);

        *n_totalp = n_events;
        for (size_t i = 1; i <= n && FB_EVENTS_HISTORY - first < max; i++) {
            const struct fb_event *event
                = &events[(n_events - i) % FB_EVENTS_HISTORY];

            if (dp < 0 || event->dp == dp) {
                copies[--first] = *event;
            }
        }
    }
    ovs_mutex_unlock(&events_mutex);

    memmove(copies, &copies[first],
            (FB_EVENTS_HISTORY - first) * sizeof *copies);
    *eventsp = copies;
    return FB_EVENTS_HISTORY - first;
}
