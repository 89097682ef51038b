// The minimum work of a push server: one thread, one epoll, one write(2) per window and event.
// The Server of this project is measured against it, as README.md describes.
//
//   server [-p PAGE-FILE] VERSIONS EVENT-FILE...
//
// A post makes VERSIONS versions: it is answered with the first of them, and the event has the last.
// An EVENT-FILE holds one event as the Server sends it, in which the version is the `id`. Each sent event
// has these bytes, with its own version, so all have equal length. If there are several files, a stream at the page /2 gets the event of the third. Any other GET is answered with
// the bytes of the PAGE-FILE. Prints "Listening on http://127.0.0.1:PORT". A request must arrive in one
// piece, like those of client.c.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FILE_LIMIT = 20000, NOT_A_STREAM = -1, READY_AT_ONCE = 256 };

static int epoll;
static int streams[FILE_LIMIT];    // The streams' file descriptors.
static int positions[FILE_LIMIT];  // By file descriptor: its index in `streams`.
static int stream_count;

// An event in the framing of an HTTP chunk.
struct Event {
  char *chunk;
  size_t length;
  char *digits;  // The place of the version.
};

static char *page_answer;  // For any GET except that of a stream.
static size_t page_answer_length;
static struct Event *events;
static int event_count;
static int pages[FILE_LIMIT];  // By file descriptor: which event a stream gets.
static int digits_length;
static long version;
static long versions_per_post = 1;

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("server: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

// Makes the chunk from the file, and finds the version in it.
static struct Event read_event(const char *path) {
  FILE *file = fopen(path, "r");
  if (file == NULL) fail("cannot read %s: %s", path, strerror(errno));
  char *text = NULL;
  size_t capacity = 0;
  ssize_t length = getdelim(&text, &capacity, 0, file);
  fclose(file);
  if (length < 2 || strcmp(text + length - 2, "\n\n") != 0) fail("%s is not an event", path);

  struct Event event;
  event.length = (size_t)asprintf(&event.chunk, "%zx\r\n%s\r\n", (size_t)length, text);
  char *name = strstr(event.chunk, "\nid: ");
  if (name == NULL) fail("%s has no version", path);
  event.digits = name + strlen("\nid: ");
  int digits = (int)strspn(event.digits, "0123456789");
  if (digits_length == 0) digits_length = digits;
  if (digits != digits_length) fail("the version in %s is not as long as the others", path);
  free(text);
  return event;
}

static void read_page(const char *path) {
  FILE *file = fopen(path, "r");
  if (file == NULL) fail("cannot read %s: %s", path, strerror(errno));
  char *text = NULL;
  size_t capacity = 0;
  ssize_t length = getdelim(&text, &capacity, 0, file);
  fclose(file);
  if (length < 1) fail("%s is empty", path);
  page_answer_length = (size_t)asprintf(&page_answer,
                                        "HTTP/1.1 200 OK\r\n"
                                        "Content-Type: text/html; charset=utf-8\r\n"
                                        "Content-Length: %zd\r\n"
                                        "\r\n"
                                        "%s",
                                        length, text);
  free(text);
}

// Waits for a slow client, because events are larger than a socket's buffer.
static void send_all(int fd, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = send(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
      if (errno != EAGAIN) fail("cannot write: %s", strerror(errno));
      struct pollfd room = {.fd = fd, .events = POLLOUT};
      poll(&room, 1, -1);
      continue;
    }
    bytes += sent;
    count -= (size_t)sent;
  }
}

static void push(void) {
  char number[24];
  int length = snprintf(number, sizeof number, "%0*ld", digits_length, version);
  if (length != digits_length) fail("version %ld does not fit the event", version);
  for (int i = 0; i < event_count; i++) {
    memcpy(events[i].digits, number, (size_t)length);
  }
  for (int i = 0; i < stream_count; i++) {
    const struct Event *event = &events[pages[streams[i]]];
    send_all(streams[i], event->chunk, event->length);
  }
}

