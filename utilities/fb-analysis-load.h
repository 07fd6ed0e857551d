/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */

#ifndef FB_ANALYSIS_LOAD_H
#define FB_ANALYSIS_LOAD_H 1

/* Whether a result says something of the DUTs, or only of the generator. */

struct fb_result;

void fb_load_judge(struct fb_result *);

#endif /* fb-analysis-load.h */
