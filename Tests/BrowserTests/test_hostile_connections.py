"""Connections and windows of malicious clients, and of unusual but legitimate ones."""

import contextlib
import datetime
import http.client
import json
import re
import socket
import time
import urllib.parse

import pytest

from clients import Drained, connected
from process import eventually, opened, resident
from quakes_page import YESTERDAY
from raw import STREAM, Session, counter_value, exchange, get, post, post_json, read_all, statuses
from servers import ServerProcess, product_server

HOST = b"Host: localhost\r\n"
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
MEMORY = 32 << 20  # bytes that one client may have a server keep
STREAM_MEMORY = 16_000  # bytes that a stream with a window may take
FLOOD = 200 << 20  # bytes that a client sends
BURST = 1_000  # connections that come at once
PROMPT = 20  # seconds, less than a connection may be idle
pytestmark = pytest.mark.long

UPGRADES = {
    "CONNECT": b"CONNECT localhost:80 HTTP/1.1\r\n" + HOST + b"\r\n",
    "h2c": b"GET /counter HTTP/1.1\r\n" + HOST + b"Connection: Upgrade, HTTP2-Settings\r\n"
           b"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n",
    "websocket": b"GET /counter HTTP/1.1\r\n" + HOST + b"Connection: Upgrade\r\n"
                 b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n",
}


@pytest.fixture(scope="module")
def shared():
    """A Server for tests that leave nothing behind."""
    server = product_server("--read-timeout", "2", "--idle-timeout", "2").start()
    yield server
    server.kill()


@pytest.fixture
def start_either(start_server, tmp_path):
    """Starts the Server or the AnimalsDataServer; it ends with the test."""
    started = []

    def start(name):
        if name == "Server":
            return start_server()
        started.append(ServerProcess(
            name, lambda port: ["--port", str(port), "--database", str(tmp_path / "animals.store")]
        ))
        return started[-1].start()

    yield start
    for server in started:
        server.kill()


# MARK: Many connections at once


@pytest.mark.parametrize("name", ["Server", "AnimalsDataServer"])
def test_no_connection_of_a_burst_is_dropped_while_the_server_is_busy(start_either, name):
    """A client whose connection was dropped tries again after 1, 3, 7, 15 s, and so does everybody else meanwhile."""
    server = start_either(name)

    with server.paused():
        assert connected(server.port, BURST) == BURST


# MARK: Idle connections


@pytest.mark.parametrize("name", ["Server", "AnimalsDataServer"])
def test_a_connection_does_not_wait_with_a_large_head(start_either, name):
    """An idle connection holds the head of its last request: 30 kB of each of the 6,000 that an address may have."""
    server = start_either(name)
    requests = [b"GET /healthz HTTP/1.1\r\n" + HOST + b"X: " + b"x" * size + b"\r\n\r\n" for size in (1_000, 30_000)]

    # Otherwise the connection would wait for another request.
    received = exchange(server, *requests, timeout=PROMPT)

    assert received.count(b"HTTP/1.1 200 OK") == 2


# MARK: Requests that want another protocol


@pytest.mark.parametrize("name", ["Server", "AnimalsDataServer"])
@pytest.mark.parametrize("upgrade", UPGRADES.values(), ids=UPGRADES)
def test_bytes_after_a_refused_upgrade_are_not_buffered(start_either, name, upgrade):
    """NIO's decoder stops at an upgrade and keeps all bytes that come after."""
    server = start_either(name)
    get(server, "/counter")
    before, most, sent = resident(server), 0, 0
    with socket.create_connection(("127.0.0.1", server.port), timeout=3) as connection:
        connection.sendall(upgrade)
        with contextlib.suppress(OSError):  # it is closed, or the server has stopped reading
            while sent < FLOOD and most <= MEMORY:
                sent += connection.send(b"x" * 65_536)
                most = max(most, resident(server) - before)

    assert most <= MEMORY, f"{most >> 20} MiB of {sent >> 20} sent"


@pytest.mark.parametrize("upgrade", [UPGRADES["h2c"], UPGRADES["websocket"]], ids=["h2c", "websocket"])
def test_a_request_that_offers_an_upgrade_is_answered_and_closes_the_connection(shared, upgrade):
    """The offer is ignored, which RFC 9110, section 7.8, allows. NIO's decoder reads nothing after it, so the
    answer says that the connection ends: the next request, which would be lost, goes to another."""
    received = exchange(shared, upgrade, b"GET /counter HTTP/1.1\r\n" + HOST + b"\r\n")

    assert statuses(received) == "200"
    assert b"\r\nConnection: close\r\n" in received.partition(b"\r\n\r\n")[0] + b"\r\n"


