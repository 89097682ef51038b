"""Windows of the fixture page: what pushes change and leave alone, and the state of each window."""

import re

import pytest
from playwright.sync_api import expect

from waiting import wait_until

TICK = "[data-form=tick] button"


@pytest.fixture
def ticker(app, open_live):
    """Ticks in a tab of its own; the value shows in every other."""
    tab = open_live(app, "/fixture")
    count = 0

    def tick(page, times=1):
        nonlocal count
        for _ in range(times):
            tab.click(TICK)
        count += times
        expect(page.locator("#ticks")).to_have_text(f"Ticks: {count}")

    return tick


def caret(page, selector):
    return page.evaluate(
        "s => { const f = document.querySelector(s); return [f.selectionStart, f.selectionEnd] }",
        selector,
    )


def defaults(page, selector):
    return page.evaluate("s => document.querySelector(s).defaultValue", selector)


def row(page, name):
    return page.locator("#items li", has=page.get_by_role("link", name=name, exact=True))


# MARK: Unaffected by pushes


@pytest.mark.main_path
@pytest.mark.parametrize("field", ["#draft", "#notes"])
def test_typed_text_and_caret_survive_pushes_and_the_default_follows(
    app, open_live, ticker, field
):
    page = open_live(app, "/fixture")
    page.fill(field, "half a sentence")
    page.evaluate("s => document.querySelector(s).setSelectionRange(5, 6)", field)

    ticker(page, 3)
    assert caret(page, field) == [5, 6]
    page.keyboard.type("the")
    ticker(page)

    expect(page.locator(field)).to_have_value("half the sentence")
    expect(page.locator(field)).to_be_focused()
    assert caret(page, field) == [8, 8]
    assert defaults(page, field) == "4"


@pytest.mark.parametrize("field", ["#draft", "#notes"])
def test_a_clean_field_shows_its_new_default(app, open_live, ticker, field):
    page = open_live(app, "/fixture")
    expect(page.locator(field)).to_have_value("0")

    ticker(page, 2)

    expect(page.locator(field)).to_have_value("2")


def test_a_clean_field_with_the_focus_keeps_its_caret(app, open_live, ticker):
    page = open_live(app, "/fixture")
    page.focus("#draft")
    page.evaluate("document.querySelector('#draft').setSelectionRange(0, 0)")

    ticker(page)

    expect(page.locator("#draft")).to_have_value("1")
    expect(page.locator("#draft")).to_be_focused()
    assert caret(page, "#draft") == [0, 0]


def test_text_typed_while_pushes_arrive_is_complete(app, open_live, context):
    page = open_live(app, "/fixture")
    other = open_live(app, "/fixture")
    page.focus("#draft")
    page.keyboard.press("Control+a")
    text = "the quick brown fox jumps over the lazy dog"

    for letter in text:
        other.evaluate("s => document.querySelector(s).click()", TICK)
        page.keyboard.type(letter)

    expect(page.locator("#ticks")).to_have_text(f"Ticks: {len(text)}")
    expect(page.locator("#draft")).to_have_value(text)


def test_an_open_details_stays_open_and_its_content_follows(app, open_live, ticker):
    page = open_live(app, "/fixture")
    page.click("#details summary")

    ticker(page)

    expect(page.locator("#details p")).to_have_text("Tick 1")
    expect(page.locator("#details p")).to_be_visible()


def test_a_closed_details_stays_closed(app, open_live, ticker):
    page = open_live(app, "/fixture")
    page.click("#details summary")
    page.click("#details summary")

    ticker(page)

    expect(page.locator("#details p")).to_be_hidden()


def test_scroll_positions_survive_pushes(app, open_live, ticker):
    page = open_live(app, "/fixture")
    page.set_viewport_size({"width": 500, "height": 200})
    page.fill("#notes", "\n".join(str(line) for line in range(100)))
    page.evaluate("""() => {
      document.querySelector("#notes").scrollTop = 150;
      document.scrollingElement.scrollTop = 120;
    }""")
    positions = """() => [document.querySelector("#notes").scrollTop,
                          document.scrollingElement.scrollTop]"""
    before = page.evaluate(positions)
    assert min(before) > 0

    ticker(page, 3)

    assert page.evaluate(positions) == before


