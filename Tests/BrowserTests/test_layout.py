"""The layout of pages: with little room, in forced colors, on paper, and side by side."""

import re

import pytest
from playwright.sync_api import expect

from fake_feed import feature
from kinds import thorough
from profiles import set_text
from quakes_page import FEATURES, HEALY, NOON, QUAKES, SVG, row
from servers import product_server

# Its name, and what the card says of it, take as much room as any of the USGS.
LONG = "143 km ENE of Port-Olry, Sanma Province, Vanuatu"
MANY = [*FEATURES, feature("long", 6.5, LONG, NOON - 1, coordinates=(138, -37, 12.5), felt=1234), *(feature(f"more-{n}", 1, f"More {n}", NOON + n * 1000) for n in range(200))]
SELECTED = QUAKES + "&list=healy&map=healy"

PARTS = """() => {
  const pane = document.createElement("div");
  pane.className = "pane";
  pane.style.inlineSize = "9rem";
  pane.innerHTML = '<nav class="parts"><p>Animals 1 to 100 of 12,345</p><a class="button">Next</a></nav>';
  document.querySelector("main").append(pane);
  const text = pane.querySelector("p");
  const range = document.createRange();
  range.selectNodeContents(text);
  return range.getBoundingClientRect().right <= pane.getBoundingClientRect().right;
}"""

# How high an empty list is, how far the text of a row without a link is from its edge, and its button from the other.
ROWS = """() => {
  const pane = document.createElement("div");
  pane.className = "pane";
  pane.style.blockSize = "40rem";
  pane.innerHTML = '<ul class="rows"></ul><p class="empty">No orders</p>'
    + '<ul class="rows"><li><p>Soup</p><button class="quiet">Ready</button></li></ul>';
  document.querySelector("main").append(pane);
  const box = (selector) => pane.querySelector(selector).getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(pane.querySelector("li p"));
  return [box(".rows").height, range.getBoundingClientRect().left - box("li").left, box("li").right - box("button").right];
}"""

# On a page without panes: how far the count in a row is from the name, the button from the field, a form from what is
# before it and before its region, the heading and the row's text from the edge.
PLAIN = """() => {
  const main = document.querySelector("main");
  const form = '<form><div class="field"><label>Name</label><input></div></form>';
  main.innerHTML = '<header class="bar"><h1><span>Rooms</span></h1></header>'
    + `<p>One</p>${form}<p>Two</p><div data-region="two">${form}</div>`
    + '<ul class="rows"><li><a href="#"><span>Tea</span> <b>2 new</b></a></li></ul>'
    + '<form><div class="field"><label for="t">Name</label><input id="t"></div>'
    + '<div class="buttons"><button>Add</button></div></form>';
  const box = (selector) => main.querySelector(selector).getBoundingClientRect();
  const edge = box("#t").left;
  return [box("b").left - box("a span").right, box("button").top - box("#t").bottom,
    box("p + form").top - box("p").bottom, box("[data-region] form").top - box("p:nth-of-type(2)").bottom,
    box("h1 span").left - edge, box("a span").left - edge];
}"""

# The boxes in a pane that overlap each other, or are smaller than their content.
COLLISIONS = """pane => {
  const boxes = [...pane.querySelectorAll(".bar > *, .bar :is(a, summary), .bar input, .search input, .rows, .title > *")]
    .map((element) => [element.className || element.localName, element.getBoundingClientRect(), element])
    .filter(([, box, element]) => box.width > 0 && element.checkVisibility());
  const collisions = [];
  boxes.forEach(([name, box, element], index) => {
    for (const [other, { left, right, top, bottom }, another] of boxes.slice(index + 1)) {
      if (element.contains(another)) continue;
      const isApart = left >= box.right - 1 || right <= box.left + 1
        || top >= box.bottom - 1 || bottom <= box.top + 1;
      if (!isApart) collisions.push(`${name} and ${other}`);
    }
  });
  return collisions;
}"""


# What is current and looks as another one beside it.
UNMARKED = """() => {
  const looks = (element) => {
    const { color, backgroundColor, outlineStyle, outlineColor, outlineWidth, borderInlineStartWidth,
      borderInlineStartColor, textDecorationLine } = getComputedStyle(element);
    return JSON.stringify([color, backgroundColor, outlineStyle, outlineColor, outlineWidth, borderInlineStartWidth,
      borderInlineStartColor, textDecorationLine]);
  };
  const all = [...document.querySelectorAll("main [aria-current]")].filter((element) => element.checkVisibility());
  const others = all.map((current) => {
    const row = current.closest("li") ?? current;
    const other = [...row.parentElement.children].find((other) => other !== row && other.localName === row.localName);
    const both = other && [row, other].map((row) => [row, ...row.querySelectorAll("a")]);
    return [current, both && both[0].every((element, index) => looks(element) === looks(both[1][index]))];
  });
  return [all.length, others.filter(([, isSame]) => isSame).map(([current]) => current.outerHTML.slice(0, 200))];
}"""


@pytest.fixture(scope="module")
def crowded(shared_quakes):
    shared_quakes.load(MANY)
    return shared_quakes


@pytest.fixture(scope="module")
def developed():
    server = product_server("--developer", "--quakes-feed", "sample")
    yield server.start()
    server.kill()


def press_increment(page):
    """Tests share the server of the developer pages, so the value may be any."""
    value = page.locator(".value")
    number = int(value.text_content().removeprefix("Value: "))
    page.get_by_role("button", name="Increment").click()
    expect(value).to_have_text(f"Value: {number + 1}")


# Little room.


def resize(page, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})


def show_none_selected(page, server):
    page.goto(server.url + QUAKES)
    expect(page.locator("html[data-live]")).to_be_attached()


