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

#ifndef FB_WORST_PUT_H
#define FB_WORST_PUT_H 1

/* The flow of a datapath whose flow puts failed most often, of those in the
 * flow ledger, so that it can be named without a search.
 *
 * Thread rules: fb_worst_put_note() is for any thread and never waits; the
 * rest is for the main thread. */

#include <stdint.h>

struct fb_flow_record;
struct fb_ledger;

/* What is said of such a flow. */
struct fb_worst_put {
    uint32_t n;                 /* Flow puts that failed. */
    int error;                  /* Why the latest did: a positive errno. */
    char *text;                 /* The flow in OVS's syntax, or null if there
                                 * is none or it is not known any more. */
};

void fb_worst_put_note(struct fb_ledger *, const struct fb_flow_record *,
                       int dp);
void fb_worst_put_read(int dp, struct fb_worst_put *);
void fb_worst_put_destroy(struct fb_worst_put *);

#endif /* fb-worst-put.h */
