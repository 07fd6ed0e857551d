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

#include "fb-latency-result.h"

#include <math.h>

/* Computes what follows from the samples in 'result'.  'wire', which may be
 * NULL, is the wire's at the same load. */
void
fb_latency_result_analyze(struct fb_latency_result *result,
                          const struct fb_latency_result *wire)
{
    static const struct fb_estimate no_estimate = {
        .median = NAN, .lo = NAN, .hi = NAN,
    };

    for (int i = 0; i < FB_N_LATENCY_FIGURES; i++) {
        result->ns[i] = result->added_ns[i] = no_estimate;
        if (result->samples) {
            fb_latency_estimate(result->samples, i, &result->ns[i]);
        }
        if (result->samples && wire && wire != result && wire->samples) {
            fb_latency_estimate_added(result->samples, wire->samples, i,
                                      &result->added_ns[i]);
        }
    }
}

/* Frees what 'result' holds. */
void
fb_latency_result_destroy(struct fb_latency_result *result)
{
    fb_latency_destroy(result->samples);
    result->samples = NULL;
}