def test_a_page_without_panes_has_one_edge_and_distances(shared_quakes, look):
    page = look(shared_quakes, "/counter")

    assert page.evaluate(PLAIN) == pytest.approx([5.6, 16, 16, 16, 0, 0], abs=0.1)


def test_nothing_overlaps_on_small_screens(crowded, look):
    page = look(crowded, SELECTED)

    for size in [(801, 600), (900, 700), (1000, 420), (844, 390), (1280, 400), (390, 844), (320, 640)]:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for text in [16, 32]:
            set_text(page, text)
            for name in ["List", "Map"]:
                pane = page.get_by_role("region", name=name)
                assert pane.evaluate(COLLISIONS) == [], (name, size, text)
            rows = page.locator("[data-list=quakes]").bounding_box()
            assert rows["height"] >= 100, (size, text)


@pytest.mark.parametrize("sizes", [
    [(1280, 800), (390, 844)], *thorough([(1000, 420), (844, 390), (700, 600)])], ids=str)
def test_the_map_is_large_enough_below_the_card_of_the_selection(crowded, open_live, sizes):
    page = open_live(crowded, QUAKES)
    height = lambda: page.locator(".map").bounding_box()["height"]

    for size in sizes:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(crowded.url + QUAKES)
        expect(page.locator("html[data-live]")).to_be_attached()
        row(page, HEALY).get_by_role("link").click()

        expect(page.locator(".card")).to_be_visible()
        before = height()
        assert before >= 200, size
        page.locator("[type=search]").fill("atlantis")
        expect(page.get_by_role("heading", name="No results for “atlantis”")).to_be_visible()
        assert height() == before, size


def test_the_map_uses_the_height_of_a_low_screen(crowded, look):
    page = look(crowded, QUAKES)

    for size, least in [((1280, 720), 320), ((1024, 768), 300), ((1440, 900), 440)]:
        resize(page, size)
        map, pane, footer = (page.locator(name).bounding_box() for name in [".map", ".split", "body > footer"])
        assert map["height"] >= least, size
        assert pane["y"] + pane["height"] <= footer["y"], size
        assert page.evaluate("document.documentElement.scrollHeight") <= size[1], size


@pytest.mark.parametrize("sizes", [
    [(390, 844), (820, 700), (1280, 800)],
    *thorough([(768, 1024), (900, 700), (844, 390)], [(1024, 768), (1280, 720), (1440, 900), (1920, 1080)]),
], ids=["some", "small", "large"])
def test_the_map_stays_where_it_is_when_the_selection_changes(crowded, page, sizes):
    for size in sizes:
        show_none_selected(page, crowded)
        resize(page, size)
        before = page.locator(".map").bounding_box()

        for name in [HEALY, LONG, "More 150"]:
            select(page, name)
            assert page.locator(".map").bounding_box() == before, (name, size)
            selection = page.locator(".selection")
            assert selection.evaluate("box => box.scrollHeight <= box.clientHeight"), (name, size)


def test_with_text_of_twice_the_size_the_map_stays_where_it_is(crowded, page):
    """It grew with the first selection."""
    for size in [(1280, 800), (900, 700)]:
        show_none_selected(page, crowded)
        resize(page, size)
        enlarge(page)
        before = page.locator(".map").bounding_box()

        for name in [HEALY, "More 150"]:
            select(page, name)
            assert page.locator(".map").bounding_box() == before, (name, size)


def select(page, name):
    """Selects an earthquake, and scrolls back to the top."""
    row(page, name).get_by_role("link").evaluate("link => link.click()")
    expect(page.locator(".title h2")).to_contain_text(name)
    page.evaluate("scrollTo(0, 0)")


@pytest.mark.parametrize("width", [900, *thorough(801, 940)])
def test_a_narrow_map_is_high_while_nothing_is_selected(crowded, page, width):
    """Its card was as high as that of the longest name."""
    boxes = lambda: [page.locator(name).bounding_box() for name in [".selection", SVG]]

    show_none_selected(page, crowded)
    resize(page, (width, 700))
    card, map = boxes()
    assert card["height"] < 80
    assert map["y"] == pytest.approx(card["y"] + card["height"], abs=1)
    assert map["height"] > 280
    assert map["x"] == pytest.approx(card["x"], abs=1)
    row(page, HEALY).get_by_role("link").click()
    expect(page.locator(".card")).to_be_visible()

    card, map = boxes()
    assert map["y"] == pytest.approx(card["y"] + card["height"], abs=1)


def test_the_player_and_the_filters_are_in_one_line_each(crowded, look):
    page = look(crowded, SELECTED)

    for width in [801, 900, 1024, 1280]:
        resize(page, (width, 768))
        for group in [".timeline > :not([hidden], [role=status])", ".scopes > *"]:
            middles = page.locator(group).evaluate_all("""elements => elements
              .map((element) => element.getBoundingClientRect()).filter(({ width }) => width > 0)
              .map(({ top, bottom }) => Math.round((top + bottom) / 2))""")
            assert max(middles) - min(middles) <= 2, (width, group, middles)


def test_a_phone_on_its_side_shows_the_map(crowded, open_page):
    page = open_page(crowded, SELECTED)

    for size in [(844, 390), (667, 375), (932, 430)]:
        resize(page, size)
        box = page.locator(".map").bounding_box()
        assert box["height"] >= size[1] * 0.45, size
        assert box["width"] >= size[0] * 0.45, size
        assert box["y"] + box["height"] <= size[1], size
        assert page.locator("[data-list=quakes]").bounding_box()["height"] >= 100, size


@pytest.mark.parametrize("sizes", [
    [(1280, 800), (844, 390), (320, 640)], *thorough([(1100, 720), (1000, 420), (700, 600), (390, 844)])], ids=str)
