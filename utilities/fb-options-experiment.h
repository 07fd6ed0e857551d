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

#ifndef FB_OPTIONS_EXPERIMENT_H
#define FB_OPTIONS_EXPERIMENT_H 1

/* The options of "run" for scenarios that are experiments of their own. */

#include <stdbool.h>

struct fb_experiment_class;
struct fb_experiment_parameters;
struct fb_options;
struct fb_place;

void fb_options_check_experiment(const struct fb_options *,
                                 const char *scenario,
                                 const struct fb_experiment_class *);
void fb_options_get_experiment(const struct fb_options *, const char *scenario,
                               const struct fb_experiment_class *, bool guest,
                               struct fb_experiment_parameters *);
void fb_options_check_experiment_place(const struct fb_place *,
                                       const char *scenario,
                                       const struct fb_experiment_class *);

#endif /* fb-options-experiment.h */
