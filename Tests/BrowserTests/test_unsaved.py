"""Unsaved input: it survives the closing of its form, and is forgotten once it is saved."""

import threading

import pytest
from playwright.sync_api import expect

from kinds import thorough
from test_animals import MAMMALS, button, expect_names, fill, save

EDITOR = "/animals/Dog?category=Mammal"
RETURN = 30_000  # a reconnection waits up to 15 s


def kept(page):
    return page.evaluate("sessionStorage.getItem('unsaved')")


def expect_draft(page, name, diet="Carnivore"):
    expect(page.locator("[data-restored]")).to_contain_text("Draft restored")
    expect(page.get_by_label("Name", exact=True)).to_have_value(name)
    expect(page.get_by_label("Diet", exact=True)).to_have_value(diet)


@pytest.mark.main_path
@pytest.mark.parametrize("way", ["reload", "Escape", "back"])
def test_a_half_typed_form_is_restored(animals, open_live, way):
    page = open_live(animals, EDITOR)
    button(page, "Edit Dog").click()
    fill(page, "Wolfh", diet="Omnivore")

    if way == "reload":
        page.reload()
    else:
        page.keyboard.press("Escape") if way == "Escape" else page.go_back()
        expect(page.get_by_role("dialog")).to_have_count(0)
        button(page, "Edit Dog").click()

    expect_draft(page, "Wolfh", "Omnivore")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_enabled()
    save(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect_names(page, "Cat", "Red kangaroo", "Southern gibbon", "Wolfh")
    assert kept(page) is None


def test_a_draft_of_a_new_animal_does_not_depend_on_the_selected_one(animals, open_live):
    page = open_live(animals, EDITOR + "&sheet=add")
    fill(page, "Otter", diet="Carnivore")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.get_by_role("link", name="Cat", exact=True).click()
    expect(page.get_by_role("heading", name="Cat", exact=True)).to_be_visible()
    button(page, "Add an animal").click()

    expect_draft(page, "Otter")


def test_a_restored_draft_enables_save(animals, open_live):
    page = open_live(animals, MAMMALS + "&sheet=add")
    fill(page, "Otter", diet="Carnivore")

    page.reload()

    expect_draft(page, "Otter")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_enabled()


def test_a_draft_can_be_discarded(animals, open_live):
    page = open_live(animals, EDITOR + "&sheet=edit")
    fill(page, "Wolfh", diet="Omnivore")
    page.reload()
    expect_draft(page, "Wolfh", "Omnivore")

    page.get_by_role("button", name="Discard").click()

    expect(page.get_by_label("Name", exact=True)).to_have_value("Dog")
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    expect(page.get_by_label("Diet", exact=True)).to_have_value("Carnivore")
    expect(page.locator("[data-restored]")).to_be_empty()
    assert kept(page) is None
    page.reload()
    expect(page.locator("html[data-live]")).to_be_attached()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Dog")


def test_cancelling_discards_the_draft(animals, open_live):
    page = open_live(animals, EDITOR)
    button(page, "Edit Dog").click()
    fill(page, "Wolfh")

    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    button(page, "Edit Dog").click()

    expect(page.get_by_label("Name", exact=True)).to_have_value("Dog")
    expect(page.locator("[data-restored]")).to_be_empty()


def test_cancel_in_a_new_tab_keeps_the_draft(animals, open_live, context):
    page = open_live(animals, EDITOR + "&sheet=edit")
    fill(page, "Wolfh")

    with context.expect_page():
        page.get_by_role("link", name="Cancel").click(modifiers=["ControlOrMeta"])

    page.reload()
    expect_draft(page, "Wolfh")


def test_a_draft_belongs_to_one_animal_and_one_tab(animals, open_live):
    page = open_live(animals, EDITOR + "&sheet=edit")
    fill(page, "Wolfh")

    page.goto(animals.url + "/animals/Cat?category=Mammal&sheet=edit")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Cat")
    page.goto(animals.url + EDITOR + "&sheet=add")
    expect(page.locator("html[data-live]")).to_be_attached()
    expect(page.get_by_label("Name", exact=True)).to_have_value("")
    other = open_live(animals, EDITOR + "&sheet=edit")
    expect(other.get_by_label("Name", exact=True)).to_have_value("Dog")

    page.goto(animals.url + EDITOR + "&sheet=edit")
    expect_draft(page, "Wolfh")


def test_a_draft_survives_a_push_and_shows_the_conflict(animals, open_live):
    page, other = open_live(animals, EDITOR), open_live(animals, EDITOR + "&sheet=edit")
    button(page, "Edit Dog").click()
    fill(page, "Wolfh")
    page.reload()
    expect_draft(page, "Wolfh")

    fill(other, "Dog", diet="Omnivore")
    save(other)

    expect(page.get_by_text("Someone else has changed the diet to Omnivore.")).to_be_visible()
    expect_draft(page, "Wolfh", "Omnivore")


@pytest.mark.parametrize("reloads", [False, True])
def test_a_save_that_waits_for_the_server_is_made_and_leaves_no_draft(animals, open_live, reloads):
    page = open_live(animals, MAMMALS + "&sheet=add")
    fill(page, "Otter", diet="Carnivore")
    animals.kill()
    save(page)
    expect(page.locator("[data-queued]")).to_be_visible()

    if reloads:
        page.goto("about:blank")
    animals.start()
    if reloads:
        page.goto(animals.url + MAMMALS + "&sheet=add")
    expect(page.get_by_role("dialog")).to_have_count(0, timeout=RETURN)

    expect_names(page, "Cat", "Dog", "Otter", "Red kangaroo", "Southern gibbon")
    assert kept(page) is None


def save_and_leave(page, name):
    """Saves in the sheet and leaves it; the post reaches the server when the sheet is gone."""
    posts = []
    page.route("**/animals/Dog*", lambda route: posts.append(route))
    button(page, "Edit Dog").click()
    fill(page, name)
    save(page)
    expect(page.locator("form[aria-busy=true]")).to_be_attached()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    posts[0].continue_()


def test_a_save_that_is_accepted_when_its_sheet_has_gone_leaves_no_draft(animals, open_live):
    page = open_live(animals, EDITOR)

    save_and_leave(page, "Wolfh")

    expect_names(page, "Cat", "Red kangaroo", "Southern gibbon", "Wolfh")
    page.wait_for_function("() => sessionStorage.getItem('posts') === null")
    button(page, "Edit Wolfh").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Wolfh")
    expect(page.locator("[data-restored]")).to_be_empty()
    assert kept(page) is None


@pytest.mark.parametrize("name, is_kept", [("Otter", False), ("Cat", True)])
def test_only_the_input_of_a_refused_save_is_kept_when_another_page_gets_the_answer(
    animals, open_live, name, is_kept
):
    """The input of an accepted one came back as a draft."""
    page = open_live(animals, MAMMALS + "&sheet=add")
    page.route("**/animals*", lambda route: None if route.request.method == "POST" else route.continue_())
    fill(page, name, diet="Carnivore")
    save(page)
    expect(page.locator("form[aria-busy=true]")).to_be_attached()

    page.goto(animals.url + "/counter")
    page.unroute_all()
    page.goto(animals.url + "/counter")
    page.wait_for_function("() => sessionStorage.getItem('posts') === null")

    assert (kept(page) is not None) == is_kept


def test_what_is_typed_after_a_save_is_kept(form, fake_server):
    """It was forgotten with the answer."""
    answers = threading.Event()

    def answer(post):
        answers.wait(10)
        return 200, {"version": 0}

    fake_server.answer = answer
    page = form('<input name="text"><button>Save</button>')
    page.fill("[name=text]", "posted")
    page.click("button")
    fake_server.wait(lambda: fake_server.posts, "the post")
    page.fill("[name=text]", "typed since")
    answers.set()
    expect(page.locator("form:not([aria-busy])")).to_be_attached()

    page.reload()

    expect(page.locator("[name=text]")).to_have_value("typed since")
    expect(page.locator("[data-restored]")).to_contain_text("Draft restored")


@pytest.mark.parametrize("secret", ["", '<input type="password">'])
def test_what_was_posted_is_not_kept(form, fake_server, secret):
    page = form(f'<input name="text">{secret}<button>Save</button>')
    page.fill("[name=text]", "posted")

    page.click("button")

    page.wait_for_function("() => sessionStorage.getItem('unsaved') === null")


def test_a_toast_tells_that_a_save_was_refused_when_its_sheet_has_gone(animals, open_live):
    page = open_live(animals, EDITOR)

    save_and_leave(page, "Cat")

    expect(page.locator("#toast [role=status]")).to_contain_text("was not accepted")
    button(page, "Edit Dog").click()
    expect_draft(page, "Cat")


@pytest.fixture
def form(live, fake_server):
    """A form of a fake page, with whatever fields."""
    def open_form(fields):
        fake_server.content["/"] = (
            '<div data-unsaved="id"><form method="post" data-form="note">'
            f'<input type="hidden" name="id" value="1">{fields}<p data-restored></p></form></div>')
        return live("/")
    return open_form


def test_passwords_and_hidden_fields_are_never_kept(form):
    page = form('<input type="password" name="secret"><input type="hidden" name="hidden">'
                '<input name="plain"><textarea name="text"></textarea>'
                '<input type="checkbox" name="urgent" value="yes">')
    page.locator("[name=secret]").fill("geheim")
    page.evaluate("""() => {
      const field = document.querySelector("[name=hidden]");
      field.value = "verborgen";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }""")
    assert kept(page) is None
    page.locator("[name=plain]").fill("a")
    page.locator("[name=text]").fill("b\nc")
    page.locator("[name=urgent]").check()

    text = kept(page)

    assert "geheim" not in text and "verborgen" not in text
    page.reload()
    expect(page.locator("[name=plain]")).to_have_value("a")
    expect(page.locator("[name=text]")).to_have_value("b\nc")
    expect(page.locator("[name=urgent]")).to_be_checked()
    expect(page.locator("[name=secret]")).to_have_value("")


@pytest.mark.parametrize("choice, default", [
    ("b", ""), ("a", "b"), ("c", "a"), *thorough(("a", ""), ("c", ""), ("a", "c"), ("b", "a"), ("b", "c"), ("c", "b"))])
def test_a_chosen_radio_button_is_restored(form, choice, default):
    """If another one was chosen by default, none was chosen then, and Save stayed disabled."""
    radios = "".join(
        f'<input type="radio" name="size" value="{value}" required{" checked" if value == default else ""}>'
        for value in "abc")
    page = form(f"{radios}<button data-complete>Save</button>")
    page.locator(f"[value={choice}]").check()

    page.reload()

    expect(page.locator("[data-restored]")).to_contain_text("Draft restored")
    expect(page.locator(f"[value={choice}]")).to_be_checked()
    expect(page.get_by_role("button", name="Save")).to_be_enabled()
    page.get_by_role("button", name="Discard").click()
    expect(page.locator(":checked")).to_have_count(1 if default else 0)
    if default:
        expect(page.locator(f"[value={default}]")).to_be_checked()


def test_drafts_are_bounded_and_the_oldest_is_evicted_first(form):
    page = form('<textarea name="text"></textarea>')
    text = page.locator("[name=text]")
    for number in range(1, 5):
        page.evaluate("""number => {
          const form = document.querySelector("form");
          const other = form.cloneNode(true);
          other.elements.id.value = number;
          form.replaceWith(other);
        }""", str(number))
        text.fill(f"{number}" * 10_000)

    lengths = page.evaluate("""JSON.parse(sessionStorage.getItem("unsaved"))
      .map(([, { text }]) => [text[0], text.length])""")

    assert lengths == [["2", 10_000], ["3", 10_000], ["4", 10_000]]
    text.fill("x" * 40_000)
    assert page.evaluate("(sessionStorage.getItem('unsaved') ?? '').length") <= 32_000
