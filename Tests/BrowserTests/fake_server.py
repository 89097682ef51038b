"""A server that speaks docs/PROTOCOL.md under the control of a test, for testing Public/ alone."""

import itertools
import json
import queue
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from waiting import PATIENCE

PUBLIC = Path(__file__).resolve().parents[2] / "Public"
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; form-action 'self'; base-uri 'none'; "
    "object-src 'none'; frame-ancestors 'none'"
)


class FakeServer:
    """Serves pages and records requests. Tests may replace its attributes."""

    def __init__(self):
        self.lock = threading.Condition()
        self.is_down = False
        self.heartbeat = True
        self.content = {}  # path: the content of the region `root`
        self.attributes = ""  # more attributes of <html>
        self.streams = []  # those open
        self.stream_count = 0  # those ever opened
        self.opened = []  # when, by a clock that only goes on
        self.refuse_streams = None  # (status, headers), instead of a stream
        self.stream_delay = 0  # seconds until a stream is answered
        self.windows = {}  # id: {stream, at, navigation, tags}, of those that have not left
        self.joins = []  # the body of each join
        self.post_paths = []  # the path of each POST
        self.moves = []  # the body of each move, and its window
        self.leaves = []  # window ids
        self.posts = []  # {path, fields, window, headers} of each post to a page
        self.heads = []  # the path of each HEAD
        self.answer_head = (200, {})  # status and headers of the answer to each
        self.page_loads = []  # the path of each GET of a page
        self.show = lambda window: {}  # the content of a `show` event besides its frame; None for no event
        self.answer = lambda post: (200, {"version": self.version})  # None: hangs up
        # Answers (status, body, headers) to refuse a join or move. No window joins with a stream then.
        self.answer_window = None
        self.version = 0
        self.places = {}
        self.ids = itertools.count(1)
        self.sockets = set()
        self.server = _Server(("127.0.0.1", 0), _Handler)
        self.server.fake = self
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def page(self, path):
        content = self.content.get(urlsplit(path).path, "")
        return f"""<!doctype html>
<html lang="en" data-stream="/_/stream?protocol=4" data-windows="/_/windows"
  data-worker="/public/worker.js?v=1" {self.attributes}>
<head><meta charset="utf-8"><title>Page</title><link rel="icon" href="/public/icon.svg">
<script type="module" src="/public/window.js"></script></head>
<body><p id="connection" role="status" hidden></p>
<main><div data-region="root" data-tag="page">{content}</div></main></body></html>"""

    # Called by tests

    def push(self, name, data):
        """Sends an event to every stream, with its `version` as its id."""
        with self.lock:
            for stream in self.streams:
                stream.put((name, data))

    def frame(self, at, *patches, version=None):
        """Sends patches to all windows at a place."""
        self.version = self.version + 1 if version is None else version
        data = {"place": self.place(at), "version": self.version, "regions": list(patches)}
        self.push("frame", data)

    def place(self, at):
        return self.places.setdefault(at, len(self.places) + 1)

    def kill(self):
        """Ends all connections, like a crash."""
        with self.lock:
            for connection in list(self.sockets):
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def go_down(self):
        """Ends all connections, and every new one immediately."""
        self.is_down = True
        self.kill()

    def come_up(self):
        self.is_down = False

    def wait(self, condition, what="condition"):
        """Waits until a condition holds; it is checked whenever something was asked or ended."""
        with self.lock:
            if not self.lock.wait_for(condition, PATIENCE):
                raise AssertionError(f"{what} did not hold within {PATIENCE} s")

    def close(self):
        self.go_down()
        self.server.shutdown()
        self.server.server_close()

    # Called by the handler

    def note(self, list_, value):
        with self.lock:
            list_.append(value)
            self.lock.notify_all()

    def send_show(self, window):
        data = self.show(self.windows[window])
        if data is None:
            return
        at = self.windows[window]["at"]
        frame = {
            "window": window,
            "navigation": self.windows[window]["navigation"],
            "place": self.place(at),
            "version": self.version,
            "url": at,
            "title": "Page",
            "overlay": {},
            "regions": [],
        }
        with self.lock:
            for stream in self.streams:
                if stream.id == self.windows[window]["stream"]:
                    stream.put(("show", frame | data))


def patch_as_sent(patch):
    """A patch of docs/PROTOCOL.md, which tests write with the names of its parts."""
    start = [patch["region"], patch["tag"]]
    if "html" in patch:
        return [*start, patch["html"]]
    lists = patch.get("lists")
    if "frame" in patch:
        return [*start, patch["frame"], lists or {}]
    return [*start, patch.get("edits"), *([lists] if lists else [])]


def event(name, data, version):
    """The text of an event."""
    version = data.get("version", version)
    data = {key: value for key, value in data.items() if key != "version"}
    if "regions" in data:
        data["regions"] = [patch_as_sent(patch) for patch in data["regions"]]
    start = "" if name == "frame" else f"event: {name}\n"
    return f"{start}id: {version}\ndata: {json.dumps(data)}\n\n"


