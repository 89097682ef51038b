"""The developer pages: the log, the state, windows and past pages."""

import contextlib
import html
import json
import re
import urllib.parse

import pytest
from playwright.sync_api import expect

from kinds import thorough
import raw
from clients import Drained
from fake_feed import feature
from proxies import NginxForDevelopers, is_installed
from quakes_page import NOON, SAMPLE, YESTERDAY
from waiting import wait_until


@pytest.fixture
def server(start_server):
    return start_server("--developer", "--quakes-feed", "sample")


@pytest.fixture
def actor(open_page, server):
    """Opens a page in which something is done, with JavaScript and without."""
    return open_page.of(server)


@pytest.fixture(autouse=True)
def no_complaints(complaints):
    yield
    assert complaints == []


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def entries(page):
    """The actions in the log."""
    return page.locator("[data-list=entries] > li.action")


def visits(page):
    """The visits in the log."""
    return page.locator("[data-list=entries] > li.visit")


def test_without_the_option_there_are_no_developer_pages(start_server):
    server = start_server()
    for path in ["/developer", "/developer/state", "/developer/past?url=/counter"]:
        assert raw.get(server, path).status == 404


def test_developer_pages_are_missing_for_remote_clients(server):
    for path in ["/developer", "/developer/", "/developer/state", "/developer/windows", "/developer/time",
                 "/developer/cost", "/developer/past?url=/counter", "/developer?search=x"]:
        for header in [{"X-Forwarded-For": "203.0.113.7"}, {"Host": "203.0.113.7"}]:
            assert raw.get(server, path, **header).status == 404, (path, header)


def test_no_remote_window_shows_a_developer_page(server):
    """Joining and navigating must be refused as well as loading the page."""
    session = raw.Session(server)
    forwarded = {"X-Forwarded-For": "203.0.113.7", "Cookie": session.cookie}
    with Drained(server, session) as stream:
        joining = {"stream": stream.id, "at": "/developer", "navigation": 1}
        assert raw.post_json(server, "/_/windows", joining, **forwarded).status == 410
        window = stream.join("/counter")
        there = {"at": "/developer?search=x", "navigation": 2}
        assert raw.post_json(server, f"/_/windows/{window}", there, **forwarded).status == 410
        assert stream.navigate(window, "/developer?search=x", 2) == 204


def test_no_remote_stream_shows_a_developer_page(server):
    """A stream can join a window itself. The developer pages are then answered like missing pages."""
    def answer(at):
        with server.connection() as connection:
            connection.request("GET", "/_/stream?" + urllib.parse.urlencode({"at": at}),
                               headers={"X-Forwarded-For": "203.0.113.7"})
            response = connection.getresponse()
            assert response.status == 404  # else it has no end that could be read
            return json.load(response)

    for at in ["/developer", "/developer/windows", "/developer?search=x"]:
        missing = answer(at.replace("developer", "nobody"))
        missing["message"] = missing["message"].replace("nobody", "developer")
        assert answer(at) == missing, at

    with raw.Session(server).stream("?at=/developer") as stream:
        assert "Developer" in json.dumps(stream.next("show")[2])


def test_on_a_phone_a_button_that_looks_back_keeps_the_focus(server, browser, open_live):
    """Whatever had the focus lost it, so that the keyboard of the phone would go away."""
    with contextlib.closing(browser.new_context(has_touch=True)) as context:
        page = open_live(server, "/developer/time", context)
        field, button = page.get_by_role("textbox", name="Page"), page.get_by_role("button", name="Look back")
        field.fill("/counter")
        button.focus()

        page.keyboard.press("Enter")

        expect(page).to_have_url(re.compile("url="))
        expect(page.locator("iframe")).to_be_attached()
        expect(button).to_be_focused()
        field.press("Enter")
        expect(field).not_to_be_focused()


@pytest.mark.both_ways
def test_the_log_follows_actions_live(server, actor, open_live):
    page = open_live(server, "/counter")
    log = actor("/developer")

    press(page, "Increment")
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    if not actor.is_live:
        log.reload()

    expect(entries(log).filter(has_text="didTapIncrementButton")).to_have_count(1)
    entries(log).filter(has_text="didTapIncrementButton").get_by_role("link").click()
    detail = log.get_by_role("region", name="Action", exact=True)
    expect(detail).to_contain_text("/value")
    expect(detail.locator("del")).to_have_text("0")
    expect(detail.locator("ins")).to_have_text("1")
    expect(detail).to_contain_text("form “increment” at /counter")


@pytest.mark.both_ways
def test_the_log_is_searched_and_paused(server, actor, open_live):
    page, log = open_live(server, "/counter"), actor("/developer")

    def look():
        if not actor.is_live:
            log.reload()

    for name, value in [("Increment", 1), ("Decrement", 0)]:
        press(page, name)
        expect(page.get_by_text(f"Value: {value}", exact=True)).to_be_visible()
    look()
    expect(entries(log).filter(has_text="didTap")).to_have_count(2)

    log.get_by_label("Search the log").fill("decrement")
    log.keyboard.press("Enter")
    expect(entries(log)).to_have_count(1)
    press(log, "Pause")
    expect(log.get_by_text("Paused: nothing is recorded.")).to_be_visible()
    press(page, "Decrement")
    expect(page.get_by_text("Value: -1", exact=True)).to_be_visible()
    press(log, "Resume")
    expect(log.get_by_role("button", name="Pause")).to_be_visible()
    press(page, "Decrement")
    expect(page.get_by_text("Value: -2", exact=True)).to_be_visible()
    look()

    expect(entries(log)).to_have_count(2)
    press(log, "Clear")
    expect(entries(log)).to_have_count(0)


def test_the_log_shows_only_what_a_window_did(server, actor, open_live):
    page, other = open_live(server, "/animals?category=Mammal"), open_live(server, "/counter")
    press(other, "Increment")
    expect(other.get_by_text("Value: 1", exact=True)).to_be_visible()
    press(page, "Delete Dog")
    ended = "did<wbr>Delete<wbr>Animal"
    wait_until(lambda: ended in raw.get(server, "/developer").text, "the effect has ended")
    log = actor("/developer/windows")

    log.locator("[data-list=windows] > li").filter(has_text="/animals").get_by_role("link", name="Its log").click()

    # The form, and what its effect did. The page's own fetch belongs to no window.
    expect(entries(log)).to_have_count(2)
    expect(entries(log).nth(0)).to_contain_text("didDeleteAnimal")
    expect(entries(log).nth(1)).to_contain_text("onTapDeleteSelectedAnimalButton")
    expect(visits(log)).not_to_have_count(0)
    expect(visits(log).filter(has_text="/counter")).to_have_count(0)
    log.get_by_role("link", name="All windows").click()
    entries(log).filter(has_text="didTapIncrementButton").get_by_role("link").click()
    log.get_by_role("region", name="Action", exact=True).get_by_role("link", name="Only this window").click()
    expect(entries(log)).to_have_count(1)
    expect(visits(log).filter(has_text="/animals")).to_have_count(0)
    expect(visits(log).filter(has_text="posted “increment” to")).to_have_count(1)


