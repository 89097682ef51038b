"""Limits, each with its option and its status."""

import socket
import time

import pytest
from playwright.sync_api import expect

from raw import Session, exchange, get, post, read_all, statuses
from waiting import PATIENCE, wait_until

HEAD = b"GET /counter HTTP/1.1\r\nHost: localhost\r\n"
POST = (
    b"POST /counter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\n"
)


@pytest.fixture
def impatient(start_server):
    """A server that limits requests and idle connections to a second."""
    return start_server("--read-timeout", "1", "--idle-timeout", "1")


def trickle(server, *, before=b"", then):
    """Sends one piece, then byte after byte until the server closes; returns its answer."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=0.05) as connection:
        received = b""
        connection.sendall(before)
        deadline = time.monotonic() + 10
        for byte in then:
            assert time.monotonic() < deadline, "the server lets itself be kept waiting"
            try:
                connection.sendall(bytes([byte]))
                chunk = connection.recv(65_536)  # waits a moment
            except TimeoutError:
                continue
            except ConnectionError:
                return received
            if not chunk:
                return received
            received += chunk
        raise AssertionError("the server waited for everything")


# MARK: Time


@pytest.mark.parametrize("before, then", [
    (b"", HEAD + b"X: " + b"x" * 1000),
    (HEAD, b"X: " + b"x" * 1000),
    (POST.replace(b"15", b"1000"), b"x" * 999),
    (POST.replace(b"Content-Length: 15", b"Transfer-Encoding: chunked"), b"1\r\nx\r\n" * 100),
], ids=["a head", "the end of a head", "a body", "chunks"])
def test_a_request_that_trickles_times_out(impatient, before, then):
    received = trickle(impatient, before=before, then=then)

    assert received == b"" or received.startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("request_bytes", [
    b"G", HEAD, POST, POST + b"_form=", b"",
], ids=["one byte", "half a head", "no body", "half a body", "nothing"])
def test_a_request_that_stops_times_out(impatient, request_bytes):
    received = exchange(impatient, request_bytes)

    assert received == b"" or received.startswith(b"HTTP/1.1 408 ")


def test_a_second_request_that_stops_times_out(impatient):
    received = exchange(impatient, HEAD + b"\r\n" + HEAD)

    assert received.startswith(b"HTTP/1.1 200 ")
    assert received.count(b"HTTP/1.1 ") == 1 or b"HTTP/1.1 408 " in received


def test_a_second_request_that_stops_does_not_wait_for_the_idle_timeout(start_server):
    """Its head arrived together with the end of the first one, which had ended the deadline."""
    server = start_server("--read-timeout", "1", "--idle-timeout", "60")

    received = exchange(server, HEAD + b"\r\n" + POST)

    assert received.count(b"HTTP/1.1 ") == 2
    assert b"HTTP/1.1 408 " in received


@pytest.mark.parametrize("first", [
    HEAD + b"\r\n", POST + b"_form=increment",
    POST.replace(b"Content-Length: 15", b"Transfer-Encoding: chunked") + b"f\r\n_form=increment\r\n0\r\n\r\n",
], ids=["a page", "a form", "chunks"])
@pytest.mark.parametrize("second", [b"G", HEAD[:9], HEAD], ids=["one byte", "half a line", "half a head"])
def test_the_beginning_of_a_second_head_does_not_wait_for_the_idle_timeout(start_server, first, second):
    """It arrived together with the first request, and nobody noticed it (slowloris)."""
    server = start_server("--read-timeout", "1", "--idle-timeout", "60")

    received = exchange(server, first + second)

    assert statuses(received) in ("200 408", "303 408")


@pytest.mark.parametrize("complete", [HEAD + b"\r\n", POST + b"_form=increment"], ids=["a page", "a form"])
def test_a_connection_without_a_request_waits_for_the_idle_timeout(start_server, complete):
    server = start_server("--read-timeout", "1", "--idle-timeout", "3")

    received = exchange(server, complete + complete)

    assert statuses(received) in ("200 200", "303 303")


def test_a_server_that_was_suspended_closes_nobody_at_once(start_server):
    """All deadlines were over when it went on, also those of clients that had just begun."""
    server = start_server("--read-timeout", "2", "--idle-timeout", "2")
    address = ("127.0.0.1", server.port)
    with socket.create_connection(address, PATIENCE) as idle, socket.create_connection(address, PATIENCE) as begun:
        idle.sendall(HEAD + b"\r\n")
        assert idle.recv(65_536).startswith(b"HTTP/1.1 200 ")
        begun.sendall(HEAD)
        assert get(server, "/healthz").status == 200
        with server.paused():
            time.sleep(3)
        assert get(server, "/healthz").status == 200  # it goes on

        idle.sendall(HEAD + b"Connection: close\r\n\r\n")
        begun.sendall(b"Connection: close\r\n\r\n")

        assert b"HTTP/1.1 200 " in read_all(idle)
        assert read_all(begun).startswith(b"HTTP/1.1 200 ")


def test_a_second_request_that_trickles_times_out(impatient):
    received = trickle(impatient, before=HEAD + b"\r\n", then=HEAD + b"X: " + b"x" * 1000)

    assert received.startswith(b"HTTP/1.1 200 ")


def test_an_idle_connection_is_closed(impatient):
    received = exchange(impatient, HEAD + b"\r\n")

    assert received.count(b"HTTP/1.1 ") == 1
    assert received.endswith(b"</html>\n")


def test_a_stream_outlives_the_limits_of_requests(impatient):
    session = Session(impatient)
    with session.stream("?at=/counter") as stream:
        stream.next("show")
        for _ in range(3):  # each takes a second
            exchange(impatient, HEAD)

        session.post("/counter", "_form=increment")
        identifier, _, _ = stream.next("frame")

    assert identifier == "1"


def test_a_stream_opens_with_the_longest_timeouts(start_server):
    """The system keeps the limit of a stream in fewer bits: the first one ended the server."""
    longest = str(2 ** 63 - 1)
    server = start_server("--read-timeout", longest, "--write-timeout", longest, "--idle-timeout", longest)

    with Session(server).stream("?at=/counter") as stream:
        assert stream.next("show")

    assert get(server, "/counter").status == 200


def test_windows_are_live_for_longer_than_requests_may_take(impatient, open_live):
    page = open_live(impatient, "/counter")
    page.evaluate("""() => {
      window.losses = 0;
      new MutationObserver(() => document.documentElement.hasAttribute("data-live")
                                 || (window.losses += 1))
        .observe(document.documentElement, { attributeFilter: ["data-live"] });
    }""")
    for _ in range(3):  # each takes a second
        exchange(impatient, HEAD)

    page.click("[data-form=increment] button")

    expect(page.locator(".value")).to_have_text("Value: 1")
    assert page.evaluate("window.losses") == 0


# MARK: Sizes


def test_the_greatest_body_can_be_set(start_server):
    server = start_server("--body-limit", "100")

    assert post(server, "/counter", "_form=increment".ljust(100, "&")).status == 200
    assert post(server, "/counter", "_form=increment".ljust(101, "&")).status == 413


def test_the_greatest_head_can_be_set(start_server):
    server = start_server("--head-limit", "1000")

    assert get(server, "/counter", X_Some="x" * 500).status == 200
    assert exchange(server, HEAD + b"X: " + b"x" * 1000 + b"\r\n\r\n")\
        .startswith(b"HTTP/1.1 431 ")


# MARK: Numbers


def test_too_many_windows_of_a_session_are_refused(start_server):
    server = start_server("--windows-per-session", "2")
    session, other = Session(server), Session(server)
    with session.stream() as stream, other.stream() as other_stream:
        windows = [session.join(stream, "/counter") for _ in range(2)]

        refused = session.join(stream, "/counter")

        assert [window.status for window in windows] == [201, 201]
        assert refused.status == 503
        assert refused.headers["Retry-After"]
        assert "too many windows" in refused.json["message"]
        assert refused.json["code"] == "noRoom"
        assert other.join(other_stream, "/counter").status == 201
        path = f"/_/windows/{windows[0].json['window']}/leave"
        assert post(server, path, "", Cookie=session.cookie).status == 204
        assert session.join(stream, "/counter").status == 201


def test_a_stream_says_if_its_window_could_not_join(start_server):
    server = start_server("--windows-per-session", "1")
    session = Session(server)
    with session.stream("?at=/counter") as stream:
        stream.next("show")
        for options in [{"query": "?at=/counter"}, {"first": {"at": "/counter", "navigation": 1}}]:
            with session.stream(**options) as other:
                _, name, data = other.next()

                assert (name, data["window"]) == ("refused", other.window)
                assert "too many windows" in data["message"]


def test_a_page_works_in_a_browser_with_too_many_windows(start_server, open_live, context):
    server = start_server("--windows-per-session", "2")
    live = [open_live(server, "/counter") for _ in range(2)]
    page = context.new_page()
    page.goto(server.url + "/counter")

    page.click("[data-form=increment] button")

    expect(live[0].locator(".value")).to_have_text("Value: 1")
    live[1].close()
    expect(page.locator("html[data-live]")).to_be_attached(timeout=30_000)
    expect(page.locator(".value")).to_have_text("Value: 1")


def test_too_many_streams_are_refused(start_server):
    server = start_server("--streams", "1")
    with Session(server).stream() as first:
        with Session(server).stream() as second:
            assert first.status == 200
            assert second.status == 503
            assert float(second.headers["Retry-After"]) > 0


def test_a_stream_that_ends_makes_room(start_server):
    server = start_server("--streams", "1")
    with Session(server).stream() as first:
        assert first.status == 200

    wait_until(lambda: has_room(server), "there is room")


def test_a_browser_without_room_shows_a_notice_and_connects_later(start_server, open_live, other_context):
    server = start_server("--streams", "1")
    first = open_live(server, "/counter")
    page = other_context.new_page()
    page.goto(server.url + "/counter")
    expect(page.locator("#connection")).to_be_visible()

    first.close()

    expect(page.locator("html[data-live]")).to_be_attached(timeout=30_000)
    expect(page.locator("#connection")).to_be_hidden()


def has_room(server):
    """Whether a stream is opened."""
    with Session(server).stream() as stream:
        return stream.status == 200
