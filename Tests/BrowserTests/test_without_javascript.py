"""Everything works by links and forms alone."""

import re

import pytest
from playwright.sync_api import expect

ADD = "[data-form=add]"
NAME = f"{ADD} [name=name]"
BUTTON = f"{ADD} button"
INCREMENT = "[data-form=increment] button"
DECREMENT = "[data-form=decrement] button"


def expect_value(page, value):
    expect(page.locator(".value")).to_have_text(f"Value: {value}")


@pytest.mark.main_path
def test_the_counter_works(counter, plain):
    plain.goto(counter.url + "/")
    plain.click("main a")

    plain.click(INCREMENT)
    expect_value(plain, 1)
    plain.click(INCREMENT)
    expect_value(plain, 2)
    plain.click(DECREMENT)

    expect_value(plain, 1)
    expect(plain).to_have_url(counter.url + "/counter")


def test_a_post_is_answered_with_a_redirect(counter, plain):
    plain.goto(counter.url + "/counter")

    with plain.expect_response(lambda response: response.request.method == "POST") as posted:
        plain.click(INCREMENT)

    assert posted.value.status == 303
    assert posted.value.headers["location"] == "/counter"
    expect_value(plain, 1)


def test_a_reload_does_not_post_again(counter, plain):
    plain.goto(counter.url + "/counter")
    plain.click(INCREMENT)
    expect_value(plain, 1)

    plain.reload()

    expect_value(plain, 1)


def test_a_form_submitted_again_after_going_back_is_a_new_submission(counter, plain):
    plain.goto(counter.url + "/counter")
    plain.click(INCREMENT)
    expect_value(plain, 1)
    plain.goto(counter.url + "/")
    plain.go_back()
    expect(plain).to_have_url(counter.url + "/counter")

    plain.click(INCREMENT)

    expect_value(plain, 2)


def test_a_count_without_javascript_shows_in_live_windows(counter, plain, open_live):
    live = open_live(counter, "/counter")
    plain.goto(counter.url + "/counter")

    plain.click(INCREMENT)

    expect_value(live, 1)


def test_a_page_changes_only_when_it_is_loaded(counter, plain, open_live):
    plain.goto(counter.url + "/counter")
    live, other = (open_live(counter, "/counter") for _ in range(2))

    live.click(INCREMENT)

    expect_value(other, 1)
    expect_value(plain, 0)
    expect(other.locator("#live")).to_be_visible()
    expect(plain.locator("#live")).to_be_hidden()
    plain.reload()
    expect_value(plain, 1)


def test_a_lost_connection_is_not_noticed(counter, plain, open_live):
    plain.goto(counter.url + "/counter")
    live = open_live(counter, "/counter")

    counter.kill()

    expect(live.locator("#connection")).to_be_visible()
    expect(plain.locator("#connection")).to_be_hidden()


def test_a_post_while_the_server_is_away_is_not_sent_later(app, plain):
    plain.goto(app.url + "/fixture")
    plain.fill(NAME, "Fox")
    app.kill()
    plain.click(BUTTON, no_wait_after=True)
    expect(plain.locator(NAME)).to_have_count(0)  # the browser says that there is nothing
    app.start()

    plain.goto(app.url + "/fixture")
    expect(plain.locator("#count")).to_have_text("3 items")
    plain.fill(NAME, "Fox")
    plain.click(BUTTON)

    expect(plain.locator("#count")).to_have_text("4 items")
    expect(plain.locator("#items a").first).to_have_text("Fox")


def test_what_needs_a_script_is_not_offered(counter, plain):
    """Keys and their list, dragging, and restored drafts."""
    plain.goto(counter.url + "/animals/Dog?category=Mammal&order=own")

    expect(plain.get_by_role("button", name="Keyboard shortcuts")).to_have_count(0)
    expect(plain.locator("[data-grip]").first).to_be_hidden()
    plain.keyboard.press("n")
    expect(plain).to_have_url(counter.url + "/animals/Dog?category=Mammal&order=own")
    plain.get_by_role("link", name="Edit Dog").click()
    plain.get_by_label("Name", exact=True).fill("Wolf")
    plain.reload()
    expect(plain.get_by_label("Name", exact=True)).to_have_value("Dog")
    expect(plain.locator("[data-restored]")).to_be_empty()


def test_a_page_prints_all_of_its_content(counter, plain):
    plain.goto(counter.url + "/animals/Dog?category=Mammal")

    plain.emulate_media(media="print")

    expect(plain.get_by_role("heading", name="Dog", exact=True)).to_be_visible()
    expect(plain.get_by_role("link", name="Southern gibbon", exact=True)).to_be_visible()
    expect(plain.locator("button:visible, .button:visible, header.site:visible")).to_have_count(0)


@pytest.mark.main_path
def test_a_live_search_has_a_button_without_javascript(counter, plain):
    plain.goto(counter.url + "/quakes")

    plain.fill("[name=search]", "atlantis")
    plain.get_by_role("button", name="Search").click()

    expect(plain).to_have_url(re.compile("search=atlantis"))
    expect(plain.get_by_role("combobox", name="Search places")).to_have_value("atlantis")


def test_an_item_is_added_and_deleted(app, plain):
    plain.goto(app.url + "/fixture")

    plain.fill(NAME, "Item 0 <b>&")
    plain.click(BUTTON)
    expect(plain.locator("#items a").first).to_have_text("Item 0 <b>&")
    expect(plain.locator(NAME)).to_have_value("")
    plain.click("#items li:has-text('Item 1001') button")

    expect(plain.locator("#items a")).to_have_text(["Item 0 <b>&", "Item 1000", "Item 1002"])
    expect(plain).to_have_url(app.url + "/fixture")


