"""Animals in custom order: with buttons, keys and a pointer."""

import secrets

import pytest
from playwright.sync_api import expect

from kinds import thorough
from pictures import file, png
from raw import get, post
from test_animals import actor, add, delete, expect_names, names  # noqa: F401  (fixtures)
from waiting import wait_until

OWN = "/animals?category=Mammal&order=own"


def move(page, name, direction):
    return page.get_by_role("button", name=f"Move {name} {direction}", exact=True)


@pytest.mark.main_path
def test_a_move_shows_in_every_window_that_has_this_order(animals, actor, open_live):
    page = actor("/animals?category=Mammal")
    by_name = open_live(animals, "/animals?category=Mammal")
    page.get_by_role("link", name="My order").click()
    expect(page).to_have_url(animals.url + OWN)
    other = open_live(animals, OWN)
    expect_names(page, "Cat", "Dog", "Red kangaroo", "Southern gibbon")

    move(page, "Dog", "up").click()
    expect_names(page, "Dog", "Cat", "Red kangaroo", "Southern gibbon")
    move(page, "Cat", "down").click()

    for window in (page, other):
        expect_names(window, "Dog", "Red kangaroo", "Cat", "Southern gibbon")
    expect_names(by_name, "Cat", "Dog", "Red kangaroo", "Southern gibbon")
    page.reload()
    expect_names(page, "Dog", "Red kangaroo", "Cat", "Southern gibbon")
    page.get_by_role("link", name="By name").click()
    expect_names(page, "Cat", "Dog", "Red kangaroo", "Southern gibbon")


def test_keys_move_the_focused_row_and_the_move_is_announced(animals, open_live):
    page = open_live(animals, OWN)
    names(page).nth(0).focus()

    page.keyboard.press("Alt+ArrowDown")
    expect_names(page, "Dog", "Cat", "Red kangaroo", "Southern gibbon")
    said = page.get_by_role("status").filter(has_text="Position")
    expect(said).to_have_text("Position 2 of 4")
    expect(names(page).nth(1)).to_be_focused()
    page.keyboard.press("Alt+ArrowDown")
    expect(said).to_have_text("Position 3 of 4")
    page.keyboard.press("Alt+ArrowUp")
    expect(said).to_have_text("Position 2 of 4")
    expect_names(page, "Dog", "Cat", "Red kangaroo", "Southern gibbon")
    expect(names(page).nth(1)).to_be_focused()

    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet.locator("dl > div").filter(has_text="Move Cat up")).to_have_text("Alt↑Move Cat up")


def test_a_key_that_does_nothing_to_the_focused_or_selected_row_is_not_listed(animals, open_live):
    page = open_live(animals, OWN)
    names(page).nth(0).focus()
    moves = page.get_by_role("dialog").locator("dl > div").filter(has_text="Alt")

    page.keyboard.press("?")

    expect(moves).to_have_text(["Alt↓Move Cat down"])
    page.goto(animals.url + OWN.replace("?", "/Cat?"))
    expect(page.locator("html[data-live]")).to_be_attached()
    page.keyboard.press("?")
    expect(moves).to_have_text(["Alt↓Move Cat down"])


def test_the_move_of_an_animal_with_a_picture_is_announced(animals, open_live):
    page = open_live(animals, "/animals/Cat?category=Mammal&order=own")
    page.locator("input[type=file]").set_input_files(file(png()))
    expect(page.locator("[data-list=animals] > [data-key=Cat] .thumbnail")).to_be_visible()

    move(page, "Cat", "down").click()

    expect(page.get_by_role("status").filter(has_text="Position")).to_have_text("Position 2 of 4")


def test_a_move_can_be_undone(animals, actor, open_live):
    page, other = actor(OWN), open_live(animals, OWN)
    toast = page.locator("#toast")
    move(page, "Dog", "up").click()
    expect_names(other, "Dog", "Cat", "Red kangaroo", "Southern gibbon")
    expect(toast.get_by_role("status")).to_have_text("Dog moved.")

    toast.get_by_role("button", name="Undo").click()

    for window in (page, other):
        expect_names(window, "Cat", "Dog", "Red kangaroo", "Southern gibbon")
    expect(toast.get_by_role("status")).to_have_text("Dog is back in its place.")


