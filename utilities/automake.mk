bin_PROGRAMS += utilities/ovs-fanbench
utilities_ovs_fanbench_SOURCES = \
	utilities/ovs-fanbench.c
utilities_ovs_fanbench_CPPFLAGS = $(AM_CPPFLAGS) \
	-DFANBENCH_PKGLIBEXECDIR='"$(pkglibexecdir)"' \
	-DFANBENCH_PKGDATADIR='"$(pkgdatadir)"'
utilities_ovs_fanbench_CFLAGS = $(AM_CFLAGS) $(LIBNL_CFLAGS)
utilities_ovs_fanbench_LDADD = \
	lib/libfanbench.la \
	$(ovs_builddir)/lib/libopenvswitch.la \
	$(OVS_LIBS) \
	$(LIBNL_LIBS)
