"""Keyboard shortcuts of pages: they press visible elements, and a sheet lists them."""

import re

import pytest
from playwright.sync_api import expect

from pictures import file, png
from quakes_page import QUAKES

MAMMALS = "/animals?category=Mammal"


@pytest.fixture
def server(start_server):
    return start_server()


def dialog(page, name):
    return page.get_by_role("dialog", name=name)


@pytest.mark.main_path
def test_keys_press_the_elements_that_declare_them(server, open_live):
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


def test_keys_work_while_a_field_for_a_file_has_the_focus(server, open_live):
    """It has it after an upload, and then `u` did not undo that."""
    page = open_live(server, "/animals/Dog?category=Mammal")
    page.get_by_label("Add a picture").set_input_files(file(png()))
    expect(page.locator("#toast")).to_contain_text("Dog has a picture.")
    page.get_by_label("Change picture").focus()

    page.keyboard.press("u")

    expect(page.get_by_label("Add a picture")).to_be_attached()
    page.get_by_label("Add a picture").focus()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()


def test_a_key_plays_the_day_while_its_slider_has_the_focus(quakes, open_live):
    page = open_live(quakes, QUAKES)
    page.get_by_role("slider", name="Time of day").focus()

    page.keyboard.press("p")

    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def test_keys_and_searches_work_in_browsers_of_2023(server, context, open_live):
    """They do not have these yet."""
    context.add_init_script("delete Map.groupBy; delete Element.prototype.checkVisibility;")
    page = open_live(server, MAMMALS)

    page.keyboard.press("/")
    page.keyboard.type("dog")

    expect(page.locator("[data-list=animals] > li")).to_have_count(1)
    expect(page).to_have_url(re.compile("search=dog"))


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.both_ways
def test_an_animal_can_be_added_where_no_category_is_selected(server, open_page, width):
    page = open_page(server, "/animals")
    page.set_viewport_size({"width": width, "height": 800})
    expect(page.get_by_role("link", name="Add an animal")).to_be_visible()

    if open_page.is_live:
        page.keyboard.press("n")
    else:
        page.get_by_role("link", name="Add an animal").click()

    expect(dialog(page, "Add animal")).to_be_visible()


def test_a_key_that_is_held_down_counts_once(start_server, open_live):
    """It deleted row after row."""
    page = open_live(start_server(), "/animals/Dog?category=Mammal")
    page.evaluate("""() => {
      window.clicks = 0;
      document.addEventListener("click", () => (clicks += 1), { capture: true });
    }""")

    for _ in range(5):
        page.keyboard.down("Delete")
    page.keyboard.up("Delete")

    expect(page.locator("[data-list=animals] a")).to_have_text(["Cat", "Red kangaroo", "Southern gibbon"])
    assert page.evaluate("clicks") == 1


def test_the_delete_key_deletes_the_selected_row_and_the_row_with_the_focus(start_server, open_live):
    page = open_live(start_server(), "/animals/Dog?category=Mammal")
    names = page.locator("[data-list=animals] a")

    page.keyboard.press("Delete")
    expect(names).to_have_text(["Cat", "Red kangaroo", "Southern gibbon"])
    page.get_by_role("link", name="Cat", exact=True).focus()
    page.keyboard.press("Delete")

    expect(names).to_have_text(["Red kangaroo", "Southern gibbon"])
    expect(page.get_by_role("link", name="Red kangaroo", exact=True)).to_be_focused()


def test_keys_do_nothing_while_typing_or_in_an_open_dialog(server, open_live):
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
def test_browser_shortcuts_are_left_to_the_browser(server, open_live, modifier):
    page = open_live(server, "/animals/Dog?category=Mammal")
    page.evaluate("addEventListener('keydown', (event) => (window.taken = event.defaultPrevented))")

    page.keyboard.press(f"{modifier}+e")

    assert page.evaluate("window.taken") is False
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_keys_do_not_press_a_disabled_button(server, open_live):
    page = open_live(server, MAMMALS)
    page.locator("[data-list=animals] .delete").first.evaluate(
        "button => button.setAttribute('aria-disabled', 'true')"
    )
    page.get_by_role("link", name="Cat", exact=True).focus()

    page.keyboard.press("Delete")

    expect(page.get_by_role("link", name="Cat", exact=True)).to_be_focused()
    expect(page.locator("#toast")).to_be_hidden()