# MARK: The end of a connection


def test_a_connection_is_closed_when_the_client_asks(start_server):
    """Connection is a list without regard to case. RFC 9110, section 7.6.1; RFC 9112, section 9.6."""
    server = start_server("--idle-timeout", "30")

    for value in ["CLOSE", "Close", "close, TE", "x, close", "close, keep-alive"]:
        received = exchange(
            server, b"GET /counter HTTP/1.1\r\n" + HOST + f"Connection: {value}\r\n\r\n".encode(),
            timeout=PROMPT,
        )

        assert statuses(received) == "200", value


def test_a_stream_says_that_its_connection_ends_with_it(shared):
    """A proxy must not keep the connection for another request. RFC 9112, section 9.6."""
    received = b""
    with socket.create_connection(("127.0.0.1", shared.port), timeout=PROMPT) as connection:
        connection.sendall(b"GET /_/stream?at=/counter HTTP/1.1\r\n" + HOST + b"\r\n")
        while b"\r\n\r\n" not in received:
            received += connection.recv(4096)

    assert b"\r\nconnection: close\r\n" in received.lower()


def test_an_open_stream_keeps_no_task_of_its_connection(start_server):
    """A task keeps the memory of its deepest call until it ends: eight kilobytes of each open window (issue 14)."""
    server = start_server()
    with contextlib.ExitStack() as connections:

        def open_streams(count):
            for _ in range(count):
                connection = connections.enter_context(
                    socket.create_connection(("127.0.0.1", server.port), timeout=PROMPT))
                connection.sendall(b"GET /_/stream?at=/counter HTTP/1.1\r\n" + HOST + b"\r\n")
                received = b""
                while b"event: show" not in received:
                    received += connection.recv(4096)

        open_streams(100)
        before = resident(server)
        open_streams(900)
        each = (resident(server) - before) / 900

    assert each <= STREAM_MEMORY, f"{each / 1000:.1f} kB"


def test_a_stream_whose_client_is_half_closed_from_the_start_is_closed(start_server):
    """One that stops sending later is closed at once (ConnectionHandler.userInboundEventTriggered)."""
    server = start_server()
    before = opened(server)
    for _ in range(20):  # it depends on which comes first
        with socket.create_connection(("127.0.0.1", server.port), timeout=PROMPT) as connection:
            connection.sendall(b"GET /_/stream?at=/counter HTTP/1.1\r\n" + HOST + b"\r\n")
            connection.shutdown(socket.SHUT_WR)
            try:
                read_all(connection)
            except AssertionError:
                break
    else:
        return
    raise AssertionError("the stream of a client that sends no more stays open")


def test_a_stream_whose_request_has_half_a_body_contains_only_events(shared):
    """A relative of the byte that is sent after the request (issue 11, 9)."""
    bodies = []
    for _ in range(3):  # data before a reset may be lost
        with socket.create_connection(("127.0.0.1", shared.port), timeout=4) as connection:
            connection.sendall(
                b"GET /_/stream HTTP/1.1\r\n" + HOST + b"Content-Length: 100\r\n\r\nx"
            )
            received = b""
            with contextlib.suppress(TimeoutError, ConnectionError):
                while chunk := connection.recv(65_536):
                    received += chunk
            bodies.append(received.partition(b"\r\n\r\n")[2])

    assert not any(b" 408 " in body for body in bodies)


@pytest.mark.parametrize("behind", [b"x", b"POST /counter HTTP/1.1\r\n" + HOST + FORM
                                    + b"Content-Length: 15\r\n\r\n_form=increment"], ids=["a byte", "a post"])
def test_a_stream_that_a_window_joins_ends_with_what_is_sent_behind_its_request(shared, behind):
    """Nothing else can be asked on its connection: it has no effect, and nothing else is in the stream."""
    before = counter_value(shared)
    body = b'{"at": "/counter", "navigation": 1}'
    received = b""
    with socket.create_connection(("127.0.0.1", shared.port), timeout=PROMPT) as connection:
        connection.sendall(
            b"POST /_/stream HTTP/1.1\r\n" + HOST + b"Content-Length: %d\r\n\r\n" % len(body) + body
        )
        while b"event: show" not in received:
            received += connection.recv(4096)
        connection.sendall(behind)
        received += read_all(connection)

    assert statuses(received) == "200"
    assert counter_value(shared) == before


