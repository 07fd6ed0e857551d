# What the probe costs, whether its threads race, whether it lasts.  None of
# this is part of "make check": it takes minutes, and timing depends on what
# else the machine does.
EXTRA_DIST += \
	tests/perf/automake.mk \
	tests/perf/command-hold.py \
	tests/perf/dummy_switch.py \
	tests/perf/instruction-count.py \
	tests/perf/kernel_switch.py \
	tests/perf/latency-cost.py \
	tests/perf/load-rate.py \
	tests/perf/probe-cost.py \
	tests/perf/soak.py \
	tests/perf/tracer.py \
	tests/perf/verdicts.py

# Open vSwitch's own ovs-vswitchd, linked as ours is but without the probe.
EXTRA_PROGRAMS = tests/perf/stock/ovs-vswitchd
tests_perf_stock_ovs_vswitchd_SOURCES =
tests_perf_stock_ovs_vswitchd_LDFLAGS = $(AM_LDFLAGS) $(OVS_LINK_FLAGS)
tests_perf_stock_ovs_vswitchd_LDADD = \
	$(ovs_builddir)/vswitchd/bridge.o \
	$(ovs_builddir)/vswitchd/ovs-vswitchd.o \
	$(ovs_builddir)/vswitchd/system-stats.o \
	$(ovs_builddir)/ofproto/libofproto.la \
	$(ovs_builddir)/lib/libsflow.la \
	$(ovs_builddir)/lib/libopenvswitch.la \
	$(OVS_LIBS)

# Ratios with their intervals, for scripts.
EXTRA_PROGRAMS += tests/perf/fb-interval
tests_perf_fb_interval_SOURCES = tests/perf/fb-interval.c
tests_perf_fb_interval_LDADD = \
	lib/libfanbench.la \
	$(ovs_builddir)/lib/libopenvswitch.la \
	$(OVS_LIBS)

# One event, timed by itself, with an empty function behind the probe.
EXTRA_PROGRAMS += tests/perf/event-cost
tests_perf_event_cost_SOURCES = \
	tests/perf/event-cost.c \
	$(plugin_ovs_vswitchd_SOURCES)
tests_perf_event_cost_CPPFLAGS = $(AM_CPPFLAGS) -I $(top_srcdir)/plugin
tests_perf_event_cost_LDFLAGS = $(AM_LDFLAGS) $(OVS_LINK_FLAGS) \
	$(addprefix -Wl$(comma)--wrap=,$(EVENT_COST_WRAPS))
EVENT_COST_WRAPS = $(filter-out dpif_operate,$(PROBED_FUNCTIONS))
tests_perf_event_cost_LDADD = \
	lib/libfanbench.la \
	$(ovs_builddir)/ofproto/libofproto.la \
	$(ovs_builddir)/lib/libsflow.la \
	$(ovs_builddir)/lib/libopenvswitch.la \
	$(OVS_LIBS)

PROBE_COST = python3 $(srcdir)/tests/perf/probe-cost.py \
	--stock=tests/perf/stock/ovs-vswitchd \
	--probed=plugin/ovs-vswitchd \
	--schema=plugin/vswitch.ovsschema \
	--interval=tests/perf/fb-interval

# Arguments for the benchmarks, e.g. PERFFLAGS="--blocks=100 rounds".
PERFFLAGS =
# Known CPU use: a thread that uses 30 % of a CPU, and, as root, softirqs that
# do, seen to within 1 % of it.
check-perf: check-spinner
check-spinner: tests/fanbench-test
	tests/fanbench-test cpu-spinner 30 1
	test "`id -u`" != 0 || tests/fanbench-test cpu-softirq 30 1
.PHONY: check-spinner

check-perf: all tests/perf/event-cost tests/perf/fb-interval \
  tests/perf/stock/ovs-vswitchd
	tests/perf/event-cost
	$(PROBE_COST) $(PERFFLAGS)
	$(MAKE) check-perf-kernel
	$(COMMAND_HOLD)
	$(COMMAND_HOLD) --flows=1000000 --max-flows=1200000 --max-mb=320
.PHONY: check-perf

# The kernel datapath, in a guest, if there can be one: best in one whose clock
# counts instructions, so that no load disturbs it.  That has KERNEL_SECS for
# all of it.
KERNELFLAGS = --flows=5000 --trials=1 --sessions=1 \
	--duts=stock,again,off,counts,all,on,after,every
KERNEL_SECS = 600
check-perf-kernel: all tests/test-guest tests/perf/fb-interval \
  tests/perf/stock/ovs-vswitchd
	@for guest in 'kind=qemu clock=instructions blocks=6' \
	    'kind=uml clock= blocks=20'; do \
	  eval "$$guest"; \
	  TEST_GUEST_KIND=$$kind; TEST_GUEST_CLOCK=$$clock; \
	  export TEST_GUEST_KIND TEST_GUEST_CLOCK; \
	  if why=`tests/test-guest find`; then \
	    dir=`mktemp -d` && \
	    tests/test-guest run $$dir $(KERNEL_SECS) shell \
	      "cd '$(abs_builddir)' && $(PROBE_COST) --kernel --blocks=$$blocks \
	       $(KERNELFLAGS)"; \
	    status=$$?; rm -rf $$dir; exit $$status; \
	  fi; \
	  echo "the kernel datapath is not measured in a guest ($$kind): $$why"; \
	done
.PHONY: check-perf-kernel
COMMAND_HOLD = python3 $(srcdir)/tests/perf/command-hold.py \
	--probed=plugin/ovs-vswitchd --schema=plugin/vswitch.ovsschema
CLEANFILES += $(EXTRA_PROGRAMS)

