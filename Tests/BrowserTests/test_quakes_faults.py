"""Quakes when something fails: the window reports the failure and offers a retry, and nothing is lost."""

import contextlib
import json
import os
import re
import resource
import sqlite3
import time
import zlib

import pytest
from playwright.sync_api import expect

from answers import answering, begin, cut, hang_up, redirect, saying
from fake_feed import FakeFeed, feature
from kinds import one_of_each_kind, thorough
from quakes_page import (
    AYNA, CASTAIC, FEATURES, HEALY, NOON, PLACES, QUAKES, SAMPLE, SAN_JOSE, TONGA, Quakes, choose,
    expect_counts, expect_names, expect_selected, row, summary,
)
from process import eventually, peak
from raw import get, post
from servers import product_server
from test_animals import button
from waiting import wait_until

NOBODY = 65534
LIMIT = 8000  # bytes of a feed
NEW = feature("new", 5, "New", NOON)


@pytest.fixture(scope="module")
def shared_quakes():
    """A Server that does not wait long for its feed, nor take much."""
    quakes = Quakes("--quakes-timeout", "1", "--quakes-feed-limit", str(LIMIT))
    yield quakes
    quakes.end()


# The feed.


TEXT = json.dumps({"type": "FeatureCollection", "features": FEATURES})

UNREACHED = "could not be reached."
LATE = "did not answer in time."
UNUSABLE = "answered with something that cannot be used."

# What fails, what visitors read of it, and what the log says.
FAULTS = {
    "down": (lambda feed: feed.stop(), UNREACHED, "could not be reached: nothing listens there"),
    "slow": (lambda feed: feed.hold(), LATE, "did not answer in time"),
    "trickling": (lambda feed: feed.trickle(), LATE, "did not answer in time"),
    "404": (begin(answering(404, "<p>Not here</p>", "text/html")), "error (404).", "404"),
    "500": (begin(answering(500, '{"error": "at home"}')), "error (500).", "answered 500: at home"),
    "503": (begin(answering(503, "", "text/plain", **{"Retry-After": "60"})), "error (503).", "503"),
    "empty": (begin(answering(200, "")), UNUSABLE, "incomplete"),
    "truncated": (begin(answering(200, TEXT[:-40])), UNUSABLE, "incomplete"),
    "cut off": (begin(cut), UNREACHED, "could not be reached"),
    "hung up": (begin(hang_up), UNREACHED, "could not be reached"),
    "redirecting": (begin(redirect), UNREACHED, "could not be reached: too many HTTP redirects"),
    "of no status": (begin(saying(f"HTTP/1.1 000 OK\r\nContent-Length: {len(TEXT)}\r\n\r\n{TEXT}")), UNREACHED,
                     "could not be reached: its answer is not HTTP"),
    "redirecting nowhere": (begin(answering(302, mime=None, Location="http://127.0.0.1:65536/")), UNREACHED,
                            "could not be reached: its answer is not HTTP"),
    "HTML": (begin(answering(200, "<h1>Welcome</h1>", "text/html")), UNUSABLE,
             "answered HTML instead of JSON"),
    "of another type": (begin(answering(200, TEXT, "text/plain")), UNUSABLE,
                        "answered plain text instead of JSON"),
    "of no type": (begin(answering(200, TEXT, None)), UNUSABLE, "something without a type"),
    "other JSON": (begin(answering(200, '{"animals": []}')), UNUSABLE, "features"),
    "an array": (begin(answering(200, "[]")), UNUSABLE, "not what was expected"),
    "too large": (begin(answering(200, TEXT + " " * LIMIT)), UNUSABLE, f"larger than {LIMIT} bytes"),
}
# One of each kind that visitors read of or wait for.
KINDS = ["down", "slow", "trickling", "500", "redirecting", "other JSON", "too large"]


