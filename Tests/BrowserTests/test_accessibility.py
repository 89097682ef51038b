"""Every page for users who are blind, have low vision, or use no mouse: names, contrast, structure,
targets, focus, live regions, a narrow screen, large text."""

import contextlib
import pathlib
import secrets
import shutil
from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import Error, expect

from fake_animals import FakeAnimals
from fake_feed import feature
from pictures import png, upload
from quakes_page import FEATURES, HEALY, NOON, QUAKES, Quakes, choose, row
from servers import ROOT, product_server
from test_animals import MAMMALS, fill, save
from test_animals_pictures import choose as choose_file
from waiting import PATIENCE, wait_until

# A function, for WebKit takes no statements from outside under our policy.
SCRIPT = "() => {" + pathlib.Path(__file__).with_name("accessibility.js").read_text() + "}"
FEED = ROOT / "Tests" / "QuakesDataTests" / "Resources" / "usgs-all-week-2018-02-07.geojson"
DAY = "/quakes?date=2018-02-06&search=taiwan"
NOTICE = "#connection:not([hidden])"
SCHEMES = ["light", "dark"]
NARROW = {"width": 320, "height": 640}
WIDE = {"width": 1100, "height": 720}


@pytest.fixture(scope="module")
def products(browser, tmp_path_factory):
    """A Server that has the earthquakes of a week, a favorite animal, and an animal with a picture."""
    feeds = tmp_path_factory.mktemp("feeds")
    shutil.copy(FEED, feeds / "all_week.geojson")
    server = product_server("--quakes-feed", str(feeds)).start()
    page = browser.new_page()
    page.goto(server.url + "/quakes")
    page.get_by_role("button", name="Past week").click()
    page.goto(server.url + MAMMALS)
    page.get_by_role("button", name="Favorite Dog").click()
    upload(server, png(), animal="Cat")
    page.goto(server.url + DAY.partition("&")[0])
    expect(page.locator(".strip > a").last).to_be_attached()
    page.close()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def stale(browser, tmp_path_factory):
    """A Server with the earthquakes of a week, whose newest refresh has failed."""
    feeds = tmp_path_factory.mktemp("some feeds")
    shutil.copy(FEED, feeds / "all_week.geojson")
    server = product_server("--quakes-feed", str(feeds), "--quakes-pace", "0").start()
    page = browser.new_page()
    page.goto(server.url + "/quakes")
    page.get_by_role("button", name="Past week").click()
    page.goto(server.url + DAY)
    expect(page.locator("[data-list=quakes] > li").first).to_be_visible()
    choose(page, "Refresh", "Past day")
    expect(page.locator(".failure")).to_be_visible()
    page.close()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def failing(browser, tmp_path_factory):
    """A Server whose catalog was lost after it was read, and that never had a feed."""
    remote = FakeAnimals()
    feeds = tmp_path_factory.mktemp("no feeds")
    server = product_server("--animals-api", remote.url, "--quakes-feed", str(feeds)).start()
    page = browser.new_page()
    page.goto(server.url + MAMMALS)
    expect(page.get_by_text("2 animals")).to_be_visible()
    remote.stop()
    page.get_by_role("button", name="Refresh").click()
    expect(page.locator(".failure")).to_have_count(2)
    page.goto(server.url + "/quakes")
    page.get_by_role("button", name="Past week").click()
    expect(page.locator(".failure")).to_be_visible()
    page.close()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def leaving():
    """A Server that is about to be stopped."""
    server = product_server()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def quakes():
    """A Server with a list of several parts, of which one earthquake is made up."""
    quakes = Quakes()
    times = [NOON - number * 1_000 for number in range(510)]
    quakes.load([feature(f"n{number}", 1, f"Number {number}", time) for number, time in enumerate(times)]
                + [feature("sm00000001", 5, "Nowhere", times[0])])
    yield quakes
    quakes.end()


@pytest.fixture(scope="module")
def emptied():
    """A Server whose earthquakes were all deleted."""
    quakes = Quakes()
    quakes.load()
    quakes.post("deleteAll")
    yield quakes
    quakes.end()


@pytest.fixture(scope="module")
def refreshing():
    """A Server with a refresh that does not end."""
    quakes = Quakes("--quakes-timeout", "3600")
    quakes.load()
    quakes.feed.hold()
    quakes.post("refresh", range="allWeek")
    yield quakes
    quakes.end()


