# Two forms of one plugin.
#
# Linked, where OVS has static libraries: an ovs-vswitchd with the probe in it.
#
# Preloaded, where OVS has shared libraries: a library for LD_PRELOAD, and a
# script "ovs-vswitchd" that starts OVS's own with it.
#
# The file name of an ovs-vswitchd is its identity: the pidfile and the control
# socket are called after it.  It is installed beside the distribution's, never
# over it.
fanbench_plugin_sources = \
	plugin/fb-argument.h \
	plugin/fb-commands.c \
	plugin/fb-commands.h \
	plugin/fb-end.c \
	plugin/fb-end.h \
	plugin/fb-flow-events.c \
	plugin/fb-flow-events.h \
	plugin/fb-flows-command.c \
	plugin/fb-flows-command.h \
	plugin/fb-flows-render.c \
	plugin/fb-flows-render.h \
	plugin/fb-flows.c \
	plugin/fb-flows.h \
	plugin/fb-plugin.c \
	plugin/fb-preload.h \
	plugin/fb-probe-dpif.c \
	plugin/fb-probe-dump.c \
	plugin/fb-probe-server.c \
	plugin/fb-probe-upcall.c \
	plugin/fb-wrap.h \
	$(fanbench_recorder_sources)
fanbench_plugin_sources += \
	plugin/fb-probe-command.c \
	plugin/fb-probe-main.c \
	plugin/fb-watch-ovs.c \
	plugin/fb-watch-ovs.h
fanbench_plugin_sources += \
	plugin/fb-intake-thread.c \
	plugin/fb-intake-thread.h

# What records and renders, without the probes: tests use it too.
fanbench_recorder_sources = \
	plugin/fb-counters.h \
	plugin/fb-datapath.c \
	plugin/fb-datapath.h \
	plugin/fb-dpif-get.h \
	plugin/fb-flow-key.c \
	plugin/fb-flow-key.h \
	plugin/fb-flow-text.c \
	plugin/fb-flow-text.h \
	plugin/fb-json.c \
	plugin/fb-json.h \
	plugin/fb-ledger-life.c \
	plugin/fb-ledger-life.h \
	plugin/fb-ledger.c \
	plugin/fb-ledger.h \
	plugin/fb-look.c \
	plugin/fb-look.h \
	plugin/fb-odp.h \
	plugin/fb-record.c \
	plugin/fb-record.h \
	plugin/fb-recording.c \
	plugin/fb-recording.h \
	plugin/fb-revalidator.c \
	plugin/fb-revalidator.h \
	plugin/fb-rounds.c \
	plugin/fb-rounds.h \
	plugin/fb-snapshot.c \
	plugin/fb-snapshot.h \
	plugin/fb-spin.c \
	plugin/fb-spin.h \
	plugin/fb-text.c \
	plugin/fb-text.h \
	plugin/fb-thread.c \
	plugin/fb-thread.h

# Events on their way to the flow ledger.
fanbench_recorder_sources += \
	plugin/fb-alloc.c \
	plugin/fb-alloc.h \
	plugin/fb-births.c \
	plugin/fb-births.h \
	plugin/fb-flow-apply.c \
	plugin/fb-flow-apply.h \
	plugin/fb-intake.c \
	plugin/fb-intake.h \
	plugin/fb-misses.c \
	plugin/fb-misses.h \
	plugin/fb-wake.c \
	plugin/fb-wake.h

# Why rounds begin and what they do; upcalls; revalidators.
fanbench_plugin_sources += \
	plugin/fb-probe-control.c \
	plugin/fb-probe-control.h
fanbench_recorder_sources += \
	plugin/fb-cause.c \
	plugin/fb-cause.h \
	plugin/fb-crew.c \
	plugin/fb-crew.h \
	plugin/fb-delay.c \
	plugin/fb-delay.h \
	plugin/fb-events.c \
	plugin/fb-events.h \
	plugin/fb-ovs.c \
	plugin/fb-ovs.h \
	plugin/fb-phase.c \
	plugin/fb-phase.h \
	plugin/fb-show.h \
	plugin/fb-show-crew.c \
	plugin/fb-show-crew.h \
	plugin/fb-show-events.c \
	plugin/fb-show-events.h \
	plugin/fb-show-upcalls.c \
	plugin/fb-show-upcalls.h \
	plugin/fb-upcalls.c \
	plugin/fb-upcalls.h

