"""Clicks on what a push moves or replaces between the press and the release."""

import contextlib

import pytest
from playwright.sync_api import expect

from test_transitions import LOADED

KEYS = "abc"
# Notes which messages the page has received.
SPY = """
  const { set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
  window.heard = [];
  Object.defineProperty(MessagePort.prototype, "onmessage", {
    set(hear) {
      set.call(this, (event) => {
        hear(event);
        heard.push(event.data.name ?? event.data.kind);
      });
    },
  });"""


def link(key):
    return f'<li data-key="{key}"><a data-set="row={key}" style="display: block; height: 40px">{key}</a></li>'


ROWS = f"""<ul data-list="list" style="margin: 0; padding: 0">{"".join(map(link, KEYS))}</ul>
  <button type="button" style="position: fixed; bottom: 0">Outside</button>"""

CHANGES = {
    "a row above": [["put", "x", link("x"), "a"]],
    "another order": [["order", ["c", "b", "a"]]],
    "without it": [["cut", "a"]],
    "another element": [["set", "a", '<div data-key="a"><a data-set="row=a">new</a></div>']],
    "another link": [["set", "a", link("a").replace("row=a", "row=z")]],
}


class Pointer:
    """A mouse or a finger."""

    def __init__(self, page, way):
        self.page = page
        self.touch = page.context.new_cdp_session(page) if way == "touch" else None

    def press(self, selector):
        box = self.page.locator(selector).bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if self.touch:
            return self._send("touchStart", {"x": x, "y": y})
        self.page.mouse.move(x, y)
        self.page.mouse.down()

    def release(self):
        if self.touch:
            return self._send("touchEnd")
        self.page.mouse.up()

    def _send(self, kind, *points):
        self.touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})


@pytest.fixture(params=["mouse", "touch"])
def pointer(request, pytestconfig, live, browser):
    if request.param == "touch" and pytestconfig.option.engine != "chromium":
        pytest.skip("Only Chromium's touch can be emulated in parts.")
    with contextlib.closing(browser.new_context(has_touch=request.param == "touch")) as context:
        page = context.new_page()
        page.add_init_script(SPY)
        live("/", ROWS, page)
        page.evaluate(LOADED)
        page.evaluate("heard.length = 0")
        yield Pointer(page, request.param)


def push(fake_server, page, operations):
    """Returns when it has arrived."""
    fake_server.frame("/", {"region": "root", "tag": "next", "lists": {"list": operations}})
    page.wait_for_function("() => heard.includes('frame')")


@pytest.mark.parametrize("operations", CHANGES.values(), ids=CHANGES)
def test_a_click_is_for_what_was_pressed(fake_server, pointer, operations):
    pointer.press("[data-key=a] a")
    push(fake_server, pointer.page, operations)

    pointer.release()

    expect(pointer.page).to_have_url(fake_server.url + "/?row=a")


def test_a_push_is_shown_once_the_press_has_ended(fake_server, pointer):
    """Also if it ends elsewhere, so that there is no click."""
    page = pointer.page
    pointer.press("[data-key=a] a")
    push(fake_server, page, CHANGES["a row above"])
    expect(page.locator("li")).to_have_count(3)
    page.evaluate("document.addEventListener('click', (event) => event.preventDefault(), true)")
    if not pointer.touch:
        page.mouse.move(300, 400)

    pointer.release()

    expect(page.locator("li")).to_have_text(["x", *KEYS])
    expect(page).to_have_url(fake_server.url + "/")


def test_a_long_press_does_not_hold_back_pushes(fake_server, pointer):
    page = pointer.page
    page.clock.install()
    pointer.press("[data-key=a] a")
    push(fake_server, page, CHANGES["a row above"])

    page.clock.run_for(2000)

    expect(page.locator("li")).to_have_text(["x", *KEYS])


def test_a_press_elsewhere_holds_nothing_back(fake_server, pointer):
    page = pointer.page
    pointer.press("main")
    page.evaluate("document.querySelector('main').append(document.createElement('hr'))")
    fake_server.frame("/", {"region": "root", "tag": "next", "lists": {"list": CHANGES["a row above"]}})

    expect(page.locator("li")).to_have_text(["x", *KEYS])
    pointer.release()
