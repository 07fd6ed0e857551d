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

/* Tests of the flow ledger. */

#include <config.h>
#undef NDEBUG
#include "fanbench-config.h"

#include <string.h>

#include "fb-clock.h"
#include "fb-flow-apply.h"
#include "fb-flow-key.h"
#include "fb-intake.h"
#include "fb-ledger-life.h"
#include "fb-look.h"
#include "fb-odp.h"
#include "fb-returns.h"
#include "flow.h"
#include "hash.h"
#include "netlink.h"
#include "odp-util.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/ofpbuf.h"
#include "ovs-thread.h"
#include "packets.h"
#include "plugin-test.h"
#include "random.h"
#include "util.h"

/* Threads that use the ledger at once, and flows that all of them use. */
#define N_THREADS 8
#define N_FLOWS 20000

/* Returns a number without pattern for each 'i', as ufids are. */
static uint64_t
scatter(uint64_t i)
{
    return hash_uint64_basis(i, 1) | (uint64_t) hash_uint64_basis(i, 2) << 32;
}

/* Returns the id of flow number 'i'. */
static struct fb_flow_id
make_id(uint64_t i)
{
    return (struct fb_flow_id) {
        .ufid = { scatter(2 * i), scatter(2 * i + 1) },
        .pmd_id = UINT_MAX,
        .dp = 3,
    };
}

/* Has the next ledger have room for 'max_flows' flows. */
static void
configure(uint32_t max_flows)
{
    fb_ledger_configure(&(struct fb_ledger_options) {
        .max_flows = max_flows
    });
}

/* Adds all flows, in an order that is different in each thread, counting an
 * upcall for each and beginning or ending lives. */
static void *
use_flows(void *seed_)
{
    unsigned int seed = *(unsigned int *) seed_;
    struct fb_ledger *ledger = fb_ledger_get(1);

    for (uint64_t i = 0; i < N_FLOWS; i++) {
        struct fb_flow_id id = make_id((i * 7919 + seed * 1237) % N_FLOWS);
        struct fb_flow_record *record;
        uint32_t orig;

        do {
            record = fb_ledger_find_or_add(ledger, &id);
        } while (!record);
        atomic_add_relaxed(&record->upcalls, 1, &orig);
        fb_ledger_set_key(ledger, record, &id, sizeof id.ufid);
        fb_ledger_revive(ledger, record, i, 0);
        fb_ledger_kill(ledger, record, FB_END_IDLE, i);
    }
    return NULL;
}

/* Many threads add the same flows at once: each flow has one record, in which
 * nothing is lost. */
static void
test_threads(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    unsigned int seeds[N_THREADS];
    pthread_t threads[N_THREADS];
    struct fb_ledger *ledger;
    uint32_t n_found = 0;

    configure(2 * N_FLOWS);
    fb_ledger_begin(1, 0);
    for (unsigned int i = 0; i < N_THREADS; i++) {
        seeds[i] = i;
        threads[i] = ovs_thread_create("user", use_flows, &seeds[i]);
    }
    ledger = fb_ledger_get(1);
    for (uint32_t slot = 0; slot < fb_ledger_n_slots(ledger); slot++) {
        struct fb_flow_copy copy;

        /* Reads while others write. */
        fb_ledger_copy(ledger, slot, &copy);
    }
    for (unsigned int i = 0; i < N_THREADS; i++) {
        xpthread_join(threads[i], NULL);
    }
    for (uint32_t slot = 0; slot < fb_ledger_n_slots(ledger); slot++) {
        uint8_t key[FB_LEDGER_KEY_MAX];
        struct fb_flow_copy copy;

        if (fb_ledger_copy(ledger, slot, &copy)) {
            n_found++;
            ovs_assert(copy.upcalls == N_THREADS);
            ovs_assert(!copy.live && copy.end == FB_END_IDLE);
            ovs_assert(copy.installs >= 1 && copy.installs <= N_THREADS);
            ovs_assert(fb_ledger_get_key(ledger, &copy, key) == 16);
            ovs_assert(!memcmp(key, copy.id.ufid, 16));
        }
    }
    ovs_assert(n_found == N_FLOWS);
    ovs_assert(!fb_ledger_count(&ledger->n_full));
    fb_ledger_drop();
}

/* The ledger can be filled to 95 % of its places with flows that live, of
 * which none is ever lost, and then flows that are dead make room. */
