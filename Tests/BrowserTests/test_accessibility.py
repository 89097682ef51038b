"""Every page for whoever cannot see it, or not well, or has no mouse: names, contrast, structure,
targets, focus, live regions, a narrow screen, large text."""

import pathlib
import shutil

import pytest
from playwright.sync_api import expect

from servers import ROOT, product_server

SCRIPT = pathlib.Path(__file__).with_name("accessibility.js").read_text()
FEED = ROOT / "Tests" / "QuakesDataTests" / "Resources" / "usgs-all-week-2018-02-07.geojson"
DAY = "/quakes?date=2018-02-06&search=taiwan"
PAGES = {
    "home": "/",
    "counter": "/counter",
    "categories": "/animals",
    "animal": "/animals?category=Mammal&animal=Kangaroo",
    "editor": "/animals?category=Mammal&sheet=add",
    "delete": "/animals?category=Mammal&animal=Dog&sheet=delete~Dog",
    "reload": "/animals?sheet=reload",
    "quakes": DAY,
    "quake": DAY + "&list=us1000chhc&map=us1000chhc",
    "no results": "/quakes?search=atlantis",
    "delete all": DAY + "&sheet=deleteAll",
    "nothing there": "/nowhere",
}
SCHEMES = ["light", "dark"]


@pytest.fixture(scope="module")
def products(browser, tmp_path_factory):
    """A Server that has the earthquakes of a week."""
    feeds = tmp_path_factory.mktemp("feeds")
    shutil.copy(FEED, feeds / "all_week.geojson")
    server = product_server("--quakes-feed", str(feeds)).start()
    page = browser.new_page()
    page.goto(server.url + "/quakes")
    page.get_by_role("button", name="All Week").click()
    expect(page.get_by_text("1651 total")).to_be_visible()
    page.close()
    yield server
    server.kill()


@pytest.fixture
def show(browser, products):
    """Opens a page with options of its context, live and at rest."""
    contexts = []

    def show_page(name, **options):
        contexts.append(browser.new_context(reduced_motion="reduce", **options))
        page = contexts[-1].new_page()
        page.goto(products.url + PAGES[name])
        expect(page.locator("html[data-live]" if name != "nothing there" else "html")).to_be_attached()
        page.evaluate(SCRIPT)
        return page

    yield show_page
    for context in contexts:
        context.close()


def open_menus(page):
    page.evaluate("document.querySelectorAll('details').forEach((menu) => (menu.open = true))")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", PAGES)
def test_text_can_be_read(show, name, scheme):
    page = show(name, color_scheme=scheme)
    open_menus(page)
    assert page.evaluate("accessibility.contrast()") == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_structure(show, name):
    assert show(name).evaluate("accessibility.structure()") == []


@pytest.mark.parametrize("name", PAGES)
def test_what_can_be_focused_has_a_role_and_a_name(show, name):
    page = show(name)
    open_menus(page)
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    nameless = []
    count = 0
    for node in nodes:
        properties = {p["name"]: p["value"].get("value") for p in node.get("properties", [])}
        role = node.get("role", {}).get("value")
        if node.get("ignored") or not properties.get("focusable") or role == "RootWebArea":
            continue
        if role in ("main", "navigation"):  # where a link leads to
            continue
        count += 1
        if role == "generic" or not node.get("name", {}).get("value", "").strip():
            nameless.append((role, node.get("name"), node.get("description")))
    assert nameless == []
    assert count > 1


@pytest.mark.parametrize("view", [
    {"viewport": {"width": 320, "height": 640}, "has_touch": True},
    {"viewport": {"width": 1100, "height": 720}},
])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_reaches_beyond_the_page_and_everything_can_be_hit(show, name, view):
    page = show(name, **view)
    assert page.evaluate("accessibility.overflow()") == []
    assert page.evaluate("accessibility.targets()") == []


@pytest.mark.parametrize("width", [1280, 640])
@pytest.mark.parametrize("name", PAGES)
def test_text_can_be_twice_as_large(show, name, width):
    page = show(name, viewport={"width": width, "height": 900})
    # As in the browser's settings; layouts that ask for so many rem follow it too.
    session = page.context.new_cdp_session(page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    assert page.evaluate("accessibility.overflow()") == []


@pytest.mark.parametrize("name", PAGES)
def test_the_keyboard_reaches_everything_in_order_and_the_focus_shows(show, name):
    page = show(name, viewport={"width": 1100, "height": 720})
    expected = page.evaluate("accessibility.focusable()")
    # A dialog gives its first control the focus.
    reached = [where] if (where := page.evaluate("accessibility.focused()")) else []
    for _ in range(4 * len(expected) + 10):
        page.keyboard.press("Tab")
        where = page.evaluate("accessibility.focused()")
        if where is None or (reached and where == reached[0] and set(reached) >= set(expected)):
            break
        # A date is one element, with a stop for each of its parts.
        if reached[-1:] != [where]:
            assert page.evaluate("accessibility.focusMark()"), f"no mark on {where}"
            reached.append(where)
    assert set(expected) <= set(reached)
    if page.locator("dialog[open]").count() == 0:
        # In the order of the document, from its beginning.
        assert reached == expected
        assert "Skip to content" in reached[0]


def test_what_is_pushed_is_announced_politely(show):
    page = show("counter")
    other = page.context.new_page()
    other.goto(page.url)
    expect(page.get_by_role("status").filter(has_text="Value:")).to_be_visible()

    quakes = show("quake")
    statuses = quakes.locator("[role=status]").all_inner_texts()
    assert any("earthquakes" in text for text in statuses)
    assert any("Taiwan" in text for text in statuses)
    assert quakes.locator("[aria-live=assertive]").count() == 0
    # An alert interrupts: only what has gone wrong may.
    assert [text for text in quakes.locator("[role=alert]").all_inner_texts() if text] == []


def test_the_skip_links_lead_on(show):
    page = show("quakes")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"

    page.locator(".map .skip").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "after-markers"


def test_animations_can_be_done_without(show):
    page = show("quakes")
    before = page.locator("svg[data-camera]").get_attribute("viewBox")
    page.locator("[data-list=quakes] li a").first.click()
    expect(page.locator("svg[data-camera]")).not_to_have_attribute("viewBox", before)
    assert page.evaluate("document.getAnimations().length") == 0