# Whether verdicts are right: 100 runs of equals, and 10 at default settings
# with a known cost of 3 %.  As root, takes ten minutes.  VERDICTFLAGS may be
# "--guest".
VERDICTFLAGS =
VERDICTS = python3 $(srcdir)/tests/perf/verdicts.py $(VERDICTFLAGS) \
	utilities/ovs-fanbench
check-verdicts: all
	$(VERDICTS) aa 100
	$(VERDICTS) cost 10 3
.PHONY: check-verdicts

# What it costs to measure latency, e.g. LATENCYFLAGS="--guest".  Needs root.
LATENCYFLAGS =
check-perf-latency: all tests/perf/fb-interval
	PATH='$(AUTOTEST_PATH)':$$PATH \
	python3 $(srcdir)/tests/perf/latency-cost.py \
	  --fanbench=utilities/ovs-fanbench --interval=tests/perf/fb-interval \
	  $(LATENCYFLAGS)
.PHONY: check-perf-latency

# The recorder's races, seen by ThreadSanitizer.  Only what can race is built
# with it: our objects.  OVS's mutexes, threads and barriers are pthread's,
# which it knows; what OVS's library itself does without them is not checked.
TSAN_FLAGS = -fsanitize=thread -fno-omit-frame-pointer -g -O1
RACE_TEST_SOURCES = $(fanbench_recorder_sources) $(lib_libfanbench_la_SOURCES)
check_PROGRAMS += tests/perf/race-test
EXTRA_PROGRAMS += tests/perf/race-test-tsan tests/perf/test-plugin-tsan
EXTRA_PROGRAMS += tests/perf/test-intake-tsan
tests_perf_race_test_SOURCES = tests/perf/race-test.c $(RACE_TEST_SOURCES)
tests_perf_race_test_CPPFLAGS = $(AM_CPPFLAGS) -I $(top_srcdir)/plugin
tests_perf_race_test_LDADD = \
	$(ovs_builddir)/lib/libopenvswitch.la \
	$(OVS_LIBS)
tests_perf_race_test_tsan_SOURCES = tests/perf/race-test.c $(RACE_TEST_SOURCES)
tests_perf_race_test_tsan_CPPFLAGS = $(AM_CPPFLAGS) -I $(top_srcdir)/plugin
tests_perf_race_test_tsan_CFLAGS = $(OVS_COMPILE_FLAGS) $(WARNING_FLAGS) \
	$(TSAN_FLAGS)
tests_perf_race_test_tsan_LDFLAGS = $(TSAN_FLAGS)
tests_perf_race_test_tsan_LDADD = $(tests_perf_race_test_LDADD)
tests_perf_test_plugin_tsan_SOURCES = \
	$(tests_test_plugin_SOURCES) $(lib_libfanbench_la_SOURCES)
tests_perf_test_plugin_tsan_CPPFLAGS = $(AM_CPPFLAGS) -I $(top_srcdir)/plugin
tests_perf_test_plugin_tsan_CFLAGS = $(tests_perf_race_test_tsan_CFLAGS)
tests_perf_test_plugin_tsan_LDFLAGS = $(TSAN_FLAGS)
tests_perf_test_plugin_tsan_LDADD = $(tests_perf_race_test_LDADD)

tests_perf_test_intake_tsan_SOURCES = \
	$(tests_test_intake_SOURCES) $(lib_libfanbench_la_SOURCES)
tests_perf_test_intake_tsan_CPPFLAGS = $(AM_CPPFLAGS) -I $(top_srcdir)/plugin
tests_perf_test_intake_tsan_CFLAGS = $(tests_perf_race_test_tsan_CFLAGS)
tests_perf_test_intake_tsan_LDFLAGS = $(TSAN_FLAGS)
tests_perf_test_intake_tsan_LDADD = $(tests_perf_race_test_LDADD)

# Where a process finds its memory is fixed: some kernels spread it more than
# ThreadSanitizer can take.
check-tsan: tests/perf/race-test-tsan tests/perf/test-plugin-tsan \
  tests/perf/test-intake-tsan
	export TSAN_OPTIONS="halt_on_error=1 $$TSAN_OPTIONS" && \
	for test in clock records full datapaths rounds midway; do \
	  setarch -R tests/perf/test-plugin-tsan $$test || exit 1; \
	done && \
	for test in threads recordings wake; do \
	  setarch -R tests/perf/test-intake-tsan $$test || exit 1; \
	done && \
	setarch -R tests/perf/race-test-tsan
.PHONY: check-tsan

# All commands at random under load, e.g. SECS=3600.
SECS = 60
SEED = 1
check-soak: all
	python3 $(srcdir)/tests/perf/soak.py --probed=plugin/ovs-vswitchd \
	  --schema=plugin/vswitch.ovsschema --seconds=$(SECS) --seed=$(SEED)
.PHONY: check-soak

# What the probe executes, exactly.  Needs valgrind.
INSTRUCTIONFLAGS =
check-instructions: all tests/perf/stock/ovs-vswitchd
	python3 $(srcdir)/tests/perf/instruction-count.py $(INSTRUCTIONFLAGS) \
	  --stock=tests/perf/stock/ovs-vswitchd --probed=plugin/ovs-vswitchd --schema=plugin/vswitch.ovsschema
.PHONY: check-instructions

# The generator against trafgen and pktgen, and how exactly it keeps a rate.  As root.
check-perf-load: tests/fanbench-test
	python3 $(srcdir)/tests/perf/load-rate.py \
	  $(abs_top_builddir)/tests/fanbench-test $(LOADFLAGS)
.PHONY: check-perf-load
LOADFLAGS =
