MAN_RST = \
	Documentation/ovs-fanbench.8.rst \
	Documentation/ovs-fanbench-plugin.8.rst

EXTRA_DIST += $(MAN_RST)
dist_doc_DATA += Documentation/experiments.rst
dist_doc_DATA += Documentation/like.rst
dist_doc_DATA += Documentation/methodology.rst
dist_doc_DATA += Documentation/plugin-tour.rst
dist_doc_DATA += Documentation/scenarios.rst
dist_doc_DATA += Documentation/troubleshooting.rst
if HAVE_RST2MAN
man_MANS += $(MAN_RST:.rst=)
CLEANFILES += $(MAN_RST:.rst=)
SUFFIXES += .rst
.rst:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(RST2MAN) --strict $< $@.tmp && mv $@.tmp $@
endif