@pytest.fixture(params=one_of_each_kind(FAULTS, KINDS), ids=lambda name: name.replace(" ", "_"))
def fault(request, shared_quakes):
    """Makes the feed fail, and mends it."""
    feed = shared_quakes.feed
    fail, words, logged = FAULTS[request.param]

    class Fault:
        is_over = True

        @classmethod
        def begin(cls):
            cls.is_over = False
            fail(feed)

        @classmethod
        def end(cls):
            if request.param == "down" and not cls.is_over:
                feed.start()
            feed.release()
            cls.is_over = True

    Fault.words = words
    Fault.logged = logged
    Fault.is_told_at_once = request.param != "trickling"  # which takes longer than a post waits
    yield Fault
    Fault.end()


def expect_failure(page, words):
    failure = page.get_by_role("status").filter(has_text=words)
    expect(failure).to_be_visible()
    assert failure.inner_text().rstrip().endswith(".")  # WebKit adds the lines after a paragraph


def expect_no_failure(page):
    expect(page.locator(".failure")).to_have_count(0)


def retry(page, range="Day"):
    # After a first load that has failed, the list itself has these buttons.
    buttons = page.get_by_role("group", name="Try again").or_(page.locator("#list"))
    buttons.get_by_role("button", name=f"Past {range.lower()}").first.click()


@pytest.mark.parametrize("open_page, fault", [
    *(("live", name) for name in KINDS), ("plain", "500"),
    *thorough(*(("live", name) for name in FAULTS if name not in KINDS),
              *(("plain", name) for name in FAULTS if name != "500")),
], indirect=True)
def test_a_failed_refresh_loses_nothing_and_can_be_retried(
        quakes, open_page, open_live, fault):
    page = open_page(quakes, QUAKES + "&list=healy&map=healy")
    other = open_live(quakes, QUAKES + "&sort=magnitude&search=a")
    fault.begin()
    with page.expect_response(lambda response: response.request.method == "POST") as posted:
        choose(page, "Refresh", "Past day")

    for window in [page, other]:
        expect_failure(window, fault.words)
        expect(window.get_by_text("Loading earthquakes…")).to_have_count(0)
    eventually(lambda: fault.logged in quakes.server.output, "the log says more")
    expect_names(page, *PLACES)
    expect_selected(page, HEALY)
    expect_names(other, TONGA, SAN_JOSE, AYNA, HEALY, CASTAIC)
    if not open_page.is_live and fault.is_told_at_once:
        assert 400 <= posted.value.status < 600

    fault.end()
    quakes.feed.features["day"] = [NEW]
    retry(page)

    for window in [page, other]:
        expect_no_failure(window)
    expect_names(page, "New", *PLACES)
    expect_selected(page, HEALY)


def test_a_failure_can_be_dismissed_in_every_window(quakes, open_page, open_live):
    page, other = open_page(quakes, QUAKES), open_live(quakes, QUAKES)
    quakes.feed.fault = lambda handler: handler.answer(500)
    choose(page, "Refresh", "Past day")
    for window in [page, other]:
        expect_failure(window, "error (500)")

    page.locator("main").get_by_role("button", name="Dismiss").click()

    for window in [page, other]:
        expect_no_failure(window)
        expect_names(window, *PLACES)


@pytest.mark.parametrize("size", [(667, 375), *thorough(((844, 390),), ((932, 430),))])
def test_on_a_phone_on_its_side_a_failure_leaves_room_for_the_list(quakes, open_live, size):
    """Its buttons took four rows, half of the screen."""
    page = open_live(quakes, QUAKES)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    quakes.feed.fault = lambda handler: handler.answer(500)
    choose(page, "Refresh", "Past day")
    expect_failure(page, "error (500)")
    names = ["Past hour", "Past day", "Past week", "Past month", "Dismiss"]

    boxes = [page.locator(".retry").get_by_role("button", name=name).bounding_box() for name in names]

    assert len({box["y"] for box in boxes}) == 1
    assert {box["height"] for box in boxes} == {44}


