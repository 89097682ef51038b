"""What a window is told about what was done in it, Undo, and who else is here."""

import re

import pytest
from playwright.sync_api import expect

from quakes_page import QUAKES, TONGA, choose, expect_selected, row
from raw import get


@pytest.fixture
def animals(start_server):
    return start_server()


@pytest.fixture
def actor(open_page, animals):
    """Opens a page in which something is done, with JavaScript and without."""
    return open_page.of(animals)


def delete_dog(page):
    page.locator("[data-list=animals]").get_by_role("button", name="Delete Dog").click()


@pytest.mark.main_path
def test_a_delete_is_told_where_it_was_done_and_undone(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    other = open_live(animals, "/animals?category=Mammal")
    toast = page.locator("#toast")
    dog = other.get_by_role("link", name="Dog", exact=True)

    delete_dog(page)
    expect(toast.get_by_role("status")).to_have_text("Dog deleted.")
    expect(dog).to_have_count(0)
    expect(other.locator("#toast")).to_be_hidden()
    toast.get_by_role("button", name="Undo").click()

    expect(dog).to_be_visible()
    expect(page.get_by_role("link", name="Dog", exact=True)).to_be_visible()
    expect(page.locator("[data-list=animals] > [data-key=Dog]")).to_be_visible()  # the same id
    expect(toast.get_by_role("status")).to_have_text("Dog is back.")
    expect(toast.get_by_role("button", name="Undo")).to_be_hidden()


@pytest.mark.main_path
def test_without_javascript_the_next_page_tells_and_undoes(animals, plain):
    plain.goto(animals.url + "/animals?category=Mammal")

    delete_dog(plain)
    expect(plain.locator("#toast [role=status]")).to_have_text("Dog deleted.")
    expect(plain.get_by_role("link", name="Dog", exact=True)).to_have_count(0)
    plain.get_by_role("button", name="Undo").click()

    expect(plain.locator("#toast [role=status]")).to_have_text("Dog is back.")
    expect(plain.get_by_role("link", name="Dog", exact=True)).to_be_visible()
    plain.reload()
    expect(plain.locator("#toast")).to_be_hidden()


@pytest.mark.main_path
def test_an_animal_comes_back_as_it_was(animals, actor, open_live):
    """With its star, and where it was in the order that people have made."""
    page = actor("/animals/Dog?category=Mammal&order=own")
    other = open_live(animals, "/animals?category=Mammal&order=own")
    names = other.locator("[data-list=animals] a")
    rows = page.locator("[data-list=animals]")
    rows.get_by_role("button", name="Move Dog up").click()
    rows.get_by_role("button", name="Favorite Dog").click()
    expect(names).to_have_text(["Dog", "Cat", "Red kangaroo", "Southern gibbon"])
    expect(rows.get_by_role("button", name="Favorite Dog", pressed=True)).to_be_visible()

    page.locator("section[data-pane=detail]").get_by_role("button", name="Delete Dog").click()
    expect(names).to_have_text(["Cat", "Red kangaroo", "Southern gibbon"])
    page.locator("#toast").get_by_role("button", name="Undo").click()

    expect(names).to_have_text(["Dog", "Cat", "Red kangaroo", "Southern gibbon"])
    row = other.locator("[data-list=animals] > [data-key=Dog]")
    expect(row.get_by_role("button", name="Favorite Dog", pressed=True)).to_be_visible()


def test_a_double_click_deletes_one(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    box = page.get_by_role("button", name="Delete Cat").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down(click_count=1)
    page.mouse.up(click_count=1)
    names = page.locator("[data-list=animals] a")
    expect(names).to_have_text(["Dog", "Red kangaroo", "Southern gibbon"])

    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.get_by_role("button", name="Favorite Dog").click()  # whatever was posted is behind us

    expect(page.get_by_role("button", name="Favorite Dog", pressed=True)).to_be_visible()
    expect(names).to_have_text(["Dog", "Red kangaroo", "Southern gibbon"])


def test_undo_in_two_tabs_brings_back_one(animals, plain):
    """A page without JavaScript that is open twice has the same Undo."""
    plain.goto(animals.url + "/animals?category=Mammal")
    delete_dog(plain)
    form = "#toast form"
    fields = plain.locator(form).evaluate(
        "form => Object.fromEntries([...form.elements].filter((e) => e.name).map((e) => [e.name, e.value]))"
    )
    plain.get_by_role("button", name="Undo").click()
    expect(plain.locator("#toast [role=status]")).to_have_text("Dog is back.")

    undo = lambda fields: plain.request.post(
        plain.url, form=fields, headers={"Sec-Fetch-Site": "same-origin"})
    same, other = undo(fields), undo(fields | {"_token": "another"})

    assert same.status == 200  # what has been sent twice gets the first answer
    assert other.status == 409
    assert "This can no longer be undone." in other.text()
    plain.reload()
    expect(plain.get_by_role("link", name="Dog", exact=True)).to_have_count(1)


def test_it_can_be_dismissed_and_returns_the_focus(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    delete_dog(page)
    dismiss = page.get_by_role("button", name="Dismiss")

    dismiss.focus()
    page.keyboard.press("Enter")

    expect(page.locator("#toast")).to_be_hidden()
    expect(page.locator("#content")).to_be_focused()


def test_it_goes_after_a_while_unless_it_is_used(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    page.clock.install()
    delete_dog(page)
    undo = page.locator("#toast").get_by_role("button", name="Undo")
    expect(undo).to_be_visible()

    undo.focus()
    page.clock.run_for(30_000)
    expect(undo).to_be_visible()
    undo.blur()
    page.mouse.move(0, 0)
    page.clock.run_for(10_000)

    expect(page.locator("#toast")).to_be_hidden()


def test_what_can_no_longer_be_undone_says_so(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    delete_dog(page)
    toast = page.locator("#toast")
    expect(toast.get_by_role("button", name="Undo")).to_be_visible()
    page.evaluate("document.querySelector('#toast [name=_submission]').value = 'another'")

    toast.get_by_role("button", name="Undo").click()

    expect(toast.get_by_role("alert")).to_have_text("This can no longer be undone.")


def test_a_deleted_earthquake_comes_back(quakes, open_live):
    page = open_live(quakes, QUAKES)
    row(page, TONGA).get_by_role("link").click()
    expect_selected(page, TONGA)

    choose(page, "Delete", "Delete selected")
    expect(row(page, TONGA)).to_have_count(0)
    page.locator("#toast").get_by_role("button", name="Undo").click()

    expect(row(page, TONGA)).to_be_visible()


def test_the_pill_says_how_many_windows_are_here(counter, open_live):
    page = open_live(counter, "/counter")
    pill = page.locator("#live")
    expect(pill).to_have_text(re.compile("^Live ?$"))

    other = open_live(counter, "/counter")
    expect(pill).to_have_text(re.compile("2 windows"))
    expect(other.locator("#live")).to_have_text(re.compile("2 windows"))
    other.close()

    expect(pill).to_have_text(re.compile("^(Live|Changed just now) ?$"))


def test_what_changes_elsewhere_shows_in_the_pill_and_nowhere_in_the_document(app, open_live):
    page = open_live(app, "/items")
    other = open_live(app, "/items")
    pill = page.locator("#live")

    other.click("text=Tick")

    expect(pill).to_have_text(re.compile("Changed just now"))
    expect(other.locator("#live")).not_to_have_text(re.compile("Changed just now"))


def test_a_server_that_is_away_shows_in_the_pill(counter, open_live):
    page = open_live(counter, "/counter")
    expect(page.locator("#live")).to_have_text(re.compile("^Live"))

    counter.kill()

    expect(page.locator("#live")).to_have_text(re.compile("^Offline"))


def test_a_page_without_javascript_has_no_pill(counter):
    assert re.search(r'id="live"[^>]* hidden', get(counter, "/counter").text)
