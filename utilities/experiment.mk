# Scenarios that are experiments of their own.
utilities_libutilities_la_SOURCES += \
	utilities/fb-background.c \
	utilities/fb-background.h \
	utilities/fb-experiment-fit.c \
	utilities/fb-experiment-fit.h \
	utilities/fb-experiment-report.c \
	utilities/fb-experiment-report.h \
	utilities/fb-experiment-result.c \
	utilities/fb-experiment-result.h \
	utilities/fb-experiment.c \
	utilities/fb-experiment.h \
	utilities/fb-extra-ports.c \
	utilities/fb-extra-ports.h \
	utilities/fb-flow-stats.c \
	utilities/fb-instructions.c \
	utilities/fb-instructions.h \
	utilities/fb-interface-stats.c \
	utilities/fb-json-read.c \
	utilities/fb-json-read.h \
	utilities/fb-many-flows.c \
	utilities/fb-many-flows.h \
	utilities/fb-options-experiment.c \
	utilities/fb-options-experiment.h \
	utilities/fb-path-length.c \
	utilities/fb-port-churn.c \
	utilities/fb-probe.c \
	utilities/fb-probe.h \
	utilities/fb-revalidators.c