def test_a_page_shows_the_selection_of_its_url_on_the_map(crowded, look, sizes):
    """The card lay over it: on a phone nothing but Antarctica was to be seen."""
    page = look(crowded, QUAKES)
    key = row(page, HEALY).get_attribute("data-key")

    for size in sizes:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(f"{crowded.url}{QUAKES}&list={key}&map={key}")

        expect(page.locator(".card")).to_be_visible()
        card, map, ring = (page.locator(name).bounding_box() for name in [".card", ".map", ".ring"])
        middle = ring["y"] + ring["height"] / 2
        assert card["y"] + card["height"] <= middle <= map["y"] + map["height"], size


def test_the_buttons_of_a_sheet_stay_visible_on_a_low_screen(crowded, look):
    page = look(crowded, "/animals?category=Mammal&sheet=add")
    page.set_viewport_size({"width": 844, "height": 390})
    sheet = page.get_by_role("dialog", name="Add animal")
    buttons = sheet.locator(".buttons")

    for field in [sheet.get_by_label("Diet"), sheet.get_by_label("Name")]:
        field.focus()
        for button in [sheet.get_by_role("link", name="Cancel"), sheet.get_by_role("button", name="Save", exact=True)]:
            expect(button).to_be_in_viewport(ratio=1)
        box = field.bounding_box()
        assert box["y"] + box["height"] <= buttons.bounding_box()["y"]


def test_with_text_of_twice_the_size_the_buttons_of_a_sheet_are_beside_each_other(crowded, look):
    page = look(crowded, "/animals?category=Mammal&sheet=add")
    sheet = page.get_by_role("dialog", name="Add animal")
    buttons = [sheet.get_by_role("link", name="Cancel"), sheet.get_by_role("button", name="Save", exact=True)]

    enlarge(page)

    for width in [390, 320]:
        resize(page, (width, 640))
        boxes = [button.bounding_box() for button in buttons]
        assert boxes[0]["y"] == boxes[1]["y"], width
        assert boxes[0]["x"] + boxes[0]["width"] < boxes[1]["x"], width
        assert all(button.evaluate("button => button.scrollWidth <= button.clientWidth") for button in buttons), width


def test_on_a_narrow_phone_the_log_has_the_whole_width(developed, look):
    """A third of it was an empty column beside visits."""
    page = look(developed, "/counter")
    page.get_by_role("button", name="Increment").click()
    page.goto(developed.url + "/developer")
    page.set_viewport_size({"width": 320, "height": 640})
    log = page.get_by_role("region", name="Log")

    lefts = log.locator("a > .version:not(:empty), a > :not(.version)").evaluate_all(
        "elements => [...new Set(elements.map((element) => element.getBoundingClientRect().left))]")

    assert len(lefts) == 1


# What reaches beyond the page, or beyond a view of panes, sideways.
SIDEWAYS = """[document.scrollingElement, ...document.querySelectorAll(".split")]
  .filter((element) => element.scrollWidth > element.clientWidth + 1)
  .map((element) => `${element.localName}: ${element.scrollWidth} in ${element.clientWidth}`)"""


WIDTHS = [320, 390, 768, 900, 1100, 1280]
PLACES = [
    "/", "/counter", "/animals", "/animals?category=Mammal", "/animals/Dog?category=Mammal&order=own",
    "/animals?category=Mammal&sheet=add"]


@pytest.mark.parametrize("path", [
    "/animals/Dog?category=Mammal&order=own", "/animals?category=Mammal&sheet=add", SELECTED + "&charts=true",
    *thorough(*PLACES[:4], SELECTED)])
def test_text_of_twice_the_size_does_not_scroll_sideways(crowded, look, path):
    expect_nothing_sideways(look(crowded, path))


@pytest.mark.parametrize("path", [
    "?search=increment", "/state?product=Animals&path=/animals", "/time?url=/counter&region=number", "/cost",
    *thorough("", "/", "/state", "/windows", "/time?url=/counter")])
def test_developer_pages_do_not_scroll_sideways(developed, look, path):
    page = look(developed, "/counter")
    page.get_by_role("button", name="Increment").click()
    page.goto(developed.url + "/developer" + path)

    expect_nothing_sideways(page)


def test_previews_do_not_scroll_sideways(developed, context):
    page = context.new_page()
    page.goto(developed.url + "/previews")

    expect_nothing_sideways(page)


def expect_nothing_sideways(page):
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})

        # With a user style sheet. Media queries in rem do not follow it.
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate(SIDEWAYS) == [], width
        page.evaluate("document.documentElement.style.fontSize = ''")
        set_text(page, 32)
        assert page.evaluate(SIDEWAYS) == [], width
        set_text(page, 16)


def enlarge(page):
    """As a user style sheet does. Media queries do not follow it."""
    page.evaluate("document.documentElement.style.fontSize = '200%'")


def set_large(page):
    set_text(page, 32)


@pytest.mark.parametrize("double", [enlarge, set_large])
def test_text_of_twice_the_size_leaves_room_below_the_site_links(crowded, look, double):
    """They took three rows, a third of a phone's screen."""
    page = look(crowded, "/counter")
    links = page.locator(".site nav a")
    size = "link => parseFloat(getComputedStyle(link).fontSize)"
    before = {}
    for width in [390, 320]:
        resize(page, (width, 844))
        before[width] = links.first.evaluate(size)

    double(page)

    for width in before:
        resize(page, (width, 844))
        boxes = [link.bounding_box() for link in links.all()]
        assert len({box["y"] for box in boxes}) == 2, width
        assert all(box["height"] >= 44 for box in boxes), width
        assert page.locator(".site").bounding_box()["height"] <= 844 / 6, width
        assert links.first.evaluate(size) > 1.5 * before[width], width