@pytest.mark.main_path
def test_a_sheet_lists_the_keys_of_the_current_page(server, open_live):
    page = open_live(server, "/animals/Dog?category=Mammal")

    page.keyboard.press("?")

    sheet = dialog(page, "Keyboard shortcuts")
    expect(sheet.locator("dl > div")).to_have_text([
        "/Search all animals", "nAdd an animal", "fFavorite Dog", "DelDelete Dog", "eEdit Dog",
        "↑↓Move in a list", "CtrlVPaste a picture", "EscClose a dialog or menu", "?Show this list",
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


def test_the_sheet_lists_the_keys_of_rows_before_one_is_chosen(server, open_live):
    """They were listed only once a row had the focus or was selected."""
    page = open_live(server, MAMMALS)
    entries = dialog(page, "Keyboard shortcuts").locator("dl > div")
    of_rows = ["fOn an animal: favorite", "DelOn an animal: delete"]

    page.keyboard.press("?")

    expect(entries).to_have_text([
        "/Search all animals", "nAdd an animal", "↑↓Move in a list", *of_rows,
        "EscClose a dialog or menu", "?Show this list",
    ])
    page.goto(server.url + MAMMALS + "&order=own")
    expect(page.locator("html[data-live]")).to_be_attached()
    page.keyboard.press("?")
    expect(entries.filter(has_text="On an animal")).to_have_text(
        [*of_rows, "Alt↑On an animal: move up", "Alt↓On an animal: move down"])
    page.goto(server.url + "/animals?favorites=true")
    expect(page.locator("html[data-live]")).to_be_attached()
    page.keyboard.press("?")
    expect(entries.first).to_be_visible()
    expect(entries.filter(has_text="On an animal")).to_have_count(0)  # none is a favorite


def test_the_sheet_names_the_command_key_of_a_mac(server, open_live, context):
    context.add_init_script("Object.defineProperty(navigator, 'platform', { value: 'MacIntel' })")
    page = open_live(server, "/animals/Dog?category=Mammal")

    page.keyboard.press("?")

    expect(dialog(page, "Keyboard shortcuts").locator("dl")).to_contain_text("⌘VPaste a picture")


def test_the_sheet_lists_no_keys_of_lists_that_are_not_shown(server, open_live):
    page = open_live(server, "/animals/Dog?category=Mammal")
    page.set_viewport_size({"width": 390, "height": 700})

    page.keyboard.press("?")

    expect(dialog(page, "Keyboard shortcuts").locator("dl > div")).to_have_text([
        "fFavorite Dog", "eEdit Dog", "CtrlVPaste a picture", "EscClose a dialog or menu", "?Show this list"])


@pytest.mark.main_path
@pytest.mark.parametrize("size", [(1280, 800), (390, 700)])
def test_a_button_below_the_page_lists_the_keys(server, open_live, size):
    page = open_live(server, MAMMALS)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    button = page.get_by_role("button", name="Keyboard shortcuts")

    button.click()

    sheet = dialog(page, "Keyboard shortcuts")
    expect(sheet.get_by_label("Use single-key shortcuts on this device")).to_be_checked()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()


def test_the_button_for_keys_does_not_make_a_page_with_panes_scroll(server, open_live):
    page = open_live(server, MAMMALS)
    page.set_viewport_size({"width": 1280, "height": 800})

    expect(page.get_by_role("button", name="Keyboard shortcuts")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.scrollingElement.scrollHeight - innerHeight") <= 0


def test_the_keys_of_a_hidden_timeline_do_not_work(quakes, open_live):
    empty = "/quakes?date=2018-01-01&time=UTC"
    page = open_live(quakes, empty)
    expect(page.locator(".unavailable")).to_be_visible()

    page.keyboard.press("p")
    page.keyboard.press("?")

    sheet = dialog(page, "Keyboard shortcuts")
    expect(sheet).to_contain_text("Search places")
    expect(sheet).not_to_contain_text("Play the day")
    expect(sheet).not_to_contain_text("time of day")
    expect(page.locator(".play[data-playing]")).to_have_count(0)


def test_keys_can_be_switched_off(server, open_live):
    page = open_live(server, "/counter")
    page.keyboard.press("+")
    expect(page.locator(".value")).to_have_text("Value: 1")
    page.keyboard.press("?")
    page.get_by_label("Use single-key shortcuts on this device").uncheck()
    page.get_by_role("button", name="Close").click()

    for window in [page, open_live(server, "/counter")]:
        window.keyboard.press("+")
        window.get_by_role("button", name="Decrement").click()

    expect(page.locator(".value")).to_have_text("Value: -1")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)  # it is a single key too
    page.get_by_role("button", name="Keyboard shortcuts").click()
    page.get_by_label("Use single-key shortcuts on this device").check()
    page.keyboard.press("Escape")
    page.keyboard.press("+")
    expect(page.locator(".value")).to_have_text("Value: 0")
