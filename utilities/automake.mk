# The guest: what runs a command line in a kernel of its own.
FB_GUEST_SOURCES = \
	utilities/fb-guest-init.c \
	utilities/fb-guest-init.h \
	utilities/fb-guest-kernel.c \
	utilities/fb-guest-kernel.h \
	utilities/fb-guest-spec.c \
	utilities/fb-guest-spec.h \
	utilities/fb-guest.c \
	utilities/fb-guest.h \
	utilities/fb-keeper.c \
	utilities/fb-keeper.h \
	utilities/fb-module.c \
	utilities/fb-module.h \
	utilities/fb-reaper.c \
	utilities/fb-reaper.h \
	utilities/fb-relay.c \
	utilities/fb-relay.h \
	utilities/fb-tail.c \
	utilities/fb-tail.h

# The load: which packets, when, and how they are sent.
FB_LOAD_SOURCES = \
	utilities/fb-address.c \
	utilities/fb-address.h \
	utilities/fb-backend-ring.c \
	utilities/fb-backend-sendmmsg.c \
	utilities/fb-backend-xdp.c \
	utilities/fb-backend.c \
	utilities/fb-backend.h \
	utilities/fb-churn.c \
	utilities/fb-churn.h \
	utilities/fb-flows.c \
	utilities/fb-flows.h \
	utilities/fb-frames.c \
	utilities/fb-frames.h \
	utilities/fb-gap.c \
	utilities/fb-gap.h \
	utilities/fb-generator.c \
	utilities/fb-generator.h \
	utilities/fb-gcd.h \
	utilities/fb-idle.c \
	utilities/fb-idle.h \
	utilities/fb-load.c \
	utilities/fb-load.h \
	utilities/fb-mark.c \
	utilities/fb-mark.h \
	utilities/fb-masks.c \
	utilities/fb-masks.h \
	utilities/fb-marker.c \
	utilities/fb-marker.h \
	utilities/fb-packet-socket.c \
	utilities/fb-packet-socket.h \
	utilities/fb-pace.c \
	utilities/fb-pace.h \
	utilities/fb-packet.c \
	utilities/fb-packet.h \
	utilities/fb-sizes.c \
	utilities/fb-sizes.h \
	utilities/fb-traffic.c \
	utilities/fb-traffic.h