def test_a_failed_first_refresh_can_be_retried(shared_quakes, open_page):
    shared_quakes.empty()
    shared_quakes.feed.fault = lambda handler: handler.answer(500)
    page = open_page(shared_quakes, QUAKES)
    again = page.locator("#list").get_by_role("button", name="Past week")
    again.click()
    expect_failure(page, "500")
    expect(page.get_by_text("Load them from")).to_be_visible()
    expect(page.get_by_role("group", name="Try again")).to_have_count(0)
    expect(again).to_have_count(1)

    shared_quakes.feed.release()
    shared_quakes.feed.features["week"] = FEATURES
    again.click()

    expect_names(page, *PLACES)
    expect_no_failure(page)


@pytest.mark.parametrize("width", [1280, 390])
def test_the_map_keeps_its_size_during_a_first_load(shared_quakes, open_live, width):
    shared_quakes.empty()
    page = open_live(shared_quakes, QUAKES)
    page.set_viewport_size({"width": width, "height": 844})
    first = page.locator(".unavailable").get_by_role("button", name="Past week")
    expect(first).to_be_visible()
    height = page.locator(".map").bounding_box()["height"]
    shared_quakes.feed.hold()

    first.click()

    expect(first).to_have_count(0)
    expect(page.get_by_role("link", name="An hour earlier")).to_have_count(0)
    assert page.locator(".map").bounding_box()["height"] == height
    shared_quakes.feed.release()
    expect(page.locator(".progress")).to_have_count(0)


def test_the_sample_helps_when_the_feed_is_down(shared_quakes, open_page):
    shared_quakes.empty()
    shared_quakes.feed.fault = lambda handler: handler.answer(500)
    page = open_page(shared_quakes, "/quakes")
    page.locator(".unavailable").get_by_role("button", name="Past day").click()
    expect_failure(page, "500")

    page.get_by_role("button", name="Load the sample").click()

    expect(page.locator(".strip > a")).to_have_count(30, timeout=SAMPLE)
    expect_no_failure(page)


def test_a_failure_still_shows_after_a_reload(quakes, open_page):
    page = open_page(quakes, QUAKES)
    quakes.feed.fault = lambda handler: handler.answer(500)
    choose(page, "Refresh", "Past day")
    expect_failure(page, "500")

    page.goto(quakes.url + QUAKES)

    expect_failure(page, "500")
    expect_names(page, *PLACES)


def test_a_failed_refresh_does_not_disturb_typing(quakes, open_live):
    page = open_live(quakes, QUAKES)
    page.locator("[type=search]").focus()
    page.keyboard.type("km")
    expect_names(page, AYNA, SAN_JOSE, CASTAIC)
    quakes.feed.fault = lambda handler: handler.answer(500)
    other = open_live(quakes, QUAKES)

    choose(other, "Refresh", "Past day")

    expect_failure(page, "500")
    expect(page.locator("[type=search]")).to_be_focused()
    expect(page.locator("[type=search]")).to_have_value("km")
    expect_names(page, AYNA, SAN_JOSE, CASTAIC)


def test_deletes_work_while_the_feed_is_down(quakes, open_page, open_live):
    other = open_live(quakes, QUAKES)
    page = open_page(quakes, QUAKES + "&list=healy&map=healy")
    quakes.feed.fault = lambda handler: handler.answer(500)
    choose(page, "Refresh", "Past day")
    expect_failure(page, "500")

    choose(page, "Delete", "Delete selected")

    for window in [page, other]:
        expect_names(window, AYNA, TONGA, SAN_JOSE, CASTAIC)
        expect_selected(window, None)


def test_a_compressed_feed_that_expands_without_end_takes_little_memory(start_server):
    packed = zlib.compressobj(9, zlib.DEFLATED, 31)
    start = packed.compress(b'{"features":[') + packed.flush(zlib.Z_FULL_FLUSH)
    # It does not refer to what is before it, so it can be repeated: to compress a gigabyte takes seconds.
    megabyte = packed.compress(b" " * (1 << 20)) + packed.flush(zlib.Z_FULL_FLUSH)
    body = start + 1_000 * megabyte

    def expand(handler):
        handler.send_response(200)
        for name, value in [("Content-Type", "application/json"), ("Content-Encoding", "gzip"), ("Content-Length", str(len(body)))]:
            handler.send_header(name, value)
        handler.end_headers()
        with contextlib.suppress(OSError):
            handler.wfile.write(body)

    feed = FakeFeed()
    feed.fault = expand
    server = start_server("--quakes-feed", feed.url, "--quakes-feed-limit", str(1 << 20))
    get(server, "/quakes")
    before = peak(server)

    answer = post(server, "/quakes", "_form=refresh&range=allDay&_token=one", Accept="text/html")
    eventually(lambda: UNUSABLE in get(server, "/quakes").text, "the fetch fails")

    wait_until(lambda: "is larger than 1048576 bytes" in server.output, "it is logged")
    assert peak(server) - before < 64 << 20
    assert answer.status in (303, 500)
    feed.stop()


