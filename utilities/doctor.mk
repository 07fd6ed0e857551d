# "ovs-fanbench doctor": what is wrong with a host.
utilities_libutilities_la_SOURCES += \
	utilities/fb-doctor-bridge.c \
	utilities/fb-doctor-host.c \
	utilities/fb-doctor-interface.c \
	utilities/fb-doctor-ovs-config.c \
	utilities/fb-doctor-ovs-run.c \
	utilities/fb-doctor-ovs.c \
	utilities/fb-doctor-ovs.h \
	utilities/fb-doctor-probe.c \
	utilities/fb-doctor-report.c \
	utilities/fb-doctor-report.h \
	utilities/fb-doctor-rules.c \
	utilities/fb-doctor.c \
	utilities/fb-doctor.h \
	utilities/fb-host.c \
	utilities/fb-host.h \
	utilities/fb-hostfile.c \
	utilities/fb-hostfile.h \
	utilities/fb-links.c \
	utilities/fb-links.h \
	utilities/fb-nftables.c \
	utilities/fb-nftables.h \
	utilities/fb-ovs-host.c \
	utilities/fb-ovs-host.h \
	utilities/fb-task.c \
	utilities/fb-task.h
