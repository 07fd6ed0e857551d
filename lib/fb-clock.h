#ifndef FB_CLOCK_H
#define FB_CLOCK_H 1
#endif /* fb-clock.h */
