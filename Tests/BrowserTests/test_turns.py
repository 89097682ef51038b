"""Many concurrent renders: others do not wait for all of them, and disconnected clients get none."""

import contextlib
import datetime
import socket

import pytest

from process import descriptors, eventually, resident
from raw import get, metrics, post

MANY = 150
MEMORY = 20 << 20  # bytes that may stay taken
END = 10  # seconds from SIGTERM to the exit
pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]


@pytest.fixture
def quakes(start_server):
    """A Server with the sample's earthquakes, and the headers of a visitor who was there before."""
    server = start_server("--quakes-feed", "sample", "--write-timeout", "60")
    session = {"Cookie": get(server, "/quakes").headers["Set-Cookie"].split(";")[0]}
    assert post(server, "/quakes", "_form=refresh&range=allMonth", **session).status == 200
    eventually(lambda: "data-key=" in get(server, "/quakes", **session).text, "the earthquakes are there", seconds=60)
    return server, session


def page(number):
    """A page that was never requested: the number determines its day, order and time zone."""
    days, orders, zones = 22, ["&order=forward", ""], number // 44
    day = datetime.date.today() - datetime.timedelta(days=1 + number % days)
    zone = f"GMT%2B{zones % 14:02}{zones // 14 % 60:02}"
    return (f"GET /quakes?date={day}&sort=magnitude{orders[number // days % 2]} HTTP/1.1\r\n"
            f"Host: localhost\r\nCookie: zone={zone}\r\n\r\n").encode()


def rendered(server):
    return metrics(server)["region_renders_total"]


def test_nothing_is_rendered_for_clients_that_have_gone(quakes):
    server, _ = quakes
    get(server, "/quakes?sort=magnitude", Cookie="zone=GMT%2B1359")
    each = -rendered(server)
    get(server, "/quakes?sort=magnitude", Cookie="zone=GMT%2B1358")
    each += rendered(server)
    assert each > 0
    before, open_before = rendered(server), descriptors(server)

    for number in range(MANY):
        with server.connection() as connection:
            connection.connect()
            connection.sock.sendall(page(number))

    eventually(lambda: metrics(server)["requests_waiting"] == 0, "nobody waits", seconds=60)
    eventually(lambda: descriptors(server) <= open_before + 5, "the connections are closed", seconds=60)
    assert rendered(server) - before < MANY * each / 2


def test_a_visitor_does_not_wait_for_all_pages_of_a_greedy_client(quakes):
    server, session = quakes
    with contextlib.ExitStack() as held:
        connections = []
        for number in range(MANY):
            connection = held.enter_context(server.connection())
            connection.connect()
            connection.sock.sendall(page(number))
            connection.sock.setblocking(False)
            connections.append(connection)
        assert get(server, "/quakes?magnitude=4.5", **session).status == 200
        answered = sum(has_answer(connection) for connection in connections)
    assert answered < MANY / 2


def test_memory_is_returned_to_the_system(quakes):
    """glibc keeps freed memory between used blocks: after many pages, a server stayed as large as it was then."""
    server, _ = quakes
    before = resident(server)
    with contextlib.ExitStack() as held:
        for number in range(2 * MANY):
            # A client that reads nothing keeps a page in the server.
            reader = held.enter_context(socket.socket())
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
            reader.connect(("127.0.0.1", server.port))
            reader.sendall(page(number))
            if number % 50 == 49:
                eventually(lambda: metrics(server)["requests_waiting"] == 0, "all are answered", seconds=100)
        print(f"{(resident(server) - before) >> 20} MiB more")
    eventually(lambda: resident(server) - before < MEMORY, "it is given back", seconds=60)


def has_answer(connection):
    try:
        return connection.sock.recv(1) != b""
    except BlockingIOError:
        return False


def test_a_server_shuts_down_in_time_while_many_wait(quakes):
    server, _ = quakes
    for number in range(MANY):
        with server.connection() as connection:
            connection.connect()
            connection.sock.sendall(page(number))
    assert server.terminate(limit=END) == 0