def test_the_move_of_an_animal_that_has_been_moved_again_cannot_be_undone(animals, actor, open_live):
    page, other = actor(OWN), open_live(animals, OWN)
    move(page, "Dog", "up").click()
    expect_names(other, "Dog", "Cat", "Red kangaroo", "Southern gibbon")
    move(other, "Dog", "down").click()
    expect_names(other, "Cat", "Dog", "Red kangaroo", "Southern gibbon")

    page.locator("#toast").get_by_role("button", name="Undo").click()

    expect(page.get_by_text("This can no longer be undone.")).to_be_visible()
    expect_names(other, "Cat", "Dog", "Red kangaroo", "Southern gibbon")


TOASTS = ".toast:visible [role=status]"


def wait_for_toasts(page, count):
    """Until the toast that is shown stands for so many moves."""
    toasts = "JSON.parse(sessionStorage.getItem('toasts') ?? '[]')"
    wait_until(
        lambda: page.evaluate(f"{toasts}.map((toast) => (toast.earlier ?? []).length + 1)") == [count],
        f"one toast of {count} moves")


def test_several_moves_of_one_animal_have_one_toast_whose_undo_takes_all_back(animals, open_live):
    """They had a toast each, of which only the newest could undo anything."""
    page, other = open_live(animals, OWN), open_live(animals, OWN)
    names(page).nth(0).focus()
    for order in ["Dog, Cat, Red kangaroo, Southern gibbon", "Dog, Red kangaroo, Cat, Southern gibbon",
                  "Dog, Red kangaroo, Southern gibbon, Cat"]:
        page.keyboard.press("Alt+ArrowDown")
        expect_names(page, *order.split(", "))
    wait_for_toasts(page, 3)
    expect(page.locator(TOASTS)).to_have_text(["Cat moved."])

    page.locator("#toast").get_by_role("button", name="Undo").click()

    expect_names(other, "Cat", "Dog", "Red kangaroo", "Southern gibbon")
    expect(page.locator(TOASTS)).to_have_text(["Cat is back in its place."])


def move_cat_by_turns(animals, open_live):
    """Moves it down here, in another window, and here again. Returns the page of the first window."""
    page, other = open_live(animals, OWN), open_live(animals, OWN)
    move(page, "Cat", "down").click()
    expect_names(other, "Dog", "Cat", "Red kangaroo", "Southern gibbon")
    move(other, "Cat", "down").click()
    expect_names(page, "Dog", "Red kangaroo", "Cat", "Southern gibbon")
    move(page, "Cat", "down").click()
    wait_for_toasts(page, 2)
    return page


def test_the_undo_of_several_moves_ends_at_one_by_somebody_else(animals, open_live):
    page = move_cat_by_turns(animals, open_live)

    page.locator("#toast").get_by_role("button", name="Undo").click()

    expect(page.locator(TOASTS)).to_have_text(["Cat is back in its place."])
    expect(page.get_by_text("can no longer be undone")).to_have_count(0)
    expect_names(page, "Dog", "Red kangaroo", "Cat", "Southern gibbon")


def test_a_result_that_overtakes_its_answer_is_shown_after_the_last_undo(animals, open_live):
    """Instead, the toast of the move stayed, and said that it could no longer be undone."""
    page = move_cat_by_turns(animals, open_live)
    answers = []
    page.route("**/animals*", lambda route: answers.append((route, route.fetch())), times=1)

    page.locator("#toast").get_by_role("button", name="Undo").click()
    expect(page.locator(TOASTS).filter(has_text="Cat is back in its place.")).to_have_count(1)
    wait_until(lambda: answers, "the answer, which the page does not have yet")
    [(route, answer)] = answers
    route.fulfill(response=answer)

    expect(page.locator(TOASTS)).to_have_text(["Cat is back in its place."])
    expect_names(page, "Dog", "Red kangaroo", "Cat", "Southern gibbon")


