#ifndef FB_STATS_H
#define FB_STATS_H 1
#endif /* fb-stats.h */
