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

#include "fb-revalidator.h"

#include <string.h>

#include "fb-clock.h"
#include "fb-crew.h"

/* Accounts for the time from the last mark of 'r' to 'now', which was spent on
 * 'kind'. */
static void
lap(struct fb_in_round *r, enum fb_work kind, uint64_t now)
{
    uint64_t ticks = fb_clock_since(r->mark, now);

    r->work.n[kind] += ticks;
    r->work.n[FB_W_THREAD] += ticks;
    r->mark += ticks;
}

/* Puts 'r' at the start of round 'id' of datapath 'dp', at 'start'. */
static void
enter_round(struct fb_in_round *r, int dp, uint64_t id, uint64_t start)
{
    memset(r, 0, sizeof *r);
    r->dp = dp;
    r->id = id;
    r->joined = r->mark = start;
    fb_crew_enter();
}

/* 'thread' created 'dump' of datapath 'dp' from 'start' to 'end': it leads a
 * new round. */
void
fb_revalidator_leads(struct fb_thread *thread, int dp, const void *dump,
                     uint64_t start, uint64_t end)
{
    struct fb_in_round *r = &thread->round;
    uint64_t id = fb_rounds_begin(dp, dump, thread->epoch, start);

    enter_round(r, dp, id, start);
    if (id) {
        r->leader = true;
        r->stage = FB_STAGE_LED;
        lap(r, FB_W_DUMP, end);
    }
}

/* 'thread' prepared to read flows from 'dump' from 'start' to 'end'. */
void
fb_revalidator_joins(struct fb_thread *thread, const void *dump,
                     uint64_t start, uint64_t end)
{
    struct fb_in_round *r = &thread->round;

    if (r->stage != FB_STAGE_READY) {
        int dp = -1;
        uint64_t id = fb_rounds_join(dump, thread->epoch, &dp);

        enter_round(r, dp, id, start);
        if (!id) {
            return;
        }
    }
    r->stage = FB_STAGE_DUMP;
    lap(r, FB_W_DUMP, end);
}

/* 'thread' stopped reading flows, which took from 'start' to 'end'. */
void
fb_revalidator_leaves(struct fb_thread *thread, uint64_t start, uint64_t end)
{
    struct fb_in_round *r = &thread->round;

    if (r->stage == FB_STAGE_DUMP) {
        lap(r, FB_W_REVALIDATION, start);
        lap(r, FB_W_DUMP, end);
        r->stage = FB_STAGE_DUMPED;
    }
}

/* 'thread' had destroyed the dump at 'end', with positive errno 'error' or 0:
 * if it is the leader, then that ends the round. */
void
fb_revalidator_ends(struct fb_thread *thread, uint64_t end, int error)
{
    struct fb_in_round *r = &thread->round;

    if (r->stage == FB_STAGE_SWEPT) {
        fb_rounds_end(r->dp, r->id, r->mark, end, error);
        lap(r, FB_W_DUMP, end);
        fb_crew_leave(thread, end);
    }
    r->stage = FB_STAGE_IDLE;
}

/* 'thread' asks for a batch of flows at 'start'.  Returns true if that belongs
 * to a round that is recorded. */
bool
fb_revalidator_next_begin(struct fb_thread *thread, uint64_t start)
{
    struct fb_in_round *r = &thread->round;

    if (r->stage != FB_STAGE_DUMP) {
        return false;
    }
    lap(r, FB_W_REVALIDATION, start);
    fb_thread_in_dump__ = true;
    return true;
}

/* 'thread' obtained 'n_flows' flows at 'end'.  Only after
 * fb_revalidator_next_begin() returned true. */
void
fb_revalidator_next_end(struct fb_thread *thread, uint64_t end, int n_flows)
{
    struct fb_in_round *r = &thread->round;

    fb_thread_in_dump__ = false;
    lap(r, FB_W_DUMP, end);
    if (n_flows > 0) {
        r->work.n[FB_W_FLOWS] += n_flows;
        r->work.n[FB_W_BATCHES]++;
    }
}

/* Accounts for what 'r' did before 'now', when it begins something else. */
static void
lap_stage(struct fb_in_round *r, uint64_t now)
{
    if (r->stage == FB_STAGE_DUMP) {
        lap(r, FB_W_REVALIDATION, now);
    } else if (r->stage == FB_STAGE_SWEEP) {
        lap(r, FB_W_SWEEP, now);
    }
}

/* 'thread' begins flow operations at 'start'. */
void
fb_revalidator_ops_begin(struct fb_thread *thread, uint64_t start)
{
    lap_stage(&thread->round, start);
}

/* 'thread' has done 'n_ops' flow operations at 'end'. */
void
fb_revalidator_ops_end(struct fb_thread *thread, uint64_t end, size_t n_ops)
{
    struct fb_in_round *r = &thread->round;

    if (r->stage == FB_STAGE_DUMP || r->stage == FB_STAGE_SWEEP) {
        lap(r, FB_W_OPERATIONS, end);
        r->work.n[FB_W_OPS] += n_ops;
    }
}

/* 'thread' arrives at 'barrier' at 'start'.  Returns true if that belongs to a
 * round that is recorded. */
bool
fb_revalidator_barrier_begin(struct fb_thread *thread, const void *barrier,
                             uint64_t start)
{
    struct fb_in_round *r = &thread->round;

    if (r->stage == FB_STAGE_IDLE) {
        /* Between rounds, where waiting costs nobody anything. */
        return false;
    }
    if (!r->barrier) {
        r->barrier = barrier;
    }
    if (r->stage == FB_STAGE_SWEEP && barrier == r->barrier) {
        lap(r, FB_W_SWEEP, start);
        fb_rounds_commit(r->dp, r->id, &r->work, r->mark);
    } else if (r->stage == FB_STAGE_DUMPED) {
        lap(r, FB_W_REVALIDATION, start);
    }
    return true;
}

/* 'thread' leaves 'barrier' at 'end'.  Only after
 * fb_revalidator_barrier_begin() returned true. */
void
fb_revalidator_barrier_end(struct fb_thread *thread, const void *barrier,
                           uint64_t end)
{
    struct fb_in_round *r = &thread->round;

    if (barrier != r->barrier) {
        /* Not the revalidators' own: the main thread pauses them. */
        lap(r, FB_W_PAUSE, end);
        return;
    }

    lap(r, FB_W_BARRIER, end);
    if (r->stage == FB_STAGE_LED) {
        r->stage = FB_STAGE_READY;
    } else if (r->stage == FB_STAGE_DUMPED) {
        r->stage = FB_STAGE_SWEEP;
    } else if (r->stage == FB_STAGE_SWEEP) {
        if (!r->leader) {
            fb_crew_leave(thread, end);
        }
        r->stage = r->leader ? FB_STAGE_SWEPT : FB_STAGE_IDLE;
    }
}