def test_moves_of_two_animals_have_two_toasts(animals, open_live):
    page = open_live(animals, OWN)
    move(page, "Cat", "down").click()
    expect_names(page, "Dog", "Cat", "Red kangaroo", "Southern gibbon")
    move(page, "Southern gibbon", "up").click()
    expect_names(page, "Dog", "Cat", "Southern gibbon", "Red kangaroo")

    expect(page.locator(TOASTS)).to_have_text(["Cat moved.", "Southern gibbon moved."])


def test_a_toast_that_replaces_one_keeps_its_focus(animals, open_live):
    page = open_live(animals, OWN)
    move(page, "Cat", "down").click()
    undo = page.locator("#toast").get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    undo.focus()

    page.evaluate("document.querySelector('[data-key=Cat] [data-move=down]').click()")

    wait_for_toasts(page, 2)
    expect(undo).to_be_focused()


def test_a_refused_move_is_not_announced_when_its_row_moves_later(animals, open_live):
    page, other = (open_live(animals, OWN) for _ in range(2))
    page.evaluate("document.querySelector('[data-move=down]').value = 'move~Cat~Nobody~Nobody'")
    page.evaluate("document.addEventListener('declined', () => (window.isDeclined = true))")
    move(page, "Cat", "down").click()
    page.wait_for_function("() => window.isDeclined")

    move(other, "Cat", "down").click()

    expect_names(page, "Dog", "Cat", "Red kangaroo", "Southern gibbon")
    expect(page.get_by_role("status").filter(has_text="Position")).to_have_count(0)


def test_the_focus_stays_on_the_button_even_at_the_end(animals, open_live):
    page = open_live(animals, OWN)
    move(page, "Dog", "up").focus()

    page.keyboard.press("Enter")

    expect_names(page, "Dog", "Cat", "Red kangaroo", "Southern gibbon")
    button = move(page, "Dog", "up")
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(move(page, "Dog", "down")).to_be_focused()
    page.keyboard.press("Enter")
    expect_names(page, "Cat", "Dog", "Red kangaroo", "Southern gibbon")


def drag(page, name, target, offset):
    """Drags a row to an offset from the middle of another."""
    row = page.locator("[data-list=animals] li", has=page.get_by_role("link", name=name, exact=True))
    goal = page.locator("[data-list=animals] li", has=page.get_by_role("link", name=target, exact=True))
    grip, box = row.locator("[data-grip]").bounding_box(), goal.bounding_box()
    page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    page.mouse.down()
    page.mouse.move(grip["x"] + 5, box["y"] + box["height"] / 2 + offset, steps=4)


@pytest.mark.parametrize("name, target, offset, expected", [
    ("Southern gibbon", "Cat", -10, ["Southern gibbon", "Cat", "Dog", "Red kangaroo"]),
    ("Cat", "Red kangaroo", -10, ["Dog", "Cat", "Red kangaroo", "Southern gibbon"]),
    *thorough(("Cat", "Southern gibbon", 10, ["Dog", "Red kangaroo", "Southern gibbon", "Cat"]),
              ("Cat", "Dog", -10, ["Cat", "Dog", "Red kangaroo", "Southern gibbon"])),
])
def test_a_row_is_dragged(animals, open_live, name, target, offset, expected):
    page, other = (open_live(animals, OWN) for _ in range(2))

    drag(page, name, target, offset)
    expect(page.locator("[data-drop]")).to_have_count(1)
    page.mouse.up()

    for window in (page, other):
        expect_names(window, *expected)
    expect(page.locator("[data-drop], [data-dragged]")).to_have_count(0)


def test_a_row_is_dragged_by_a_finger(animals, browser, open_live):
    context = browser.new_context(has_touch=True, viewport={"width": 390, "height": 700})
    page, other = open_live(animals, OWN, context), open_live(animals, OWN)
    touch = context.new_cdp_session(page)
    grip = page.locator("[data-grip]").first.bounding_box()
    goal = page.locator("[data-list=animals] li").nth(1).bounding_box()
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    end = goal["y"] + goal["height"] - 4

    def send(kind, *points):
        touch.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": px, "y": py} for px, py in points]})

    send("touchStart", (x, y))
    for part in range(1, 5):
        send("touchMove", (x, y + (end - y) * part / 4))
    expect(page.locator("[data-drop]")).to_have_count(1)
    send("touchEnd")

    for window in (page, other):
        expect_names(window, "Dog", "Cat", "Red kangaroo", "Southern gibbon")


