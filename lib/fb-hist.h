#ifndef FB_HIST_H
#define FB_HIST_H 1
#endif /* fb-hist.h */
