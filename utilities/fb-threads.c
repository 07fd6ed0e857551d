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

#include "fb-threads.h"

#include "fb-cpus.h"
#include "fb-dut.h"
#include "fb-result.h"
#include "util.h"

/* Checks whether the load of 'p' can be shared out among its threads: each
 * flow is one thread's, and all flows have the same number of packets.
 *
 * Returns NULL if so, otherwise a malloc()'d error message that begins with
 * what is wrong. */
char *
fb_threads_check(const struct fb_parameters *p)
{
    struct fb_traffic traffic = fb_result_traffic(p);
    uint64_t n_flows = fb_traffic_n_flows(&traffic, p->n_destinations);
    size_t n = p->n_threads;

    if (n == 1) {
        return NULL;
    } else if (n > fb_cpus_count()) {
        return xasprintf("each thread needs a CPU of its own, and there %s "
                         "%"PRIuSIZE, fb_cpus_count() > 1 ? "are" : "is only",
                         fb_cpus_count());
    } else if (traffic.pattern == FB_PATTERN_BIDIRECTIONAL) {
        return (n > 2
                ? xstrdup("each direction is one thread's (use --threads=2)")
                : NULL);
    } else if (traffic.pattern == FB_PATTERN_MATRIX) {
        return ((p->n_destinations + 1) % n
                ? xasprintf("the packets of %"PRIuSIZE" ports cannot be "
                            "shared out equally among %"PRIuSIZE" threads "
                            "(use --destinations=%"PRIuSIZE")",
                            p->n_destinations + 1, n,
                            ROUND_UP(p->n_destinations + 1, n) - 1)
                : NULL);
    } else if (n_flows > 1 && !traffic.flow_packets && n_flows % n) {
        return xasprintf("%"PRIu64" flows cannot be shared out equally among "
                         "%"PRIuSIZE" threads (use --flows=%"PRIu64")",
                         n_flows, n, ROUND_UP(n_flows, n));
    }
    return NULL;
}

/* Gives the generator's threads of 'p' CPUs of their own, as far as there are
 * some, and adds to 'result' which, and a finding if that leaves none to the
 * 'n_kinds' DUTs in 'kinds' that have work of their own to do. */
void
fb_threads_take_cpus(const struct fb_parameters *p,
                     const struct fb_dut_kind *const *kinds, size_t n_kinds,
                     struct fb_result *result)
{
    struct fb_environment *e = &result->environment;
    bool crowded = false;

    e->n_generator_cpus = fb_cpus_take(p->n_threads);
    for (size_t i = 0; i < e->n_generator_cpus; i++) {
        e->generator_cpus[i] = fb_cpus_generator(i);
    }
    for (size_t i = 0; i < n_kinds; i++) {
        crowded |= kinds[i]->queues;
    }
    if (crowded && p->n_threads > 1
        && e->n_generator_cpus == fb_cpus_count()) {
        fb_result_add_finding(
            result, FB_WARNING, "no-cpu-left", "use fewer --threads",
            "the %"PRIuSIZE" threads of the generator have all CPUs: a switch "
            "that works in a thread of its own has to share one with them",
            p->n_threads);
    }
}
