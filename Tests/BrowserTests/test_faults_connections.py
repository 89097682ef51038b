"""Stalled, broken and lost connections, and too many of them: the others are served as before."""

import contextlib
import json
import socket
import threading
import time
import urllib.parse

import pytest
from playwright.sync_api import expect

from clients import held_ports
from faults import ROUNDS, Network, Proxy, needs_networks, on_own_network, reset, rounds
from process import (
    RESERVE, Stopwatch, descriptors, eventually, limit_descriptors, opened, processor_time, resident,
)
from raw import FORM, Session, get, parts_of_list, post, post_json
from servers import fixture_server, product_server

INCREMENT = "[data-form=increment] button"
LIVE = "html[data-live]"
MEMORY = 64 << 20  # bytes that those who do not read may take together
RETURN = 60_000  # milliseconds
BUSY = 0.3  # of a core
WRITE_TIMEOUT = 5  # seconds that a stream may take nothing
SLACK = 10  # more seconds, until it is noticed
PROMPT = 2  # seconds, for clients that read
ANSWERS = [("text/html", 303), ("application/json", 200)]  # by accepted type
pytestmark = [pytest.mark.long, pytest.mark.timeout(120 + 90 * ROUNDS)]


def open_stream(connection, session, path="/_/stream"):
    """Requests a stream on a socket; returns its id."""
    connection.sendall(
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {session.cookie}\r\n\r\n".encode()
    )
    received = b""
    while b"event: open" not in received or not received.endswith(b"\n\n\r\n"):
        received += connection.recv(4096)
    return json.loads(received.partition(b"data: ")[2].partition(b"\n")[0])["stream"]


def join(server, session, stream, at):
    return post_json(
        server, "/_/windows", {"stream": stream, "at": at, "navigation": 1}, Cookie=session.cookie
    )


class Held(threading.Thread):
    """Watches when a server closes connections: `gone` has the time for the port of each client."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self._port = server.port
        self._known = set()
        self._end = threading.Event()
        self.gone = {}

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self._end.set()
        self.join()

    def run(self):
        while not self._end.wait(0.05):
            before, self._known = self._known, self._ports()
            self.gone |= dict.fromkeys(before - self._known, time.monotonic())
            for port in self._known:
                self.gone.pop(port, None)  # it is another's by now

    def _ports(self):
        """Returns the ports of the clients whose connections the server's process has open: they have an inode."""
        with open("/proc/net/tcp") as table:
            rows = [line.split() for line in table][1:]
        ends = [[int(row[index].partition(":")[2], 16) for index in (1, 2)] for row in rows]
        return {
            client
            for row, (port, client) in zip(rows, ends)
            if port == self._port and row[9] != "0"
        }


def test_stalled_readers_are_dropped_and_harm_nobody():
    server = fixture_server(items=2_000, write_timeout=WRITE_TIMEOUT).start()
    alone = opened(server)
    session = Session(server)
    try:
        for randomness in rounds("readers that stop"):
            before = resident(server)
            stalled = []
            with Held(server) as held, contextlib.ExitStack() as stack:
                reader = stack.enter_context(session.stream("?at=/fixture"))
                reader.next("show")
                for _ in range(randomness.randint(3, 12)):
                    connection = stack.enter_context(socket.socket())
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                    connection.connect(("127.0.0.1", server.port))
                    port = connection.getsockname()[1]
                    stream = open_stream(connection, session)
                    began = time.monotonic()
                    # From here on it reads nothing. Each window has a page of its own to be sent.
                    for _ in range(randomness.randint(20, 60)):
                        place = f"/fixture?search={randomness.randrange(10)}"
                        status = join(server, session, stream, place).status
                        if status == 404:
                            break  # dropped by now, on a machine that is busy
                        assert status == 201
                    stalled.append((port, stream, began, time.monotonic()))
                most, slowest = 0, 0
                for _ in range(randomness.randint(20, 60)):
                    posted = Stopwatch(server)
                    version = session.post("/fixture", "_form=tick").json["version"]
                    identifier, _, frame = reader.next("frame")
                    assert int(identifier) == version
                    slowest = max(slowest, posted.seconds)
                    most = max(most, resident(server) - before)
                assert slowest < PROMPT, f"a reader that reads waited for {slowest:.1f} s"
                assert most < MEMORY, f"{len(stalled)} readers took {most >> 20} MiB"

                # Dropped, while it is posted and read on.
                def are_dropped():
                    session.post("/fixture", "_form=tick")
                    reader.next("frame")
                    return held.gone.keys() >= {port for port, *_ in stalled}

                eventually(are_dropped, "those that do not read are dropped")
                eventually(lambda: opened(server) <= alone + 1, "only the other is open")
                for port, stream, began, ended in stalled:
                    assert join(server, session, stream, "/fixture").status == 404
                    least, longest = held.gone[port] - ended, held.gone[port] - began
                    assert longest >= WRITE_TIMEOUT, f"dropped after {longest:.1f} s"
                    assert least <= WRITE_TIMEOUT + SLACK, f"kept for {least:.1f} s"
                print(
                    f"{len(stalled)} readers took {most / 2 ** 20:.1f} MiB; "
                    f"the one that read waited for {slowest:.2f} s at most"
                )
    finally:
        server.kill()


