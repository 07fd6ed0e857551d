# The preloaded form: see automake.mk.
#
# It has no dependency on OVS's libraries, so that it is harmless in programs
# that do not have them.  Hence -z lazy: what is missing there is never called.
preloaddir = $(pkglibdir)
preload_PROGRAMS = plugin/libfanbench.so
plugin_libfanbench_so_SOURCES = \
	plugin/fb-preload.c \
	plugin/fb-preload-calls.c \
	$(fanbench_plugin_sources) \
	$(lib_libfanbench_la_SOURCES)
plugin_libfanbench_so_CPPFLAGS = $(AM_CPPFLAGS) -DFB_PRELOAD
plugin_libfanbench_so_CFLAGS = $(AM_CFLAGS) -fPIC -ftls-model=initial-exec
plugin_libfanbench_so_LDADD = -lm -ldl -lpthread
plugin_libfanbench_so_LINK = $(CC) $(AM_CFLAGS) -fPIC $(CFLAGS) $(AM_LDFLAGS) \
	$(LDFLAGS) -shared -Wl,-soname,libfanbench.so -Wl,-z,lazy \
	-Wl,--version-script=plugin/libfanbench.sym -o $@
EXTRA_plugin_libfanbench_so_DEPENDENCIES = plugin/libfanbench.sym

# It exports the probed functions and nothing else.
plugin/libfanbench.sym: $(srcdir)/plugin/automake.mk
	$(AM_V_GEN)$(MKDIR_P) plugin && { \
	  echo '{ global:' && \
	  for function in $(PROBED_FUNCTIONS); do echo "$$function;"; done && \
	  echo 'local: *; };'; \
	} > $@.tmp && mv $@.tmp $@
CLEANFILES += plugin/libfanbench.sym

# The script for use in the build tree, and the one to install.
pkglibexec_SCRIPTS = plugin/installed/ovs-vswitchd
fanbench_preload_script = \
	$(MKDIR_P) $(@D) && $(SED) -e "s|@library[@]|$$library|" \
	  -e "s|@vswitchd[@]|$$vswitchd|" $< > $@.tmp \
	&& chmod 755 $@.tmp && mv $@.tmp $@
plugin/ovs-vswitchd: plugin/ovs-vswitchd.in Makefile
	$(AM_V_GEN)library='$(abs_top_builddir)/plugin/libfanbench.so' \
	  vswitchd='$(ovs_builddir)/vswitchd/ovs-vswitchd'; \
	  $(fanbench_preload_script)
plugin/installed/ovs-vswitchd: plugin/ovs-vswitchd.in Makefile
	$(AM_V_GEN)library='$(pkglibdir)/libfanbench.so' \
	  vswitchd='$(ovs_sbindir)/ovs-vswitchd'; \
	  $(fanbench_preload_script)
CLEANFILES += plugin/ovs-vswitchd plugin/installed/ovs-vswitchd