static void
test_full(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    enum { N = 65536 };
    struct fb_ledger *ledger;
    uint32_t n_added = 0;

    configure(N);
    fb_ledger_begin(1, 0);
    ledger = fb_ledger_get(1);
    for (uint64_t i = 0; i < N; i++) {
        struct fb_flow_id id = make_id(i);
        struct fb_flow_record *record = fb_ledger_find_or_add(ledger, &id);

        if (record) {
            n_added++;
            fb_ledger_revive(ledger, record, 1, 0);
        }
        ovs_assert(fb_ledger_find(ledger, &id) == record);
    }
    ovs_assert(n_added + fb_ledger_count(&ledger->n_full) == N);
    ovs_assert(n_added > N - N / 20);
    printf("%"PRIu32" of %d\n", n_added, N);

    for (uint64_t i = 0; i < N; i++) {
        struct fb_flow_id id = make_id(i);
        struct fb_flow_record *record = fb_ledger_find(ledger, &id);

        if (record) {
            fb_ledger_kill(ledger, record, FB_END_IDLE, i << 20);
        }
    }
    for (uint64_t i = N; i < 2 * N; i++) {
        struct fb_flow_id id = make_id(i);

        ovs_assert(fb_ledger_find_or_add(ledger, &id));
    }
    ovs_assert(fb_ledger_count(&ledger->n_aged) >= n_added - N / 20);
    fb_ledger_drop();
}

/* Checks that the 'n' bytes at 'compact' stand for the flow that OVS shows as
 * 'text'. */
static void
check_compact(const uint8_t *compact, size_t n, const char *text)
{
    struct ds ds = DS_EMPTY_INITIALIZER;
    struct ofpbuf key, mask;

    ofpbuf_init(&key, 0);
    ofpbuf_init(&mask, 0);
    fb_flow_key_decode(compact, n, &key, &mask);
    fb_odp_flow_format(key.data, key.size, mask.data, mask.size, &ds);
    if (strcmp(text, ds_cstr(&ds))) {
        ovs_fatal(0, "%s\nbecame %s", text, ds_cstr(&ds));
    }
    ofpbuf_uninit(&key);
    ofpbuf_uninit(&mask);
    ds_destroy(&ds);
}

/* Decodes garbage, which must do no harm: 'first' and then random bytes. */
static void
check_garbage(uint8_t first)
{
    uint8_t compact[512];

    for (size_t n = 1; n < sizeof compact; n++) {
        struct ofpbuf key, mask;

        random_bytes(compact, n);
        compact[0] = first;
        ofpbuf_init(&key, 0);
        ofpbuf_init(&mask, 0);
        fb_flow_key_decode(compact, n, &key, &mask);
        ofpbuf_uninit(&key);
        ofpbuf_uninit(&mask);
    }
}

/* Checks that the flow 'flow', masked by 'wc', is the same after a way through
 * either compact form. */
static void
check_key(const struct flow *flow, const struct flow_wildcards *wc)
{
    struct odp_flow_key_parms parms = {
        .flow = flow,
        .mask = &wc->masks,
        .support = { .max_vlan_headers = SIZE_MAX, .recirc = true,
                     .ct_state = true, .ct_zone = true, .ct_mark = true,
                     .ct_label = true },
    };
    struct ds text = DS_EMPTY_INITIALIZER;
    uint8_t compact[512];
    struct ofpbuf key, mask;
    uint64_t words[FB_FLOW_KEY_PICKED];
    size_t n, n_words, n_picked;

    ofpbuf_init(&key, 0);
    ofpbuf_init(&mask, 0);
    odp_flow_key_from_flow(&parms, &key);
    parms.key_buf = &key;
    odp_flow_key_from_mask(&parms, &mask);
    fb_odp_flow_format(key.data, key.size, mask.data, mask.size, &text);

    n_picked = fb_flow_key_pick(flow, wc, words);
    n_words = fb_flow_key_encode_picked(words, n_picked, compact,
                                        sizeof compact);
    ovs_assert(n_words);
    check_compact(compact, n_words, ds_cstr(&text));
    n = fb_flow_key_encode(key.data, key.size, mask.data, mask.size, compact,
                           sizeof compact);
    ovs_assert(n);
    check_compact(compact, n, ds_cstr(&text));
    printf("%"PRIu32" %"PRIuSIZE" %"PRIuSIZE" %s\n", key.size + mask.size, n,
           n_words, ds_cstr(&text));

    /* Where there is less room, nothing is written beyond it. */
    for (size_t room = 0; room < n; room++) {
        compact[room] = 0x5a;
        ovs_assert(!fb_flow_key_encode(key.data, key.size, mask.data,
                                       mask.size, compact, room));
        ovs_assert(compact[room] == 0x5a);
    }
    for (size_t room = 0; room < n_words; room++) {
        compact[room] = 0x5a;
        ovs_assert(!fb_flow_key_encode_picked(words, n_picked, compact, room)
                   || room >= n_words);
        ovs_assert(compact[room] == 0x5a);
    }
    ofpbuf_uninit(&key);
    ofpbuf_uninit(&mask);
    ds_destroy(&text);
}

