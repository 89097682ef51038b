"""Many who want something rendered at once: nobody else waits for all of it, and nothing is rendered for who has gone."""

import contextlib

import pytest

from process import descriptors, eventually
from raw import get, metrics, post

MANY = 150
END = 10  # seconds from SIGTERM to the exit
pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def quakes(start_server):
    """A Server with the sample's earthquakes, and the headers of a visitor who was there before."""
    server = start_server("--quakes-feed", "sample")
    session = {"Cookie": get(server, "/quakes").headers["Set-Cookie"].split(";")[0]}
    assert post(server, "/quakes", "_form=refresh&range=allMonth", **session).status == 200
    eventually(lambda: "data-key" in get(server, "/quakes", **session).text, "the earthquakes are there", seconds=60)
    return server, session


def page(number):
    """One that nobody has asked for: each has a time zone of its own."""
    zone = f"GMT%2B{number // 60 % 14:02}:{number % 60:02}"
    return (f"GET /quakes?sort=magnitude&order={'forward' if number // 840 else 'reverse'} HTTP/1.1\r\n"
            f"Host: localhost\r\nCookie: zone={zone}\r\n\r\n").encode()


def rendered(server):
    return metrics(server)["region_renders_total"]


def test_nothing_is_rendered_for_clients_that_have_gone(quakes):
    server, _ = quakes
    get(server, "/quakes?sort=magnitude", Cookie="zone=GMT%2B13:59")
    each = -rendered(server)
    get(server, "/quakes?sort=magnitude", Cookie="zone=GMT%2B13:58")
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


def test_a_visitor_waits_for_one_page_of_each_who_asks_for_many(quakes):
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


def has_answer(connection):
    try:
        return connection.sock.recv(1) != b""
    except BlockingIOError:
        return False


def test_a_server_ends_in_time_while_many_wait(quakes):
    server, _ = quakes
    for number in range(MANY):
        with server.connection() as connection:
            connection.connect()
            connection.sock.sendall(page(number))
    assert server.terminate(limit=END) == 0