@pytest.mark.parametrize("size", [(390, 700), (1280, 700)])
def test_a_drag_that_rests_at_the_edge_scrolls_the_page_or_the_list(
        animals, browser, open_live, size):
    for number in range(60):
        add(animals, f"Finch {number:02}", "Bird")
    context = browser.new_context(has_touch=True, viewport={"width": size[0], "height": size[1]})
    page = open_live(animals, "/animals?category=Bird&order=own", context)
    rows = page.locator("[data-list=animals] > li")
    touch = context.new_cdp_session(page)
    grip = rows.nth(2).locator("[data-grip]").bounding_box()
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    name = rows.nth(2).get_by_role("link").inner_text()
    list_box = page.locator("[data-list=animals]").bounding_box()
    edge = min(list_box["y"] + list_box["height"], size[1]) - 8

    def send(kind, *points):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
            {"x": px, "y": py, "id": id} for id, (px, py) in enumerate(points)]})

    send("touchStart", (x, y))
    send("touchMove", (x, y + 10))
    send("touchMove", (x, edge))
    # It lands one place earlier than the mark, since it leaves its place above.
    wait_until(lambda: dropped(page) > 30, "the row is dragged beyond the screen")
    send("touchStart", (x, edge), (x, 100))  # another finger
    send("touchMove", (x, edge), (x, 110))
    assert dropped(page) >= 30
    send("touchEnd")

    expect(page.get_by_role("status").filter(has_text="Position")).to_be_attached()
    expect(page.locator("#toast").get_by_role("status")).to_have_text(f"{name} moved.")
    moved = rows.filter(has=page.get_by_role("link", name=name, exact=True))
    assert moved.evaluate("row => [...row.parentElement.children].indexOf(row)") >= 30


def dropped(page):
    """Where in the list the dragged row would land; -1 if nowhere."""
    return page.evaluate(
        "[...document.querySelectorAll('[data-list=animals] > li')].findIndex((row) => row.dataset.drop)")


def test_escape_cancels_a_drag(animals, open_live):
    page = open_live(animals, OWN)
    posts = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)

    drag(page, "Cat", "Southern gibbon", 10)
    page.keyboard.press("Escape")
    page.mouse.up()

    expect(page.locator("[data-drop], [data-dragged]")).to_have_count(0)
    expect_names(page, "Cat", "Dog", "Red kangaroo", "Southern gibbon")
    assert [url for url in posts if "/_/" not in url] == []


def test_a_secondary_click_with_control_begins_no_drag(animals, open_live):
    """On a Mac it opens a menu, and its end is not heard."""
    page = open_live(animals, OWN)
    page.keyboard.down("Control")
    drag(page, "Cat", "Southern gibbon", 10)

    expect(page.locator("[data-drop], [data-dragged]")).to_have_count(0)


def test_a_drag_ends_whose_pointer_was_released_unheard(animals, open_live):
    page = open_live(animals, OWN)
    page.evaluate("addEventListener('pointerup', (event) => event.stopImmediatePropagation(), true)")
    drag(page, "Cat", "Southern gibbon", 10)
    page.mouse.up()

    page.mouse.move(200, 200)

    expect(page.locator("[data-drop], [data-dragged]")).to_have_count(0)
    expect_names(page, "Cat", "Dog", "Red kangaroo", "Southern gibbon")


def test_a_drag_goes_on_when_the_row_at_its_place_is_deleted(animals, open_live):
    page, other = (open_live(animals, OWN) for _ in range(2))
    drag(page, "Cat", "Red kangaroo", -10)
    expect(page.locator("[data-drop=before]")).to_contain_text("Red kangaroo")

    # Not with the mouse: in WebKit, windows share one, whose button this would release.
    other.get_by_role("button", name="Delete Red kangaroo").evaluate("(button) => button.click()")
    expect_names(page, "Cat", "Dog", "Southern gibbon")
    expect(page.locator("[data-drop=before]")).to_contain_text("Southern gibbon")
    page.mouse.up()

    expect_names(other, "Dog", "Cat", "Southern gibbon")