/* The compact form of keys. */
static void
test_key(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    uint64_t words[FB_FLOW_KEY_PICKED];
    struct flow_wildcards wc;
    uint8_t compact[512];
    struct flow flow;

    memset(&flow, 0, sizeof flow);
    flow.dl_type = htons(ETH_TYPE_IP);
    flow.dl_src = (struct eth_addr) ETH_ADDR_C(50,54,00,00,00,01);
    flow.dl_dst = (struct eth_addr) ETH_ADDR_C(50,54,00,00,00,02);
    flow.nw_src = htonl(0x0a000001);
    flow.nw_dst = htonl(0x0a000002);
    flow.nw_proto = IPPROTO_UDP;
    flow.nw_ttl = 64;
    flow.tp_src = htons(1);
    flow.tp_dst = htons(53);
    flow.in_port.odp_port = 3;
    flow_wildcards_init_for_packet(&wc, &flow);
    check_key(&flow, &wc);
    flow_wildcards_init_catchall(&wc);
    wc.masks.in_port.odp_port = ODPP_NONE;
    wc.masks.dl_type = OVS_BE16_MAX;
    wc.masks.nw_dst = htonl(0xffffff00);
    check_key(&flow, &wc);
    flow.vlans[0].tpid = htons(ETH_TYPE_VLAN_8021Q);
    flow.vlans[0].tci = htons(VLAN_CFI | 5);
    wc.masks.vlans[0].tpid = OVS_BE16_MAX;
    wc.masks.vlans[0].tci = htons(VLAN_CFI | VLAN_VID_MASK);
    wc.masks.dl_dst = (struct eth_addr) ETH_ADDR_C(01,00,00,00,00,00);
    check_key(&flow, &wc);
    flow.tunnel.ip_dst = htonl(0x01020304);
    flow.tunnel.tun_id = htonll(7);
    flow.tunnel.flags = FLOW_TNL_F_KEY;
    flow_wildcards_init_for_packet(&wc, &flow);
    check_key(&flow, &wc);

    /* Options of tunnels are too long. */
    flow.tunnel.metadata.present.map = 1;
    ovs_assert(!fb_flow_key_pick(&flow, &wc, words));
    ovs_assert(!fb_flow_key_encode_picked(words, 0, compact, sizeof compact));
    for (int i = 0; i < 1000; i++) {
        check_garbage(i % 2 ? 0xff : random_uint8());
    }
}

/* Has 'n_rounds' rounds of 'n_flows' flows, one each 'period' ms, in which the
 * revalidators take 'work' ticks and looking takes 'took' more.  Returns how
 * many are looked at. */
static unsigned int
look_at_rounds(struct fb_look *look, unsigned int every, uint64_t period,
               uint64_t n_flows, uint64_t took, uint64_t work,
               unsigned int n_rounds)
{
    static uint64_t id, now;
    unsigned int n_looked = 0;
    uint64_t last = 0;

    for (unsigned int i = 0; i < n_rounds; i++) {
        bool on;

        now += period * 1000000;
        fb_look_begin(look, every, ++id, false, now);
        on = fb_look_is_on(look, id);
        if (on) {
            n_looked++;
            /* A round stands for all since the one before. */
            ovs_assert(!last || fb_look_weight(look) == id - last);
            last = id;
        }
        fb_look_add(look, n_flows, on ? took : 0, work + (on ? took : 0));
        fb_look_end(look, id);
    }
    return n_looked;
}