def test_broken_or_silent_connections_are_reestablished(counter, context, browser):
    proxy = Proxy(counter)
    page = context.new_page()
    try:
        page.goto(proxy.url + "/counter")
        expect(page.locator(LIVE)).to_be_attached()
        value = 0
        for randomness in rounds("connections that break"):
            # To notice silence takes most of a minute: one round is without.
            faults = ["reset", "freeze"] if ROUNDS > 1 else ["reset"]
            for fault in randomness.sample(faults, len(faults)):
                for _ in range(randomness.randint(1, 20)):
                    assert post(counter, "/counter", "_form=increment").status == 200
                    value += 1
                getattr(proxy, fault)()
                for _ in range(randomness.randint(1, 20)):
                    assert post(counter, "/counter", "_form=increment").status == 200
                    value += 1
                if fault == "freeze":
                    expect(page.locator(LIVE)).to_have_count(0, timeout=RETURN)
                    proxy.thaw()
                expect(page.locator(".value")).to_have_text(f"Value: {value}", timeout=RETURN)
                expect(page.locator(LIVE)).to_be_attached(timeout=RETURN)
                page.click(INCREMENT)
                value += 1
                expect(page.locator(".value")).to_have_text(f"Value: {value}", timeout=RETURN)
                expect(page.locator("form[aria-busy]")).to_have_count(0, timeout=RETURN)
    finally:
        proxy.close()


def test_connections_reset_at_any_point_leave_nothing_behind(counter):
    session = Session(counter)
    requests = [
        b"GET /counter HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20,
        b"GET /_/stream?at=/counter HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /public/QuakesUI/land.svg HTTP/1.1\r\nHost: localhost\r\n\r\n" * 5,
        b"POST /counter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\n\r\n_form=missing",
    ]
    before = opened(counter)
    for randomness in rounds("connections that are reset"):
        with session.stream("?at=/counter") as reader:
            reader.next("show")
            for _ in range(200):
                with socket.create_connection(
                    ("127.0.0.1", counter.port), timeout=10
                ) as connection:
                    request = randomness.choice(requests)
                    connection.sendall(request[: randomness.randint(1, len(request))])
                    reset(connection)
            version = session.post("/counter", "_form=increment").json["version"]
            assert int(reader.next("frame")[0]) == version
        eventually(lambda: opened(counter) <= before, "all connections are closed")


@needs_networks
@on_own_network
def test_a_client_machine_that_vanishes_is_detected():
    network = Network()
    server = product_server("--host", "0.0.0.0").start()
    alone = opened(server)
    session = Session(server)
    try:
        for randomness in rounds("machines that vanish"):
            count = randomness.randint(1, 20)
            with session.stream("?at=/counter") as reader, contextlib.ExitStack() as stack:
                reader.next("show")
                for _ in range(count):
                    connection = stack.enter_context(network.connect(server.port))
                    join(server, session, open_stream(connection, session), "/counter")
                assert opened(server) >= alone + 1 + count

                network.pull_there()

                # An event that is not acknowledged: only the deadline tells the server.
                version = session.post("/counter", "_form=increment").json["version"]
                assert int(reader.next("frame")[0]) == version
                eventually(lambda: opened(server) <= alone + 1, "its streams are dropped")
                network.plug()
    finally:
        server.kill()
        network.close()


