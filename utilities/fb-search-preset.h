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

#ifndef FB_SEARCH_PRESET_H
#define FB_SEARCH_PRESET_H 1

/* Goals of searches, by name. */

#include <stddef.h>

#include "fb-search.h"

/* Most goals of a search. */
#define FB_SEARCH_MAX_GOALS 2

/* A named set of goals.  Data only. */
struct fb_search_preset {
    const char *name;           /* Argument of --search. */
    const char *description;    /* In a few words. */
    size_t n_goals;
    struct fb_search_goal goals[FB_SEARCH_MAX_GOALS];
};

const struct fb_search_preset *fb_search_presets(size_t *n);
const struct fb_search_preset *fb_search_preset_find(const char *name);

#endif /* fb-search-preset.h */
