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

#include "fb-pmd-report.h"

#include <inttypes.h>

#include "fb-result.h"
#include "openvswitch/dynamic-string.h"

/* Appends to 'ds', for each DUT in 'result' that has PMD threads, how busy
 * they were, which their CPU time does not tell, because they poll without
 * pause. */
void
fb_pmd_report_format(const struct fb_result *result, struct ds *ds)
{
    for (size_t i = 0; i < result->n_duts; i++) {
        const struct fb_dut_result *dut = &result->duts[i];
        const struct fb_datapath_counters *d = &dut->datapath;
        uint64_t n = d->hit + d->missed;

        if (dut->datapath_type && d->pmd_busy != FB_DATAPATH_NONE
            && d->pmd_busy + d->pmd_idle && n) {
            ds_put_format(ds, "\n%s: its PMD threads were busy for %.1f %% of "
                          "the trials, the time until all packets had arrived "
                          "included, with %.0f cycles for each of %"PRIu64" "
                          "packets; the rest of their CPU time is polling\n",
                          dut->name, (100.0 * d->pmd_busy
                                      / (d->pmd_busy + d->pmd_idle)),
                          (double) d->pmd_busy / n, n);
        }
    }
}