def test_one_bad_entry_in_a_thousand_is_left_out_and_counted(start_quakes, open_page, open_live):
    quakes = start_quakes()
    features = [feature(f"quake-{n}", 1, f"Place {n}", NOON - n * 1000) for n in range(1000)]
    features[500]["properties"]["time"] = None
    quakes.feed.features["day"] = features
    page, other = open_page(quakes, QUAKES), open_live(quakes, QUAKES)

    choose(page, "Refresh", "Past day")

    for window in [page, other]:
        expect_counts(window, 999)
        expect(window.get_by_text("1 entry of the feed could not be read")).to_be_visible()
    expect(row(page, "Place 500")).to_have_count(0)
    quakes.feed.features["day"] = features[:1]
    choose(page, "Refresh", "Past day")
    expect(page.get_by_text("could not be read")).to_have_count(0)


BAD = [
    {"mag": None}, {"mag": 99}, {"mag": "five"}, {"place": None}, {"place": ""}, {"time": None},
    {"time": 1e300}, {"updated": "yesterday"},
]


def test_bad_entries_of_every_kind_are_left_out(quakes, open_live):
    bad = [feature(f"bad-{n}", 1, "Bad", NOON) for n in range(len(BAD))]
    for item, values in zip(bad, BAD):
        item["properties"] |= values
    odd = [None, 1, "feature", [], {}]
    odd += [feature(id, 1, "Bad", NOON) for id in ["", "a\rb", "a\0b", "a b", "é"]]
    odd += [feature("far", 1, "Bad", NOON, coordinates=place) for place in [(), (1,), (181, 0), (0, 91)]]
    quakes.feed.features["day"] = [*bad, *odd, NEW, feature("healy", None)]
    page = open_live(quakes, QUAKES)

    choose(page, "Refresh", "Past day")

    expect_names(page, "New", *PLACES)
    expect(page.get_by_text(f"{len(bad) + len(odd) + 1} entries of the feed")).to_be_visible()


def test_text_from_a_feed_is_not_markup(quakes, open_live):
    place = "<img src=x onerror=alert(1)>\"'&amp;</title></li><script>"
    quakes.feed.features["day"] = [feature("\"><b>&", 5, place, NOON, coordinates=(0, 0))]
    page = open_live(quakes, QUAKES)

    choose(page, "Refresh", "Past day")

    expect_names(page, place, *PLACES)
    row(page, place).get_by_role("link").click()
    expect_selected(page, place)
    assert page.evaluate("document.querySelectorAll('main :is(img, script, b)').length") == 0
    choose(page, "Delete", "Delete selected")
    expect_names(page, *PLACES)