@pytest.mark.parametrize("head, status", [
    (b"GET /" + b"x" * 100_000, "431"),
    (b"get / HTTP/1.1\r\n" + HOST + b"\r\n", "400"),
    (b"POST /counter HTTP/1.1\r\n" + HOST + FORM + b"Transfer-Encoding: gzip, chunked\r\n\r\n", "501"),
    (b"GET /counter HTTP/1.1\r\n" + HOST + b"\r\nget / HTTP/1.1\r\n", "200 400"),
    (b"GET /counter HTTP/1.0\r\n" + HOST + b"\r\nGET / HTTP/1.1\r\n" + HOST + b"\r\nget /\r\n", "200"),
], ids=["431", "400", "501", "400 after an answer", "400 after the last request"])
def test_a_client_that_still_sends_can_read_why_it_is_refused(shared, head, status):
    """To close at once resets a connection with unread bytes: the client could not send the rest, and would not see
    the answer. RFC 9112, section 9.6."""
    with socket.create_connection(("127.0.0.1", shared.port), timeout=PROMPT) as connection:
        connection.sendall(head)
        for _ in range(64):
            connection.sendall(b"x" * 65_536)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while chunk := connection.recv(65_536):
            received += chunk

    assert statuses(received) == status


def test_a_refused_client_that_never_stops_sending_is_closed(shared):
    """After the read timeout."""
    with socket.create_connection(("127.0.0.1", shared.port), timeout=PROMPT) as connection:
        connection.sendall(b"get / HTTP/1.1\r\n")
        with pytest.raises(ConnectionError):
            for _ in range(1_000_000):
                connection.sendall(b"x" * 65_536)


@pytest.mark.parametrize("path, start, more", [
    ("/animals", b"1;", b"x" * 65_536),
    ("/counter", b"", b"4000\r\n" + bytes(0x4000) + b"\r\n"),
], ids=["an extension of a chunk without end", "a body that nobody reads"])
def test_a_client_that_never_stops_uploading_is_closed(shared, path, start, more):
    """An upload may go on for as long as its bytes arrive, and there is a limit for them, even if its answer did not
    wait for it."""
    head = b"Content-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n"
    with socket.create_connection(("127.0.0.1", shared.port), timeout=PROMPT) as connection:
        connection.sendall(b"POST " + path.encode() + b" HTTP/1.1\r\n" + HOST + head + b"\r\n" + start)
        end = time.monotonic() + 3 * PROMPT
        with pytest.raises(ConnectionError):
            while time.monotonic() < end:
                connection.sendall(more)


@pytest.mark.parametrize("path, status", [("/counter", "415"), ("/nowhere", "404")])
def test_a_client_that_sends_a_body_that_nobody_reads_can_read_its_answer(shared, path, status):
    """Its connection was reset once it had sent too much, which destroyed the answer."""
    head = b"Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n"
    for _ in range(5):  # it depends on which comes first
        with socket.create_connection(("127.0.0.1", shared.port), timeout=PROMPT) as connection:
            connection.sendall(b"POST " + path.encode() + b" HTTP/1.1\r\n" + HOST + head + b"\r\n")
            for _ in range(32):
                connection.sendall(b"4000\r\n" + bytes(0x4000) + b"\r\n")
            connection.sendall(b"0\r\n\r\n")
            received = read_all(connection)

        assert statuses(received) == status


def test_a_pipelined_request_is_not_late_while_the_server_does_not_read(start_server):
    """It reads nothing while too many answers wait for their client."""
    server = start_server("--read-timeout", "1", "--quakes-feed", "sample")
    assert post(server, "/quakes", "_form=sample").status == 200
    page = b"GET " + YESTERDAY.encode() + b" HTTP/1.1\r\n" + HOST + b"\r\n"  # a whole day
    with socket.socket() as connection:
        # More answers than the system keeps.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        connection.settimeout(PROMPT)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(page * 20 + page[:9])
        for _ in range(2):  # each takes a second
            exchange(server, page[:9])
        received, ends = b"", 0
        while ends < 20:
            chunk = connection.recv(1 << 20)
            ends += (received[-6:] + chunk).count(b"</html>")
            received += chunk
        connection.sendall(page[9:-2] + b"Connection: close\r\n\r\n")
        received += read_all(connection)

    assert statuses(received) == " ".join(["200"] * 21)


# MARK: Where an answer ends


def test_pipelined_requests_of_different_versions_each_get_the_answer_of_their_version(sample):
    """The version of a later request, even of one that is not answered, decided how an answer ends."""
    server, path = sample

    def get_(version, more=b""):
        return f"GET {path} HTTP/{version}\r\n".encode() + HOST + b"Accept-Encoding: gzip\r\n" + more + b"\r\n"

    for requests, heads in [
        (get_("1.1") + get_("1.0"), [(b"1.1", True), (b"1.0", False)]),
        (get_("1.0") + get_("1.1"), [(b"1.0", False)]),
        (get_("1.1") + get_("1.1", b"Connection: close\r\n") + get_("1.0"), [(b"1.1", True), (b"1.1", True)]),
    ]:
        received = exchange(server, requests)

        answers = re.findall(rb"HTTP/(1\.\d) 200 OK\r\n(.*?)\r\n\r\n", received, re.DOTALL)
        assert [
            (version, b"transfer-encoding: chunked" in head.lower()) for version, head in answers
        ] == heads


