"""Animals in many windows, with and without JavaScript: the behavior of the guide's components."""

import contextlib
import re
import secrets
import urllib.parse

import pytest
from playwright.sync_api import expect

from kinds import thorough
from raw import post

MAMMALS = "/animals?category=Mammal"
NAME = '<b>"x"</b> & é'
RETURN = 30_000  # a reconnection waits up to 15 s


@pytest.fixture
def actor(open_page, animals):
    """Opens a page in which something is done, with JavaScript and without."""
    return open_page.of(animals)


def button(page, name):
    """A button, or a link that looks like one."""
    return page.get_by_role("button", name=name, exact=True).or_(
        page.get_by_role("link", name=name, exact=True)
    )


def names(page):
    return page.locator("[data-list=animals] li a:first-child")


def expect_names(page, *expected):
    expect(names(page)).to_have_text(list(expected))


def fill(page, name, category=None, diet=None):
    page.get_by_label("Name", exact=True).fill(name)
    if category:
        page.get_by_label("Category", exact=True).select_option(category)
    if diet:
        page.get_by_label("Diet", exact=True).select_option(diet)


def delete(page, name):
    """Deletes it with the cross in its row."""
    page.locator("[data-list=animals]").get_by_role("button", name=f"Delete {name}", exact=True).click()


def save(page):
    page.get_by_role("button", name="Save", exact=True).click()


SAMPLES = ["Cat", "Dog", "Red kangaroo", "Southern gibbon"]


# Every action.


def test_an_animal_is_added(animals, actor, open_live):
    page, other = actor(MAMMALS), open_live(animals, MAMMALS)

    button(page, "Add an animal").click()
    expect(page.get_by_role("dialog", name="Add animal")).to_be_visible()
    fill(page, "Otter", diet="Carnivore")
    save(page)

    for window in [page, other]:
        expect_names(window, "Cat", "Dog", "Otter", "Red kangaroo", "Southern gibbon")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("heading", name="Otter")).to_be_visible()
    expect(page).to_have_url(re.compile("/animals/[^/?]+\\?category=Mammal$"))
    expect(other).to_have_url(animals.url + MAMMALS)


def test_an_animal_is_edited(animals, actor, open_live):
    page = actor("/animals/Kangaroo?category=Mammal")
    other = open_live(animals, "/animals/Kangaroo?category=Mammal")

    button(page, "Edit Red kangaroo").click()
    dialog = page.get_by_role("dialog", name="Edit animal")
    expect(dialog.get_by_label("Name", exact=True)).to_have_value("Red kangaroo")
    expect(dialog.get_by_label("Category", exact=True)).to_have_value("Mammal")
    expect(dialog.get_by_label("Diet", exact=True)).to_have_value("Herbivore")
    fill(page, "Wallaby", diet="Omnivore")
    save(page)

    for window in [page, other]:
        expect(window.get_by_role("heading", name="Wallaby")).to_be_visible()
        expect(window.get_by_role("definition")).to_have_text(["Mammal", "Omnivore"])
        expect_names(window, "Cat", "Dog", "Southern gibbon", "Wallaby")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_an_animal_moves_to_another_category(animals, actor, open_live):
    page = actor("/animals/Dog?category=Mammal&sheet=edit")
    other, birds = open_live(animals, MAMMALS), open_live(animals, "/animals?category=Bird")

    fill(page, "Dog", category="Bird")
    save(page)

    expect_names(other, "Cat", "Red kangaroo", "Southern gibbon")
    expect_names(birds, "Dog", "House sparrow")


def test_the_selected_animal_is_deleted(animals, actor, open_live):
    page = actor("/animals/Dog?category=Mammal")
    other = open_live(animals, "/animals/Dog?category=Mammal")

    page.locator("section[data-pane=detail]").get_by_role("button", name="Delete Dog").click()

    for window in [page, other]:
        expect_names(window, "Cat", "Red kangaroo", "Southern gibbon")
        expect(window.get_by_text("Select an animal")).to_be_visible()
        expect(window).to_have_url(animals.url + MAMMALS)


def test_what_happens_to_one_animal_does_not_show_at_another(animals, open_live):
    """The form of the animal before became that of the next one, with its progress."""
    page = open_live(animals, "/animals/Dog?category=Mammal")
    detail = page.locator("section[data-pane=detail]")
    posts = []
    page.route("**/animals/Dog*", lambda route: posts.append(route))

    detail.get_by_role("button", name="Delete Dog").click()
    expect(detail.get_by_role("button", name="Delete Dog")).to_be_disabled()
    page.get_by_role("link", name="Cat", exact=True).click()

    expect(detail.get_by_role("button", name="Delete Cat")).to_be_enabled()
    expect(detail.locator("[aria-busy]")).to_have_count(0)
    page.get_by_role("link", name="Dog", exact=True).click()
    expect(detail.get_by_role("button", name="Delete Dog")).to_be_disabled()
    posts[0].continue_()
    expect_names(page, "Cat", "Red kangaroo", "Southern gibbon")


@pytest.mark.parametrize("name, place", [("Delete Dog", "section[data-pane=detail]"),
                                         ("Delete House sparrow", "[data-list=animals]")])
def test_the_content_gets_the_focus_of_a_button_that_its_own_press_removes(animals, open_live, name, place):
    category = "Mammal" if "Dog" in name else "Bird"
    page = open_live(animals, f"/animals/Dog?category={category}")
    pressed = page.locator(place).get_by_role("button", name=name)

    pressed.focus()
    page.keyboard.press("Enter")

    expect(pressed).to_have_count(0)
    expect(page.locator("#content")).to_be_focused()


def test_an_animal_is_deleted_from_the_list(animals, actor, open_live):
    page, other = actor("/animals/Dog?category=Mammal"), open_live(animals, MAMMALS)

    delete(page, "Cat")

    for window in [page, other]:
        expect_names(window, "Dog", "Red kangaroo", "Southern gibbon")
    expect(page).to_have_url(animals.url + "/animals/Dog?category=Mammal")


def test_sample_data_are_reloaded(animals, actor, open_live):
    page, other = actor("/animals/Dog?category=Mammal"), open_live(animals, MAMMALS)
    delete(page, "Dog")
    expect_names(other, "Cat", "Red kangaroo", "Southern gibbon")

    button(page, "Reload sample data").click()
    expect(page.get_by_role("dialog", name="Reload sample data?")).to_be_visible()
    page.get_by_role("button", name="Yes, reload sample data").click()

    for window in [page, other]:
        expect_names(window, *SAMPLES)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_sheet_is_cancelled(animals, actor):
    page = actor("/animals/Dog?category=Mammal&sheet=edit")
    fill(page, "Wolf")

    page.get_by_role("link", name="Cancel").click()

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect_names(page, *SAMPLES)


