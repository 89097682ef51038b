"""The limits of one client's share of resources: streams, and its own connection."""

import contextlib
import http.client
import socket

import pytest

from faults import reset
from pictures import TYPE, fields, multipart, png
from process import eventually, opened
from raw import FORM, Session, exchange, get, post, post_from, request, statuses
from servers import product_server

STREAM = b"GET /_/stream?at=/counter HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = (
    b"POST /counter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\n_form=increment"
)


@pytest.fixture(scope="module")
def shared():
    """A Server for tests that leave nothing behind."""
    server = product_server().start()
    yield server
    server.kill()


def open_from(server, address="127.0.0.1", **headers):
    """A stream of a new session, from an address of this machine; answers connection and response."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", server.port, timeout=10, source_address=(address, 0)
    )
    connection.request("GET", "/_/stream", headers=headers)
    return connection, connection.getresponse()


def shut_down(connection):
    connection.shutdown(socket.SHUT_WR)


# MARK: Requests that arrive


def test_requests_that_do_not_arrive_have_a_share_of_the_memory(start_server):
    """Each took 100 kB for as long as it could, and one address may have 6,000 connections."""
    server = start_server("--read-timeout", "300")
    sent = (
        b"POST /counter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65000\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\n\r\n" + b"x" * 60_000
    )
    room = (32 << 20) // (len(sent) - 4_096)
    form = "_form=increment&x=" + "x" * 60_000
    assert post(server, "/counter", form).status == 200
    with contextlib.ExitStack() as stack:
        for _ in range(room):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port))).sendall(sent)

        # The server reads the last of them a moment later.
        eventually(lambda: statuses(exchange(server, sent)) == "503", "there is no room for another")

        assert post(server, "/counter", form).status == 503
        assert post(server, "/counter", "_form=increment").status == 200
        assert post_from(server, "127.0.0.2", "/counter", form).status == 200

    eventually(lambda: post(server, "/counter", form).status == 200, "there is room again")


# MARK: Streams


def test_streams_are_limited_per_session(start_server):
    """One cookie opened all streams there are. Others still can, and one that ends makes room."""
    server = start_server("--streams-per-session", "2")
    session, other = Session(server), Session(server)
    with session.stream() as first, session.stream() as second:
        with session.stream() as third:
            assert [first.status, second.status, third.status] == [200, 200, 503]
            assert float(third.headers["Retry-After"]) > 0
        with other.stream() as others:
            assert others.status == 200

    assert wait_for_stream(session) == 200


def wait_for_stream(session):
    """Asks until there is room."""
    for _ in range(100):
        with session.stream() as stream:
            if stream.status == 200:
                break
    return stream.status


def test_a_session_has_64_streams_by_default(start_server):
    """The default of --streams-per-session; a browser needs one."""
    session = Session(start_server())
    with contextlib.ExitStack() as stack:
        found = [stack.enter_context(session.stream()).status for _ in range(66)]

    assert found == [200] * 64 + [503] * 2


def test_streams_are_limited_per_network(start_server):
    """A client without a cookie gets a new session for each stream, so addresses count too."""
    server = start_server("--streams-per-network", "3")
    with contextlib.ExitStack() as stack:
        answers = []
        for _ in range(4):
            connection, response = open_from(server)
            stack.callback(connection.close)
            stack.callback(response.close)
            answers.append(response)
        assert [answer.status for answer in answers] == [200, 200, 200, 503]
        assert float(answers[-1].headers["Retry-After"]) > 0
        connection, response = open_from(server, "127.0.0.2")
        stack.callback(connection.close)
        stack.callback(response.close)
        assert response.status == 200


def test_a_stream_that_ends_makes_room_for_its_network(start_server):
    server = start_server("--streams-per-network", "1")

    def status():
        connection, response = open_from(server)
        with contextlib.closing(connection), contextlib.closing(response):
            return response.status

    assert status() == 200
    assert eventually(lambda: status() == 200)


def test_behind_a_trusted_proxy_the_forwarded_address_counts(start_server):
    """All streams come from the proxy's address; its word says whose they are."""
    server = start_server("--streams-per-network", "1", "--trusted-proxy", "127.0.0.1")
    with contextlib.ExitStack() as stack:
        found = []
        for client in ["203.0.113.7", "203.0.113.8", "203.0.113.7", "2001:db8::1", "2001:db8::1"]:
            connection, response = open_from(server, **{"X-Forwarded-For": client})
            stack.callback(connection.close)
            stack.callback(response.close)
            found.append(response.status)

    assert found == [200, 200, 503, 200, 503]


def test_a_network_of_64_bits_is_one_client(start_server):
    """It is the smallest that a household is assigned, so anybody has all of its addresses."""
    server = start_server("--streams-per-network", "1", "--trusted-proxy", "127.0.0.1")
    with contextlib.ExitStack() as stack:
        found = []
        for client in ["2001:db8::1", "2001:db8::2:0:0:1", "2001:db8:0:1::1"]:
            connection, response = open_from(server, **{"X-Forwarded-For": client})
            stack.callback(connection.close)
            stack.callback(response.close)
            found.append(response.status)

    assert found == [200, 503, 200]


