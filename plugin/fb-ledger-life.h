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


#ifndef FB_LEDGER_LIFE_H
#define FB_LEDGER_LIFE_H 1

/* The life of flow ledgers: which one is in use, and its memory.
 *
 * Thread rules: main thread only, but for what is said below. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "fb-ledger.h"

/* What a ledger is to be like. */
struct fb_ledger_options {
    uint32_t max_flows;         /* Room for so many flows; 0: no ledger. */
    unsigned int every;         /* Look at flows in every Nth round; 0: as
                                 * seldom as it takes to be cheap. */
    unsigned int exact;         /* Time flows one by one in every Nth round;
                                 * 0: never. */
};

void fb_ledger_configure(const struct fb_ledger_options *);
void fb_ledger_begin(unsigned int epoch, uint64_t start);
void fb_ledger_drop(void);
struct fb_ledger *fb_ledger_ref(void);
void fb_ledger_unref(struct fb_ledger *);
size_t fb_ledger_memory(const struct fb_ledger *);

/* Any thread. */
bool fb_ledger_fill(unsigned int epoch);
struct fb_ledger *fb_ledger_get(unsigned int epoch);

#endif /* fb-ledger-life.h */
