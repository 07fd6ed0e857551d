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

#include "fb-upcalls.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fb-clock.h"
#include "fb-datapath.h"
#include "fb-thread.h"
#include "netlink.h"
#include "odp-util.h"
#include "openvswitch/list.h"
#include "openvswitch/thread.h"
#include "util.h"

const char *const fb_upcall_type_names[FB_N_UPCALL_TYPES] = {
    [FB_UC_MISS] = "miss",
    [FB_UC_SLOW_PATH] = "slow-path",
    [FB_UC_SFLOW] = "sflow",
    [FB_UC_FLOW_SAMPLE] = "flow-sample",
    [FB_UC_IPFIX] = "ipfix",
    [FB_UC_CONTROLLER] = "controller",
    [FB_UC_OTHER] = "other",
};

/* A thread's statistics for a datapath. */
struct server {
    struct ovs_list node;       /* In 'servers'. */
    atomic_uint epoch;          /* Recording that 'stats' belong to. */
    struct fb_upcall_stats stats; /* What readers see. */

    /* The owner's business: upcalls received that wait for the batch. */
    bool drained;               /* Was there no more upcall since? */
    size_t n_pending;           /* Elements of 'received'. */
    uint64_t received[FB_UPCALL_MAX_BATCH]; /* When, in ticks. */
};

/* Protects the list, and 'gone'.  Statistics are freed only under it. */
static struct ovs_mutex servers_mutex = OVS_MUTEX_INITIALIZER;
static struct ovs_list servers = OVS_LIST_INITIALIZER(&servers);

/* Threads that ended, by datapath and role; null while there is none. */
static struct server *gone[FB_MAX_DATAPATHS][FB_N_ROLES];

/* The calling thread's, by datapath; null until it serves an upcall there. */
static __thread struct server *own[FB_MAX_DATAPATHS];

/* Its destructor serves a thread that ends. */
static pthread_key_t servers_key;
static bool have_servers_key;

/* Adds 'n' to '*counter', whose only writer is the caller. */
static void
add(ATOMIC(uint64_t) *counter, uint64_t n)
{
    fb_hist_add__(counter, n);
}

/* Returns '*counter_'. */
static uint64_t
get(const ATOMIC(uint64_t) *counter_)
{
    ATOMIC(uint64_t) *counter = CONST_CAST(ATOMIC(uint64_t) *, counter_);
    uint64_t n;

    atomic_read_relaxed(counter, &n);
    return n;
}

/* Counts 'n' errors 'error' in 'errnos', whose only writer is the caller. */
static void
add_errno(struct fb_errno_table *errnos, int error, uint64_t n)
{
    size_t i;

    for (i = 0; i < FB_ERRNO_SLOTS; i++) {
        int slot;

        atomic_read_relaxed(&errnos->errnos[i], &slot);
        if (!slot) {
            atomic_store_relaxed(&errnos->errnos[i], error);
            slot = error;
        }
        if (slot == error) {
            break;
        }
    }
    add(&errnos->n[i], n);
}

/* Adds 'src' to 'dst'. */
static void
add_errnos(struct fb_errno_table *dst, const struct fb_errno_table *src)
{
    for (size_t i = 0; i < FB_ERRNO_SLOTS; i++) {
        int error;

        atomic_read_relaxed(&CONST_CAST(struct fb_errno_table *,
                                        src)->errnos[i], &error);
        if (error) {
            add_errno(dst, error, get(&src->n[i]));
        }
    }
    add(&dst->n[FB_ERRNO_SLOTS], get(&src->n[FB_ERRNO_SLOTS]));
}

/* Sets 'errnos' to nothing. */
static void
clear_errnos(struct fb_errno_table *errnos)
{
    for (size_t i = 0; i < FB_ERRNO_SLOTS; i++) {
        atomic_store_relaxed(&errnos->errnos[i], 0);
    }
    for (size_t i = 0; i <= FB_ERRNO_SLOTS; i++) {
        atomic_store_relaxed(&errnos->n[i], 0);
    }
}

