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

#ifndef FB_PCAP_H
#define FB_PCAP_H 1

/* The packets of a load, in a file instead of on a wire. */

#include <stddef.h>
#include <stdint.h>

#include "compiler.h"

struct fb_frames_config;

#define FB_PCAP_MAX 10000000    /* Most packets of a file. */

char *fb_pcap_write(const char *name, const struct fb_frames_config *,
                    uint64_t n) OVS_WARN_UNUSED_RESULT;

#endif /* fb-pcap.h */
