"""Quakes on a phone: the map is whole, and the list is a sheet over it."""

import pytest
from playwright.sync_api import expect

from fake_feed import feature
from kinds import thorough
from profiles import set_text
from quakes_page import (
    AYNA, CASTAIC, FEATURES, HEALY, NOON, PLACES, QUAKES, SAN_JOSE, SVG, TONGA, camera, expect_camera,
    expect_names, expect_selected, middle, query, row, summary,
)
from waiting import wait_until

PHONES = [(390, 844), (320, 640), (600, 900)]
on_phones = pytest.mark.parametrize("size", [PHONES[1], *thorough((PHONES[0],), (PHONES[2],))])
TITLE = "143 km ENE of Port-Olry, Sanma Province, Vanuatu"
MANY = [*FEATURES, feature("title", 2, TITLE, NOON - 1, coordinates=(138, -37, 12.5), felt=1234), *(
    feature(f"more-{n}", 1, f"More {n}", NOON - n * 1000, coordinates=(60, 30)) for n in range(60))]


@pytest.fixture(autouse=True)
def no_complaints(complaints):
    yield
    assert complaints == []


@pytest.fixture
def phone(shared_quakes, open_live):
    """Opens a page as high and wide as a phone."""
    shared_quakes.load(MANY)

    def open_phone(size=PHONES[0], path=QUAKES):
        page = open_live(shared_quakes, path)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        if size[0] <= 640:
            expect(page.locator(".drawer [aria-current]")).to_have_count(1)  # by the script that only phones load
        return page

    return open_phone


def test_an_address_without_a_camera_shows_its_earthquake(shared_quakes, context):
    """The part of the world that a phone shows at first was without it."""
    shared_quakes.load([
        feature(f"at-{longitude}", 2, f"At {longitude}", NOON - 1, coordinates=(longitude, 30))
        for longitude in [60, 150, -120, -30]])
    page = context.new_page()
    page.set_viewport_size({"width": 320, "height": 640})

    page.goto(shared_quakes.url + QUAKES + "&list=at--30&map=at--30")

    expect(page.locator(".ring")).to_be_in_viewport(ratio=1)
    page.goto(shared_quakes.url + QUAKES + "&list=at--30&map=at--30&camera=150_0_2")
    expect(page.locator("html[data-live]")).to_be_attached()
    expect_camera(page, 150, 0, 2)


def sheet(page):
    """How much of the screen is above the sheet, in pixels."""
    return page.locator(".drawer").bounding_box()["y"]


def come_to_rest(page):
    """Returns when the page does not scroll any longer."""
    page.evaluate("""() => new Promise((done) => {
      let [last, frames] = [scrollY, 0];
      const look = () => {
        frames = scrollY === last ? frames + 1 : 0;
        last = scrollY;
        frames < 15 ? requestAnimationFrame(look) : done();
      };
      look();
    })""")


def under(page, x, y):
    """The region at a point of the screen."""
    return page.evaluate(
        """([x, y]) => document.elementFromPoint(x, y).closest("section")?.ariaLabel""", [x, y])


@on_phones
def test_the_map_fills_the_screen_above_the_sheet(phone, size):
    page = phone(size)

    box = page.locator(".map").bounding_box()

    assert box["width"] == page.evaluate("document.documentElement.clientWidth")
    assert size[1] - 150 < sheet(page) < size[1] - 60
    assert box["height"] > size[1] * 0.5
    assert box["y"] + box["height"] <= sheet(page)
    expect(page.locator("[type=date]")).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("text", [16, 20, *thorough(18, 24)])
def test_the_sheet_begins_where_the_map_ends_at_any_size_of_text(phone, text):
    """If the links above the map took another line, the sheet began below the screen."""
    page = phone()
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": text}})
    for width in [320, 346, 352, 375, 384, 390, 412, 430, 480]:
        page.set_viewport_size({"width": width, "height": 844})

        pane = page.get_by_role("region", name="Map").bounding_box()

        assert pane["y"] + pane["height"] == pytest.approx(844, abs=2), width