/* Sets the figures in 'stats' to nothing. */
static void
clear_stats(struct fb_upcall_stats *stats)
{
    for (size_t i = 0; i < FB_N_UPCALL_TYPES; i++) {
        atomic_store_relaxed(&stats->n_types[i], 0);
    }
    atomic_store_relaxed(&stats->n_batches, 0);
    atomic_store_relaxed(&stats->batched, 0);
    atomic_store_relaxed(&stats->batch_max, 0);
    atomic_store_relaxed(&stats->n_full, 0);
    atomic_store_relaxed(&stats->n_dropped, 0);
    clear_errnos(&stats->errors);
    clear_errnos(&stats->put_errors);
    fb_hist_init(&stats->latency);
}

/* Gives empty 'stats' an identity. */
static void
init_stats(struct fb_upcall_stats *stats, int dp, enum fb_role role,
           const char *name)
{
    stats->dp = dp;
    stats->role = role;
    ovs_strlcpy(stats->name, name, sizeof stats->name);
    clear_stats(stats);
}

/* Returns new statistics of a thread called 'name', without any figure.  The
 * caller must free them. */
struct fb_upcall_stats *
fb_upcalls_create(int dp, enum fb_role role, const char *name)
{
    struct fb_upcall_stats *stats = xmalloc(sizeof *stats);

    init_stats(stats, dp, role, name);
    return stats;
}

/* Adds the figures of 'src' to 'dst', which only the caller uses. */
void
fb_upcalls_add(struct fb_upcall_stats *dst, const struct fb_upcall_stats *src)
{
    for (size_t i = 0; i < FB_N_UPCALL_TYPES; i++) {
        add(&dst->n_types[i], get(&src->n_types[i]));
    }
    add(&dst->n_batches, get(&src->n_batches));
    add(&dst->batched, get(&src->batched));
    add(&dst->n_full, get(&src->n_full));
    add(&dst->n_dropped, get(&src->n_dropped));
    atomic_store_relaxed(&dst->batch_max, MAX(get(&dst->batch_max),
                                              get(&src->batch_max)));
    add_errnos(&dst->errors, &src->errors);
    add_errnos(&dst->put_errors, &src->put_errors);
    fb_hist_merge(&dst->latency, &src->latency);
}

/* Returns the recording that the figures of 'server' belong to. */
static unsigned int
get_epoch(struct server *server)
{
    unsigned int epoch;

    atomic_read_explicit(&server->epoch, &epoch, memory_order_acquire);
    return epoch;
}

/* Adds 'server' to what is known of threads that are gone, and frees it. */
static void
retire(struct server *server)
{
    struct fb_upcall_stats *stats = &server->stats;
    struct server **gonep = &gone[stats->dp][stats->role];
    unsigned int epoch = get_epoch(server);

    ovs_mutex_lock(&servers_mutex);
    ovs_list_remove(&server->node);
    if (!*gonep) {
        *gonep = xzalloc(sizeof **gonep);
        init_stats(&(*gonep)->stats, stats->dp, stats->role, "gone");
    }
    if ((int) (epoch - get_epoch(*gonep)) > 0) {
        clear_stats(&(*gonep)->stats);
        atomic_store_explicit(&(*gonep)->epoch, epoch, memory_order_release);
    }
    if (epoch == get_epoch(*gonep)) {
        fb_upcalls_add(&(*gonep)->stats, stats);
    }
    ovs_mutex_unlock(&servers_mutex);
    free(server);
}

/* A thread ends, whose 'own' is at 'servers_'. */
static void
thread_ends(void *servers_)
{
    struct server **array = servers_;

    for (int dp = 0; dp < FB_MAX_DATAPATHS; dp++) {
        if (array[dp]) {
            retire(array[dp]);
            array[dp] = NULL;
        }
    }
}

