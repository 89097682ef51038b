"""Posting in live windows: once, in place, and refused without loss."""

import json

import pytest
from playwright.sync_api import expect

from raw import Session

ADD = "[data-form=add]"
NAME = f"{ADD} [name=name]"
BUTTON = f"{ADD} button"
ERROR = f"{ADD} [data-error]"
INCREMENT = "[data-form=increment] button"


def items(page):
    return page.locator("#items li")


# MARK: Once


@pytest.mark.parametrize("clicks", [2, 3])
def test_an_item_is_added_once_however_often_the_button_is_clicked(
    app, open_live, context, clicks
):
    page, other = (open_live(app, "/fixture") for _ in range(2))
    posts = []
    page.on("request", lambda request: request.method == "POST" and posts.append(request))
    page.fill(NAME, "Fox")

    page.click(BUTTON, click_count=clicks)

    for window in (page, other):
        expect(window.locator("#count")).to_have_text("4 items")
    expect(page.locator(BUTTON)).to_be_enabled()
    assert len(posts) == 1
    expect(page.locator(ERROR)).to_be_empty()


def test_a_double_click_is_one_submit_even_if_it_is_answered_before_the_second_click(app, open_live):
    page = open_live(app, "/fixture")
    posts = []
    page.on("request", lambda request: request.method == "POST" and posts.append(request))
    page.fill(NAME, "Fox")
    page.click(BUTTON)
    expect(page.locator("#count")).to_have_text("4 items")
    expect(page.locator(BUTTON)).to_be_enabled()

    # The mouse is still on the button.
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.click(BUTTON, click_count=1)
    expect(page.locator(ERROR)).not_to_be_empty()

    assert len(posts) == 2


def test_an_item_is_added_once_by_scripted_clicks(app, open_live):
    page = open_live(app, "/fixture")
    page.fill(NAME, "Fox")

    page.evaluate(
        """selector => {
          for (let i = 0; i < 10; i += 1) document.querySelector(selector).click();
        }""",
        BUTTON,
    )

    expect(page.locator(BUTTON)).to_be_enabled()
    expect(page.locator("#count")).to_have_text("4 items")


def test_the_button_of_a_once_form_is_disabled_during_its_post(app, open_live):
    page = open_live(app, "/fixture")
    routes = []
    page.route("**/fixture", lambda route: routes.append(route))
    page.fill(NAME, "Fox")

    with page.expect_request(lambda request: request.method == "POST"):
        page.click(BUTTON)
    expect(page.locator(BUTTON)).to_be_disabled()
    expect(page.locator(ADD)).to_have_attribute("aria-busy", "true")
    routes[0].continue_()

    expect(page.locator(BUTTON)).to_be_enabled()
    expect(page.locator(ADD)).not_to_have_attribute("aria-busy", "true")
    expect(page.locator("#count")).to_have_text("4 items")


def test_a_post_whose_answer_is_lost_is_sent_again_and_takes_effect_once(
    counter, open_live, tokens
):
    page, other = (open_live(counter, "/counter") for _ in range(2))
    routes = []

    def lose_the_first_answer(route):
        routes.append(route)
        if len(routes) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/counter", lose_the_first_answer)

    page.click(INCREMENT)

    expect(other.locator(".value")).to_have_text("Value: 1")
    page.wait_for_function("() => !document.querySelector('[data-form=increment][aria-busy]')")
    assert len(tokens) == 2 and tokens[0] == tokens[1]
    page.click(INCREMENT)
    expect(other.locator(".value")).to_have_text("Value: 2")
    page.unroute_all(behavior="ignoreErrors")  # the answer that was lost may still be under way


def test_a_resent_submission_gets_the_first_answer(counter):
    answers = []
    for _ in range(3):
        with counter.connection() as connection:
            connection.request(
                "POST", "/counter", "_form=increment&_token=AAAAAAAAAAAAAAAAAAAAAA",
                {"Content-Type": "application/x-www-form-urlencoded",
                 "Accept": "application/json"},
            )
            response = connection.getresponse()
            answers.append((response.status, json.loads(response.read())))

    assert answers == [(200, {"version": 1})] * 3