@pytest.mark.parametrize("path", ["/", "/animals", "/animals?category=Invertebrate"])
def test_text_of_twice_the_size_breaks_no_word_of_a_heading(crowded, look, path):
    """The home page was headed ImmutableDat-a."""
    page = look(crowded, path)
    page.set_viewport_size({"width": 320, "height": 640})
    enlarge(page)

    headings = page.locator(":is(h1, h2):visible")
    assert headings.count() > 0
    broken = headings.evaluate_all("""headings => headings.flatMap((heading) => {
      const range = document.createRange();
      return [...heading.firstChild.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
        range.setStart(heading.firstChild, index);
        range.setEnd(heading.firstChild, index + word.length);
        return range.getClientRects().length > 1;
      }).map(([word]) => word);
    })""")
    assert broken == []


@pytest.mark.parametrize("path", [QUAKES, SELECTED])
def test_text_of_twice_the_size_leaves_the_buttons_of_the_map_visible(crowded, look, path):
    """The card covered those that zoom in and move north."""
    page = look(crowded, path)
    enlarge(page)
    buttons = page.locator(".compass .button")
    assert buttons.count() >= 7

    for size in [(1280, 800), (1024, 768), (900, 700)]:
        resize(page, size)
        page.evaluate("scrollTo(0, 0)")
        covered = buttons.evaluate_all("""buttons => buttons.filter((button) => {
          button.scrollIntoView({ block: "nearest" });
          const { x, y, width, height } = button.getBoundingClientRect();
          return !button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        }).map((button) => button.title)""")
        assert covered == [], size


# The words of buttons that are broken: a word takes one line.
BROKEN_WORDS = """() => [...document.querySelectorAll("button, .button, summary")]
  .filter((button) => button.checkVisibility() && !button.closest(".hidden"))
  .flatMap((button) => {
    const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    const broken = [];
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      if (text.parentElement.closest(".hidden")) continue;
      for (const { 0: word, index } of text.data.matchAll(/\\S+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) broken.push(word);
      }
    }
    return broken;
  })"""


@pytest.mark.parametrize("path", [
    "/counter", "/animals/Dog?category=Mammal&order=own", "/animals?sheet=reload", SELECTED,
    *thorough("/", "/animals", "/animals?category=Mammal", "/animals?category=Mammal&sheet=add",
              "/animals/Dog?category=Mammal")])
def test_text_of_twice_the_size_does_not_break_the_words_of_buttons(crowded, look, path):
    page = look(crowded, path)
    for width in [320, 390, 768]:
        page.set_viewport_size({"width": width, "height": 800})
        set_text(page, 32)
        assert page.evaluate(BROKEN_WORDS) == [], width


@pytest.mark.parametrize("path", [
    "/animals?all=true&search=", "/animals/Dog?all=true&search=", "/quakes?search=", "/animals?sheet=add&name="])
def test_a_long_word_does_not_make_the_narrowest_phone_scroll_sideways(crowded, look, path):
    page = look(crowded, path + "Wolpertinger" * 12)
    page.set_viewport_size({"width": 320, "height": 640})

    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_a_long_name_does_not_make_the_narrowest_phone_scroll_sideways(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal&sheet=add")
    page.set_viewport_size({"width": 320, "height": 640})
    name = "Wolpertinger" * 8

    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Category").select_option("Mammal")
    page.get_by_label("Diet").select_option("Herbivore")
    page.get_by_role("button", name="Save", exact=True).click()

    expect(page.locator("#toast")).to_contain_text(name)
    for path in [None, "/animals?category=Mammal"]:
        if path:
            page.goto(animals.url + path)
        expect(page.locator("main").get_by_text(name).last).to_be_attached()
        assert page.evaluate("document.documentElement.scrollWidth") == 320, path

    page.goto(f"{animals.url}/animals?category=Mammal&sheet=add")
    page.get_by_label("Name", exact=True).fill(name)
    page.keyboard.press("Tab")
    expect(page.get_by_role("dialog").get_by_text("already")).to_contain_text(name)
    assert page.get_by_role("dialog").evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth")


def test_a_toast_about_a_long_name_is_as_wide_as_a_text(animals, open_live):
    """It was as wide as the page."""
    page = open_live(animals, "/animals?category=Mammal&sheet=add")
    name = " ".join(["Wolpertinger"] * 15)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Category").select_option("Mammal")
    page.get_by_label("Diet").select_option("Herbivore")

    page.get_by_role("button", name="Save", exact=True).click()

    toast = page.locator("#toast")
    expect(toast).to_contain_text(name)
    assert toast.bounding_box()["width"] <= 640


@pytest.mark.parametrize("width", [320, *thorough(390, 430)])
def test_the_buttons_of_a_question_are_equally_wide_below_each_other(animals, open_live, width):
    """One was at the end of its line, above one that took the whole line."""
    page = open_live(animals, "/animals?sheet=reload")
    page.set_viewport_size({"width": width, "height": 640})

    boxes = [button.bounding_box() for button in page.locator(".sheet .buttons :is(a, button)").all()]

    assert len({(box["x"], box["width"]) for box in boxes}) == 1
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]


def test_a_star_is_beside_a_long_word(animals, open_live):
    """It was alone below the name, at its other end."""
    page = open_live(animals, "/animals?category=Mammal&sheet=add")
    page.get_by_label("Name", exact=True).fill("Wolpertinger" * 5)
    page.get_by_label("Category").select_option("Mammal")
    page.get_by_label("Diet").select_option("Herbivore")
    page.get_by_role("button", name="Save", exact=True).click()
    name = page.get_by_role("heading", name="Wolpertinger")
    expect(name).to_be_visible()
    for width in [320, 1000]:
        resize(page, (width, 640))

        text, star = name.bounding_box(), page.locator(".bar .star").bounding_box()

        assert star["x"] >= text["x"] + text["width"], width
        assert star["y"] < text["y"] + 44, width