# All of ovs-fanbench but its main(), for it and for the tests.
noinst_LTLIBRARIES += utilities/libutilities.la
utilities_libutilities_la_SOURCES = \
	$(FB_GUEST_SOURCES) \
	$(FB_LOAD_SOURCES) \
	utilities/fb-accounting.c \
	utilities/fb-accounting.h \
	utilities/fb-analysis-load.c \
	utilities/fb-analysis-load.h \
	utilities/fb-cells.c \
	utilities/fb-cells.h \
	utilities/fb-ceiling.c \
	utilities/fb-ceiling.h \
	utilities/fb-pcap.c \
	utilities/fb-pcap.h \
	utilities/fb-analysis.c \
	utilities/fb-analysis.h \
	utilities/fb-appctl.c \
	utilities/fb-appctl.h \
	utilities/fb-churn-report.c \
	utilities/fb-churn-report.h \
	utilities/fb-cpu.c \
	utilities/fb-cpu.h \
	utilities/fb-cpu-analysis.c \
	utilities/fb-cpu-analysis.h \
	utilities/fb-cpu-json.c \
	utilities/fb-cpu-json.h \
	utilities/fb-cpu-report.c \
	utilities/fb-cpu-report.h \
	utilities/fb-cpus.c \
	utilities/fb-cpus.h \
	utilities/fb-curve-analysis.c \
	utilities/fb-curve-rates.c \
	utilities/fb-curve-rates.h \
	utilities/fb-curve-report.c \
	utilities/fb-curve-report.h \
	utilities/fb-curve.c \
	utilities/fb-curve.h \
	utilities/fb-datapath.c \
	utilities/fb-datapath.h \
	utilities/fb-datapath-json.c \
	utilities/fb-datapath-json.h \
	utilities/fb-directions.c \
	utilities/fb-directions.h \
	utilities/fb-dut-bridge.c \
	utilities/fb-dut-ovs.c \
	utilities/fb-dut.c \
	utilities/fb-dut.h \
	utilities/fb-environment.c \
	utilities/fb-environment.h \
	utilities/fb-ethtool.c \
	utilities/fb-ethtool.h \
	utilities/fb-fdb.c \
	utilities/fb-fdb.h \
	utilities/fb-figure-json.c \
	utilities/fb-figure-json.h \
	utilities/fb-figure-table.c \
	utilities/fb-figure-table.h \
	utilities/fb-grid.c \
	utilities/fb-grid.h \
	utilities/fb-finding.c \
	utilities/fb-finding.h \
	utilities/fb-latency-at.c \
	utilities/fb-latency-at.h \
	utilities/fb-latency-judge.c \
	utilities/fb-latency-judge.h \
	utilities/fb-latency-report.c \
	utilities/fb-latency-report.h \
	utilities/fb-latency-result.c \
	utilities/fb-latency-result.h \
	utilities/fb-latency.c \
	utilities/fb-latency.h \
	utilities/fb-json-array.h \
	utilities/fb-like-json.c \
	utilities/fb-like-linux.c \
	utilities/fb-like-ovs.c \
	utilities/fb-like-read.c \
	utilities/fb-like-read.h \
	utilities/fb-like-report.c \
	utilities/fb-like-report.h \
	utilities/fb-like-rules.c \
	utilities/fb-like.c \
	utilities/fb-like.h \
	utilities/fb-rules.c \
	utilities/fb-rules.h \
	utilities/fb-list.c \
	utilities/fb-list.h \
	utilities/fb-mirror.c \
	utilities/fb-mirror.h \
	utilities/fb-more.c \
	utilities/fb-more.h \
	utilities/fb-tap-report.c \
	utilities/fb-tap-report.h \
	utilities/fb-tap-run.c \
	utilities/fb-tap-run.h \
	utilities/fb-tap.c \
	utilities/fb-tap.h \
	utilities/fb-tun.c \
	utilities/fb-tun.h \
	utilities/fb-tax-report.c \
	utilities/fb-tax-report.h \
	utilities/fb-tax.c \
	utilities/fb-tax.h \
	utilities/fb-losses.c \
	utilities/fb-losses.h \
	utilities/fb-mark-ring.c \
	utilities/fb-mark-ring.h \
	utilities/fb-marks.c \
	utilities/fb-marks.h \
	utilities/fb-losses-report.c \
	utilities/fb-losses-report.h \
	utilities/fb-netstat.c \
	utilities/fb-netstat.h \
	utilities/fb-new-flows.c \
	utilities/fb-new-flows.h \
	utilities/fb-model.c \
	utilities/fb-model.h \
	utilities/fb-netns.c \
	utilities/fb-netns.h \
	utilities/fb-options-latency.c \
	utilities/fb-options-latency.h \
	utilities/fb-options-load.c \
	utilities/fb-options-load.h \
	utilities/fb-options-like.c \
	utilities/fb-options-like.h \
	utilities/fb-options-sampling.c \
	utilities/fb-options-sampling.h \
	utilities/fb-noise.c \
	utilities/fb-noise.h \
	utilities/fb-options.c \
	utilities/fb-options.h \
	utilities/fb-order-check.c \
	utilities/fb-order-check.h \
	utilities/fb-order-report.c \
	utilities/fb-order-report.h \
	utilities/fb-order.c \
	utilities/fb-order.h \
	utilities/fb-ovs-programs.c \
	utilities/fb-ovs-programs.h \
	utilities/fb-output.c \
	utilities/fb-output.h \
	utilities/fb-procstat.c \
	utilities/fb-procstat.h \
	utilities/fb-spinner.c \
	utilities/fb-spinner.h \
	utilities/fb-tasks.c \
	utilities/fb-tasks.h \
	utilities/fb-drops.c \
	utilities/fb-drops.h \
	utilities/fb-knobs.c \
	utilities/fb-knobs.h \
	utilities/fb-meters.c \
	utilities/fb-meters.h \
	utilities/fb-parity.c \
	utilities/fb-parity.h \
	utilities/fb-pmd-report.c \
	utilities/fb-pmd-report.h \
	utilities/fb-pmd.c \
	utilities/fb-pmd.h \
	utilities/fb-sysfs.c \
	utilities/fb-sysfs.h \
	utilities/fb-tc.c \
	utilities/fb-tc.h \
	utilities/fb-throttle.c \
	utilities/fb-throttle.h \
	utilities/fb-place.c \
	utilities/fb-place.h \
	utilities/fb-plan.c \
	utilities/fb-plan.h \
	utilities/fb-process.c \
	utilities/fb-process.h \
	utilities/fb-proof.c \
	utilities/fb-proof.h \
	utilities/fb-isolation.c \
	utilities/fb-isolation.h \
	utilities/fb-host-bridge.c \
	utilities/fb-host-bridge.h \
	utilities/fb-ipstat.c \
	utilities/fb-ipstat.h \
	utilities/fb-report-load.c \
	utilities/fb-report-load.h \
	utilities/fb-qdisc.c \
	utilities/fb-qdisc.h \
	utilities/fb-report.c \
	utilities/fb-report.h \
	utilities/fb-result-json.c \
	utilities/fb-result-json.h \
	utilities/fb-result.c \
	utilities/fb-result.h \
	utilities/fb-rtnl.c \
	utilities/fb-rtnl.h \
	utilities/fb-run-probe.c \
	utilities/fb-run-probe.h \
	utilities/fb-run.c \
	utilities/fb-run.h \
	utilities/fb-rundir.c \
	utilities/fb-rundir.h \
	utilities/fb-sandbox.c \
	utilities/fb-sandbox.h \
	utilities/fb-scenario.c \
	utilities/fb-scenario.h \
	utilities/fb-search-load.c \
	utilities/fb-search-load.h \
	utilities/fb-search-preset.c \
	utilities/fb-search-preset.h \
	utilities/fb-search-report.c \
	utilities/fb-search-report.h \
	utilities/fb-search-run.c \
	utilities/fb-search-run.h \
	utilities/fb-search.c \
	utilities/fb-search.h \
	utilities/fb-sweep.c \
	utilities/fb-sweep.h \
	utilities/fb-threads.c \
	utilities/fb-threads.h \
	utilities/fb-trial.c \
	utilities/fb-trial.h \
	utilities/fb-twin-bridge.c \
	utilities/fb-twin-ovs.c \
	utilities/fb-twin.c \
	utilities/fb-twin.h