DELETE_DOG = "_form=rows&_token=AAAAAAAAAAAAAAAAAAAAAA&row=delete~Dog"


def test_a_submission_that_is_sent_again_by_another_window_shows_its_toast_there(counter):
    """The first answer and the first stream were lost; there was no Undo."""
    session = Session(counter)
    at = "/animals?category=Mammal"
    with session.stream(f"?at={at}") as stream:
        stream.next("show")
        assert session.post(at, DELETE_DOG, Accept="application/json", X_Window=stream.window).status == 200
        _, _, first = stream.next("toast")
    with session.stream(f"?at={at}") as stream:
        stream.next("show")

        answer = session.post(at, DELETE_DOG, Accept="application/json", X_Window=stream.window)

        assert answer.status == 200
        _, _, toast = stream.next("toast")
        assert toast == first | {"window": stream.window}
        undo = f"_form=_undo&_token=BBBBBBBBBBBBBBBBBBBBBB&_submission={toast['submission']}"
        assert session.post(at, undo, Accept="application/json", X_Window=stream.window).status == 200
        assert stream.next("toast")[2]["message"] == "Dog is back."


def test_a_window_is_not_told_a_version_of_another_product(counter):
    """It took it for one of its own, and then did not wait for the results of its posts."""
    session = Session(counter)
    with session.stream("?at=/counter") as stream:
        stream.next("show")

        answer = session.post("/animals?category=Mammal", DELETE_DOG, Accept="application/json", X_Window=stream.window)
        session.post("/counter", "_form=increment&_token=CCCCCCCCCCCCCCCCCCCCCC",
                     Accept="application/json", X_Window=stream.window)

        assert answer.status == 200
        names = []
        while "frame" not in names:
            names.append(stream.next()[1])
        assert "version" not in names


def test_submitting_a_form_again_after_going_back_is_a_new_submission(app, open_live):
    page = open_live(app, "/fixture")
    page.fill(NAME, "Fox")
    page.click(BUTTON)
    expect(page.locator("#count")).to_have_text("4 items")

    page.goto("about:blank")
    page.go_back()
    expect(page.locator("html[data-live]")).to_be_attached()
    page.fill(NAME, "Bear")
    page.click(BUTTON)

    expect(page.locator("#count")).to_have_text("5 items")


def test_a_click_counts_even_if_the_page_is_left_at_once(counter, open_live):
    page, other = (open_live(counter, "/counter") for _ in range(2))

    page.evaluate(
        """selector => {
          document.querySelector(selector).click();
          location.assign("/");
        }""",
        INCREMENT,
    )

    expect(other.locator(".value")).to_have_text("Value: 1")
    expect(page).to_have_title("ImmutableData")


# MARK: In place


def test_an_item_is_added_without_a_page_load(app, open_live):
    page = open_live(app, "/fixture?order=reverse")
    page.evaluate("window.mine = true")
    length = page.evaluate("history.length")
    page.fill(NAME, "Item 5000")

    page.press(NAME, "Enter")

    expect(items(page).first).to_contain_text("Item 5000")
    expect(page).to_have_url(app.url + "/fixture?order=reverse")
    expect(page.locator(BUTTON)).to_be_enabled()
    assert page.evaluate("window.mine")
    assert page.evaluate("history.length") == length


def test_typing_during_a_post_is_kept(app, open_live):
    page = open_live(app, "/fixture")
    routes = []
    page.route("**/fixture", lambda route: routes.append(route))
    page.fill(NAME, "Fox")
    with page.expect_request(lambda request: request.method == "POST"):
        page.click(BUTTON)
    page.fill(NAME, "Bear")

    routes[0].continue_()

    expect(page.locator("#count")).to_have_text("4 items")
    expect(page.locator(BUTTON)).to_be_enabled()
    expect(page.locator(NAME)).to_have_value("Bear")


