// Loads a push server: many windows at many pages, one action after another, and pages meanwhile.
// One thread, one epoll; README.md describes the measurement.
//
//   load [-a PAGE] [-b BODY] [-k KEYS] PORT[,PORT...] PID AT...
//
// PORT is the server's on 127.0.0.1, PID its process. With several servers, the windows are spread over
// them, and posts go to the first, which is the one with that process. Half of the windows are at the first
// AT (a path and query); the others are spread over all of them. Posts go to PAGE. BODY are the fields of a
// post, without its token: a run of # in it becomes the number of the post, in as many digits, and
// each @ the next line of the file KEYS. Reads commands:
//
//   raise VERSION             posts, until a post is answered with this version or a later one
//   open COUNT                opens windows until there are this many
//   rounds COUNT PAUSE        posts this often, each PAUSE ms after the last window has the event before
//   flood SECONDS POSTS GETS  posts for this long, but at most POSTS times, each as soon as the previous
//                             one is answered; meanwhile, GETS connections fetch PAGE repeatedly
//
// Prints a line of JSON for each. If something is wrong, it prints the problem and exits with 1.
// In a round each window gets one event, of the version with which the post is answered. In a flood
// versions may share an event; they increase, and the last one reaches all windows.

#define _GNU_SOURCE
#define PROGRAM "load"
#include "streams.h"
#include "process.h"

enum { PATIENCE_SECONDS = 30, MOST_GETS = 64, MOST_PORTS = 16, MOST_TIMES = 1 << 20 };

static const uint64_t FOREVER = UINT64_MAX;

// A connection with one request at a time.
struct Connection {
  int fd;
  bool is_under_way;
  uint64_t start;
  char head[4096];
  size_t head_length;  // The bytes so far; with the end of the head, it may include a part of the body.
  size_t body_length;  // As declared in the head.
  size_t body_start;   // In `head`; 0 while the head is incomplete.
  size_t body_count;   // The bytes of the body so far.
};

static const char *page = "/counter", *fields = "_form=increment";
static FILE *keys;
static char **places;
static int place_count;
static uint16_t ports[MOST_PORTS];
static int port_count;

static int epoll;
static int window_count, open_count, shown_count;
static bool is_round;
static long due_version;       // In a round, the version of its first event; at a flood's end, the last answer's.
static int missing_count;      // Windows that do not have it yet.
static uint64_t last_arrival;  // When the last of them received it.
static size_t event_count, event_bytes;

static struct Connection posts = {.fd = -1};
static long answered_version, post_count;
static struct Connection gets[MOST_GETS];
static int get_count;
static bool gets_again;
static uint64_t get_times[MOST_TIMES];
static int get_time_count;

// MARK: Streams

static void did_receive_event(struct Window *window) {
  if (window->name == OTHER) return;
  if (window->is_shown == false) {
    if (window->name != SHOW) fail("window %d got a frame first", index_of(window));
    window->is_shown = true;
    window->version = window->id;
    shown_count += 1;
    return;
  }
  if (window->name != FRAME) fail("window %d was shown a page again", index_of(window));
  if (window->id <= window->version) {
    fail("window %d had version %ld and got %ld", index_of(window), window->version, window->id);
  }
  event_count += 1;
  event_bytes += window->bytes;
  if (is_round) {
    if (missing_count == open_count && due_version == 0) due_version = window->id;
    if (missing_count == 0 || window->id != due_version) {
      fail("window %d got version %ld; due is %ld", index_of(window), window->id, due_version);
    }
    missing_count -= 1;
  } else if (window->version < due_version && window->id >= due_version) {
    missing_count -= 1;
  }
  window->version = window->id;
  last_arrival = now();
}

// MARK: Requests

