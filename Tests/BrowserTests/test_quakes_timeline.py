"""The timeline of Quakes: the list and the map show the day until a time, which can be played."""

import re

import pytest
from playwright.sync_api import expect

from fake_feed import feature
from quakes_page import DAY, FEATURES, MINUTE, NOON, OREGON, names, query, row
from test_assets import GO
from waiting import wait_until

HOUR = 60 * MINUTE
# On the hour, from six to ten.
SPREAD = [
    feature(f"q{hour}", 1 + hour / 4, f"At {hour}", NOON + (hour - 12) * HOUR,
            coordinates=(10 * hour, hour, 10))
    for hour in range(6, 11)
] + [feature("late", 2, "Late", NOON + 10 * HOUR + 59 * MINUTE), FEATURES[-1]]
SHOWN = "[data-list=quakes] > li:not([hidden]) strong"
MARKED = "[data-list=markers] > a:not([hidden])"
PAGE = "/quakes?date=" + DAY


@pytest.fixture(autouse=True)
def no_complaints(complaints):
    yield
    assert complaints == []


@pytest.fixture
def spread(shared_quakes):
    shared_quakes.load(SPREAD)
    return shared_quakes


def scrubber(page):
    return page.get_by_role("slider", name="Time of day")


def scrub(page, minutes):
    """As a pointer does it that is released there."""
    scrubber(page).evaluate(
        """(input, minutes) => {
          input.value = minutes;
          input.dispatchEvent(new Event("input", { bubbles: true }));
          input.dispatchEvent(new Event("change", { bubbles: true }));
        }""",
        minutes,
    )


def test_a_held_key_changes_the_url_when_it_is_pressed_and_released(spread, open_live):
    """Each repetition changed it; browsers refuse more than 100 or 200 changes in ten seconds."""
    page = open_live(spread, PAGE)
    page.evaluate("""() => {
      window.changes = 0;
      const { replaceState } = history;
      history.replaceState = function (...values) {
        window.changes += 1;
        return replaceState.apply(this, values);
      };
    }""")
    scrubber(page).focus()

    for _ in range(12):
        page.keyboard.down("ArrowLeft")
    expect_face(page, "11:00 PM · 6 of 6")
    page.keyboard.up("ArrowLeft")

    expect(page).to_have_url(re.compile("until=2300"))
    assert page.evaluate("changes") == 2


def visible(page, selector):
    return page.locator(selector).evaluate_all(
        "elements => elements.filter((element) => element.checkVisibility()).length")


def expect_shown(page, *expected):
    """The list shows these, and the map the same."""
    expect(page.locator(SHOWN)).to_have_text(list(expected))
    expect(page.locator(MARKED)).to_have_count(len(expected))


def expect_face(page, text):
    expect(page.locator(".timeline .face")).to_have_attribute("data-clock", text)


def face(page):
    return page.locator(".timeline .face").get_attribute("data-clock")


@pytest.mark.main_path
def test_the_list_and_the_map_show_only_earthquakes_up_to_the_time(spread, open_live):
    page = open_live(spread, PAGE)
    assert face(page) == "Whole day"

    scrub(page, 8 * 60 + 30)

    expect_shown(page, "At 8", "At 7", "At 6")
    assert query(page)["until"] == "0830"
    assert face(page) == "8:30 AM · 3 of 6"
    expect(scrubber(page)).to_have_attribute("aria-valuetext", "8:30 AM")


def beside_the_count(page):
    """The drawn text beside the total."""
    return page.locator(".shown").evaluate("element => getComputedStyle(element, '::before').content")


