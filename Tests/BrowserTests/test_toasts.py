"""Messages to a window about its own actions, Undo, and the number of windows."""

import re

import pytest
from playwright.sync_api import expect

from kinds import thorough
from quakes_page import QUAKES, TONGA, choose, expect_selected, row
from raw import Session, get, request
from waiting import wait_until


@pytest.fixture
def actor(open_page, animals):
    """Opens a page in which something is done, with JavaScript and without."""
    return open_page.of(animals)


def delete_dog(page):
    page.locator("[data-list=animals]").get_by_role("button", name="Delete Dog").click()


@pytest.mark.main_path
def test_a_delete_shows_a_toast_in_its_own_window_and_can_be_undone(animals, open_live):
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


def test_a_short_toast_takes_one_line(animals, open_live):
    """Also if its text is narrower than the least width of texts."""
    page = open_live(animals, "/animals?category=Mammal")
    toast = page.locator("#toast")
    page.locator("[data-list=animals]").get_by_role("button", name="Delete Cat").click()
    expect(toast.get_by_role("status")).to_have_text("Cat deleted.")
    toast.get_by_role("button", name="Undo").click()
    expect(toast.get_by_role("status")).to_have_text("Cat is back.")

    assert toast.evaluate("toast => toast.offsetHeight < 1.5 * toast.querySelector('[type=button]').offsetHeight")


@pytest.mark.main_path
def test_without_javascript_the_next_page_shows_the_toast_and_can_undo(animals, plain):
    plain.goto(animals.url + "/animals?category=Mammal")

    delete_dog(plain)
    expect(plain.locator("#toast [role=status]")).to_have_text("Dog deleted.")
    expect(plain.get_by_role("link", name="Dog", exact=True)).to_have_count(0)
    plain.get_by_role("button", name="Undo").click()

    expect(plain.locator("#toast [role=status]")).to_have_text("Dog is back.")
    expect(plain.get_by_role("link", name="Dog", exact=True)).to_be_visible()
    plain.reload()
    expect(plain.locator("#toast")).to_be_hidden()


def test_a_request_for_the_head_of_a_page_does_not_take_its_toast(animals):
    session = Session(animals)
    session.post("/animals", "_form=deleteInDetail&animalId=Dog", Accept="text/html")

    head = request(animals, "HEAD", "/animals", headers={"Cookie": session.cookie})

    assert head.status == 200
    assert "Dog deleted." in get(animals, "/animals", Cookie=session.cookie).text
    assert "Dog deleted." not in get(animals, "/animals", Cookie=session.cookie).text


@pytest.mark.main_path
def test_undo_restores_an_animal_with_its_star_and_position(animals, actor, open_live):
    """With its star, and where it was in the order that people have made."""
    page = actor("/animals/Dog?category=Mammal&order=own")
    other = open_live(animals, "/animals?category=Mammal&order=own")
    names = other.locator("[data-list=animals] a")
    rows = page.locator("[data-list=animals]")
    rows.get_by_role("button", name="Move Dog up").click()
    expect(names).to_have_text(["Dog", "Cat", "Red kangaroo", "Southern gibbon"])
    rows.get_by_role("button", name="Favorite Dog").click()
    expect(rows.get_by_role("button", name="Favorite Dog", pressed=True)).to_be_visible()

    page.locator("section[data-pane=detail]").get_by_role("button", name="Delete Dog").click()
    expect(names).to_have_text(["Cat", "Red kangaroo", "Southern gibbon"])
    expect(page.locator("#toast [role=status]")).to_have_text("Dog deleted.")  # not the star's
    page.locator("#toast").get_by_role("button", name="Undo").click()

    expect(names).to_have_text(["Dog", "Cat", "Red kangaroo", "Southern gibbon"])
    row = other.locator("[data-list=animals] > [data-key=Dog]")
    expect(row.get_by_role("button", name="Favorite Dog", pressed=True)).to_be_visible()


def test_a_double_click_deletes_one(animals, page):
    """Also if the script that comes once the page is live cannot be loaded."""
    page.route("**/rows.js", lambda route: route.abort())
    page.goto(animals.url + "/animals?category=Mammal")
    expect(page.locator("html[data-live]")).to_be_attached()
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


def test_undo_in_two_tabs_restores_one_animal(animals, plain):
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

    assert same.status == 200  # a repeated post gets the first answer
    assert other.status == 410
    assert "This can no longer be undone." in other.text()
    plain.reload()
    expect(plain.get_by_role("link", name="Dog", exact=True)).to_have_count(1)


