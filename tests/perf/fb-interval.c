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

/* usage: fb-interval < PAIRS
 *
 * Each line of PAIRS holds two times, A and B, measured in one block.  Prints
 * the median of the ratios A/B and its 95 % interval, "MEDIAN LOW HIGH".  It
 * lets scripts use lib/fb-stats.h. */

#undef NDEBUG
#include <stdio.h>
#include <stdlib.h>

#include "fb-stats.h"
#include "util.h"

int
main(int argc OVS_UNUSED, char *argv[])
{
    double *a = NULL, *b = NULL;
    size_t n = 0, allocated = 0;
    struct fb_estimate ratio;
    double x, y;

    set_program_name(argv[0]);
    while (scanf("%lf %lf", &x, &y) == 2) {
        if (n >= allocated) {
            allocated = MAX(2 * allocated, 64);
            a = xrealloc(a, allocated * sizeof *a);
            b = xrealloc(b, allocated * sizeof *b);
        }
        a[n] = x;
        b[n++] = y;
    }
    if (!feof(stdin)) {
        ovs_fatal(0, "line %"PRIuSIZE" is no pair of numbers", n + 1);
    }
    if (fb_stats_ratio(a, b, n, &ratio)) {
        ovs_fatal(0, "these are no pairs of times");
    }
    printf("%.6f %.6f %.6f\n", ratio.median, ratio.lo, ratio.hi);
    free(a);
    free(b);
    return 0;
}
