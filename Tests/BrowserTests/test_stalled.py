"""Clients that stop reading any answer, not only that of a stream (test_faults_connections.py)."""

import concurrent.futures
import contextlib
import http.client
import json
import os
import pathlib
import signal
import socket
import sqlite3
import time

import pytest

from clients import Stalled, held_ports
from fake_feed import feature
from kinds import thorough
from pictures import hash_of, png, upload
from process import RESERVE, descriptors, eventually, limit_descriptors, opened, resident
from quakes_page import DAY, NOON
from raw import Session, get, metrics, post, post_json, request
from servers import ServerProcess

WRITE_TIMEOUT = 2  # seconds in which an answer may get no further
SLACK = 100  # more seconds, until a busy server has written the rest
END = 10  # seconds from SIGTERM to the exit
MEMORY = 32 << 20  # bytes that those who do not read may take together
# The most that the system keeps for a socket.
SOCKET_BYTES = int(pathlib.Path("/proc/sys/net/ipv4/tcp_wmem").read_text().split()[2])
pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]

PAGE = f"/quakes?date={DAY}".encode()
FILE = b"/public/QuakesUI/world.svg"
LARGE = png(padding=7 << 20)
PICTURE = f"/pictures/{hash_of(LARGE)}".encode()
# What else could close a connection must not be what does.
OPTIONS = ["--write-timeout", str(WRITE_TIMEOUT), "--idle-timeout", "600", "--read-timeout", "600"]


