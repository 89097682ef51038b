// Measures a push server: posts one action at a time, and measures the time until the last window
// has the whole event for it. One thread, one epoll; README.md describes the measurement.
//
//   client [-n WINDOWS] [-r ROUNDS] [-w WARM-UP ROUNDS] [-o ROUNDS WITH ONE WINDOW] [-p PAUSE in ms]
//          [-a PAGE] [-b BODY] [-v VERSIONS] PORT PID
//
// PORT is the server's on 127.0.0.1, PID its process. PAGE is the path and query of the windows and
// of posts; BODY are the fields of a post, without its token, and each run of # in it becomes the
// number of the post, in as many digits. A post makes VERSIONS versions: it is answered with the
// first of them, and windows get one event, for the last. When that is more than one, a post is over
// only when a window has its event, so one is there from the beginning (-o).
//
// Prints one line of JSON. If something is wrong, it prints the problem and exits with 1.

#define _GNU_SOURCE
#define PROGRAM "client"
#include "streams.h"
#include "process.h"

enum {
  FIRST_VERSION = 1000,   // Rounds start here and end below 10,000: all events have equal length.
  LAST_VERSION = 9999,
  PATIENCE_SECONDS = 10,  // The longest wait for the server.
};

static int window_count = 1000, round_count = 200, warm_up_count = 20, pause_ms = 25;
static const char *page = "/counter", *fields = "_form=increment";
static int versions_per_post = 1;

static int epoll;
static int open_count;               // Opened windows.
static int shown_count;              // Opened windows that have received their `show`.
static long due_version;             // The version that `frame` events must have now; 0 for none.
static int missing_count;            // Windows that do not have it yet.
static uint64_t last_arrival;        // When the last window received it.
static size_t event_bytes;           // The bytes of all `frame` events.

static int post_fd;
static char answer[4096];
static size_t answer_length;
static long answered_version;  // 0 while a post is in progress.

// MARK: Streams

static void did_receive_event(struct Window *window) {
  if (window->name == SHOW && window->is_shown == false) {
    window->is_shown = true;
    window->version = window->id;
    shown_count += 1;
  } else if (window->name == FRAME) {
    if (window->id != window->version + versions_per_post || window->id != due_version) {
      fail("window %d had version %ld and got %ld; due is %ld", index_of(window), window->version,
           window->id, due_version);
    }
    window->version = window->id;
    event_bytes += window->bytes;
    missing_count -= 1;
    if (missing_count == 0) last_arrival = now();
  }
}

// MARK: Posts

// Writes the fields of a post, and its token. Returns the length.
static int write_body(char *body, size_t size, long number) {
  size_t length = 0;
  for (const char *rest = fields; *rest != 0;) {
    int run = (int)strspn(rest, "#"), plain = (int)strcspn(rest, "#");
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%0*ld", run, number);
    if (run > 0 && count != run) fail("post %ld does not fit %d digits", number, run);
    length += (size_t)snprintf(body + length, size - length, "%.*s", run > 0 ? run : plain,
                               run > 0 ? digits : rest);
    if (length >= size) fail("the fields of a post are too long");
    rest += run > 0 ? run : plain;
  }
  length += (size_t)snprintf(body + length, size - length, "&_token=bench-%d-%ld", getpid(), number);
  if (length >= size) fail("the fields of a post are too long");
  return (int)length;
}

static void post(void) {
  static long number;
  char body[512], request[1536];
  int body_length = write_body(body, sizeof body, ++number);
  int length = snprintf(request, sizeof request,
                        "POST %s HTTP/1.1\r\n"
                        "Host: 127.0.0.1:%d\r\n"
                        "Accept: application/json\r\n"
                        "Content-Type: application/x-www-form-urlencoded\r\n"
                        "Content-Length: %d\r\n"
                        "\r\n"
                        "%s",
                        page, port, body_length, body);
  if (length >= (int)sizeof request) fail("a post is too long");
  answered_version = 0;
  answer_length = 0;
  write_all(post_fd, request, (size_t)length);
}

