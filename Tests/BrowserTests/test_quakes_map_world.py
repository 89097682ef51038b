"""The world on the map of Quakes: wrapping around, details, and clusters where there is no room."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from fake_feed import feature
from kinds import thorough
from pixels import read_pixels
from quakes_page import (
    AYNA, CASTAIC, FEATURES, HEALY, NOON, QUAKES, SAN_JOSE, SVG, TONGA, camera, expect_camera,
    expect_names, expect_selected, marker, middle, place, query, row,
)
from waiting import wait_until

FIJI, SAMOA, OTHER = "South of the Fiji Islands", "Samoa", "Elsewhere"
# Two on both sides of the date line, and one far from them.
ROUND = [
    feature("fiji", 5, FIJI, NOON, coordinates=(175, -20)),
    feature("samoa", 4, SAMOA, NOON - 1000, coordinates=(-170, -15)),
    feature("other", 3, OTHER, NOON - 2000, coordinates=(10, 50)),
]
# Three that lie together, and one that does not.
SWARM = [
    feature("main", 5.5, "Main shock", NOON, coordinates=(20, 10)),
    feature("first", 3, "First aftershock", NOON - 1000, coordinates=(21, 10)),
    feature("second", 2, "Second aftershock", NOON - 2000, coordinates=(20, 11)),
    feature("lone", 4, "Alone", NOON - 3000, coordinates=(-100, 40)),
]


@pytest.fixture(autouse=True)
def no_complaints(complaints):
    yield
    assert complaints == []


def clusters(page):
    """Those that show: where there is room for each they do not."""
    return page.locator("[data-list=clusters] > a:visible")


def is_in_map(page, name):
    box = page.locator(".map").bounding_box()
    x, y = middle(page, name)
    return box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"]


# Around the world.


@pytest.mark.main_path
def test_the_whole_pacific_shows(shared_quakes, open_live):
    shared_quakes.load(ROUND)
    page = open_live(shared_quakes, QUAKES + "&camera=180_18_4")

    assert is_in_map(page, FIJI) and is_in_map(page, SAMOA)
    assert middle(page, FIJI)[0] < middle(page, SAMOA)[0]
    page.mouse.click(*middle(page, SAMOA))

    expect_selected(page, SAMOA)
    assert camera(page) == (-180, pytest.approx(18, abs=0.02), 4)
    selected = page.locator(".markers.selected").bounding_box()
    assert selected["x"] + selected["width"] / 2 == pytest.approx(middle(page, SAMOA)[0], abs=2)


def test_the_map_wraps_around_the_world(shared_quakes, open_live):
    shared_quakes.load(ROUND)
    page = open_live(shared_quakes, QUAKES + "&camera=0_0_4")
    page.locator(SVG).focus()
    shows = set()

    for _ in range(40):
        page.keyboard.press("ArrowRight")
        expect(page.locator(".map:not([data-moving])")).to_be_attached()
        x = camera(page)[0]
        assert -180 <= x < 180
        shows |= {name for name in [FIJI, SAMOA, OTHER] if is_in_map(page, name)}
        if shows >= {FIJI, SAMOA} and x < 0 and x > -40:
            break

    assert shows >= {FIJI, SAMOA}
    assert -180 <= float(query(page)["camera"].split("_")[0]) < 180
    page.get_by_role("link", name="Show all").click()
    expect_camera(page, 0, 0, 1)
    expect(page).not_to_have_url(re.compile("camera="))


def test_results_on_both_sides_of_the_date_line_show_together(shared_quakes, open_live):
    """The map showed the whole world instead, from one side to the other."""
    shared_quakes.load([*ROUND, feature("near", 4, "Fiji, near Samoa", NOON, coordinates=(178, -18))])
    page = open_live(shared_quakes, QUAKES)

    page.locator("[type=search]").fill("samoa")

    expect(page.locator("[data-list=quakes] > li")).to_have_count(2)
    expect(page.locator(".map:not([data-moving])")).to_be_attached()
    wait_until(lambda: camera(page)[2] > 3, "the camera is near")
    assert is_in_map(page, SAMOA) and is_in_map(page, "Fiji, near Samoa")


def test_the_camera_takes_the_shortest_way_to_a_row(shared_quakes, open_live):
    shared_quakes.load(ROUND)
    page = open_live(shared_quakes, QUAKES + "&list=fiji&map=fiji&camera=175_16_8")
    page.evaluate("""selector => {
      const svg = document.querySelector(selector);
      window.xs = [];
      new MutationObserver(() => {
        const { x, width } = svg.viewBox.baseVal;
        window.xs.push(x + width / 2);
      }).observe(svg, { attributeFilter: ["viewBox"] });
    }""", SVG)

    row(page, SAMOA).get_by_role("link").click()

    wait_until(lambda: abs(camera(page)[0] - -170) < 0.02, "the camera is there")
    assert [x for x in page.evaluate("window.xs") if abs(x) < 160] == []


def test_without_javascript_the_whole_pacific_shows(shared_quakes, plain):
    shared_quakes.load(ROUND)
    plain.goto(shared_quakes.url + QUAKES + "&camera=180_18_4")

    # A copy draws the marks on the other side.
    copies = plain.locator(".copies use").evaluate_all(
        """copies => copies.map((copy) => [copy.getAttribute("href"), copy.getBBox().width > 0])""")

    assert copies == [["#marks", True], ["#marks", True]]
    plain.goto(shared_quakes.url + QUAKES)
    assert plain.locator(".copies use").first.get_attribute("href") == "#none"


def test_copies_of_markers_are_no_tab_stops(quakes, open_live):
    page = open_live(quakes, QUAKES)
    page.set_viewport_size({"width": 1600, "height": 800})
    expect(page.locator(".copies use").first).to_have_attribute("href", "#marks")
    page.locator(SVG).focus()

    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.localName") == "a"
    page.keyboard.press("Tab")

    expect(page.get_by_role("link", name="Zoom in")).to_be_focused()


def test_clicking_the_copy_of_a_marker_selects_it(quakes, open_live):
    page = open_live(quakes, QUAKES)
    page.set_viewport_size({"width": 1600, "height": 800})
    expect(page.locator(".copies use").first).to_have_attribute("href", "#marks")
    box = page.locator(".map").bounding_box()
    scale = min(box["width"] / 360, box["height"] / 264)
    x, y = middle(page, SAN_JOSE)
    copied = x + 360 * scale if x + 360 * scale < box["x"] + box["width"] else x - 360 * scale
    assert box["x"] < copied < box["x"] + box["width"]

    page.mouse.click(copied, y)

    expect_selected(page, SAN_JOSE)


@pytest.mark.parametrize("latitude", [89.9, -89.9])
def test_a_marker_at_a_pole_is_whole(shared_quakes, open_live, latitude):
    """The edge of the map cut it in half."""
    shared_quakes.load([feature("pole", 3, "Near a pole", NOON - 1, coordinates=(0, latitude, 10))])
    page = open_live(shared_quakes, QUAKES)
    page.set_viewport_size({"width": 1280, "height": 800})
    expect_camera(page, 0, 0, 1)
    radius = float(page.locator(".markers .disk").first.get_attribute("stroke-width")) / 2
    box = page.locator(".map").bounding_box()

    _, y = middle(page, "Near a pole")

    assert box["y"] <= y - radius and y + radius <= box["y"] + box["height"]


# Details.


def requests_for(context, name):
    requests = []
    context.on("request", lambda request: name in request.url and requests.append(request.url))
    return requests


def test_detailed_land_is_loaded_when_the_map_is_zoomed_in(quakes, context, open_live):
    requests = requests_for(context, "world.svg")
    page = open_live(quakes, QUAKES)
    expect(page.locator(SVG)).to_have_attribute("data-detail", "coarse")
    assert requests == []

    page.get_by_role("link", name="Zoom in").click()
    page.get_by_role("link", name="Zoom in").click()

    expect(page.locator(SVG)).to_have_attribute("data-detail", "fine")
    assert page.locator(".world > g > .land.fine").evaluate("use => use.getBBox().width") > 300
    expect(page.locator(".world > g > .land.coarse")).to_be_hidden()
    # It may be cached forever, because its address contains the version.
    assert re.search(r"/public/[\w-]{10,}/QuakesUI/world\.svg", requests[0])


def test_the_coarse_land_stays_when_the_details_cannot_be_loaded(quakes, open_live):
    """They were requested again in each frame of the zoom."""
    page = open_live(quakes, QUAKES)
    page.evaluate(
        """() => {
          const { fetch } = window;
          window.requests = 0;
          window.fetch = (url, options) => {
            if (!`${url}`.includes("world.svg")) return fetch(url, options);
            window.requests += 1;
            return Promise.reject(new TypeError("no network"));
          };
        }"""
    )

    page.get_by_role("link", name="Zoom in").click()
    page.get_by_role("link", name="Zoom in").click()

    page.wait_for_url("**camera=0_0_4*")
    page.wait_for_function("requests > 0")  # the map may not even move yet
    expect(page.locator(".map:not([data-moving])")).to_be_attached()
    assert page.evaluate("requests") in [1, 2]  # one each time that the map comes to rest
    expect(page.locator(SVG)).to_have_attribute("data-detail", "coarse")
    expect(page.locator(".world > g > .land.coarse")).to_be_visible()


def test_without_javascript_a_zoomed_in_page_has_the_details(quakes, plain):
    plain.goto(quakes.url + QUAKES + "&camera=10_-50_8")

    expect(plain.locator(".world > g > .land.coarse")).to_be_hidden()
    wait_until(
        lambda: plain.locator(".world > g > .land.fine").evaluate("use => use.getBBox().width") > 300,
        "the land in detail")


def test_west_is_on_the_left_also_where_text_goes_from_right_to_left(quakes, open_live):
    page = open_live(quakes, QUAKES)

    page.evaluate("document.documentElement.dir = 'rtl'")

    middle = page.get_by_role("link", name="Show all").bounding_box()
    west = page.get_by_role("link", name="Move west").bounding_box()
    east = page.get_by_role("link", name="Move east").bounding_box()
    assert west["x"] < middle["x"] < east["x"]
    frame = page.locator(".map").bounding_box()
    assert east["x"] < frame["x"] + frame["width"] / 2  # the note about a limit is on the other side


PLATES = ".world > g > .plates.{}"
WIDTH = "use => use.getBBox().width"


@pytest.mark.parametrize("is_live", [True, False])
def test_plate_boundaries_are_drawn_at_every_zoom(quakes, open_live, plain, is_live):
    page = open_live(quakes, QUAKES) if is_live else plain
    page.goto(quakes.url + QUAKES)
    far, near = page.locator(PLATES.format("coarse")), page.locator(PLATES.format("fine"))
    wait_until(lambda: far.evaluate(WIDTH) > 300, "the boundaries from afar")
    expect(page.locator(".legend")).to_contain_text("Plates")

    page.goto(quakes.url + QUAKES + "&camera=140_-35_8")

    wait_until(lambda: near.evaluate(WIDTH) > 300, "the boundaries nearby")
    expect(far).to_be_hidden()


def test_detailed_plate_boundaries_are_loaded_when_the_map_is_zoomed_in(quakes, context, open_live):
    requests = requests_for(context, "plates-near.svg")
    page = open_live(quakes, QUAKES)
    assert requests == []

    page.get_by_role("link", name="Zoom in").click()
    page.get_by_role("link", name="Zoom in").click()

    wait_until(lambda: page.locator(PLATES.format("fine")).evaluate(WIDTH) > 300, "the boundaries nearby")
    assert re.search(r"/public/[\w-]{10,}/QuakesUI/plates-near\.svg", requests[0])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_plate_boundaries_contrast_with_land_and_sea(quakes, browser, open_live, scheme):
    context = browser.new_context(color_scheme=scheme)
    page = open_live(quakes, QUAKES, context)

    ratios = page.locator(PLATES.format("coarse")).evaluate(RATIOS)

    # A line that only helps to find one's way: seen, and not in the way of the markers.
    assert all(1.5 < ratio < 4 for ratio in ratios), ratios
    context.close()


# Of the line's color to that of the sea and of the land.
RATIOS = """use => {
  const light = (color) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const line = light(getComputedStyle(use).stroke);
  return [
    getComputedStyle(document.querySelector(".map")).backgroundColor,
    getComputedStyle(document.querySelector(".land.coarse")).fill,
  ].map(light).map((ground) => Math.max(line, ground) / Math.min(line, ground));
}"""


def test_names_show_where_there_is_room(quakes, open_live):
    page = open_live(quakes, QUAKES + "&camera=10_-50_1")
    shown = page.locator(".world > g > .names:visible")
    few = shown.count()

    for _ in range(3):
        page.get_by_role("link", name="Zoom in").click()
    expect(page.locator(SVG)).to_have_attribute("data-detail", "fine")

    wait_until(lambda: shown.count() >= few + 2, "more names")
    sizes = page.locator(SVG).evaluate("""svg => {
      const pixels = svg.getScreenCTM().a;
      return parseFloat(getComputedStyle(svg).fontSize) * pixels;
    }""")
    assert sizes == pytest.approx(12, abs=0.5)


def test_names_are_hidden_while_the_map_zooms(quakes, open_live):
    """With them a zoom had a frame a second."""
    page = open_live(quakes, QUAKES + "&camera=10_-50_4")
    expect(page.locator(SVG)).to_have_attribute("data-detail", "fine")
    page.evaluate("""selector => {
      const svg = document.querySelector(selector);
      window.shown = [];
      new MutationObserver(() => {
        if (!document.querySelector("[data-zooming]")) return;
        const names = [...svg.querySelectorAll("#world .names")];
        window.shown.push(names.filter((use) => getComputedStyle(use).display !== "none").length);
      }).observe(svg, { attributeFilter: ["viewBox"] });
    }""", SVG)

    page.get_by_role("link", name="Zoom in").click()

    expect_camera(page, 10, -50, 8)
    assert set(page.evaluate("window.shown")) == {0}
    expect(page.locator("#world .names").first).to_have_css("display", "inline")


def test_copies_of_the_world_are_drawn_only_where_they_show(quakes, open_live):
    page = open_live(quakes, QUAKES + "&camera=0_0_4")
    copies = page.locator(".world > use")
    expect(copies.first).to_have_attribute("href", "#none")
    expect(copies.last).to_have_attribute("href", "#none")

    page.goto(page.url.replace("camera=0_0_4", "camera=170_0_4"))

    expect(copies.first).to_have_attribute("href", "#none")
    expect(copies.last).to_have_attribute("href", "#world")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forced_colors_follow_the_user(quakes, browser, open_live, scheme):
    context = browser.new_context(forced_colors="active", color_scheme=scheme)
    page = open_live(quakes, QUAKES, context)

    colors = page.evaluate("""() => {
      const ask = (name) => {
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.color = name;
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      };
      const { fill, stroke } = getComputedStyle(document.querySelector("#world .land"));
      return [fill === ask("Canvas"), stroke === ask("CanvasText")];
    }""")

    assert colors == [True, True]
    context.close()


# Clusters.


@pytest.mark.main_path
def test_overlapping_markers_become_one_mark_that_zooms_in(shared_quakes, open_live):
    shared_quakes.load(SWARM)
    page = open_live(shared_quakes, QUAKES)
    expect(clusters(page)).to_have_count(1)
    expect(clusters(page)).to_contain_text("3")
    expect(marker(page, "First aftershock")).to_be_hidden()
    expect(marker(page, "Alone")).to_be_visible()

    clusters(page).click()

    expect(clusters(page)).to_have_count(0)
    for name in ["Main shock", "First aftershock", "Second aftershock"]:
        expect(marker(page, name)).to_be_visible()
        assert is_in_map(page, name)
    page.go_back()
    expect(clusters(page)).to_have_count(1)


def test_a_mark_for_several_looks_like_the_strongest(shared_quakes, open_live):
    shared_quakes.load(SWARM)
    page = open_live(shared_quakes, QUAKES)

    assert clusters(page).get_attribute("data-class") == "moderate"
    expect(page.get_by_role(
        "link", name="Show 3 earthquakes, the strongest of magnitude 5.5, Main shock")).to_be_visible()


def test_a_selected_earthquake_is_not_counted_in_a_mark(shared_quakes, open_live):
    shared_quakes.load(SWARM)
    page = open_live(shared_quakes, QUAKES + "&list=second&map=second")

    expect(clusters(page)).to_have_count(1)
    expect(marker(page, "Second aftershock")).to_be_visible()
    expect(page.locator(".markers.selected .ring")).to_be_visible()


def test_a_mark_shows_its_number_when_its_strongest_earthquake_is_selected(shared_quakes, open_live):
    shared_quakes.load(SWARM)
    page = open_live(shared_quakes, QUAKES + "&list=main&map=main")
    expect(clusters(page)).to_have_count(1)

    ring, number = [element.bounding_box() for element in [
        page.locator(".markers.selected .ring"), clusters(page).locator("text")]]

    assert page.locator(".markers.selected .disk").evaluate("disk => getComputedStyle(disk).stroke") == "none"
    assert ring["x"] < number["x"] and number["x"] + number["width"] < ring["x"] + ring["width"]


def test_the_ring_around_a_selected_earthquake_does_not_cover_the_number_of_a_mark(shared_quakes, open_live):
    shared_quakes.load([*SWARM, feature("beside", 2, "Beside", NOON - 4000, coordinates=(33, 10))])
    page = open_live(shared_quakes, QUAKES + "&list=beside&map=beside")
    number = clusters(page).locator("text")
    ring = page.locator(".markers.selected .ring")
    left, box = ring.bounding_box()["x"], number.bounding_box()
    assert left < box["x"] + box["width"] / 2 < left + 6  # it crosses the number

    covered = pixels(page, box, number)
    ring.evaluate("ring => ring.style.visibility = 'hidden'")
    free = pixels(page, box, number)

    assert covered == free > 10


def pixels(page, box, text):
    """How many pixels of a part of the page have the color of a text."""
    return read_pixels(page, box, SAME, text.evaluate("text => getComputedStyle(text).fill"))


SAME = """(data, color) => {
  const wanted = color.match(/\\d+/g).map(Number);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (wanted.every((value, index) => Math.abs(data[at + index] - value) < 40)) count += 1;
  }
  return count;
}"""


def test_the_keyboard_opens_a_mark_for_several(shared_quakes, open_live):
    shared_quakes.load(SWARM)
    page = open_live(shared_quakes, QUAKES)
    clusters(page).focus()

    page.keyboard.press("Enter")

    expect(clusters(page)).to_have_count(0)
    expect(page.locator(SVG)).to_be_focused()


def test_without_javascript_marks_follow_the_zoom(shared_quakes, plain):
    shared_quakes.load(SWARM)
    plain.goto(shared_quakes.url + QUAKES)
    expect(clusters(plain)).to_have_count(1)

    clusters(plain).click()

    expect(clusters(plain)).to_have_count(0)
    for name in ["Main shock", "First aftershock", "Second aftershock"]:
        expect(marker(plain, name)).to_be_visible()
        assert is_in_map(plain, name)


# The hovered earthquake.


def center(mark):
    """Where a marker is, from west to east."""
    return re.match("M(\\S+)", mark.locator(".disk").get_attribute("d"))[1]


def test_a_row_shows_its_marker_and_a_marker_its_row(quakes, context, open_live):
    page = open_live(quakes, QUAKES)
    posts = []
    context.on("request", lambda request: posts.append(request.url))
    halo = page.locator(".halo")

    row(page, HEALY).hover()

    expect(halo).to_have_attribute("cx", center(marker(page, HEALY)))
    page.mouse.move(*middle(page, TONGA))
    expect(row(page, TONGA)).to_have_attribute("data-joined", "")
    expect(page.locator("[data-joined]")).to_have_count(1)
    page.mouse.move(5, 5)
    expect(page.locator("[data-joined]")).to_have_count(0)
    expect(halo).to_have_attribute("r", "0")
    assert posts == []


def test_the_number_of_a_group_is_drawn_over_the_ring_around_a_hovered_earthquake(quakes, open_live):
    quakes.load([*FEATURES, *(
        feature(f"near-{n}", 3, f"Near {n}", NOON - n * 1000, coordinates=(-74, -12 + n / 10)) for n in range(9))])
    page = open_live(quakes, QUAKES)
    numbers = page.locator(".halo ~ .numbers")
    expect(page.locator("[data-list=clusters] > a")).not_to_have_count(0)
    expect(numbers).to_be_hidden()

    row(page, "Near 3").hover()

    expect(page.locator(".halo")).not_to_have_attribute("r", "0")
    expect(numbers).to_have_css("display", "inline")
    page.mouse.move(5, 5)
    expect(numbers).to_have_css("display", "none")


def test_the_focus_shows_on_both_sides(quakes, open_live):
    page = open_live(quakes, QUAKES)
    page.locator(SVG).focus()

    page.keyboard.press("Tab")

    expect(row(page, TONGA)).to_have_attribute("data-joined", "")
    row(page, SAN_JOSE).get_by_role("link").focus()
    expect(page.locator(".halo")).to_have_attribute("cx", center(marker(page, SAN_JOSE)))
    expect(page.locator("[data-joined]")).to_have_count(0)


def test_a_hovered_marker_stays_highlighted_through_a_push(quakes, open_live):
    page = open_live(quakes, QUAKES)
    page.mouse.move(*middle(page, TONGA))
    expect(row(page, TONGA)).to_have_attribute("data-joined", "")

    quakes.post("deleteSelected", quakeId="jose")

    expect_names(page, AYNA, TONGA, HEALY, CASTAIC)
    expect(row(page, TONGA)).to_have_attribute("data-joined", "")


# The circles of clusters that overlap each other, edges included.
OVERLAPS = """() => {
  const circles = [...document.querySelectorAll("[data-list=clusters] > a")]
    .filter((cluster) => cluster.checkVisibility())
    .map((cluster) => {
      const edge = cluster.querySelector(".edge");
      const { left, right, top, bottom } = edge.getBoundingClientRect();
      const x = (left + right) / 2, y = (top + bottom) / 2;
      return { name: cluster.dataset.key, x, y, radius: Number(edge.getAttribute("stroke-width")) / 2 };
    });
  const overlaps = circles.flatMap((one, index) => circles.slice(index + 1)
    .filter((other) => Math.hypot(one.x - other.x, one.y - other.y) < one.radius + other.radius - 0.5)
    .map((other) => [one, other]));
  return { count: circles.length, overlaps };
}"""


def load_crowd(quakes):
    random = Random(4)
    quakes.load([
        feature(f"q{n}", round(random.uniform(0.5, 6), 1), f"Number {n}", NOON - n * 1000,
                coordinates=(random.gauss(-120, 30), random.gauss(40, 12)))
        for n in range(600)])


# At zoom 1 each page is loaded at every size, else at one, another at each zoom, and then shown at the others.
SCREENS = [(1280, 800), (844, 390), (390, 844), (320, 568)]
TWO_FRAMES = "() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))"


@pytest.mark.parametrize("zooms", [[1, 2, 5, 16], *thorough([1.4, 3, 8, 32])], ids=str)
def test_clusters_do_not_overlap_at_any_zoom(shared_quakes, open_live, zooms):
    load_crowd(shared_quakes)
    page = open_live(shared_quakes, QUAKES)

    for index, zoom in enumerate(zooms):
        first = index % len(SCREENS)
        for size in [*SCREENS[first:], *SCREENS[:first]]:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            if size == SCREENS[first] or zoom == 1:
                page.goto(f"{shared_quakes.url}{QUAKES}&camera=-120_-40_{zoom}")
                expect(page.locator("html[data-live]")).to_be_attached()
            page.evaluate(TWO_FRAMES)
            expect_camera(page, -120, -40, zoom, tolerance=100)  # at rest; the poles limit it
            shown = page.evaluate(OVERLAPS)
            assert shown["overlaps"] == [], (size, zoom)
            assert shown["count"] > 0 or zoom > 8, (size, zoom)


def test_without_javascript_clusters_do_not_overlap(shared_quakes, plain):
    load_crowd(shared_quakes)

    for zoom in [1, 2, 4, 8]:
        plain.goto(f"{shared_quakes.url}{QUAKES}&camera=-120_-40_{zoom}")
        for size in [(1280, 800), (1920, 1080), (390, 844)]:
            plain.set_viewport_size({"width": size[0], "height": size[1]})
            shown = plain.evaluate(OVERLAPS)
            assert shown["overlaps"] == [], (size, zoom)
            assert shown["count"] > 0, (size, zoom)