@pytest.fixture(scope="module")
def saving(browser):
    """A Server whose changes of the catalog do not end."""
    remote = FakeAnimals()
    server = product_server("--animals-api", remote.url, "--animals-timeout", "3600").start()
    page = browser.new_page()
    page.goto(server.url + MAMMALS)
    expect(page.get_by_text("2 animals")).to_be_visible()
    page.close()
    remote.hold()
    yield server
    server.kill()
    remote.release()
    remote.stop()


@pytest.fixture(scope="module")
def developed(browser, tmp_path_factory):
    """A Server with developer pages and problem reports, and a visitor who has done something."""
    reports = tmp_path_factory.mktemp("reports")
    server = product_server("--developer", "--developer-dispatch", "--reports", str(reports)).start()
    page = browser.new_page()
    page.goto(server.url + "/counter")
    expect(page.locator("html[data-live]")).to_be_attached()
    page.get_by_role("button", name="Increment").click()
    expect(page.get_by_text("Value: 1")).to_be_visible()
    page.close()
    yield server
    server.kill()


# What a visitor does to see a page in some state.


def be_refused(page):
    page.evaluate("document.querySelector('dialog form').noValidate = true")
    fill(page, "")
    page.evaluate("document.querySelector('dialog form').requestSubmit()")
    expect(page.get_by_text("Enter a name.", exact=True).first).to_be_visible()


def fail_to_save(page):
    fill(page, "Wolf")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="could not be saved")).to_be_visible()


def conflict(page):
    fill(page, "Mine")
    other = page.context.browser.new_page()
    other.goto(page.url)
    fill(other, f"Theirs {secrets.token_hex(3)}")  # other than in an earlier view
    save(other)
    expect(page.get_by_role("group", name="Someone else changed this")).to_be_visible()
    other.close()


def choose_a_name_that_is_taken(page):
    fill(page, "cat", diet="Omnivore")
    page.get_by_label("Diet", exact=True).focus()
    expect(page.get_by_role("button", name="Save anyway")).to_be_visible()


def leave_a_draft(page):
    fill(page, "Tiger")
    page.reload()
    expect(page.locator("[data-restored] button")).to_be_visible()


def open_the_keys(page):
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


def lose_the_connection(page, server):
    server.kill()
    expect(page.locator(NOTICE)).to_be_visible()


def press_a_star(page):
    page.locator("[data-list=animals]").get_by_role("button", name="Favorite Cat").click()
    expect(page.locator("#toast").get_by_role("button", name="Undo")).to_be_visible()
    page.locator("main").focus()  # and not a row, whose list has its own stop


def save_slowly(page):
    fill(page, "Otter", diet="Omnivore")
    save(page)
    expect(page.get_by_text("Saving…", exact=True)).to_be_visible()
    # Without JavaScript, this is another page. With it, the button that was clicked has the focus still, but does not
    # show it, because a pointer gave it.
    is_lost = page.evaluate("document.activeElement === document.body")
    page.keyboard.press("Tab" if is_lost else "Shift+Tab")


def choose_no_picture(page):
    choose_file(page, b"Not a picture")
    expect(page.locator("[data-form=setPicture]").get_by_role("alert")).to_contain_text("This is not a picture")


def see_all_deleted(page):
    expect(page.get_by_role("main").get_by_role("button", name="Undo")).to_be_visible()


def see_a_refresh(page):
    expect(page.get_by_role("button", name="Cancel", exact=True)).to_be_visible()


def show_the_last_part(page):
    page.get_by_role("navigation", name="Parts of the list").get_by_role("link", name="Next").click()
    expect(page.locator("[data-list=quakes] > li")).to_have_count(11)


def see_what_is_made_up(page):
    expect(page.locator(".card").get_by_text("Made up", exact=True)).to_be_visible()


def be_one_of_three(page):
    for _ in range(2):
        page.context.new_page().goto(page.url)
    expect(page.locator("#live")).to_contain_text("3 windows")
    page.bring_to_front()


def choose_an_entry(page):
    page.locator("[data-list=entries] > li.action").get_by_role("link").first.click()
    expect(page.get_by_role("link", name="Use this one to dispatch by hand")).to_be_visible()


def stay(page):
    """Keeps a page that looks again each second."""

    def is_stopped():
        try:
            page.wait_for_load_state()
            page.evaluate("stop()")
        except Error:  # it was looking again just then
            return False
        return True

    wait_until(is_stopped, "that the page stays")