static void answer_post(int fd) {
  char body[64], response[256];
  version += 1;
  int body_length = snprintf(body, sizeof body, "{\"version\":%ld}", version);
  int length = snprintf(response, sizeof response,
                        "HTTP/1.1 200 OK\r\n"
                        "Content-Type: application/json\r\n"
                        "Content-Length: %d\r\n"
                        "\r\n"
                        "%s",
                        body_length, body);
  send_all(fd, response, (size_t)length);
  version += versions_per_post - 1;
  push();
}

static void open_stream(int fd, int page) {
  if (page >= event_count) fail("there is no event for the page /%d", page);
  pages[fd] = page;
  char show[64], response[256];
  int show_length = snprintf(show, sizeof show, "event: show\nid: %ld\ndata: {}\n\n", version);
  int length = snprintf(response, sizeof response,
                        "HTTP/1.1 200 OK\r\n"
                        "Content-Type: text/event-stream\r\n"
                        "Transfer-Encoding: chunked\r\n"
                        "\r\n"
                        "%x\r\n%s\r\n",
                        (unsigned)show_length, show);
  send_all(fd, response, (size_t)length);
  positions[fd] = stream_count;
  streams[stream_count++] = fd;
}

static void close_connection(int fd) {
  int position = positions[fd];
  if (position != NOT_A_STREAM) {
    stream_count -= 1;
    streams[position] = streams[stream_count];
    positions[streams[position]] = position;
  }
  close(fd);
}

static void accept_connection(int listener) {
  int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
  if (fd < 0) fail("accept: %s", strerror(errno));
  if (fd >= FILE_LIMIT) fail("more than %d connections", FILE_LIMIT);
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  positions[fd] = NOT_A_STREAM;
  struct epoll_event interest = {.events = EPOLLIN, .data.fd = fd};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &interest) != 0) fail("epoll_ctl: %s", strerror(errno));
}

static void serve(int fd) {
  char request[4096];
  ssize_t count = read(fd, request, sizeof request - 1);
  if (count <= 0) {
    close_connection(fd);
    return;
  }
  request[count] = 0;
  if (strncmp(request, "POST /", 6) == 0) {
    answer_post(fd);
  } else if (strncmp(request, "GET /_/stream", 13) == 0) {
    const char *number = strstr(request, "?at=%2F");
    open_stream(fd, number != NULL && event_count > 1 ? atoi(number + strlen("?at=%2F")) : 0);
  } else if (strncmp(request, "GET /", 5) == 0 && page_answer != NULL) {
    send_all(fd, page_answer, page_answer_length);
  } else {
    fail("cannot answer: %.100s", request);
  }
}

int main(int count, char **arguments) {
  for (int option; (option = getopt(count, arguments, "p:")) != -1;) {
    if (option == 'p') read_page(optarg);
  }
  if (count - optind < 2 || (versions_per_post = atol(arguments[optind])) < 1) {
    fprintf(stderr, "usage: server [-p PAGE-FILE] VERSIONS EVENT-FILE...\n");
    return 64;
  }
  event_count = count - optind - 1;
  events = calloc((size_t)event_count, sizeof *events);
  for (int i = 0; i < event_count; i++) events[i] = read_event(arguments[optind + 1 + i]);

  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max < FILE_LIMIT ? limit.rlim_max : FILE_LIMIT;
    setrlimit(RLIMIT_NOFILE, &limit);
  }

  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0
      || listen(listener, 1024) != 0
      || getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
    fail("cannot listen: %s", strerror(errno));
  }
  epoll = epoll_create1(0);
  struct epoll_event interest = {.events = EPOLLIN, .data.fd = listener};
  if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &interest) != 0) {
    fail("epoll: %s", strerror(errno));
  }
  printf("Listening on http://127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);

  for (;;) {
    struct epoll_event ready[READY_AT_ONCE];
    int ready_count = epoll_wait(epoll, ready, READY_AT_ONCE, -1);
    if (ready_count < 0 && errno != EINTR) fail("epoll_wait: %s", strerror(errno));
    for (int i = 0; i < ready_count; i++) {
      if (ready[i].data.fd == listener) {
        accept_connection(listener);
      } else {
        serve(ready[i].data.fd);
      }
    }
  }
}
