# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at:
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

dnl FANBENCH_OVS_MAKE_VAR(SHELL-VAR, MAKE-VAR)
dnl
dnl Sets SHELL-VAR to the value that MAKE-VAR has in the OVS build tree's
dnl Makefile, so that what OVS was configured with is linked here too.
AC_DEFUN([FANBENCH_OVS_MAKE_VAR],
  [$1=`printf 'include Makefile\nfanbench-print:\n\t@echo $(%s)\n' '$2' \
       | (cd "$ovs_builddir" && ${MAKE-make} -s -f - fanbench-print) 2>/dev/null`
   AC_SUBST([$1])])

dnl FANBENCH_CHECK_OVS
dnl
dnl Finds the OVS source and build trees and checks that what this project
dnl links against has been built there.
AC_DEFUN([FANBENCH_CHECK_OVS], [
  AC_ARG_WITH([ovs-source],
    [AS_HELP_STRING([--with-ovs-source=DIR], [OVS source directory])])
  AC_ARG_WITH([ovs-build],
    [AS_HELP_STRING([--with-ovs-build=DIR],
       [OVS build directory (default: the OVS source directory)])])

  AC_MSG_CHECKING([for OVS source directory])
  AS_IF([test "X$with_ovs_source" = X || test "X$with_ovs_source" = Xyes \
         || test "X$with_ovs_source" = Xno],
    [AC_MSG_RESULT([not given])
     AC_MSG_ERROR([please use --with-ovs-source=DIR to name an OVS source tree, or run ./quickstart, which fetches and builds one])])
  dnl The shell leaves a "~" behind "=" alone.
  with_ovs_source=`eval echo "$with_ovs_source"`
  AS_IF([test ! -d "$with_ovs_source"],
    [AC_MSG_ERROR([--with-ovs-source: $with_ovs_source is not a directory])])
  ovs_srcdir=`cd "$with_ovs_source" && pwd`
  for fb_file in vswitchd/bridge.c lib/dpif.h tests/ovs-macros.at \
                 vswitchd/vswitch.ovsschema; do
    AS_IF([test ! -f "$ovs_srcdir/$fb_file"],
      [AC_MSG_ERROR([--with-ovs-source: $ovs_srcdir is not an OVS source directory: it has no $fb_file])])
  done
  AC_MSG_RESULT([$ovs_srcdir])
  AC_SUBST([ovs_srcdir])

  AC_MSG_CHECKING([for OVS build directory])
  AS_IF([test "X$with_ovs_build" = X], [with_ovs_build=$ovs_srcdir])
  dnl The shell leaves a "~" behind "=" alone.
  with_ovs_build=`eval echo "$with_ovs_build"`
  AS_IF([test ! -d "$with_ovs_build"],
    [AC_MSG_ERROR([--with-ovs-build: $with_ovs_build is not a directory])])
  ovs_builddir=`cd "$with_ovs_build" && pwd`
  for fb_file in config.h Makefile; do
    AS_IF([test ! -f "$ovs_builddir/$fb_file"],
      [AC_MSG_ERROR([--with-ovs-build: $ovs_builddir is not a configured OVS build directory: it has no $fb_file (run OVS's configure there, or name another directory)])])
  done
  fb_missing=
  for fb_file in include/odp-netlink.h lib/vswitch-idl.h \
                 ofproto/libofproto.la lib/libsflow.la lib/libopenvswitch.la \
                 vswitchd/bridge.o vswitchd/ovs-vswitchd.o \
                 vswitchd/system-stats.o; do
    AS_IF([test ! -f "$ovs_builddir/$fb_file"],
      [fb_missing="$fb_missing $fb_file"])
  done
  AS_IF([test "X$fb_missing" != X],
    [AC_MSG_ERROR([the OVS tree in $ovs_builddir is configured but not built; please build there:$fb_missing])])
  AC_MSG_RESULT([$ovs_builddir])
  AC_SUBST([ovs_builddir])

  AC_MSG_CHECKING([OVS version])
  OVS_VERSION=`$SED -n 's/^#define PACKAGE_VERSION "\(.*\)"$/\1/p' \
               "$ovs_builddir/config.h"`
  AS_IF([test "X$OVS_VERSION" = X],
    [AC_MSG_ERROR([$ovs_builddir/config.h does not define PACKAGE_VERSION])])
  AC_MSG_RESULT([$OVS_VERSION])
  AC_SUBST([OVS_VERSION])

  dnl Static libraries: the probe is linked into an ovs-vswitchd.  Shared ones:
  dnl it becomes a library for LD_PRELOAD.
  AC_MSG_CHECKING([for OVS's shared library])
  OVS_LIBRARY=`$SED -n "s/^dlname='\(.*\)'\$/\1/p" \
               "$ovs_builddir/lib/libopenvswitch.la"`
  AS_IF([test "X$OVS_LIBRARY" = X],
    [AC_MSG_RESULT([none: linked form])],
    [AC_MSG_RESULT([$OVS_LIBRARY: preloaded form])])
  AC_SUBST([OVS_LIBRARY])
  AM_CONDITIONAL([OVS_SHARED], [test "X$OVS_LIBRARY" != X])

  FANBENCH_OVS_MAKE_VAR([OVS_LIBS], [LIBS])
  FANBENCH_OVS_MAKE_VAR([OVS_LINK_FLAGS],
    [OVS_LDFLAGS) $(DPDK_vswitchd_LDFLAGS])
  FANBENCH_OVS_MAKE_VAR([OVS_COMPILE_FLAGS], [OVS_CFLAGS])
  FANBENCH_OVS_MAKE_VAR([ovs_sbindir], [sbindir])
])

dnl FANBENCH_OVS_FEATURE(SHELL-VAR, DESCRIPTION, INCLUDES, STATEMENT)
dnl
dnl Sets SHELL-VAR to 1 if STATEMENT compiles with OVS's private headers, which
dnl INCLUDES has, else to 0.
AC_DEFUN([FANBENCH_OVS_FEATURE],
  [AC_MSG_CHECKING([OVS for $2])
   fb_save_CFLAGS=$CFLAGS
   fb_save_CPPFLAGS=$CPPFLAGS
   CFLAGS="$CFLAGS $OVS_COMPILE_FLAGS -Werror=implicit-function-declaration"
   CPPFLAGS="-DHAVE_CONFIG_H -I$ovs_builddir -I$ovs_srcdir/include -I$ovs_builddir/include -I$ovs_srcdir/lib -I$ovs_builddir/lib -I$ovs_srcdir $CPPFLAGS"
   AC_COMPILE_IFELSE(
     [AC_LANG_SOURCE([
#undef PACKAGE_BUGREPORT
#undef PACKAGE_NAME
#undef PACKAGE_STRING
#undef PACKAGE_TARNAME
#undef PACKAGE_URL
#undef PACKAGE_VERSION
#include <config.h>
$3
void fanbench_conftest(void);
void
fanbench_conftest(void)
{
    $4;
}])],
     [$1=1; AC_MSG_RESULT([yes])], [$1=0; AC_MSG_RESULT([no])])
   CFLAGS=$fb_save_CFLAGS
   CPPFLAGS=$fb_save_CPPFLAGS
   AC_SUBST([$1])])

dnl FANBENCH_CHECK_OVS_FEATURES
dnl
dnl What differs between OVS versions, found by feature.  Results go to
dnl lib/fanbench-config.h.
AC_DEFUN([FANBENCH_CHECK_OVS_FEATURES], [
  dnl Where this fails, no other answer means anything.
  FANBENCH_OVS_FEATURE([fb_headers], [usable headers],
    [#include "dpif.h"], [])
  AS_IF([test $fb_headers = 0],
    [AC_MSG_ERROR([cannot compile with the headers of the OVS in $ovs_srcdir and $ovs_builddir; config.log says why])])
  FANBENCH_OVS_FEATURE([HAVE_UNIXCTL_REPLY_JSON],
    [unixctl_command_reply_json()], [#include "unixctl.h"],
    [unixctl_command_reply_json(0, 0)])
  FANBENCH_OVS_FEATURE([HAVE_JSON_ARRAY_AT],
    [json_array_at()], [#include "openvswitch/json.h"],
    [json_array_at(0, 0)])
  FANBENCH_OVS_FEATURE([HAVE_ODP_FLOW_FORMAT_SKIP_NO_MASK],
    [odp_flow_format() with skip_no_mask], [#include "odp-util.h"],
    [odp_flow_format(0, 0, 0, 0, 0, 0, false, false)])
  FANBENCH_OVS_FEATURE([HAVE_OPERATE_OFFLOAD_TYPE],
    [operate() with an offload type], [#include "dpif-provider.h"],
    [((struct dpif_class *) 0)->operate(0, 0, 0, DPIF_OFFLOAD_AUTO)])
])

dnl FANBENCH_CHECK_LIBNL
AC_DEFUN([FANBENCH_CHECK_LIBNL],
  [PKG_CHECK_MODULES([LIBNL],
     [libnl-3.0 >= 3.5 libnl-genl-3.0 libnl-route-3.0])])

dnl FANBENCH_CHECK_RST2MAN
dnl
dnl Manual pages are written in reStructuredText.
AC_DEFUN([FANBENCH_CHECK_RST2MAN], [
  AC_CHECK_PROGS([RST2MAN], [rst2man rst2man.py], [none])
  AM_CONDITIONAL([HAVE_RST2MAN], [test "$RST2MAN" != none])
])

dnl FANBENCH_ENABLE_WARNINGS
AC_DEFUN([FANBENCH_ENABLE_WARNINGS], [
  WARNING_FLAGS=
  fb_save_CFLAGS=$CFLAGS
  for fb_flag in -Wall -Wextra -Wno-sign-compare -Wformat -Wformat-security \
      -Wpointer-arith -Wswitch-enum -Wunused-parameter -Wbad-function-cast \
      -Wcast-align -Wstrict-prototypes -Wold-style-definition \
      -Wmissing-prototypes -Wmissing-field-initializers -Wshadow \
      -Wno-null-pointer-arithmetic -fno-strict-aliasing; do
    AC_MSG_CHECKING([whether $CC accepts $fb_flag])
    CFLAGS="$fb_save_CFLAGS -Werror $fb_flag"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM()],
      [WARNING_FLAGS="$WARNING_FLAGS $fb_flag"; AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no])])
  done
  CFLAGS=$fb_save_CFLAGS
  AC_SUBST([WARNING_FLAGS])
])

dnl FANBENCH_ENABLE_WERROR
AC_DEFUN([FANBENCH_ENABLE_WERROR], [
  AC_ARG_ENABLE([Werror],
    [AS_HELP_STRING([--enable-Werror], [turn warnings into errors])],
    [], [enable_Werror=no])
  AS_IF([test "X$enable_Werror" = Xyes],
    [WARNING_FLAGS="$WARNING_FLAGS -Werror"])
])

dnl FANBENCH_ENABLE_SANITIZERS
dnl
dnl OVS's own objects are linked as they are: only this project's code is
dnl instrumented.
AC_DEFUN([FANBENCH_ENABLE_SANITIZERS], [
  AC_ARG_ENABLE([sanitizers],
    [AS_HELP_STRING([--enable-sanitizers=LIST],
       [build with -fsanitize=LIST, e.g. address,undefined])],
    [], [enable_sanitizers=no])
  SANITIZER_FLAGS=
  AS_CASE([$enable_sanitizers],
    [no], [],
    [yes], [SANITIZER_FLAGS="-fsanitize=address,undefined"],
    [SANITIZER_FLAGS="-fsanitize=$enable_sanitizers"])
  AS_IF([test "X$SANITIZER_FLAGS" != X],
    [SANITIZER_FLAGS="$SANITIZER_FLAGS -fno-omit-frame-pointer"])
  AC_SUBST([SANITIZER_FLAGS])
])