class State(NamedTuple):
    """A page, and what a visitor has done there."""

    path: str
    server: str = "products"  # a fixture
    act: Callable = lambda page: None
    is_elsewhere: bool = False  # the focus begins in the middle and goes round
    is_live: bool = True
    has_script: bool = True


def with_and_without_javascript(name, state, is_elsewhere=False):
    """`is_elsewhere` is about the page without JavaScript."""
    plain = state._replace(has_script=False, is_elsewhere=is_elsewhere)
    return {name: state, f"{name} without JavaScript": plain}


MAMMAL = "/animals/Dog?category=Mammal"
EDITOR = "/animals/Kangaroo?category=Mammal&sheet=edit"
PAGES = {
    "home": State("/"),
    "counter": State("/counter"),
    "several windows": State("/counter", act=be_one_of_three),
    "categories": State("/animals"),
    "animal": State("/animals/Kangaroo?category=Mammal"),
    "favorites": State("/animals/Dog?favorites=true"),
    "own order": State("/animals/Dog?category=Mammal&order=own"),
    "add": State("/animals?category=Mammal&sheet=add"),
    "edit": State(EDITOR),
    "refused": State(EDITOR, act=be_refused),
    "refused without JavaScript": State(EDITOR, act=be_refused, is_elsewhere=True, has_script=False),
    "not saved": State(MAMMAL + "&sheet=edit", "failing", fail_to_save),
    "conflict": State(EDITOR, act=conflict),
    "name that is taken": State(
        "/animals?category=Mammal&sheet=add", act=choose_a_name_that_is_taken, is_elsewhere=True),
    "draft": State("/animals/Cat?category=Mammal&sheet=edit", act=leave_a_draft, is_elsewhere=True),
    "picture": State("/animals/Cat?category=Mammal"),
    "search": State("/animals?all=true&search=dog"),
    "empty category": State("/animals?category=Fish"),
    "reload": State("/animals?sheet=reload"),
    "animals not loaded": State(MAMMAL, "failing"),
    **with_and_without_javascript("undo", State(MAMMALS, act=press_a_star, is_elsewhere=True), is_elsewhere=True),
    **with_and_without_javascript(
        "saving", State("/animals?category=Mammal&sheet=add", "saving", save_slowly, is_elsewhere=True),
        is_elsewhere=True),
    **with_and_without_javascript("refused picture", State(MAMMAL, act=choose_no_picture, is_elsewhere=True)),
    "quakes": State(DAY),
    "quake": State(DAY + "&list=us1000chhc&map=us1000chhc"),
    "filters": State(DAY + "&magnitude=4.5"),
    "charts": State(DAY + "&charts=true", is_elsewhere=True),
    "until nine": State(DAY + "&until=0900"),
    "keys": State(DAY, act=open_the_keys, is_elsewhere=True),
    "failed refresh": State(DAY, "stale"),
    "no results": State("/quakes?search=atlantis"),
    "no quakes": State("/quakes", "failing"),
    **with_and_without_javascript("refresh", State(QUAKES, "refreshing", see_a_refresh)),
    **with_and_without_javascript("all deleted", State(QUAKES, "emptied", see_all_deleted)),
    **with_and_without_javascript("part", State(QUAKES, "quakes", show_the_last_part, is_elsewhere=True)),
    **with_and_without_javascript(
        "made up", State(QUAKES + "&search=nowhere&list=sm00000001&map=sm00000001", "quakes", see_what_is_made_up)),
    "no connection": State("/counter", "leaving"),
    "nothing there": State("/nowhere", is_live=False),
    **with_and_without_javascript("log", State("/developer", "developed", choose_an_entry, is_elsewhere=True)),
    "state": State("/developer/state", "developed"),
    "windows": State("/developer/windows", "developed"),
    "time": State("/developer/time?url=/counter", "developed"),
    "cost": State("/developer/cost", "developed"),
    "fork": State("/developer/fork", "developed"),
    "dispatch": State("/developer/dispatch", "developed"),
    **with_and_without_javascript("report", State("/report", "developed", is_live=False)),
}
# A toast stays, however long its tests take.
LASTING = """{
  const { setTimeout } = window;
  window.setTimeout = (call, time, ...rest) => time > 9_000 ? 0 : setTimeout(call, time, ...rest);
}"""


