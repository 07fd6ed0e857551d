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

#include "fb-look.h"

#include "fb-clock.h"
#include "util.h"

/* Returns '*counter'. */
static uint64_t
get(const atomic_uint64_t *counter)
{
    uint64_t n;

    atomic_read_relaxed(CONST_CAST(atomic_uint64_t *, counter), &n);
    return n;
}

/* Returns '*counter'. */
static uint32_t
get32(const atomic_uint32_t *counter)
{
    uint32_t n;

    atomic_read_relaxed(CONST_CAST(atomic_uint32_t *, counter), &n);
    return n;
}

/* Says whether 'look', which nobody told what N is to be, says that a round
 * that begins at 'now' is to be looked at.  'since' is the number of rounds
 * since the latest one that was, this one included. */
static bool
is_due(const struct fb_look *look, uint32_t since, uint64_t now)
{
    return (since >= get32(&look->every)
            || (get(&look->now_flows) <= FB_LOOK_FEW
                && (fb_clock_to_ns(fb_clock_since(get(&look->when), now))
                    >= FB_LOOK_PAUSE_MS * 1000000)));
}

/* A round with number 'id' begins at 'now': finds out whether to look at its
 * flows.  That is so in every 'every'th round, or in as many as 'look' says if
 * that is 0, and if 'must' is true. */
void
fb_look_begin(struct fb_look *look, unsigned int every, uint64_t id,
              bool must, uint64_t now)
{
    uint32_t since = get32(&look->since) + 1;

    if (must || !get(&look->when)
        || (every ? since >= every : is_due(look, since, now))) {
        atomic_store_relaxed(&look->round, id);
        atomic_store_relaxed(&look->when, now);
        atomic_store_relaxed(&look->weight, since);
        since = 0;
    }
    atomic_store_relaxed(&look->since, since);
    atomic_store_relaxed(&look->now_flows, 0);
    atomic_store_relaxed(&look->now_took, 0);
    atomic_store_relaxed(&look->now_work, 0);
}

/* A thread is done with its 'n_flows' flows of this round, which took 'work',
 * of which looking took 'took'. */
void
fb_look_add(struct fb_look *look, uint64_t n_flows, uint64_t took,
            uint64_t work)
{
    uint64_t orig;

    atomic_add_relaxed(&look->now_flows, n_flows, &orig);
    atomic_add_relaxed(&look->now_took, took, &orig);
    atomic_add_relaxed(&look->now_work, work, &orig);
}

/* Round 'id' ends: learns from it. */
void
fb_look_end(struct fb_look *look, uint64_t id)
{
    uint64_t took = get(&look->now_took), work = get(&look->now_work);
    uint32_t orig;
    uint64_t old;

    atomic_add_relaxed(&look->n_rounds, 1, &orig);
    atomic_add_relaxed(&look->took, took, &old);
    atomic_add_relaxed(&look->work, work, &old);
    if (!fb_look_is_on(look, id)) {
        return;
    }
    atomic_add_relaxed(&look->n_looked, 1, &orig);
    took += get(&look->recent_took) / 2;
    work += get(&look->recent_work) / 2;
    atomic_store_relaxed(&look->recent_took, took);
    atomic_store_relaxed(&look->recent_work, work);
    if (work > took) {
        uint64_t every = DIV_ROUND_UP(took * 1000,
                                      (work - took) * FB_LOOK_PERMILLE);

        atomic_store_relaxed(&look->every,
                             MIN(MAX(every, 1), FB_LOOK_MAX_EVERY));
    }
}

/* Says whether the flows of round 'id' are looked at. */
bool
fb_look_is_on(const struct fb_look *look, uint64_t id)
{
    return get(&look->round) == id;
}

/* Returns the number of rounds that the latest one that was looked at stands
 * for: itself, and those since the one before it that was. */
uint32_t
fb_look_weight(const struct fb_look *look)
{
    return get32(&look->weight);
}

/* Returns the share of the revalidators' time that looking has taken in all
 * rounds so far, 0 if there was none. */
double
fb_look_share(const struct fb_look *look)
{
    uint64_t took = get(&look->took), work = get(&look->work);

    return work ? (double) took / work : 0;
}
