# "ovs-fanbench doctor": what is wrong with a host.
utilities_ovs_fanbench_SOURCES += \
	utilities/fb-doctor-host.c \
	utilities/fb-doctor-report.c \
	utilities/fb-doctor-report.h \
	utilities/fb-doctor.c \
	utilities/fb-doctor.h \
	utilities/fb-host.c \
	utilities/fb-host.h \
	utilities/fb-hostfile.c \
	utilities/fb-hostfile.h \
	utilities/fb-task.c \
	utilities/fb-task.h