@pytest.fixture(scope="module")
def show(request, browser):
    """Opens a page in a context with options, and waits until it is live. It stays open in a `with` block."""

    @contextlib.contextmanager
    def show_page(name, **options):
        state = PAGES[name]
        server = request.getfixturevalue(state.server)
        if name == "no connection":
            server.start()
        context = browser.new_context(
            reduced_motion="reduce", java_script_enabled=state.has_script, **options)
        context.set_default_timeout(PATIENCE * 1_000)
        expect.set_options(timeout=PATIENCE * 1_000)
        page = context.new_page()
        if name == "undo":
            page.add_init_script(LASTING)
        page.goto(server.url + state.path)
        expect(page.locator("html[data-live]" if state.is_live and state.has_script else "html")).to_be_attached()
        if name == "no connection":
            lose_the_connection(page, server)
        else:
            state.act(page)
        if not state.has_script:
            stay(page)
        page.evaluate(SCRIPT)
        yield page
        context.close()

    return show_page


VIEWS = {"wide": {"viewport": WIDE}, "narrow": {"viewport": NARROW, "has_touch": True}}
# Of narrow pages, `make test` tries those that are laid out otherwise than wide ones. Without JavaScript, it tries the one
# whose message is elsewhere then.
LAID_OUT_OTHERWISE = ["home", "animal", "own order", "edit", "quakes", "quake", "charts", "log"]


def pages(view):
    """All pages in a view, as parameters."""
    return [pytest.param((name, view), marks=[] if tries(name, view) else pytest.mark.thorough) for name in PAGES]


def tries(name, view):
    """Whether `make test` tries it."""
    has_script = PAGES[name].has_script or name == "refused without JavaScript"
    return has_script and (view == "wide" or name in LAID_OUT_OTHERWISE)


WIDE_PAGES = pages("wide")
ALL_PAGES = [*WIDE_PAGES, *pages("narrow")]  # wide pages have the same index in both lists


@pytest.fixture(scope="module")
def shared_page(request, show):
    """A page that is opened once for all its tests. Pytest runs the tests of a page one after another."""
    name, view = request.param
    with show(name, **VIEWS[view]) as page:
        yield name, view, page


@pytest.fixture
def shown(shared_page):
    """The name, the view and the page as it was opened. Only the focus may have moved."""
    _, view, page = shared_page
    assert page.locator("details[open]").count() == 0
    assert page.viewport_size == VIEWS[view]["viewport"]
    yield shared_page
    page.set_viewport_size(VIEWS[view]["viewport"])
    page.evaluate("document.querySelectorAll('details').forEach((menu) => (menu.open = false))")


wide_pages = pytest.mark.parametrize("shared_page", WIDE_PAGES, ids="-".join, indirect=True)
all_pages = pytest.mark.parametrize("shared_page", ALL_PAGES, ids="-".join, indirect=True)


def open_menus(page):
    page.evaluate("document.querySelectorAll('details').forEach((menu) => (menu.open = true))")


@contextlib.contextmanager
def everything_hovered(page):
    """Shows all elements that have a hover effect as if the mouse were over them."""
    assert page.evaluate("accessibility.hover(true)") > 10
    try:
        yield
    finally:
        page.evaluate("accessibility.hover(false)")


@wide_pages
def test_text_and_shapes_of_a_page_have_enough_contrast(shown):
    _, _, page = shown
    open_menus(page)

    def expect_seen(states):
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate("accessibility.contrast()") == [], (states, scheme)
            assert page.evaluate("accessibility.shapes()") == [], (states, scheme)

    try:
        expect_seen("at rest")
        with everything_hovered(page):
            expect_seen("hovered")
    finally:
        page.emulate_media(color_scheme="light")


@wide_pages
def test_a_page_has_structure_and_focusable_elements_have_roles_and_names(shown):
    _, _, page = shown
    assert page.evaluate("accessibility.structure()") == []
    open_menus(page)
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
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


@all_pages
def test_nothing_overflows_the_page_and_targets_are_large_enough(shown):
    _, _, page = shown
    assert page.evaluate("accessibility.overflow()") == []
    open_menus(page)
    assert page.evaluate("accessibility.overflow()") == []
    assert page.evaluate("accessibility.targets()") == []


