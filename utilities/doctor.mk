# "ovs-fanbench doctor": what is wrong with a host.
utilities_ovs_fanbench_SOURCES += \
	utilities/fb-doctor-host.c \
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
	utilities/fb-ovs-host.c \
	utilities/fb-ovs-host.h \
	utilities/fb-task.c \
	utilities/fb-task.h
