"""Fields of every kind, and cards in columns, as the fixture's board has them."""

import pytest
from playwright.sync_api import expect

SAVE = "[data-form=save]"
FILTER = "form[data-local]"
FAILURE = "This did not work. The disk is full."


def enter(page, form):
    page.fill(f"{form} [name=text]", "refuse")
    page.fill(f"{form} [name=notes]", "one\ntwo")
    page.fill(f"{form} [name=legs]", "8")
    page.fill(f"{form} [name=day]", "2026-01-02")
    page.locator(f"{form} [name=isUrgent]").set_checked(form == FILTER)
    page.check(f"{form} [name=size][value=large]")
    page.select_option(f"{form} [name=color]", "blue")
    page.select_option(f"{form} [name=tags]", ["two", "three"])
    page.uncheck(f"{form} [name=boxes][value=two]")
    page.check(f"{form} [name=boxes][value=three]")


def expect_entered(page, form):
    expect(page.locator(f"{form} [name=text]")).to_have_value("refuse")
    expect(page.locator(f"{form} [name=notes]")).to_have_value("one\ntwo")
    expect(page.locator(f"{form} [name=legs]")).to_have_value("8")
    expect(page.locator(f"{form} [name=day]")).to_have_value("2026-01-02")
    expect(page.locator(f"{form} [name=isUrgent]")).to_be_checked(checked=form == FILTER)
    expect(page.locator(f"{form} [name=size][value=large]")).to_be_checked()
    expect(page.locator(f"{form} [name=color]")).to_have_value("blue")
    expect(page.locator(f"{form} [name=tags]")).to_have_values(["two", "three"])
    expect(page.locator(f"{form} [name=boxes][value=two]")).not_to_be_checked()
    expect(page.locator(f"{form} [name=boxes][value=three]")).to_be_checked()


def move(page, card, column):
    page.locator(f"[data-key={card}] button", has_text=column).click()


def test_without_javascript_a_refused_form_shows_the_input(app, plain):
    plain.goto(app.url + "/board")
    enter(plain, SAVE)

    plain.click(f"{SAVE} button")

    expect(plain.locator(SAVE)).to_contain_text("This text is refused.")
    expect_entered(plain, SAVE)


def test_a_refused_page_that_becomes_live_keeps_the_input(app, open_live):
    page = open_live(app, "/board")
    enter(page, SAVE)
    with page.expect_navigation():  # as without JavaScript
        page.evaluate("form => HTMLFormElement.prototype.submit.call(form)", page.query_selector(SAVE))
    expect(page.locator("html[data-live]")).to_be_attached()

    move(page, "A", "Done")  # a patch

    expect(page.locator("h2", has_text="done: 1")).to_be_visible()
    expect_entered(page, SAVE)
    page.evaluate("form => form.reset()", page.query_selector(SAVE))
    expect(page.locator(f"{SAVE} [name=notes]")).to_have_value("\nold")
    expect(page.locator(f"{SAVE} [name=isUrgent]")).to_be_checked()
    expect(page.locator(f"{SAVE} [name=size][value=small]")).to_be_checked()
    expect(page.locator(f"{SAVE} [name=color]")).to_have_value("green")
    expect(page.locator(f"{SAVE} [name=tags]")).to_have_values(["one"])
    expect(page.locator(f"{SAVE} [name=boxes][value=two]")).to_be_checked()


def test_without_javascript_local_state_has_fields_of_every_kind(app, plain):
    plain.goto(app.url + "/board")
    enter(plain, FILTER)

    plain.click(f"{FILTER} button")
    plain.click(f"{FILTER} button")  # each parameter once

    expect_entered(plain, FILTER)
    expect(plain.locator("#local")).to_have_text(
        "text=refuse&notes=one%0Atwo&legs=8&day=2026-01-02&isUrgent=true&size=large&color=blue"
        "&tags=two&tags=three&boxes=three"
    )


def test_local_state_has_fields_of_every_kind(app, open_live):
    page = open_live(app, "/board")
    enter(page, FILTER)

    page.click(f"{FILTER} button")

    expect(page.locator("#local")).to_contain_text("tags=two&tags=three&boxes=three")
    expect(page.locator("#local")).to_contain_text("notes=one%0Atwo&legs=8")
    expect_entered(page, FILTER)
    page.reload()
    expect_entered(page, FILTER)


@pytest.mark.parametrize("kind", ["plain", "live"])
def test_a_hidden_field_keeps_its_parameter(app, plain, open_live, kind):
    page = plain if kind == "plain" else open_live(app, "/board")
    page.goto(app.url + "/board?origin=map")
    page.fill(f"{FILTER} [name=text]", "a")

    page.click(f"{FILTER} button")

    expect(page.locator("#local")).to_have_text("text=a&origin=map")


def test_a_form_with_reset_is_emptied_once_its_effect_has_succeeded(app, open_live):
    """It never was, if there was an effect."""
    page = open_live(app, "/board")
    text = page.locator(f"{SAVE} [name=text]")
    text.fill("slow")

    page.click(f"{SAVE} button")

    expect(page.locator(f"{SAVE}:not([aria-busy])")).to_be_attached()
    expect(text).to_have_value("slow")
    move(page, "A", "Done")  # see `Board.status`
    expect(text).to_have_value("")


@pytest.mark.main_path
def test_a_window_is_told_why_what_it_started_has_failed(app, open_live):
    page, other = open_live(app, "/board"), open_live(app, "/board")
    page.fill(f"{SAVE} [name=text]", "fail")

    page.click(f"{SAVE} button")

    told = page.locator("#toast [role=status]")
    expect(told).to_have_text(FAILURE)
    expect(page.locator(f"{SAVE} [name=text]")).to_have_value("fail")
    expect(other.locator("#toast")).to_be_hidden()
    page.reload()
    expect(told).to_have_text(FAILURE)


def test_a_page_that_was_reloaded_meanwhile_is_told_why_it_failed(app, open_live):
    page = open_live(app, "/board")
    page.fill(f"{SAVE} [name=text]", "doomed")
    page.click(f"{SAVE} button")
    expect(page.locator(f"{SAVE}:not([aria-busy])")).to_be_attached()
    page.reload()
    expect(page.locator("html[data-live]")).to_be_attached()

    move(page, "A", "Done")  # see `Board.status`

    expect(page.locator("#toast [role=status]")).to_have_text(FAILURE)


@pytest.mark.main_path
def test_without_javascript_the_page_says_why_something_failed(app, plain):
    plain.goto(app.url + "/board")
    plain.fill(f"{SAVE} [name=text]", "fail")

    with plain.expect_response("**/board") as answer:
        plain.click(f"{SAVE} button")

    assert answer.value.status == 500
    expect(plain.locator("#toast [role=status]")).to_have_text(FAILURE)
    expect(plain.locator(f"{SAVE} [name=text]")).to_have_value("fail")


@pytest.mark.main_path
def test_a_card_that_moves_to_another_list_keeps_the_focus(app, open_live):
    page = open_live(app, "/board")
    page.locator("[data-list=todo] [data-key=B] button", has_text="Done").focus()

    page.keyboard.press("Enter")

    moved = page.locator("[data-list=done] [data-key=B] button", has_text="Done")
    expect(moved).to_be_focused()
