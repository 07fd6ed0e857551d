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

#include "fb-output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fatal-signal.h"
#include "util.h"

/* Where a result goes. */
struct fb_output {
    FILE *stream;               /* Open for writing. */
    char *file_name;            /* Name for the user. */
    char *tmp_name;             /* What it is called until it is whole; NULL
                                 * for standard output and devices. */
};

/* Makes sure that a result can be written to 'file_name', or to standard
 * output if that is null, and stores in '*outputp' how.  The caller must close
 * it with fb_output_close().
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_output_open(const char *file_name, struct fb_output **outputp)
{
    struct fb_output *output = xzalloc(sizeof *output);
    struct stat s;

    if (!file_name) {
        int flags = fcntl(STDOUT_FILENO, F_GETFL);
        if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {
            /* As where the caller has closed it. */
            errno = EBADF;
            flags = -1;
        }
        output->file_name = xstrdup("standard output");
        output->stream = flags >= 0 ? stdout : NULL;
    } else {
        output->file_name = xstrdup(file_name);
        if (!stat(file_name, &s) && !S_ISREG(s.st_mode)) {
            output->stream = fopen(file_name, "we");
        } else {
            output->tmp_name = xasprintf("%s.tmp%ld", file_name,
                                         (long int) getpid());
            output->stream = fopen(output->tmp_name, "we");
            if (output->stream) {
                fatal_signal_add_file_to_unlink(output->tmp_name);
            }
        }
    }
    if (!output->stream) {
        char *error = xasprintf("%s: cannot be written (%s)",
                                output->file_name, ovs_strerror(errno));
        free(output->tmp_name);
        output->tmp_name = NULL;
        fb_output_close(output);
        *outputp = NULL;
        return error;
    }
    *outputp = output;
    return NULL;
}

/* Lets what this process writes to its standard output, as a number, not as a
 * stream, go to 'output' from now on.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_output_become_stdout(struct fb_output *output)
{
    int fd = fileno(output->stream);
    return (fd == STDOUT_FILENO || dup2(fd, STDOUT_FILENO) >= 0
            ? NULL
            : xasprintf("%s: cannot be redirected (%s)", output->file_name,
                        ovs_strerror(errno)));
}

/* Writes 'text' to 'output' and makes it whole.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_output_commit(struct fb_output *output, const char *text)
{
    errno = 0;
    bool ok = fputs(text, output->stream) >= 0 && !fflush(output->stream);
    if (ok && output->tmp_name) {
        ok = !rename(output->tmp_name, output->file_name);
        if (ok) {
            fatal_signal_remove_file_to_unlink(output->tmp_name);
            free(output->tmp_name);
            output->tmp_name = NULL;
        }
    }
    return (ok ? NULL
            : xasprintf("%s: cannot be written (%s)", output->file_name,
                        ovs_strerror(errno)));
}

/* Closes 'output', which may be null.  Removes what is not whole. */
void
fb_output_close(struct fb_output *output)
{
    if (output) {
        if (output->stream && output->stream != stdout) {
            fclose(output->stream);
        }
        if (output->tmp_name) {
            fatal_signal_unlink_file_now(output->tmp_name);
            free(output->tmp_name);
        }
        free(output->file_name);
        free(output);
    }
}