def test_sigterm_under_load_loses_no_answered_post(start_server, browser):
    server = start_server()
    contexts = [browser.new_context() for _ in range(3)]
    try:
        pages = [context.new_page() for context in contexts for _ in range(2)]
        for page in pages:
            page.set_default_timeout(RETURN)
            page.goto(server.url + "/animals?category=Mammal")
            expect(page.locator(LIVE)).to_be_attached()
            page.evaluate("""() => new MutationObserver(() => {
              if (document.documentElement.hasAttribute("data-live")) window.back = Date.now();
            }).observe(document.documentElement, { attributeFilter: ["data-live"] })""")
        saved = set()
        for number, randomness in enumerate(rounds("SIGTERM")):
            wanted, saved_now = randomness.randint(1, 40), set()
            enough = threading.Semaphore(0)
            # The windows show the first part of the list, so these animals sort before those of earlier rounds.
            prefix = f"{ROUNDS - number:04}"

            def add(writer):
                for index in range(100_000):
                    name = f"{prefix}-{writer}-{index}"
                    # Without JavaScript it is answered when it is saved, in live windows before.
                    accept, accepted = ANSWERS[(writer + index) % len(ANSWERS)]
                    try:
                        answer = post(
                            server,
                            "/animals?category=Mammal&sheet=add",
                            urllib.parse.urlencode(
                                {
                                    "_form": "save",
                                    "_token": name,
                                    "name": name,
                                    "category": "Mammal",
                                    "diet": "Omnivore",
                                }
                            ),
                            Accept=accept,
                        )
                    except OSError:
                        return
                    if answer.status != accepted:
                        assert answer.status == 503 and "restarting" in answer.text, answer.text
                        return
                    saved_now.add(name)
                    enough.release()

            writers = [threading.Thread(target=add, args=(writer,)) for writer in range(3)]
            for writer in writers:
                writer.start()
            for _ in range(wanted):
                assert enough.acquire(timeout=30)
            assert server.terminate() == 0, server.output
            for writer in writers:
                writer.join(30)
            server.start()

            saved |= saved_now
            shown = "".join(parts_of_list(server, "/animals?category=Mammal"))
            assert [name for name in saved if f">{name}<" not in shown] == []
            for page in pages:
                expect(page.locator(LIVE)).to_be_attached(timeout=RETURN)
                for name in randomness.sample(sorted(saved_now), min(3, len(saved_now))):
                    expect(page.get_by_text(name, exact=True)).to_be_attached(timeout=RETURN)
            # Tabs of one browser share a stream; browsers do not come back all at once.
            back = [page.evaluate("window.back") for page in pages[::2]]
            assert len(set(back)) > 1, back
            print(f"{len(saved)} saved; browsers were back within {max(back) - min(back)} ms")
    finally:
        for context in contexts:
            context.close()


def come_and_go(server, limit, crowd):
    """
    A client that leaves makes room for one that waits, not for more: each used to let three more into
    the server's reserve, without which it ended (SIGILL in libdispatch).
    """
    for connection in crowd[:20]:
        port = connection.getsockname()[1]
        reset(connection)
        eventually(lambda: port not in held_ports(server), "whoever has left is gone")
        eventually(lambda: limit - descriptors(server) in RESERVE, "others have the place")


def test_a_server_without_descriptors_waits_and_recovers(start_server):
    for randomness in rounds("descriptors"):
        server = start_server("--idle-timeout", "60")
        session = Session(server)
        with session.stream("?at=/counter", timeout=30) as reader, contextlib.ExitStack() as stack:
            reader.next("show")
            before = opened(server)
            limit = limit_descriptors(server, randomness.randint(10, 100))
            with server.connection() as known:
                known.request("GET", "/counter")
                assert known.getresponse().read()
                crowd = [
                    stack.enter_context(
                        socket.create_connection(("127.0.0.1", server.port), timeout=30)
                    )
                    for _ in range(limit + 100)
                ]
                eventually(lambda: limit - descriptors(server) in RESERVE, "descriptors are used up")

                # Connected clients are served as before, and rejected ones cost nothing.
                began, used = time.monotonic(), processor_time(server)
                known.request(
                    "POST",
                    "/counter",
                    "_form=increment",
                    {"Content-Type": FORM, "Accept": "application/json"},
                )
                answer = known.getresponse()
                assert (answer.status, json.loads(answer.read())["version"]) == (200, 1)
                assert reader.next("frame")[0] == "1"
                reader.wait_for_heartbeat()
                assert limit - descriptors(server) in RESERVE
                seconds, used = time.monotonic() - began, processor_time(server) - used
                assert used < BUSY * seconds, f"{used:.2f} s of CPU in {seconds:.1f} s"
                come_and_go(server, limit, crowd)
                for connection in crowd[20:]:
                    reset(connection)
            eventually(lambda: opened(server) <= before, "the descriptors are free again")
            assert get(server, "/counter").status == 200
            print(f"{limit} descriptors: {used:.2f} s of CPU in {seconds:.1f} s")
        server.kill()
