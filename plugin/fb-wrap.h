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

#ifndef FB_WRAP_H
#define FB_WRAP_H 1

/* How a probe stands in front of a function of OVS.
 *
 *     FB_PROBED(int, some_function, (struct arg *));
 *
 *     int
 *     FB_WRAP(some_function)(struct arg *arg)
 *     {
 *         ...
 *         return FB_REAL(some_function)(arg);
 *     }
 *
 * In the linked form, the linker's --wrap option sends calls from other
 * objects to FB_WRAP(); calls from within the object that defines the function
 * are not seen.
 *
 * In the preloaded form, FB_PRELOAD being defined, the probe has the
 * function's own name, which comes first in the dynamic linker's search, and
 * finds the real one by dlsym().  Calls that go through the dynamic linker are
 * seen: also those from within one library, and those from within one object
 * unless the compiler or -Bsymbolic bound them there.  A constructor finds the
 * real function; where another library's constructor comes first, the call
 * itself does. */

#ifdef FB_PRELOAD

#include <dlfcn.h>
#include <stddef.h>

#define FB_WRAP(NAME) NAME
#define FB_REAL(NAME)                                                   \
    (__builtin_expect(fb_real_##NAME != NULL, 1)                        \
     ? fb_real_##NAME : (fb_find_##NAME(), fb_real_##NAME))
#define FB_PROBED(TYPE, NAME, ARGS)                                     \
    static const char *const fb_name_##NAME                             \
        __attribute__((section("fb_probed"), used)) = #NAME;            \
    static TYPE (*fb_real_##NAME) ARGS;                                 \
    static void __attribute__((constructor)) fb_find_##NAME(void)       \
    {                                                                   \
        fb_real_##NAME = (TYPE (*) ARGS) dlsym(RTLD_NEXT, #NAME);       \
    }                                                                   \
    TYPE NAME ARGS

#else /* !FB_PRELOAD */

#define FB_WRAP(NAME) __wrap_##NAME
#define FB_REAL(NAME) __real_##NAME
#define FB_PROBED(TYPE, NAME, ARGS)                                     \
    TYPE __real_##NAME ARGS;                                            \
    TYPE __wrap_##NAME ARGS

#endif /* !FB_PRELOAD */

#endif /* fb-wrap.h */
