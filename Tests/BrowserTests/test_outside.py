"""What happens outside a Server shows in its windows: others write to its database, or to the
AnimalsDataServer that it shares with them, and feeds have news."""

import contextlib
import http.client
import signal
import socket
import sqlite3
import time

import pytest
from playwright.sync_api import expect

from fake_feed import feature
from process import eventually, processor_time
from quakes_page import AYNA, FEATURES, NOON, PLACES, QUAKES, Quakes
from quakes_page import names as quake_names
from raw import post_json
from servers import ServerProcess
from test_animals import MAMMALS, SAMPLES, expect_names, fill
from waiting import wait_until

AGREEMENT = 1_000  # milliseconds in which everybody shows the same
API = "/animals/api"
EVENTS = f"{API}/events"


def write(database, *statements):
    """Changes a database that a server has open, like a script."""
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def write_animals(server, *statements):
    write(server.data / "animals.store", *statements)


# Another process's writes.


def test_external_writes_to_the_database_show(start_server, open_live):
    server = start_server()
    window = open_live(server, MAMMALS)
    expect_names(window, *SAMPLES)

    write_animals(
        server,
        "UPDATE animal SET name = 'Wolf' WHERE animalId = 'Dog'",
        "DELETE FROM animal WHERE animalId = 'Cat'",
        "INSERT INTO category VALUES ('Fungus', 'Fungi')",
    )

    expect_names(window, "Red kangaroo", "Southern gibbon", "Wolf")
    expect(window.get_by_role("link", name="Fungi")).to_be_visible()


def test_external_writes_keep_typed_text(start_server, open_live):
    server = start_server()
    window = open_live(server, "/animals/Dog?category=Mammal&sheet=edit")
    fill(window, "My dog")

    write_animals(server, "UPDATE animal SET diet = 'Herbivore' WHERE animalId = 'Dog'",
                  "DELETE FROM animal WHERE animalId = 'Cat'")

    expect_names(window, "Dog", "Red kangaroo", "Southern gibbon")
    expect(window.get_by_label("Name", exact=True)).to_have_value("My dog")
    expect(window.get_by_label("Diet", exact=True)).to_have_value("Herbivore")


def test_the_servers_own_writes_are_not_read_again(start_server, open_live):
    server = start_server("--log-actions")
    window = open_live(server, "/animals/Dog?category=Mammal&sheet=edit")
    fill(window, "Wolf")
    window.get_by_role("button", name="Save", exact=True).click()
    expect_names(window, "Cat", "Red kangaroo", "Southern gibbon", "Wolf")

    # By the time that this shows, whatever the save had caused would have shown too.
    write_animals(server, "DELETE FROM animal WHERE animalId = 'Cat'")
    expect_names(window, "Red kangaroo", "Southern gibbon", "Wolf")

    # One line for the action, which the log has before it shows.
    wait_until(lambda: "didChangeElsewhere" in server.output, "the action is logged")
    assert server.output.count("didChangeElsewhere") == 1


def test_external_writes_to_the_earthquake_database_show(start_quakes, open_live):
    quakes = start_quakes()
    quakes.load()
    window = open_live(quakes.server, QUAKES)
    expect(quake_names(window)).to_have_text(PLACES)
    wait_until(lambda: "ayna" in quakes.saved(), "it is saved")

    write(quakes.server.data / "quakes.store",
          "UPDATE quake SET name = 'Lima, Peru' WHERE quakeId = 'ayna'",
          "DELETE FROM quake WHERE quakeId = 'tonga'")

    expect(quake_names(window)).to_have_text(["Lima, Peru", *PLACES[2:]])


# Changes of an AnimalsDataServer.


@pytest.fixture
def catalog(tmp_path):
    """An AnimalsDataServer; it ends with the test."""
    server = ServerProcess(
        "AnimalsDataServer",
        lambda port: ["--port", str(port), "--database", str(tmp_path / "animals.store"),
                      "--followers", "3"],
    )
    server.database = tmp_path / "animals.store"
    yield server.start()
    server.kill()


@pytest.fixture
def two_windows(catalog, start_server, open_live, other_context):
    """Windows of two Servers on one AnimalsDataServer, which follow it."""
    windows = []
    for context in [None, other_context]:
        server = start_server("--animals-api", catalog.url)
        options = {"context": context} if context else {}
        windows.append(open_live(server, MAMMALS, **options))
        windows[-1].server = server
        expect_names(windows[-1], *SAMPLES)
    return windows