class _Stream(queue.Queue):
    def __init__(self, id_):
        super().__init__()
        self.id = id_


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 100

    def handle_error(self, request, client_address):
        pass  # connections that tests end

    def process_request(self, request, client_address):
        if self.fake.is_down:
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def setup(self):
        super().setup()
        self.fake = self.server.fake
        with self.fake.lock:
            self.fake.sockets.add(self.connection)

    def finish(self):
        with self.fake.lock:
            self.fake.sockets.discard(self.connection)
        super().finish()

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.fake.note(self.fake.heads, self.path)
        status, headers = self.fake.answer_head
        self.send(status, b"", "text/html; charset=utf-8", headers)

    def do_GET(self):
        path = urlsplit(self.path).path
        if path == "/_/stream":
            self.stream()
        elif path.startswith("/public/"):
            file = PUBLIC / path.removeprefix("/public/")
            if file.is_file():
                self.send(200, file.read_bytes(), "text/javascript; charset=utf-8")
            else:
                self.send(404, b"", "text/plain")
        elif path == "/blank":
            self.send(200, b"<!doctype html><title>Blank</title>", "text/html")
        else:
            self.fake.note(self.fake.page_loads, self.path)
            self.send(200, self.fake.page(self.path).encode(), "text/html; charset=utf-8")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        path = urlsplit(self.path).path
        self.fake.note(self.fake.post_paths, path)
        if path == "/_/stream":
            self.stream(json.loads(body))
        elif path == "/_/windows":
            self.join(json.loads(body))
        elif path.endswith("/leave"):
            window = path.split("/")[3]
            with self.fake.lock:
                self.fake.windows.pop(window, None)
            self.send(204, b"")
            self.fake.note(self.fake.leaves, window)
        elif path.startswith("/_/windows/"):
            self.move(path.split("/")[3], json.loads(body))
        else:
            self.post(body)

    def join(self, body):
        self.fake.note(self.fake.joins, body)
        if refusal := self.fake.answer_window and self.fake.answer_window(body):
            return self.send_json(*refusal)
        if body["stream"] not in [stream.id for stream in self.fake.streams]:
            return self.send_json(404, {"message": "no such stream", "code": "unknownStream"})
        window = f"w{next(self.fake.ids)}"
        with self.fake.lock:
            self.fake.windows[window] = {"window": window, **body}
        self.fake.send_show(window)  # before the answer, which the browser must put up with
        self.send_json(201, {"window": window})

    def move(self, window, body):
        self.fake.note(self.fake.moves, {"window": window, **body})
        if refusal := self.fake.answer_window and self.fake.answer_window({"window": window, **body}):
            return self.send_json(*refusal)
        if window not in self.fake.windows:
            return self.send_json(404, {"message": "no such window", "code": "unknownWindow"})
        self.fake.windows[window].update(body)
        self.send(204, b"")
        self.fake.send_show(window)

    def post(self, body):
        post = {
            "path": self.path,
            "fields": dict(parse_qsl(body, keep_blank_values=True)),
            "window": self.headers.get("X-Window"),
            "accept": self.headers.get("Accept"),
        }
        self.fake.note(self.fake.posts, post)
        answer = self.fake.answer(post)
        if answer is None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        else:
            self.send_json(*answer)

    def stream(self, first=None):
        """With the body of a window that joins it."""
        fake = self.fake
        with fake.lock:
            fake.stream_count += 1
            fake.opened.append(time.monotonic())
            fake.lock.notify_all()
        if fake.refuse_streams:
            status, headers = fake.refuse_streams
            return self.send(status, b"", "text/plain", headers)
        time.sleep(fake.stream_delay)
        stream = _Stream(f"s{next(fake.ids)}")
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.close_connection = True
        opening = {"stream": stream.id, "boot": "b"}
        if first and fake.answer_window is None:
            opening["window"] = f"w{next(fake.ids)}"
        stream.put(("open", opening))
        fake.note(fake.streams, stream)
        if window := opening.get("window"):
            with fake.lock:
                fake.windows[window] = {"window": window, "stream": stream.id, **first}
            fake.note(fake.joins, {"stream": stream.id, **first})
            fake.send_show(window)
        try:
            self.wfile.write(b"retry: 500\n\n")
            while not fake.is_down:
                try:
                    name, data = stream.get(timeout=0.05)
                except queue.Empty:
                    # Notice a disconnected reader immediately, not at the next event.
                    if fake.heartbeat:
                        self.wfile.write(b":\n")
                    continue
                if name == "hang up":
                    return
                self.wfile.write(event(name, data, fake.version).encode())
        except OSError:
            pass
        finally:
            with fake.lock:
                fake.streams.remove(stream)
                fake.lock.notify_all()

    def send_json(self, status, value, headers=None):
        self.send(status, json.dumps(value).encode(), "application/json", headers)

    def send(self, status, body, content_type=None, headers=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-cache")
        if content_type:
            self.send_header("Content-Type", content_type)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