def test_a_selection_of_text_survives_pushes(app, open_live, ticker):
    page = open_live(app, "/fixture")
    page.evaluate("getSelection().selectAllChildren(document.querySelector('#items li a'))")

    ticker(page)

    assert page.evaluate("String(getSelection())") == "Item 1000"


def test_a_row_keeps_its_element_and_focus_when_another_appears(app, open_live):
    page, other = (open_live(app, "/fixture") for _ in range(2))
    row(page, "Item 1001").get_by_role("link").focus()
    page.evaluate("document.querySelector('#items li').mine = true")

    other.fill("[data-form=add] [name=name]", "Item 0")
    other.click("[data-form=add] button")

    expect(page.locator("#items li")).to_have_count(4)
    expect(page.locator("#items li").first).to_contain_text("Item 0")
    expect(row(page, "Item 1001").get_by_role("link")).to_be_focused()
    assert page.evaluate("document.querySelectorAll('#items li')[1].mine")


# MARK: Local state


def test_local_state_belongs_to_its_window(app, open_live):
    one, two = (open_live(app, "/fixture") for _ in range(2))

    one.click("#reverse")

    expect(one).to_have_url(app.url + "/fixture?order=reverse")
    expect(one.locator("#items li").first).to_contain_text("Item 1002")
    expect(two).to_have_url(app.url + "/fixture")
    expect(two.locator("#items li").first).to_contain_text("Item 1000")


def test_windows_at_different_places_get_only_their_own_changes(app, open_live):
    whole = open_live(app, "/fixture")
    searching = open_live(app, "/fixture?search=1001")

    whole.fill("[data-form=add] [name=name]", "Item 1001b")
    whole.click("[data-form=add] button")
    expect(searching.locator("#items li")).to_have_count(2)
    expect(whole.locator("#items li")).to_have_count(4)
    whole.fill("[data-form=add] [name=name]", "Item 2000")
    whole.click("[data-form=add] button")

    expect(whole.locator("#items li")).to_have_count(5)
    expect(searching.locator("#items li")).to_have_count(2)
    expect(searching.locator("#count")).to_have_text("2 items")


def test_a_duplicated_tab_is_a_window_of_its_own(app, open_live, context):
    original = open_live(app, "/fixture?order=reverse")
    with context.expect_page() as opened:  # has a copy of its session storage, as a duplicate has
        original.evaluate("window.open(location.href)")
    duplicate = opened.value
    expect(duplicate.locator("html[data-live]")).to_be_attached()
    expect(duplicate.locator("#items li").first).to_contain_text("Item 1002")

    duplicate.click("#forward")
    expect(duplicate.locator("#items li").first).to_contain_text("Item 1000")
    duplicate.click(TICK)

    expect(original.locator("#ticks")).to_have_text("Ticks: 1")
    expect(duplicate.locator("#ticks")).to_have_text("Ticks: 1")
    expect(original.locator("#items li").first).to_contain_text("Item 1002")
    expect(original).to_have_url(app.url + "/fixture?order=reverse")


def test_a_window_id_is_in_no_html_url_or_storage(app, open_live, context):
    page = open_live(app, "/fixture")

    with page.expect_request(lambda request: request.method == "POST") as post:
        page.click(TICK)
    expect(page.locator("#ticks")).to_have_text("Ticks: 1")
    window = post.value.headers["x-window"]

    assert len(window) == 22
    assert window not in page.content()
    assert window not in page.url
    # The post is kept until it has been answered; its token, until its toast has come.
    stored = "{ ...localStorage, ...sessionStorage }"
    wait_until(lambda: page.evaluate(f"Object.keys({stored}).join()") in ["", "awaited"], "nothing else is stored")
    assert window not in page.evaluate(f"JSON.stringify({stored})")
    assert window not in page.evaluate("JSON.stringify(history.state)")
    assert window not in str(context.cookies())


def test_the_session_cookie_is_out_of_reach_of_scripts_and_other_sites(app, open_live, context):
    page = open_live(app, "/fixture")

    cookie = next(cookie for cookie in context.cookies() if cookie["name"] == "session")

    assert cookie["httpOnly"]
    assert cookie["sameSite"] == "Lax"
    assert "session" not in page.evaluate("document.cookie")