def test_the_log_shows_only_one_kind_of_action(server, actor, open_live):
    page = open_live(server, "/counter")
    for name, value in [("Increment", 1), ("Decrement", 0), ("Increment", 1)]:
        press(page, name)
        expect(page.get_by_text(f"Value: {value}", exact=True)).to_be_visible()
    log = actor("/developer")
    entries(log).filter(has_text="didTapIncrementButton").first.get_by_role("link").click()

    log.get_by_role("link", name="Only this action").click()

    expect(entries(log)).to_have_count(2)
    expect(entries(log).filter(has_text="didTapIncrementButton")).to_have_count(2)
    expect(visits(log)).to_have_count(0)
    log.get_by_role("link", name="All actions").click()
    expect(entries(log)).to_have_count(3)


def test_the_log_shows_visits_between_the_actions(server, actor, open_live):
    page = open_live(server, "/animals?category=Mammal")
    page.get_by_role("link", name="Dog", exact=True).click()
    expect(page).to_have_url(re.compile("/animals/Dog"))
    counter = open_live(server, "/counter")
    press(counter, "Increment")
    expect(counter.get_by_text("Value: 1", exact=True)).to_be_visible()
    log = actor("/developer")

    expect(visits(log).filter(has_text="opened /animals?category=Mammal")).to_have_count(1)
    expect(visits(log).filter(has_text="went live on /counter")).to_have_count(1)
    expect(visits(log).filter(has_text=re.compile(r"navigated to\s*/animals/Dog\?category=Mammal"))).to_have_count(1)
    rows = log.locator("[data-list=entries] > li")
    expect(rows.nth(0)).to_contain_text("didTapIncrementButton")
    expect(rows.nth(1)).to_contain_text(re.compile(r"posted “increment” to\s*/counter"))
    expect(rows.nth(1)).to_contain_text(re.compile(r"Counter · browser [0-9a-f]{12} · window \S{22}"))
    expect(visits(log).filter(has_text="developer")).to_have_count(0)

    show = log.get_by_role("group", name="Show")
    show.get_by_role("link", name="Visits").click()
    expect(entries(log)).to_have_count(0)
    log.get_by_role("group", name="Product").get_by_role("link", name="Counter").click()
    expect(visits(log)).to_have_count(3)
    show.get_by_role("link", name="Actions").click()
    expect(entries(log)).to_have_count(1)
    expect(visits(log)).to_have_count(0)


def test_the_log_shows_a_refused_form_as_a_visit(server, actor):
    session = raw.Session(server)
    fields = "_form=save&_token=one&anyway=yes&name=&category=Mammal&diet=Carnivore"
    assert session.post("/animals/Dog?category=Mammal", fields, Accept="text/html").status == 422
    log = actor("/developer?show=visits&search=refused")

    expect(visits(log)).to_have_count(1)
    expect(visits(log)).to_contain_text("posted “save” to")
    expect(visits(log)).to_have_class(re.compile("refused"))


def test_a_visit_links_to_the_page_as_it_was_then(server, actor, open_live):
    page = open_live(server, "/counter")
    press(page, "Increment")
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    open_live(server, "/counter")
    press(page, "Increment")
    expect(page.get_by_text("Value: 2", exact=True)).to_be_visible()
    log = actor("/developer?show=visits")

    visits(log).filter(has_text="opened").first.get_by_role("link").click()

    expect(log).to_have_url(re.compile("/developer/time"))
    expect(log.frame_locator("iframe").get_by_text("Value: 1", exact=True)).to_be_attached()


def test_pause_and_clear_apply_to_visits_too(server, open_live):
    log = open_live(server, "/developer")
    raw.Session(server)
    expect(visits(log)).not_to_have_count(0)
    press(log, "Pause")
    expect(log.get_by_text("Paused: nothing is recorded.")).to_be_visible()
    count = visits(log).count()
    open_live(server, "/counter")
    press(log, "Resume")
    expect(log.get_by_role("button", name="Pause")).to_be_visible()
    expect(visits(log)).to_have_count(count)
    press(log, "Clear")
    expect(visits(log)).to_have_count(0)