@on_phones
def test_scrolling_raises_the_sheet_and_the_map_stays(phone, size):
    page = phone(size)
    page.mouse.move(size[0] / 2, size[1] - 20)

    page.mouse.wheel(0, size[1] / 2 - 60)

    wait_until(lambda: sheet(page) < size[1] * 0.65, "the sheet is half way up")
    come_to_rest(page)  # what still scrolls would take the link's scroll back
    assert under(page, size[0] / 2, 30) == "Map"
    assert under(page, size[0] / 2, size[1] - 10) in ("Day", "List")
    page.get_by_role("link", name="List", exact=True).click()
    wait_until(lambda: under(page, size[0] / 2, 60) in ("Day", "List"), "the sheet covers the map")
    assert page.evaluate("scrollX") == 0


@on_phones
def test_the_switch_shows_whether_the_map_or_the_list_is_in_front(phone, size):
    page = phone(size)
    links = {name: page.locator(".drawer").get_by_role("link", name=name, exact=True) for name in ["Map", "List"]}

    def expect_current(name):
        for other, link in links.items():
            if other == name:
                expect(link).to_have_attribute("aria-current", "true")
            else:
                expect(link).not_to_have_attribute("aria-current", "true")
            expect(link).to_have_css("text-decoration-line", "underline" if other == name else "none")

    expect_current("Map")
    links["List"].click()
    expect_current("List")
    page.get_by_role("link", name="Newest", exact=True).evaluate("link => link.click()")
    expect(row(page, TITLE)).to_be_attached()
    page.evaluate("scrollBy(0, -100)")  # less than the sheet's height
    links["Map"].evaluate("link => link.click()")
    expect_current("Map")


@on_phones
def test_messages_leave_the_switch_free(phone, size):
    page = phone(size)
    for message in ["#connection", "#toast"]:
        page.locator(message).evaluate(
            "element => { element.hidden = false; element.querySelector('p') ?? (element.textContent = 'Gone. '.repeat(12)); }")

        box = page.locator(message).bounding_box()

        assert box["y"] + box["height"] <= sheet(page), message


def test_the_sheet_can_be_lowered_again(phone):
    page = phone()
    before = sheet(page)
    page.get_by_role("link", name="List", exact=True).click()
    wait_until(lambda: page.evaluate("scrollY") > 300, "the sheet is up")
    page.evaluate("scrollBy(0, -200)")

    page.locator(".drawer").get_by_role("link", name="Map", exact=True).evaluate(
        "link => link.click()")

    wait_until(lambda: abs(sheet(page) - before) < 2, "the sheet is down")


def test_selecting_a_row_lowers_the_sheet_and_shows_the_map(phone):
    page = phone()
    before = sheet(page)
    page.get_by_role("link", name="List", exact=True).click()
    wait_until(lambda: under(page, 195, 60) in ("Day", "List"), "the sheet covers the map")

    row(page, "More 40").get_by_role("link").click()

    expect_selected(page, "More 40")
    wait_until(lambda: abs(sheet(page) - before) < 2, "the sheet is down")
    expect(page.locator(".card")).to_be_in_viewport(ratio=0.9)
    card, ring = page.locator(".card").bounding_box(), page.locator(".ring").bounding_box()
    assert card["y"] + card["height"] - 1 <= ring["y"] < sheet(page)


@on_phones
def test_the_switch_stays_on_the_screen_above_a_long_list(phone, size):
    """From the end of the list, nothing but scrolling all the way back led to the map."""
    page = phone(size)
    down = sheet(page)
    row(page, "More 40").scroll_into_view_if_needed()
    come_to_rest(page)

    page.locator(".drawer").get_by_role("link", name="Map", exact=True).click()

    wait_until(lambda: abs(sheet(page) - down) < 2, "the sheet is down")