/* Prepares.  To be called once, while there is one thread.  If the process has
 * no thread-specific key left, the statistics of threads that end stay. */
void
fb_upcalls_init(void)
{
    have_servers_key = !pthread_key_create(&servers_key, thread_ends);
}

/* Makes 'server' part of the recording 'epoch': it begins with nothing. */
static void
renew(struct server *server, unsigned int epoch)
{
    unsigned int orig;

    /* Until the end, no reader takes the figures for those of a recording.
     * What comes after this does not move before it; that would take a fence
     * with a store, which ThreadSanitizer does not know. */
    atomic_and_explicit(&server->epoch, 0, &orig, memory_order_acq_rel);
    clear_stats(&server->stats);
    server->n_pending = 0;
    server->drained = false;
    atomic_store_explicit(&server->epoch, epoch, memory_order_release);
}

/* Returns the statistics of 'thread', the calling thread, for datapath
 * 'dp'. */
static struct server *
get_server(const struct fb_thread *thread, int dp)
{
    struct server *server = own[dp];

    if (OVS_UNLIKELY(!server)) {
        server = own[dp] = xzalloc(sizeof *server);
        init_stats(&server->stats, dp, thread->role, thread->name);
        ovs_mutex_lock(&servers_mutex);
        ovs_list_push_back(&servers, &server->node);
        ovs_mutex_unlock(&servers_mutex);
        if (have_servers_key) {
            pthread_setspecific(servers_key, own);
        }
    }
    if (OVS_UNLIKELY(get_epoch(server) != thread->epoch)) {
        renew(server, thread->epoch);
    }
    return server;
}

/* Returns the kind of a userspace action that has 'userdata', which may be
 * null. */
enum fb_upcall_type
fb_upcall_classify(const struct nlattr *userdata)
{
    uint16_t type;

    if (!userdata
        || nl_attr_get_size(userdata) < sizeof(struct user_action_cookie)) {
        return FB_UC_OTHER;
    }
    memcpy(&type, nl_attr_get(userdata), sizeof type);
    switch (type) {
    case USER_ACTION_COOKIE_SLOW_PATH: return FB_UC_SLOW_PATH;
    case USER_ACTION_COOKIE_SFLOW: return FB_UC_SFLOW;
    case USER_ACTION_COOKIE_FLOW_SAMPLE: return FB_UC_FLOW_SAMPLE;
    case USER_ACTION_COOKIE_IPFIX: return FB_UC_IPFIX;
    case USER_ACTION_COOKIE_CONTROLLER: return FB_UC_CONTROLLER;
    default: return FB_UC_OTHER;
    }
}

/* 'thread', the calling thread, received an upcall from the kernel at 'now'
 * (ticks). */
void
fb_upcalls_received(const struct fb_thread *thread, int dp,
                    enum fb_upcall_type type, uint64_t now)
{
    struct server *server = get_server(thread, dp);

    /* If the upcalls before were not passed on when there were no more, or a
     * batch is too large, then nothing is to be done about those: packets
     * from a port that has just been removed, for example. */
    if (OVS_UNLIKELY(server->drained
                     || server->n_pending >= FB_UPCALL_MAX_BATCH)) {
        add(&server->stats.n_dropped, server->n_pending);
        server->n_pending = 0;
        server->drained = false;
    }
    server->received[server->n_pending++] = now;
    add(&server->stats.n_types[type], 1);
}

/* 'thread', the calling thread, found no more upcalls, 'error' being EAGAIN,
 * or could not receive one because of the positive errno 'error'. */
void
fb_upcalls_drained(const struct fb_thread *thread, int dp, int error)
{
    /* A handler that has never received any needs no statistics. */
    if (error == EAGAIN && !own[dp]) {
        return;
    }

    struct server *server = get_server(thread, dp);

    server->drained = server->n_pending > 0;
    if (error != EAGAIN) {
        add_errno(&server->stats.errors, error, 1);
    }
}