def test_a_forged_address_of_an_untrusted_client_is_ignored(start_server):
    """Or an attacker would have as many addresses as it likes."""
    server = start_server("--streams-per-network", "1")
    with contextlib.ExitStack() as stack:
        found = []
        for client in ["203.0.113.7", "203.0.113.8"]:
            connection, response = open_from(server, **{"X-Forwarded-For": client})
            stack.callback(connection.close)
            stack.callback(response.close)
            found.append(response.status)

    assert found == [200, 503]


def test_windows_are_limited_per_network(start_server):
    """Each session may have a thousand, but a client without a cookie gets a new session for each stream."""
    server = start_server("--windows-per-network", "2")
    first, second, elsewhere = Session(server), Session(server), Session(server)
    with first.stream() as one, second.stream() as two, elsewhere.stream(source="127.0.0.2") as three:
        found = [session.join(stream, "/counter").status
                 for session, stream in [(first, one), (second, two), (first, one), (elsewhere, three)]]
        assert found == [201, 201, 503, 201]
        two.close()

        assert eventually(lambda: first.join(one, "/counter").status == 201)


# MARK: Connections


def connect(server, address="127.0.0.1"):
    return socket.create_connection(("127.0.0.1", server.port), timeout=10, source_address=(address, 0))


def is_answered(connection):
    """Whether a connection is open: it answers a request."""
    try:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return connection.recv(4096).startswith(b"HTTP/1.1 200")
    except OSError:
        return False


def test_connections_are_limited_per_network(start_server):
    """One client kept thousands of idle connections, until no descriptor was left for others."""
    server = start_server("--connections-per-network", "3")
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(contextlib.closing(connect(server))) for _ in range(3)]
        assert [is_answered(connection) for connection in opened] == [True] * 3
        with contextlib.closing(connect(server)) as further:
            assert not is_answered(further)
        with contextlib.closing(connect(server, "127.0.0.2")) as other:
            assert is_answered(other)
        assert [is_answered(connection) for connection in opened] == [True] * 3

        opened[0].close()

        def has_room():
            with contextlib.closing(connect(server)) as connection:
                return is_answered(connection)

        assert eventually(has_room)


def test_the_connections_of_a_trusted_proxy_are_not_limited(start_server):
    """They are those of all clients."""
    server = start_server("--connections-per-network", "1", "--trusted-proxy", "127.0.0.1")
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(contextlib.closing(connect(server))) for _ in range(5)]
        assert [is_answered(connection) for connection in opened] == [True] * 5


# MARK: Uploads


