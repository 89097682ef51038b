"""The Counter in live windows: one value that all of them show."""

import subprocess
import time

import pytest
from playwright.sync_api import expect

INCREMENT = "[data-form=increment] button"
DECREMENT = "[data-form=decrement] button"


def expect_value(page, value):
    expect(page.locator(".value")).to_have_text(f"Value: {value}")


def connections(port):
    """How many connections browsers have to a port of this machine."""
    command = ["ss", "-Htn", "state", "established", f"( dport = :{port} )"]
    return len(subprocess.run(command, capture_output=True, text=True, check=True)
               .stdout.splitlines())


@pytest.mark.main_path
def test_a_count_in_one_tab_shows_in_the_other(counter, open_live):
    one, two = (open_live(counter, "/counter") for _ in range(2))

    one.click(INCREMENT)
    expect_value(two, 1)
    two.click(INCREMENT)
    two.click(INCREMENT)
    expect_value(one, 3)
    one.click(DECREMENT)

    expect_value(one, 2)
    expect_value(two, 2)


@pytest.mark.main_path
def test_a_count_in_one_browser_shows_in_the_other(counter, open_live, other_context):
    here = open_live(counter, "/counter")
    there = open_live(counter, "/counter", other_context)

    here.click(INCREMENT)
    expect_value(there, 1)
    there.click(DECREMENT)
    there.click(DECREMENT)

    expect_value(here, -1)
    expect_value(there, -1)


def test_a_tab_opened_later_shows_the_current_value(counter, open_live):
    first = open_live(counter, "/counter")
    first.click(INCREMENT)
    expect_value(first, 1)

    second = open_live(counter, "/counter")

    expect_value(second, 1)


def test_twelve_tabs_are_in_sync_over_one_stream(start_server, open_live):
    server = start_server("--streams", "1")  # a second stream would be refused
    pages = [open_live(server, "/counter") for _ in range(12)]

    pages[0].click(INCREMENT)
    for page in pages:
        expect_value(page, 1)
    pages[11].click(INCREMENT)
    for page in pages:
        expect_value(page, 2)

    assert 1 <= connections(server.port) <= 6  # what HTTP/1.1 browsers allow


def test_a_tab_in_the_background_is_in_sync(counter, open_live):
    behind = open_live(counter, "/counter")
    front = open_live(counter, "/counter")
    front.bring_to_front()

    front.click(INCREMENT)

    expect_value(front, 1)
    expect_value(behind, 1)


def test_each_of_25_fast_clicks_counts(counter, open_live):
    clicked, other = (open_live(counter, "/counter") for _ in range(2))

    clicked.evaluate(
        "selector => { for (let i = 0; i < 25; i += 1) document.querySelector(selector).click(); }",
        INCREMENT,
    )

    expect_value(clicked, 25)
    expect_value(other, 25)


def test_each_click_of_a_fast_mouse_counts(counter, open_live):
    page = open_live(counter, "/counter")

    page.click(INCREMENT, click_count=25)

    expect_value(page, 25)
    expect(page.locator(INCREMENT)).to_be_enabled()


def test_clicks_on_both_buttons_in_two_browsers_add_up(counter, open_live, other_context):
    up = open_live(counter, "/counter")
    down = open_live(counter, "/counter", other_context)

    up.click(INCREMENT, click_count=12)
    down.click(DECREMENT, click_count=5)

    expect_value(up, 7)
    expect_value(down, 7)


@pytest.mark.main_path
def test_enter_and_space_press_the_focused_button_which_keeps_the_focus(counter, open_live):
    page = open_live(counter, "/counter")
    page.focus(INCREMENT)

    page.keyboard.press("Enter")
    page.keyboard.press("Space")

    expect_value(page, 2)
    expect(page.locator(INCREMENT)).to_be_focused()