static void receive_answer(void) {
  ssize_t count = read(post_fd, answer + answer_length, sizeof answer - 1 - answer_length);
  if (count < 0) fail("reading the answer to a post: %s", strerror(errno));
  if (count == 0) fail("the server closed the connection of posts");
  answer_length += (size_t)count;
  answer[answer_length] = 0;
  char *end = strstr(answer, "\r\n\r\n");
  if (end == NULL) return;
  char *field = strcasestr(answer, "\r\ncontent-length:");
  if (field == NULL || field > end) fail("the answer to a post has no Content-Length");
  if (answer + answer_length < end + 4 + atol(field + strlen("\r\ncontent-length:"))) return;
  char *version = strstr(end, "\"version\":");
  if (strncmp(answer, "HTTP/1.1 200", 12) != 0 || version == NULL) {
    fail("a post was answered:\n%s", answer);
  }
  answered_version = atol(version + strlen("\"version\":"));
}

// MARK: Rounds

// Waits for input until the deadline, and handles it. Returns false once the deadline has passed.
static bool pump(uint64_t deadline) {
  static struct epoll_event ready[READY_AT_ONCE];
  static char bytes[65536];
  uint64_t time = now();
  if (time >= deadline) return false;
  int timeout = (int)((deadline - time + 999999) / 1000000);
  int count = epoll_wait(epoll, ready, READY_AT_ONCE, timeout);
  if (count < 0 && errno != EINTR) fail("epoll_wait: %s", strerror(errno));
  for (int i = 0; i < count; i++) {
    struct Window *window = ready[i].data.ptr;
    if (window == NULL) {
      receive_answer();
      continue;
    }
    ssize_t length = read(window->fd, bytes, sizeof bytes);
    if (length < 0) fail("reading window %d: %s", index_of(window), strerror(errno));
    if (length == 0) fail("the server closed window %d", index_of(window));
    receive(window, bytes, (size_t)length);
  }
  return true;
}

static void wait_for_answer(uint64_t deadline) {
  while (answered_version == 0) {
    if (pump(deadline) == false) fail("no answer to a post within %d s", PATIENCE_SECONDS);
  }
}

// Handles unsolicited input, for example heartbeats.
static void rest(void) {
  uint64_t deadline = in_ms(pause_ms);
  while (pump(deadline)) continue;
}

// Opens windows until there are `count`.
static void open_windows(int count) {
  stage = "opening windows";
  while (open_count < count) {
    open_window(&windows[open_count++], epoll, page);
    if (open_count % OPENING_AT_ONCE != 0 && open_count < count) continue;
    uint64_t deadline = in_ms(PATIENCE_SECONDS * 1000);
    while (shown_count < open_count) {
      if (pump(deadline) == false) {
        fail("%d of %d windows were shown nothing within %d s", open_count - shown_count,
             open_count, PATIENCE_SECONDS);
      }
    }
  }
}

// Returns the time from before the post to the arrival of the last window's event, in nanoseconds.
static uint64_t run_round(void) {
  due_version += versions_per_post;
  missing_count = open_count;
  uint64_t start = now();
  uint64_t deadline = start + (uint64_t)PATIENCE_SECONDS * 1000000000;
  post();
  while (missing_count > 0) {
    if (pump(deadline) == false) {
      fail("version %ld: %d of %d windows have no event after %d s", due_version, missing_count,
           open_count, PATIENCE_SECONDS);
    }
  }
  wait_for_answer(deadline);
  if (answered_version != due_version - versions_per_post + 1) {
    fail("a post was answered with version %ld; due is %ld", answered_version,
         due_version - versions_per_post + 1);
  }
  return last_arrival - start;
}

// The first posts only bring the version to where rounds start, and warm the server up.
static void raise_version(void) {
  stage = "first posts";
  post_fd = connect_to_server();
  watch(epoll, post_fd, NULL);
  if (open_count > 0) {
    due_version = windows[0].version;
    while (due_version < FIRST_VERSION) run_round();
  } else {
    while (answered_version < FIRST_VERSION) {
      post();
      wait_for_answer(in_ms(PATIENCE_SECONDS * 1000));
    }
    due_version = answered_version;
  }
  if (due_version != FIRST_VERSION) {
    fail("the server is at version %ld: it must be a fresh one", due_version);
  }
}

