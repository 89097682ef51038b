// The process of the measured server. Include it after streams.h, for its helpers.

static pid_t server;

// CPU time of all threads of the server, including ended ones.
static uint64_t server_cpu(void) {
  clockid_t clock;
  int error = clock_getcpuclockid(server, &clock);
  if (error != 0) fail("cannot read the CPU time of process %d: %s", server, strerror(error));
  return nanoseconds(clock);
}

// Resident memory of the server in bytes. smaps_rollup counts pages; VmRSS in /proc/PID/status is
// an estimate that may be off by hundreds of kilobytes.
static long server_memory(void) {
  char path[64], line[256];
  long kilobytes = -1;
  snprintf(path, sizeof path, "/proc/%d/smaps_rollup", server);
  FILE *file = fopen(path, "r");
  if (file == NULL) fail("cannot read %s: %s", path, strerror(errno));
  while (kilobytes < 0 && fgets(line, sizeof line, file) != NULL) {
    sscanf(line, "Rss: %ld kB", &kilobytes);
  }
  fclose(file);
  if (kilobytes < 0) fail("%s has no Rss", path);
  return kilobytes * 1024;
}

static int by_size(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

// A percentile of ascending times, in microseconds.
static double percentile(const uint64_t *times, int count, int percent) {
  int rank = (int)(((long)count * percent + 99) / 100);
  return count > 0 ? (double)times[rank > 0 ? rank - 1 : 0] / 1000 : 0;
}