# What happens in the main thread, what OVS counts, and what to say of it.
fanbench_recorder_sources += \
	plugin/fb-errnos.c \
	plugin/fb-errnos.h \
	plugin/fb-find-flows.c \
	plugin/fb-find-main.c \
	plugin/fb-find-rounds.c \
	plugin/fb-find-upcalls.c \
	plugin/fb-find.h \
	plugin/fb-findings.c \
	plugin/fb-findings.h \
	plugin/fb-main-json.c \
	plugin/fb-main-json.h \
	plugin/fb-main-text.c \
	plugin/fb-main-text.h \
	plugin/fb-mainloop.c \
	plugin/fb-mainloop.h \
	plugin/fb-metrics.c \
	plugin/fb-metrics.h \
	plugin/fb-op-errors.c \
	plugin/fb-op-errors.h \
	plugin/fb-port-names.c \
	plugin/fb-port-names.h \
	plugin/fb-ports.c \
	plugin/fb-ports.h \
	plugin/fb-returns.c \
	plugin/fb-returns.h \
	plugin/fb-show-findings.c \
	plugin/fb-show-findings.h \
	plugin/fb-watch.c \
	plugin/fb-watch.h \
	plugin/fb-worst-put.c \
	plugin/fb-worst-put.h

# Functions that the probe stands in front of.
PROBED_FUNCTIONS = \
	dpif_flow_dump_create \
	dpif_flow_dump_destroy \
	dpif_flow_dump_next \
	dpif_flow_dump_thread_create \
	dpif_flow_dump_thread_destroy \
	dpif_operate \
	dpif_recv \
	dpif_register_upcall_cb \
	nl_dump_next \
	ovs_barrier_block \
	ovs_mutex_lock_at \
	unixctl_server_run \
	unixctl_server_wait
PROBED_FUNCTIONS += \
	dpif_get_dp_stats \
	udpif_revalidate
PROBED_FUNCTIONS += \
	connmgr_run \
	dpif_port_add \
	dpif_port_del \
	dpif_run \
	netdev_get_stats \
	ofproto_run \
	ofproto_type_run \
	poll_block \
	unixctl_command_get_output_format \
	unixctl_command_register \
	unixctl_command_reply \
	unixctl_command_reply_error \
	unixctl_command_reply_json

EXTRA_DIST += plugin/ovs-vswitchd.in
if OVS_SHARED
include plugin/preload.mk
ALL_LOCAL += plugin/ovs-vswitchd
else
pkglibexec_PROGRAMS += plugin/ovs-vswitchd
endif
plugin_ovs_vswitchd_SOURCES = $(fanbench_plugin_sources)
plugin_ovs_vswitchd_LDFLAGS = $(AM_LDFLAGS) $(OVS_LINK_FLAGS) \
	$(addprefix -Wl$(comma)--wrap=,$(PROBED_FUNCTIONS))
comma := ,
plugin_ovs_vswitchd_LDADD = \
	$(ovs_builddir)/vswitchd/bridge.o \
	$(ovs_builddir)/vswitchd/ovs-vswitchd.o \
	$(ovs_builddir)/vswitchd/system-stats.o \
	lib/libfanbench.la \
	$(ovs_builddir)/ofproto/libofproto.la \
	$(ovs_builddir)/lib/libsflow.la \
	$(ovs_builddir)/lib/libopenvswitch.la \
	$(OVS_LIBS)

# The database schema that this ovs-vswitchd was built with, from OVS itself.
pkgdata_DATA += plugin/vswitch.ovsschema
CLEANFILES += plugin/vswitch.ovsschema
plugin/vswitch.ovsschema: $(ovs_srcdir)/vswitchd/vswitch.ovsschema
	$(AM_V_GEN)$(MKDIR_P) plugin && cp $< $@.tmp && mv $@.tmp $@
