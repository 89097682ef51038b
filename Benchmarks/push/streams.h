// The client side of windows: streams of server-sent events, each with one window on it, which are
// parsed as they arrive. Programs that include this define PROGRAM as their name.

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
  OPENING_AT_ONCE = 32,  // Windows that are opened together: below any server's backlog.
  READY_AT_ONCE = 256,
};

// The beginning of a line that arrives in pieces; `length` is that of the whole line.
struct Line {
  size_t length;
  char text[32];
};

// A stream with one window on it. HTTP head, then chunks; in these, events.
struct Window {
  int fd;
  enum { STATUS, HEAD, CHUNK_SIZE, CHUNK, CHUNK_END } state;
  struct Line framing;
  size_t chunk_left;
  // The event that is arriving.
  struct Line line;
  enum { OTHER, SHOW, FRAME } name;
  bool is_named;
  long id;
  size_t bytes;
  uint64_t hash;  // Of its bytes, if `hashes_events`.
  // The parts that have arrived.
  bool is_shown;
  long version;
};

static struct Window *windows;
static uint16_t port;
static const char *stage = "start";  // For messages.
static bool hashes_events;

// A window has received an event: its name, id and bytes. Programs that include this define it.
static void did_receive_event(struct Window *window);

// MARK: Helpers

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, PROGRAM ": %s: ", stage);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  if (clock_gettime(clock, &time) != 0) fail("cannot read a clock: %s", strerror(errno));
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t now(void) { return nanoseconds(CLOCK_MONOTONIC); }

static uint64_t in_ms(int milliseconds) { return now() + (uint64_t)milliseconds * 1000000; }

static void raise_file_limit(int window_count) {
  struct rlimit limit;
  rlim_t needed = (rlim_t)window_count + 64;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) fail("getrlimit: %s", strerror(errno));
  if (limit.rlim_cur >= needed) return;
  limit.rlim_cur = needed;
  if (limit.rlim_max < needed) limit.rlim_max = needed;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
    fail("%d windows need %lu open files: raise `ulimit -n`", window_count, (unsigned long)needed);
  }
}

static int connect_to_server(void) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) fail("socket: %s", strerror(errno));
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
    fail("cannot connect to 127.0.0.1:%d: %s", port, strerror(errno));
  }
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

static void write_all(int fd, const char *bytes, size_t count) {
  if (send(fd, bytes, count, MSG_NOSIGNAL) != (ssize_t)count) {
    fail("cannot write a request: %s", strerror(errno));
  }
}

static void watch(int epoll, int fd, struct Window *window) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = window};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0) fail("epoll_ctl: %s", strerror(errno));
}

// MARK: Streams

// Adds the part of the line that is in `bytes`. Returns its length, with the newline if there is one.
static size_t take_line(struct Line *line, const char *bytes, size_t count, bool *is_whole) {
  const char *newline = memchr(bytes, '\n', count);
  size_t length = newline != NULL ? (size_t)(newline - bytes) : count;
  size_t capacity = sizeof line->text - 1;
  if (line->length < capacity) {
    size_t room = capacity - line->length;
    memcpy(line->text + line->length, bytes, length < room ? length : room);
  }
  line->length += length;
  line->text[line->length < capacity ? line->length : capacity] = 0;
  *is_whole = newline != NULL;
  return *is_whole ? length + 1 : length;
}

// Source: Fowler, Noll and Vo (FNV-1a).
static uint64_t hash_of(uint64_t hash, const char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3;
  return hash;
}

static int index_of(const struct Window *window) { return (int)(window - windows); }

// Parses the bytes of events, which are lines; an empty line ends an event. An event with data and no
// name is a frame. Comments (heartbeats) have no data.
static void receive_events(struct Window *window, const char *bytes, size_t count) {
  while (count > 0) {
    struct Line *line = &window->line;
    bool is_whole;
    size_t taken = take_line(line, bytes, count, &is_whole);
    window->bytes += taken;
    if (hashes_events) window->hash = hash_of(window->hash, bytes, taken);
    bytes += taken;
    count -= taken;
    if (is_whole == false) return;
    if (line->length == 0) {
      did_receive_event(window);
      window->name = OTHER;
      window->is_named = false;
      window->id = -1;
      window->bytes = 0;
      window->hash = 0;
    } else if (strncmp(line->text, "event: ", 7) == 0) {
      window->name = strcmp(line->text, "event: show") == 0 ? SHOW : OTHER;
      window->is_named = true;
    } else if (strncmp(line->text, "data: ", 6) == 0 && window->is_named == false) {
      window->name = FRAME;
    } else if (strncmp(line->text, "id: ", 4) == 0) {
      window->id = atol(line->text + 4);
    }
    line->length = 0;
  }
}

// Parses arriving bytes: the lines of the head, then chunks.
static void receive(struct Window *window, const char *bytes, size_t count) {
  while (count > 0) {
    size_t taken;
    if (window->state == CHUNK) {
      taken = count < window->chunk_left ? count : window->chunk_left;
      receive_events(window, bytes, taken);
      window->chunk_left -= taken;
      if (window->chunk_left == 0) window->state = CHUNK_END;
    } else {
      struct Line *line = &window->framing;
      bool is_whole;
      taken = take_line(line, bytes, count, &is_whole);
      if (is_whole) {
        bool is_empty = line->length <= 1;  // "\r"
        switch (window->state) {
          case STATUS:
            if (strncmp(line->text, "HTTP/1.1 200", 12) != 0) {
              fail("window %d was answered: %s", index_of(window), line->text);
            }
            window->state = HEAD;
            break;
          case HEAD:
            if (is_empty) window->state = CHUNK_SIZE;
            break;
          case CHUNK_SIZE:
            window->chunk_left = strtoul(line->text, NULL, 16);
            if (window->chunk_left == 0) fail("the server ended window %d", index_of(window));
            window->state = CHUNK;
            break;
          default:  // CHUNK_END
            if (is_empty == false) fail("window %d got a malformed chunk", index_of(window));
            window->state = CHUNK_SIZE;
        }
        line->length = 0;
      }
    }
    bytes += taken;
    count -= taken;
  }
}

// Requests a window at a path with its query.
static void open_window(struct Window *window, int epoll, const char *page) {
  char at[256] = "", request[512];
  for (const char *rest = page; *rest != 0; rest++) {
    size_t length = strlen(at);
    if (length + 4 > sizeof at) fail("the path of the page is too long");
    snprintf(at + length, sizeof at - length, isalnum((unsigned char)*rest) ? "%c" : "%%%02X", *rest);
  }
  int length = snprintf(request, sizeof request,
                        "GET /_/stream?at=%s HTTP/1.1\r\n"
                        "Host: 127.0.0.1:%d\r\n"
                        "Accept: text/event-stream\r\n"
                        "\r\n",
                        at, port);
  *window = (struct Window){.fd = connect_to_server(), .id = -1};
  watch(epoll, window->fd, window);
  write_all(window->fd, request, (size_t)length);
}