def test_text_with_markup_is_text(app, open_live):
    name = "<img src=x onerror=alert(1)>\"'&amp; \u0301"
    page, other = (open_live(app, "/fixture") for _ in range(2))
    page.fill(NAME, name)

    page.click(BUTTON)

    for window in (page, other):
        expect(items(window)).to_have_count(4)
        assert name in window.locator("#items a").all_text_contents()
        expect(window.locator("#items img")).to_have_count(0)


# MARK: Refused


def test_a_refused_add_shows_its_error_in_the_form_and_keeps_the_input(app, open_live):
    page = open_live(app, "/fixture")
    page.evaluate("window.mine = true")
    page.fill(NAME, "Item 1001")

    page.click(BUTTON)

    expect(page.locator(ERROR)).to_contain_text("There is an item with this name already.")
    expect(page.locator(NAME)).to_have_value("Item 1001")
    expect(page.locator("#count")).to_have_text("3 items")
    expect(page.locator(BUTTON)).to_be_enabled()
    assert page.evaluate("window.mine")


def test_a_refused_add_can_be_corrected(app, open_live):
    page, other = (open_live(app, "/fixture") for _ in range(2))
    page.fill(NAME, "Item 1001")
    page.click(BUTTON)
    expect(page.locator(ERROR)).not_to_be_empty()

    page.locator(NAME).press("End")
    page.keyboard.type("b")
    page.click(BUTTON)

    for window in (page, other):
        expect(window.locator("#items a").nth(2)).to_have_text("Item 1001b")
    expect(page.locator(ERROR)).to_be_empty()


def test_an_empty_name_is_refused_with_a_validation_error(app, open_live):
    page = open_live(app, "/fixture")
    page.fill(NAME, "   ")

    page.click(BUTTON)

    expect(page.locator(NAME)).to_have_attribute("aria-invalid", "true")
    expect(page.locator(ADD)).to_contain_text("Enter a name.")
    expect(page.locator(NAME)).to_have_value("   ")
    expect(page.locator("#count")).to_have_text("3 items")
    page.fill(NAME, "Fox")
    page.click(BUTTON)
    expect(page.locator("#count")).to_have_text("4 items")
    expect(page.locator(NAME)).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator(ADD)).not_to_contain_text("Enter a name.")


def test_a_message_and_the_input_survive_pushes(app, open_live):
    page, other = (open_live(app, "/fixture") for _ in range(2))
    page.fill(NAME, "Item 1001")
    page.click(BUTTON)
    expect(page.locator(ERROR)).not_to_be_empty()

    other.click("[data-form=tick] button")

    expect(page.locator("#ticks")).to_have_text("Ticks: 1")
    expect(page.locator(ERROR)).to_contain_text("There is an item with this name already.")
    expect(page.locator(NAME)).to_have_value("Item 1001")


def test_a_message_shows_only_in_its_own_window(app, open_live):
    page, other = (open_live(app, "/fixture") for _ in range(2))
    page.fill(NAME, "Item 1001")

    page.click(BUTTON)

    expect(page.locator(ERROR)).not_to_be_empty()
    expect(other.locator(ERROR)).to_be_empty()


def test_deleting_an_item_in_two_windows_is_not_an_error(app, open_live):
    page, other = (open_live(app, "/fixture") for _ in range(2))
    routes = []
    page.route("**/fixture", lambda route: routes.append(route))
    delete = "#items li:first-child [data-form=delete] button"
    with page.expect_request(lambda request: request.method == "POST"):
        page.click(delete)
    other.click(delete)
    expect(page.locator("#count")).to_have_text("2 items")

    routes[0].continue_()

    page.unroute("**/fixture")
    page.click("[data-form=tick] button")
    expect(page.locator("#ticks")).to_have_text("Ticks: 1")
    expect(page.locator("#count")).to_have_text("2 items")
    expect(other.locator("#count")).to_have_text("2 items")