def mutate(catalog, **mutation):
    answer = post_json(catalog, API, {"mutation": [mutation]})
    assert answer.status == 200, answer
    return answer.json


class Reader:
    """One who follows the changes, to the byte."""

    def __init__(self, server, **headers):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        self.connection.request(
            "GET", EVENTS, headers={name.replace("_", "-"): value for name, value in headers.items()})
        self.response = self.connection.getresponse()
        self.status = self.response.status

    def event(self):
        """The next event's name, id and data; `None` when there are no more."""
        fields = {}
        while line := self.response.readline():
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if value and name in ["event", "id", "data"]:
                fields[name] = value
            if line == b"\n" and fields:
                return fields["event"], fields["id"], fields["data"]
        return None

    def heartbeat(self):
        """Waits for the next sign of life, which is a comment."""
        while (line := self.response.readline()) and line.startswith(b":") is False:
            pass
        assert line, "the events have ended"

    def close(self):
        self.connection.close()


def test_two_servers_on_one_catalog_agree_within_a_second(two_windows):
    one, other = two_windows
    one.goto(one.server.url + "/animals/Dog?category=Mammal&sheet=edit")
    expect(one.locator("html[data-live]")).to_be_attached()
    fill(one, "Wolf")

    one.get_by_role("button", name="Save", exact=True).click()
    expect(one.get_by_role("heading", name="Wolf")).to_be_visible()

    names = other.locator("[data-list=animals] li a:first-child")
    expect(names).to_have_text(["Cat", "Red kangaroo", "Southern gibbon", "Wolf"], timeout=AGREEMENT)


def test_every_change_of_the_catalog_shows_within_a_second(catalog, two_windows):
    eagle = {"name": "Eagle", "diet": "Carnivore", "categoryId": "Mammal"}

    def expect_both(*expected):
        for window in two_windows:
            names = window.locator("[data-list=animals] li a:first-child")
            expect(names).to_have_text(list(expected), timeout=AGREEMENT)

    mutate(catalog, addAnimal=eagle)
    expect_both("Cat", "Dog", "Eagle", "Red kangaroo", "Southern gibbon")
    mutate(catalog, deleteAnimal={"animalId": "Cat"})
    expect_both("Dog", "Eagle", "Red kangaroo", "Southern gibbon")
    mutate(catalog, updateAnimal={"animalId": "Dog", **eagle, "categoryId": "Bird"})
    expect_both("Eagle", "Red kangaroo", "Southern gibbon")
    mutate(catalog, reloadSampleData={})
    expect_both(*SAMPLES)


def test_external_writes_to_the_catalog_database_show_on_all_servers(catalog, two_windows):
    write(catalog.database, "UPDATE animal SET name = 'Wolf' WHERE animalId = 'Dog'")

    for window in two_windows:
        expect_names(window, "Cat", "Red kangaroo", "Southern gibbon", "Wolf")


def test_changes_of_a_catalog_that_requires_a_token_show(tmp_path, start_server, open_live):
    token = tmp_path / "token"
    token.write_text("correct-horse")
    catalog = ServerProcess("AnimalsDataServer", lambda port: [
        "--port", str(port), "--database", str(tmp_path / "animals.store"), "--token-file", str(token)])
    try:
        catalog.start()
        window = open_live(
            start_server("--animals-api", catalog.url, "--animals-token-file", str(token)), MAMMALS)
        expect_names(window, *SAMPLES)

        mutation = {"mutation": [{"deleteAnimal": {"animalId": "Cat"}}]}
        assert post_json(catalog, API, mutation, Authorization="Bearer correct-horse").status == 200

        expect_names(window, "Dog", "Red kangaroo", "Southern gibbon")
    finally:
        catalog.kill()


def test_changes_while_the_catalog_is_down_show_when_it_is_back(catalog, two_windows):
    catalog.kill()
    write(catalog.database, "DELETE FROM animal WHERE animalId = 'Cat'")
    for window in two_windows:
        wait_until(lambda: "animals.changes" in window.server.output, "the outage is logged")

    catalog.start()

    for window in two_windows:
        expect_names(window, "Dog", "Red kangaroo", "Southern gibbon")
        expect(window.get_by_role("alert")).to_have_count(0)
        wait_until(lambda: "followed again" in window.server.output, "its end is logged")
        # Once, however often it was tried.
        assert window.server.output.count("cannot be followed") == 1