def test_a_toast_about_a_short_name_takes_one_line_on_the_narrowest_phone(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    resize(page, (320, 640))

    page.get_by_role("button", name="Favorite Dog").click()

    text = page.locator("#toast [role=status]")
    expect(text).to_have_text(re.compile("Dog.* is a favorite."))
    assert text.bounding_box()["height"] < 30
    page.locator("#toast").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Favorite Dog")).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("path", ["/counter", "/quakes", *thorough("/", "/animals")])
def test_the_product_links_fit_on_one_line_on_phones(crowded, look, path):
    """At 375 pixels, and in Firefox beside a scroll bar at 390, they took two."""
    page = look(crowded, path)
    for width in [320, 347, 361, 375, 385]:
        page.set_viewport_size({"width": width, "height": 640})

        boxes = [link.bounding_box() for link in page.locator(".site nav a").all()]

        assert len({box["y"] for box in boxes}) == 1, width
        assert min(box["height"] for box in boxes) >= 44, width
        pill = page.locator("#live").bounding_box()
        assert boxes[-1]["x"] + boxes[-1]["width"] <= pill["x"], width


# What fingers would miss: boxes lower than 44 pixels. Words in a text, and the parts of charts and maps, are as large
# as their meaning.
SMALL = """() => [...document.querySelectorAll("a, button, summary, input, select")]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  .filter((element) => !element.closest("h2, svg, .strip, .skip, .rows, .entries, .fields, .changes, .causes, .hidden"))
  .map((element) => [element.textContent.trim() || element.ariaLabel, element.getBoundingClientRect()])
  .filter(([, { height, width }]) => width > 1 && height < 43.5)
  .map(([name, { height }]) => `${name}: ${height}`)"""


@pytest.mark.parametrize("path", [
    "/counter", "/animals/Dog?category=Mammal", "/animals?sheet=add", SELECTED + "&search=healy",
    QUAKES + "&charts=true", *thorough("/", "/animals", "/animals?category=Mammal", "/no-such-page")])
def test_controls_are_high_enough_for_fingers_on_a_phone(crowded, context, path):
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(crowded.url + path)

    assert page.evaluate(SMALL) == []


@pytest.mark.parametrize("path", [
    "/developer", "/developer/time?url=/counter", "/previews/AnimalsUI/AnimalDetail/a-favorite",
    *thorough("/developer/state", "/developer/windows", "/developer/cost", "/previews")])
def test_controls_of_developer_pages_are_high_enough_for_fingers_on_a_phone(developed, context, path):
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(developed.url + path)

    assert page.evaluate(SMALL) == []
    tabs = page.locator(".tabs a")
    assert len({tab.bounding_box()["y"] for tab in tabs.all()}) == 1


def test_a_version_is_beside_the_first_line_of_a_long_name(developed, context):
    page = context.new_page()
    page.goto(developed.url + "/quakes")
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(developed.url + "/developer/state?product=Quakes")
    step = page.locator(".steps li").first
    name = step.locator(".action a")

    lines = name.evaluate("a => [...a.getClientRects()].length && [a.offsetHeight, a.getBoundingClientRect().top]")
    version = step.locator(".version").bounding_box()

    assert lines[0] > 40  # more than one line
    assert version["y"] < lines[1] + 16


def test_the_links_to_other_days_are_as_high_as_the_field_between_them(crowded, look):
    page = look(crowded, QUAKES)

    heights = {element.bounding_box()["height"] for element in page.locator(".days .step, .days [type=date]").all()}

    assert len(heights) == 1


@pytest.mark.parametrize("is_touched", [True, False])
def test_a_hover_shows_only_where_there_is_a_pointer(crowded, browser, is_touched):
    context = browser.new_context(has_touch=is_touched)
    page = context.new_page()
    page.goto(crowded.url + "/counter")
    button = page.get_by_role("button", name="Increment")
    background = lambda: button.evaluate("button => getComputedStyle(button).backgroundColor")
    page.emulate_media(reduced_motion="reduce")  # no transition of the color
    before = background()

    button.hover()

    assert (background() == before) == is_touched
    context.close()


def test_the_tools_fit_on_one_line_where_the_list_is_narrowest(crowded, look):
    page = look(crowded, SELECTED)
    page.set_viewport_size({"width": 801, "height": 600})

    boxes = [page.locator("summary", has_text=name).bounding_box()
             for name in ["Refresh", "Delete"]]

    assert len({box["y"] for box in boxes}) == 1


def test_without_javascript_a_buttons_label_is_on_one_line(crowded, plain):
    plain.goto(crowded.url + QUAKES)

    for width in [320, 390, 801, 1280]:
        plain.set_viewport_size({"width": width, "height": 800})
        for name in ["Show", "Search"]:
            button = plain.get_by_role("button", name=name, exact=True)
            assert button.bounding_box()["height"] < 50, (name, width)
        date = plain.locator("[type=date]")
        assert date.evaluate("field => field.clientWidth") >= 130, width  # a whole date


def test_the_counters_buttons_are_on_the_screen_of_a_phone(crowded, open_page):
    page = open_page(crowded, "/counter")

    for size in [(844, 390), (667, 375), (390, 844), (320, 568)]:
        resize(page, size)
        for name in ["Decrement", "Increment"]:
            box = page.get_by_role("button", name=name).bounding_box()
            assert box["y"] + box["height"] <= size[1], (name, size)


# Side by side.


def test_rows_of_all_lists_have_the_same_height(crowded, look):
    page = look(crowded, "/animals/Dog?category=Mammal")

    heights = page.locator(".rows > li").evaluate_all(
        "rows => rows.map((row) => row.getBoundingClientRect().height)")

    assert set(heights) == {44}


def test_texts_of_all_products_begin_at_the_same_height(crowded, look):
    page = look(crowded, "/")
    page.set_viewport_size({"width": 1280, "height": 720})

    tops = page.locator(".products p").evaluate_all(
        "texts => texts.map((text) => text.getBoundingClientRect().top)")

    assert len(tops) == 3
    assert len(set(tops)) == 1


# Where a line of the header and the content of the page begin and end.
EDGES = """() => {
  const text = document.createRange();
  text.selectNodeContents(document.querySelector(".site a"));
  const pill = document.querySelector("#live");
  const main = document.querySelector("main");
  const { left, right } = main.getBoundingClientRect();
  const { paddingLeft, paddingRight } = getComputedStyle(main);
  return {
    begins: [text.getBoundingClientRect().left, left + parseFloat(paddingLeft)],
    ends: [pill.getBoundingClientRect().right, right - parseFloat(paddingRight)],
  };
}"""


@pytest.mark.parametrize("path", ["/animals", QUAKES, "/developer/state", *thorough("/", "/counter")])
def test_the_header_begins_and_ends_where_the_page_does(developed, look, path):
    page = look(developed, path)
    expect(page.locator("#live")).to_be_visible()

    for width in [390, 844, 1280, 1920]:
        page.set_viewport_size({"width": width, "height": 800})
        edges = page.evaluate(EDGES)
        if width > 800:  # a phone's map has no margin, and its pill no edge
            assert edges["ends"] == pytest.approx([edges["ends"][0]] * 2, abs=1), width
        if width > 800 or path != QUAKES:
            assert edges["begins"] == pytest.approx([edges["begins"][0]] * 2, abs=1), width


def test_the_footer_of_an_empty_list_is_where_it_always_is(crowded, look):
    footer = "section[data-pane=animals] footer"
    page = look(crowded, "/animals?category=Mammal")
    page.set_viewport_size({"width": 1280, "height": 720})
    bottom = "footer => footer.getBoundingClientRect().bottom"
    before = page.locator(footer).evaluate(bottom)

    page.goto(crowded.url + "/animals?category=Fish")

    expect(page.get_by_text("No animals in this category")).to_be_visible()
    assert page.locator(footer).evaluate(bottom) == pytest.approx(before, abs=1)


# Forced colors.


def color(page, selector, property, pseudo=None):
    return page.locator(selector).first.evaluate(
        "(element, [property, pseudo]) => getComputedStyle(element, pseudo)[property]",
        [property, pseudo])


@pytest.mark.parametrize("path", [SELECTED, "/animals/Dog?category=Mammal"])
def test_forced_colors_show_the_selection(crowded, look, path):
    page = look(crowded, path, forced_colors="active")
    row = ".rows > li[aria-current]"

    assert color(page, row, "backgroundColor") != color(
        page, ".rows > li:not([aria-current])", "backgroundColor")
    assert color(page, row + " a", "color") != color(page, ".rows > li:not([aria-current]) a", "color")
    assert color(page, row + " a", "color") != color(page, row, "backgroundColor")
    current, other = ".site a[aria-current]", ".site a:not([aria-current])"
    assert color(page, current, "textDecorationLine") == "underline"
    assert color(page, other, "textDecorationLine") == "none"


@pytest.mark.parametrize("path, count", [
    ("/developer/time?url=/counter", 2), ("/previews/AnimalsUI/AnimalDetail/a-favorite", 2),
    *thorough(("/developer?product=Counter&entry=1", 4), ("/developer/cost", 3), ("/developer/state?product=Counter", 2)),
])
def test_forced_colors_show_what_is_current_on_pages_for_developers(developed, look, path, count):
    """In the steps of Time and among previews nothing showed it."""
    page = look(developed, "/counter", forced_colors="active")
    press_increment(page)
    page.goto(developed.url + path)
    page.wait_for_load_state()

    shown, unmarked = page.evaluate(UNMARKED)

    assert shown >= count
    assert unmarked == []


def test_forced_colors_show_the_edge_of_what_is_said_about_a_region(developed, look):
    page = look(developed, "/counter", forced_colors="active")

    page.keyboard.press("Alt+i")

    expect(page.locator(".picking > p")).to_have_css("outline-style", "solid")


def test_forced_colors_show_the_edges_of_messages(crowded, look):

    page = look(crowded, "/animals/Nope", forced_colors="active")

    expect(page.locator("[data-missing]")).to_have_css("outline-style", "solid")


@pytest.mark.parametrize("path, place, kinds", [
    ("/animals", "main", ["failure", "hint", "template-error", "conflict"]), ("/quakes", ".map", ["limit"]),
])
def test_forced_colors_show_the_edges_of_all_kinds_of_messages(crowded, look, path, place, kinds):
    page = look(crowded, path, forced_colors="active")

    for kind in kinds:
        page.locator(place).evaluate(
            "(place, kind) => place.append(Object.assign(document.createElement('p'), { className: kind }))", kind)
        expect(page.locator(f"{place} > p.{kind}")).to_have_css("outline-style", "solid")


def test_forced_colors_show_the_edges_of_what_matters(crowded, browser, open_live):
    context = browser.new_context(forced_colors="active")
    page = open_live(crowded, "/animals/Dog?category=Mammal&sheet=edit", context)
    page.get_by_label("Name").fill("Wolf")  # or Save is disabled
    width = lambda selector: float(color(page, selector, "borderTopWidth").removesuffix("px"))

    assert width(".sheet") >= 2
    assert width("[data-complete]:not(.anyway)") > width(".sheet .quiet")
    for edge in ["#live", ".sheet", "[data-complete]:not(.anyway)", ".sheet .quiet"]:
        assert color(page, edge, "borderTopColor") != color(page, "body", "backgroundColor"), edge
        assert width(edge) >= 1, edge
    page.set_viewport_size({"width": 390, "height": 844})
    assert width("#live") == 0  # around a dot it would be a frame as high as a line
    context.close()


# Animals.


def test_the_sort_orders_are_side_by_side(crowded, look):
    page = look(crowded, "/animals?category=Mammal")

    for width in [704, 801, 900]:
        resize(page, (width, 700))
        boxes = [link.bounding_box() for link in page.locator(".orders a").all()]
        assert len(boxes) == 2, width
        assert len({box["y"] for box in boxes}) == 1, width


def test_the_headings_of_all_panes_are_at_the_same_height(crowded, look):
    page = look(crowded, "/animals/Dog?category=Mammal")

    for width in [704, 768, 800, 900, 1280]:
        resize(page, (width, 700))
        middles = page.locator(".pane .bar h2").evaluate_all("""headings => headings.map((heading) => {
          const text = document.createRange();
          text.selectNodeContents(heading);
          const { top, bottom } = text.getBoundingClientRect();
          return Math.round((top + bottom) / 2);
        })""")
        assert len(middles) == 3, width
        assert max(middles) - min(middles) <= 1, (width, middles)


def test_the_link_back_is_not_underlined(crowded, open_page):
    page = open_page(crowded, "/animals/Dog?category=Mammal")
    page.set_viewport_size({"width": 390, "height": 844})

    back = "section[data-pane=detail] .back"
    expect(page.locator(back)).to_be_visible()
    assert color(page, back, "textDecorationLine") == "none"


def test_a_notice_leaves_the_panes_on_the_screen(crowded, open_page):
    page = open_page(crowded, "/animals/Nope")

    for size in [(800, 700), (1280, 720), (1920, 1080)]:
        resize(page, size)
        expect(page.locator("[data-missing]")).to_be_visible()
        panes = page.locator(".split").bounding_box()
        assert panes["y"] + panes["height"] <= size[1], size


# Pages for developers.


def test_on_a_phone_what_is_known_of_a_region_has_whole_lines(developed, look):
    """A name beside its long value broke into words, and a comma began a line."""
    page = look(developed, "/counter")
    press_increment(page)
    page.goto(developed.url + "/developer/time?url=/counter&region=number")
    page.set_viewport_size({"width": 320, "height": 640})
    expect(page.get_by_role("term").filter(has_text="Put there by")).to_be_visible()

    lines = page.locator(".inspected dt").evaluate_all("terms => terms.map((term) => term.getClientRects().length && "
        "Math.round(term.offsetHeight / parseFloat(getComputedStyle(term).lineHeight)))")

    assert lines == [1] * len(lines)
    comma = page.locator(".inspected dd", has_text=", form").first.evaluate("""description => {
      const [link, text] = description.childNodes;
      const range = document.createRange();
      range.setStart(text, 0);
      range.setEnd(text, 1);
      return range.getBoundingClientRect().left > link.getBoundingClientRect().left;
    }""")
    assert comma


# Paper.


def test_printing_shows_all_earthquakes_and_no_controls(crowded, look):
    page = look(crowded, SELECTED)
    page.set_viewport_size({"width": 800, "height": 1000})

    page.emulate_media(media="print")

    rows = page.locator("[data-list=quakes] > li")
    expect(rows).to_have_count(206)
    assert rows.evaluate_all("rows => rows.filter((row) => row.offsetHeight > 20).length") == 206
    clipped = page.evaluate("""[...document.querySelectorAll("main *:not(.map, .map *, .hidden)")]
      .filter((element) => getComputedStyle(element).overflowY !== "visible"
        && element.scrollHeight > element.clientHeight + 1).length""")
    assert clipped == 0
    bottom = page.locator("[data-list=quakes]").bounding_box()
    assert bottom["height"] >= 205 * 20
    controls = page.locator("button, input, summary, .button, nav a, .skip")
    assert [text for text in controls.all() if text.is_visible()] == []
    expect(row(page, HEALY)).to_be_visible()
    expect(page.locator(".title h2")).to_have_text(HEALY)
    expect(page.locator(".counts")).to_be_visible()
    expect(page.get_by_text("February 7, 2018", exact=True)).to_be_visible()


@pytest.mark.parametrize("size", [(718, 1010), *thorough(((1010, 718),), ((528, 750),))])
def test_a_printed_map_shows_the_world_once_and_below_the_card(crowded, look, size):
    """Paper is narrower than most windows: the world was there two and a half times, and a card covered a part of it."""
    page = look(crowded, SELECTED)
    page.set_viewport_size({"width": size[0], "height": size[1]})

    page.emulate_media(media="print")

    # The layout changes in steps, so all is measured at one moment, when the legend is below.
    boxes = page.wait_for_function("""() => {
      const box = (name) => document.querySelector(name).getBoundingClientRect();
      const [card, map, legend] = [".card", ".map > svg", ".legend"].map(box);
      return map.bottom <= legend.top + 1 && { card, map };
    }""").json_value()
    card, map = boxes["card"], boxes["map"]
    assert map["width"] / map["height"] == pytest.approx(360 / 264, abs=0.02)
    assert map["width"] > 500
    assert card["bottom"] <= map["top"] + 1


def test_a_printed_row_has_its_time_once(crowded, look):
    """It had the clock, how long ago that was, and all of it again in parentheses."""
    page = look(crowded, SELECTED)

    page.emulate_media(media="print")

    entry = row(page, HEALY)
    expect(entry.locator(".clock")).to_be_hidden()
    time = entry.locator("time")
    assert "2018" in time.get_attribute("title")
    expect(time).to_have_css("font-size", "0px")
    assert time.bounding_box()["width"] > 200  # its title


def test_what_can_only_be_pressed_leaves_no_room_on_paper(crowded, look):
    """An empty line was printed for the timeline, and the word *Table* without a table."""
    page = look(crowded, SELECTED + "&charts=true")

    page.emulate_media(media="print")

    expect(page.get_by_role("figure").first).to_be_visible()
    expect(page.get_by_text("Table", exact=True).first).to_be_hidden()
    expect(page.locator(".timeline")).to_be_hidden()


def test_a_printed_day_up_to_a_time_says_up_to_which(crowded, look):
    page = look(crowded, SELECTED + "&until=0900")

    page.emulate_media(media="print")

    expect(page.locator(".timeline .face")).to_be_visible()
    expect(page.locator(".timeline .face")).to_have_attribute("data-clock", re.compile("^9:00 AM"))


def test_the_pointer_leaves_no_trace_on_paper(crowded, open_live):
    """The row under it, its ring on the map, and the row of the marker under it were marked."""
    page = open_live(crowded, QUAKES)
    entry = row(page, HEALY)
    before = entry.evaluate("row => getComputedStyle(row).backgroundColor")
    page.emulate_media(media="print")  # before, because the page looks different then

    entry.hover()
    entry.evaluate("row => row.setAttribute('data-joined', '')")  # as if the pointer were on its marker

    expect(page.locator(".map .halo")).not_to_have_attribute("r", "0")
    expect(entry).to_have_css("background-color", before)
    expect(entry.get_by_role("link")).to_have_css("box-shadow", "none")
    expect(page.locator(".map .halo")).to_have_css("display", "none")


def test_printing_shows_all_panes_of_animals_and_no_controls(crowded, look):
    page = look(crowded, "/animals/Dog?category=Mammal")

    page.emulate_media(media="print")

    controls = page.locator("button, .button, .delete, nav a, .skip")
    assert [text for text in controls.all() if text.is_visible()] == []
    expect(page.get_by_role("definition").filter(has_text="Carnivore")).to_be_visible()
    assert page.locator("[data-list=animals] > li").count() == 4
    # Selected rows are printed as dark as the rest.
    selected = "[data-list=categories] > li[aria-current]"
    expect(page.locator(selected)).to_contain_text("Mammal")
    for part in ["a", ".count"]:
        assert color(page, f"{selected} {part}", "color") == color(page, "main", "color")


def test_printing_does_not_ask_to_select_an_animal(crowded, look):
    page = look(crowded, "/animals?category=Mammal")
    expect(page.get_by_text("Select an animal")).to_be_visible()

    page.emulate_media(media="print")

    expect(page.get_by_text("Select an animal")).to_be_hidden()


@pytest.mark.parametrize("width", [320, 390])
def test_the_buttons_of_a_sheet_fill_the_lines_of_a_phone(crowded, open_live, width):
    """Three of different widths were stairs."""
    page = open_live(crowded, "/animals/Dog?category=Mammal&sheet=edit")
    page.set_viewport_size({"width": width, "height": 640})
    page.get_by_label("Name", exact=True).fill("Cat")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Save anyway")).to_be_visible()
    field = page.get_by_label("Name", exact=True).bounding_box()

    lines = {}
    for button in page.locator(".sheet .buttons :is(button, .button):visible").all():
        box = button.bounding_box()
        lines.setdefault(round(box["y"]), []).append(box)

    for boxes in lines.values():
        assert min(box["x"] for box in boxes) == pytest.approx(field["x"], abs=1)
        assert max(box["x"] + box["width"] for box in boxes) == pytest.approx(field["x"] + field["width"], abs=1)


def test_an_open_editor_is_not_printed(crowded, open_live):
    """It covered the page, which it made grey, and its buttons were missing."""
    page = open_live(crowded, "/animals/Dog?category=Mammal&sheet=edit")
    expect(page.get_by_role("dialog")).to_be_visible()

    page.emulate_media(media="print")

    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("[data-list=animals]")).to_be_visible()


