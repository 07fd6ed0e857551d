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

#include <config.h>

#include "fb-guest-spec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "util.h"

/* Makes 'spec' an empty one.  The caller destroys it with
 * fb_guest_spec_destroy(). */
void
fb_guest_spec_init(struct fb_guest_spec *spec)
{
    spec->cwd = NULL;
    spec->modules = NULL;
    spec->kind = NULL;
    spec->emulated = false;
    spec->progress = false;
    svec_init(&spec->args);
    svec_init(&spec->env);
}

/* Frees what 'spec' holds, but not 'spec' itself. */
void
fb_guest_spec_destroy(struct fb_guest_spec *spec)
{
    free(spec->cwd);
    free(spec->modules);
    free(spec->kind);
    svec_destroy(&spec->args);
    svec_destroy(&spec->env);
}

/* Appends a record of kind 'tag' that holds 'value' to 'stream'. */
static void
put_record(FILE *stream, char tag, const char *value)
{
    putc(tag, stream);
    fputs(value, stream);
    putc('\0', stream);
}

/* Writes 'spec', of which 'cwd', 'modules' and 'kind' must be set, to the file
 * FB_GUEST_SPEC in 'dir', for its owner's eyes only: the environment may hold
 * secrets.  Returns 0 or a positive errno value. */
int
fb_guest_spec_write(const struct fb_guest_spec *spec, const char *dir)
{
    char *name = xasprintf("%s/%s", dir, FB_GUEST_SPEC);
    mode_t mask = umask(0077);
    FILE *stream = fopen(name, "we");
    int error = stream ? 0 : errno;
    const char *s;
    size_t i;

    umask(mask);
    free(name);
    if (error) {
        return error;
    }

    put_record(stream, 'd', spec->cwd);
    put_record(stream, 'm', spec->modules);
    put_record(stream, 'k', spec->kind);
    if (spec->emulated) {
        put_record(stream, 's', "");
    }
    if (spec->progress) {
        put_record(stream, 'p', "");
    }
    SVEC_FOR_EACH (i, s, &spec->args) {
        put_record(stream, 'a', s);
    }
    SVEC_FOR_EACH (i, s, &spec->env) {
        put_record(stream, 'e', s);
    }

    errno = 0;
    if (ferror(stream)) {
        error = EIO;
    }
    if (fclose(stream) && !error) {
        error = errno ? errno : EIO;
    }
    return error;
}

/* Puts one record, of kind 'tag', into 'spec'.  Returns false if there is no
 * such kind. */
static bool
take_record(struct fb_guest_spec *spec, char tag, const char *value)
{
    switch (tag) {
    case 'd':
        free(spec->cwd);
        spec->cwd = xstrdup(value);
        return true;
    case 'm':
        free(spec->modules);
        spec->modules = xstrdup(value);
        return true;
    case 'k':
        free(spec->kind);
        spec->kind = xstrdup(value);
        return true;
    case 's':
        spec->emulated = true;
        return true;
    case 'p':
        spec->progress = true;
        return true;
    case 'a':
        svec_add(&spec->args, value);
        return true;
    case 'e':
        svec_add(&spec->env, value);
        return true;
    default:
        return false;
    }
}

/* Reads the file FB_GUEST_SPEC in 'dir' into 'spec', which the caller must
 * have initialized and must destroy.  Returns 0 or a positive errno value:
 * EPROTO if the file does not hold what fb_guest_spec_write() writes. */
int
fb_guest_spec_read(struct fb_guest_spec *spec, const char *dir)
{
    char *name = xasprintf("%s/%s", dir, FB_GUEST_SPEC);
    FILE *stream = fopen(name, "re");
    int error = stream ? 0 : errno;
    char *record = NULL;
    size_t allocated = 0;
    ssize_t n;

    free(name);
    if (error) {
        return error;
    }

    while (!error && (n = getdelim(&record, &allocated, '\0', stream)) > 0) {
        if (record[n - 1] || !take_record(spec, record[0], record + 1)) {
            error = EPROTO;
        }
    }
    if (!error && ferror(stream)) {
        error = EIO;
    }
    if (!error && (!spec->cwd || !spec->modules || !spec->kind
                   || !spec->args.n)) {
        error = EPROTO;
    }
    free(record);
    fclose(stream);
    return error;
}