utilities_libutilities_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DFANBENCH_PKGLIBEXECDIR='"$(pkglibexecdir)"' \
	-DFANBENCH_PKGDATADIR='"$(pkgdatadir)"'
utilities_libutilities_la_CFLAGS = $(AM_CFLAGS) $(LIBNL_CFLAGS)

bin_PROGRAMS += utilities/ovs-fanbench
utilities_ovs_fanbench_SOURCES = utilities/ovs-fanbench.c
utilities_ovs_fanbench_LDADD = \
	utilities/libutilities.la \
	lib/libfanbench.la \
	$(ovs_builddir)/lib/libopenvswitch.la \
	$(OVS_LIBS) \
	$(LIBNL_LIBS)

# Bash looks for a completion in a file that is called after the command.
completiondir = $(datadir)/bash-completion/completions
EXTRA_DIST += utilities/ovs-fanbench-completion.bash
INSTALL_DATA_LOCAL += install-completion
UNINSTALL_LOCAL += uninstall-completion
install-completion:
	$(MKDIR_P) '$(DESTDIR)$(completiondir)'
	$(INSTALL_DATA) '$(srcdir)/utilities/ovs-fanbench-completion.bash' \
	  '$(DESTDIR)$(completiondir)/ovs-fanbench'
uninstall-completion:
	rm -f '$(DESTDIR)$(completiondir)/ovs-fanbench'