@on_phones
def test_the_list_opens_at_the_selected_earthquake(phone, size):
    """It opened at its top, so that nobody found the row again that had led to the map."""
    page = phone(size)
    list = page.locator(".drawer").get_by_role("link", name="List", exact=True)
    down = sheet(page)
    row(page, "More 40").get_by_role("link").click()
    wait_until(lambda: abs(sheet(page) - down) < 2, "the sheet is down")

    list.click()

    come_to_rest(page)
    expect(row(page, "More 40")).to_be_in_viewport(ratio=1)
    expect(row(page, "More 40").get_by_role("link")).to_be_focused()
    expect(list).to_have_attribute("aria-current", "true")


def test_closing_the_charts_leads_back_to_the_top_of_the_list(phone):
    """They are below it, and the page stayed scrolled to the end of the list."""
    page = phone()
    page.get_by_role("link", name="List", exact=True).click()
    charts = page.get_by_role("link", name="Charts")
    charts.click()
    close = page.get_by_role("link", name="Close")
    expect(close).to_be_focused()
    come_to_rest(page)
    expect(charts).not_to_be_in_viewport()

    close.click()

    expect(charts).to_be_focused()
    expect(charts).to_be_in_viewport()
    come_to_rest(page)
    assert charts.bounding_box()["y"] > 50  # below the switch


@pytest.mark.parametrize("menu", ["Refresh", "Delete"])
def test_a_menu_lies_over_the_list(phone, menu):
    page = phone(PHONES[1])
    summary(page, menu).click()
    last = page.locator("details.menu[open] button").last
    last.scroll_into_view_if_needed()
    box = last.bounding_box()

    assert last.evaluate(
        "(item, [x, y]) => item.contains(document.elementFromPoint(x, y))",
        [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])


def test_the_list_does_not_scroll_inside_the_sheet(phone):
    page = phone()

    heights = page.locator("[data-list=quakes]").evaluate(
        "list => [list.clientHeight, list.scrollHeight]")

    assert heights[0] == pytest.approx(heights[1], abs=1)
    assert heights[0] > 2000


@pytest.mark.main_path
def test_the_map_can_be_used_beside_the_sheet(phone):
    page = phone()
    before = sheet(page)

    page.mouse.click(*middle(page, SAN_JOSE))

    expect_selected(page, SAN_JOSE)
    expect(page.locator(".card")).to_be_in_viewport(ratio=0.9)
    assert sheet(page) == pytest.approx(before, abs=2)  # it does not come up by itself
    zoom = camera(page)[2]
    page.get_by_role("link", name="Zoom in").click()
    wait_until(lambda: camera(page)[2] == pytest.approx(2 * zoom, abs=0.01), "the map is nearer")


# The part of the world that it shows at first. As a strip between two blank ones, the world would be as wide as
# the screen.


def world_height(page):
    """How much of the map's height the world takes."""
    return page.locator(SVG).evaluate("svg => 264 * svg.getScreenCTM().d / svg.parentElement.clientHeight")


def expect_in_map(page, *names):
    box = page.locator(".map").bounding_box()
    for name in names:
        x, y = middle(page, name)
        assert box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"], name


@pytest.mark.parametrize("size", [(320, 568), (430, 932), *thorough(((320, 640),), ((360, 740),), ((390, 844),))])
def test_a_map_that_is_higher_than_the_world_begins_at_the_earthquakes(phone, size):
    page = phone(size)

    wait_until(lambda: world_height(page) > 0.66, lambda: f"it takes {world_height(page)}")

    assert world_height(page) < 1.01
    expect_in_map(page, TITLE, *PLACES)  # from 138° E to 74° W, around the Pacific
    assert "camera" not in query(page)


def test_earthquakes_of_one_part_of_the_world_fill_a_phone(shared_quakes, phone):
    page = phone()
    shared_quakes.load(FEATURES)
    expect_names(page, *PLACES)

    page.reload()

    wait_until(lambda: world_height(page) == pytest.approx(1, abs=0.01), lambda: f"it takes {world_height(page)}")
    expect_in_map(page, *PLACES)


