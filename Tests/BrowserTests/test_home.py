"""The home page: two windows side by side, and the list of products."""

import re

import pytest
from playwright.sync_api import expect

from raw import request
from waiting import wait_until

INCREMENT = "[data-form=increment] button"


@pytest.fixture(autouse=True)
def frames_can_be_reached(pytestconfig):
    if pytestconfig.option.engine == "webkit":
        pytest.skip("the bridge to WebKit's driver reaches no frames")


def frames(page):
    return [page.frame_locator(f"iframe >> nth={number}") for number in range(2)]


def test_a_click_in_one_frame_shows_in_the_other(counter, open_live):
    page = open_live(counter, "/")
    one, two = frames(page)
    for frame in [one, two]:
        expect(frame.locator("html[data-live]")).to_be_attached()

    one.locator(INCREMENT).click()

    expect(two.locator(".value")).to_have_text("Value: 1")
    expect(page.locator("#latency")).to_have_text(re.compile(
        r"^The window you pressed showed it after \d+ ms, the other one after \d+ ms\.$"))


def test_the_frames_are_there_after_going_back_and_forward(counter, open_live):
    """Firefox took what it had of the page, as it is without a frame, and showed that it may not be in one."""
    page = open_live(counter, "/counter")
    page.get_by_role("link", name="ImmutableData").click()
    expect(frames(page)[0].locator(".value")).to_have_text("Value: 0")
    page.go_back()
    expect(page).to_have_title("Counter")
    page.locator(INCREMENT).click()
    expect(page.locator(".value")).to_have_text("Value: 1")

    page.go_forward()

    for frame in frames(page):
        expect(frame.locator("html[data-live]")).to_be_attached()
        expect(frame.locator(".value")).to_have_text("Value: 1")
        expect(frame.get_by_role("navigation")).to_have_count(0)


def test_without_javascript_both_frames_work(counter, plain):
    plain.goto(counter.url + "/")
    one, two = frames(plain)

    one.locator(INCREMENT).click()

    expect(one.locator(".value")).to_have_text("Value: 1")
    two.locator(INCREMENT).click()
    expect(two.locator(".value")).to_have_text("Value: 2")
    expect(plain.locator("#latency")).to_be_empty()  # nothing measures it


def test_a_page_in_a_frame_has_no_navigation(counter, open_live):
    page = open_live(counter, "/")

    for frame in frames(page):
        expect(frame.get_by_role("heading", name="Counter")).to_be_visible()
        expect(frame.get_by_role("navigation")).to_have_count(0)
    expect(page.get_by_role("navigation")).to_have_count(1)


def test_the_toast_of_another_page_is_not_repeated_in_the_frames(counter, open_live):
    page = open_live(counter, "/animals?category=Mammal")
    page.get_by_role("button", name="Delete Dog").click()
    expect(page.locator("#toast")).to_contain_text("Dog deleted.")

    page.get_by_role("link", name="ImmutableData").click()

    expect(page.locator("#toast")).to_contain_text("Dog deleted.")
    for frame in frames(page):
        expect(frame.locator("html[data-live]")).to_be_attached()
        expect(frame.locator(".toast:not([hidden])")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#toast")).to_contain_text("Dog is back.")


def test_a_lost_connection_is_told_once(counter, open_live):
    """Each frame told it too, and the three messages lay over each other."""
    page = open_live(counter, "/")
    for frame in frames(page):
        expect(frame.locator("html[data-live]")).to_be_attached()

    counter.kill()

    expect(page.locator("#connection")).to_be_visible()
    for frame in frames(page):
        expect(frame.locator("html:not([data-live])")).to_be_attached()
        expect(frame.locator("#connection")).to_be_hidden()


def test_a_button_opens_another_window(counter, open_page):
    page = open_page(counter, "/")

    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Open another window").click()

    expect(opened.value).to_have_title("Counter")


@pytest.mark.parametrize("headers, ancestors", [
    ({}, "'none'"), ({"Sec-Fetch-Dest": "document"}, "'none'"), ({"Sec-Fetch-Dest": "iframe"}, "'self'"),
])
def test_no_page_is_framed_by_others(counter, headers, ancestors):
    answer = request(counter, "GET", "/counter", None, headers)

    assert f"frame-ancestors {ancestors}" in answer.headers["Content-Security-Policy"]


# How far the page in a frame scrolls, both ways, and where its last button ends.
ROOM = """() => {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.scrollingElement;
  const buttons = [...document.querySelectorAll("button")].filter((button) => button.checkVisibility());
  const ends = buttons.map((button) => button.getBoundingClientRect().bottom);
  return [scrollWidth - clientWidth, scrollHeight - clientHeight, Math.max(...ends) <= clientHeight];
}"""
WIDTHS = [320, 390, 768, 844, 1280, 1920]


def expect_whole_frames(page, widths=WIDTHS):
    for frame in frames(page):
        expect(frame.locator(INCREMENT)).to_be_attached()
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        for frame in page.frames[1:]:
            wait_until(lambda: frame.evaluate(ROOM) == [0, 0, True], f"the frame has room in {width} pixels")


def test_frames_show_the_whole_counter(counter, open_page):
    page = open_page(counter, "/")

    expect_whole_frames(page)


@pytest.mark.parametrize("width, height", [(390, 844), (320, 568)])
def test_both_frames_are_on_the_screen_of_a_phone(counter, open_page, width, height):
    page = open_page(counter, "/")
    page.set_viewport_size({"width": width, "height": height})
    page.locator("iframe").first.scroll_into_view_if_needed()

    one, other = [frame.bounding_box() for frame in page.locator("iframe").all()]

    assert one["y"] == other["y"]
    assert one["x"] + one["width"] < other["x"]
    assert one["height"] <= height * 0.6


def test_frames_show_the_whole_counter_in_text_of_twice_the_size(counter, open_page):
    page = open_page(counter, "/")

    session = page.context.new_cdp_session(page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})

    expect_whole_frames(page)


def test_frames_show_a_long_number_whole(counter, open_live):
    page = open_live(counter, "/")
    for frame in page.frames[1:]:
        frame.evaluate("""() => {
          const number = document.querySelector(".number");
          number.textContent = "\\u2212999999";
          number.classList.add("long");
        }""")

    expect_whole_frames(page)