def test_a_refresh_during_a_refresh_sends_no_second_request(start_quakes, open_live):
    quakes = start_quakes("--quakes-timeout", "60")
    quakes.load()
    page, other = open_live(quakes, QUAKES), open_live(quakes, QUAKES)
    summary(other, "Refresh").click()
    quakes.feed.requests.clear()
    quakes.feed.hold()

    choose(page, "Refresh", "Past day")
    expect(other.locator("[value=allWeek]")).to_be_disabled()
    quakes.post("refresh", range="allWeek")
    quakes.feed.release()

    expect(page.get_by_text("Loading earthquakes…")).to_have_count(0)
    assert [path for path, _ in quakes.feed.requests] == ["/feeds/all_day.geojson"]


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_repeated_refreshes_make_few_requests(start_quakes, is_cancelled):
    """200 posts made 153 requests for the feed, or 200 that hung at once if each was cancelled."""
    quakes = start_quakes("--quakes-timeout", "60", "--quakes-pace", "1000")
    quakes.load()
    quakes.feed.requests.clear()
    begun = []
    if is_cancelled:
        quakes.feed.hold()
        hold = quakes.feed.fault
        quakes.feed.fault = lambda handler: (begun.append(handler.path), hold(handler))
    start = time.monotonic()

    for number in range(200):
        form = "cancelRefresh" if is_cancelled and number % 2 else "refresh"
        answer = post(quakes.server, QUAKES, f"_form={form}&_token=t{number}&range=allDay")
        assert answer.status == 200
    seconds = time.monotonic() - start
    quakes.feed.release()

    assert len(begun if is_cancelled else quakes.feed.requests) <= seconds + 2


def test_an_earthquake_deleted_during_a_refresh_stays_deleted(start_quakes, open_live):
    quakes = start_quakes("--quakes-timeout", "60")
    quakes.load()
    quakes.feed.features["day"] = [*FEATURES, NEW]
    page = open_live(quakes, QUAKES + "&list=healy&map=healy")
    quakes.feed.hold()
    choose(page, "Refresh", "Past day")
    assert quakes.feed.held.wait(10)
    choose(page, "Delete", "Delete selected")
    expect_names(page, AYNA, TONGA, SAN_JOSE, CASTAIC)

    quakes.feed.release()

    expect_names(page, "New", AYNA, TONGA, SAN_JOSE, CASTAIC)


@pytest.mark.parametrize("content, words", [
    (None, "There is no file"), ("{", "incomplete"),
    *thorough(("", "incomplete"), (" " * 9000, "larger than 8000 bytes"))])
def test_a_failing_feed_folder_shows_its_error(start_quakes, open_page, tmp_path, content, words):
    quakes = start_quakes("--quakes-feed", str(tmp_path), "--quakes-feed-limit", str(LIMIT))
    file = tmp_path / "all_day.geojson"
    if content is not None:
        file.write_text(content)
    page = open_page(quakes, QUAKES)
    choose(page, "Refresh", "Past day")
    expect_failure(page, words)
    assert str(tmp_path) not in page.content()
    eventually(lambda: str(tmp_path) in quakes.server.output, "the log has the path")

    file.write_text(TEXT)
    retry(page)

    expect_names(page, *PLACES)
    expect_no_failure(page)


# The database.


@contextlib.contextmanager
def locked(quakes, how="IMMEDIATE"):
    """Another program has the database for itself."""
    other = sqlite3.connect(quakes.server.data / "quakes.store", isolation_level=None)
    other.execute(f"BEGIN {how}")
    yield
    other.execute("ROLLBACK")
    other.close()


def stored(quakes):
    """The ids in the database."""
    with contextlib.closing(sqlite3.connect(quakes.server.data / "quakes.store")) as database:
        return sorted(id for id, in database.execute("SELECT quakeId FROM quake"))


@pytest.mark.both_ways
def test_a_refresh_that_cannot_be_saved_still_shows(start_quakes, open_page):
    quakes = start_quakes()
    quakes.load()
    quakes.feed.features["day"] = [NEW]
    page = open_page(quakes, QUAKES)
    with locked(quakes):
        choose(page, "Refresh", "Past day")
        expect_names(page, "New", *PLACES)
        if not open_page.is_live:
            expect(page.locator("html")).to_be_attached()
            wait_for_reload(page, "locked")
        expect_failure(page, "Another program has locked the database")

    retry(page)

    expect_no_failure(page)
    expect_names(page, "New", *PLACES)
    quakes.server.terminate()
    assert stored(quakes) == sorted([*(item["id"] for item in FEATURES), "new"])


