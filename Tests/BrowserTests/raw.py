"""Handmade HTTP, for requests that no browser would send."""

import contextlib
import html
import http.client
import json
import re
import socket
import urllib.parse
from dataclasses import dataclass

from waiting import PATIENCE, wait_until

FORM = "application/x-www-form-urlencoded"
LABELS = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self):
        return self.body.decode()

    @property
    def json(self):
        return json.loads(self.body)


def request(server, method, path, body=None, headers=None, **options):
    """Sends one request on a new connection. Headers of None are not sent."""
    with server.connection(**options) as connection:
        connection.putrequest(method, path, skip_accept_encoding=True, skip_host=True)
        headers = {"Host": f"127.0.0.1:{server.port}"} | (headers or {})
        if isinstance(body, str):
            body = body.encode()
        if body is not None:
            headers = {"Content-Length": str(len(body))} | headers
        for name, value in headers.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())


def get(server, path, **headers):
    return request(server, "GET", path, headers=with_dashes(headers))


def parts_of_list(server, path):
    """The pages of a list; each page of a long list shows a part."""
    while True:
        page = get(server, path).text
        yield page
        link = re.search(r'<a [^>]*rel="next"[^>]* href="([^"]+)"', page)
        if link is None:
            return
        path = urllib.parse.urljoin(path, html.unescape(link[1]))


def post(server, path, body, **headers):
    """Posts a form as a program does."""
    headers = {"Content_Type": FORM, "Accept": "application/json"} | headers
    return request(server, "POST", path, body, with_dashes(headers))


def post_from(server, address, path, body):
    """Posts a form as a program does, from an address of this machine."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", server.port, timeout=30, source_address=(address, 0))
    with contextlib.closing(connection):
        connection.request("POST", path, body, {"Content-Type": FORM, "Accept": "application/json"})
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())


def counter_value(server):
    """The number that the Counter shows."""
    return int(re.search(r"Value: (-?\d+)", get(server, "/counter").text)[1])


def post_json(server, path, value, **headers):
    body = None if value is None else json.dumps(value)
    return request(server, "POST", path, body or "",
                   with_dashes({"Content_Type": "application/json"} | headers))


def with_dashes(headers):
    return {name.replace("_", "-"): value for name, value in headers.items()}


def metrics(server, until=lambda values: True, seconds=PATIENCE):
    """
    What the server's metrics are, by name with labels; asks until they are so, for no more than these seconds.
    What Prometheus would not take fails.
    """
    values = {}

    def are_so():
        values.clear()
        values.update(_metrics(get(server, "/metrics")))
        return until(values)

    wait_until(are_so, lambda: f"what is expected of the metrics {values}", seconds)
    return values


def _metrics(answer):
    assert answer.status == 200, answer.text
    values, kinds = {}, {}
    for line in answer.text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name not in kinds
            kinds[name] = kind
        else:
            name, value = line.rsplit(" ", 1)
            match = re.fullmatch(r"([A-Za-z_]\w*)(?:\{(.*)\})?", name)
            assert LABELS.sub("", match[2] or "").strip(",") == ""
            base = re.sub("_(bucket|sum|count)$", "", match[1])
            assert match[1] in kinds or kinds.get(base) == "histogram"
            values[name] = float(value)
    return values


def exchange(server, *pieces, timeout=PATIENCE):
    """
    Writes bytes as they are; answers all that comes back until the server closes the connection.
    """
    with socket.create_connection(("127.0.0.1", server.port), timeout=timeout) as connection:
        try:
            for piece in pieces:
                connection.sendall(piece)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the server has closed the connection; its answer can still be read
        return read_all(connection)


def read_all(connection):
    received = b""
    try:
        while chunk := connection.recv(65_536):
            received += chunk
    except ConnectionResetError:
        pass
    except TimeoutError:
        raise AssertionError(f"the server keeps the connection open after {received}") from None
    return received


def first_answer(server, *pieces):
    """Writes bytes as they are; returns the first response, even if the connection then fails."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        for piece in pieces:
            connection.sendall(piece)
        with http.client.HTTPResponse(connection) as response:
            response.begin()
            return Answer(response.status, response.headers, response.read())


def statuses(received):
    """The statuses of all answers in these bytes, in order."""
    return " ".join(status.decode() for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", received))


STREAM = "/_/stream?protocol=4"  # as pages of this release state it


class Session:
    """A browser's cookie."""

    def __init__(self, server):
        self.server = server
        page = next(filter(lambda page: page.status == 200,
                           (get(server, path) for path in ("/counter", "/fixture"))))
        self.cookie = page.headers["Set-Cookie"].split(";")[0]

    def stream(self, query="", timeout=PATIENCE, source=None, first=None):
        return Stream(self.server, self.cookie, query, timeout, source, first)

    def join(self, stream, at, **more):
        return post_json(
            self.server, "/_/windows",
            {"stream": stream.id, "at": at, "navigation": 1} | more, Cookie=self.cookie,
        )

    def post(self, path, body, **headers):
        return post(self.server, path, body, Cookie=self.cookie, **headers)


class Stream:
    """An open event stream, for a `with` statement."""

    def __init__(self, server, cookie=None, query="", timeout=PATIENCE, source=None, first=None):
        """From an address of this machine, if there is a source; with the body of a window that joins it."""
        self._connection = http.client.HTTPConnection(
            "127.0.0.1", server.port, timeout=timeout, source_address=source and (source, 0))
        self._connection.request(
            "POST" if first else "GET", "/_/stream" + query if query else STREAM, first and json.dumps(first), {"Cookie": cookie or ""})
        self.response = self._connection.getresponse()
        self.status = self.response.status
        self.headers = self.response.headers
        self.lines = []

    def __enter__(self):
        if self.status == 200:
            _, _, data = self.next("open")
            self.id, self.window = data["stream"], data.get("window")
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.response.close()
        self._connection.close()

    def wait_for_heartbeat(self):
        while not (line := self.response.readline()).startswith(b":"):
            assert line, "the stream has ended"

    def wait_for(self, version):
        """Returns when it has been sent everything up to a version."""
        while int(self.next()[0]) < version:
            pass

    def next(self, wanted=None):
        """Returns the next event, or the next with that name: id, name, data. None at the end."""
        return next((event for event in events(self._read()) if wanted in (None, event[1])), None)

    def _read(self):
        while line := self.response.readline():
            self.lines.append(line.decode().removesuffix("\n"))
            yield line


def events(lines):
    """The id, name and data of each event of these lines. One without a name is a frame."""
    event = {}
    for line in lines:
        if text := line.decode().removesuffix("\n"):
            field, _, value = text.partition(": ")
            event.setdefault(field, []).append(value)
            continue
        if "data" in event:
            name = event.get("event", ["frame"])[0]
            yield event.get("id", [None])[0], name, json.loads("\n".join(event["data"]))
        event = {}


def tags_of(page):
    """The tags of a page's regions, which identify their content."""
    return dict(re.findall('data-region="([^"]+)" data-tag="([^"]+)"', page))