def test_moves_in_two_windows_are_both_kept(animals, open_live):
    page, other = (open_live(animals, OWN) for _ in range(2))

    for window, name in [(page, "Move Red kangaroo down"), (other, "Move Dog up")]:
        window.evaluate(
            "(name) => document.querySelector(`[aria-label=\"${name}\"]`).click()", name)

    for window in (page, other):
        expect_names(window, "Dog", "Cat", "Southern gibbon", "Red kangaroo")


def test_the_order_survives_a_restart(animals, open_live):
    page = open_live(animals, OWN)
    move(page, "Dog", "up").click()
    expect_names(page, "Dog", "Cat", "Red kangaroo", "Southern gibbon")

    animals.terminate()
    animals.start()

    expect_names(open_live(animals, "/animals?all=true&order=own"), "Dog Mammal", "Cat Mammal",
                 "House sparrow Bird", "Newt Amphibian", "Red kangaroo Mammal",
                 "Southern gibbon Mammal")


# The minimum size of buttons and links, and whether a word of a name is broken.
SIZES = """rows => rows.map((row) => {
  const buttons = [...row.querySelectorAll("button")].map((button) => button.getBoundingClientRect());
  const name = row.querySelector("a > bdi").firstChild;
  const word = document.createRange();
  const words = [...name.data.matchAll(/\\S+/g)].map(({ 0: text, index }) => {
    word.setStart(name, index);
    word.setEnd(name, index + text.length);
    return word.getClientRects().length;
  });
  return [...buttons.map(({ width, height }) => Math.min(width, height) >= 44), Math.max(...words) === 1];
})"""


def test_rows_show_whole_words_and_buttons_large_enough_for_thumbs(animals, open_page):
    animal = "name=Riesenschildkr%C3%B6te&category=Mammal&diet=Herbivore"
    post(animals, "/animals", f"_form=save&_token={secrets.token_hex(8)}&{animal}")
    wait_until(lambda: "Riesenschildkröte" in get(animals, OWN).text)
    page = open_page(animals, OWN)

    for width, height in [(320, 640), (390, 844), (430, 932), (768, 900), (844, 390), (1200, 800), (1280, 800)]:
        page.set_viewport_size({"width": width, "height": height})
        rows = page.locator("[data-list=animals] > li").evaluate_all(SIZES)

        assert rows == [[True] * 5] * 5, (width, height)


def test_the_sort_control_stays_when_one_animal_is_left(animals, open_live):
    page = open_live(animals, "/animals?category=Bird")
    expect(page.locator("[data-list=animals] > li")).to_have_count(1)

    expect(page.get_by_role("group", name="Sort")).to_be_visible()


@pytest.mark.parametrize("width", [768, 1280])
def test_edit_and_delete_are_side_by_side_and_name_their_animal(
    animals, open_live, width
):
    page = open_live(animals, "/animals/Kangaroo?category=Mammal")
    page.set_viewport_size({"width": width, "height": 800})
    detail = page.get_by_role("region", name="Details")

    edit = detail.get_by_role("link", name="Edit Red kangaroo").bounding_box()
    delete = detail.get_by_role("button", name="Delete Red kangaroo").bounding_box()

    assert edit["y"] == delete["y"] and edit["height"] == delete["height"] < 50


def test_the_drop_position_is_a_straight_line_in_the_accent_color(animals, open_live):
    page = open_live(animals, OWN)

    drag(page, "Cat", "Red kangaroo", -10)

    line = page.locator("[data-drop]").evaluate("""row => [
      getComputedStyle(row, "::after").backgroundColor,
      getComputedStyle(document.querySelector(".site a[aria-current]")).color,
      getComputedStyle(row).borderRadius,
    ]""")
    assert line[0] == line[1] and line[2] == "0px"
    page.mouse.up()