def wait_for_reload(page, words):
    """Without JavaScript a page does not receive later changes; its user reloads it."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if page.get_by_text(words).count():
            return
        page.reload()
    raise AssertionError(f"{words} is not said")


def test_a_delete_that_cannot_be_saved_is_rolled_back(start_quakes, open_live):
    quakes = start_quakes()
    quakes.load()
    page, other = open_live(quakes, QUAKES + "&list=healy&map=healy"), open_live(quakes, QUAKES)
    with locked(quakes):
        choose(page, "Delete", "Delete selected")
        for window in [page, other]:
            expect_failure(window, "Another program has locked the database")
            expect_names(window, *PLACES)

    row(page, HEALY).get_by_role("link").click()
    choose(page, "Delete", "Delete selected")

    for window in [page, other]:
        expect_names(window, AYNA, TONGA, SAN_JOSE, CASTAIC)
    quakes.server.terminate()
    assert "healy" not in stored(quakes)


def test_a_delete_of_all_that_cannot_be_saved_is_rolled_back(start_quakes, open_live):
    quakes = start_quakes()
    quakes.load()
    page = open_live(quakes, QUAKES)
    with locked(quakes):
        choose(page, "Delete", "Delete all earthquakes")
        expect_failure(page, "Another program has locked the database")
        expect_names(page, *PLACES)
    expect_counts(page, 5)


def test_a_refresh_on_a_full_disk_shows_and_is_saved_on_retry(start_quakes, open_live):
    quakes = start_quakes()
    quakes.load()
    page = open_live(quakes, QUAKES)
    quakes.feed.features["day"] = [NEW]
    limit = resource.prlimit(
        quakes.server.process_id, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    choose(page, "Refresh", "Past day")
    expect(page.get_by_role("status").filter(has_text="saved")).to_be_visible()
    expect_names(page, "New", *PLACES)

    resource.prlimit(quakes.server.process_id, resource.RLIMIT_FSIZE, limit)
    retry(page)

    expect_no_failure(page)
    quakes.server.terminate()
    assert "new" in stored(quakes)


def test_a_database_locked_at_start_does_not_affect_other_products(start_quakes, open_page, open_live):
    quakes = start_quakes()
    quakes.load()
    quakes.server.terminate()  # once all is written
    with locked(quakes, "EXCLUSIVE"):
        quakes.server.start()
        counter = open_live(quakes, "/counter")
        button(counter, "Increment").click()
        expect(counter.locator(".value")).to_have_text("Value: 1")
        page = open_page(quakes, QUAKES)
        expect_failure(page, "locked")

    # The old earthquakes appear together with the new ones.
    quakes.feed.features["day"] = [NEW]
    retry(page)

    expect_names(page, "New", *PLACES)
    expect_no_failure(page)


def test_a_read_only_data_folder_does_not_affect_other_products(open_page, open_live):
    server = product_server("--quakes-feed", "sample")
    server.user = NOBODY if os.getuid() == 0 else None  # root may write anywhere
    server.data.chmod(0o555)
    server.start()
    page = open_page(server, "/quakes")
    expect_failure(page, "cannot be written to")
    counter = open_live(server, "/counter")
    button(counter, "Increment").click()
    expect(counter.locator(".value")).to_have_text("Value: 1")

    server.data.chmod(0o777)
    retry(page, "Hour")

    expect(page.locator(".strip > a")).to_have_count(30)
    expect_no_failure(page)
    server.kill()


@pytest.mark.parametrize("values", ["time = 'once'", *thorough("magnitude = 1e30", "longitude = 1e19")])
def test_an_invalid_row_is_left_out_and_the_log_names_it(start_quakes, open_page, values):
    quakes = start_quakes()
    quakes.load()
    quakes.server.terminate()  # once all is written
    with sqlite3.connect(quakes.server.data / "quakes.store") as database:
        database.execute(f"UPDATE quake SET {values} WHERE quakeId = 'healy'")
    quakes.server.start()

    page = open_page(quakes, QUAKES)

    expect(page.get_by_text("Castaic").first).to_be_visible()
    expect(page.get_by_text("Healy")).to_have_count(0)
    expect_no_failure(page)
    wait_until(lambda: "healy" in quakes.server.output, "it is logged")