/* In which rounds flows are looked at. */
static void
test_look(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_look look;

    /* As ticks are nanoseconds, so that the test knows their length. */
    fb_clock_init(FB_CLOCK_GETTIME);

    /* As asked, whatever it takes. */
    memset(&look, 0, sizeof look);
    ovs_assert(look_at_rounds(&look, 7, 500, 100, 90, 10, 700) == 100);
    ovs_assert(look_at_rounds(&look, 1, 500, 100, 90, 10, 50) == 50);

    /* Many flows: what takes 16 % of a round is done in every 20th, so that it
     * takes 0.8 %. */
    memset(&look, 0, sizeof look);
    ovs_assert(look_at_rounds(&look, 0, 500, 200000, 160, 1000, 2000) == 100);
    ovs_assert(fb_look_share(&look) > 0.0079);
    ovs_assert(fb_look_share(&look) < 0.0081);

    /* It becomes cheaper, and dearer. */
    look_at_rounds(&look, 0, 500, 200000, 4, 1000, 400);
    ovs_assert(look_at_rounds(&look, 0, 500, 200000, 4, 1000, 100)
               == 100);
    look_at_rounds(&look, 0, 500, 200000, 80, 1000, 100);
    ovs_assert(look_at_rounds(&look, 0, 500, 200000, 80, 1000, 1000)
               == 100);

    /* Few flows: in every round if these are far apart, else not. */
    memset(&look, 0, sizeof look);
    ovs_assert(look_at_rounds(&look, 0, 100, 1000, 160, 1000, 200)
               == 200);
    ovs_assert(look_at_rounds(&look, 0, 10, 1000, 160, 1000, 200) == 20);
    ovs_assert(look_at_rounds(&look, 0, 1, 1000, 160, 1000, 200) == 10);

    /* Not more seldom than that, nor never because time stands still. */
    memset(&look, 0, sizeof look);
    ovs_assert(look_at_rounds(&look, 0, 500, 2000, 1000, 1, 1000) == 5);
    memset(&look, 0, sizeof look);
    ovs_assert(look_at_rounds(&look, 0, 500, 2000, 0, 0, 100) == 100);
}

/* Prints what an operation on a ledger with 'n' flows takes. */
static void
bench_step(const char *name, uint64_t start, uint64_t n)
{
    uint64_t ticks = fb_clock_since(start, fb_clock_ticks());
    double ns;

    fb_clock_calibrate();
    ns = fb_clock_to_ns(ticks);
    printf("%-28s %12.1f ns\n", name, ns / n);
}

/* Returns the ticks at 'n' units of coarse time, of a ledger that began at
 * 0. */
static uint64_t
at_unit(uint64_t n)
{
    return (n - 1) << FB_LEDGER_COARSE_SHIFT;
}

/* Reports to the ledger that the flow 'id' missed, and was set up, at
 * 'when'. */
static void
miss(const struct fb_flow_id *id, uint64_t when)
{
    struct fb_flow_event event = {
        .epoch = 1,
        .kind = FB_EV_TRANSLATED,
        .dp = id->dp,
        .ufid = { id->ufid[0], id->ufid[1] },
        .pmd_id = id->pmd_id,
        .start = when,
        .end = when + 1,
    };
    const struct fb_flow_event *events[] = { &event };

    fb_flow_apply(events, 1);
}

