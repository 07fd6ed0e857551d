/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

#ifndef FB_KEEPER_H
#define FB_KEEPER_H 1

/* Runs a program of many processes so that none of them outlives the caller.
 *
 * Between the caller and the program stands a process, the keeper, in a
 * session of its own, so that a terminal's signals do not reach it.  It
 * adopts what the program orphans, and kills everything when the program's
 * first process ends, when it is told to, and when the caller dies, of
 * SIGKILL too.  If the keeper itself is killed along with the caller,
 * fb_keeper_cleanup() finds the rest by a file.
 *
 * Linux only.  One thread must do all calls for one keeper: the death of the
 * thread that started it counts as the caller's. */

#include <stdbool.h>
#include <sys/types.h>

/* A keeper and what it keeps, from the caller's side. */
struct fb_keeper {
    pid_t pid;                  /* The keeper's own, 0 once it is reaped. */
    int fd;                     /* Becomes readable when all have ended. */
    char *pidfile;              /* Says whom to kill, locked by the keeper. */
};

int fb_keeper_start(struct fb_keeper *, char **argv, char **envp,
                    int output_fd, const char *pidfile);
void fb_keeper_wait(const struct fb_keeper *);
bool fb_keeper_is_done(const struct fb_keeper *);
void fb_keeper_kill(const struct fb_keeper *);
int fb_keeper_stop(struct fb_keeper *, int *wstatus);
int fb_keeper_cleanup(const char *pidfile);

#endif /* fb-keeper.h */