def test_a_toast_can_be_dismissed_and_the_focus_moves_to_the_content(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    delete_dog(page)
    dismiss = page.get_by_role("button", name="Dismiss")

    dismiss.focus()
    page.keyboard.press("Enter")

    expect(page.locator("#toast")).to_be_hidden()
    expect(page.locator("#content")).to_be_focused()


def test_a_page_from_the_back_forward_cache_shows_the_toasts_of_the_page_after_it(
    animals, open_live, caching_context, pytestconfig
):
    """It showed those from before, also if they had been dismissed, and not the deletion that could be undone."""
    if pytestconfig.option.engine == "firefox":
        pytest.skip("in Firefox, such a page has the session storage that it had before")
    page = open_live(animals, "/animals?category=Mammal", caching_context)
    page.get_by_role("button", name="Favorite Cat").click()
    expect(page.locator("#toast")).to_contain_text("Cat is a favorite.")
    page.evaluate("window.isCached = true")
    page.goto(animals.url + "/animals?all=true")
    expect(page.locator("html[data-live]")).to_be_attached()
    page.locator("#toast").get_by_role("button", name="Dismiss").click()
    delete_dog(page)
    expect(page.locator("#toast")).to_contain_text("Dog deleted.")

    page.evaluate("() => { setTimeout(() => history.back()); }")

    page.wait_for_function("window.isCached")
    expect(page.locator(".toast:visible")).to_have_count(1)
    expect(page.locator("#toast")).to_contain_text("Dog deleted.")
    page.locator("#toast").get_by_role("button", name="Undo").click()
    expect(page.locator("#toast")).to_contain_text("Dog is back.")
    expect(page.get_by_role("link", name="Dog", exact=True)).to_be_visible()


def test_a_toast_disappears_after_a_while_unless_it_is_used(animals, open_live):
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


def test_a_toast_stays_while_its_undo_is_being_sent(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    page.clock.install()
    delete_dog(page)
    toast = page.locator("#toast")
    undo = toast.get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    page.route("**/animals*", lambda route: None)  # never answered

    undo.click()
    expect(undo).to_be_disabled()
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement?.blur()")
    page.clock.run_for(30_000)

    expect(toast).to_be_visible()
    expect(toast.locator("form[aria-busy=true]")).to_be_visible()


@pytest.mark.main_path
def test_each_of_several_quick_deletes_can_be_undone(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    rows = page.locator("[data-list=animals]")
    names, toasts = rows.locator("a"), page.locator(".toast")
    # None is where the one before it was: that could be a double click.
    for name in ("Cat", "Red kangaroo", "Dog"):
        rows.get_by_role("button", name=f"Delete {name}").click()
        expect(page.locator("#toast [role=status]")).to_have_text(f"{name} deleted.")
        # What moves is not where the driver of WebKit clicks.
        expect(names.filter(has_text=name)).to_have_count(0)
        page.wait_for_function("() => document.getAnimations().length === 0")
    expect(names).to_have_text(["Southern gibbon"])

    for name in ("Cat", "Dog", "Red kangaroo"):
        toasts.filter(has_text=f"{name} deleted.").get_by_role("button", name="Undo").click()
        expect(page.locator("#toast [role=status]")).to_have_text(f"{name} is back.")
        expect(toasts.filter(has_text=f"{name} deleted.")).to_have_count(0)

    expect(names).to_have_text(["Cat", "Dog", "Red kangaroo", "Southern gibbon"])


def test_at_most_three_toasts_show_without_overlap(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    page.set_viewport_size({"width": 320, "height": 640})
    for name in ("Dog", "Cat", "Red kangaroo", "Southern gibbon"):
        page.get_by_role("button", name=f"Delete {name}").click()
        expect(page.locator("#toast [role=status]")).to_have_text(f"{name} deleted.")

    expect(page.locator(".toast [role=status]")).to_have_text(
        ["Cat deleted.", "Red kangaroo deleted.", "Southern gibbon deleted."])
    boxes = [toast.bounding_box() for toast in page.locator(".toast").all()]
    for above, below in zip(boxes, boxes[1:]):
        assert above["y"] + above["height"] <= below["y"]
    assert boxes[-1]["y"] + boxes[-1]["height"] <= 640
    assert all(0 <= box["x"] and box["x"] + box["width"] <= 320 for box in boxes)


@pytest.mark.parametrize("width, height", [(820, 620), *thorough((1200, 900), (1000, 700))])
def test_a_toast_covers_no_button_at_the_end_of_a_pane(animals, open_live, width, height):
    page = open_live(animals, "/animals/Dog?category=Mammal")
    page.set_viewport_size({"width": width, "height": height})

    page.get_by_role("button", name="Delete Cat").click()

    expect(page.locator("#toast [role=status]")).to_have_text("Cat deleted.")
    toast = page.locator("#toast").bounding_box()
    for button in page.locator(".pane .bar:last-child :is(button, .button)").all():
        assert not overlap(toast, button.bounding_box()), button


def test_toasts_cover_no_row_of_the_list(animals, open_live):
    """In the middle, several of them covered the rows that their user went on with, for ten seconds each."""
    page = open_live(animals, "/animals/Dog?category=Mammal")
    page.set_viewport_size({"width": 1100, "height": 720})
    for name in ["Cat", "Red kangaroo", "Southern gibbon"]:
        page.get_by_role("button", name=f"Delete {name}").click()
        expect(page.locator("#toast [role=status]")).to_have_text(f"{name} deleted.")

    pane = page.locator("[data-pane=animals].pane").bounding_box()
    boxes = [toast.bounding_box() for toast in page.locator(".toast").all()]

    assert len(boxes) == 3
    assert not any(overlap(pane, box) for box in boxes)


@pytest.mark.parametrize(
    "width, height", [(1000, 700), (900, 700), *thorough((1920, 1080), (1280, 800), (810, 800))])
def test_toasts_cover_no_earthquake_of_the_list_and_no_control_of_the_map(
    start_quakes, open_live, width, height
):
    """The first thing that a visitor sees after loading covered the button that plays the day."""
    quakes = start_quakes()
    quakes.load()
    page = open_live(quakes, "/animals?category=Mammal")
    page.set_viewport_size({"width": width, "height": height})
    for name in ["Cat", "Dog", "Red kangaroo"]:
        page.get_by_role("button", name=f"Delete {name}").click()
        expect(page.locator("#toast [role=status]")).to_have_text(f"{name} deleted.")
    page.goto(quakes.url + QUAKES)
    expect(page.locator("html[data-live]")).to_be_attached()
    expect(page.locator(".toast:visible")).to_have_count(3)

    toasts = [toast.bounding_box() for toast in page.locator(".toast").all()]
    others = page.locator("#list, .timeline, .compass a:visible, .days, .quakes .selection").all()

    assert len(others) >= 10
    for other in others:
        assert not any(overlap(other.bounding_box(), toast) for toast in toasts), other


def phone_with_a_long_message(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal&sheet=add")
    page.set_viewport_size({"width": 320, "height": 640})
    name = "An animal whose name is so long that nobody would want to say all of it twice a day"
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Category").select_option("Mammal")
    page.get_by_label("Diet").select_option("Herbivore")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#toast [role=status]")).to_have_text(f"{name} added.")
    return page


def test_a_long_message_is_no_narrow_column_on_a_phone(animals, open_live):
    """It was eight lines high, beside its buttons."""
    page = phone_with_a_long_message(animals, open_live)

    toast, text = (page.locator(part).bounding_box() for part in ["#toast", "#toast [role=status]"])

    assert text["width"] > 0.85 * toast["width"]
    page.get_by_role("button", name="Dismiss").click()
    page.locator("a.back:visible").click()
    page.get_by_role("button", name="Favorite Dog").click()
    expect(page.locator("#toast [role=status]")).to_have_text("Dog is a favorite.")
    text, undo = (page.locator(part).bounding_box() for part in ["#toast [role=status]", "#toast form button"])
    assert text["y"] < undo["y"] + undo["height"] and undo["y"] < text["y"] + text["height"]  # beside it


def overlap(one, other):
    return all(
        max(one[start], other[start]) < min(one[start] + one[size], other[start] + other[size])
        for start, size in [("x", "width"), ("y", "height")])


def test_a_long_message_in_large_text_leaves_room_on_a_phone(animals, open_live):
    """It filled the screen."""
    page = phone_with_a_long_message(animals, open_live)
    message = page.locator("#toast [role=status]")

    page.evaluate("document.documentElement.style.fontSize = '200%'")

    assert page.locator("#toast").bounding_box()["height"] < 0.7 * 640
    assert page.get_by_role("button", name="Dismiss").bounding_box()["y"] < 640
    assert message.evaluate("text => (text.scrollTop = 9999, text.scrollTop)") > 0  # all of it can be read


def test_each_toast_disappears_on_its_own_timer(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    page.clock.install()
    page.mouse.move(0, 0)
    delete_dog(page)
    expect(page.locator("#toast [role=status]")).to_have_text("Dog deleted.")
    page.clock.run_for(6_000)
    page.get_by_role("button", name="Delete Cat").focus()
    page.keyboard.press("Enter")
    messages = page.locator(".toast:not([hidden]) [role=status]")
    expect(messages).to_have_text(["Dog deleted.", "Cat deleted."])
    page.mouse.move(0, 0)

    page.clock.run_for(5_000)
    expect(messages).to_have_text(["Cat deleted."])
    page.clock.run_for(6_000)
    expect(messages).to_have_count(0)


def delete_for_good(page):
    """Deletes Dog; the toast's Undo asks for something that is not kept any more."""
    delete_dog(page)
    toast = page.locator("#toast")
    expect(toast.get_by_role("button", name="Undo")).to_be_visible()
    page.evaluate("document.querySelector('#toast [name=_submission]').value = 'another'")
    return toast


def test_an_undo_that_is_no_longer_possible_shows_a_message(animals, open_live):
    toast = delete_for_good(open_live(animals, "/animals?category=Mammal"))

    toast.get_by_role("button", name="Undo").click()

    expect(toast.get_by_role("alert")).to_have_text("This can no longer be undone.")
    expect(toast.get_by_role("button", name="Undo")).to_have_count(0)
    expect(toast.get_by_role("status")).to_have_text("Dog deleted.")


def test_an_undo_that_is_no_longer_possible_keeps_the_focus_in_the_toast(animals, open_live):
    toast = delete_for_good(open_live(animals, "/animals?category=Mammal"))

    toast.get_by_role("button", name="Undo").press("Enter")

    expect(toast.get_by_role("button", name="Undo")).to_have_count(0)
    expect(toast.get_by_role("button", name="Dismiss")).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_in_a_toast_has_enough_contrast(animals, open_live, scheme):
    page = open_live(animals, "/animals?category=Mammal")
    page.emulate_media(color_scheme=scheme)
    delete_dog(page)
    undo = page.locator("#toast").get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    texts = [".toast > p", ".toast form button", ".toast > button"]
    for text in texts:
        expect_readable(page, text)
    page.evaluate("document.querySelector('#toast [name=_submission]').value = 'another'")

    undo.click()

    expect(page.locator("#toast [data-error]")).to_be_visible()
    expect_readable(page, ".toast [data-error]")
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.locator("#toast [role=status]").bounding_box()["height"] < 30  # one line


def test_a_toast_can_be_read_while_the_server_does_not_answer(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    delete_dog(page)
    undo = page.locator("#toast").get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    animals.kill()

    undo.click()

    expect(page.locator("#toast .hint")).to_be_visible()
    expect_readable(page, ".toast .hint", ".toast .hint")


def expect_readable(page, selector, ground=".toast"):
    style = "getComputedStyle(document.querySelector('{}')).{}"
    text = rgb(page, style.format(selector, "color"))
    assert contrast(text, rgb(page, style.format(ground, "backgroundColor"))) >= 4.5, selector


def before_it_has_joined(animals, context):
    """A page whose window asks to join, and the requests with which it does."""
    page = context.new_page()
    page.add_init_script("delete window.SharedWorker")  # its requests cannot be delayed
    joins = []
    page.route("**/_/stream?*", lambda route: joins.append(route))
    page.goto(animals.url + "/animals?category=Mammal")
    wait_until(lambda: page.evaluate("true") and joins, "the window asks to join")
    return page, joins


def test_a_post_before_the_window_has_joined_shows_its_toast(animals, context):
    page, joins = before_it_has_joined(animals, context)

    delete_dog(page)
    expect(page.locator("form[aria-busy]")).to_be_attached()
    for join in joins:
        join.continue_()

    expect(page.locator("#toast [role=status]")).to_have_text("Dog deleted.")
    page.locator("#toast").get_by_role("button", name="Undo").click()
    expect(page.locator("#toast [role=status]")).to_have_text("Dog is back.")


def test_a_post_that_is_answered_before_the_window_has_joined_shows_its_toast(animals, context):
    """The window had asked to join before it knew of the post, so the toast came with the next navigation only."""
    page, joins = before_it_has_joined(animals, context)

    with page.expect_response(lambda answer: answer.request.method == "POST") as answer:
        delete_dog(page)
    assert answer.value.ok
    for join in joins:
        join.continue_()

    expect(page.locator("#toast [role=status]")).to_have_text("Dog deleted.")


# `loseStream` ends the stream; the browser then waits long before it tries again.
STREAM_THAT_ENDS = """{
  const { fetch } = window;
  const end = new AbortController();
  window.loseStream = () => {
    Math.random = () => 30;
    end.abort();
  };
  window.fetch = (url, options) => {
    const isFirst = `${url}`.includes("/_/stream") && !end.signal.aborted;
    const signal = isFirst ? AbortSignal.any([end.signal, options.signal]) : options?.signal;
    return fetch(url, { ...options, signal });
  };
}"""


def test_a_post_while_the_connection_is_lost_shows_its_toast(animals, context, open_live):
    """The post was sent before the window had joined again, so nobody was sent its toast, and there was no Undo."""
    context.add_init_script("delete window.SharedWorker")  # its requests cannot be refused
    context.add_init_script(STREAM_THAT_ENDS)
    page = open_live(animals, "/animals?category=Mammal")
    page.evaluate("loseStream()")
    expect(page.locator("#live")).to_have_text(re.compile("^Offline"))

    delete_dog(page)

    expect(page.locator("#toast [role=status]")).to_have_text("Dog deleted.")
    page.locator("#toast").get_by_role("button", name="Undo").click()
    expect(page.locator("#toast [role=status]")).to_have_text("Dog is back.")


def test_a_post_of_a_window_that_cannot_join_is_sent_all_the_same(animals, context, open_live):
    other = open_live(animals, "/animals?category=Mammal")
    page = context.new_page()
    page.add_init_script("delete window.SharedWorker")
    page.route("**/_/stream?*", lambda route: None)  # never answered
    page.goto(animals.url + "/animals?category=Mammal")

    delete_dog(page)

    expect(other.get_by_role("link", name="Dog", exact=True)).to_have_count(0)


@pytest.mark.main_path
def test_a_toast_survives_a_reload(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    delete_dog(page)
    toast = page.locator("#toast")
    expect(toast.get_by_role("status")).to_have_text("Dog deleted.")

    page.reload()
    expect(toast.get_by_role("status")).to_have_text("Dog deleted.")
    expect(page.locator("html[data-live]")).to_be_attached()
    toast.get_by_role("button", name="Undo").click()

    expect(page.get_by_role("link", name="Dog", exact=True)).to_be_visible()
    expect(toast.get_by_role("status")).to_have_text("Dog is back.")


def test_a_reload_does_not_change_when_a_toast_disappears(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    page.clock.install()
    page.mouse.move(0, 0)
    delete_dog(page)
    shown = page.locator(".toast:not([hidden])")
    expect(shown).to_have_count(1)
    page.mouse.move(0, 0)
    page.clock.run_for(6_000)

    page.reload()
    expect(shown).to_have_count(1)
    page.clock.run_for(3_000)
    expect(shown).to_have_count(1)
    page.clock.run_for(2_000)
    expect(shown).to_have_count(0)

    page.reload()
    expect(page.locator("html[data-live]")).to_be_attached()
    expect(shown).to_have_count(0)


def test_a_reload_shows_no_dismissed_toast_and_none_of_another_tab(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    other = open_live(animals, "/animals?category=Mammal")
    delete_dog(page)
    page.get_by_role("button", name="Dismiss").click()
    for tab in [page, other]:
        tab.reload()
        expect(tab.locator("html[data-live]")).to_be_attached()
        expect(tab.locator(".toast:not([hidden])")).to_have_count(0)


def test_a_toast_that_an_earlier_release_has_kept_without_a_url_is_not_shown(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    page.evaluate("""() => {
      const toast = { message: "Dog deleted.", submission: "1", until: Date.now() + 9_000 };
      const toasts = [toast, { ...toast, message: "Cat deleted.", url: "/animals" }];
      sessionStorage.setItem("toasts", JSON.stringify(toasts));
    }""")

    page.reload()

    expect(page.locator(".toast:not([hidden]) [role=status]")).to_have_text(["Cat deleted."])


@pytest.mark.main_path
def test_undo_by_keyboard_focuses_the_restored_row(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    page.get_by_role("button", name="Delete Dog").focus()
    page.keyboard.press("Enter")
    undo = page.locator("#toast").get_by_role("button", name="Undo")
    expect(undo).to_be_visible()

    undo.focus()
    page.keyboard.press("Enter")

    expect(page.get_by_role("link", name="Dog", exact=True)).to_be_focused()


@pytest.mark.main_path
def test_a_key_undoes_the_newest_and_the_restored_row_gets_the_focus(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    names = page.locator("[data-list=animals] a")
    for name in ("Cat", "Dog"):
        page.get_by_role("link", name=name, exact=True).focus()
        page.keyboard.press("Delete")
        expect(page.locator("#toast [role=status]")).to_have_text(f"{name} deleted.")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog").locator("dl")).to_contain_text("uUndo")
    page.keyboard.press("Escape")

    page.keyboard.press("u")
    expect(names).to_have_text(["Dog", "Red kangaroo", "Southern gibbon"])
    expect(page.get_by_role("link", name="Dog", exact=True)).to_be_focused()
    page.keyboard.press("u")

    expect(names).to_have_text(["Cat", "Dog", "Red kangaroo", "Southern gibbon"])
    expect(page.get_by_role("link", name="Cat", exact=True)).to_be_focused()


def test_a_key_that_undoes_a_star_leaves_the_focus_where_it_is(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    dog = page.get_by_role("link", name="Dog", exact=True)
    dog.focus()
    page.keyboard.press("f")
    expect(page.locator("#toast").get_by_role("button", name="Undo")).to_be_visible()

    page.keyboard.press("u")

    expect(page.get_by_role("button", name="Favorite Dog", pressed=False)).to_be_visible()
    expect(dog).to_be_focused()


def test_undo_without_a_restored_row_focuses_the_content(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    page.get_by_role("button", name="Favorite Dog").click()
    undo = page.locator("#toast").get_by_role("button", name="Undo")
    expect(undo).to_be_visible()

    undo.focus()
    page.keyboard.press("Enter")

    expect(page.get_by_role("button", name="Favorite Dog", pressed=False)).to_be_visible()
    expect(page.locator("#content")).to_be_focused()


def test_a_restored_earthquake_gets_the_focus(quakes, open_live):
    page = open_live(quakes, QUAKES)
    row(page, TONGA).get_by_role("link").click()
    expect_selected(page, TONGA)
    choose(page, "Delete", "Delete selected")
    undo = page.locator("#toast").get_by_role("button", name="Undo")
    expect(undo).to_be_visible()

    undo.focus()
    page.keyboard.press("Enter")

    expect(row(page, TONGA).get_by_role("link")).to_be_focused()


def test_toasts_have_the_same_width(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    for name in ("Dog", "Southern gibbon"):
        page.get_by_role("button", name=f"Delete {name}").click()
        expect(page.locator("#toast [role=status]")).to_have_text(f"{name} deleted.")

    boxes = [toast.bounding_box() for toast in page.locator(".toast").all()]

    assert len(boxes) == 2
    assert len({(box["x"], box["width"]) for box in boxes}) == 1


def test_undo_restores_a_deleted_earthquake(quakes, open_live):
    page = open_live(quakes, QUAKES)
    row(page, TONGA).get_by_role("link").click()
    expect_selected(page, TONGA)

    choose(page, "Delete", "Delete selected")
    expect(row(page, TONGA)).to_have_count(0)
    page.locator("#toast").get_by_role("button", name="Undo").click()

    expect(row(page, TONGA)).to_be_visible()


def test_the_pill_shows_the_number_of_windows(counter, open_live):
    page = open_live(counter, "/counter")
    pill = page.locator("#live")
    expect(pill).to_have_text(re.compile("^Live ?$"))

    other = open_live(counter, "/counter")
    expect(pill).to_have_text(re.compile("2 windows"))
    expect(other.locator("#live")).to_have_text(re.compile("2 windows"))
    other.close()

    expect(pill).to_have_text(re.compile("^(Live|Changed just now) ?$"))


def test_a_change_elsewhere_shows_only_in_the_pill(app, open_live):
    page = open_live(app, "/items")
    other = open_live(app, "/items")
    pill = page.locator("#live")

    other.click("text=Tick")

    expect(pill).to_have_text(re.compile("Changed just now"))
    expect(other.locator("#live")).not_to_have_text(re.compile("Changed just now"))


# Notes the key of each row that lights up.
NOTE_GLOWS = """() => {
  window.glowing = [];
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...values) {
    window.glowing.push(this.dataset.key);
    return animate.apply(this, values);
  };
}"""


def test_a_window_does_not_highlight_its_own_changes(animals, open_live):
    """The row lit up when its star had been written, which comes a moment after it shows."""
    page = open_live(animals, "/animals?category=Mammal")
    page.evaluate(NOTE_GLOWS)

    for name in ("Dog", "Cat"):
        page.get_by_role("button", name=f"Favorite {name}").click()
        expect(page.locator("#toast")).to_contain_text(f"{name} is a favorite.")

    expect(page.locator("#live")).not_to_have_text(re.compile("Changed just now"))
    assert page.evaluate("glowing") == []


def test_the_selected_row_lights_up_only_when_it_changes(animals, open_live):
    page = open_live(animals, "/animals/Dog?category=Mammal")
    other = open_live(animals, "/animals?category=Mammal")
    page.evaluate(NOTE_GLOWS)

    other.get_by_role("button", name="Favorite Cat").click()

    expect(page.get_by_role("button", name="Favorite Cat")).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => glowing.length > 0")
    glowing = page.evaluate("glowing")
    assert "Cat" in glowing and "Dog" not in glowing


def test_what_others_change_is_news_again_once_ones_own_effect_has_ended(animals, open_live):
    page, other = (open_live(animals, "/animals?category=Mammal") for _ in range(2))
    page.clock.install()
    page.get_by_role("button", name="Favorite Dog").click()
    expect(page.locator("#toast")).to_contain_text("Dog is a favorite.")
    page.clock.run_for(1_500)

    other.get_by_role("button", name="Favorite Cat").click()

    expect(page.locator("#live")).to_have_text(re.compile("Changed just now"))


def test_an_effect_without_a_toast_ends_too(animals, open_live):
    """Only a toast told its end, so changes by others did not light up for 5 s."""
    page, other = open_live(animals, "/animals?category=Mammal&order=own"), open_live(animals, "/animals?category=Mammal")
    names = page.locator("[data-list=animals] > li > a")
    page.clock.install()
    page.evaluate("""async () => {
      const { tab } = await import(document.querySelector("script[src$='window.js']").src);
      window.ended = 0;
      tab.addEventListener("ended", () => (ended += 1));
    }""")
    names.first.focus()
    page.keyboard.press("Alt+ArrowDown")
    expect(names).to_have_text(["Dog", "Cat", "Red kangaroo", "Southern gibbon"])
    wait_until(lambda: page.evaluate("ended") > 0, "the end of the move")
    page.clock.run_for(1_500)

    other.get_by_role("button", name="Favorite Cat").click()

    expect(page.locator("#live")).to_have_text(re.compile("Changed just now"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_highlighted_selected_row_has_enough_contrast(animals, open_live, scheme):
    page = open_live(animals, "/animals/Dog?category=Mammal")
    page.emulate_media(color_scheme=scheme)
    other = open_live(animals, "/animals?category=Mammal")
    # Each glow stays as it begins.
    page.evaluate(
        """() => {
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (...values) {
            const animation = animate.apply(this, values);
            animation.pause();
            return animation;
          };
        }"""
    )

    for name in ("Dog", "Cat"):
        other.get_by_role("button", name=f"Favorite {name}").click()

        row = f"document.querySelector('[data-list=animals] > [data-key={name}]')"
        page.wait_for_function(f"() => {row}.getAnimations().length > 0")
        ground = rgb(page, f"getComputedStyle({row}).backgroundColor")
        text = rgb(page, f"getComputedStyle({row}.querySelector('a')).color")
        assert contrast(text, ground) >= 4.5
        red, green, blue = ground
        assert blue > max(red, green) * 1.1  # the accent's color, not a warning's

        def is_out():
            page.evaluate(f"{row}.getAnimations().forEach((glow) => glow.cancel())")
            return rgb(page, f"getComputedStyle({row}).backgroundColor") != ground

        wait_until(is_out, "no glow is left")  # the star is written, and then it has been


def rgb(page, expression):
    numbers = re.findall(r"[\d.]+", page.evaluate(expression))
    return [float(number) for number in numbers[:3]]


def contrast(one, other):
    """WCAG 2.2, relative luminance and contrast ratio."""
    def luminance(color):
        parts = [part / 255 for part in color]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def test_the_pill_shows_that_the_server_is_away(counter, open_live):
    page = open_live(counter, "/counter")
    expect(page.locator("#live")).to_have_text(re.compile("^Live"))

    counter.kill()

    expect(page.locator("#live")).to_have_text(re.compile("^Offline"))


def test_a_page_without_javascript_has_no_pill(counter):
    assert re.search(r'id="live"[^>]* hidden', get(counter, "/counter").text)


TOAST = """<div class="toasts"><div id="toast" hidden><p role="status"></p>
  <form method="post" data-form="_undo" data-policy="once" hidden>
    <input type="hidden" name="_form" value="_undo">
    <input type="hidden" name="_submission"><button>Undo</button></form>
  <button type="button" hidden>Dismiss</button></div></div>"""


def test_the_undo_of_a_toast_that_comes_late_is_posted_to_the_page_of_its_submission(fake_server, live):
    page = live("/counter", TOAST)
    [window] = fake_server.windows

    fake_server.push("toast", {
        "window": window, "message": "Dog deleted.", "submission": "name", "url": "/animals?category=Mammal"})
    page.locator("#toast").get_by_role("button", name="Undo").click()

    fake_server.wait(lambda: fake_server.posts, "a post")
    [post] = fake_server.posts
    assert post["path"] == "/animals?category=Mammal"
    assert post["fields"]["_submission"] == "name"
    expect(page).to_have_url(re.compile("/counter$"))


def test_a_toast_that_is_told_again_shows_once(fake_server, live):
    """A post whose answer is lost is sent again, by the same tab on another stream."""
    page = live("/counter", TOAST)
    [window] = fake_server.windows

    for token, message in [("one", "Dog deleted."), ("one", "Dog deleted."), ("two", "Cat deleted.")]:
        fake_server.push("toast", {"window": window, "token": token, "message": message,
                                   "submission": message, "url": "/animals"})

    expect(page.locator(".toasts [role=status]")).to_have_text(["Dog deleted.", "Cat deleted."])


def test_a_row_that_comes_back_long_after_the_answer_gets_the_focus(fake_server, live):
    """Meanwhile, the focus goes back to where the keyboard came from."""
    fake_server.answer = lambda post: (200, {"version": 99})  # the stream lags behind
    page = live("/counter", '<a id="start" href="/x">Start</a><div data-region="list" data-tag="L"></div>' + TOAST)
    toast = {"window": [*fake_server.windows][0]}
    fake_server.push("toast", {**toast, "message": "Dog deleted.", "submission": "name"})
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator("#start")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Undo")).to_be_focused()

    page.keyboard.press("Enter")
    fake_server.wait(lambda: fake_server.posts, "a post")
    fake_server.push("toast", {**toast, "message": "Dog is back."})
    expect(page.locator("#start")).to_be_focused()
    row = '<ul data-list="animals"><li data-key="Dog"><a href="/dog">Dog</a></li></ul>'
    fake_server.frame("/counter", {"region": "list", "tag": "M", "html": row}, version=100)

    expect(page.get_by_role("link", name="Dog")).to_be_focused()


def test_a_toast_says_which_page_undoes_it(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")

    delete_dog(page)
    page.evaluate("history.replaceState(history.state, '', '/counter')")  # as after a navigation in place
    expect(page.locator("#toast").get_by_role("button", name="Undo")).to_be_visible()

    with page.expect_request(lambda request: request.method == "POST" and "windows" not in request.url) as posted:
        page.locator("#toast").get_by_role("button", name="Undo").click()
    assert posted.value.url == animals.url + "/animals?category=Mammal"


# Where they are.


def box(element):
    left, top, width, height = element.bounding_box().values()
    return left, top, left + width, top + height


def is_apart(element, other):
    """Whether two boxes do not overlap."""
    left, top, right, bottom = box(element)
    other_left, other_top, other_right, other_bottom = box(other)
    return right <= other_left or other_right <= left or bottom <= other_top or other_bottom <= top


def is_in_front(element):
    """Whether nothing covers the middle of an element."""
    return element.evaluate("""element => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    }""")


@pytest.mark.parametrize("width, height", [(900, 700), (320, 640), *thorough((1280, 800), (390, 844))])
def test_a_toast_and_the_connection_notice_do_not_cover_each_other_or_buttons(animals, open_live, width, height):
    page = open_live(animals, "/animals/Dog?category=Mammal")
    page.set_viewport_size({"width": width, "height": height})
    detail = page.locator("section[data-pane=detail]")
    detail.get_by_role("button", name=re.compile("^Favorite")).click()
    toast = page.locator("#toast")
    expect(toast.get_by_role("button", name="Undo")).to_be_visible()

    animals.kill()

    notice = page.locator("#connection")
    expect(notice).to_contain_text("Connection lost")
    assert is_apart(toast, notice)
    for element in [toast, notice]:
        assert is_in_front(element)
        assert is_apart(element, detail.get_by_role("link", name="Edit"))
        assert is_apart(element, detail.get_by_role("button", name="Delete"))


def test_on_a_phone_the_list_of_quakes_does_not_cover_toasts_and_the_connection_notice(start_quakes, open_live):
    quakes = start_quakes()
    quakes.load()
    page = open_live(quakes, QUAKES)
    page.set_viewport_size({"width": 390, "height": 844})
    row(page, TONGA).get_by_role("link").click()
    page.get_by_role("link", name="List", exact=True).click()
    choose(page, "Delete", "Delete selected")
    toast = page.locator("#toast")
    expect(toast.get_by_role("button", name="Undo")).to_be_visible()
    assert is_in_front(toast)

    quakes.server.kill()

    notice = page.locator("#connection")
    expect(notice).to_contain_text("Connection lost")
    assert is_in_front(notice)