def test_a_name_is_shown_as_it_was_typed(animals, actor, open_live):
    page, other = actor(MAMMALS + "&sheet=add"), open_live(animals, MAMMALS)
    fill(page, NAME, diet="Omnivore")
    save(page)
    expect_names(page, NAME, *SAMPLES)
    expect_names(other, NAME, *SAMPLES)

    other.get_by_role("link", name=NAME, exact=True).click()

    expect(other.get_by_role("heading", name=NAME)).to_be_visible()
    button(other, f"Edit {NAME}").click()
    expect(other.get_by_label("Name", exact=True)).to_have_value(NAME)
    other.get_by_role("link", name="Cancel").click()
    delete(other, NAME)
    expect(other.locator("#toast").get_by_role("status")).to_have_text(f"{NAME} deleted.")
    expect_names(other, *SAMPLES)


def test_the_page_opens_with_all_animals(actor):
    page = actor("/animals")

    samples = ["Cat", "Dog", "House sparrow", "Newt", "Red kangaroo", "Southern gibbon"]
    expect(names(page)).to_contain_text(samples)
    expect(page.get_by_role("heading", name="All animals")).to_be_visible()
    page.get_by_role("link", name="My order").click()
    expect(page).to_have_url(re.compile("/animals\\?order=own$"))
    button(page, "Move Dog up").click()
    expect(names(page)).to_contain_text(["Dog", "Cat", *samples[2:]])


def test_empty_panes_show_messages(animals, actor):
    page = actor("/animals")
    expect(page.get_by_text("Select an animal")).to_be_visible()

    page.get_by_role("link", name="Fish").click()

    expect(page.get_by_text("No animals in this category")).to_be_visible()


# Local state.


def test_the_selection_is_in_the_url(animals, open_live):
    page = open_live(animals, "/animals")

    page.get_by_role("link", name="Mammal", exact=True).click()
    page.get_by_role("link", name="Dog", exact=True).click()
    expect(button(page, "Edit Dog")).to_be_visible()
    expect(page).to_have_url(animals.url + "/animals/Dog?category=Mammal")
    page.reload()
    expect(button(page, "Edit Dog")).to_be_visible()
    current = page.locator("li[aria-current]")
    expect(current).to_have_text([re.compile("^Mammal"), re.compile("^Dog")])
    page.go_back()

    expect(page.get_by_text("Select an animal")).to_be_visible()
    expect(current).to_have_text([re.compile("^Mammal")])


def test_the_title_names_the_selection_and_follows_it(animals, actor, open_live):
    page = actor(MAMMALS)
    other = open_live(animals, "/animals/Kangaroo?category=Mammal")
    expect(page).to_have_title("Mammal · Animals")
    page.get_by_role("link", name="Red kangaroo", exact=True).click()
    expect(page).to_have_title("Red kangaroo · Animals")

    button(page, "Edit Red kangaroo").click()
    fill(page, "Wallaby")
    save(page)

    for window in [page, other]:
        expect(window).to_have_title("Wallaby · Animals")


@pytest.mark.main_path
def test_two_windows_select_for_themselves(animals, open_live):
    one, other = (open_live(animals, MAMMALS) for _ in range(2))

    one.get_by_role("link", name="Dog", exact=True).click()
    other.get_by_role("link", name="Cat", exact=True).click()

    expect(button(one, "Edit Dog")).to_be_visible()
    expect(button(other, "Edit Cat")).to_be_visible()


def test_a_missing_animal_is_removed_from_the_url(animals, actor):
    page = actor(MAMMALS + "&animal=Unicorn")

    expect(page).to_have_url(animals.url + MAMMALS)


def test_a_link_to_a_missing_animal_shows_a_message(animals, actor):
    page = actor("/animals/Unicorn?category=Mammal")

    expect(page.get_by_text("What you are looking for isn’t here any more.")).to_be_visible()
    expect(page.get_by_role("link", name="Dog", exact=True)).to_be_visible()
    expect(page).to_have_title("Mammal · Animals")


def test_the_path_of_an_animal_contains_its_id(animals, actor):
    page = actor("/animals?category=Mammal&animal=Dog")

    expect(page).to_have_url(animals.url + "/animals/Dog?category=Mammal")
    page.get_by_role("link", name="Cat", exact=True).click()
    expect(page).to_have_url(animals.url + "/animals/Cat?category=Mammal")
    expect(button(page, "Edit Cat")).to_be_visible()


# The history.