def test_all_numbers_agree_while_a_part_of_the_day_shows(spread, open_live):
    page = open_live(spread, PAGE + "&charts=true")
    charts = page.get_by_role("region", name="Charts")
    expect(charts.get_by_text("the same as in the list and on the map")).to_be_visible()
    assert beside_the_count(page) == "none"

    scrub(page, 8 * 60 + 30)

    expect_shown(page, "At 8", "At 7", "At 6")
    assert face(page) == "8:30 AM · 3 of 6"
    expect(page.locator(".counts")).to_have_text("6 earthquakes")
    expect(page.locator(".shown")).to_have_attribute("data-shown", "3 until 8:30 AM")
    assert beside_the_count(page) != "none"
    expect(charts.get_by_text("the same as in the list and on the map")).to_be_hidden()
    expect(charts.get_by_text("the whole day")).to_be_visible()
    scrub(page, 24 * 60)
    expect(charts.get_by_text("the same as in the list and on the map")).to_be_visible()
    assert beside_the_count(page) == "none"


def test_without_javascript_the_count_says_up_to_what_time(spread, plain):
    plain.goto(spread.url + PAGE + "&charts=true&until=0805")

    expect(plain.locator(".counts")).to_have_text("6 earthquakes")
    expect(plain.locator(".shown")).to_have_attribute("data-shown", "until 8:00 AM")
    expect(plain.locator(".charts").get_by_text("the whole day")).to_be_visible()


def test_the_scrubber_gets_the_focus_of_the_link_to_the_whole_day(spread, open_live):
    page = open_live(spread, PAGE + "&until=0800")
    whole = page.get_by_role("link", name="Whole day")
    whole.focus()

    page.keyboard.press("Enter")

    expect(whole).to_be_hidden()
    expect(page.get_by_role("slider", name="Time of day")).to_be_focused()


def test_a_url_has_the_time_and_a_reload_keeps_it(spread, open_live):
    page = open_live(spread, PAGE + "&until=0700")
    expect_shown(page, "At 6")

    scrub(page, 605)
    page.reload()

    expect_shown(page, "At 10", "At 9", "At 8", "At 7", "At 6")
    assert query(page)["until"] == "1005"


def test_hidden_marks_are_hidden_in_every_copy_of_the_world(spread, open_live):
    page = open_live(spread, PAGE + "&until=0700")

    hidden = page.evaluate(
        """[...document.querySelectorAll("[data-at][hidden]")].map((mark) => getComputedStyle(mark).display)""")

    assert set(hidden) == {"none"}
    # The style sheet says so without what is around the marks, for the copies of the world have nothing around them.
    assert page.evaluate(
        """[...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
          .some((rule) => rule.selectorText === "[data-at][hidden]" && rule.style.display === "none")""")


def test_the_server_has_nothing_to_do_while_a_day_is_played(spread, open_live):
    page = open_live(spread, PAGE)
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.get_by_label("Speed").select_option("360")

    page.get_by_role("button", name="Play the day").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    wait_until(lambda: page.locator(MARKED).count() >= 2, "two have happened")
    seen = [page.locator(MARKED).count()]
    while page.get_by_role("button", name="Pause").count() > 0:
        seen.append(page.locator(MARKED).count())

    assert seen == sorted(seen)
    assert requests == []
    expect_shown(page, "Late", "At 10", "At 9", "At 8", "At 7", "At 6")
    assert face(page) == "Whole day"
    assert "until" not in query(page)


def test_a_pause_announces_the_shown_count_once(spread, open_live):
    page = open_live(spread, PAGE + "&until=0630")
    status = page.locator(".timeline [role=status]")
    page.get_by_role("button", name="Play the day").click()
    wait_until(lambda: page.locator(MARKED).count() >= 2, "the second has happened")
    assert status.text_content() == ""
    expect(scrubber(page)).to_have_attribute("aria-valuetext", "Playing")

    page.get_by_role("button", name="Pause").click()

    expect(status).to_have_text(re.compile(r"^\d+:\d\d [AP]M · \d of 6\. The newest: Magnitude .*, (At \d+|Late)\.$"))
    assert re.fullmatch(r"\d\d[0-5][05]", query(page)["until"])
    expect(scrubber(page)).to_have_attribute("aria-valuetext", re.compile(r"^\d+:\d\d [AP]M$"))