def asking(path, times=1, head=b""):
    return (b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n" + head + b"\r\n") * times


# Each asks for more than the system keeps for a socket.
REQUESTS = {
    "one picture": asking(PICTURE),
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
    """Starts a Server with a page of some hundred kilobytes, and perhaps a picture of some megabytes."""

    def start(*options, has_picture=False):
        quakes = start_quakes(*options)
        quakes.feed.features["day"] = [
            feature(f"q{number}", 1.5, f"{number} km W of Nowhere", NOON - number * 1_000)
            for number in range(2_000)
        ]
        assert post(quakes.server, "/quakes", "_form=refresh&range=allDay").status == 200
        eventually(lambda: "data-key=" in get(quakes.server, PAGE.decode()).text)
        for path in (PAGE, FILE):
            answer = get(quakes.server, path.decode())
            assert answer.status == 200 and len(answer.body) > 100_000
        if has_picture:
            assert upload(quakes.server, LARGE).status == 200
            assert len(get(quakes.server, PICTURE.decode()).body) > SOCKET_BYTES
        return quakes.server

    return start


@pytest.mark.parametrize("sent", REQUESTS.values(), ids=REQUESTS)
def test_a_client_that_stops_reading_an_answer_is_disconnected(crowded, sent):
    """
    A second request behind the first kept the connection open for good, and a single one until the idle
    timeout. Each is closed after the write timeout, and no answer that was not written is left.
    """
    server = crowded(*OPTIONS, has_picture=PICTURE in sent)
    alone = opened(server)
    with Stalled(server) as stalled:
        ports = {stalled.add(sent) for _ in range(2)}
        eventually(lambda: ports <= held_ports(server), "the connections are there")

        eventually(
            lambda: not ports & held_ports(server), "the connections are closed",
            seconds=WRITE_TIMEOUT + SLACK,
        )

        eventually(lambda: opened(server) <= alone, "nothing else is open")


def test_a_slow_reader_is_not_disconnected(crowded):
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


def read_slowly(server, sent, rate, is_half_closed):
    """The body of the answer to what is sent, read at so many bytes a second."""
    with socket.socket() as connection:
        # With small segments the system keeps little for a socket.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(30)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(sent)
        if is_half_closed:
            connection.shutdown(socket.SHUT_WR)
        received = b""
        while piece := connection.recv(2_048):
            received += piece
            time.sleep(len(piece) / rate)  # as slow as this client is
    return received.partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize("is_half_closed", [False, True], ids=["asks to close", "has closed its side"])
def test_slow_readers_get_all_of_the_last_answer(start_server, is_half_closed):
    """
    The connection was closed one second after the server had written the answer, or at once if the client had
    closed its side. What the system had not taken by then was lost.
    """
    server = start_server("--idle-timeout", "600", "--read-timeout", "600")
    picture = png(padding=150_000)  # more than two seconds' worth beyond what the system keeps
    assert upload(server, picture).status == 200
    path = f"/pictures/{hash_of(picture)}"
    sent = asking(path.encode(), head=b"" if is_half_closed else b"Connection: close\r\n")
    rates = [24_000, 30_000, 36_000]

    with concurrent.futures.ThreadPoolExecutor(len(rates)) as executor:
        bodies = executor.map(lambda rate: read_slowly(server, sent, rate, is_half_closed), rates)

    assert [len(body) for body in bodies] == [len(picture)] * len(rates)


def test_a_client_that_begins_to_read_slowly_is_not_disconnected(crowded):
    """
    The system had accepted megabytes for it, and accepted more only when it had sent a third of them. That
    took longer than the write timeout, so the client seemed to read nothing.
    """
    server = crowded(*OPTIONS)
    size = len(get(server, FILE.decode()).body)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
        connection.settimeout(30)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(asking(FILE, 39) + asking(FILE, head=b"Connection: close\r\n"))
        received = 0
        while received < 20 * size:
            received += len(connection.recv(65_536))
        began = time.monotonic()
        while time.monotonic() - began < 3 * WRITE_TIMEOUT:
            received += len(connection.recv(8_192))
            time.sleep(0.05)  # as slow as this client is
        while piece := connection.recv(65_536):
            received += len(piece)

    assert received > 40 * size


def test_a_request_that_waits_for_earlier_answers_is_not_idle(crowded):
    """
    While its body waited to be read, the connection counted as idle, however much its client read.
    """
    server = crowded("--idle-timeout", "2", "--read-timeout", "600")
    body = b"_form=increment&x=" + b"x" * 60_000
    post = (
        b"POST /counter HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: %d\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\n\r\n" % len(body)
    )

    received = read_slowly(server, asking(FILE, 3) + post + body, 200_000, False)

    assert received.count(b"</svg>") == 3
    assert b"HTTP/1.1 303 " in received.rpartition(b"</svg>")[2]


@pytest.mark.parametrize("sent", [REQUESTS["files"], *thorough(REQUESTS["pages"])], ids=["files", "pages"])
def test_others_are_answered_while_stalled_readers_hold_all_descriptors(crowded, sent):
    """As many of them as there are descriptors kept /healthz from answering for as long as they liked."""
    # The timeout is so long that all readers are connected before the first of them is closed, even on a busy
    # machine. That is why there are few descriptors.
    server = crowded("--write-timeout", "10")
    limit = limit_descriptors(server, 15)
    started = time.monotonic()
    with Stalled(server) as stalled:
        for _ in range(28):
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
    # At most once a minute.
    assert 1 <= server.output.count("New connections wait") <= 1 + (time.monotonic() - started) / 60


@pytest.mark.parametrize("sent", [REQUESTS["pages"], REQUESTS["files"]], ids=["pages", "files"])
def test_the_server_shuts_down_in_time_despite_stalled_readers(crowded, sent):
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
def test_memory_held_by_stalled_readers_is_bounded(crowded, sent):
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
            time.sleep(0.02)  # leaves the processors to the other tests

    print(f"{most / 2 ** 20:.1f} MiB")
    assert most <= MEMORY, f"30 clients hold {most >> 20} MiB"


def status_from(server, address, path):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30, source_address=(address, 0))
    with contextlib.closing(connection):
        connection.request("GET", path)
        return connection.getresponse().status


# Each finds hundreds of earthquakes, but not the same.
SEARCHES = range(20)


def test_pages_that_stalled_readers_hold_are_limited(crowded):
    """Each reader of a page of its own kept that page's content, which nothing counted."""
    server = crowded("--unread-memory", "16")
    pages = [f"/quakes?date={DAY}&search={text}" for text in SEARCHES]
    with Stalled(server) as stalled:
        for page in pages:
            stalled.add(asking(page.encode(), 50))
        eventually(lambda: any(get(server, page).status == 503 for page in pages), "there is no room for another page")
        assert 0 < metrics(server)["unread_bytes"] <= 4 << 20  # the quarter of one address
        assert status_from(server, "127.0.0.2", pages[0]) == 200

    eventually(lambda: all(get(server, page).status == 200 for page in pages), "there is room again")
    eventually(lambda: metrics(server)["unread_bytes"] == 0, "nothing is held", seconds=WRITE_TIMEOUT + SLACK)


def test_streams_that_do_not_read_are_closed_when_they_hold_too_much(crowded):
    """What a stream has not read of an event waits for it. All of them together have a limit, too."""
    server = crowded("--unread-memory", "8", "--write-timeout", "300")
    count = 40
    with contextlib.ExitStack() as stack:
        for started in range(1, count + 1):
            session = Session(server)
            stream = stack.enter_context(session.stream())
            for text in SEARCHES[:10]:  # the system keeps the first of them for the socket
                session.join(stream, f"/quakes?date={DAY}&search={text}")
            if metrics(server)["streams"] < started:
                break
        print(f"{started} streams")
        eventually(lambda: metrics(server)["streams"] < started, "some are closed")
        assert 0 < metrics(server)["unread_bytes"] <= 2 << 20  # the quarter of one address
        with Session(server).stream() as stream:
            assert stream.status == 200

    eventually(lambda: metrics(server)["unread_bytes"] == 0, "nothing is held")


# MARK: The other server, whose connections keep to the same limits


@pytest.fixture
def animals_server(tmp_path):
    """An AnimalsDataServer that does not wait long for those who do not read."""
    server = ServerProcess(
        "AnimalsDataServer",
        lambda port: ["--port", str(port), "--database", str(tmp_path / "animals.store"),
                      "--write-timeout", str(WRITE_TIMEOUT)],
    ).start()
    yield server
    server.kill()


def test_a_log_that_nobody_reads_stalls_nobody(start_server):
    """Each line that could not be written held a thread, until none was left."""
    server = start_server("--log-level", "info")

    with server.unread():
        for _ in range(1_000):  # more lines than a pipe takes
            assert get(server, "/healthz").status == 200
    assert server.terminate() == 0

    assert server.output.count("path=/healthz") == 1_000


def test_a_server_ends_although_nobody_reads_its_log(start_server):
    server = start_server("--log-level", "info")

    with server.unread():
        for _ in range(1_000):
            assert get(server, "/healthz").status == 200
        os.kill(server.process_id, signal.SIGTERM)
        eventually(lambda: ended(server.process_id), seconds=END)


def ended(process_id):
    """Whether the process has ended; nobody may have asked for its status."""
    state = pathlib.Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0]
    return state == "Z"