// Writes the fields of a post, and its token. Returns the length.
static int write_body(char *body, size_t size) {
  size_t length = 0;
  post_count += 1;
  for (const char *rest = fields; *rest != 0;) {
    char piece[256];
    int run = (int)strspn(rest, "#"), plain = (int)strcspn(rest, "#@");
    if (run > 0) {
      if (snprintf(piece, sizeof piece, "%0*ld", run, post_count) != run) {
        fail("post %ld does not fit %d digits", post_count, run);
      }
    } else if (*rest == '@') {
      if (keys == NULL || fgets(piece, sizeof piece, keys) == NULL) fail("there are no more keys");
      piece[strcspn(piece, "\n")] = 0;
    } else {
      snprintf(piece, sizeof piece, "%.*s", plain, rest);
    }
    length += (size_t)snprintf(body + length, size - length, "%s", piece);
    if (length >= size) fail("the fields of a post are too long");
    rest += run > 0 ? run : *rest == '@' ? 1 : plain;
  }
  length += (size_t)snprintf(body + length, size - length, "&_token=load-%d-%ld", getpid(), post_count);
  if (length >= size) fail("the fields of a post are too long");
  return (int)length;
}

static void ask(struct Connection *connection, const char *request, size_t length) {
  if (connection->is_under_way) fail("a request is under way already");
  connection->is_under_way = true;
  connection->start = now();
  connection->head_length = connection->body_start = connection->body_count = 0;
  write_all(connection->fd, request, length);
}

static void post(void) {
  char body[512], request[1536];
  int body_length = write_body(body, sizeof body);
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
  ask(&posts, request, (size_t)length);
}

static void get(struct Connection *connection) {
  char request[512];
  int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n",
                        page, port);
  if (length >= (int)sizeof request) fail("the path of a page is too long");
  ask(connection, request, (size_t)length);
}

static void did_answer(struct Connection *connection) {
  connection->is_under_way = false;
  if (connection == &posts) {
    char *version = strstr(posts.head + posts.body_start, "\"version\":");
    if (version == NULL) fail("a post was answered:\n%s", posts.head);
    answered_version = atol(version + strlen("\"version\":"));
  } else {
    if (get_time_count == MOST_TIMES) fail("there were more than %d pages", MOST_TIMES);
    get_times[get_time_count++] = now() - connection->start;
    if (gets_again) get(connection);
  }
}

static void receive_answer(struct Connection *connection) {
  static char bytes[65536];
  ssize_t count = read(connection->fd, bytes, sizeof bytes);
  if (count < 0) fail("reading an answer: %s", strerror(errno));
  if (count == 0) fail("the server closed a connection");
  size_t room = sizeof connection->head - 1 - connection->head_length;
  size_t kept = (size_t)count < room ? (size_t)count : room;
  memcpy(connection->head + connection->head_length, bytes, kept);
  connection->head_length += kept;
  connection->head[connection->head_length] = 0;
  if (connection->body_start > 0) {
    connection->body_count += (size_t)count;
  } else {
    char *end = strstr(connection->head, "\r\n\r\n");
    if (end == NULL) {
      if (kept < (size_t)count) fail("the head of an answer is too long");
      return;
    }
    char *field = strcasestr(connection->head, "\r\ncontent-length:");
    if (strncmp(connection->head, "HTTP/1.1 200", 12) != 0 || field == NULL || field > end) {
      fail("a request was answered:\n%s", connection->head);
    }
    connection->body_length = (size_t)atol(field + strlen("\r\ncontent-length:"));
    connection->body_start = (size_t)(end + 4 - connection->head);
    connection->body_count = connection->head_length - connection->body_start + (size_t)count - kept;
  }
  if (connection->body_count > connection->body_length) fail("an answer is longer than it says");
  if (connection->body_count == connection->body_length) did_answer(connection);
}

static void open_connection(struct Connection *connection) {
  *connection = (struct Connection){.fd = connect_to_server()};
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, connection->fd, &event) != 0) {
    fail("epoll_ctl: %s", strerror(errno));
  }
}

// MARK: Waiting

// Handles input until the deadline. Returns whether there is a command, and in `is_over` whether the
// deadline has passed.
static bool pump(uint64_t deadline, bool *is_over) {
  static struct epoll_event ready[READY_AT_ONCE];
  static char bytes[65536];
  uint64_t time = now();
  *is_over = time >= deadline;
  if (*is_over) return false;
  int timeout = deadline == FOREVER ? -1 : (int)((deadline - time + 999999) / 1000000);
  int count = epoll_wait(epoll, ready, READY_AT_ONCE, timeout);
  if (count < 0 && errno != EINTR) fail("epoll_wait: %s", strerror(errno));
  bool has_command = false;
  for (int i = 0; i < count; i++) {
    void *source = ready[i].data.ptr;
    struct Window *window = source;
    if (source == NULL) {
      has_command = true;
    } else if (window < windows || window >= windows + window_count) {
      receive_answer(source);
    } else {
      ssize_t length = read(window->fd, bytes, sizeof bytes);
      if (length < 0) fail("reading window %d: %s", index_of(window), strerror(errno));
      if (length == 0) fail("the server closed window %d", index_of(window));
      receive(window, bytes, (size_t)length);
    }
  }
  return has_command;
}

