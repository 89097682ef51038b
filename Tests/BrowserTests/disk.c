/* A disk that hangs, for LD_PRELOAD: while the file $DISK_HANGS exists, whatever writes to a file in the
   folder $DISK waits. A disk of this machine that is really frozen could not be killed with the test. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void await_disk(int file) {
  const char *folder = getenv("DISK");
  while (access(getenv("DISK_HANGS"), F_OK) == 0) {
    char link[32], path[4096] = {0};
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (readlink(link, path, sizeof path - 1) < 0 || strncmp(path, folder, strlen(folder))) return;
    usleep(10000);
  }
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = dlsym(RTLD_NEXT, #name)

ssize_t write(int file, const void *bytes, size_t count) {
  REAL(write);
  await_disk(file);
  return real(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  REAL(pwrite);
  await_disk(file);
  return real(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  REAL(pwrite64);
  await_disk(file);
  return real(file, bytes, count, offset);
}

int fsync(int file) {
  REAL(fsync);
  await_disk(file);
  return real(file);
}

int fdatasync(int file) {
  REAL(fdatasync);
  await_disk(file);
  return real(file);
}
