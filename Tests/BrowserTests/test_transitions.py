"""View transitions: a reducer names one, the push carries it, the browser shows it."""

import pytest
from playwright.sync_api import expect

from waiting import wait_until

# The transitions that the page is asked to show, and its content when the browser captured the old page.
SPY = """() => {
  window.transitions = [];
  const start = document.startViewTransition.bind(document);
  document.startViewTransition = (options) => {
    transitions.push([...options.types, document.querySelector(".value").textContent].join(" "));
    return start(options);
  };
}"""


# Returns when what shows transitions is loaded. A `wait_for_function` would not wait for an import.
LOADED = """async () => {
  const { tab } = await import(document.querySelector("script[src$='window.js']").src);
  while (tab.transitions === null) await new Promise(requestAnimationFrame);
}"""


@pytest.fixture
def counter_page(counter, open_live):
    page = open_live(counter, "/counter")
    page.evaluate(LOADED)
    page.evaluate(SPY)
    return page


def shown(page):
    return page.evaluate("transitions")


def test_a_push_is_shown_with_the_transition_that_the_reducer_names(counter, counter_page, open_live):
    other = open_live(counter, "/counter")
    value = int(counter_page.locator(".value").text_content().split()[-1])

    other.get_by_role("button", name="Increment").click()
    expect(counter_page.locator(".value")).to_have_text(f"Value: {value + 1}")
    other.get_by_role("button", name="Decrement").click()
    expect(counter_page.locator(".value")).to_have_text(f"Value: {value}")

    assert shown(counter_page) == [f"rise Value: {value}", f"fall Value: {value + 1}"]


def test_pushes_that_arrive_during_a_transition_are_not_lost(counter, counter_page):
    value = int(counter_page.locator(".value").text_content().split()[-1])

    counter_page.evaluate("""() => {
      for (let i = 0; i < 30; i++) document.querySelector("[data-form=increment] button").click();
    }""")

    expect(counter_page.locator(".value")).to_have_text(f"Value: {value + 30}")
    assert len(shown(counter_page)) > 0
    expect(counter_page.locator("html[data-live]")).to_be_attached()


def test_a_transition_that_does_not_begin_holds_back_pushes_for_a_second(counter, counter_page, open_live):
    """Browsers draw no frames of a covered window; everything else that arrived waited for one."""
    other = open_live(counter, "/counter")
    value = int(counter_page.locator(".value").text_content().split()[-1])
    counter_page.evaluate("""() => {
      // It begins only when it is skipped.
      document.startViewTransition = ({ update }) => {
        const ended = new Promise((resolve) => (document.skipped = resolve));
        return { ready: ended, finished: ended, skipTransition: () => (update(), document.skipped()) };
      };
    }""")

    other.get_by_role("button", name="Increment").click()

    expect(counter_page.locator(".value")).to_have_text(f"Value: {value + 1}")


def test_a_resting_pointer_does_not_count_as_use(counter, counter_page, open_live):
    other = open_live(counter, "/counter")
    value = int(counter_page.locator(".value").text_content().split()[-1])
    # The event that a browser dispatches when a page appears below a pointer.
    counter_page.evaluate("dispatchEvent(new PointerEvent('pointermove', { clientX: 5, clientY: 5 }))")

    other.get_by_role("button", name="Increment").click()

    expect(counter_page.locator(".value")).to_have_text(f"Value: {value + 1}")
    assert shown(counter_page) == [f"rise Value: {value}"]


def test_under_reduced_motion_a_push_is_shown_at_once(counter, counter_page):
    counter_page.emulate_media(reduced_motion="reduce")
    value = int(counter_page.locator(".value").text_content().split()[-1])

    counter_page.get_by_role("button", name="Increment").click()

    expect(counter_page.locator(".value")).to_have_text(f"Value: {value + 1}")
    assert shown(counter_page) == []


def test_a_window_in_use_changes_without_a_transition(counter, counter_page):
    value = int(counter_page.locator(".value").text_content().split()[-1])

    counter_page.get_by_role("button", name="Increment").click(click_count=20)

    expect(counter_page.locator(".value")).to_have_text(f"Value: {value + 20}")
    assert shown(counter_page) == []