def test_earthquakes_that_arrive_move_a_map_that_nobody_has_moved(shared_quakes, phone):
    """It went on only with the next choice of the visitor."""
    page = phone()

    shared_quakes.load(FEATURES)

    expect_names(page, *PLACES)
    wait_until(lambda: world_height(page) == pytest.approx(1, abs=0.01), lambda: f"it takes {world_height(page)}")
    expect_in_map(page, *PLACES)
    assert "camera" not in query(page)


def test_earthquakes_that_arrive_leave_a_map_where_the_visitor_has_moved_it(shared_quakes, phone):
    page = phone()
    page.get_by_role("link", name="Zoom in").click()
    page.wait_for_url("**camera=*")  # it has arrived
    before = camera(page)

    shared_quakes.load(FEATURES)

    expect_names(page, *PLACES)
    assert camera(page) == pytest.approx(before, abs=0.01)


def test_the_map_goes_on_to_the_earthquakes_of_another_choice(phone):
    page = phone()
    before = camera(page)

    page.get_by_role("link", name="M4.5+", exact=True).evaluate("link => link.click()")

    expect_names(page, TONGA)
    wait_until(lambda: abs(camera(page)[0] + 130) < 0.02, "the map is there")
    wait_until(lambda: world_height(page) == pytest.approx(1, abs=0.01), lambda: f"it takes {world_height(page)}")
    assert "camera" not in query(page)
    page.get_by_role("link", name="All", exact=True).evaluate("link => link.click()")
    expect_camera(page, *before)


def test_a_phone_that_is_turned_shows_the_whole_world_and_back(phone):
    page = phone()
    before = camera(page)

    page.set_viewport_size({"width": 844, "height": 390})

    expect_camera(page, 0, 0, 1)
    page.set_viewport_size({"width": 390, "height": 844})
    expect_camera(page, *before)


@pytest.mark.parametrize("size, selection", [
    ((1280, 800), ""), ((800, 700), "&list=healy&map=healy"), ((667, 375), ""), ((844, 390), "&list=healy&map=healy"),
    *thorough(*(((1280, 800), "&list=healy&map=healy"), ((800, 700), ""), ((667, 375), "&list=healy&map=healy"),
                ((844, 390), ""), ((1100, 720), ""), ((1100, 720), "&list=healy&map=healy")))])
def test_a_map_that_is_wider_than_the_world_begins_with_the_whole_world(phone, size, selection):
    """A card over its top does not make it higher."""
    page = phone(size, QUAKES + selection)

    expect_camera(page, 0, 0, 1)


def test_all_of_the_world_can_be_shown_on_a_phone(phone):
    page = phone()
    x, _, _ = camera(page)

    page.get_by_role("link", name="Show all").click()

    expect_camera(page, x, 0, 1)
    wait_until(lambda: query(page).get("camera", "").endswith("_0_1"), "the URL has it")
    page.reload()
    expect_camera(page, x, 0, 1)


def test_a_finger_moves_a_low_world_sideways_only(phone):
    """It could be pulled down until most of the map was blank."""
    page = phone()
    x, _, zoom = camera(page)
    box = page.locator(".map").bounding_box()
    page.mouse.move(box["x"] + 100, box["y"] + 60)
    page.mouse.down()

    page.mouse.move(box["x"] + 150, box["y"] + 260, steps=5)
    page.mouse.up()

    wait_until(lambda: "camera" in query(page), "the map has moved")
    expected = (x - 50 / scale(page), 0, zoom)
    assert camera(page) == tuple(pytest.approx(number, abs=0.5) for number in expected)


def scale(page):
    """How many pixels a degree has."""
    return page.locator(SVG).evaluate("svg => svg.getScreenCTM().a")