/* Coarse times begin anew while flows live, die and miss. */
static void
test_wrap(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    const uint64_t wrap = UINT64_C(1) << 32;
    struct fb_flow_id flow = make_id(1), late = make_id(2);
    struct fb_flow_record *record, *other;
    struct fb_ledger *ledger;
    uint32_t before, after;

    configure(8);
    fb_ledger_begin(1, 0);
    fb_returns_begin(1);
    ledger = fb_ledger_get(1);

    before = fb_ledger_coarse(ledger, at_unit(wrap - 5));
    after = fb_ledger_coarse(ledger, at_unit(wrap + 5));
    ovs_assert(after == 5 && fb_ledger_coarse(ledger, at_unit(wrap)));
    ovs_assert(fb_ledger_is_before(before, after));
    ovs_assert(!fb_ledger_is_before(after, before));
    ovs_assert(!fb_ledger_is_before(after, after));
    ovs_assert(fb_ledger_is_before(0, before));
    ovs_assert(fb_ledger_is_before(0, after));
    ovs_assert(!fb_ledger_is_before(before, 0));
    ovs_assert(fb_ledger_ticks(ledger, before, at_unit(wrap + 9))
               == at_unit(wrap - 5));
    ovs_assert(fb_ledger_ticks(ledger, after, at_unit(wrap + 9))
               == at_unit(wrap + 5));
    ovs_assert(!fb_ledger_ticks(ledger, 0, at_unit(wrap + 9)));

    /* A flow that lives and misses is gone: it has another life. */
    miss(&flow, at_unit(wrap - 5));
    record = fb_ledger_find(ledger, &flow);
    ovs_assert(record && fb_ledger_count(&record->installs) == 1);
    miss(&flow, at_unit(wrap + 5));
    ovs_assert(fb_ledger_count(&record->installs) == 2);
    ovs_assert(fb_ledger_is_live(ledger, record));

    /* In a full ledger, that which has been dead for longest makes room. */
    fb_ledger_kill(ledger, record, FB_END_IDLE, at_unit(wrap + 6));
    for (uint64_t i = 2; i < 9; i++) {
        struct fb_flow_id id = make_id(i);

        other = fb_ledger_find_or_add(ledger, &id);
        ovs_assert(other);
        fb_ledger_revive(ledger, other, at_unit(wrap - 9), 0);
        fb_ledger_kill(ledger, other, FB_END_IDLE,
                       at_unit(i == 2 ? wrap - 2 : wrap + 9));
    }
    flow = make_id(9);
    ovs_assert(fb_ledger_find_or_add(ledger, &flow));
    ovs_assert(!fb_ledger_find(ledger, &late));
    ovs_assert(fb_ledger_count(&ledger->n_aged) == 1);

    /* Time in deletions stays where it cannot grow. */
    atomic_store_relaxed(&record->del, UINT32_MAX - 5);
    fb_record_sum_up_to_max(&record->del, 5);
    fb_record_sum_up_to_max(&record->del, 7);
    ovs_assert(fb_ledger_count(&record->del) == UINT32_MAX);
    fb_ledger_drop();
}

/* Measures what the ledger takes: bench [N-FLOWS]. */
static void
run_bench(struct ovs_cmdl_context *ctx)
{
    uint64_t n = ctx->argc > 1 ? strtoull(ctx->argv[1], NULL, 0) : 200000;
    struct fb_ledger *ledger;
    struct fb_flow_copy copy;
    uint64_t start, step, slowest = 0;
    bool more;

    configure(MAX(n, FB_LEDGER_DEFAULT_FLOWS));
    start = fb_clock_ticks();
    fb_ledger_begin(1, start);
    bench_step("start, in all", start, 1);
    do {
        step = fb_clock_ticks();
        more = fb_ledger_fill(1);
        slowest = MAX(slowest, fb_clock_since(step, fb_clock_ticks()));
    } while (more);
    bench_step("memory, in all", start, 1);
    bench_step("memory, slowest step", fb_clock_ticks() - slowest, 1);
    ledger = fb_ledger_get(1);
    for (int pass = 0; pass < 3; pass++) {
        static const char *const names[] = { "add", "find", "find again" };

        start = fb_clock_ticks();
        for (uint64_t i = 0; i < n; i += 50) {
            struct fb_flow_record *records[50];
            struct fb_flow_id ids[50];

            for (int j = 0; j < 50; j++) {
                ids[j] = make_id(i + j);
            }
            fb_ledger_find_or_add_batch(ledger, ids, records, 50);
            for (int j = 0; j < 50; j++) {
                if (records[j]) {
                    atomic_store_relaxed(&records[j]->packets, i);
                }
            }
        }
        bench_step(names[pass], start, n);
    }
    start = fb_clock_ticks();
    for (uint32_t slot = 0; slot < fb_ledger_n_slots(ledger); slot++) {
        fb_ledger_copy(ledger, slot, &copy);
    }
    bench_step("read all, in all", start, 1);
    printf("%-28s %8"PRIuSIZE" bytes, %"PRIu32" found no room\n", "memory",
           fb_ledger_memory(ledger), fb_ledger_count(&ledger->n_full));
    fb_ledger_drop();
}

/* One a property. */
const struct ovs_cmdl_command plugin_tests[] = {
    { "threads", NULL, 0, 0, test_threads, OVS_RO },
    { "full", NULL, 0, 0, test_full, OVS_RO },
    { "key", NULL, 0, 0, test_key, OVS_RO },
    { "look", NULL, 0, 0, test_look, OVS_RO },
    { "wrap", NULL, 0, 0, test_wrap, OVS_RO },
    { "bench", NULL, 0, 1, run_bench, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};

const enum fb_clock_source plugin_tests_clock = FB_CLOCK_AUTO;