def test_nothing_moves_under_a_pointer_that_rests_on_a_button(counter, counter_page, open_live):
    """Of 12 and 5 clicks in two windows, two were lost."""
    other = open_live(counter, "/counter")
    value = int(counter_page.locator(".value").text_content().split()[-1])
    counter_page.get_by_role("button", name="Decrement").hover()
    # The window was not used for a while.
    counter_page.evaluate("""() => {
      const now = performance.now.bind(performance);
      performance.now = () => now() + 60_000;
    }""")

    other.get_by_role("button", name="Increment").click()

    expect(counter_page.locator(".value")).to_have_text(f"Value: {value + 1}")
    assert shown(counter_page) == []


def test_a_transition_ends_when_its_window_is_used(fake_server, held):
    held.evaluate("document.begin()")

    held.mouse.move(50, 50)
    held.mouse.move(60, 60)

    held.wait_for_function("document.isSkipped")


# Prolongs the moment in which a browser captures the page, until a click. Until the press, nothing tells that the
# window is used: in Firefox the first movement of a pointer has no length.
CAPTURED = """() => {
  addEventListener("pointermove", (event) => event.stopImmediatePropagation(), true);
  addEventListener("pointerdown", ({ target }) => (window.pressed = target.localName), true);
  const start = document.startViewTransition.bind(document);
  document.startViewTransition = ({ types, update }) => start({ types, update: async () => {
    window.isCaptured = true;
    await new Promise((resolve) => addEventListener("click", resolve, { once: true, capture: true }));
    update();
  } });
}"""


@pytest.fixture
def captured(counter, context, open_live):
    """A page that the browser is capturing, and a point of its button."""
    context.add_init_script(f"({CAPTURED})()")
    page, other = (open_live(counter, "/counter") for _ in range(2))
    page.bring_to_front()
    page.evaluate(LOADED)
    button = page.get_by_role("button", name="Increment").bounding_box()
    page.mouse.move(5, 5)
    other.evaluate("document.querySelector('[data-form=increment] button').click()")
    # Browsers draw no frames then, which `wait_for_function` waits for.
    wait_until(lambda: page.evaluate("window.isCaptured"), "it is captured")
    return page, (button["x"] + 20, button["y"] + 20)


def test_a_click_while_the_page_is_captured_is_for_what_is_there(captured):
    """Meanwhile, browsers give the document what is pressed."""
    page, button = captured

    page.mouse.click(*button)

    expect(page.locator(".value")).to_have_text("Value: 2")
    assert page.evaluate("pressed") == "html"


def test_a_press_that_is_released_elsewhere_while_the_page_is_captured_is_no_click(captured):
    page, button = captured

    page.mouse.down()
    page.mouse.move(*button)
    page.mouse.up()

    expect(page.locator(".value")).to_have_text("Value: 1")
    expect(page.locator("[aria-busy]")).to_have_count(0)
    assert page.evaluate("pressed") == "html"


@pytest.fixture
def held(fake_server, live):
    """A page whose transition has not begun yet; `document.begin()` begins it."""
    page = live("/", '<a data-set="page=2">two</a><p>old</p>')
    page.evaluate(LOADED)
    page.evaluate("""() => {
      document.startViewTransition = ({ update }) => {
        document.begin = update;
        const never = new Promise(() => {});
        return { ready: never, finished: never, skipTransition: () => (document.isSkipped = true) };
      };
    }""")
    regions = [{"region": "root", "tag": "new", "html": "<p>new</p>"}]
    fake_server.push("frame", {"place": fake_server.place("/"), "version": 1, "as": "rise", "regions": regions})
    page.wait_for_function("() => document.begin")
    return page


def test_what_arrives_before_a_transition_begins_is_shown_after_it(fake_server, held):
    fake_server.frame("/", {"region": "root", "tag": "newer", "html": "<p>newer</p>"}, version=2)
    held.evaluate("fetch('/blank')")  # so that it has arrived

    held.evaluate("document.begin()")

    expect(held.locator("main p")).to_have_text("newer")


def test_a_window_that_has_navigated_before_a_transition_begins_does_not_show_it(fake_server, held):
    held.click("a")
    fake_server.wait(lambda: fake_server.moves, "the move")

    held.evaluate("document.begin()")

    expect(held.locator("html[data-live]")).to_be_attached()
    assert fake_server.moves[0]["tags"] == {"root": "page"}
    expect(held.locator("main p")).to_have_text("old")