// The results of rounds.
struct Result {
  uint64_t *times;    // Until the last window had its event, ascending.
  int count;
  double mean;
  uint64_t cpu;       // The server's CPU time.
  uint64_t own_cpu;
  double event_bytes; // Per event.
};

static struct Result measure(int count) {
  struct Result result = {.times = calloc((size_t)count, sizeof(uint64_t)), .count = count};
  if (result.times == NULL) fail("no memory");
  rest();
  event_bytes = 0;
  uint64_t cpu = server_cpu(), own_cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID), total = 0;
  for (int i = 0; i < count; i++) {
    rest();
    total += result.times[i] = run_round();
  }
  result.cpu = server_cpu() - cpu;
  result.own_cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - own_cpu;
  result.mean = (double)total / 1000 / count;
  result.event_bytes = (double)event_bytes / count / open_count;
  qsort(result.times, (size_t)count, sizeof(uint64_t), by_size);
  return result;
}

// MARK: Start

static void usage(void) {
  fprintf(stderr, "usage: client [-n WINDOWS] [-r ROUNDS] [-w WARM-UP] [-p PAUSE-MS]\n"
                  "              [-a PAGE] [-b BODY] [-v VERSIONS] PORT PID\n");
  exit(64);
}

static void read_arguments(int count, char **arguments) {
  for (int option; (option = getopt(count, arguments, "n:r:w:p:a:b:v:")) != -1;) {
    switch (option) {
      case 'n': window_count = atoi(optarg); break;
      case 'r': round_count = atoi(optarg); break;
      case 'w': warm_up_count = atoi(optarg); break;
      case 'p': pause_ms = atoi(optarg); break;
      case 'a': page = optarg; break;
      case 'b': fields = optarg; break;
      case 'v': versions_per_post = atoi(optarg); break;
      default: usage();
    }
  }
  if (count - optind != 2) usage();
  port = (uint16_t)atoi(arguments[optind]);
  server = atoi(arguments[optind + 1]);
  if (port == 0 || server <= 0 || window_count < 1 || round_count < 1 || warm_up_count < 0
      || pause_ms < 0 || versions_per_post < 1) {
    usage();
  }
  int limit = (LAST_VERSION - FIRST_VERSION) / versions_per_post;
  if (warm_up_count + round_count > limit) {
    fail("at most %d rounds, so that all events have equal length", limit);
  }
}

int main(int count, char **arguments) {
  read_arguments(count, arguments);
  raise_file_limit(window_count);
  windows = calloc((size_t)window_count, sizeof *windows);
  epoll = epoll_create1(0);
  if (windows == NULL || epoll < 0) fail("no memory");

  raise_version();
  rest();
  long memory = server_memory();
  int new_count = window_count - open_count;
  open_windows(window_count);

  stage = "warm-up";
  for (int i = 0; i < warm_up_count; i++) {
    rest();
    run_round();
  }
  memory = server_memory() - memory;

  stage = "rounds";
  struct Result result = measure(round_count);
  double events = (double)window_count * round_count;
  printf("{\"windows\": %d, \"rounds\": %d, \"p50_us\": %.1f, \"p99_us\": %.1f, \"mean_us\": %.1f, "
         "\"cpu_us_per_event\": %.3f, \"client_cpu_us_per_event\": %.3f, "
         "\"bytes_per_event\": %.1f, \"memory_per_window\": %.1f",
         window_count, round_count, percentile(result.times, result.count, 50),
         percentile(result.times, result.count, 99), result.mean,
         (double)result.cpu / 1000 / events, (double)result.own_cpu / 1000 / events,
         result.event_bytes, new_count > 0 ? (double)memory / new_count : 0);
  printf("}\n");
  return 0;
}