def begin_upload(server, address, token):
    """Sends the beginning of a picture, so that an upload is under way; answers its connection."""
    body = multipart(fields(token=token), png(padding=200_000))
    connection = socket.create_connection(
        ("127.0.0.1", server.port), timeout=10, source_address=(address, 0))
    connection.sendall(
        f"POST /animals HTTP/1.1\r\nHost: localhost\r\nContent-Type: {TYPE}\r\n"
        f"Accept: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body[:150_000])
    return connection, body[150_000:]


def uploads(server):
    return len(list((server.data / "pictures").glob("*.part")))


def upload_from(server, address, token):
    """Uploads a picture, as a program; answers the response."""
    connection, rest = begin_upload(server, address, token)
    with connection:
        connection.sendall(rest)
        with http.client.HTTPResponse(connection) as response:
            response.begin()
            return response.status, response.read().decode()


def test_uploads_are_limited_per_network(start_server):
    """One that sent 64 pictures and never ended kept everybody else from sending any."""
    server = start_server("--uploads-per-network", "2")
    get(server, "/animals")  # which reads the catalog
    with contextlib.ExitStack() as stack:
        held = [begin_upload(server, "127.0.0.1", f"held{number}") for number in range(2)]
        for connection, _ in held:
            stack.enter_context(connection)
        eventually(lambda: uploads(server) == 2, "both are under way")

        status, text = upload_from(server, "127.0.0.1", "third")
        other, _ = upload_from(server, "127.0.0.2", "other")

    assert status == 409
    assert "Too many pictures are being sent from your network at once." in text
    assert other == 200
    eventually(lambda: uploads(server) == 0, "nothing of them is left")
    assert upload_from(server, "127.0.0.1", "again")[0] == 200


# MARK: Sessions


@pytest.mark.parametrize("content_type, size, status", [
    (FORM, 70_000, 413), ("text/plain", 10, 415), (FORM, 10, 404),
])
def test_a_form_that_could_not_be_handled_still_gets_a_session(
        shared, content_type, size, status):
    """Without JavaScript its page is the next one that the browser shows, so the input belongs to it."""
    answer = request(
        shared, "POST", "/counter", b"_form=" + b"x" * size,
        {"Content-Type": content_type, "Accept": "text/html"})

    assert answer.status == status
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    again = get(shared, "/counter", Cookie=cookie)
    assert again.headers["Set-Cookie"] is None


# MARK: What follows a stream on its connection


@pytest.mark.parametrize("sent", [
    b"x", b"GET", b"\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"\x16\x03\x01",
], ids=["a byte", "a method", "a line", "half a head", "TLS"])
def test_bytes_a_client_sends_on_its_stream_do_not_appear_in_it(start_server, sent):
    """A 408 as it stands came into the stream's body, between two chunks."""
    server = start_server("--read-timeout", "1")

    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(STREAM)
        received = read_until_shown(connection)
        connection.sendall(sent)
        received += read_for(connection, 3)  # longer than a request may take

    assert statuses(received) == "200"
    assert_is_chunked(received)


@pytest.mark.parametrize("end", [socket.socket.close, reset, shut_down],
                         ids=["closed", "reset", "shut down"])
@pytest.mark.parametrize("is_together", [True, False], ids=["together", "later"])
def test_a_post_pipelined_after_a_stream_has_no_effect(start_server, end, is_together):
    """It took effect after its client had disconnected, and was never answered."""
    server = start_server()
    before = opened(server)
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(STREAM + POST if is_together else STREAM)
        if is_together:
            connection.recv(1)  # there may be a stream, or none that could take a post behind it
        else:
            read_until_shown(connection)
            with contextlib.suppress(ConnectionError):
                connection.sendall(POST)

        with contextlib.suppress(OSError):
            end(connection)
            read_for(connection, 10)

    eventually(lambda: opened(server) <= before, "the connection is closed")
    for _ in range(50):  # the post, if it counts, counts after that
        assert "Value: 0" in get(server, "/counter").text


def read_until_shown(connection):
    """The events of a stream until its first window is shown."""
    received = b""
    while b"event: show" not in received or not received.endswith(b"\n\n\r\n"):
        chunk = connection.recv(4096)
        assert chunk, "the stream has ended"
        received += chunk
    return received


def read_for(connection, seconds):
    """The data until the connection closes, or is silent for so many seconds."""
    connection.settimeout(seconds)
    received = b""
    with contextlib.suppress(TimeoutError, ConnectionError):
        while chunk := connection.recv(65_536):
            received += chunk
    return received


def assert_is_chunked(received):
    """The body is chunks from its beginning to where it stops."""
    _, _, body = received.partition(b"\r\n\r\n")
    while body:
        size, _, rest = body.partition(b"\r\n")
        assert size == b"%x" % int(size, 16), f"no chunk: {body[:100]}"
        count = int(size, 16)
        assert rest[count:count + 2] == b"\r\n", f"no end of a chunk: {rest[count:count + 100]}"
        body = rest[count + 2:]


# MARK: Codings


@pytest.mark.parametrize("coding", [
    "gzip, chunked", "deflate, chunked", "gzip,chunked", "GZIP, Chunked", "identity, chunked",
    "gzip\r\nTransfer-Encoding: chunked", "x, chunked",
])
def test_an_unknown_transfer_coding_is_not_implemented(shared, coding):
    """It was read as an empty form. RFC 9112, section 6.1."""
    body = b"f\r\n_form=increment\r\n0\r\n\r\n"
    received = exchange(
        shared,
        b"POST /counter HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: "
        + coding.encode() + b"\r\n\r\n" + body,
    )

    assert statuses(received) == "501"
    assert "Value: 0" in get(shared, "/counter").text


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "x"])
def test_a_form_with_a_content_coding_is_refused(shared, coding):
    """It is not decoded, so it must not be accepted as it is. RFC 9110, section 8.4.1."""
    answer = post(shared, "/counter", "_form=increment", Content_Encoding=coding)

    assert answer.status == 415


# MARK: Metrics


@pytest.mark.parametrize("name", [
    "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Port",
    "X-Forwarded-Server", "X-Forwarded", "Forwarded", "Forwarded-For", "Via", "X-Real-IP",
    "X-Client-IP", "X-Cluster-Client-IP", "X-Original-Forwarded-For", "X-Originating-IP",
    "X-Remote-IP", "X-Remote-Addr", "X-ProxyUser-Ip", "CF-Connecting-IP", "CF-Connecting-IPv6",
    "CF-Ray", "True-Client-IP", "Fastly-Client-IP", "Fly-Client-IP", "X-Azure-ClientIP",
    "X-Envoy-External-Address", "CDN-Loop", "X-Appengine-User-Ip",
])
def test_metrics_are_not_served_to_any_forwarded_request(shared, name):
    """Headers of proxies other than X-Forwarded-For did not close them."""
    assert get(shared, "/metrics", **{name: "203.0.113.7"}).status == 403
    assert get(shared, "/metrics", **{name.lower(): "203.0.113.7"}).status == 403
    assert get(shared, "/metrics").status == 200
