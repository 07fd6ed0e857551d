noinst_LTLIBRARIES += lib/libfanbench.la
lib_libfanbench_la_SOURCES = \
	lib/fb-clock.c \
	lib/fb-clock.h \
	lib/fb-groups.c \
	lib/fb-groups.h \
	lib/fb-hist.c \
	lib/fb-hist.h \
	lib/fb-ignore.h \
	lib/fb-line.c \
	lib/fb-line.h \
	lib/fb-rng.c \
	lib/fb-rng.h \
	lib/fb-stats.c \
	lib/fb-stats.h
EXTRA_DIST += lib/fanbench-config.h.in
