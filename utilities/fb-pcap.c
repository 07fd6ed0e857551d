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

#include <config.h>
#include "fb-pcap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dp-packet.h"
#include "fatal-signal.h"
#include "fb-frames.h"
#include "pcap-file.h"
#include "util.h"

/* Lengths of a pcap file's header and of that of each packet. */
#define PCAP_FILE_HEADER_LEN 24
#define PCAP_PACKET_HEADER_LEN 16

/* Makes 'name' an empty file, or finds out why that cannot be, of which
 * ovs_pcap_open() would log a warning.  Returns 0 or an errno. */
static int
create(const char *name)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

    if (fd < 0) {
        return errno;
    }
    close(fd);
    return 0;
}

/* Writes the first 'n' frames of 'config' to 'pcap', from each of its
 * 'sources' in turn.  Returns the length that its file should have then. */
static uint64_t
write_frames(const struct fb_frames_config *config,
             struct fb_frames *const sources[], uint64_t n,
             struct pcap_file *pcap)
{
    size_t n_turns = fb_traffic_n_turns(&config->traffic,
                                        config->n_destinations);
    uint64_t size = PCAP_FILE_HEADER_LEN;

    for (uint64_t i = 0; i < n; i++) {
        struct fb_frames *frames = sources[fb_traffic_source(&config->traffic,
                                                             i % n_turns)];
        struct iovec *iov = fb_frames_peek(frames, 1);
        struct dp_packet packet;

        dp_packet_use_const(&packet, iov->iov_base, iov->iov_len);
        ovs_pcap_write(pcap, &packet);
        dp_packet_uninit(&packet);
        size += PCAP_PACKET_HEADER_LEN + iov->iov_len;
        fb_frames_advance(frames, 1);
        fatal_signal_run();
    }
    return size;
}

/* Writes the first 'n' frames of 'config' to a file in pcap format called
 * 'name'.  Needs no privilege.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message; then there
 * is no such file. */
char *
fb_pcap_write(const char *name, const struct fb_frames_config *config,
              uint64_t n)
{
    size_t n_sources = fb_traffic_n_sources(&config->traffic,
                                            config->n_destinations);
    struct fb_frames **sources = xcalloc(n_sources, sizeof *sources);
    struct pcap_file *pcap = NULL;
    struct stat st;
    int error = 0;

    for (size_t i = 0; !error && i < n_sources; i++) {
        struct fb_frames_config mine = *config;

        mine.share.source = i;
        error = fb_frames_create(&mine, &sources[i]);
    }
    if (!error) {
        error = create(name);
    }
    if (!error) {
        pcap = ovs_pcap_open(name, "wb");
        error = pcap ? 0 : errno;
    }
    if (!error) {
        fatal_signal_add_file_to_unlink(name);
        uint64_t size = write_frames(config, sources, n, pcap);
        ovs_pcap_close(pcap);
        fatal_signal_remove_file_to_unlink(name);

        /* OVS's functions do not tell of errors. */
        if (stat(name, &st)) {
            error = errno;
        } else if (S_ISREG(st.st_mode) && st.st_size != size) {
            error = ENOSPC;
            unlink(name);
        }
    }
    for (size_t i = 0; i < n_sources; i++) {
        fb_frames_destroy(sources[i]);
    }
    free(sources);
    return (error
            ? xasprintf("--pcap=%s: cannot be written (%s)", name,
                        ovs_strerror(error))
            : NULL);
}