# MARK: Selection


def test_a_selected_row_is_highlighted_only_in_its_own_window(app, open_live):
    one, two = (open_live(app, "/fixture") for _ in range(2))

    row(one, "Item 1001").get_by_role("link").click()

    expect(row(one, "Item 1001")).to_have_attribute("aria-current", "true")
    expect(one.locator("#detail")).to_have_text("Item 1001")
    expect(one).to_have_url(app.url + "/fixture?selected=item-1")
    expect(one.locator("#items [aria-current]")).to_have_count(1)
    expect(two.locator("#items [aria-current]")).to_have_count(0)
    expect(two.locator("#detail")).to_have_text("Select an item")


def test_a_new_selection_moves_the_highlight(app, open_live):
    page = open_live(app, "/fixture?selected=item-0")
    expect(row(page, "Item 1000")).to_have_attribute("aria-current", "true")

    row(page, "Item 1002").get_by_role("link").click()

    expect(row(page, "Item 1002")).to_have_attribute("aria-current", "true")
    expect(page.locator("#items [aria-current]")).to_have_count(1)


def test_a_selection_survives_pushes_and_a_new_order(app, open_live, ticker):
    page = open_live(app, "/fixture?selected=item-0")

    ticker(page)
    page.click("#reverse")

    expect(page.locator("#items li").last).to_have_attribute("aria-current", "true")
    expect(page.locator("#items [aria-current]")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"order=reverse"))
    expect(page).to_have_url(re.compile(r"selected=item-0"))


def test_an_item_deleted_by_another_window_is_deselected(app, open_live):
    page = open_live(app, "/fixture?selected=item-1")
    other = open_live(app, "/fixture")
    length = page.evaluate("history.length")

    row(other, "Item 1001").get_by_role("button").click()

    expect(page.locator("#items li")).to_have_count(2)
    expect(page.locator("#detail")).to_have_text("Select an item")
    expect(page).to_have_url(app.url + "/fixture")
    expect(page.locator("#items [aria-current]")).to_have_count(0)
    assert page.evaluate("history.length") == length
    expect(other).to_have_url(app.url + "/fixture")


def test_a_deleted_selection_keeps_the_rest_of_the_local_state(app, open_live):
    page = open_live(app, "/fixture?search=item&order=reverse&selected=item-1")
    other = open_live(app, "/fixture")

    row(other, "Item 1001").get_by_role("button").click()

    expect(page.locator("#items li")).to_have_count(2)
    expect(page).to_have_url(app.url + "/fixture?search=item&order=reverse")
    expect(page.locator("[name=search]")).to_have_value("item")


def test_a_window_whose_selection_was_deleted_keeps_working(app, open_live, ticker):
    page = open_live(app, "/fixture?selected=item-1")
    other = open_live(app, "/fixture")
    row(other, "Item 1001").get_by_role("button").click()
    expect(page).to_have_url(app.url + "/fixture")

    ticker(page)
    row(page, "Item 1002").get_by_role("link").click()

    expect(page.locator("#detail")).to_have_text("Item 1002")
    expect(page).to_have_url(app.url + "/fixture?selected=item-2")


def test_a_row_deleted_in_its_own_window_disappears_everywhere(app, open_live):
    page, other = (open_live(app, "/fixture") for _ in range(2))

    row(page, "Item 1000").get_by_role("button").click()

    for window in (page, other):
        expect(window.locator("#items li")).to_have_count(2)
        expect(window.locator("#count")).to_have_text("2 items")


def test_an_empty_list_shows_a_message_until_an_item_is_added(app, open_live):
    page, other = (open_live(app, "/fixture") for _ in range(2))

    for name in ("Item 1000", "Item 1001", "Item 1002"):
        row(page, name).get_by_role("button").click()
        expect(row(page, name)).to_have_count(0)
    expect(other.get_by_text("No items")).to_be_visible()
    page.fill("[data-form=add] [name=name]", "Item 1")
    page.click("[data-form=add] button")

    for window in (page, other):
        expect(row(window, "Item 1")).to_be_visible()
        expect(window.get_by_text("No items")).to_have_count(0)
