# What the probe costs, whether its threads race, whether it lasts.  None of
# this is part of "make check": it takes minutes, and timing depends on what
# else the machine does.
EXTRA_DIST += \
	tests/perf/automake.mk \
	tests/perf/dummy_switch.py \
	tests/perf/instruction-count.py \
	tests/perf/probe-cost.py

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
check-perf: all tests/perf/event-cost tests/perf/fb-interval \
  tests/perf/stock/ovs-vswitchd
	tests/perf/event-cost
	$(PROBE_COST) $(PERFFLAGS)
.PHONY: check-perf
CLEANFILES += $(EXTRA_PROGRAMS)

# What the probe executes, exactly.  Needs valgrind.
check-instructions: all
	python3 $(srcdir)/tests/perf/instruction-count.py \
	  --probed=plugin/ovs-vswitchd --schema=plugin/vswitch.ovsschema
.PHONY: check-instructions