def test_a_large_state_is_shown_in_pages(server, open_live, plain):
    page = open_live(server, YESTERDAY)
    assert raw.post(server, "/quakes", "_form=refresh&range=allMonth").status == 200
    expect(page.locator(".counts")).to_contain_text(re.compile(r"\d{3} made-up earthquakes"), timeout=SAMPLE)

    plain.goto(server.url + "/developer/state?product=Quakes&path=/quakes")
    expect(plain.get_by_role("row").filter(has_text="Table<Quake>")).to_contain_text(
        re.compile(r"\d{4,5} elements"))
    response = plain.goto(server.url + "/developer/state?product=Quakes&path=/quakes/table")

    assert len(response.body()) < 50_000
    expect(plain.get_by_role("row")).to_have_count(100)
    plain.get_by_role("link", name="Next").click()
    expect(plain.get_by_text("101 to 200 of")).to_be_visible()
    plain.get_by_role("row").first.get_by_role("link").click()
    expect(plain.get_by_role("row").filter(has_text="magnitude")).to_have_count(1)


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("count", [6_400, *thorough(64_000)])
def test_each_page_of_very_many_rows_is_small(start_server, tmp_path, count):
    quakes = [feature(f"q{number}", 1 + number % 70 / 10, f"{number} km W of Nowhere", NOON - number * 1_000)
              for number in range(count)]
    (tmp_path / "all_month.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": quakes}))
    server = start_server("--developer", "--quakes-feed", str(tmp_path), "--quakes-timeout", "60")
    assert raw.post(server, "/quakes", "_form=refresh&range=allMonth").status == 200
    wait_until(lambda: f"{count} elements" in state_page(server, path="/quakes").text, "they are loaded", seconds=200)
    log = raw.get(server, "/developer?search=remoteStore.didFetchQuakes").text
    newest = re.search(r'<li[^>]* data-key="(\d+)"', log)[1]

    for start in [0, 100, count // 2, count - 50]:
        for when in [{}, {"at": newest}, {"since": newest}]:
            page = state_page(server, path="/quakes/table", **{"from": start}, **when)
            assert len(page.body) < 50_000, (start, when)
            assert page.text.count("<tr") == min(100, count - start)
            assert f"{start + 1} to {min(start + 100, count)} of {count}" in page.text


def state_page(server, **parameters):
    """A page of the state of the earthquakes."""
    return raw.get(server, "/developer/state?" + urllib.parse.urlencode({"product": "Quakes", **parameters}))


@pytest.mark.both_ways
def test_the_differences_of_any_two_states_are_shown(server, actor, open_live):
    page = open_live(server, "/counter")

    def press_until(name, value):
        press(page, name)
        expect(page.get_by_text(f"Value: {value}", exact=True)).to_be_visible()

    for name, value in [("Increment", 1), ("Increment", 2), ("Increment", 3), ("Decrement", 2)]:
        press_until(name, value)
    log = actor("/developer")
    entries(log).nth(3).get_by_role("link").click()
    log.get_by_role("link", name="What has changed since").click()

    changes = log.get_by_role("region", name=re.compile("^What changed from didTapIncrementButton .* to now$"))
    expect(changes.locator("li")).to_have_count(1)
    expect(changes.locator("li")).to_have_text(re.compile(r"/value\s+1\s+2"))
    # Now goes on, while a chosen action stays.
    press_until("Increment", 3)
    if not actor.is_live:
        log.reload()
    expect(changes.locator("ins")).to_have_text("3")
    actions = log.get_by_role("region", name="Actions")
    actions.get_by_role("listitem").filter(has_text="didTapDecrementButton").get_by_role(
        "link", name="didTapDecrementButton", exact=True).click()
    changes = log.get_by_role("region", name=re.compile("^What changed from .* to didTapDecrementButton "))
    expect(changes.locator("ins")).to_have_text("2")
    expect(log.get_by_role("row").filter(has_text="value")).to_contain_text("2")
    # Backwards: the second state is older than the first.
    actions.get_by_role("link", name=re.compile("^Changes since")).first.click()
    expect(changes.locator("del")).to_have_text("3")
    expect(changes.locator("ins")).to_have_text("2")
    # Two versions with equal states.
    actions.get_by_role("link", name=re.compile("^Changes since didTapIncrementButton")).nth(2).click()
    expect(changes).to_contain_text("Nothing: the states are equal.")
    changes.get_by_role("link", name="Close").click()
    expect(changes).to_have_count(0)


def test_states_that_are_not_recorded_have_no_differences(server, plain):
    plain.goto(server.url + "/developer/state?product=Counter&since=99")
    expect(plain.get_by_role("alert").filter(has_text="One of the two states is not recorded")).to_be_visible()


def test_windows_are_listed_as_they_come_and_go(server, open_live):
    page = open_live(server, "/counter")
    windows = open_live(server, "/developer/windows")
    shown = windows.locator("[data-list=windows] > li")
    expect(shown).to_have_text([re.compile("/counter"), re.compile("/developer/windows")])

    page.goto(server.url + "/animals?category=Bird")
    expect(shown.first).to_contain_text("/animals?category=Bird")
    expect(windows.get_by_role("status").filter(has_text="place")).to_have_text("2 windows at 2 places")
    page.close()
    expect(shown).to_have_count(1)
    expect(windows.get_by_role("status").filter(has_text="place")).to_have_text("1 window at 1 place")


@pytest.mark.both_ways
def test_a_window_is_found_among_many(server, open_page):
    """Of thousands, only the first 500 were ever shown."""
    session = raw.Session(server)
    with session.stream() as stream:
        window = session.join(stream, "/counter").json["window"]
        session.join(stream, "/animals")
        page = open_page(server, "/developer/windows")
        rows = page.locator("[data-list=windows] > li")

        for words, paths in [
            (window, ["/counter"]), ("nowhere", []), ("animals CATEGORIES", []), ("animals", ["/animals"]),
        ]:
            search = page.get_by_role("searchbox", name="Search the windows")
            search.fill(words)
            search.press("Enter")
            expect(rows).to_have_count(len(paths))
            expect(rows).to_contain_text(paths)
        expect(page.get_by_role("status").filter(has_text="1 of")).to_be_visible()


def test_without_javascript_the_page_lists_the_windows_that_are_open_now(server):
    session = raw.Session(server)
    with session.stream() as stream:
        for expected in ["1 window at 1 place", "2 windows at 1 place"]:
            assert session.join(stream, "/counter").status == 201

            assert expected in raw.get(server, "/developer/windows").text


@pytest.mark.both_ways
def test_an_earlier_state_of_a_window_can_be_shown(server, actor, open_live):
    page = open_live(server, "/counter")
    for value in [1, 2, 3]:
        press(page, "Increment")
        expect(page.get_by_text(f"Value: {value}", exact=True)).to_be_visible()
    time = actor("/developer/time?url=/counter")
    past = time.frame_locator("iframe")
    expect(past.get_by_text("Value: 3", exact=True)).to_be_attached()

    time.get_by_role("link", name="Earlier").click()
    expect(past.get_by_text("Value: 2", exact=True)).to_be_attached()
    press(page, "Increment")

    # The past stays as it was; the present goes on.
    expect(page.get_by_text("Value: 4", exact=True)).to_be_visible()
    expect(past.get_by_text("Value: 2", exact=True)).to_be_attached()
    time.get_by_role("link", name="Newest").click()
    if not actor.is_live:
        time.reload()
    expect(past.get_by_text("Value: 4", exact=True)).to_be_attached()


def count_up(page, values):
    for value in values:
        press(page, "Increment")
        expect(page.get_by_text(f"Value: {value}", exact=True)).to_be_visible()


def slider(page):
    return page.get_by_role("slider", name="Version")


def expect_past(time, value):
    """The frame shows the counter as it was."""
    expect(time.frame_locator("iframe").get_by_text(f"Value: {value}", exact=True)).to_be_attached()


def test_a_window_is_dragged_through_its_versions(server, open_live):
    page, other = open_live(server, "/counter"), open_live(server, "/counter")
    count_up(page, range(1, 7))
    time = open_live(server, "/developer/time?url=/counter")
    knob = slider(time)
    box = knob.bounding_box()

    def drag(share):
        x = box["x"] + 8 + share * (box["width"] - 16)
        time.mouse.move(x, box["y"] + box["height"] / 2, steps=10)

    expect_past(time, 6)
    length = time.evaluate("history.length")

    drag(1)
    time.mouse.down()
    drag(0)
    expect_past(time, 1)
    # The button is still pressed. All other windows are live.
    count_up(page, [7])
    expect(other.get_by_text("Value: 7", exact=True)).to_be_visible()
    expect_past(time, 1)
    drag(0.35)
    expect_past(time, 3)
    time.mouse.up()

    expect_past(time, 3)
    expect(knob).to_have_attribute("aria-valuetext", re.compile(r"^Version \d+, didTapIncrementButton$"))
    # It is one entry of the history, however far the slider was dragged.
    assert time.evaluate("history.length") == length + 1
    time.go_back()
    expect_past(time, 7)
    expect(knob).to_have_value(knob.get_attribute("max"))


def test_the_arrow_keys_go_from_version_to_version(server, open_live):
    """Between the actions of the page there are those of another product, which have numbers, too."""
    page, session = open_live(server, "/counter"), raw.Session(server)
    for value in [1, 2, 3]:
        count_up(page, [value])
        raw.get(server, ANIMALS)
        assert session.post(ANIMALS, f"_form=rows&row={'star' if value % 2 else 'unstar'}~Dog",
                            Accept="text/html").status == 303
    time = open_live(server, "/developer/time?url=/counter")
    knob = slider(time)
    assert int(knob.get_attribute("max")) > int(knob.get_attribute("min")) + 2

    knob.focus()
    for key, value in [("ArrowLeft", 2), ("ArrowLeft", 1), ("ArrowLeft", 1), ("ArrowRight", 2), ("End", 3),
                       ("ArrowDown", 2), ("ArrowUp", 3), ("Home", 1)]:
        knob.press(key)
        expect_past(time, value)
        expect(knob).to_be_focused()
    # The newest has no number in the URL, so that the page goes on with the window.
    knob.press("End")
    expect_past(time, 3)
    expect(time).not_to_have_url(re.compile("at="))
    count_up(page, [4])
    expect_past(time, 4)


def test_the_slider_follows_a_window_at_its_newest_version(server, open_live):
    page = open_live(server, "/counter")
    count_up(page, [1, 2])
    time = open_live(server, "/developer/time?url=/counter")
    knob = slider(time)
    oldest, newest = knob.get_attribute("min"), knob.get_attribute("max")
    expect(knob).to_have_value(newest)

    count_up(page, [3])

    expect(knob).not_to_have_attribute("max", newest)
    expect(knob).to_have_value(knob.get_attribute("max"))
    expect(knob).to_have_attribute("min", oldest)
    marks = time.locator("datalist#marks option").evaluate_all("(all) => all.map((option) => option.value)")
    assert len(marks) == 3 and [marks[0], marks[-1]] == [oldest, knob.get_attribute("max")]


def test_without_javascript_the_slider_is_a_form(server, open_live, plain):
    page = open_live(server, "/counter")
    count_up(page, [1, 2, 3])
    plain.goto(server.url + "/developer/time?url=/counter&region=number")
    knob = slider(plain)
    expect(knob).to_have_value(knob.get_attribute("max"))

    knob.fill(knob.get_attribute("min"))
    plain.get_by_role("button", name="Show", exact=True).click()

    expect_past(plain, 1)
    expect(knob).to_have_value(knob.get_attribute("min"))
    # The rest of the page stays as it was.
    expect(inspected(plain, "number")).to_be_visible()
    plain.get_by_role("link", name="Later").click()
    expect_past(plain, 2)


def test_after_clear_the_present_is_still_known(server, actor, open_live):
    page = open_live(server, "/counter")
    press(page, "Increment")
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    developer = actor("/developer")
    press(developer, "Clear")
    expect(entries(developer)).to_have_count(0)

    developer.goto(server.url + "/developer/state?product=Counter")
    expect(developer.get_by_role("row").filter(has_text="value")).to_contain_text("1")
    developer.goto(server.url + "/developer/time?url=/counter")
    past = developer.frame_locator("iframe")
    expect(past.get_by_text("Value: 1", exact=True)).to_be_attached()
    developer.goto(server.url + "/developer/time?url=/counter&at=0")
    expect(developer.get_by_text("The chosen action is not recorded, or no longer.")).to_be_visible()
    expect(developer.locator("iframe")).to_have_count(0)
    assert raw.get(server, "/developer/past?url=/counter&at=0").status == 404


def test_an_action_lists_the_regions_it_changed_and_those_it_did_not(server, actor, open_live):
    page = open_live(server, "/counter")
    press(page, "Increment")
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    log = actor("/developer")
    entries(log).filter(has_text="didTapIncrementButton").get_by_role("link").click()
    log.get_by_role("link", name="What it did to /counter").click()

    causes = log.get_by_role("region", name="What didTapIncrementButton did to this page")
    expect(causes).to_contain_text("1 of the 2 regions was rendered again, and one changed.")
    number, root = causes.locator(".causes > li").all()
    expect(number).to_contain_text(re.compile(r"number\s+CounterNumber\s+rendered in [\d.]+ (µs|ms), \d+ bytes"))
    expect(number).to_contain_text(
        re.compile(r"SelectValue:\s+has another output\s+CounterUI/Select\.swift:\d+"))
    expect(root).to_contain_text(re.compile(r"root\s+Content\s+\d+ bytes, shows the same"))

    open_live(server, "/animals")
    log.goto(server.url + "/developer/time?url=/animals")
    log.get_by_role("link", name=re.compile("animalList.onAppear|categoryList.onAppear")).first.click()
    causes = log.get_by_role("region", name=re.compile("^What ui"))
    expect(causes).to_contain_text("did not run: ")


def test_an_action_links_to_the_page_that_it_came_from(server, actor):
    """With the window's local state, not to the declared path `/animals/:animal?`."""
    session = raw.Session(server)
    raw.get(server, ANIMALS)
    assert session.post(ANIMALS, "_form=rows&row=star~Dog", Accept="text/html").status == 303
    log = actor("/developer?search=form")
    entries(log).filter(has_text="form “rows”").get_by_role("link").click()
    detail = log.get_by_role("region", name="Action", exact=True)
    fork = detail.get_by_role("link", name="Fork from here").get_attribute("href")
    assert urllib.parse.parse_qs(urllib.parse.urlparse(fork).query)["url"] == [ANIMALS]

    detail.get_by_role("link", name=f"What it did to {ANIMALS}").click()

    expect(log).to_have_url(re.compile("url=" + re.escape(urllib.parse.quote(ANIMALS, safe=""))))
    past = log.frame_locator("iframe")
    expect(past.get_by_role("heading", name="Dog", exact=True)).to_be_attached()
    log.goto(server.url + "/developer?search=onAppear")
    entries(log).first.get_by_role("link").click()
    expect(detail.get_by_role("link", name="What it did to /animals", exact=True)).to_be_visible()


def test_a_page_of_the_past_is_inert(server):
    answer = raw.get(server, "/developer/past?url=/counter")
    assert answer.status == 200
    assert "<script" not in answer.text
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "form-action 'none'" in policy
    assert "script-src" not in policy
    wait_until(lambda: "A developer opens a past page" in server.output, "it is logged")
    looks = [line for line in server.output.splitlines() if "A developer opens a past page" in line]
    assert "address=127.0.0.1" in looks[0]


def test_each_look_at_a_developer_page_is_logged(server):
    for path in ["/developer", "/developer/windows", "/developer/state"]:
        assert raw.get(server, path).status == 200
        wait_until(
            lambda: re.search(
                f"address=127.0.0.1 url={path} .*A developer opens a developer page", server.output),
            "it is logged, with who looked")


ANIMALS = "/animals/Dog?category=Mammal"
STEPS = [
    ("/counter", "_form=increment"),
    (ANIMALS, "_form=rows&row=star~Dog"),
    (ANIMALS, "_form=save&_token=one&anyway=yes&name=Otter&category=Mammal&diet=Carnivore"),
    ("/counter", "_form=decrement"),
    (ANIMALS, "_form=rows&row=delete~Cat"),
    (ANIMALS, "_form=rows&row=unstar~Dog"),
]


def test_pages_of_the_past_match_the_pages_shown_then(server):
    """The developer page shows for each step, even later, what the page showed after that step."""
    session = raw.Session(server)
    paths = ["/counter", ANIMALS, "/animals?favorites=true"]
    for path in paths:
        raw.get(server, path)
    shown = []
    for page, fields in STEPS:
        assert session.post(page, fields, Accept="text/html").status == 303
        tags = {path: raw.tags_of(raw.get(server, path).text) for path in paths}
        newest = int(re.search(r'<li[^>]* data-key="(\d+)"', raw.get(server, "/developer").text)[1])
        shown.append((newest, tags))

    assert len({str(tags) for _, tags in shown}) > 3
    for newest, tags in shown:
        for path in paths:
            query = urllib.parse.urlencode({"url": path, "at": newest})
            assert raw.tags_of(raw.get(server, "/developer/past?" + query).text) == tags[path], (newest, path)


def test_a_page_of_the_past_is_in_the_time_zone_of_its_window(server):
    """The developer's browser has no time zone; the window's has one in which other times are shown."""
    page = YESTERDAY.replace("/quakes?", "/quakes?sort=magnitude&")
    session = raw.Session(server)
    cookie = {"Cookie": f"{session.cookie}; zone=Asia%2FTokyo"}
    session.post("/quakes", "_form=sample", Accept="text/html")
    def both():
        return [raw.get(server, page, **headers).text for headers in [cookie, {}]]
    # Not only until they differ: one of them may be older than the earthquakes.
    wait_until(lambda: all('id="quake-' in text for text in both()), "the earthquakes are there")
    shown, elsewhere = [raw.tags_of(text) for text in both()]
    assert shown != elsewhere

    log = raw.get(server, "/developer?show=visits&search=opened").text
    links = [html.unescape(link) for link in re.findall(r'href="(/developer/time[^"]+)"', log)]
    look_back = next(link for link in links if "Tokyo" in link)
    time = raw.get(server, look_back).text
    source = html.unescape(re.search(r'<iframe[^>]* src="([^"]+)"', time)[1])

    assert raw.tags_of(raw.get(server, source).text) == shown
    without = re.sub("&seen=[^&]*", "", source)
    assert raw.tags_of(raw.get(server, without).text) == elsewhere


# The region of an element of the past.


def inspected(page, region):
    return page.get_by_role("region", name=f"Region “{region}”")


def expect_number_explained(time):
    """What put the counter's number there."""
    number = inspected(time, "number")
    expect(number).to_contain_text("didTapIncrementButton, form “increment” at /counter")
    expect(number).to_contain_text("Templates/CounterUI/CounterNumber.mustache")
    expect(number).to_contain_text(
        re.compile(r"SelectValue: has another output, in [\d.]+ (µs|ms)\s+CounterUI/Select\.swift:\d+"))
    expect(number).to_contain_text(re.compile(r"In the reducer\s*[\d.]+ (µs|ms)"))
    expect(number).to_contain_text(re.compile(r"rendered in [\d.]+ (µs|ms)"))


def test_clicking_an_element_of_the_past_opens_its_region(server, open_live):
    page = open_live(server, "/counter")
    press(page, "Increment")
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    time = open_live(server, "/developer/time?url=/counter")
    past = time.frame_locator("iframe")
    number = past.locator("[data-region=number]")
    shown = number.locator("> *").first

    shown.hover()
    expect(number).to_have_attribute("data-pointed", "")
    expect(past.locator("[data-pointed]")).to_have_count(1)
    shown.click()

    expect(time).to_have_url(re.compile("region=number"))
    expect_number_explained(time)
    expect(inspected(time, "number")).to_be_focused()
    expect(past.locator("[data-marked]")).to_have_count(1)
    expect(past.locator("[data-region=number][data-marked]")).to_be_attached()
    # The forms of the past do nothing.
    past.get_by_role("button", name="Increment").press("Enter")
    expect(inspected(time, "root")).to_be_focused()
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    # Back goes from region to region, and not through the frame's own pages.
    time.go_back()
    expect_number_explained(time)
    time.go_back()
    expect(time.get_by_role("region", name=re.compile("^Region"))).to_have_count(0)
    expect(past.locator("[data-marked]")).to_have_count(0)


def test_the_list_of_regions_links_to_each_region(server, actor, open_live):
    page = open_live(server, "/counter")
    press(page, "Increment")
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    time = actor("/developer/time?url=/counter")

    time.locator(".causes").get_by_role("link", name="number").click()

    expect_number_explained(time)
    past = time.frame_locator("iframe")
    expect(past.locator("[data-region=number][data-marked]")).to_be_attached()
    inspected(time, "number").get_by_role("link", name="Close").click()
    expect(inspected(time, "number")).to_have_count(0)
    expect(past.locator("[data-region=number]")).to_be_attached()
    expect(past.locator("[data-marked]")).to_have_count(0)


def test_a_region_names_the_action_that_changed_it(server, open_page):
    session = raw.Session(server)
    raw.get(server, ANIMALS)
    star = session.post(ANIMALS, "_form=rows&row=star~Dog", Accept="text/html")
    assert star.status == 303
    save = "_form=save&_token=one&anyway=yes&name=Otter&category=Mammal&diet=Carnivore"
    assert session.post(ANIMALS, save, Accept="text/html").status == 303
    query = urllib.parse.urlencode({"url": ANIMALS, "region": "detail"})
    time = open_page(server, "/developer/time?" + query)

    # The detail shows the dog's star; the added animal is only in the list.
    detail = inspected(time, "detail")
    expect(detail).to_contain_text(re.compile(r"Put there by\s*data.persistentSession.didMarkAnimal"))
    expect(detail).to_contain_text(re.compile("Which began with.*, form “rows” at /animals"))
    detail.get_by_role("link", name="The page after that action").click()
    expect(time.get_by_role("heading", name="What data.persistentSession.didMarkAnimal did")).to_be_visible()
    expect(detail).to_contain_text("didMarkAnimal")
    time.goto(server.url + "/developer/time?" + query.replace("detail", "nothing"))
    expect(inspected(time, "nothing")).to_contain_text("the page has no such region")


@pytest.mark.both_ways
def test_the_pages_and_a_metric_say_that_recording_has_stopped(start_server, open_page, tmp_path):
    """One action is larger than the whole recording may be: the sample of a month."""
    server = start_server(
        "--developer", "--quakes-feed", "sample", "--record", str(tmp_path / "recording.jsonl"),
        "--record-megabytes", "1")
    assert raw.metrics(server)["recording_stopped"] == 0
    developer = open_page(server, "/developer/windows")
    notice = developer.get_by_role("alert").filter(has_text="Recording to a file has stopped")
    expect(notice).to_have_count(0)

    assert raw.post(server, "/quakes", "_form=refresh&range=allMonth").status == 200
    raw.metrics(server, lambda values: values["recording_stopped"] == 1, seconds=60)

    if not open_page.is_live:
        developer.reload()
    expect(notice).to_contain_text("the recording has reached its limit")
    developer.get_by_role("link", name="Log", exact=True).click()
    expect(notice).to_be_visible()
    wait_until(lambda: "Recording has stopped" in server.output, "it is logged")


# On a phone, and with the keyboard.


@pytest.fixture
def phone(server, open_page):
    """Opens a page as wide as a phone, with JavaScript and without, after some actions."""
    session = raw.Session(server)
    for _ in range(25):
        session.post("/counter", "_form=increment")

    def open_narrow(path):
        page = open_page(server, path)
        page.set_viewport_size({"width": 360, "height": 780})
        return page
    return open_narrow


@pytest.mark.both_ways
def test_on_a_phone_an_opened_action_can_be_seen(phone):
    """It was above the list, so a link in the list seemed to do nothing."""
    page = phone("/developer?show=actions")

    entries(page).last.get_by_role("link").click()

    expect(page.get_by_role("region", name="Action", exact=True)).to_be_in_viewport(ratio=0.4)


@pytest.mark.both_ways
def test_on_a_phone_the_changes_of_a_state_can_be_seen(phone):
    """They were below the list of actions."""
    page = phone("/developer/state?product=Counter")

    page.get_by_role("link", name=re.compile("Changes since")).last.click()

    expect(page.get_by_role("heading", name=re.compile("What changed"))).to_be_in_viewport()


@pytest.mark.both_ways
def test_on_a_phone_the_past_page_can_be_seen_beside_its_slider(phone):
    """Twenty actions were between them."""
    page = phone("/developer/time?url=/counter")
    slider = page.get_by_role("slider", name="Version")
    expect(slider).to_be_visible()

    slider.evaluate("slider => slider.scrollIntoView({ block: 'start' })")

    expect(page.locator("iframe")).to_be_in_viewport(ratio=0.4)
    expect(slider).to_be_in_viewport()


def test_a_click_that_opens_an_action_moves_nothing_under_the_pointer(server, open_live):
    session = raw.Session(server)
    for _ in range(20):
        session.post("/counter", "_form=increment")
    page = open_live(server, "/developer?show=actions")
    page.set_viewport_size({"width": 1200, "height": 700})
    row = entries(page).nth(3)
    box = row.bounding_box()

    page.mouse.click(box["x"] + 200, box["y"] + 20)  # `click` may scroll, too

    expect(page.get_by_role("region", name="Action", exact=True)).to_be_focused()
    assert (page.evaluate("scrollY"), row.bounding_box()["y"]) == (0, box["y"])


@pytest.mark.parametrize("path, link, opened", [
    ("/developer?show=actions", "didTapIncrementButton", "Action"),
    ("/developer/windows", "Browser", "Browser"),
    ("/developer/state?product=Counter", "Changes since", "What changed"),
])
def test_what_the_keyboard_opens_has_the_focus_and_closing_it_leads_back(
        server, open_live, path, link, opened):
    """All rows that follow were between a row and what it had opened."""
    session = raw.Session(server)
    for _ in range(3):
        session.post("/counter", "_form=increment")
    page = open_live(server, path)
    row = page.locator(".entries").get_by_role("link", name=re.compile(link)).first
    row.focus()

    page.keyboard.press("Enter")

    expect(page.get_by_role("region", name=re.compile(f"^{opened}"))).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Close", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(row).to_be_focused()


# What frames cost.


def frames(page):
    return page.locator("[data-list=frames] > li")


@pytest.fixture
def count_frames(server, actor):
    """Waits until a page shows so many frames, which appear a moment after the change."""
    def count(page, number):
        if not actor.is_live:
            wait_until(
                lambda: raw.get(server, "/developer/cost").text.count("<li data-key=") >= number,
                "the frames are there")
            page.reload()
        expect(frames(page)).to_have_count(number)
    return count


def test_a_frame_shows_its_cost(server, actor, open_live, count_frames):
    page = open_live(server, "/counter")
    cost = actor("/developer/cost")
    expect(cost.get_by_text("No frame yet.")).to_be_visible()
    press(page, "Increment")
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    count_frames(cost, 1)

    expect(frames(cost).first).to_contain_text("Counter didTapIncrementButton")
    frame = cost.get_by_role("region", name="A frame")
    row = frame.get_by_role("row")
    expect(row.filter(has_text="SelectValue")).to_have_text(
        re.compile(r"select SelectValue number of /counter CounterUI/Select\.swift:\d+\s+[\d.]+ (µs|ms)\s+(< )?\d+%"))
    expect(row.filter(has_text="CounterNumber")).to_have_text(
        re.compile(r"render CounterNumber number of /counter\s+[\d.]+ (µs|ms)"))
    for phase in ["reduce", "difference", "write"]:
        assert row.filter(has_text=phase).count() > 0, phase
    boxes = frame.get_by_role("img", name="Flame graph").locator("svg")
    expect(boxes.filter(has_text="select SelectValue")).to_have_count(1)
    totals = cost.get_by_role("region", name=re.compile("All frames together"))
    expect(totals).to_contain_text("Frames: 1.")
    expect(totals.get_by_role("table", name="By selector")).to_contain_text(
        re.compile(r"SelectValue.*updates: 1, with another output: 1"))
    expect(totals.get_by_role("table", name="By region")).to_contain_text(
        "number of /counter Counter, renders: 1")

    frame.get_by_role("link", name="didTapIncrementButton").click()
    expect(entries(cost)).to_have_count(1)


def test_an_older_frame_stays_open(server, actor, open_live, count_frames):
    page = open_live(server, "/counter")
    cost = actor("/developer/cost")
    press(page, "Increment")
    count_frames(cost, 1)
    frame = cost.get_by_role("region", name="A frame")
    frames(cost).first.get_by_role("link").click()
    heading = frame.get_by_role("heading").text_content()
    press(page, "Decrement")
    count_frames(cost, 2)

    expect(frame.get_by_role("heading")).to_have_text(heading)
    expect(frames(cost).nth(1)).to_have_attribute("aria-current", "true")
    cost.get_by_role("link", name="Newest").click()
    expect(frame).to_contain_text("didTapDecrementButton")


def test_frames_can_be_filtered_by_product(server, actor, open_live, count_frames):
    page = open_live(server, "/counter")
    open_live(server, "/animals?category=Mammal")
    cost = actor("/developer/cost")
    raw.Session(server).post(ANIMALS, "_form=rows&row=star~Dog", Accept="text/html")
    wait_until(lambda: "AnimalList" in raw.get(server, "/developer/cost").text, "a frame of animals")
    press(page, "Increment")
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    wait_until(
        lambda: "didTapIncrementButton" in raw.get(server, "/developer/cost").text, "one of the counter")

    cost.get_by_role("group", name="Product").get_by_role("link", name="Counter").click()
    expect(cost).to_have_url(re.compile("product=Counter"))
    count = frames(cost)
    expect(count).to_have_count(1)
    cost.reload()
    expect(count).to_have_count(1)
    expect(count).to_contain_text("Counter didTapIncrementButton")
    cost.get_by_role("group", name="Product").get_by_role("link", name="Animals").click()
    expect(count.filter(has_text="Animals").first).to_be_visible()
    expect(count.filter(has_text="Counter")).to_have_count(0)


def test_developer_pages_do_not_show_their_own_frames(server, open_live):
    page, log = open_live(server, "/counter"), open_live(server, "/developer")
    cost = open_live(server, "/developer/cost")
    press(page, "Increment")
    expect(frames(cost)).to_have_count(1)

    press(log, "Pause")
    expect(log.get_by_role("button", name="Resume")).to_be_visible()
    press(page, "Increment")
    expect(page.get_by_text("Value: 2", exact=True)).to_be_visible()
    press(log, "Resume")
    expect(log.get_by_role("button", name="Pause")).to_be_visible()
    press(page, "Increment")

    expect(frames(cost)).to_have_count(2)
    expect(frames(cost).filter(has_text="Counter")).to_have_count(2)
    press(cost, "Clear")
    expect(cost.get_by_text("No frame yet.")).to_be_visible()


@pytest.fixture
def dispatching(start_server):
    return start_server("--developer", "--developer-dispatch")


REFUSED = json.dumps({"ui": {"_0": {"animalList": {"_0": {
    "onTapDeleteSelectedAnimalButton": {"animalId": "Nobody"}}}}}})
# After the last year. A page that shows such an earthquake would end the server.
IMPOSSIBLE = json.dumps({"data": {"_0": {"persistentSession": {"_0": {"localStore": {"_0": {
    "didFetchQuakes": {"result": {"success": {"quakes": [{
        "quakeId": "a", "magnitude": 1, "time": 1e300, "updated": 0, "name": "a", "longitude": 0, "latitude": 0,
    }]}}}}}}}}}})


def test_a_logged_action_can_be_dispatched_by_hand(dispatching, open_page, open_live):
    page = open_live(dispatching, "/counter")
    press(page, "Increment")
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    hand = open_page(dispatching, "/developer")
    entries(hand).filter(has_text="didTapIncrementButton").get_by_role("link").click()
    hand.get_by_role("link", name="Use this one to dispatch by hand").click()

    expect(hand.get_by_label("Product", exact=True)).to_have_value("Counter")
    expect(hand.get_by_label("Action, as JSON")).to_have_value(re.compile("didTapIncrementButton"))
    press(hand, "Dispatch")

    expect(hand.get_by_text("didTapIncrementButton was dispatched.")).to_be_visible()
    expect(page.get_by_text("Value: 2", exact=True)).to_be_visible()
    log = open_live(dispatching, "/developer")
    expect(entries(log).first).to_contain_text("from outside: a developer, by hand")
    logged = next(line for line in dispatching.output.splitlines() if "by hand" in line)
    assert "action=didTapIncrementButton product=Counter" in logged


def test_dispatching_by_hand_offers_an_example_of_each_action(dispatching, open_page, open_live):
    page = open_live(dispatching, "/counter")
    # The forms of two buttons are posted independently, so each press waits for the previous one.
    for name, value in [("Increment", 1), ("Increment", 2), ("Decrement", 1)]:
        press(page, name)
        expect(page.get_by_text(f"Value: {value}", exact=True)).to_be_visible()
    hand = open_page(dispatching, "/developer/dispatch")
    examples = hand.locator("[data-list=examples] > li")
    expect(examples).to_contain_text(["didTapDecrementButton", "didTapIncrementButton"])

    action = hand.get_by_label("Action, as JSON")
    for name in ["didTapIncrementButton", "didTapDecrementButton"]:
        # The input is still that of the previous action.
        action.fill("something else")
        examples.filter(has_text=name).get_by_role("link").click()
        expect(action).to_have_value(re.compile(name))
    press(hand, "Dispatch")
    expect(page.get_by_text("Value: 0", exact=True)).to_be_visible()


@pytest.mark.parametrize("product, action, message", [
    ("Counter", '{"didTap": ', "This is not JSON."),
    ("Animals", REFUSED.replace('"Nobody"', "7"),
     "ui._0.animalList._0.onTapDeleteSelectedAnimalButton.animalId: Expected to decode String"),
    ("Animals", REFUSED, "Animals refused it: "),
    *thorough(
        ("Counter", '{"didTap": {}}', "“didTap” is no case of CounterAction."),
        ("Counter", '{"didTap": {}, "did": {}}', "This has to be one case of CounterAction, by its name."),
        ("Animals", REFUSED.replace("animalId", "id"),
         "ui._0.animalList._0.onTapDeleteSelectedAnimalButton: There is no “animalId” here."),
        ("Quakes", IMPOSSIBLE, "quakes.0: No earthquake has such a magnitude, time or place.")),
], ids=["no JSON", "another type", "refused", "no case", "two cases", "a part is missing", "impossible"])
def test_an_invalid_action_shows_its_error_beside_the_input(
        dispatching, open_page, product, action, message):
    hand = open_page(dispatching, "/developer/dispatch")
    raw.get(dispatching, "/animals")
    hand.get_by_label("Product", exact=True).select_option(product)
    text = hand.get_by_label("Action, as JSON")
    text.fill(action)
    press(hand, "Dispatch")

    form = hand.get_by_role("region", name="Dispatch by hand")
    expect(form.get_by_role("alert").filter(has_text=message)).to_be_visible()
    expect(text).to_have_value(action)
    expect(hand.get_by_label("Product", exact=True)).to_have_value(product)
    if "refused" not in message:
        expect(text).to_have_attribute("aria-invalid", "true")


def test_dispatching_by_hand_needs_its_option(start_server):
    server = start_server("--developer")
    session = raw.Session(server)
    fields = "_form=dispatch&_token=one&product=Counter&json=%7B%22didTapIncrementButton%22%3A%7B%7D%7D"

    assert raw.get(server, "/developer/dispatch").status == 404
    assert "Dispatch" not in raw.get(server, "/developer").text
    assert session.post("/developer/dispatch", fields).status == 404
    assert session.post("/developer", fields).status == 404
    assert raw.counter_value(server) == 0


@pytest.mark.skipif(not is_installed(NginxForDevelopers), reason="nginx is not installed")
def test_with_a_token_a_browser_sees_the_pages_through_the_documented_proxy(start_server, tmp_path, open_live):
    token = tmp_path / "token"
    token.write_text("a-token-of-operators-which-is-long-enough")
    server = start_server("--developer", "--metrics-token-file", str(token))
    proxy = NginxForDevelopers(server, tmp_path, token.read_text()).start()
    try:
        assert raw.get(server, "/developer").status == 404
        log = open_live(proxy, "/developer?show=actions")
        expect(entries(log)).to_have_count(0)

        raw.Session(server).post("/counter", "_form=increment")

        expect(entries(log)).to_contain_text(["didTapIncrementButton"])
        press(log, "Pause")
        expect(log.get_by_role("button", name="Resume", exact=True)).to_be_visible()
    finally:
        proxy.end()


def test_remote_clients_cannot_dispatch_by_hand(start_server, tmp_path):
    token = tmp_path / "token"
    token.write_text("a-token-of-operators-which-is-long-enough")
    server = start_server(
        "--developer", "--developer-dispatch", "--metrics-token-file", str(token))
    operator = {"Authorization": f"Bearer {token.read_text()}"}
    fields = "_form=dispatch&_token=one&product=Counter&json=%7B%22didTapIncrementButton%22%3A%7B%7D%7D"
    session = raw.Session(server)

    for elsewhere in [{"X-Forwarded-For": "203.0.113.7"}, {"Host": "203.0.113.7"}]:
        for path in ["/developer", "/developer/dispatch"]:
            assert raw.get(server, path, **operator, **elsewhere).status == 404
            assert session.post(path, fields, **operator, **elsewhere).status == 404
    assert raw.counter_value(server) == 0
    assert session.post("/developer/dispatch", fields).status == 404
    assert session.post(
        "/developer/dispatch", fields, Accept="text/html", **operator).status == 303
    assert raw.counter_value(server) == 1


# The words in names of actions that are broken.
BROKEN_WORDS = """() => [...document.querySelectorAll(
  ".developer :is(.action, h2, dd, .costs a, .costs thead), .banner :is(p, li)",
)].flatMap((root) => {
  const [broken, texts] = [[], document.createTreeWalker(root, NodeFilter.SHOW_TEXT)];
  while (texts.nextNode()) {
    const text = texts.currentNode;
    for (const { 0: word, index } of text.data.matchAll(/[A-Za-z][a-z]+/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map((box) => box.top)).size > 1) broken.push(word);
    }
  }
  return broken;
})"""


@pytest.mark.parametrize("path", [
    "/developer?entry={entry}", "/developer/state?product=Animals&since={entry}", "/developer/time?url=/animals",
    *thorough("/developer", "/developer/state?product=Animals", "/developer/cost",
              "/developer/fork?plan={entry}-{entry}&url=/animals"),
])
def test_names_of_actions_break_only_between_words(server, open_live, path):
    """They broke within words, such as `onTapDeleteSelectedAnimalButto n`."""
    page = open_live(server, "/animals?category=Mammal")
    press(page, "Delete Dog")
    log = open_live(server, "/developer")
    entry = entries(log).filter(has_text="onTapDeleteSelectedAnimalButton").get_by_role("link")
    number = re.search(r"entry=(\d+)", entry.get_attribute("href"))[1]

    log.goto(server.url + path.format(entry=number))
    log.wait_for_selector("html[data-live]", state="attached")
    expect(log.locator("main")).to_contain_text("onTapDeleteSelectedAnimalButton")

    for width in [1100, 768, 390, 320]:
        log.set_viewport_size({"width": width, "height": 800})
        assert log.evaluate(BROKEN_WORDS) == [], width