/* 'thread', the calling thread, had passed on all that came of the upcalls
 * that it had received at 'now' (ticks). */
void
fb_upcalls_batch_done(const struct fb_thread *thread, int dp, uint64_t now)
{
    struct server *server = own[dp];

    if (!server || !server->n_pending || get_epoch(server) != thread->epoch) {
        return;
    }

    struct fb_upcall_stats *stats = &server->stats;
    size_t n = server->n_pending;

    for (size_t i = 0; i < n; i++) {
        fb_hist_record(&stats->latency,
                       fb_clock_since(server->received[i], now));
    }
    add(&stats->n_batches, 1);
    add(&stats->batched, n);
    add(&stats->n_full, n == FB_UPCALL_MAX_BATCH);
    if (n > get(&stats->batch_max)) {
        atomic_store_relaxed(&stats->batch_max, n);
    }
    server->n_pending = 0;
    server->drained = false;
}

/* A flow put of 'thread', the calling thread, failed with 'error'. */
void
fb_upcalls_put_failed(const struct fb_thread *thread, int dp, int error)
{
    add_errno(&get_server(thread, dp)->stats.put_errors, error, 1);
}

/* 'thread', the calling thread, served an upcall of the userspace datapath in
 * 'ticks', with positive errno 'error' or 0. */
void
fb_upcalls_called(const struct fb_thread *thread, int dp,
                  enum fb_upcall_type type, uint64_t ticks, int error)
{
    struct fb_upcall_stats *stats = &get_server(thread, dp)->stats;

    add(&stats->n_types[type], 1);
    fb_hist_record(&stats->latency, ticks);
    if (error) {
        add_errno(&stats->errors, error, 1);
    }
}

/* Returns the statistics of 'thread', the calling thread, for datapath 'dp'.
 * They are good until it ends, and count in its present recording. */
struct fb_upcall_stats *
fb_upcalls_stats(const struct fb_thread *thread, int dp)
{
    return &get_server(thread, dp)->stats;
}

/* Adds a copy of what 'server' has to the '*n' elements of '*copiesp', if that
 * belongs to the recording 'epoch'. */
static void
copy_server(struct server *server, unsigned int epoch,
            struct fb_upcall_stats ***copiesp, size_t *n, size_t *allocated)
{
    if (get_epoch(server) == epoch) {
        const struct fb_upcall_stats *stats = &server->stats;
        struct fb_upcall_stats *copy;

        if (*n >= *allocated) {
            *copiesp = x2nrealloc(*copiesp, allocated, sizeof **copiesp);
        }
        copy = fb_upcalls_create(stats->dp, stats->role, stats->name);
        fb_upcalls_add(copy, stats);
        (*copiesp)[(*n)++] = copy;
    }
}

/* Copies all statistics of the recording 'epoch': those of threads that are
 * gone, by role, come last.  Returns their number and stores in '*copiesp' an
 * array of pointers to them, which the caller must free with
 * fb_upcalls_free(). */
size_t
fb_upcalls_read(unsigned int epoch, struct fb_upcall_stats ***copiesp)
{
    size_t n = 0, allocated = 0;
    struct server *server;

    *copiesp = NULL;
    if (!epoch) {
        return 0;
    }
    ovs_mutex_lock(&servers_mutex);
    LIST_FOR_EACH (server, node, &servers) {
        copy_server(server, epoch, copiesp, &n, &allocated);
    }
    for (int dp = 0; dp < FB_MAX_DATAPATHS; dp++) {
        for (int role = 0; role < FB_N_ROLES; role++) {
            if (gone[dp][role]) {
                copy_server(gone[dp][role], epoch, copiesp, &n, &allocated);
            }
        }
    }
    ovs_mutex_unlock(&servers_mutex);
    return n;
}

/* Frees 'copies', an array of 'n'. */
void
fb_upcalls_free(struct fb_upcall_stats **copies, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(copies[i]);
    }
    free(copies);
}