def test_the_timeline_works_by_keyboard(spread, open_live):
    page = open_live(spread, PAGE)
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Play the day")).to_be_visible()
    scrub(page, 480)

    scrubber(page).focus()
    page.keyboard.press("ArrowRight")
    expect_shown(page, "At 8", "At 7", "At 6")
    page.keyboard.press("ArrowLeft")
    expect_shown(page, "At 7", "At 6")
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play the day")).to_be_visible()
    scrubber(page).blur()
    page.keyboard.press("?")

    expect(page.get_by_role("dialog").locator("dl")).to_contain_text("Play the day")


def test_tab_reaches_the_list_while_its_newest_rows_are_hidden(spread, open_live):
    page = open_live(spread, PAGE + "&until=0730")
    link = page.get_by_role("link", name="Charts")
    link.focus()

    page.keyboard.press("Tab")
    expect(row(page, "At 7").get_by_role("link")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(row(page, "At 7").get_by_role("link")).to_be_focused()
    page.keyboard.press("ArrowDown")

    expect(row(page, "At 6").get_by_role("link")).to_be_focused()


def test_earthquakes_that_arrive_later_follow_the_shown_time_too(spread, open_live):
    page = open_live(spread, PAGE + "&until=0730")
    expect_shown(page, "At 7", "At 6")

    more = [feature("early", 1, "Early", NOON - 10 * HOUR), feature("soon", 1, "Soon", NOON)]
    spread.feed.features["day"] = SPREAD + more
    spread.post("refresh", range="allDay")

    expect_shown(page, "At 7", "At 6", "Early")
    expect(row(page, "Soon")).to_be_hidden()
    assert face(page) == "7:30 AM · 3 of 8"


def test_another_day_shows_the_whole_day(spread, open_live):
    page = open_live(spread, PAGE + "&until=0700&camera=30_10_4")

    page.get_by_role("link", name="Previous day").click()

    expect_shown(page, OREGON)
    assert "until" not in query(page)
    assert query(page)["camera"] == "30_10_4"
    page.go_back()
    expect_shown(page, "At 6")


def test_a_window_that_navigated_in_place_can_play_too(spread, open_live):
    page = open_live(spread, "/counter")
    page.evaluate(GO, PAGE)
    expect(names(page)).to_have_count(6)
    expect(scrubber(page)).to_be_visible()
    scrub(page, 450)
    expect_shown(page, "At 7", "At 6")

    page.get_by_role("link", name="An hour later").click()

    expect_shown(page, "At 7", "At 6")
    assert query(page)["until"] == "0800"


def test_a_selection_keeps_the_time(spread, open_live):
    page = open_live(spread, PAGE + "&until=0700")

    row(page, "At 6").get_by_role("link").click()

    expect(page.locator(".title h2")).to_have_text("At 6")
    assert query(page)["until"] == "0700"
    expect_shown(page, "At 6")


def test_the_month_is_played_from_day_to_day(spread, open_live):
    page = open_live(spread, "/quakes?date=2018-02-06")
    expect_shown(page, OREGON)
    page.get_by_label("Speed").select_option("720")

    page.get_by_role("button", name="Play the day").click()

    expect(page).to_have_url(re.compile("date=" + DAY), timeout=20_000)
    wait_until(lambda: 0 < page.locator(MARKED).count() < 6, "it is played too, from its beginning")


def test_reduced_motion_plays_hour_by_hour(spread, open_live, browser):
    context = browser.new_context(reduced_motion="reduce")
    page = open_live(spread, PAGE, context)
    page.evaluate(
        """() => {
          window.faces = new Set();
          new MutationObserver(() => faces.add(document.querySelector(".face").dataset.clock))
            .observe(document.querySelector(".face"), { attributes: true });
        }""")

    page.get_by_role("button", name="Play the day").click()
    wait_until(lambda: page.locator(MARKED).count() >= 3, "three have happened")
    page.get_by_role("button", name="Pause").click()

    assert all(":00 " in face or face == "Whole day" for face in page.evaluate("[...faces]"))
    assert page.locator("[data-arrived]").first.evaluate(
        "mark => mark.getAnimations({ subtree: true }).length") == 0
    context.close()


@pytest.mark.main_path
def test_without_javascript_links_go_from_hour_to_hour(spread, plain):
    plain.goto(spread.url + PAGE)
    expect_face(plain, "Whole day")
    for control in [scrubber(plain), plain.get_by_label("Speed")]:
        expect(control).to_be_hidden()

    plain.get_by_role("link", name="An hour earlier").click()
    expect_face(plain, "Until 11:00 PM")
    expect(names(plain)).to_have_count(6)
    assert visible(plain, "[data-list=quakes] > li") == 6
    plain.goto(spread.url + PAGE + "&until=0805&list=q9")
    expect_face(plain, "Until 8:00 AM")
    assert visible(plain, "[data-list=quakes] > li") == 2
    assert visible(plain, "[data-list=markers] > a") == 2
    expect(plain.locator(".markers.selected")).to_be_hidden()
    plain.get_by_role("link", name="An hour later").click()
    expect_face(plain, "Until 9:00 AM")
    assert visible(plain, "[data-list=quakes] > li") == 3
    plain.get_by_role("link", name="Whole day").click()

    expect_face(plain, "Whole day")
    assert visible(plain, "[data-list=quakes] > li") == 6


@pytest.mark.parametrize("width", [390, 320])
def test_on_a_phone_the_clock_and_the_count_are_on_separate_lines(spread, open_live, width):
    page = open_live(spread, PAGE + "&until=1225")
    page.set_viewport_size({"width": width, "height": 800})
    expect_face(page, re.compile("^12:25 PM · "))
    clock = page.locator(".timeline .face")

    lines = clock.evaluate("""face => ["::before", "::after"].map((name) => {
      const { content, display } = getComputedStyle(face, name);
      return [content.replace(/"/g, ""), display];
    })""")

    assert lines == [["12:25 PM", "block"], [face(page).split(" · ")[1], "block"]]
    assert clock.evaluate("face => face.scrollWidth <= face.clientWidth && face.offsetHeight <= 40")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_tabbing_through_the_date_keeps_the_time(spread, open_live):
    page = open_live(spread, PAGE + "&until=0830")
    page.get_by_label("Date", exact=True).focus()

    while page.evaluate("document.activeElement.type") == "date":
        page.keyboard.press("Tab")

    expect(page).to_have_url(spread.url + PAGE + "&until=0830")
    expect(page.locator(SHOWN)).to_have_text(["At 8", "At 7", "At 6"])


def test_playing_takes_the_focus_from_a_row_that_it_hides(spread, open_live):
    """It was lost, and the next Tab began at the top of the page."""
    page = open_live(spread, PAGE)
    page.get_by_role("link", name="Late").first.focus()

    page.keyboard.press("p")

    expect(page.locator(".timeline .play")).to_be_focused()
    expect(page.locator(".timeline .play")).to_have_attribute("data-playing", "")
    page.keyboard.press("Space")
    expect(page.locator(".timeline .play")).not_to_have_attribute("data-playing", "")


@pytest.mark.parametrize("width", [320, 1280])
def test_the_list_stays_where_it_is_while_the_day_plays(spread, open_live, width):
    """The text beside the total came and went, and with it a line."""
    page = open_live(spread, PAGE)
    page.set_viewport_size({"width": width, "height": 800})
    page.locator(".counts").evaluate("counts => (counts.textContent = '10,023 made-up earthquakes')")
    top = lambda: page.evaluate("document.querySelector('.rows').getBoundingClientRect().top + scrollY")
    before = top()

    scrub(page, 12 * 60 + 30)

    expect_face(page, "12:30 PM · 5 of 6")
    assert top() == before