def test_the_card_does_not_cover_an_earthquake_that_is_selected_on_the_map(phone):
    """One at the top of the map was under it."""
    page = phone(path=QUAKES + "&camera=-110_-40_4")
    box = page.locator(".map").bounding_box()
    x, y = middle(page, HEALY)
    page.mouse.move(box["x"] + 200, box["y"] + 300)
    page.mouse.down()
    page.mouse.move(box["x"] + 200 + 100 - x, box["y"] + 300 + box["y"] + 40 - y, steps=5)
    page.mouse.up()
    wait_until(lambda: middle(page, HEALY)[1] == pytest.approx(box["y"] + 40, abs=3), "it is at the top")
    expect(page.locator(".map:not([data-moving])")).to_be_attached()

    page.mouse.click(*middle(page, HEALY))

    expect_selected(page, HEALY)
    card, ring = page.locator(".selection"), page.locator(".ring")
    below = lambda: ring.bounding_box()["y"] - card.bounding_box()["y"] - card.bounding_box()["height"]
    wait_until(lambda: below() >= 0, lambda: f"the ring is {below()} px below the card")
    assert ring.bounding_box()["y"] < sheet(page)


IS_ON_TOP = """element => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return [[left + 2, y], [right - 2, y], [x, top + 2], [x, bottom - 2]].every(([x, y]) =>
    element.contains(document.elementFromPoint(x, y)));
}"""


@pytest.mark.parametrize("size, name", [
    (PHONES[0], SAN_JOSE), ((320, 568), TITLE), (PHONES[2], TITLE),
    *thorough((PHONES[0], TITLE), (PHONES[1], TITLE), (PHONES[1], SAN_JOSE), (PHONES[2], SAN_JOSE),
              ((320, 568), SAN_JOSE))])
def test_a_selection_leaves_the_player_and_the_zoom_buttons_visible(shared_quakes, phone, size, name):
    page = phone(size)
    map = page.locator(".map")
    before = map.bounding_box()

    row(page, name).get_by_role("link").click()

    expect_selected(page, name)
    page.locator(".selection").evaluate("card => card.scrollTo(0, 1000)")  # the longest name scrolls
    wait_until(lambda: abs(map.bounding_box()["y"] - before["y"]) < 1, "the sheet is down")
    assert map.bounding_box() == before
    for control in ["Play the day", "Zoom in", "Zoom out", "Show all", "Details at USGS"]:
        control = page.get_by_role("button", name=control).or_(page.get_by_role("link", name=control, exact=True))
        assert control.evaluate(IS_ON_TOP), control
    ring = page.locator(".ring").bounding_box()
    card = page.locator(".selection").bounding_box()
    assert card["y"] + card["height"] <= ring["y"]


def test_with_text_of_twice_the_size_what_is_below_the_map_is_not_behind_the_sheet(phone):
    """Nobody could see the speeds and the legend."""
    page = phone()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    pane = page.locator(".split.quakes > .pane", has=page.locator(SVG))

    pane.evaluate("pane => pane.scrollTo(0, pane.scrollHeight)")

    for name in [".timeline [aria-label=Speed]", ".legend p"]:
        assert page.locator(name).evaluate(IS_ON_TOP), name


@pytest.mark.parametrize("text", ["150%", "200%"])
def test_with_large_text_the_card_leaves_a_selection_visible(phone, text):
    """The card covered the whole map."""
    page = phone()
    page.evaluate("text => (document.documentElement.style.fontSize = text)", text)

    row(page, SAN_JOSE).get_by_role("link").click()

    expect_selected(page, SAN_JOSE)
    card, ring = (page.locator(part) for part in [".selection", ".ring"])
    below = lambda: ring.bounding_box()["y"] - card.bounding_box()["y"] - card.bounding_box()["height"]
    wait_until(lambda: below() >= 0, lambda: f"the ring is {below()} px below the card")
    box = ring.bounding_box()
    assert under(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) == "Map"
    map = page.locator(".map").bounding_box()
    assert box["y"] + box["height"] <= map["y"] + map["height"]