def test_changes_by_others_keep_typed_text(catalog, two_windows):
    one = two_windows[0]
    one.goto(one.server.url + "/animals/Dog?category=Mammal&sheet=edit")
    expect(one.locator("html[data-live]")).to_be_attached()
    fill(one, "My dog")

    mutate(catalog, updateAnimal={
        "animalId": "Dog", "name": "Hound", "diet": "Omnivore", "categoryId": "Mammal"})

    expect(one.get_by_label("Diet", exact=True)).to_have_value("Omnivore")
    expect(one.get_by_label("Name", exact=True)).to_have_value("My dog")
    expect(one.get_by_text("Someone else changed this to Hound")).to_be_visible()
    expect(one.get_by_role("button", name="Save", exact=True)).to_be_disabled()


def test_a_window_that_could_not_read_the_catalog_shows_it_later(
    catalog, start_server, open_live
):
    catalog.kill()
    server = start_server("--animals-api", catalog.url)
    window = open_live(server, MAMMALS)
    expect(window.get_by_text("could not be reached").first).to_be_visible()

    catalog.start()

    expect_names(window, *SAMPLES)
    expect(window.get_by_text("could not be reached")).to_have_count(0)


def test_servers_that_follow_the_catalog_use_no_processor_time_without_changes(catalog, two_windows):
    reader = Reader(catalog)
    reader.event()

    begin = time.monotonic(), [processor_time(window.server) for window in two_windows]
    reader.heartbeat()
    elapsed = time.monotonic() - begin[0]

    used = [processor_time(window.server) - before
            for window, before in zip(two_windows, begin[1])]
    # A spinning thread would use all of it; a heartbeat arrives every 15 s.
    assert [share for share in used if share > 0.25 * elapsed] == [], f"in {elapsed:.1f} s"
    reader.close()


# The events themselves.


def test_a_reader_gets_each_change_with_its_version(catalog):
    reader = Reader(catalog)
    assert reader.status == 200
    assert reader.response.headers["Content-Type"] == "text/event-stream"
    assert reader.response.headers["Cache-Control"] == "no-store"
    name, first, data = reader.event()
    assert (name, data) == ("changed", "{}")

    mutate(catalog, deleteAnimal={"animalId": "Cat"})

    name, second, data = reader.event()
    assert (name, data) == ("deleted", '{"animalId":"Cat"}')
    assert second != first
    reader.close()


def test_a_returning_reader_gets_the_changes_it_missed(catalog):
    reader = Reader(catalog)
    _, version, _ = reader.event()
    reader.close()
    mutate(catalog, deleteAnimal={"animalId": "Cat"})
    mutate(catalog, deleteAnimal={"animalId": "Dog"})

    reader = Reader(catalog, Last_Event_ID=version)

    assert [reader.event()[2] for _ in range(2)] == ['{"animalId":"Cat"}', '{"animalId":"Dog"}']
    reader.close()


def test_a_reader_that_returns_after_a_restart_must_read_everything(catalog):
    reader = Reader(catalog)
    _, version, _ = reader.event()
    reader.close()

    catalog.restart()

    reader = Reader(catalog, Last_Event_ID=version)
    assert reader.event()[0] == "changed"
    reader.close()


def test_the_number_of_readers_is_limited(catalog):
    readers = [Reader(catalog) for _ in range(3)]
    assert [reader.status for reader in readers] == [200, 200, 200]

    refused = Reader(catalog)

    assert refused.status == 503
    assert refused.response.headers["Retry-After"]
    # A client that disconnects frees its place immediately, before the server writes.
    readers.pop().close()

    def follows():
        reader = Reader(catalog)
        if reader.status != 200:
            reader.close()  # an address has a limited number of connections
            return False
        readers.append(reader)
        return True

    eventually(follows, "there is a place")
    for reader in [*readers, refused]:
        reader.close()


