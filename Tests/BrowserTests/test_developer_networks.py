"""Networks that developers simulate at /developer/windows: visitors may notice, but never see wrong content."""

import re
import time
import urllib.parse

import pytest
from playwright.sync_api import expect

import raw
from waiting import wait_until

NOTICE = "#connection:not([hidden])"


@pytest.fixture
def server(start_server):
    return start_server("--developer", "--developer-dispatch")


@pytest.fixture(autouse=True)
def no_complaints(complaints):
    yield
    assert complaints == []


@pytest.fixture
def visitor(open_live, other_context, server):
    """A window of another browser."""
    return open_live(server, "/counter", other_context)


@pytest.fixture
def windows(open_page, server, visitor):
    """The page of windows, with JavaScript and without, where the visitor's window shows."""
    page = open_page(server, "/developer/windows")
    shows(open_page, page, lambda: row(page).count() == 1)
    return page


def shows(open_page, page, condition):
    """Waits until the page of windows shows something; without JavaScript it has to look again."""
    def is_so():
        if not open_page.is_live:
            with page.expect_navigation():
                press(page, "Refresh")
        return condition()

    wait_until(is_so, lambda: f"what the page should show, instead of {page.locator('main').inner_text()!r},")


def row(page, path="/counter"):
    return page.locator("[data-list=windows] > li").filter(
        has=page.get_by_text(path, exact=True))


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def open_browser(page, path="/counter"):
    row(page, path).get_by_role("link", name=re.compile("^Browser")).click()
    return page.get_by_role("region", name="Browser", exact=True)


def value(page, number):
    expect(page.get_by_text(f"Value: {number}", exact=True)).to_be_visible()


def test_each_window_shows_what_it_was_sent_and_whether_it_is_behind(windows):
    expect(row(windows)).to_contain_text(
        re.compile(r"Browser [0-9a-f]{12}: current, was sent \d+ kB"))
    expect(open_browser(windows)).to_contain_text(re.compile(r"Open here\s*1 window"))


def test_a_browser_that_is_cut_off_reconnects_and_is_up_to_date(
        server, open_page, windows, visitor):
    identifier = row(windows).locator(".origin code").first.text_content()
    detail = open_browser(windows)

    press(detail, "Cut off")
    expect(windows.get_by_text("The browser was cut off.")).to_be_visible()
    raw.Session(server).post("/counter", "_form=increment")

    value(visitor, 1)
    # It has joined again: it is another window, of the same browser.
    shows(open_page, windows, lambda: row(windows).count() == 1
          and identifier not in row(windows).text_content())
    wait_until(lambda: "A developer cuts a browser off" in server.output, "it is logged")


def test_cutting_off_a_browser_closes_its_stream(server, open_live):
    session = raw.Session(server)
    page = open_live(server, "/developer/windows")
    with session.stream("?at=/animals") as stream:
        stream.next("show")
        press(open_browser(page, "/animals"), "Cut off")

        while stream.next() is not None:
            pass
        assert not any("goodbye" in line for line in stream.lines)


def test_a_latency_applies_in_each_direction(server, open_live):
    """The delay must be at least as configured; how much longer it is depends on the machine."""
    session = raw.Session(server)
    page = open_live(server, "/developer/windows")
    with session.stream("?at=/counter") as stream:
        stream.next("show")
        detail = open_browser(page)
        detail.get_by_label("Slower each way").fill("300")
        press(detail, "Slow down")
        expect(page.get_by_role("region", name="Slower networks")).to_contain_text(
            "300 ms slower each way")
        while stream.next() is not None:
            pass

    begun = time.monotonic()
    with session.stream("?at=/counter") as stream:
        stream.next("show")
        assert time.monotonic() - begun >= 0.9  # the request, its answer, and the events
        begun = time.monotonic()
        raw.Session(server).post("/counter", "_form=increment")
        stream.next("frame")
        assert time.monotonic() - begun >= 0.3
    begun = time.monotonic()
    assert session.post("/counter", "_form=increment").status == 200
    assert time.monotonic() - begun >= 0.6
    # Pages are not slower, so that one can be opened.
    assert raw.get(server, "/counter", Cookie=session.cookie).status == 200


