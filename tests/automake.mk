TESTSUITE_AT = \
	tests/testsuite.at \
	tests/unit.at \
	tests/plugin.at \
	tests/plugin-perf.at \
	tests/plugin-forms.at \
	tests/plugin-upcalls.at \
	tests/plugin-births.at \
	tests/plugin-flows.at \
	tests/plugin-mainthread.at \
	tests/plugin-returns.at \
	tests/plugin-hostile.at \
	tests/cli.at \
	tests/cli-experiments.at \
	tests/cli-tcp.at \
	tests/cli-hostile.at \
	tests/doctor-macros.at \
	tests/doctor.at \
	tests/like.at \
	tests/doctor-ovs.at \
	tests/completion.at \
	tests/quickstart.at
SYSTEM_TESTSUITE_AT = \
	tests/system-testsuite.at \
	tests/doctor-system.at \
	tests/guest.at \
	tests/guest-doctor.at \
	tests/guest-flows.at \
	tests/guest-qemu.at \
	tests/system-host.at \
	tests/system-latency.at \
	tests/system-like.at \
	tests/system.at \
	tests/system-cpu.at \
	tests/system-experiments.at \
	tests/system-losses.at \
	tests/system-pmd.at \
	tests/system-ceiling.at \
	tests/system-pktgen.at \
	tests/system-tcp.at \
	tests/system-model.at \
	tests/system-scenarios.at \
	tests/system-parity.at \
	tests/system-upcalls.at \
	tests/system-broken.at \
	tests/system-hostile.at \
	tests/system-uplink.at
EXTRA_DIST += $(TESTSUITE_AT) $(SYSTEM_TESTSUITE_AT) tests/atlocal.in \
	tests/document.py tests/check-result.py tests/check-style.sh tests/interrupt.py \
	tests/plugin-json.py tests/plugin-metrics.py \
	tests/result-schema.json tests/run-testsuite.sh tests/check-ovs.sh \
	tests/check-ovs-kernel.sh tests/ovs-suite.sh \
	tests/check-doctor.py tests/doctor-schema.json \
	tests/check-experiment.py tests/experiment-schema.json \
	tests/set-knob.py

# Unit tests: one program, one sub-command a property.
check_PROGRAMS += tests/fanbench-test
tests_fanbench_test_SOURCES = \
	tests/fanbench-test.c \
	tests/fanbench-test.h \
	tests/test-ceiling.c \
	tests/test-cpu.c \
	tests/test-generator.c \
	tests/test-curve.c \
	tests/test-groups.c \
	tests/test-hist.c \
	tests/test-latency.c \
	tests/test-line.c \
	tests/test-load.c \
	tests/test-losses.c \
	tests/test-mark.c \
	tests/test-noise.c \
	tests/test-noise.h \
	tests/test-order.c \
	tests/test-packet.c \
	tests/test-pktgen.c \
	tests/test-plan.c \
	tests/test-rng.c \
	tests/test-search.c \
	tests/test-sink.c \
	tests/test-sink.h \
	tests/test-stats.c \
	tests/test-tcp.c \
	tests/test-traffic.c
tests_fanbench_test_CPPFLAGS = $(AM_CPPFLAGS) -I $(top_srcdir)/utilities
tests_fanbench_test_LDADD = \
	utilities/libutilities.la \
	lib/libfanbench.la \
	$(ovs_builddir)/lib/libopenvswitch.la \
	$(OVS_LIBS) \
	$(LIBNL_LIBS)

# What the tests of the guest run in it.
check_PROGRAMS += tests/test-guest
tests_test_guest_SOURCES = tests/test-guest.c
tests_test_guest_CPPFLAGS = $(AM_CPPFLAGS) -I $(top_srcdir)/utilities
tests_test_guest_LDADD = \
	utilities/libutilities.la \
	lib/libfanbench.la \
	$(ovs_builddir)/lib/libopenvswitch.la \
	$(OVS_LIBS) \
	$(LIBNL_LIBS)

# Unit tests of the plugin: one program for each large concern.
plugin_test_sources = \
	tests/plugin-test.c \
	tests/plugin-test.h \
	$(fanbench_recorder_sources)

check_PROGRAMS += tests/test-plugin
tests_test_plugin_SOURCES = \
	tests/test-plugin.c \
	$(plugin_test_sources)
tests_test_plugin_CPPFLAGS = $(AM_CPPFLAGS) -I $(top_srcdir)/plugin
tests_test_plugin_LDADD = \
	lib/libfanbench.la \
	$(ovs_builddir)/lib/libopenvswitch.la \
	$(OVS_LIBS)

check_PROGRAMS += tests/test-upcalls
tests_test_upcalls_SOURCES = \
	tests/test-upcalls.c \
	$(plugin_test_sources)
tests_test_upcalls_CPPFLAGS = $(AM_CPPFLAGS) -I $(top_srcdir)/plugin
tests_test_upcalls_LDADD = \
	lib/libfanbench.la \
	$(ovs_builddir)/lib/libopenvswitch.la \
	$(OVS_LIBS)

check_PROGRAMS += tests/test-flows
tests_test_flows_SOURCES = \
	tests/test-flows.c \
	$(plugin_test_sources)
tests_test_flows_CPPFLAGS = $(AM_CPPFLAGS) -I $(top_srcdir)/plugin
tests_test_flows_LDADD = \
	lib/libfanbench.la \
	$(ovs_builddir)/lib/libopenvswitch.la \
	$(OVS_LIBS)

