"""Pages whose paths have parameters, as the fixture's items have them: /items/:selected?"""

import re

import pytest
from playwright.sync_api import expect

from raw import get

GONE = "What you are looking for isn’t here any more. It may have been deleted."


@pytest.mark.main_path
def test_a_click_changes_the_path_in_place_and_back_returns(app, open_live):
    page = open_live(app, "/items/item-0?order=reverse")
    page.evaluate("document.body.dataset.kept = 'yes'")

    page.click("text=Item 1001")

    expect(page.locator("#detail")).to_have_text("Item 1001")
    expect(page).to_have_url(app.url + "/items/item-1?order=reverse")
    page.click("#forward")
    expect(page).to_have_url(app.url + "/items/item-1")
    expect(page.locator("#items li a").first).to_have_text("Item 1000")
    page.go_back()
    expect(page).to_have_url(app.url + "/items/item-1?order=reverse")
    page.go_back()
    expect(page.locator("#detail")).to_have_text("Item 1000")
    expect(page.locator("body[data-kept]")).to_be_attached()


def test_a_form_for_local_state_keeps_the_path(app, open_live):
    page = open_live(app, "/items/item-1")

    page.fill("[name=search]", "1001")

    expect(page.locator("#count")).to_have_text("1 items")
    expect(page).to_have_url(app.url + "/items/item-1?search=1001")
    expect(page.locator("#items a")).to_have_attribute("href", "/items/item-1?search=1001")


def test_without_javascript_links_and_forms_have_the_path(app, plain):
    plain.goto(app.url + "/items/item-0?order=reverse")

    plain.click("text=Item 1001")
    expect(plain).to_have_url(app.url + "/items/item-1?order=reverse")
    plain.fill("[name=search]", "100")
    plain.press("[name=search]", "Enter")
    expect(plain).to_have_url(re.compile(r"/items/item-1\?"))
    expect(plain.locator("#detail")).to_have_text("Item 1001")
    plain.click("text=Tick")
    expect(plain.locator("#ticks")).to_have_text("Ticks: 1")
    expect(plain.locator("#detail")).to_have_text("Item 1001")


@pytest.mark.main_path
def test_a_link_to_a_missing_item_shows_a_message_and_the_rest(app, context):
    page = context.new_page()

    page.goto(app.url + "/items/nobody?order=reverse")

    assert get(app, "/items/nobody?order=reverse").status == 404
    expect(page.get_by_role("status").filter(has_text=GONE)).to_be_visible()
    expect(page.locator("#items li")).to_have_count(3)
    expect(page.locator("html[data-live]")).to_be_attached()
    expect(page).to_have_url(app.url + "/items?order=reverse")
    page.click("text=Item 1001")
    expect(page).to_have_url(app.url + "/items/item-1?order=reverse")
    expect(page.get_by_text(GONE)).to_have_count(0)


def test_a_link_to_an_item_that_is_known_to_be_deleted_is_gone(app):
    answer = get(app, "/items/deleted-ant")

    assert answer.status == 410
    assert GONE in answer.text


def test_an_item_deleted_elsewhere_leaves_the_path(app, open_live):
    page, other = open_live(app, "/items/item-1"), open_live(app, "/fixture")

    other.click("text=Delete Item 1001")

    expect(page.locator("#detail")).to_have_text("Select an item")
    expect(page).to_have_url(app.url + "/items")


def test_a_link_to_another_page_is_followed(app, open_live):
    page = open_live(app, "/board")

    page.click("#item")

    expect(page).to_have_url(app.url + "/items/item-1")
    expect(page.locator("#detail")).to_have_text("Item 1001")
    expect(page).to_have_title("Fixture")


def test_a_missing_page_has_a_plain_headline(counter, page):
    answer = page.goto(counter.url + "/nothing")

    assert answer.status == 404
    expect(page.get_by_role("heading")).to_have_text("There’s nothing here.")