def test_lost_requests_and_answers_close_their_connections(server, open_live):
    session = raw.Session(server)
    page = open_live(server, "/developer/windows")
    with session.stream("?at=/counter"):
        detail = open_browser(page)
        detail.get_by_label("Slower each way").fill("0")
        detail.get_by_label("Lost of 100").fill("50")
        press(detail, "Slow down")
        expect(page.get_by_role("region", name="Slower networks")).to_contain_text("50 of 100")

    lost = 0
    for number in range(10):
        while True:
            try:
                answer = session.post("/counter", f"_form=increment&_token=number-{number}")
            except ConnectionError:
                lost += 1
            else:
                assert answer.status == 200
                break

    assert lost > 0
    # A request whose answer was lost was executed.
    assert raw.counter_value(server) == 10


def test_with_losses_each_click_counts_once_and_all_windows_agree(
        server, open_page, windows, visitor, other_context):
    detail = open_browser(windows)
    other = other_context.new_page()
    other.goto(server.url + "/counter")
    detail.get_by_label("Slower each way").fill("0")
    detail.get_by_label("Lost of 100").fill("30")
    detail.get_by_label("Seed of what is lost").fill("7")
    press(detail, "Slow down")
    slowed = windows.get_by_role("region", name="Slower networks")
    expect(slowed).to_contain_text("30 of 100 are lost (seed 7)")

    for _ in range(5):
        press(visitor, "Increment")
    wait_until(lambda: raw.counter_value(server) == 5, "each click has counted", 60)
    press(windows.get_by_role("region", name="Browser", exact=True), "Back to normal")

    expect(slowed).to_have_count(0)
    for page in [visitor, other]:
        expect(page.get_by_text("Value: 5", exact=True)).to_be_visible(timeout=30_000)
    assert raw.counter_value(server) == 5


def test_an_offline_browser_shows_a_notice_and_recovers(server, windows, visitor):
    detail = open_browser(windows)
    detail.get_by_label("Offline").check()
    press(detail, "Slow down")

    expect(visitor.locator(NOTICE)).to_contain_text("Connection lost", timeout=20_000)
    press(visitor, "Increment")
    raw.Session(server).post("/counter", "_form=increment")
    expect(windows.get_by_role("region", name="Slower networks")).to_contain_text("offline")
    value(visitor, 0)
    assert raw.counter_value(server) == 1
    press(windows.get_by_role("region", name="Browser", exact=True), "Back to normal")

    expect(visitor.get_by_text("Value: 2", exact=True)).to_be_visible(timeout=30_000)
    expect(visitor.locator(NOTICE)).to_have_count(0)


def test_a_developer_can_end_offline_mode_of_their_own_browser(server, open_live):
    """Its pages accept posts as usual."""
    page = open_live(server, "/developer/windows")
    counter = open_live(server, "/counter")
    detail = open_browser(page)
    detail.get_by_label("Offline").check()
    press(detail, "Slow down")
    expect(counter.locator(NOTICE)).to_contain_text("Connection lost", timeout=20_000)

    page.reload()
    expect(page.get_by_role("region", name="Slower networks")).to_contain_text("offline")
    press(page.get_by_role("region", name="Browser", exact=True), "Back to normal")

    expect(counter.locator(NOTICE)).to_have_count(0, timeout=30_000)
    press(counter, "Increment")
    value(counter, 1)


def test_a_window_is_duplicated_with_its_local_state(server, open_page, open_live, other_context):
    open_live(server, "/animals/Dog?category=Mammal", other_context)
    page = open_page(server, "/developer/windows")
    path = "/animals/Dog?category=Mammal"
    shows(open_page, page, lambda: row(page, path).count() == 1)

    with page.context.expect_page() as opened:
        row(page, path).get_by_role("link", name="Duplicate").click()

    expect(opened.value).to_have_url(server.url + path)
    expect(opened.value.get_by_role("heading", name="Dog")).to_be_visible()


@pytest.mark.parametrize("form", ["cutOff", "slowDown", "normal"])
def test_network_faults_need_the_dispatch_option(start_server, open_live, form):
    server = start_server("--developer")
    page = open_live(server, "/developer/windows")
    open_live(server, "/counter")
    detail = open_browser(page)
    expect(detail).to_contain_text("start the server with --developer-dispatch")
    expect(detail.get_by_role("button")).to_have_count(0)
    browser = urllib.parse.parse_qs(urllib.parse.urlparse(page.url).query)["browser"][0]

    fields = {"cutOff": "", "slowDown": "&latency=5&loss=5&seed=5", "normal": ""}[form]
    answer = raw.Session(server).post(
        "/developer/windows", f"_form={form}&browser={browser}{fields}")

    assert answer.status == 404
    assert "--developer-dispatch" in answer.json["message"]
    assert "A developer" not in server.output.replace("A developer opens", "")
