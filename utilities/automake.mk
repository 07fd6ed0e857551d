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

bin_PROGRAMS += utilities/ovs-fanbench
utilities_ovs_fanbench_SOURCES = \
	utilities/fb-load.c \
	utilities/fb-load.h \
	utilities/fb-pace.c \
	utilities/fb-pace.h \
	utilities/fb-packet.c \
	utilities/fb-packet.h \
	$(FB_GUEST_SOURCES) \
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