check_PROGRAMS += tests/test-intake
tests_test_intake_SOURCES = \
	tests/test-intake.c \
	$(plugin_test_sources)
tests_test_intake_CPPFLAGS = $(AM_CPPFLAGS) -I $(top_srcdir)/plugin
tests_test_intake_LDADD = \
	lib/libfanbench.la \
	$(ovs_builddir)/lib/libopenvswitch.la \
	$(OVS_LIBS)

check_PROGRAMS += tests/test-births
tests_test_births_SOURCES = \
	tests/test-births.c \
	$(plugin_test_sources)
tests_test_births_CPPFLAGS = $(AM_CPPFLAGS) -I $(top_srcdir)/plugin
tests_test_births_LDADD = \
	lib/libfanbench.la \
	$(ovs_builddir)/lib/libopenvswitch.la \
	$(OVS_LIBS)

check_PROGRAMS += tests/test-plugin-main
tests_test_plugin_main_SOURCES = \
	tests/test-plugin-main.c \
	$(plugin_test_sources)
tests_test_plugin_main_CPPFLAGS = $(AM_CPPFLAGS) -I $(top_srcdir)/plugin
tests_test_plugin_main_LDADD = \
	lib/libfanbench.la \
	$(ovs_builddir)/lib/libopenvswitch.la \
	$(OVS_LIBS)

# OVS's own test macros are included from its source tree.
AUTOTEST = $(AUTOM4TE) --language=autotest
AUTOTEST_PATH = $(abs_top_builddir)/plugin:$(abs_top_builddir)/utilities:$(abs_top_builddir)/tests:$(ovs_builddir)/utilities:$(ovs_builddir)/ovsdb
AT_INCLUDES = -I '$(srcdir)' -I '$(ovs_srcdir)'

TESTSUITE = tests/testsuite
SYSTEM_TESTSUITE = tests/system-testsuite
CLEANFILES += $(TESTSUITE) $(SYSTEM_TESTSUITE) tests/package.m4
DISTCLEANFILES += tests/atconfig

tests/package.m4: $(top_srcdir)/configure.ac
	$(AM_V_GEN)$(MKDIR_P) tests && { \
	  echo 'm4_define([AT_PACKAGE_NAME],      [$(PACKAGE_NAME)])' && \
	  echo 'm4_define([AT_PACKAGE_TARNAME],   [$(PACKAGE_TARNAME)])' && \
	  echo 'm4_define([AT_PACKAGE_VERSION],   [$(PACKAGE_VERSION)])' && \
	  echo 'm4_define([AT_PACKAGE_STRING],    [$(PACKAGE_STRING)])' && \
	  echo 'm4_define([AT_PACKAGE_BUGREPORT], [$(PACKAGE_BUGREPORT)])'; \
	} > $@

$(TESTSUITE): tests/package.m4 $(TESTSUITE_AT)
	$(AM_V_GEN)$(AUTOTEST) -I tests $(AT_INCLUDES) -o $@.tmp \
	  $(srcdir)/tests/testsuite.at && mv $@.tmp $@
$(SYSTEM_TESTSUITE): tests/package.m4 $(SYSTEM_TESTSUITE_AT)
	$(AM_V_GEN)$(AUTOTEST) -I tests $(AT_INCLUDES) -o $@.tmp \
	  $(srcdir)/tests/system-testsuite.at && mv $@.tmp $@

# With RECHECK=yes, what failed is run once more.
RUN_TESTSUITE = \
	RECHECK='$(RECHECK)' $(SHELL) '$(srcdir)/tests/run-testsuite.sh'

# Without root and without a guest.
CHECK_LOCAL += check-unit
check-unit: $(TESTSUITE) all $(check_PROGRAMS)
	$(RUN_TESTSUITE) '$(TESTSUITE)' AUTOTEST_PATH='$(AUTOTEST_PATH)' \
	  $(TESTSUITEFLAGS)

# As root, in network namespaces and in the guest.
check-system: $(SYSTEM_TESTSUITE) all $(check_PROGRAMS)
	$(RUN_TESTSUITE) '$(SYSTEM_TESTSUITE)' \
	  AUTOTEST_PATH='$(AUTOTEST_PATH)' $(TESTSUITEFLAGS)

# OVS's own tests, with the ovs-vswitchd that has the probe.  OVSTESTFLAGS
# selects ("all", or arguments for OVS's testsuite); without it, a
# representative part is run.
check-ovs: all
	$(SHELL) '$(srcdir)/tests/check-ovs.sh' '$(ovs_srcdir)' \
	  '$(ovs_builddir)' '$(abs_top_builddir)/plugin' \
	  '$(CHECK_OVS_DIR)' $(OVSTESTFLAGS)
CHECK_OVS_DIR = $(abs_top_builddir)/tests/ovs

# The same for OVS's tests of the kernel datapath, in the guest.
check-ovs-kernel: all tests/test-guest$(EXEEXT)
	$(SHELL) '$(srcdir)/tests/check-ovs-kernel.sh' '$(ovs_srcdir)' \
	  '$(ovs_builddir)' '$(abs_top_builddir)/plugin' \
	  '$(CHECK_OVS_DIR)' '$(abs_top_builddir)/tests/test-guest' \
	  $(OVSTESTFLAGS) || test $$? = 77

CLEAN_LOCAL += clean-tests
clean-tests:
	rm -rf tests/ovs $(TESTSUITE).dir $(TESTSUITE).log \
	  $(SYSTEM_TESTSUITE).dir $(SYSTEM_TESTSUITE).log

.PHONY: check-unit check-system check-ovs check-ovs-kernel