def test_a_double_click_adds_once(app, plain):
    plain.goto(app.url + "/fixture")
    plain.fill(NAME, "Fox")

    plain.dblclick(BUTTON)

    expect(plain.locator("#count")).to_have_text("4 items")
    expect(plain.locator("#items a").first).to_have_text("Fox")


def test_an_empty_name_shows_the_page_with_the_message_and_the_input(app, plain):
    plain.goto(app.url + "/fixture")
    plain.fill(NAME, "  ")

    with plain.expect_response(lambda response: response.request.method == "POST") as posted:
        plain.click(BUTTON)

    assert posted.value.status == 422
    expect(plain.locator(ADD)).to_contain_text("Enter a name.")
    expect(plain.locator(NAME)).to_have_value("  ")
    expect(plain.locator("#count")).to_have_text("3 items")
    plain.fill(NAME, "Fox")
    plain.click(BUTTON)
    expect(plain.locator("#count")).to_have_text("4 items")
    expect(plain.locator(ADD)).not_to_contain_text("Enter a name.")


def test_a_duplicate_name_shows_the_page_with_the_message_and_the_input(app, plain):
    plain.goto(app.url + "/fixture?search=item&order=reverse")
    plain.fill(NAME, "Item 1001")

    with plain.expect_response(lambda response: response.request.method == "POST") as posted:
        plain.click(BUTTON)

    assert posted.value.status == 409
    expect(plain.locator(f"{ADD} [data-error]")).to_contain_text("this name already")
    expect(plain.locator(NAME)).to_have_value("Item 1001")
    expect(plain.locator("[data-form=delete] [data-error]").first).to_be_empty()
    expect(plain.locator("#items a").first).to_have_text("Item 1002")
    expect(plain.locator("[name=search]")).to_have_value("item")
    expect(plain).to_have_url(app.url + "/fixture?search=item&order=reverse")
    plain.fill(NAME, "Item 1009")
    plain.click(BUTTON)
    expect(plain.locator("#items a").first).to_have_text("Item 1009")
    expect(plain).to_have_url(app.url + "/fixture?search=item&order=reverse")


def test_refused_input_is_escaped(app, plain):
    name = "\"><script>alert(1)</script> \u0301"
    plain.goto(app.url + "/fixture")
    for _ in range(2):
        plain.fill(NAME, name)
        plain.click(BUTTON)

    expect(plain.locator(f"{ADD} [data-error]")).not_to_be_empty()
    expect(plain.locator(NAME)).to_have_value(name)
    expect(plain.locator("main script")).to_have_count(0)


def test_a_search_keeps_the_other_parameters(app, plain):
    plain.goto(app.url + "/fixture?order=reverse&selected=item-1")

    plain.fill("[type=search]", "100")
    plain.press("[type=search]", "Enter")

    expect(plain).to_have_url(re.compile("search=100"))
    expect(plain).to_have_url(re.compile("order=reverse"))
    expect(plain).to_have_url(re.compile("selected=item-1"))
    expect(plain.locator("[type=search]")).to_have_value("100")
    expect(plain.locator("#items a")).to_have_text(["Item 1002", "Item 1001", "Item 1000"])
    expect(plain.locator("#detail")).to_have_text("Item 1001")


def test_order_links_keep_the_other_parameters(app, plain):
    plain.goto(app.url + "/fixture?search=100&selected=item-1")

    plain.click("#reverse")
    expect(plain).to_have_url(re.compile("search=100"))
    expect(plain).to_have_url(re.compile("selected=item-1"))
    expect(plain.locator("#items a").first).to_have_text("Item 1002")
    plain.click("#forward")

    expect(plain).to_have_url(app.url + "/fixture?search=100&selected=item-1")
    expect(plain.locator("#items a").first).to_have_text("Item 1000")


def test_a_selected_row_is_marked(app, plain):
    plain.goto(app.url + "/fixture")

    plain.click("#items a >> text=Item 1001")

    expect(plain.locator("#items [aria-current=true]")).to_contain_text("Item 1001")
    expect(plain.locator("#items [aria-current]")).to_have_count(1)
    expect(plain.locator("#detail")).to_have_text("Item 1001")


def test_a_deleted_selection_redirects_to_the_url_without_it(app, plain):
    plain.goto(app.url + "/fixture?order=reverse&selected=item-1")

    plain.click("#items li:has-text('Item 1001') button")

    expect(plain).to_have_url(app.url + "/fixture?order=reverse")
    expect(plain.locator("#detail")).to_have_text("Select an item")
    expect(plain.locator("#items a")).to_have_text(["Item 1002", "Item 1000"])


def test_an_empty_search_shows_everything(app, plain):
    plain.goto(app.url + "/fixture?search=1001")

    plain.fill("[type=search]", "")
    plain.press("[type=search]", "Enter")

    expect(plain.locator("#items a")).to_have_count(3)
    expect(plain.locator("#reverse")).to_have_attribute("href", "?order=reverse")


@pytest.mark.parametrize("path", ["/", "/counter", "/animals"])
def test_nothing_stands_above_the_header(counter, plain, path):
    plain.goto(counter.url + path)

    assert plain.locator("header.site").bounding_box()["y"] == 0


def test_a_toast_shows_below_the_header_as_wide_as_the_page(counter, plain):
    plain.goto(counter.url + "/animals?category=Mammal")

    plain.get_by_role("button", name="Delete Cat").click()

    header, toast, page = [
        plain.locator(selector).bounding_box() for selector in ["header.site", "#toast", ".split"]]
    assert header["y"] == 0
    assert header["height"] <= toast["y"] <= page["y"] - toast["height"]
    assert (toast["x"], toast["width"]) == pytest.approx((page["x"], page["width"]), abs=1)
