"""Clients that stop reading any answer, not only that of a stream (test_faults_connections.py)."""

import contextlib
import http.client
import time

import pytest

from clients import Stalled, held_ports
from fake_feed import feature
from process import RESERVE, descriptors, eventually, limit_descriptors, opened, resident
from quakes_page import DAY, NOON
from raw import get, post
from servers import ServerProcess

WRITE_TIMEOUT = 2  # seconds in which an answer may get no further
SLACK = 100  # more seconds, until what a busy server still writes is written
END = 10  # seconds from SIGTERM to the exit
MEMORY = 32 << 20  # bytes that those who do not read may take together
pytestmark = pytest.mark.timeout(300)

PAGE = f"/quakes?date={DAY}".encode()
FILE = b"/public/land.svg"
OPTIONS = ["--write-timeout", str(WRITE_TIMEOUT)]


def asking(path, times=1, head=b""):
    return (b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n" + head + b"\r\n") * times


# More than the system keeps for a socket.
REQUESTS = {
    "pages": asking(PAGE, 50),
    "files": asking(FILE, 200),
    "zipped pages": asking(PAGE, 200, b"Accept-Encoding: gzip\r\n"),
    "a page, then half a request": asking(PAGE, 20) + asking(FILE)[:20],
    "a page, then a post": asking(PAGE, 20) + (
        b"POST /counter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\n\r\n_form=increment"
    ) * 20,
    "small pages": asking(b"/counter", 3_000),
    "what is not there": asking(b"/" + b"x" * 1_000, 3_000),
    "metrics": asking(b"/metrics", 3_000),
}


@pytest.fixture
def crowded(start_quakes):
    """Starts a Server with a page of some hundred kilobytes."""

    def start(*options):
        quakes = start_quakes(*options)
        quakes.feed.features["day"] = [
            feature(f"q{number}", 1.5, f"{number} km W of Nowhere", NOON - number * 1_000)
            for number in range(2_000)
        ]
        assert post(quakes.server, "/quakes", "_form=refresh&range=allDay").status == 200
        eventually(lambda: "data-key" in get(quakes.server, PAGE.decode()).text)
        return quakes.server

    return start


@pytest.mark.parametrize("sent", REQUESTS.values(), ids=REQUESTS)
def test_whoever_stops_reading_an_answer_is_closed(crowded, sent):
    """
    A second request behind the first kept the connection open for good. Each is closed after the
    write timeout, and no answer that was not written is left.
    """
    server = crowded(*OPTIONS)
    alone = opened(server)
    with Stalled(server) as stalled:
        ports = {stalled.add(sent) for _ in range(3)}
        eventually(lambda: ports <= held_ports(server), "the connections are there")

        eventually(
            lambda: not ports & held_ports(server), "the connections are closed",
            seconds=WRITE_TIMEOUT + SLACK,
        )

        eventually(lambda: opened(server) <= alone, "nothing else is open")


def test_whoever_reads_slowly_is_not_closed(crowded):
    """The deadline is one of progress: an answer may take longer than the write timeout."""
    server = crowded(*OPTIONS)
    with server.connection(timeout=30) as connection:
        for _ in range(2):  # the second waits until the first has been read
            connection.request("GET", PAGE.decode())
            response = connection.getresponse()
            whole = b""
            began = time.monotonic()
            while time.monotonic() - began < 1.5 * WRITE_TIMEOUT:
                whole += response.read(8_192)
                time.sleep(0.05)  # as slow as this client is
            whole += response.read()
            assert whole.endswith(b"</html>\n")


@pytest.mark.parametrize("sent", [REQUESTS["pages"], REQUESTS["files"]], ids=["pages", "files"])
def test_others_are_answered_while_those_who_do_not_read_hold_all_descriptors(crowded, sent):
    """As many of them as there are descriptors kept /healthz from answering for as long as they liked."""
    # Long enough that they are all there before the first of them is closed.
    server = crowded("--write-timeout", "10")
    limit = limit_descriptors(server, 60)
    with Stalled(server) as stalled:
        for _ in range(110):
            stalled.add(sent)
        eventually(
            lambda: limit - descriptors(server) in RESERVE, "descriptors are used up", seconds=120
        )

        def is_healthy():
            with contextlib.suppress(OSError, http.client.HTTPException):
                return get(server, "/healthz").status == 200

        began = time.monotonic()
        eventually(is_healthy, "/healthz answers", seconds=200)
        print(f"/healthz answered after {time.monotonic() - began:.1f} s")


@pytest.mark.parametrize("sent", [REQUESTS["pages"], REQUESTS["files"]], ids=["pages", "files"])
def test_the_server_ends_in_time_whoever_does_not_read(crowded, sent):
    """SIGTERM took 20 s with any number of them."""
    server = crowded()
    with Stalled(server) as stalled:
        ports = {stalled.add(sent) for _ in range(30)}
        eventually(lambda: ports <= held_ports(server), "the connections are there")
        assert get(server, "/healthz").status == 200

        began = time.monotonic()
        code = server.terminate(limit=3 * END)
        seconds = time.monotonic() - began

    print(f"it ended after {seconds:.1f} s")
    assert code == 0
    assert seconds < END


@pytest.mark.parametrize("sent", [
    REQUESTS["pages"], REQUESTS["files"], REQUESTS["zipped pages"], asking(b"/counter", 3_000),
], ids=["pages", "files", "zipped pages", "small pages"])
def test_what_those_who_do_not_read_hold_is_bounded(crowded, sent):
    """30 of them held 65 to 785 MB, each its whole answer."""
    server = crowded()
    for _ in range(4):
        get(server, PAGE.decode())
    before = resident(server)
    with Stalled(server) as stalled:
        ports = {stalled.add(sent) for _ in range(30)}
        eventually(lambda: ports <= held_ports(server), "the connections are there")
        most, end = 0, time.monotonic() + 5
        while time.monotonic() < end:
            assert get(server, "/healthz").status == 200
            most = max(most, resident(server) - before)

    print(f"{most / 2 ** 20:.1f} MiB")
    assert most <= MEMORY, f"30 clients hold {most >> 20} MiB"


# MARK: The other server, whose connections keep to the same limits


@pytest.fixture
def animals_server(tmp_path):
    """An AnimalsDataServer with its defaults, of which one is a write timeout of 10 s."""
    server = ServerProcess(
        "AnimalsDataServer",
        lambda port: ["--port", str(port), "--database", str(tmp_path / "animals.store")],
    ).start()
    yield server
    server.kill()


def test_whoever_stops_reading_answers_of_animals_is_closed(animals_server):
    """As for the Server: it was kept for good."""
    with Stalled(animals_server) as stalled:
        ports = {stalled.add(REQUESTS["what is not there"]) for _ in range(3)}
        eventually(lambda: ports <= held_ports(animals_server), "the connections are there")

        eventually(
            lambda: not ports & held_ports(animals_server), "the connections are closed",
            seconds=10 + SLACK,
        )


def test_the_server_of_animals_ends_in_time_whoever_does_not_read(animals_server):
    """SIGTERM took more than 10 s."""
    with Stalled(animals_server) as stalled:
        ports = {stalled.add(REQUESTS["what is not there"]) for _ in range(30)}
        eventually(lambda: ports <= held_ports(animals_server), "the connections are there")

        began = time.monotonic()
        code = animals_server.terminate(limit=3 * END)
        seconds = time.monotonic() - began

    print(f"it ended after {seconds:.1f} s")
    assert code == 0
    assert seconds < END