def test_the_animals_server_disconnects_a_client_that_stops_reading(animals_server):
    """As for the Server: it was kept for good."""
    with Stalled(animals_server) as stalled:
        ports = {stalled.add(REQUESTS["what is not there"]) for _ in range(3)}
        eventually(lambda: ports <= held_ports(animals_server), "the connections are there")

        eventually(
            lambda: not ports & held_ports(animals_server), "the connections are closed",
            seconds=WRITE_TIMEOUT + SLACK,
        )


def test_the_animals_server_answers_with_large_catalogs_in_bounded_memory(tmp_path):
    """A request of 2 kB asked 100 times for all animals, and took a gigabyte; 30 of them stop reading."""
    database = tmp_path / "animals.store"
    server = ServerProcess(
        "AnimalsDataServer",
        lambda port: ["--port", str(port), "--database", str(database)],
    ).start()
    try:
        with contextlib.closing(sqlite3.connect(database)) as connection, connection:
            connection.executemany(
                "INSERT INTO animal (animalId, name, diet, categoryId) VALUES (?, ?, 'Omnivore', 'Mammal')",
                [(str(number), f"Animal {number} " + "x" * 80) for number in range(9_000)],
            )
        all_animals = {"query": [{"animals": {}}]}
        assert len(post_json(server, "/animals/api", all_animals).body) > 1_000_000
        before = resident(server)
        body = json.dumps({"query": [{"animals": {}}] * 100}).encode()
        asked = (
            b"POST /animals/api HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body)
        ) + body

        with Stalled(server) as stalled:
            ports = {stalled.add(asked) for _ in range(30)}
            eventually(lambda: ports <= held_ports(server), "the connections are there")
            assert len(post_json(server, "/animals/api", all_animals).json["query"]) == 1
            more = resident(server) - before

        print(f"{more / 2 ** 20:.1f} MiB")
        assert more <= MEMORY, f"30 clients hold {more >> 20} MiB"
    finally:
        server.kill()


def test_the_animals_server_still_sends_lists_to_others_than_a_client_that_stops_reading(tmp_path):
    """The lists being sent had one limit for all clients."""
    database = tmp_path / "animals.store"
    server = ServerProcess(
        "AnimalsDataServer",
        # The client is not disconnected meanwhile.
        lambda port: ["--port", str(port), "--database", str(database), "--write-timeout", "200"],
    ).start()

    def ask(source, *mutations):
        body = json.dumps({"query": [{"animals": {}}], "mutation": mutations})
        return request(server, "POST", "/animals/api", body,
                       {"Content-Type": "application/json"}, source=source)

    try:
        with contextlib.closing(sqlite3.connect(database)) as connection, connection:
            connection.executemany(
                "INSERT INTO animal (animalId, name, diet, categoryId) VALUES (?, ?, 'Omnivore', 'Mammal')",
                [(str(number), f"Animal {number} " + "\U0001f98a" * 180) for number in range(9_000)],
            )
        body = json.dumps({"query": [{"animals": {}}] * 10}).encode()
        asked = (
            b"POST /animals/api HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body)
        ) + body

        with Stalled(server) as stalled:
            statuses = []
            # Each list is one that has changed.
            while len(statuses) < 20 and 503 not in statuses:
                ports = {stalled.add(asked)}
                eventually(lambda: ports <= held_ports(server), "the connection is there")
                favorite = {"animalId": "Dog", "isFavorite": len(statuses) % 2 == 0}
                statuses.append(ask("127.0.0.1", {"favoriteAnimal": favorite}).status)

            assert 503 in statuses
            assert ask("127.0.0.2").status == 200
    finally:
        server.kill()


def test_the_animals_server_limits_connections_per_network(tmp_path):
    server = ServerProcess(
        "AnimalsDataServer",
        lambda port: ["--port", str(port), "--database", str(tmp_path / "animals.store"),
                      "--connections-per-network", "3"],
    ).start()
    try:
        with Stalled(server) as stalled:
            ports = {stalled.add(b"") for _ in range(3)}
            eventually(lambda: ports <= held_ports(server), "the connections are there")

            with pytest.raises(OSError):
                get(server, "/animals/api")
            assert request(server, "GET", "/animals/api", source="127.0.0.2").status == 405
    finally:
        server.kill()


def test_the_animals_server_shuts_down_in_time_despite_stalled_readers(animals_server):
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
