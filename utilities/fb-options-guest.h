/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

#ifndef FB_OPTIONS_GUEST_H
#define FB_OPTIONS_GUEST_H 1

/* Options that say in which kernel to run: --guest, --guest-cpus and
 * --no-guest. */

struct fb_options;

void fb_options_set_guest(struct fb_options *, const char *value);
void fb_options_set_no_guest(struct fb_options *, const char *value);
void fb_options_set_guest_cpus(struct fb_options *, const char *value);
void fb_options_check_guest(struct fb_options *);
void fb_options_need_counting_guest(struct fb_options *, const char *scenario);

#endif /* fb-options-guest.h */
