// Windows at several pages, which receive pushes. One thread, one epoll.
//
//   windows [-c] COUNT PORT PAGE...
//
// The first window is at the first page, the next at the next, and so on around. Reads commands:
//
//   wait VERSION   until the newest event of every window has this version or a later one
//
// Prints a line of JSON once all windows have been shown their page, and one for each command: when
// the last window had its event, in nanoseconds of the monotonic clock; how many events of what size
// there were since the last command; and, with -c, whether the newest of all windows at one page are
// equal, byte for byte. If something is wrong, it prints the problem and exits with 1.

#define _GNU_SOURCE
#define PROGRAM "windows"
#include "streams.h"

enum { PATIENCE_SECONDS = 20 };

static const uint64_t FOREVER = UINT64_MAX;

static int epoll;
static int window_count, open_count, shown_count;
static char **pages;
static int page_count;
static uint64_t *newest_hashes;   // By window, the hash of the event with its version.
static long due_version;
static int missing_count;         // Windows with an older version.
static uint64_t last_arrival;
static size_t event_count, event_bytes;

static void did_receive_event(struct Window *window) {
  if (window->name == OTHER) return;
  if (window->is_shown == false) {
    if (window->name != SHOW) fail("window %d got a frame first", index_of(window));
    window->is_shown = true;
    shown_count += 1;
  } else {
    event_count += 1;
    event_bytes += window->bytes;
  }
  if (window->version < due_version && window->id >= due_version) {
    missing_count -= 1;
  }
  last_arrival = now();
  window->version = window->id;
  newest_hashes[index_of(window)] = window->hash;
}

// Handles input until the deadline or, if it comes first, until there is a command. Returns whether
// there is one.
static bool pump(uint64_t deadline) {
  static struct epoll_event ready[READY_AT_ONCE];
  static char bytes[65536];
  uint64_t time = now();
  if (time >= deadline) fail("%d of %d windows are not there yet", missing_count, window_count);
  int timeout = deadline == FOREVER ? -1 : (int)((deadline - time + 999999) / 1000000);
  int count = epoll_wait(epoll, ready, READY_AT_ONCE, timeout);
  if (count < 0 && errno != EINTR) fail("epoll_wait: %s", strerror(errno));
  bool has_command = false;
  for (int i = 0; i < count; i++) {
    struct Window *window = ready[i].data.ptr;
    if (window == NULL) {
      has_command = true;
      continue;
    }
    ssize_t length = read(window->fd, bytes, sizeof bytes);
    if (length < 0) fail("reading window %d: %s", index_of(window), strerror(errno));
    if (length == 0) fail("the server closed window %d", index_of(window));
    receive(window, bytes, (size_t)length);
  }
  return has_command;
}

static uint64_t patience(void) { return in_ms(PATIENCE_SECONDS * 1000); }

static void open_windows(void) {
  stage = "opening windows";
  while (open_count < window_count) {
    open_window(&windows[open_count], epoll, pages[open_count % page_count]);
    open_count += 1;
    if (open_count % OPENING_AT_ONCE != 0 && open_count < window_count) continue;
    uint64_t deadline = patience();
    missing_count = open_count - shown_count;
    while (shown_count < open_count) pump(deadline);
  }
}

static bool are_equal(void) {
  for (int i = page_count; i < window_count; i++) {
    if (newest_hashes[i] != newest_hashes[i - page_count]) return false;
  }
  return true;
}

static void print_arrivals(void) {
  printf("{\"last_ns\": %lu, \"events\": %zu, \"bytes\": %zu", last_arrival, event_count, event_bytes);
  if (hashes_events) printf(", \"are_equal\": %s", are_equal() ? "true" : "false");
  printf("}\n");
  fflush(stdout);
  event_count = event_bytes = 0;
}

static void wait_for(long version) {
  stage = "waiting";
  missing_count = 0;
  due_version = version;
  for (int i = 0; i < window_count; i++) {
    if (windows[i].version < version) missing_count += 1;
  }
  uint64_t deadline = patience();
  while (missing_count > 0) pump(deadline);
  print_arrivals();
}

int main(int count, char **arguments) {
  for (int option; (option = getopt(count, arguments, "c")) != -1;) {
    if (option == 'c') hashes_events = true;
  }
  if (count - optind < 3) {
    fprintf(stderr, "usage: windows [-c] COUNT PORT PAGE...\n");
    return 64;
  }
  window_count = atoi(arguments[optind]);
  port = (uint16_t)atoi(arguments[optind + 1]);
  pages = arguments + optind + 2;
  page_count = count - optind - 2;
  raise_file_limit(window_count);
  windows = calloc((size_t)window_count, sizeof *windows);
  newest_hashes = calloc((size_t)window_count, sizeof *newest_hashes);
  epoll = epoll_create1(0);
  if (windows == NULL || newest_hashes == NULL || epoll < 0) fail("no memory");

  open_windows();
  print_arrivals();
  watch(epoll, STDIN_FILENO, NULL);
  for (;;) {
    stage = "idle";
    if (pump(FOREVER) == false) continue;
    char command[64];
    ssize_t length = read(STDIN_FILENO, command, sizeof command - 1);
    if (length <= 0) return 0;
    command[length] = 0;
    if (strncmp(command, "wait ", 5) != 0) fail("what is “%s”?", command);
    wait_for(atol(command + 5));
  }
}
