"""Keys that pages declare: they press what is there, and a sheet lists them."""

import re

import pytest
from playwright.sync_api import expect

MAMMALS = "/animals?category=Mammal"


@pytest.fixture
def server(start_server):
    return start_server()


def dialog(page, name):
    return page.get_by_role("dialog", name=name)


@pytest.mark.main_path
def test_keys_press_what_declares_them(server, open_live):
    page = open_live(server, "/animals/Dog?category=Mammal")

    page.keyboard.press("e")
    expect(dialog(page, "Edit animal")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog(page, "Edit animal")).to_have_count(0)
    page.keyboard.press("n")
    expect(dialog(page, "Add animal")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog(page, "Add animal")).to_have_count(0)
    page.keyboard.press("/")

    expect(page.get_by_role("searchbox")).to_be_focused()


@pytest.mark.parametrize("width", [390, 1280])
def test_an_animal_can_be_added_where_no_category_is_selected(server, open_page, width):
    page = open_page(server, "/animals")
    page.set_viewport_size({"width": width, "height": 800})
    expect(page.get_by_role("link", name="Add an animal")).to_be_visible()

    if open_page.is_live:
        page.keyboard.press("n")
    else:
        page.get_by_role("link", name="Add an animal").click()

    expect(dialog(page, "Add animal")).to_be_visible()


def test_the_delete_key_deletes_the_selected_row_and_the_row_with_the_focus(start_server, open_live):
    page = open_live(start_server(), "/animals/Dog?category=Mammal")
    names = page.locator("[data-list=animals] a")

    page.keyboard.press("Delete")
    expect(names).to_have_text(["Cat", "Red kangaroo", "Southern gibbon"])
    page.get_by_role("link", name="Cat", exact=True).focus()
    page.keyboard.press("Delete")

    expect(names).to_have_text(["Red kangaroo", "Southern gibbon"])
    expect(page.get_by_role("link", name="Red kangaroo", exact=True)).to_be_focused()


def test_keys_do_nothing_while_somebody_types_or_a_dialog_is_open(server, open_live):
    page = open_live(server, "/animals/Dog?category=Mammal")
    search = page.get_by_role("searchbox")
    search.focus()

    page.keyboard.type("ne?/")

    expect(search).to_have_value("ne?/")
    expect(page.get_by_role("dialog")).to_have_count(0)
    search.fill("")
    page.goto(server.url + "/animals/Dog?category=Mammal&sheet=reload")
    expect(dialog(page, "Reload sample data?").get_by_role("link", name="Cancel")).to_be_focused()
    page.keyboard.press("n")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_have_count(1)
    expect(page).to_have_url(re.compile("sheet=reload"))


@pytest.mark.parametrize("modifier", ["Control", "Alt", "Meta"])
def test_keys_of_the_browser_are_left_to_it(server, open_live, modifier):
    page = open_live(server, "/animals/Dog?category=Mammal")
    page.evaluate("addEventListener('keydown', (event) => (window.taken = event.defaultPrevented))")

    page.keyboard.press(f"{modifier}+e")

    assert page.evaluate("window.taken") is False
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_what_waits_is_not_pressed(server, open_live):
    page = open_live(server, MAMMALS)
    page.locator("[data-list=animals] .delete").first.evaluate(
        "button => button.setAttribute('aria-disabled', 'true')"
    )
    page.get_by_role("link", name="Cat", exact=True).focus()

    page.keyboard.press("Delete")

    expect(page.get_by_role("link", name="Cat", exact=True)).to_be_focused()
    expect(page.locator("#toast")).to_be_hidden()


@pytest.mark.main_path
def test_a_sheet_lists_the_keys_of_what_is_there(server, open_live):
    page = open_live(server, "/animals/Dog?category=Mammal")

    page.keyboard.press("?")

    sheet = dialog(page, "Keyboard shortcuts")
    expect(sheet.locator("dl > div")).to_have_text([
        "/Search all animals", "nAdd an animal", "fFavorite Dog", "DelDelete Dog", "eEdit Dog",
        "↑↓Move in a list", "EscClose a dialog or menu", "?Show this list",
    ])
    expect(sheet.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    page.goto(server.url + "/counter")
    expect(page.locator("html[data-live]")).to_be_attached()
    page.keyboard.press("?")
    expect(sheet.locator("dl > div")).to_have_text([
        "-Decrement", "+Increment", "EscClose a dialog or menu", "?Show this list",
    ])


def test_keys_can_be_switched_off(server, open_live):
    page = open_live(server, "/counter")
    page.keyboard.press("+")
    expect(page.locator(".value")).to_have_text("Value: 1")
    page.keyboard.press("?")
    page.get_by_label("Single keys work on this device").uncheck()
    page.get_by_role("button", name="Close").click()

    for window in [page, open_live(server, "/counter")]:
        window.keyboard.press("+")
        window.get_by_role("button", name="Decrement").click()

    expect(page.locator(".value")).to_have_text("Value: -1")
    page.keyboard.press("?")
    page.get_by_label("Single keys work on this device").check()
    page.keyboard.press("Escape")
    page.keyboard.press("+")
    expect(page.locator(".value")).to_have_text("Value: 0")