// Handles input until something that must arrive in time.
static void await(const char *what, uint64_t deadline) {
  bool is_over;
  pump(deadline, &is_over);
  if (is_over) fail("%s did not come within %d s (%d missing)", what, PATIENCE_SECONDS, missing_count);
}

static uint64_t patience(void) { return in_ms(PATIENCE_SECONDS * 1000); }

// Handles unsolicited input.
static void rest(int pause_ms) {
  uint64_t deadline = in_ms(pause_ms);
  for (bool is_over = false; is_over == false;) pump(deadline, &is_over);
}

static void wait_for_answer(struct Connection *connection) {
  uint64_t deadline = patience();
  while (connection->is_under_way) await("an answer", deadline);
}

// MARK: Commands

static void raise_version(long version) {
  stage = "raising the version";
  while (answered_version < version) {
    post();
    wait_for_answer(&posts);
  }
  printf("{\"version\": %ld, \"memory\": %ld}\n", answered_version, server_memory());
}

// The location of a window: half of them are at the first place.
static const char *place_of(int index) {
  return index % 2 == 0 ? places[0] : places[index / 2 % place_count];
}

static void open_windows(int count) {
  stage = "opening windows";
  if (count > window_count) {
    // Streams are watched at their addresses.
    if (window_count > 0) fail("windows are opened once");
    window_count = count;
    raise_file_limit(count + MOST_GETS);
    windows = calloc((size_t)count, sizeof *windows);
    if (windows == NULL) fail("no memory");
  }
  uint64_t start = now();
  while (open_count < count) {
    port = ports[open_count % port_count];
    open_window(&windows[open_count], epoll, place_of(open_count));
    port = ports[0];
    open_count += 1;
    if (open_count % OPENING_AT_ONCE != 0 && open_count < count) continue;
    uint64_t deadline = patience();
    while (shown_count < open_count) await("what windows are shown first", deadline);
  }
  printf("{\"seconds\": %.3f, \"memory\": %ld}\n", (double)(now() - start) / 1e9, server_memory());
}

// Returns the time from before the post to the arrival of the last window's event, in nanoseconds.
static uint64_t run_round(void) {
  is_round = true;
  due_version = 0;
  missing_count = open_count;
  uint64_t start = now(), deadline = patience();
  post();
  while (missing_count > 0 || posts.is_under_way) await("an event", deadline);
  if (answered_version != due_version) {
    fail("a post was answered with version %ld; the events have %ld", answered_version, due_version);
  }
  is_round = false;
  return last_arrival - start;
}

static void run_rounds(int count, int pause_ms) {
  stage = "rounds";
  uint64_t *times = calloc((size_t)count, sizeof *times), total = 0;
  if (times == NULL) fail("no memory");
  event_count = event_bytes = 0;
  uint64_t cpu = server_cpu(), own_cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < count; i++) {
    rest(pause_ms);
    total += times[i] = run_round();
  }
  double events = (double)event_count;
  cpu = server_cpu() - cpu;
  own_cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - own_cpu;
  qsort(times, (size_t)count, sizeof *times, by_size);
  printf("{\"windows\": %d, \"rounds\": %d, \"p50_us\": %.1f, \"p99_us\": %.1f, \"mean_us\": %.1f, "
         "\"cpu_us_per_event\": %.3f, \"client_cpu_us_per_event\": %.3f, \"bytes_per_event\": %.1f, "
         "\"memory\": %ld}\n",
         open_count, count, percentile(times, count, 50), percentile(times, count, 99),
         (double)total / 1000 / count, (double)cpu / 1000 / events, (double)own_cpu / 1000 / events,
         (double)event_bytes / events, server_memory());
  free(times);
}