# MARK: Where a request ends


@pytest.mark.parametrize("coding", [b"", b" ", b"\t"], ids=["empty", "a space", "a tab"])
def test_an_empty_transfer_encoding_is_refused(shared, coding):
    """With Content-Length beside it, it is an attempt at smuggling. RFC 9112, section 6.3."""
    received = exchange(
        shared,
        b"POST /counter HTTP/1.1\r\n" + HOST + FORM + b"Connection: close\r\nTransfer-Encoding:"
        + coding + b"\r\nContent-Length: 15\r\n\r\n_form=increment",
    )

    assert statuses(received) in ("400", "501")


# MARK: What windows hold


@pytest.fixture
def sample(start_server):
    """A Server with earthquakes; the path of a day with some hundreds."""
    server = start_server("--quakes-feed", "sample")
    assert post(server, "/quakes", "_form=sample").status == 200
    day = datetime.datetime.now(datetime.UTC).date() - datetime.timedelta(days=1)
    path = f"/quakes?date={day.isoformat()}"
    eventually(lambda: "data-key=" in get(server, path).text, "the sample is there")
    return server, path


def test_the_head_of_a_large_page_has_the_length_of_its_body(sample):
    """Also if it would be compressed, whose length is not known. RFC 9110, section 8.6."""
    server, path = sample
    lengths = {}
    for method, coding in [("HEAD", "gzip"), ("HEAD", "identity"), ("GET", "identity")]:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PROMPT)
        connection.request(method, path, headers={"Accept-Encoding": coding})
        response = connection.getresponse()
        lengths[method, coding] = (response.getheader("Content-Length"), len(response.read()))
        connection.close()

    count = lengths["GET", "identity"][1]
    assert count > 65_536
    assert lengths["GET", "identity"] == (str(count), count)
    assert lengths["HEAD", "gzip"] == lengths["HEAD", "identity"] == (str(count), 0)


def test_the_tags_that_a_window_sends_are_bounded(sample):
    """A tag has 22 characters, and a page has a dozen regions: what else is named is nothing."""
    server, path = sample
    session = Session(server)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(
            f"GET {STREAM} HTTP/1.1\r\n".encode() + HOST + f"Cookie: {session.cookie}\r\n\r\n".encode()
        )
        received = b""
        while b"event: open" not in received or not received.endswith(b"\n\n\r\n"):
            received += connection.recv(4096)
        stream = json.loads(received.partition(b"data: ")[2].partition(b"\n")[0])["stream"]

        def join(at, tags):
            body = {"stream": stream, "at": at, "navigation": 1, "tags": tags}
            return post_json(server, "/_/windows", body, Cookie=session.cookie).status

        # From here on it reads nothing: after some pages its stream is behind.
        for _ in range(20):
            join(path, {})
        before, most = resident(server), 0
        for number in range(900):
            # As soon as it is refused there is nothing more to see.
            tags = {f"{number}{'x' * 100}{name}": "y" * 500 for name in range(90)}
            if join("/counter", tags) != 201:
                break
            most = max(most, resident(server) - before)

    assert most <= 16 << 20, f"{most / 2 ** 20:.1f} MiB for {number} windows"


def test_navigating_to_different_places_keeps_memory_bounded(sample):
    """As the searches that fold to the same (issue 11, 2), but none of these is another's."""
    server, path = sample
    session = Session(server)
    places = [
        (f"{path}&search={search}&sort={sort}&order={order}", zone)
        for zone in ["UTC", "Europe/Berlin", "Asia/Kathmandu", "Pacific/Kiritimati"]
        for search in ["", "a", "e", "k", "m", "km", "o", "i"]
        for sort in ["time", "magnitude"] for order in ["forward", "reverse"]
    ]
    with Drained(server, session) as stream:
        window = stream.join(path)
        before = None
        for number, (at, zone) in enumerate(places):
            if number == 5:
                before = resident(server)
            body = {"at": at, "navigation": number + 2}
            cookie = f"{session.cookie}; zone={urllib.parse.quote(zone, safe='')}"
            assert post_json(server, f"/_/windows/{window}", body, Cookie=cookie).status == 204
        grown = resident(server) - before

    assert grown <= MEMORY, f"{grown / 2 ** 20:.1f} MiB for {len(places)} places"
