/* A clock that is wrong, for LD_PRELOAD: the time of day is off by the seconds that the file $CLOCK holds
   as a number. Clocks that measure how long things take are right, as they are where somebody sets the
   time of a real machine. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t offset(void) {
  char text[32] = {0};
  int file = open(getenv("CLOCK"), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
  close(file);
  return atoll(text);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, now);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += offset();
  return result;
}

int gettimeofday(struct timeval *now, void *zone) {
  struct timespec exact;
  int result = clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return result;
}

time_t time(time_t *now) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now) *now = exact.tv_sec;
  return exact.tv_sec;
}