static void flood(double seconds, int most_posts, int connections) {
  stage = "flood";
  while (get_count < connections && get_count < MOST_GETS) open_connection(&gets[get_count++]);
  get_time_count = 0;
  due_version = 0;
  missing_count = 0;
  event_count = event_bytes = 0;
  uint64_t cpu = server_cpu(), start = now(), end = start + (uint64_t)(seconds * 1e9);
  gets_again = true;
  for (int i = 0; i < connections; i++) get(&gets[i]);
  int count = 0;
  while (now() < end && count < most_posts) {
    post();
    count += 1;
    wait_for_answer(&posts);
  }
  gets_again = false;
  int gotten = get_time_count;
  uint64_t gets_end = now();
  due_version = answered_version;
  for (int i = 0; i < open_count; i++) {
    if (windows[i].version < due_version) missing_count += 1;
  }
  uint64_t deadline = patience();
  while (missing_count > 0) await("an event", deadline);
  uint64_t last = last_arrival > gets_end ? last_arrival : gets_end;
  cpu = server_cpu() - cpu;
  for (int i = 0; i < connections; i++) wait_for_answer(&gets[i]);
  qsort(get_times, (size_t)get_time_count, sizeof *get_times, by_size);
  double duration = (double)(last - start) / 1e9;
  printf("{\"seconds\": %.3f, \"posts\": %d, \"events\": %zu, \"events_per_s\": %.1f, "
         "\"cpu_us_per_event\": %.3f, \"pages_per_s\": %.1f, \"page_p50_us\": %.1f, "
         "\"page_p99_us\": %.1f, \"memory\": %ld}\n",
         duration, count, event_count, (double)event_count / duration,
         (double)cpu / 1000 / (double)event_count, gotten / ((double)(gets_end - start) / 1e9),
         percentile(get_times, get_time_count, 50), percentile(get_times, get_time_count, 99),
         server_memory());
}

// MARK: Start

static void obey(const char *command) {
  long number;
  int count, pause;
  double seconds;
  if (sscanf(command, "raise %ld", &number) == 1) {
    raise_version(number);
  } else if (sscanf(command, "open %d", &count) == 1) {
    open_windows(count);
  } else if (sscanf(command, "rounds %d %d", &count, &pause) == 2) {
    run_rounds(count, pause);
  } else if (sscanf(command, "flood %lf %d %d", &seconds, &count, &pause) == 3) {
    flood(seconds, count, pause);
  } else {
    fail("what is “%s”?", command);
  }
  fflush(stdout);
}

int main(int count, char **arguments) {
  const char *key_file = NULL;
  for (int option; (option = getopt(count, arguments, "a:b:k:")) != -1;) {
    switch (option) {
      case 'a': page = optarg; break;
      case 'b': fields = optarg; break;
      case 'k': key_file = optarg; break;
      default: count = 0;
    }
  }
  if (count - optind < 3) {
    fprintf(stderr, "usage: load [-a PAGE] [-b BODY] [-k KEYS] PORT[,PORT...] PID AT...\n");
    return 64;
  }
  for (char *next = strtok(arguments[optind], ","); next != NULL; next = strtok(NULL, ",")) {
    if (port_count == MOST_PORTS) fail("there are more than %d ports", MOST_PORTS);
    ports[port_count++] = (uint16_t)atoi(next);
  }
  port = ports[0];
  server = atoi(arguments[optind + 1]);
  places = arguments + optind + 2;
  place_count = count - optind - 2;
  if (key_file != NULL && (keys = fopen(key_file, "r")) == NULL) {
    fail("cannot read %s: %s", key_file, strerror(errno));
  }
  epoll = epoll_create1(0);
  if (epoll < 0) fail("no memory");
  open_connection(&posts);
  watch(epoll, STDIN_FILENO, NULL);
  for (;;) {
    bool is_over;
    stage = "idle";
    if (pump(FOREVER, &is_over) == false) continue;
    char command[128];
    ssize_t length = read(STDIN_FILENO, command, sizeof command - 1);
    if (length <= 0) return 0;
    command[length] = 0;
    obey(command);
  }
}