# At 1700 pixels there is room side by side for text of that size too.
@pytest.mark.parametrize("width", [1700, 640])
@wide_pages
def test_text_can_be_enlarged_to_twice_its_size(shown, width):
    _, _, page = shown
    page.set_viewport_size({"width": width, "height": 900})
    # It would go away meanwhile.
    expect(page.get_by_text("Changed just now")).to_have_count(0)
    before = page.evaluate("accessibility.texts()")
    # As in the browser's settings; layouts that ask for so many rem follow it too.
    session = page.context.new_cdp_session(page)
    try:
        session.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        after = page.evaluate("accessibility.texts()")
        assert [text for text, _ in after] == [text for text, _ in before]
        # Very large text may follow the width of the page.
        assert [
            (text, old, new) for (text, old), (_, new) in zip(before, after) if new < min(1.99 * old, 48)
        ] == []
        assert page.evaluate("accessibility.overflow()") == []
        open_menus(page)
        assert page.evaluate("accessibility.overflow()") == []
    finally:
        session.send("Page.setFontSizes", {"fontSizes": {"standard": 16}})
        session.detach()


@all_pages
def test_the_keyboard_reaches_everything_in_order_with_visible_focus(shown):
    name, view, page = shown
    page.emulate_media(color_scheme={"wide": "light", "narrow": "dark"}[view])
    # A dialog gives its first control the focus. Tab also chooses the stops in lists whose rows are hidden.
    if page.locator("dialog[open]").count() == 0:
        page.keyboard.press("Tab")
    if not page.evaluate("document.activeElement.matches(':focus')"):
        raise NotImplementedError("not supported here: the focus of a page that was behind another")
    expected = page.evaluate("accessibility.focusable()")
    is_elsewhere = PAGES[name].is_elsewhere
    if is_elsewhere:
        first = page.evaluate("accessibility.focused()")
        expected = expected[expected.index(first):] + expected[:expected.index(first)]
    reached = []
    for _ in range(4 * len(expected) + 10):
        where, is_at_engines_own, mark = page.evaluate(
            "[accessibility.focused(), accessibility.isAtEnginesOwn(), accessibility.focusMark()]")
        if reached and (where is None or where == reached[0]):
            if len(reached) >= len(expected):
                break
        # A date is one element, with a stop for each of its parts.
        elif reached[-1:] != [where] and not is_at_engines_own:
            if mark is not None:  # WebKit scrolls to it a moment later
                wait_until(lambda: page.evaluate("accessibility.focusMark()") is None, f"{mark} at {where}")
            reached.append(where)
        page.keyboard.press("Tab")
    # In the order of the document, or of the dialog, from its beginning.
    assert reached == expected
    if page.locator("dialog[open]").count() == 0 and not is_elsewhere:
        assert "Skip to content" in reached[0]