def test_a_stalled_reader_does_not_block_others(catalog):
    stopped = socket.create_connection(("127.0.0.1", catalog.port))
    stopped.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1_024)
    stopped.sendall(f"GET {EVENTS} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    reader = Reader(catalog)
    reader.event()

    for number in range(200):
        mutate(catalog, updateAnimal={
            "animalId": "Dog", "name": f"{number} " + "x" * 190, "diet": "Omnivore",
            "categoryId": "Mammal"})

    for number in range(200):
        assert f'"{number} x' in reader.event()[2]
    stopped.close()
    reader.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_sigterm_ends_the_events_at_once(catalog, number):
    readers = [Reader(catalog) for _ in range(3)]
    for reader in readers:
        reader.event()
    begin = time.monotonic()

    assert catalog.signal(number) == 0

    # The server's own limit is 10 s; at once is far below it, even on a busy machine.
    assert time.monotonic() - begin < 4
    assert [reader.event() for reader in readers] == [None, None, None]
    for reader in readers:
        reader.close()


@pytest.mark.parametrize("method, status", [("POST", 405), ("HEAD", 405), ("PUT", 405)])
def test_events_can_only_be_requested_with_get(catalog, method, status):
    with catalog.connection() as connection:
        connection.request(method, EVENTS, body="{}" if method != "HEAD" else None,
                           headers={"Content-Type": "application/json"})
        response = connection.getresponse()
        response.read()

    assert response.status == status
    assert response.headers["Allow"] == "GET"


def test_a_cross_site_page_gets_no_events(catalog):
    reader = Reader(catalog, Sec_Fetch_Site="cross-site")

    assert reader.status == 403
    reader.close()


# A feed, on schedule.


@pytest.fixture
def start_scheduled():
    """Starts a Server that refreshes by itself, so often; a function makes its feed first."""
    started = []

    def start(prepare, interval="1s"):
        started.append(Quakes("--quakes-refresh", interval, prepare=prepare))
        return started[-1]

    yield start
    for quakes in started:
        quakes.end()


def prepare(feed):
    for range in ["day", "week", "month"]:
        feed.features[range] = list(FEATURES)


def test_a_server_refreshes_on_a_schedule(start_scheduled, open_live):
    quakes = start_scheduled(prepare, interval="1m")

    window = open_live(quakes.server, QUAKES)

    # Within seconds of the start, without a request.
    expect(quake_names(window)).to_have_text(PLACES)
    assert [status for _, status in quakes.feed.requests] == [200]
    wait_until(lambda: "ayna" in quakes.saved(), "it is saved")


@pytest.mark.parametrize("form, fields", [
    ("deleteSelected", {"quakeId": "ayna"}), ("deleteAll", {}),
])
def test_deleted_earthquakes_stay_deleted_after_a_restart(start_scheduled, open_live, form, fields):
    quakes = start_scheduled(prepare)
    window = open_live(quakes.server, QUAKES)
    expect(quake_names(window)).to_have_text(PLACES)
    wait_until(lambda: "ayna" in quakes.saved(), "it is saved")
    quakes.post(form, **fields)
    window.close()

    quakes.server.terminate()
    new = feature("new", 5, "New", NOON)
    quakes.feed.features = {range: [*FEATURES, new] for range in ["day", "week", "month"]}
    quakes.server.start()
    window = open_live(quakes.server, QUAKES)

    # The schedule fetches new earthquakes.
    expect(quake_names(window).filter(has_text="New")).to_have_count(1)
    expect(quake_names(window).filter(has_text=AYNA)).to_have_count(0)
    quakes.post("refresh", range="allDay")
    expect(quake_names(window).filter(has_text=AYNA)).to_have_count(1)


def test_a_failed_scheduled_refresh_is_retried(start_scheduled, open_live):
    def fail(feed):
        prepare(feed)
        feed.fault = lambda handler: handler.answer(
            500, '{"error": "of the feed"}', **{"Retry-After": "1"})

    quakes = start_scheduled(fail)
    window = open_live(quakes.server, QUAKES)
    failure = window.get_by_text("answered with an error (500)")
    expect(failure.first).to_be_visible()
    wait_until(lambda: "quakes.schedule" in quakes.server.output, "it is logged")
    assert "/quakes.store" not in window.content()

    quakes.feed.release()

    expect(quake_names(window)).to_have_text(PLACES)
    expect(failure).to_have_count(0)

    # And then the feed has not changed, first that of a shorter range: nothing changes, and then it is not sent.
    window.evaluate("document.querySelector('[data-list=quakes] li').mine = true")
    wait_until(lambda: quakes.feed.requests[-1][1] == 304, "it is asked again")
    assert window.evaluate("document.querySelector('[data-list=quakes] li').mine")
    expect(window.locator(".failure")).to_have_count(0)
