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


#ifndef FB_SPIN_H
#define FB_SPIN_H 1

/* Locks that are held for microseconds, by threads of any priority. */

#include <stdbool.h>

#include "ovs-atomic.h"

void fb_spin_be_patient(void);
bool fb_spin_lock(atomic_uint8_t *);
void fb_spin_unlock(atomic_uint8_t *);

#endif /* fb-spin.h */