@pytest.mark.parametrize("path, opener, first", [
    (MAMMALS, "Add an animal", "Name"),
    ("/animals/Dog?category=Mammal", "Edit Dog", "Name"),
    ("/animals", "Reload sample data", "Cancel"),
])
def test_a_dialog_is_entered_and_left_by_keyboard(products, open_live, path, opener, first):
    page = open_live(products, path)
    link = page.get_by_role("link", name=opener, exact=True)

    def come():
        link.focus()
        page.keyboard.press("Enter")
        focused = page.locator("dialog :focus")
        expect(focused).to_have_accessible_name(first)

    def expect_left():
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(link).to_be_focused()

    come()
    page.keyboard.press("Escape")
    expect_left()
    come()
    for _ in range(10):
        if page.evaluate("document.activeElement.matches('dialog [data-dismiss]')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect_left()


@pytest.mark.parametrize("menu", ["Refresh", "Delete"])
def test_a_menu_is_navigated_by_keyboard(products, open_live, menu):
    page = open_live(products, DAY + "&list=us1000chhc&map=us1000chhc")
    summary = page.locator("summary", has_text=menu)
    summary.focus()
    page.keyboard.press("Enter")
    items = page.locator("details.menu[open] .items :is(a, button)")
    for index in range(items.count()):
        page.keyboard.press("Tab")
        expect(items.nth(index)).to_be_focused()

    page.keyboard.press("Escape")

    expect(summary).to_be_focused()
    expect(page.locator("details.menu[open]")).to_have_count(0)


# What another window has done.


def listen(page, focus):
    """Remembers the live regions and the focus, which pushes must not move."""
    page.evaluate(SCRIPT)
    page.locator(focus).first.focus()
    page.evaluate("window.mine = document.activeElement")
    page.evaluate("accessibility.listen()")


def expect_heard(page, *texts):
    """It is announced politely, in a live region that existed before."""
    heard = lambda: page.evaluate("accessibility.heard()")
    wait_until(lambda: set(texts) <= set(heard()), f"{texts} among what is announced")
    assert page.evaluate("accessibility.interruptions()") == []
    assert page.evaluate("document.activeElement === window.mine")


def test_a_count_from_another_window_is_announced_politely(counter, open_live):
    page, other = (open_live(counter, "/counter") for _ in range(2))
    listen(page, "[data-form=decrement] button")

    other.locator("[data-form=increment] button").click()

    expect_heard(page, "Value: 1")


def test_changes_to_animals_in_another_window_are_announced_politely(counter, open_live):
    page, birds = open_live(counter, MAMMALS), open_live(counter, "/animals?category=Bird")
    editor = open_live(counter, "/animals/Dog?category=Mammal")
    editor.get_by_role("link", name="Edit Dog").click()
    expect(editor.locator("#animal-name")).to_be_focused()
    other = open_live(counter, MAMMALS + "&sheet=add")
    listen(page, "[aria-label='Delete Red kangaroo']")
    listen(birds, "[data-list=categories] a")
    listen(editor, "#animal-name")

    fill(other, "Otter", diet="Carnivore")
    save(other)
    expect_heard(page, "5 animals")
    other.get_by_role("button", name="Delete Cat").click()
    expect_heard(page, "5 animals", "4 animals")

    other.goto(counter.url + "/animals?category=Bird")
    other.get_by_role("button", name="Delete House sparrow").click()
    expect_heard(birds, "No animals in this category")

    other.goto(counter.url + "/animals/Dog?category=Mammal&sheet=edit")
    fill(other, "Wolf")
    save(other)
    changed = "Someone else has changed the name to “Wolf”."
    expect_heard(editor, changed)


def test_a_failure_in_another_window_is_announced_politely(start_server, open_live):
    remote = FakeAnimals()
    server = start_server("--animals-api", remote.url)
    page, other = (open_live(server, MAMMALS) for _ in range(2))
    expect(page.get_by_text("2 animals")).to_be_visible()
    listen(page, "[data-list=animals] a")
    remote.stop()

    other.get_by_role("button", name="Refresh").click()

    expect(page.locator(".failure")).to_have_count(2)
    expect_heard(page, page.locator(".failure").first.inner_text())


def test_changes_to_quakes_in_another_window_are_announced_politely(start_quakes, open_live):
    quakes = start_quakes()
    quakes.load(FEATURES[:2])
    page, other = (open_live(quakes, QUAKES) for _ in range(2))
    listen(page, "[data-list=quakes] a")
    quakes.feed.features["day"] = FEATURES

    quakes.feed.hold()
    choose(other, "Refresh", "Past day")
    expect_heard(page, "Loading earthquakes…")
    quakes.feed.release()
    expect_heard(page, "5 earthquakes")

    quakes.feed.fault = lambda handler: handler.answer(500)
    choose(other, "Refresh", "Past day")
    expect(page.locator(".failure")).to_be_visible()
    expect_heard(page, page.locator(".failure").inner_text())


def test_a_card_without_a_selection_is_not_announced(start_quakes, open_live):
    """After a deletion, “Earthquakes” was read out beside the toast and the new count."""
    quakes = start_quakes()
    quakes.load(FEATURES)
    page = open_live(quakes, QUAKES + "&list=tonga&map=tonga")
    title = page.get_by_role("heading", name="South of Tonga")
    expect(title).to_be_visible()
    listen(page, "[data-list=quakes] > [aria-current] a")

    page.keyboard.press("Delete")

    expect(title).to_have_count(0)
    expect(page.locator("#toast")).to_contain_text("South of Tonga deleted.")
    assert page.evaluate("accessibility.heard()") == ["4 earthquakes"]
    row(page, HEALY).get_by_role("link").click()
    expect(page.get_by_role("heading", name=HEALY)).to_be_visible()
    assert HEALY in page.evaluate("accessibility.heard()")[-1]


def test_skip_links_move_the_focus(show):
    with show("quakes") as page:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "content"

        page.locator(".map .skip").focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "after-markers"


def test_reduced_motion_runs_no_animations(show):
    with show("quakes") as page:
        before = page.locator("svg[data-camera]").get_attribute("viewBox")
        page.locator("[data-list=quakes] li a").first.click()
        expect(page.locator("svg[data-camera]")).not_to_have_attribute("viewBox", before)
        assert page.evaluate("document.getAnimations().length") == 0