def test_nothing_moves_when_the_scripts_have_loaded(shared_quakes, context):
    """On a slow network the map shrank by 26 px and each row lost a line, seconds after they had appeared."""
    held = []
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    page.route("**/*.js", lambda route: route.continue_() if held is None else held.append(route))
    shared_quakes.load(FEATURES)
    page.goto(shared_quakes.url + QUAKES, wait_until="commit")
    expect(page.locator(".legend")).to_be_visible()
    last = row(page, CASTAIC)
    expect(last.locator("time")).to_contain_text("2018")
    before = [part.bounding_box() for part in (page.locator(".map"), page.locator("[data-list=quakes]"), last)]

    waiting, held = held, None
    for route in waiting:
        route.continue_()

    expect(page.get_by_role("button", name="Play the day")).to_be_visible()
    expect(last.locator("time")).to_contain_text("ago")
    assert [part.bounding_box() for part in (page.locator(".map"), page.locator("[data-list=quakes]"), last)] == before


@pytest.mark.parametrize("size, text", [((320, 640), 20), ((320, 1100), 32), *thorough(((320, 800), 24), ((390, 844), 16))])
def test_the_title_of_the_map_leaves_its_controls_free(phone, size, text):
    """With large text it lay over + and −."""
    page = phone(size)
    set_text(page, text)

    expect(page.locator(".drawer")).to_be_visible()
    title, zoom = page.locator(".selection").bounding_box(), page.locator(".compass").bounding_box()

    assert title["y"] + title["height"] <= zoom["y"]
    page.get_by_role("link", name="Zoom in").click()
    page.wait_for_url("**camera=*")


def test_the_keyboard_reaches_the_map_that_the_sheet_covers(phone):
    page = phone()
    page.get_by_role("link", name="List", exact=True).click()
    wait_until(lambda: under(page, 195, 60) in ("Day", "List"), "the sheet covers the map")

    page.locator(SVG).focus()
    page.keyboard.press("Tab")

    wait_until(lambda: under(page, 195, 400) == "Map", "the map is over the sheet")


def test_the_sheet_works_without_javascript(shared_quakes, plain):
    shared_quakes.load(MANY)
    plain.set_viewport_size({"width": 390, "height": 844})
    plain.goto(shared_quakes.url + QUAKES)
    assert 694 < sheet(plain) < 784

    plain.mouse.click(*middle(plain, HEALY))

    expect_selected(plain, HEALY)
    expect(plain.locator(".card")).to_be_in_viewport(ratio=0.9)
    row(plain, "More 40").get_by_role("link").click()
    expect_selected(plain, "More 40")
    expect(plain.locator(".card")).to_be_in_viewport(ratio=0.9)
    assert 694 < sheet(plain) < 784


@pytest.mark.parametrize("size", [(844, 390), (1280, 800)])
def test_wide_screens_have_no_sheet(phone, size):
    page = phone(size)

    expect(page.locator(".drawer")).to_be_hidden()
    assert page.locator(".map").bounding_box()["x"] >= 0


def test_without_javascript_the_switch_shows_where_it_led(shared_quakes, plain):
    shared_quakes.load(MANY)
    plain.set_viewport_size({"width": 390, "height": 844})
    plain.goto(shared_quakes.url + QUAKES)
    links = {name: plain.locator(".drawer").get_by_role("link", name=name, exact=True) for name in ["Map", "List"]}

    def expect_marked(name):
        for other, link in links.items():
            expect(link).to_have_css("text-decoration-line", "underline" if other == name else "none")

    expect_marked("Map")
    links["List"].click()
    expect_marked("List")
    links["Map"].click()
    expect_marked("Map")


def test_the_empty_map_leads_to_what_loads_the_first_earthquakes(shared_quakes, open_live):
    """A new visitor saw an empty map and "Open the list"."""
    shared_quakes.empty()
    page = open_live(shared_quakes, QUAKES)
    page.set_viewport_size({"width": 390, "height": 844})
    note = page.locator(".nothing")
    expect(note.get_by_role("link", name="Open the list")).to_have_count(0)

    note.get_by_role("link", name="Load earthquakes").click()

    expect(page.get_by_role("button", name="Past day", exact=True)).to_be_in_viewport(ratio=1)