@pytest.mark.parametrize("way", ["Cancel twice", "Back", "Save", *thorough("Cancel", "Escape")])
def test_a_closed_sheet_leaves_no_history_entry(animals, open_live, way):
    page = open_live(animals, "/animals?category=Bird")
    page.get_by_role("link", name="Mammal").click()
    page.get_by_role("link", name="Dog", exact=True).click()
    expect(button(page, "Edit Dog")).to_be_visible()
    url = page.url

    button(page, "Edit Dog").click()
    dialog = page.get_by_role("dialog", name="Edit animal")
    expect(dialog).to_be_visible()
    if way == "Save":
        fill(page, "Wolf")
        save(page)
    elif way == "Cancel":
        page.get_by_role("link", name="Cancel").click()
    elif way == "Cancel twice":
        page.get_by_role("link", name="Cancel").dblclick()
    elif way == "Escape":
        page.keyboard.press("Escape")
    else:
        page.go_back()
    expect(dialog).to_have_count(0)
    expect(page).to_have_url(url)
    if way == "Save":
        expect(button(page, "Edit Wolf")).to_be_visible()
    elif way == "Cancel twice":  # the second click may be beside the sheet, which takes the focus
        expect(button(page, "Edit Dog")).to_be_visible()
    else:
        expect(button(page, "Edit Dog")).to_be_focused()

    if way != "Back":  # which leaves it for Forward
        page.evaluate("history.forward()")
    page.evaluate("history.back()")

    expect(page.get_by_text("Select an animal")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_url(animals.url + MAMMALS)


@pytest.mark.main_path
def test_back_and_forward_skip_closed_sheets(animals, open_live):
    page = open_live(animals, "/animals?category=Bird")
    page.evaluate(SHOWN)
    page.get_by_role("link", name="Mammal").click()
    for name in ["Dog", "Cat"]:
        page.get_by_role("link", name=name, exact=True).click()
        for _ in range(2):
            button(page, f"Edit {name}").click()
            page.get_by_role("link", name="Cancel").click()
            expect(page.get_by_role("dialog")).to_have_count(0)
            expect(button(page, f"Edit {name}")).to_be_visible()
    urls = ["/animals?category=Bird", MAMMALS, "/animals/Dog?category=Mammal",
            "/animals/Cat?category=Mammal"]

    page.evaluate("sheets = []")
    for url in reversed(urls[:-1]):
        page.evaluate("history.back()")
        expect(page).to_have_url(animals.url + url)
    for url in urls[1:]:
        page.evaluate("history.forward()")
        expect(page).to_have_url(animals.url + url)

    expect(button(page, "Edit Cat")).to_be_visible()
    page.evaluate("history.forward()")  # there is nothing
    page.evaluate("history.back()")
    expect(button(page, "Edit Dog")).to_be_visible()
    assert page.evaluate("sheets") == []


# The sheets that have shown.
SHOWN = """() => {
  window.sheets = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) {
      if (node.matches?.("dialog") || node.querySelector?.("dialog")) sheets.push(node.outerHTML);
    }
  }).observe(document.body, { childList: true, subtree: true });
}"""


def test_closing_a_sheet_opened_by_url_replaces_its_history_entry(animals, open_live):
    page = open_live(animals, MAMMALS + "&sheet=add")
    length = page.evaluate("history.length")

    page.get_by_role("link", name="Cancel").click()

    expect(page).to_have_url(animals.url + MAMMALS)
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("history.length") == length


# The editor.


@pytest.mark.main_path
def test_save_is_disabled_until_every_field_has_something(animals, open_live):
    page = open_live(animals, MAMMALS + "&sheet=add")
    button = page.get_by_role("button", name="Save", exact=True)
    expect(button).to_be_disabled()

    fill(page, "Otter")
    expect(button).to_be_disabled()
    fill(page, "Otter", diet="Carnivore")
    expect(button).to_be_enabled()
    fill(page, "   ")
    expect(button).to_be_disabled()
    page.get_by_label("Category", exact=True).select_option("")
    fill(page, "Otter")

    expect(button).to_be_disabled()


def test_without_javascript_a_refused_form_keeps_its_input(animals, plain):
    plain.goto(animals.url + MAMMALS + "&sheet=add")
    plain.evaluate("document.querySelector('dialog form').noValidate = true")
    fill(plain, "Otter", category="Bird", diet="")

    with plain.expect_response(lambda response: response.request.method == "POST") as posted:
        save(plain)

    assert posted.value.status == 422
    expect(plain.get_by_text("Select a diet.")).to_be_visible()
    expect(plain.get_by_label("Name", exact=True)).to_have_value("Otter")
    expect(plain.get_by_label("Category", exact=True)).to_have_value("Bird")
    diet = plain.get_by_label("Diet", exact=True)
    expect(diet).to_have_attribute("aria-invalid", "true")
    expect(diet).to_have_accessible_description("Select a diet.")
    fill(plain, "Otter", diet="Omnivore")
    save(plain)
    plain.goto(animals.url + "/animals?category=Bird")
    expect_names(plain, "House sparrow", "Otter")


@pytest.mark.main_path
def test_an_open_editor_keeps_typed_input_and_reports_a_conflict(animals, open_live):
    page = open_live(animals, "/animals/Dog?category=Mammal")
    button(page, "Edit Dog").click()
    name = page.get_by_label("Name", exact=True)
    name.fill("Wolfhound")
    name.evaluate("field => field.setSelectionRange(4, 4)")
    other = open_live(animals, "/animals/Dog?category=Mammal&sheet=edit")

    fill(other, "Wolf", diet="Omnivore")
    save(other)

    expect(page.get_by_text("Someone else has changed the name to “Wolf” and the diet to Omnivore.")).to_be_visible()
    expect(page.get_by_role("group", name="Someone else changed this to Wolf")).to_be_visible()
    expect(name).to_have_value("Wolfhound")
    expect(name).to_be_focused()
    assert name.evaluate("field => field.selectionStart") == 4
    expect(page.get_by_label("Diet", exact=True)).to_have_value("Omnivore")
    expect(page.get_by_role("dialog").get_by_role("group")).to_have_count(1)
    expect(button(page, "Save")).to_be_disabled()
    page.get_by_role("radio", name="Keep mine").check()
    save(page)
    expect_names(other, "Cat", "Red kangaroo", "Southern gibbon", "Wolfhound")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_an_open_editor_keeps_its_input_when_its_animal_is_deleted(animals, open_live):
    page = open_live(animals, "/animals/Dog?category=Mammal")
    button(page, "Edit Dog").click()
    page.get_by_label("Category", exact=True).select_option("Bird")
    other = open_live(animals, MAMMALS)

    delete(other, "Dog")

    expect(page.get_by_text("This animal has been deleted in another window.")).to_be_visible()
    for label, value in [("Name", "Dog"), ("Category", "Bird"), ("Diet", "Carnivore")]:
        expect(page.get_by_label(label, exact=True)).to_have_value(value)
    save(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.goto(animals.url + "/animals?category=Bird")
    expect_names(page, "Dog", "House sparrow")


def test_an_open_editor_outlives_its_animal(animals, open_live):
    page = open_live(animals, "/animals/Dog?category=Mammal")
    button(page, "Edit Dog").click()
    name = page.get_by_label("Name", exact=True)
    name.fill("Wolf")
    other = open_live(animals, MAMMALS)

    delete(other, "Dog")

    expect(page.get_by_text("This animal has been deleted in another window.")).to_be_visible()
    expect(page.get_by_role("dialog", name="Add animal")).to_be_visible()
    expect(name).to_have_value("Wolf")
    expect(name).to_be_focused()
    fill(page, "Wolf", category="Mammal", diet="Carnivore")
    save(page)
    for window in [page, other]:
        expect_names(window, "Cat", "Red kangaroo", "Southern gibbon", "Wolf")


@pytest.mark.parametrize("typed", ["Wolf", *thorough(None)])
def test_an_open_editor_can_add_its_deleted_animal_again(animals, open_live, typed):
    page = open_live(animals, "/animals/Dog?category=Mammal")
    button(page, "Edit Dog").click()
    if typed:
        page.get_by_label("Name", exact=True).fill(typed)
    other = open_live(animals, MAMMALS)

    delete(other, "Dog")

    expect(page.get_by_text("This animal has been deleted in another window.")).to_be_visible()
    for label, value in {"Name": typed or "Dog", "Category": "Mammal", "Diet": "Carnivore"}.items():
        expect(page.get_by_label(label, exact=True)).to_have_value(value)
    save(page)
    for window in [page, other]:
        expect_names(window, *sorted(["Cat", typed or "Dog", "Red kangaroo", "Southern gibbon"]))


def test_a_double_click_on_save_adds_one(animals, open_live):
    page = open_live(animals, MAMMALS + "&sheet=add")
    fill(page, "Otter", diet="Carnivore")

    page.get_by_role("button", name="Save", exact=True).dblclick()

    expect_names(page, "Cat", "Dog", "Otter", "Red kangaroo", "Southern gibbon")


def test_a_form_sent_twice_adds_one(animals, open_live):
    body = "_form=save&_token=same&name=Otter&category=Mammal&diet=Carnivore"
    targets = []
    for _ in range(2):
        with animals.connection() as connection:
            connection.request(
                "POST", MAMMALS + "&sheet=add", body,
                {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "none"},
            )
            response = connection.getresponse()
            assert response.status == 303
            targets.append(response.headers["Location"])

    assert targets[0] == targets[1]
    assert re.fullmatch("/animals/[^/?]+\\?category=Mammal", targets[0])
    page = open_live(animals, MAMMALS)

    expect_names(page, "Cat", "Dog", "Otter", "Red kangaroo", "Southern gibbon")


# Keyboard.


def test_a_list_is_one_tab_stop_navigated_by_arrow_keys(animals, open_live):
    page = open_live(animals, "/animals/Dog?category=Mammal")
    link = lambda name: page.get_by_role("link", name=name, exact=True)
    link("Mammal").focus()

    for key, name in [
        ("ArrowUp", "Invertebrate"), ("Home", "All animals"), ("ArrowUp", "All animals"),
        ("End", "Reptile"), ("ArrowDown", "Reptile"), ("Tab", "Reload sample data"),
        ("Tab", "Add an animal"), ("Tab", "By name"), ("Tab", "My order"), ("Tab", "Dog"),
        ("Tab", "Favorite Dog"), ("Tab", "Delete Dog"),
        ("ArrowDown", "Delete Red kangaroo"), ("Shift+Tab", "Favorite Red kangaroo"),
        ("Shift+Tab", "Red kangaroo"), ("ArrowUp", "Dog"), ("Tab", "Favorite Dog"),
        ("Tab", "Delete Dog"), ("Tab", "Favorite Dog"), ("Tab", "Add a picture"),
        ("Tab", "Edit Dog"), ("Shift+Tab", "Add a picture"),
        ("Shift+Tab", "Favorite Dog"), ("Shift+Tab", "Delete Dog"),
    ]:
        page.keyboard.press(key)
        # Some are in the row and in the detail.
        expect(button(page, name).and_(page.locator(":focus"))).to_be_visible()


def test_a_list_stays_one_tab_stop_after_pushes(animals, open_live):
    page, other = open_live(animals, MAMMALS), open_live(animals, MAMMALS + "&sheet=add")
    stops = page.locator("[data-list=animals] :is(a, .delete):not([tabindex])")
    expect(stops).to_have_text(["Cat", "×"])
    fill(other, "Aardvark", diet="Omnivore")
    save(other)
    expect_names(page, "Aardvark", *SAMPLES)
    expect(stops).to_have_text(["Cat", "×"])

    delete(other, "Cat")
    expect_names(page, "Aardvark", "Dog", "Red kangaroo", "Southern gibbon")
    button(page, "My order").focus()
    page.keyboard.press("Tab")

    expect(button(page, "Aardvark")).to_be_focused()
    expect(stops).to_have_text(["Aardvark", "×"])


def test_everything_works_by_keyboard(animals, open_live):
    page = open_live(animals, MAMMALS)

    def press_until(role, name, limit=60):
        target = page.get_by_role(role, name=name, exact=True)
        for _ in range(limit):
            if target.evaluate("element => element === document.activeElement"):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{name} is not reached by Tab")

    press_until("link", "Add an animal")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    page.keyboard.type("Otter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("Carn")
    press_until("button", "Save")
    page.keyboard.press("Enter")
    expect_names(page, "Cat", "Dog", "Otter", "Red kangaroo", "Southern gibbon")
    expect(page.get_by_role("link", name="Add an animal")).to_be_focused()

    press_until("link", "Otter")
    for key, name in [("ArrowUp", "Dog"), ("ArrowUp", "Cat"), ("ArrowDown", "Dog"), ("ArrowDown", "Otter")]:
        page.keyboard.press(key)
        expect(page.get_by_role("link", name=name, exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(button(page, "Edit Otter")).to_be_visible()
    press_until("link", "Edit Otter")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("link", name="Edit Otter")).to_be_focused()

    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_accessible_name("Delete Otter")
    page.keyboard.press("Enter")
    expect_names(page, *SAMPLES)


@pytest.mark.main_path
def test_a_sheet_is_as_high_as_its_content(animals, open_live):
    """WebKit stretched it to the height of the window."""
    page = open_live(animals, MAMMALS + "&sheet=add")
    heights = []

    for height in [720, 1000]:
        page.set_viewport_size({"width": 1100, "height": height})
        heights.append(page.get_by_role("dialog").bounding_box()["height"])

    assert heights[0] == pytest.approx(heights[1], abs=1)


@pytest.mark.main_path
@pytest.mark.parametrize("way", ["link", "address"])
def test_the_caret_of_an_editor_starts_after_the_name(animals, open_live, way):
    page = open_live(animals, "/animals/Dog?category=Mammal" + ("&sheet=edit" if way == "address" else ""))
    if way == "link":
        button(page, "Edit Dog").click()
    expect(page.get_by_label("Name", exact=True)).to_be_focused()

    page.keyboard.type("fish")

    expect(page.get_by_label("Name", exact=True)).to_have_value("Dogfish")


@pytest.mark.main_path
def test_a_lost_connection_shows_above_a_sheet(animals, open_live):
    """It lay under the sheet's backdrop, dimmed, and out of the reach of screen readers."""
    page = open_live(animals, MAMMALS + "&sheet=add")
    notice = page.locator("#connection")
    is_on_top = """notice => {
      const { left, right, top, bottom } = notice.getBoundingClientRect();
      return notice.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    }"""
    fill(page, "Otter", diet="Carnivore")

    animals.kill()

    expect(notice).to_contain_text("Connection lost.")
    assert notice.evaluate(is_on_top)
    save(page)
    expect(page.locator("[data-queued]")).to_contain_text("is sent automatically")
    assert page.locator("[data-queued]").evaluate(is_on_top)
    animals.start()
    expect(page.get_by_role("dialog")).to_have_count(0, timeout=RETURN)
    expect_names(page, "Cat", "Dog", "Otter", "Red kangaroo", "Southern gibbon")
    expect(page.locator("body > #connection")).to_be_hidden()


@pytest.mark.main_path
def test_a_sheet_keeps_the_focus_inside(animals, open_live):
    page = open_live(animals, "/animals/Dog?category=Mammal&sheet=edit")
    expect(page.get_by_label("Name", exact=True)).to_be_focused()

    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "document.activeElement === document.body"
            " || document.querySelector('dialog').contains(document.activeElement)"
        )


# Restarts.


@pytest.mark.parametrize("end", ["terminate", *thorough("kill")])
def test_a_restart_keeps_data_windows_and_typing(animals, open_live, end):
    page, other = open_live(animals, MAMMALS + "&sheet=add"), open_live(animals, MAMMALS)
    fill(page, "Otter", diet="Carnivore")
    save(page)
    expect_names(other, "Cat", "Dog", "Otter", "Red kangaroo", "Southern gibbon")
    button(page, "Add an animal").click()
    fill(page, "Half a na")

    getattr(animals, end)()
    animals.start()

    for window in [page, other]:
        expect(window.locator("html[data-live]")).to_be_attached(timeout=RETURN)
        expect_names(window, "Cat", "Dog", "Otter", "Red kangaroo", "Southern gibbon")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Half a na")
    expect(page.get_by_role("dialog", name="Add animal")).to_be_visible()
    fill(page, "Narwhal", diet="Carnivore")
    save(page)
    expect(names(other).filter(has_text="Narwhal")).to_be_visible()


@pytest.mark.parametrize("end", ["terminate", *thorough("kill")])
def test_a_change_queued_during_a_restart_is_not_refused(animals, open_live, end):
    """It came before the catalog had been read, and "had been deleted in the meantime"."""
    page = open_live(animals, "/animals/Dog?category=Mammal&sheet=edit")
    fill(page, "Dingo")
    getattr(animals, end)()
    expect(page.locator("#connection")).to_contain_text("Connection lost.")
    save(page)
    expect(page.locator("[data-queued]")).to_be_visible()

    animals.start()

    expect(page.get_by_role("dialog")).to_have_count(0, timeout=RETURN)
    expect_names(page, "Cat", "Dingo", "Red kangaroo", "Southern gibbon")


def test_a_post_before_any_page_was_opened_is_carried_out(animals):
    answer = post(animals, "/animals/Dog?category=Mammal", "_form=deleteInDetail&animalId=Dog")

    assert answer.status == 200, answer.text


def test_sigterm_ends_with_status_zero_and_frees_the_database(animals):
    assert animals.terminate() == 0

    assert sorted(path.name for path in animals.data.iterdir()) == [
        "animals.store",
        "pictures",
        "quakes.store",
    ]


def test_no_page_scrolls_sideways(animals, open_live):
    for path in ["", "?category=Mammal", "/Dog?category=Mammal&sheet=edit"]:
        page = open_live(animals, "/animals" + path)
        for width in [320, 400, 704, 768, 800, 1200]:
            page.set_viewport_size({"width": width, "height": 700})

            root = "document.documentElement"
            assert page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth"), (path, width)


def test_a_narrow_window_opens_with_the_categories_and_none_chosen(actor):
    page = actor("/animals")
    chosen = page.locator("[data-list=categories] > [aria-current]")
    other = page.locator("[data-list=categories] > li").filter(has_text="Mammal")
    color = "row => getComputedStyle(row).backgroundColor"
    text = "row => ['a', '.count'].map((part) => getComputedStyle(row.querySelector(part)).color)"
    expect(chosen).to_contain_text("All animals")
    assert chosen.evaluate(color) != "rgba(0, 0, 0, 0)"

    page.set_viewport_size({"width": 390, "height": 844})

    expect(names(page).first).to_be_hidden()
    expect(button(page, "Add an animal")).to_be_visible()
    expect(page.get_by_role("heading", name="All animals")).to_be_hidden()
    assert chosen.evaluate(color) == "rgba(0, 0, 0, 0)"
    assert chosen.evaluate(text) == other.evaluate(text)
    page.emulate_media(forced_colors="active")
    assert chosen.evaluate(color) == other.evaluate(color)
    assert chosen.evaluate(text) == other.evaluate(text)
    page.emulate_media(forced_colors="none")
    page.get_by_role("link", name="All animals").click()
    expect(names(page).first).to_be_visible()


def test_the_panes_are_side_by_side_where_there_is_room(animals, open_live):
    page = open_live(animals, "/animals/Dog?category=Mammal")

    for width, panes in [(1200, 3), (768, 3), (704, 3), (600, 1), (320, 1)]:
        page.set_viewport_size({"width": width, "height": 900})

        boxes = [pane.bounding_box() for pane in page.locator(".pane:visible").all()]
        assert len(boxes) == panes, width
        assert len({box["y"] for box in boxes}) == 1, width
        for one, other in zip(boxes, boxes[1:]):
            assert one["x"] + one["width"] <= other["x"] + 1, width


# Changes of others, and names that are taken.

EDITING = "/animals/Dog?category=Mammal&sheet=edit"


def test_untouched_fields_keep_other_users_changes(animals, actor, open_live):
    page, other = actor(EDITING), open_live(animals, EDITING)
    fill(page, "Wolf")
    fill(other, "Dog", diet="Omnivore")
    save(other)
    expect(other.get_by_role("definition")).to_have_text(["Mammal", "Omnivore"])

    save(page)

    for window in [page, other]:
        expect(window.get_by_role("heading", name="Wolf")).to_be_visible()
        expect(window.get_by_role("definition")).to_have_text(["Mammal", "Omnivore"])


@pytest.mark.main_path
@pytest.mark.parametrize("open_page, choice", [
    ("live", "Keep mine"), ("plain", "Take theirs"), *thorough(("live", "Take theirs"), ("plain", "Keep mine")),
], indirect=["open_page"])
def test_the_last_to_save_resolves_fields_that_both_users_changed(
    animals, actor, open_live, choice
):
    page, other = actor(EDITING), open_live(animals, EDITING)
    fill(page, "Wolf", diet="Omnivore")
    fill(other, "Hound")
    save(other)
    expect(other.get_by_role("heading", name="Hound")).to_be_visible()

    if actor.is_live:
        # The message above the fields is also shown beside the field that it is about.
        expect(button(page, "Save")).to_be_disabled()
        said = page.get_by_text("Someone else has changed the name to “Hound”.")
        expect(said).to_have_class("hint change hidden")
    else:
        save(page)
        expect(page.locator(".change")).to_be_hidden()
        expect(page.get_by_text("“Hound”. Choose which to keep.")).to_be_visible()

    expect(page.get_by_label("Name", exact=True)).to_have_value("Wolf")
    expect(page.get_by_role("group", name="Someone else changed this to Hound")).to_be_visible()
    expect(other.get_by_role("heading", name="Hound")).to_be_visible()
    page.get_by_role("radio", name=choice).click()
    if actor.is_live and choice == "Take theirs":
        expect(page.get_by_label("Name", exact=True)).to_have_value("Hound")
        expect(page.get_by_role("dialog").get_by_role("group")).to_have_count(0)
    save(page)
    name = "Hound" if choice == "Take theirs" else "Wolf"
    for window in [page, other]:
        expect(window.get_by_role("heading", name=name)).to_be_visible()
        expect(window.get_by_role("definition")).to_have_text(["Mammal", "Omnivore"])


def test_without_javascript_a_conflicting_edit_can_be_saved_anyway(animals, plain, open_live):
    plain.goto(animals.url + EDITING)
    other = open_live(animals, EDITING)
    fill(plain, "Wolf")
    fill(other, "Hound")
    save(other)
    expect(other.get_by_role("heading", name="Hound")).to_be_visible()

    save(plain)
    plain.get_by_role("button", name="Save anyway").click()

    expect(other.get_by_role("heading", name="Wolf")).to_be_visible()


@pytest.mark.main_path
def test_a_duplicate_name_shows_a_warning(animals, actor):
    page = actor("/animals?category=Bird&sheet=add")
    anyway = page.get_by_role("button", name="Save anyway")
    fill(page, "CAT", diet="Omnivore")
    expect(anyway).to_be_hidden()

    save(page)

    expect(page.get_by_role("alert")).to_have_text("There is already an animal called “Cat” (Mammal).")
    expect(page.get_by_label("Name", exact=True)).to_have_value("CAT")
    anyway.click()
    expect_names(page, "CAT", "House sparrow")
    expect(page.get_by_role("heading", name="CAT", exact=True)).to_be_visible()


@pytest.mark.main_path
def test_a_duplicate_name_shows_a_warning_before_it_is_saved(animals, open_live):
    page = open_live(animals, "/animals?category=Bird")
    button(page, "Add an animal").click()
    warning = page.get_by_text("There is already an animal called “Cat” (Mammal).")
    name, diet = (page.get_by_label(label, exact=True) for label in ["Name", "Diet"])
    fill(page, "cat", diet="Omnivore")

    diet.focus()

    expect(warning).to_be_visible()
    expect(page.get_by_role("button", name="Save anyway")).to_be_visible()
    expect(name).to_have_value("cat")
    name.fill("Kiwi")
    length = page.evaluate("history.length")
    save(page)  # what moves while it is pressed would not be clicked
    expect_names(page, "House sparrow", "Kiwi")
    expect(page).to_have_url(re.compile("/animals/[^/?]+\\?category=Bird$"))
    assert page.evaluate("history.length") == length


def test_a_pasted_name_that_is_too_long_is_not_cut_silently(animals, context, open_live, pytestconfig):
    if pytestconfig.option.engine == "webkit":
        pytest.skip("WebKit lets no test write to its clipboard")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = open_live(animals, "/animals?category=Mammal&sheet=add")
    name = page.get_by_label("Name", exact=True)
    message = page.locator("[data-field-error]")

    def paste(text):
        page.evaluate("text => navigator.clipboard.writeText(text)", text)
        name.press("ControlOrMeta+v")

    paste("Otter" * 40 + "\n")  # it fits
    expect(name).to_have_value("Otter" * 40)
    expect(message).to_have_count(0)
    name.press("ControlOrMeta+a")
    paste("Lion" * 50)  # instead of the old text
    expect(name).to_have_value("Lion" * 50)
    expect(message).to_have_count(0)

    paste("Cat")

    expect(message).to_have_text("Only 200 characters fit here. The end of what you pasted is missing.")
    expect(name).to_have_accessible_description(re.compile("Only 200 characters"))
    expect(name).to_be_focused()
    name.press("Backspace")
    expect(message).to_have_count(0)
    expect(name).to_have_value("Lion" * 49 + "Lio")

    paste("Cat")
    expect(message).to_have_count(1)
    name.press("ControlOrMeta+a")
    paste("Cat")  # it fits
    expect(name).to_have_value("Cat")
    expect(message).to_have_count(0)
    expect(name).not_to_have_attribute("aria-invalid", "true")


def test_a_sheet_with_a_typed_name_closes_like_any_other(animals, open_live):
    page = open_live(animals, "/animals?category=Bird")
    button(page, "Add an animal").click()
    fill(page, "cat")
    page.get_by_label("Diet", exact=True).focus()
    expect(page.get_by_text("There is already an animal called “Cat”")).to_be_visible()
    length = page.evaluate("history.length")

    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_url(animals.url + "/animals?category=Bird")
    assert page.evaluate("history.length") == length
    button(page, "Add an animal").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("cat")
    assert page.evaluate("history.length") == length


def test_without_javascript_only_a_warning_can_be_saved_anyway(animals, plain):
    dialog = plain.get_by_role("dialog")
    alert, anyway = dialog.get_by_role("alert"), dialog.get_by_role("button", name="Save anyway")
    plain.goto(animals.url + "/animals?category=Bird&sheet=add")
    fill(plain, "Cat", diet="Omnivore")
    save(plain)
    expect(alert).to_have_text(re.compile("There is already an animal"))
    expect(anyway).to_be_visible()

    plain.goto(animals.url + EDITING)
    fill(plain, "Wolf")
    deleted = post(animals, "/animals", "_form=deleteInDetail&animalId=Dog", Accept="text/html")
    assert deleted.status == 303
    save(plain)

    expect(alert).to_have_text("This animal has been deleted in the meantime.")
    expect(anyway).to_be_hidden()


def test_enter_does_not_save_anyway(animals, open_live):
    page = open_live(animals, "/animals?category=Bird&sheet=add")
    fill(page, "Cat", diet="Omnivore")

    for _ in range(2):
        page.get_by_label("Name", exact=True).press("Enter")
        expect(page.get_by_role("alert")).to_have_text(re.compile("There is already an animal"))
        expect(page.locator("form[aria-busy]")).to_have_count(0)  # the alert may be that of before
    fill(page, "Kiwi")
    page.get_by_label("Name", exact=True).press("Enter")

    expect_names(page, "House sparrow", "Kiwi")


# The whole catalog.


def counts(page):
    return page.locator("[data-list=categories] .count")


def test_counts_follow_other_users_changes(animals, actor, open_live):
    page = open_live(animals, "/animals")
    expect(counts(page)).to_have_text(
        [re.compile(f"^{count} in ") for count in [6, 0, 1, 1, 0, 0, 4, 0]]
    )
    other = actor("/animals?category=Fish&sheet=add")

    fill(other, "Carp", diet="Omnivore")
    save(other)

    expect(counts(page)).to_have_text(
        [re.compile(f"^{count} in ") for count in [7, 0, 1, 1, 1, 0, 4, 0]]
    )


@pytest.mark.main_path
def test_all_animals_are_searched(animals, actor):
    page = actor("/animals/Dog?category=Mammal")

    page.get_by_role("searchbox", name="Search all animals").fill("KANG")
    if not actor.is_live:
        page.get_by_role("button", name="Search").click()

    expect(page.get_by_role("heading", name="All animals")).to_be_visible()
    expect(names(page)).to_have_text(["Red kangaroo Mammal"])
    expect(page.get_by_text("1 of 6")).to_be_visible()
    expect(page).to_have_url(re.compile("/animals/Dog\\?.*\\ball=true&.*\\bsearch=KANG$"))
    expect(page.locator("li[aria-current]")).to_have_text([re.compile("^All animals")])
    page.get_by_role("link", name="Bird", exact=True).click()
    expect_names(page, "House sparrow")
    expect(page.get_by_role("searchbox")).to_have_value("")


def test_a_search_without_results_shows_a_message_and_a_link_back(animals, actor):
    page = actor("/animals?all=true&search=zz")
    expect(page.get_by_text("No animals match “zz”")).to_be_visible()

    page.get_by_role("link", name="Show all animals").click()

    expect(page.get_by_text("6 animals")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_have_value("")
    expect(page).to_have_url(animals.url + "/animals?all=true")


def test_a_search_for_a_category_offers_it_and_marks_what_it_finds(animals, actor):
    """Who searched for “bird” was told that no animals match."""
    page = actor("/animals?all=true&search=bird")
    expect(page.get_by_text("No animals match “bird”")).to_be_visible()

    page.get_by_role("link", name="Category: Bird").click()

    expect_names(page, "House sparrow")
    expect(page).to_have_url(animals.url + "/animals?category=Bird")
    page.goto(animals.url + "/animals?all=true&search=re")
    expect(page.locator("mark")).to_have_text(["Re"])
    expect(page.get_by_role("link", name="Category: Reptile")).to_be_visible()


def test_a_search_keeps_the_focus_while_lists_change(animals, open_live):
    page = open_live(animals, "/animals")
    page.get_by_role("searchbox").focus()

    page.keyboard.type("cat")
    expect(names(page)).to_have_text(["Cat Mammal"])
    page.keyboard.type("s")

    expect(page.get_by_text("No animals match “cats”")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_be_focused()
    expect(page.get_by_role("searchbox")).to_have_value("cats")


def test_an_empty_category_offers_to_add_an_animal(animals, actor):
    page = actor("/animals?category=Fish")

    page.get_by_role("link", name="Add the first one").click()

    expect(page.get_by_label("Category", exact=True)).to_have_value("Fish")
    fill(page, "Carp", diet="Omnivore")
    save(page)
    expect_names(page, "Carp")
    expect(page.get_by_role("link", name="Add the first one")).to_have_count(0)


def add(animals, name, category):
    with animals.connection() as connection:
        body = {"_form": "save", "_token": secrets.token_hex(8), "name": name, "category": category, "diet": "Omnivore"}
        connection.request(
            "POST", "/animals?sheet=add", urllib.parse.urlencode(body),
            {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "none"},
        )
        assert connection.getresponse().status == 303


@pytest.mark.main_path
def test_an_added_animal_is_selected_and_scrolled_to_in_its_window(animals, open_live):
    for number in range(30):
        add(animals, f"Finch {number:02}", "Bird")
    page, other = (open_live(animals, "/animals?category=Bird") for _ in range(2))
    other.get_by_role("link", name="Finch 03", exact=True).click()

    button(page, "Add an animal").click()
    fill(page, "Wren", diet="Carnivore")
    save(page)

    expect(page.get_by_role("heading", name="Wren")).to_be_visible()
    current = page.locator("[data-list=animals] [aria-current]")
    expect(current).to_have_text([re.compile("^Wren")])
    expect(current).to_be_in_viewport()
    list_box = page.locator("[data-list=animals]").bounding_box()
    row_box = current.bounding_box()
    assert row_box["y"] + row_box["height"] <= list_box["y"] + list_box["height"] + 1
    expect(names(other).filter(has_text="Wren")).to_be_attached()
    expect(other.get_by_role("heading", name="Finch 03")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(animals.url + "/animals?category=Bird")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_selected_category_is_scrolled_into_view_in_a_low_window(animals, page):
    page.set_viewport_size({"width": 1000, "height": 520})
    page.goto(animals.url + "/animals?category=Reptile")

    expect(page.locator("html[data-live]")).to_be_attached()

    expect(page.locator("[data-list=categories] > [aria-current]")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("width", [390, 320])
def test_on_a_phone_a_search_from_the_categories_shows_its_results(animals, open_live, width):
    page = open_live(animals, "/animals")
    page.set_viewport_size({"width": width, "height": 700})

    page.get_by_role("searchbox").press_sequentially("newt")

    expect(names(page)).to_have_text(["Newt Amphibian"])
    expect(page.get_by_role("searchbox")).to_be_focused()
    names(page).click()
    expect(page.get_by_role("heading", name="Newt")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_be_hidden()
    page.go_back()
    expect(page.get_by_role("searchbox")).to_have_value("newt")
    root = "document.documentElement"
    assert page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth")


@pytest.mark.parametrize("has_touch", [True, False])
def test_enter_in_a_search_puts_the_keyboard_of_a_phone_away(animals, browser, open_live, has_touch):
    """It stayed over what was found."""
    with contextlib.closing(browser.new_context(has_touch=has_touch)) as context:
        page = open_live(animals, "/animals", context)
        search = page.get_by_role("searchbox")
        search.fill("dog")

        search.press("Enter")

        expect_names(page, "Dog Mammal")
        if has_touch:
            expect(search).not_to_be_focused()
        else:
            expect(search).to_be_focused()


def wait_for_module(page, name):
    """Waits until a module of a component has run."""
    find = f"performance.getEntriesByType('resource').find((entry) => entry.name.endsWith('/{name}'))"
    page.wait_for_function(f"() => {find} !== undefined")
    page.evaluate(f"() => import({find}.name)")


def test_the_keyboard_goes_on_from_an_added_animal(animals, open_live):
    """The focus returned to the row that it had before, which was not the selected one any more."""
    page = open_live(animals, "/animals/Dog?category=Mammal")
    wait_for_module(page, "rows.js")
    names(page).filter(has_text="Dog").focus()

    page.keyboard.press("n")
    fill(page, "Otter", diet="Carnivore")
    page.keyboard.press("Enter")

    expect(names(page).filter(has_text="Otter")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(names(page).filter(has_text="Dog")).to_be_focused()
    page.keyboard.press("n")
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(names(page).filter(has_text="Dog")).to_be_focused()


class Pointer:
    """A pointer over the list of a page whose clock stands still, so that whatever it does is done at once."""

    def __init__(self, page, way):
        self.page, self.way = page, way
        self.pressed = None

    def rest(self, name):
        """Rests on the × of an animal. A finger will press there."""
        box = self.page.get_by_role("button", name=f"Delete {name}").bounding_box()
        self.x, self.y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if self.way == "mouse":
            self.page.mouse.move(self.x, self.y)

    def press(self):
        if self.way == "touch":
            if self.pressed == (self.x, self.y):  # or this tap could be the second of a double tap
                self.page.get_by_role("heading", name="Mammal").tap()
            self.pressed = self.x, self.y
            return self.page.touchscreen.tap(self.x, self.y)
        self.page.mouse.down()
        self.page.mouse.up()


@pytest.fixture(params=["mouse", "touch"])
def pointer(request, animals, browser):
    with contextlib.closing(browser.new_context(has_touch=request.param == "touch")) as context:
        page = context.new_page()
        page.clock.install(time=0)
        with page.expect_response("**/rows.js") as module:
            page.goto(animals.url + MAMMALS)
        page.evaluate("async (url) => { await import(url); }", module.value.url)
        page.clock.pause_at(3600)
        yield Pointer(page, request.param)


def add_elsewhere(animals, name):
    post(animals, "/animals", f"_form=save&_token={secrets.token_hex(8)}&name={name}&category=Mammal&diet=Carnivore")


def test_a_row_that_has_just_come_under_the_pointer_is_not_deleted(animals, pointer):
    """The press was meant for the animal that was there before another window added one."""
    page = pointer.page
    posts = []
    page.on("request", lambda request: request.method == "POST" and posts.append(request.url))
    pointer.rest("Cat")
    add_elsewhere(animals, "Ant")
    expect_names(page, "Ant", *SAMPLES)
    pointer.press()
    page.evaluate("fetch(location.href)")  # a request after it

    assert posts == []
    page.clock.run_for(600)
    pointer.press()
    expect_names(page, *SAMPLES)


def test_a_row_above_one_that_another_window_adds_is_deleted_at_once(animals, pointer):
    """A press on any × was ignored after any change, so that on a busy list nobody could delete by touch."""
    pointer.rest("Dog")
    add_elsewhere(animals, "Mole")
    expect_names(pointer.page, "Cat", "Dog", "Mole", "Red kangaroo", "Southern gibbon")

    pointer.press()

    expect_names(pointer.page, "Cat", "Mole", "Red kangaroo", "Southern gibbon")


def test_several_rows_are_deleted_from_the_same_place_at_once(pointer):
    """Only the row that was deleted last was expected to go. When an earlier one went, it was news."""
    page, held = pointer.page, []
    page.route("**/animals?*", lambda route: held.append(route), times=1)
    pointer.rest("Dog")
    with page.expect_request("**/animals?*"):
        pointer.press()
    pointer.rest("Cat")
    pointer.press()
    held[0].continue_()
    expect_names(page, "Red kangaroo", "Southern gibbon")

    pointer.press()

    expect_names(page, "Southern gibbon")


def test_a_row_that_another_window_deletes_moves_the_next_one(animals, open_live, pointer):
    pointer.rest("Cat")
    delete(open_live(animals, MAMMALS), "Cat")
    expect_names(pointer.page, *SAMPLES[1:])

    pointer.press()
    pointer.page.clock.run_for(600)
    pointer.page.get_by_role("button", name="Favorite Dog").click()  # whatever was posted is behind us

    expect(pointer.page.get_by_role("button", name="Favorite Dog", pressed=True)).to_be_visible()
    expect_names(pointer.page, *SAMPLES[1:])


@pytest.mark.usefixtures("loads_modules_again")
def test_rows_are_guarded_as_soon_as_their_script_can_be_loaded(animals, page):
    page.route("**/rows.js", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/rows.js")):
        page.goto(animals.url + "/animals")
    page.unroute("**/rows.js")

    with page.expect_response("**/rows.js"):
        page.get_by_role("link", name="Mammal", exact=True).click()


def test_on_a_phone_the_link_back_goes_back_in_the_history(animals, open_live):
    """It added an entry, so that the browser’s own Back led forward again."""
    page = open_live(animals, "/animals")
    page.set_viewport_size({"width": 390, "height": 700})
    wait_for_module(page, "panes.js")
    back = page.locator(".back:visible")
    page.get_by_role("link", name="Mammal").click()
    names(page).filter(has_text="Dog").click()
    expect(page.get_by_role("heading", name="Dog")).to_be_visible()

    back.click()
    expect(back).to_have_text("Categories")
    back.click()
    expect(back).to_have_count(0)

    expect(page).to_have_url(animals.url + "/animals")
    page.go_forward()
    page.go_forward()
    expect(page.get_by_role("heading", name="Dog")).to_be_visible()


@pytest.mark.parametrize("way", ["link", "back"])
def test_a_phone_shows_a_pane_from_its_top_and_finds_a_list_as_it_was_left(animals, open_live, way):
    """The page stayed scrolled, so that the picture and the name were above the screen; the way back led to the list's top."""
    for number in range(30):
        post(animals, "/animals", f"_form=save&_token={secrets.token_hex(8)}&name=Otter {number}&category=Mammal&diet=Carnivore")
    page = open_live(animals, MAMMALS)
    page.set_viewport_size({"width": 390, "height": 500})
    wait_for_module(page, "panes.js")
    otter = page.get_by_role("link", name="Otter 25", exact=True)
    page.get_by_role("heading", name="Mammal").click()  # WebKit goes back over what a page did without its user
    # In one task, so that the browser cannot tell of the scrolling before the user opens the pane.
    top = otter.evaluate("""(link) => {
        link.scrollIntoView({ behavior: "instant" });
        link.focus({ preventScroll: true });
        const top = scrollY;
        link.click();
        return top;
    }""")
    assert top > 500
    expect(page.get_by_role("heading", name="Otter 25")).to_be_visible()
    assert page.evaluate("scrollY") == 0
    expect(page.locator("#content")).to_be_focused()

    if way == "link":
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    else:
        page.go_back()

    expect(otter).to_be_focused()
    assert page.evaluate("scrollY") == pytest.approx(top, abs=1)