def test_home_is_printed_on_one_page_without_what_nobody_can_press_on_paper(crowded, open_live):
    """WebKit printed an empty second page."""
    page = open_live(crowded, "/")

    page.emulate_media(media="print")

    expect(page.locator(".products")).to_be_visible()
    expect(page.locator("iframe").first).to_be_hidden()
    assert page.locator("main").bounding_box()["height"] < 1000  # of the 1,123 of A4


@pytest.mark.parametrize("path", ["/animals?category=Mammal", QUAKES])
def test_printed_lists_are_in_no_box_whose_lines_webkit_cuts_in_two(crowded, open_live, path):
    """At the end of a page, in flexible boxes and grids."""
    page = open_live(crowded, path)

    page.emulate_media(media="print")

    displays = page.evaluate("""() => {
      const boxes = [];
      for (let box = document.querySelector("section:not(.days) .rows"); box; box = box.parentElement) {
        boxes.push(getComputedStyle(box).display);
      }
      return boxes;
    }""")
    assert "block" in displays and not {"flex", "grid"} & set(displays), displays


# Words.


def test_the_tooltip_of_a_time_uses_the_same_zone_as_the_title(crowded, browser, open_live):
    context = browser.new_context(timezone_id="America/Los_Angeles")
    page = open_live(crowded, SELECTED, context)
    plainly = lambda text: re.sub(r"\s+", " ", text)

    title = plainly(page.locator(".title p").inner_text())

    assert "3:30:00 AM PST" in title
    assert plainly(row(page, HEALY).locator("time").get_attribute("title")) == title
    context.close()


def test_the_name_of_a_part_of_a_list_stays_in_a_narrow_pane(crowded, look):
    page = look(crowded, "/counter")

    assert page.evaluate(PARTS)


def test_an_empty_list_takes_no_room_and_a_row_without_a_link_is_a_row(crowded, look):
    page = look(crowded, "/counter")

    height, before, after = page.evaluate(ROWS)

    assert (height, before, after) == (0, 8, 0)
