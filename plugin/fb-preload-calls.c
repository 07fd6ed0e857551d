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
#include "fanbench-config.h"

/* Which probed functions a preloaded library cannot see called.
 *
 * It sees calls that go through the dynamic linker, and for each such call the
 * object that it is in has a relocation with the function's name.  The linker
 * makes none for functions that are hidden, nor with -Bsymbolic for those in
 * the library itself, nor does the compiler with -fno-semantic-interposition.
 * The relocations of what is loaded are looked through once. */

#include "fb-preload.h"

#include <elf.h>
#include <link.h>
#include <string.h>

#include "fb-wrap.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "sset.h"
#include "util.h"

/* Names of the probed functions: the linker collects what FB_PROBED() puts
 * into this section. */
extern const char *const __start_fb_probed[];
extern const char *const __stop_fb_probed[];

/* Those whose calls are, all or the most telling ones, in the library that
 * defines them. */
static const char *const inner[] = {
    "connmgr_run", "nl_dump_next", "ovs_mutex_lock_at", "udpif_revalidate",
};

/* What an object's dynamic section tells. */
struct object {
    const ElfW(Sym) *symbols;   /* Symbol table. */
    const char *strings;        /* The symbols' names. */
    struct {
        const char *data;       /* Relocations, null if there are none. */
        size_t size;            /* Their size in bytes. */
        size_t entry;           /* The size of each. */
    } tables[2];                /* Those for calls, and all others. */
};

/* What is looked for, and found. */
struct search {
    const char *name;           /* The function. */
    const void *definition;     /* Where the real one is, or null. */
    bool within;                /* Only look where that is? */
    bool found;                 /* Is it called by way of its name? */
};

/* Does the loaded object 'info' contain 'address'? */
static bool
contains(const struct dl_phdr_info *info, const void *address)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + ph->p_vaddr;

        if (ph->p_type == PT_LOAD && (uintptr_t) address >= start
            && (uintptr_t) address - start < ph->p_memsz) {
            return true;
        }
    }
    return false;
}

/* Returns the address that the dynamic section of 'info' has as 'address'.
 * Most dynamic linkers have added the load address to it already. */
static const void *
relocated(const struct dl_phdr_info *info, ElfW(Addr) address)
{
    return (const void *) (address < info->dlpi_addr
                           ? address + info->dlpi_addr : address);
}

/* Reads the dynamic section 'dyn' of 'info' into 'object'. */
static void
read_dynamic(const struct dl_phdr_info *info, const ElfW(Dyn) *dyn,
             struct object *object)
{
    memset(object, 0, sizeof *object);
    for (; dyn->d_tag != DT_NULL; dyn++) {
        switch (dyn->d_tag) {
        case DT_SYMTAB:
            object->symbols = relocated(info, dyn->d_un.d_ptr);
            break;
        case DT_STRTAB:
            object->strings = relocated(info, dyn->d_un.d_ptr);
            break;
        case DT_JMPREL:
            object->tables[0].data = relocated(info, dyn->d_un.d_ptr);
            break;
        case DT_PLTRELSZ:
            object->tables[0].size = dyn->d_un.d_val;
            break;
        case DT_PLTREL:
            object->tables[0].entry = (dyn->d_un.d_val == DT_RELA
                                       ? sizeof(ElfW(Rela))
                                       : sizeof(ElfW(Rel)));
            break;
        case DT_RELA:
        case DT_REL:
            object->tables[1].data = relocated(info, dyn->d_un.d_ptr);
            object->tables[1].entry = (dyn->d_tag == DT_RELA
                                       ? sizeof(ElfW(Rela))
                                       : sizeof(ElfW(Rel)));
            break;
        case DT_RELASZ:
        case DT_RELSZ:
            object->tables[1].size = dyn->d_un.d_val;
            break;
        default:
            break;
        }
    }
}

/* Has 'object' a relocation with 'name'? */
static bool
refers_to(const struct object *object, const char *name)
{
    if (!object->symbols || !object->strings) {
        return false;
    }
    for (size_t i = 0; i < ARRAY_SIZE(object->tables); i++) {
        const char *p = object->tables[i].data;
        size_t entry = object->tables[i].entry;
        size_t n = p && entry ? object->tables[i].size / entry : 0;

        for (; n > 0; n--, p += entry) {
            /* Both kinds begin alike. */
            ElfW(Rel) rel;

            memcpy(&rel, p, sizeof rel);
#if __ELF_NATIVE_CLASS == 64
            size_t symbol = ELF64_R_SYM(rel.r_info);
#else
            size_t symbol = ELF32_R_SYM(rel.r_info);
#endif
            if (symbol && !strcmp(&object->strings[
                                      object->symbols[symbol].st_name],
                                  name)) {
                return true;
            }
        }
    }
    return false;
}

/* Looks through an object for dl_iterate_phdr(). */
static int
look_through(struct dl_phdr_info *info, size_t size OVS_UNUSED, void *search_)
{
    struct search *search = search_;

    /* Our own calls do not count. */
    if (contains(info, __start_fb_probed)
        || (search->within && !contains(info, search->definition))) {
        return 0;
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            struct object object;

            read_dynamic(info, (const void *) (info->dlpi_addr
                                               + info->dlpi_phdr[i].p_vaddr),
                         &object);
            search->found = refers_to(&object, search->name);
        }
    }
    return search->found;
}

/* Is the probed function 'name' called by way of its name? */
static bool
is_seen(const char *name)
{
    struct search search = { .name = name };

    for (size_t i = 0; i < ARRAY_SIZE(inner); i++) {
        search.within = search.within || !strcmp(name, inner[i]);
    }
    search.definition = dlsym(RTLD_NEXT, name);
    if (search.definition) {
        dl_iterate_phdr(look_through, &search);
    }
    return search.found;
}

/* Returns the names of the probed functions whose calls cannot be seen. */
static const struct sset *
unseen(void)
{
    static struct sset names = SSET_INITIALIZER(&names);
    static bool looked;

    if (!looked) {
        looked = true;
        for (const char *const *p = __start_fb_probed; p < __stop_fb_probed;
             p++) {
            if (!is_seen(*p)) {
                sset_add(&names, *p);
            }
        }
    }
    return &names;
}

/* Appends to 'ds' a line with the probed functions whose calls cannot be seen,
 * if there are any. */
void
fb_preload_format_unseen(struct ds *ds)
{
    const char **names = sset_sort(unseen());

    for (size_t i = 0; names[i]; i++) {
        ds_put_format(ds, "%s%s", i ? ", " : "calls not seen: ", names[i]);
    }
    if (names[0]) {
        ds_put_char(ds, '\n');
    }
    free(names);
}

/* Returns the same as a JSON array of strings. */
struct json *
fb_preload_json_unseen(void)
{
    const char **names = sset_sort(unseen());
    struct json *array = json_array_create_empty();

    for (size_t i = 0; names[i]; i++) {
        json_array_add(array, json_string_create(names[i]));
    }
    free(names);
    return array;
}