def test_a_push_keeps_the_focus_of_another_window(counter, open_live):
    page, other = (open_live(counter, "/counter") for _ in range(2))
    page.focus(DECREMENT)

    other.click(INCREMENT)

    expect_value(page, 1)
    expect(page.locator(DECREMENT)).to_be_focused()


def test_changes_while_a_page_loads_are_not_lost(counter, open_live, context):
    other = open_live(counter, "/counter")
    page = context.new_page()
    scripts = []
    page.route("**/window.js*", lambda route: scripts.append(route))
    with page.expect_request("**/window.js*"):
        page.goto(counter.url + "/counter", wait_until="commit")
    expect_value(page, 0)

    other.click(INCREMENT)
    expect_value(other, 1)
    expect_value(page, 0)
    scripts[0].continue_()

    expect_value(page, 1)


@pytest.mark.parametrize("script, options", [
    ("window.js", []), ("overlay.js", ["--reload-templates"]), ("request.js", ["--reload-templates"]),
])
def test_a_page_whose_scripts_fail_to_load_shows_a_notice_and_works(start_server, page, script, options):
    counter = start_server(*options)  # with that option each module is a script of its own
    page.route(f"**/{script}", lambda route: route.abort())
    page.goto(counter.url + "/counter")

    expect(page.locator("#incomplete")).to_contain_text("could not be loaded")
    page.click(INCREMENT)  # as without JavaScript
    expect_value(page, 1)
    expect(page.locator("#incomplete")).to_contain_text("could not be loaded")
    page.unroute(f"**/{script}")
    page.get_by_role("button", name="Reload").click()

    expect(page.locator("html[data-live]")).to_be_attached()
    expect(page.locator("#connection")).to_be_hidden()


def test_the_home_page_links_to_the_counter(counter, open_live):
    page = open_live(counter, "/")

    page.click("main a[href='/counter']")

    expect(page).to_have_title("Counter")
    expect(page.locator("html[data-live]")).to_be_attached()
    page.click(INCREMENT)
    expect_value(page, 1)


# The last minute.


def sparkline(page):
    return page.locator(".sparkline")


def test_the_values_of_the_last_minute_are_drawn(counter, open_live):
    one, two = (open_live(counter, "/counter") for _ in range(2))
    expect(sparkline(one).locator("polyline")).to_be_hidden()

    two.click(INCREMENT)
    two.click(INCREMENT)

    expect_value(one, 2)
    expect(sparkline(one).locator("polyline")).to_be_visible()
    heights = [float(point.split(",")[1])
               for point in sparkline(one).locator("polyline").get_attribute("points").split()]
    assert heights == sorted(heights, reverse=True) and len(set(heights)) == 3

    one.reload()

    expect(sparkline(one).locator("polyline")).to_be_visible()


def test_values_are_not_drawn_after_a_minute(counter, open_live):
    page = open_live(counter, "/counter")
    page.clock.install()
    page.click(INCREMENT)
    expect(sparkline(page).locator("polyline")).to_be_visible()

    page.clock.fast_forward(61_000)

    expect(sparkline(page).locator("polyline")).to_be_hidden()


def test_values_stay_in_the_chart_when_the_clock_is_set_back(counter, open_live):
    page = open_live(counter, "/counter")
    now = time.time()
    page.clock.install(time=now)
    page.click(INCREMENT)
    expect(sparkline(page).locator("polyline")).to_be_visible()

    page.clock.set_system_time(now - 3_600)
    for value in [2, 3]:
        page.click(INCREMENT)
        expect_value(page, value)

    expect(sparkline(page).locator("polyline")).to_be_visible()
    points = sparkline(page).locator("polyline").get_attribute("points").split()
    assert max(float(point.split(",")[0]) for point in points) <= 240


def test_without_javascript_nothing_is_drawn(counter, plain):
    plain.goto(counter.url + "/counter")
    plain.click(INCREMENT)

    expect_value(plain, 1)
    expect(sparkline(plain).locator("polyline")).to_be_hidden()
