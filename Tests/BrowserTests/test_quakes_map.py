"""The map of Quakes: its camera, its markers, and their connection to the list."""

import re

import pytest
from playwright.sync_api import expect

from fake_feed import feature
from kinds import thorough
from quakes_page import (
    AYNA, CASTAIC, DAY, FEATURES, HEALY, NOON, PLACES, QUAKES, SAN_JOSE, SVG, TONGA, camera,
    expect_camera, expect_names, expect_selected, history, marker, middle, place, query, row, scope,
)
from test_transitions import LOADED
from waiting import wait_until

FAR = 8  # the zoom of a camera that a selection in the list has moved


@pytest.fixture(autouse=True)
def no_complaints(complaints):
    yield
    assert complaints == []


@pytest.fixture
def still(browser):
    """A browser whose user wants no motion."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(10_000)
    yield context
    context.close()


@pytest.fixture
def page(quakes, open_live):
    return open_live(quakes, QUAKES)


@pytest.fixture
def moves(context):
    """The windows' requests so far: joins, moves and posts."""
    requests = []
    context.on("request", lambda request: request.method == "POST" and requests.append(
        (request.url, request.post_data)))
    return requests


def is_around(ring, mark):
    """Whether a ring has its middle where a marker has it, and leaves it free."""
    outer = ring.bounding_box()
    inner = mark.locator(".disk").bounding_box()
    dx, dy = [outer[at] + outer[size] / 2 - inner[at] - inner[size] / 2
              for at, size in [("x", "width"), ("y", "height")]]
    return abs(dx) < 1 and abs(dy) < 1 and outer["width"] > float(
        mark.locator(".disk").get_attribute("stroke-width"))


def screen(page):
    """The middle of the map on the screen, and how many pixels a unit has at zoom 1."""
    box = page.locator(".map").bounding_box()
    scale = min(box["width"] / 360, box["height"] / 264)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, scale


def under(page, point):
    """Where on the map a point of the screen is."""
    x, y, zoom = camera(page)
    left, top, scale = screen(page)
    return x + (point[0] - left) / scale / zoom, y + (point[1] - top) / scale / zoom


def drag(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


def expect_url_camera(page, x, y, zoom, tolerance=0.02):
    def is_there():
        numbers = [float(number) for number in query(page).get("camera", "0_0_1").split("_")]
        return all(abs(a - b) <= tolerance for a, b in zip(numbers, [x, y, zoom]))
    wait_until(lambda: page.evaluate("1") and is_there(), f"camera={x}_{y}_{zoom}")


# Drawing.


@pytest.mark.main_path
def test_every_marker_is_drawn_where_its_earthquake_is_and_can_be_hit(quakes, page):
    """In the document is not on the screen: WebKit once drew none of them."""
    expect_names(page, *PLACES)
    left, top, scale = screen(page)

    drawn = page.evaluate("""reach => [...document.querySelectorAll("[data-list=markers] > a")]
      .map((marker) => {
        const { left, top, width, height } = marker.getBoundingClientRect();
        const point = [left + width / 2, top + height / 2];
        const around = [[0, 0], [reach, 0], [-reach, 0], [0, reach], [0, -reach]];
        return {
          name: marker.querySelector("title").textContent.split(", ").slice(1).join(", "),
          point,
          hits: around.filter(([x, y]) =>
            marker.contains(document.elementFromPoint(point[0] + x, point[1] + y))).length,
        };
      })""", 2)

    points = {item["properties"]["place"]: place(item["id"]) for item in FEATURES}
    for marker in drawn:
        x, y = points[marker["name"]]
        assert marker["point"] == [
            pytest.approx(left + x * scale, abs=2), pytest.approx(top + y * scale, abs=2)]
        assert marker["hits"] == 5, marker


# Selecting.


def even_frames(page):
    """From now on, the frames of animations are a sixtieth of a second apart, however many a busy machine shows."""
    page.evaluate("""() => {
      const { requestAnimationFrame } = window;
      let [last, time] = [0, 0];
      window.requestAnimationFrame = (step) => requestAnimationFrame((now) => {
        if (now !== last) [last, time] = [now, time + 1000 / 60];
        step(time);
      });
    }""")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_selecting_in_the_list_moves_the_camera(quakes, browser, open_live, motion):
    context = browser.new_context(reduced_motion=motion)
    page = open_live(quakes, QUAKES, context)
    even_frames(page)
    page.evaluate("""selector => {
      window.transforms = 0;
      new MutationObserver(() => (window.transforms += 1))
        .observe(document.querySelector(selector), {attributeFilter: ["style"]});
    }""", SVG)

    row(page, SAN_JOSE).get_by_role("link").click()

    expect_camera(page, *place("jose"), FAR)
    expect_selected(page, SAN_JOSE)
    x, y, _ = screen(page)
    assert middle(page, SAN_JOSE) == [pytest.approx(x, abs=2), pytest.approx(y, abs=2)]
    expect_url_camera(page, *place("jose"), FAR)
    if motion == "no-preference":
        assert page.evaluate("window.transforms") > 2
    row(page, TONGA).get_by_role("link").click()
    expect_camera(page, *place("tonga"), FAR)
    page.go_back()
    expect_camera(page, *place("jose"), FAR)
    expect_selected(page, SAN_JOSE)
    page.go_back()
    expect_camera(page, 0, 0, 1)
    expect_selected(page, None)
    context.close()


def test_with_reduced_motion_the_camera_jumps_at_once(quakes, still, open_live):
    page = open_live(quakes, QUAKES, still)
    page.evaluate("""selector => {
      const svg = document.querySelector(selector);
      window.views = [];
      new MutationObserver(() => window.views.push(svg.style.transform))
        .observe(svg, {attributeFilter: ["style"]});
    }""", SVG)

    row(page, SAN_JOSE).get_by_role("link").click()

    expect_camera(page, *place("jose"), FAR)
    assert set(page.evaluate("window.views")) <= {""}


def test_markers_keep_their_size_while_the_camera_flies(quakes, page):
    """They were stretched with a picture of the map, up to eight times, and blurred."""
    even_frames(page)
    page.evaluate("""selector => {
      const svg = document.querySelector(selector);
      window.stretches = [];
      window.views = new Set();
      new MutationObserver(() => {
        window.views.add(svg.getAttribute("viewBox"));
        // A marker is of so many pixels of the picture, whatever part of the world that shows.
        window.stretches.push(new DOMMatrix(getComputedStyle(svg).transform).a);
      }).observe(svg, { attributes: true });
    }""", SVG)

    row(page, SAN_JOSE).get_by_role("link").click()

    expect_camera(page, *place("jose"), FAR)
    assert page.evaluate("window.views.size") > 5
    assert set(page.evaluate("window.stretches")) == {1}


def test_a_flight_does_not_measure_the_map(quakes, page):
    """Measuring lays out the whole page, in each frame, and delays what is typed meanwhile."""
    page.evaluate("""svg => {
      window.measured = 0;
      for (const name of ["clientWidth", "clientHeight"]) {
        Object.defineProperty(svg, name, { get: () => { window.measured += 1; return 500; } });
      }
    }""", page.locator(SVG).element_handle())

    page.locator("[type=search]").fill("tonga")
    expect_camera(page, *place("tonga"), FAR)

    assert page.evaluate("window.measured") == 0


def test_selecting_in_the_list_does_not_zoom_out(quakes, open_live):
    page = open_live(quakes, QUAKES + "&camera=-130_20_64")

    row(page, SAN_JOSE).get_by_role("link").click()

    expect_camera(page, *place("jose"), 64)
    expect_url_camera(page, *place("jose"), 64)
    page.reload()
    expect_camera(page, *place("jose"), 64)
    page.go_back()
    expect_camera(page, -130, 20, 64)


# Searching.


def test_a_search_moves_the_camera_to_its_results(quakes, page):
    search = page.locator("[type=search]")

    search.fill("alaska")
    expect_names(page, HEALY)

    expect_camera(page, *place("healy"), FAR)
    expect_url_camera(page, *place("healy"), FAR)
    search.fill("km")
    expect_names(page, AYNA, SAN_JOSE, CASTAIC)
    box = page.locator(".map").bounding_box()
    expect(page.locator(".map:not([data-moving])")).to_be_attached()
    wait_until(lambda: 1.2 < camera(page)[2] < 7, "the camera is nearer")
    for name in [CASTAIC, SAN_JOSE, AYNA]:
        x, y = middle(page, name)
        assert box["x"] + 40 < x < box["x"] + box["width"] - 40
        assert box["y"] + 40 < y < box["y"] + box["height"] - 40
    search.fill("")
    expect_names(page, *PLACES)
    expect_camera(page, 0, 0, 1)


def test_a_url_with_a_search_shows_its_results(quakes, open_live):
    page = open_live(quakes, QUAKES + "&search=alaska")
    expect_camera(page, *place("healy"), FAR)

    page.locator("[type=search]").fill("")

    expect_names(page, *PLACES)
    expect_camera(page, 0, 0, 1)
    page.goto(quakes.url + QUAKES + "&search=alaska&camera=60_0_4")
    expect(page.locator("html[data-live]")).to_be_attached()
    expect_camera(page, 60, 0, 4)


def test_a_link_returns_to_the_results_of_a_search(quakes, page):
    results = page.get_by_role("link", name="Show all results")
    expect(results).to_have_count(0)
    page.locator("[type=search]").fill("alaska")
    expect_camera(page, *place("healy"), FAR)
    link, icon = results.bounding_box(), results.locator("svg").bounding_box()
    for at, size in [("x", "width"), ("y", "height")]:
        assert icon[at] + icon[size] / 2 == pytest.approx(link[at] + link[size] / 2, abs=1)
    page.get_by_role("link", name="Show all", exact=True).click()
    expect_camera(page, 0, 0, 1)

    results.click()

    expect_camera(page, *place("healy"), FAR)
    expect_url_camera(page, *place("healy"), FAR)
    page.locator("[type=search]").fill("")
    expect_camera(page, 0, 0, 1)
    expect(results).to_have_count(0)


def test_without_javascript_a_link_shows_the_results_of_a_search(quakes, plain):
    plain.goto(quakes.url + QUAKES)
    plain.locator("[type=search]").fill("alaska")
    plain.locator("[type=search]").press("Enter")

    plain.get_by_role("link", name="Show all results").click()

    expect_names(plain, HEALY)
    x, y, width, height = map(float, plain.locator(SVG).get_attribute("viewBox").split())
    assert 360 / width == FAR
    assert (x + width / 2, y + height / 2) == pytest.approx(place("healy"), abs=0.1)


def test_narrowing_a_search_moves_the_camera_to_the_remaining_results(quakes, page):
    search = page.locator("[type=search]")
    search.fill("km")
    expect_names(page, AYNA, SAN_JOSE, CASTAIC)
    wait_until(lambda: 1.2 < camera(page)[2] < 7, "the camera is nearer")

    scope(page, "M2.5+")
    expect_names(page, AYNA, SAN_JOSE)
    middle = sum(place(id)[0] for id in ["ayna", "jose"]) / 2
    wait_until(lambda: abs(camera(page)[0] - middle) < 0.1, "the camera is on those that are left")
    expect(page.locator(".map:not([data-moving])")).to_be_attached()
    search.fill("")

    expect_camera(page, 0, 0, 1)
    scope(page, "All")  # by itself that is no search
    expect_names(page, *PLACES)
    expect_camera(page, 0, 0, 1)


def test_clearing_a_search_from_a_url_shows_the_whole_map(quakes, open_live):
    page = open_live(quakes, QUAKES)
    page.locator("[type=search]").fill("alaska")
    expect_camera(page, *place("healy"), FAR)
    page.reload()
    expect(page.locator("html[data-live]")).to_be_attached()

    page.locator("[type=search]").fill("")

    expect_names(page, *PLACES)
    expect_camera(page, 0, 0, 1)


def test_ending_a_search_keeps_a_camera_that_the_user_has_moved(quakes, page):
    page.locator("[type=search]").fill("alaska")
    expect_camera(page, *place("healy"), FAR)
    page.get_by_role("link", name="Zoom in").click()
    expect_camera(page, *place("healy"), 2 * FAR)

    page.locator("[type=search]").fill("")

    expect_names(page, *PLACES)
    expect_camera(page, *place("healy"), 2 * FAR)


def test_back_restores_the_camera_from_before_a_search(quakes, open_live):
    page = open_live(quakes, QUAKES + "&camera=60_0_4")
    page.locator("[type=search]").fill("alaska")
    expect_camera(page, *place("healy"), FAR)

    page.go_back()

    expect_names(page, *PLACES)
    expect_camera(page, 60, 0, 4)
    page.go_forward()
    expect_names(page, HEALY)
    expect_camera(page, *place("healy"), FAR)


@pytest.mark.main_path
def test_selecting_on_the_map_keeps_the_camera_and_shows_the_row(shared_quakes, open_live):
    shared_quakes.load([*FEATURES, *(
        feature(f"more-{n}", 1, f"More {n}", NOON - n * 1000, coordinates=(60, 30))
        for n in range(60))])
    page = open_live(shared_quakes, QUAKES)
    page.set_viewport_size({"width": 1280, "height": 600})
    expect(row(page, CASTAIC)).not_to_be_in_viewport()
    before = camera(page)

    page.mouse.click(*middle(page, CASTAIC))

    expect_selected(page, CASTAIC)
    expect(row(page, CASTAIC)).to_be_in_viewport(ratio=0.95)  # Firefox scrolls by whole pixels
    assert camera(page) == before
    assert query(page) == {"date": DAY, "list": "castaic", "map": "castaic"}
    assert page.evaluate("scrollY") == 0


def test_a_shared_url_opens_the_same_view(quakes, page, open_live, other_context, plain):
    scope(page, "Largest")
    row(page, HEALY).get_by_role("link").click()
    expect_camera(page, *place("healy"), FAR)
    page.locator(SVG).focus()
    page.keyboard.press("ArrowRight")
    expect_url_camera(page, place("healy")[0] + 360 / FAR / 4, place("healy")[1], FAR, tolerance=12)
    expect(page.locator(".map:not([data-moving])")).to_be_attached()
    view = camera(page)

    page.reload()
    other = open_live(quakes, page.url.removeprefix(quakes.url), other_context)
    plain.goto(page.url)

    for window in [page, other, plain]:
        expect_names(window, TONGA, SAN_JOSE, AYNA, HEALY, CASTAIC)
        expect_selected(window, HEALY)
        assert camera(window) == tuple(pytest.approx(number, abs=0.02) for number in view)
    expect(page).to_have_url(other.url)


def test_a_row_is_selected_although_the_list_is_sorted_anew_during_the_click(quakes, page, open_live):
    """The row was no longer under the pointer when the button was released, so that the click was lost."""
    page.evaluate(LOADED)
    box = row(page, HEALY).get_by_role("link").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    other = open_live(quakes, QUAKES)
    quakes.load([feature("new", 1, "New", NOON), *FEATURES])
    expect_names(other, "New", *PLACES)

    page.mouse.up()

    expect_selected(page, HEALY)
    expect_names(page, "New", *PLACES)


def test_a_row_far_down_is_shown_when_its_url_is_opened(shared_quakes, open_live):
    shared_quakes.load([*FEATURES, *(
        feature(f"more-{n}", 1, f"More {n}", NOON - n * 1000) for n in range(60))])

    page = open_live(shared_quakes, QUAKES + "&list=castaic&map=castaic")

    expect(row(page, CASTAIC)).to_be_in_viewport(ratio=1)


def test_a_row_below_rows_of_different_heights_is_shown_whole(shared_quakes, open_live):
    """The heights of rows that have not been visible are estimated, and the row was cut off."""
    shared_quakes.load([*FEATURES, *(
        feature(f"more-{n}", 1, f"More {n}, " + "a place with a long name " * (n % 3), NOON - n * 1000)
        for n in range(150))])

    page = open_live(shared_quakes, QUAKES + "&list=castaic&map=castaic")
    page.wait_for_function("() => document.readyState === 'complete'")

    expect(row(page, CASTAIC)).to_be_in_viewport(ratio=1)
    whole = """row => {
      const [inner, outer] = [row, row.parentElement].map((element) => element.getBoundingClientRect());
      return inner.top >= outer.top && inner.bottom <= outer.bottom;
    }"""
    wait_until(lambda: row(page, CASTAIC).evaluate(whole), "the whole row is in the list")


# Pointers.


def test_a_drag_moves_the_map_without_a_request(quakes, page, moves):
    page.locator("[aria-label='Zoom in']").click()
    expect_camera(page, 0, 0, 2)
    length = history(page)
    x, y, scale = screen(page)
    moves.clear()

    drag(page, (x, y + 20), (x - 90, y + 60))

    expect_camera(page, 90 / scale / 2, -40 / scale / 2, 2)
    expect_url_camera(page, 90 / scale / 2, -40 / scale / 2, 2)
    assert history(page) == length
    quakes.post("deleteSelected", quakeId="healy")
    expect_names(page, AYNA, TONGA, SAN_JOSE, CASTAIC)  # whatever was sent has been
    assert moves == []


@pytest.mark.main_path
def test_a_drag_that_ends_on_a_marker_selects_nothing(page):
    page.locator("[aria-label='Zoom in']").click()
    expect_camera(page, 0, 0, 2)
    x, y, _ = screen(page)
    start = middle(page, AYNA)
    end = (start[0] - 60, start[1] - 40)

    drag(page, start, end)  # the same point is still under the pointer

    assert middle(page, AYNA) == [pytest.approx(end[0], abs=2), pytest.approx(end[1], abs=2)]
    expect_selected(page, None)
    page.mouse.click(*end)
    expect_selected(page, AYNA)


def test_after_a_drag_the_keyboard_selects(page):
    page.locator("[aria-label='Zoom in']").click()
    expect_camera(page, 0, 0, 2)
    x, y, _ = screen(page)
    drag(page, (x, y), (x - 40, y - 40))

    marker(page, SAN_JOSE).focus()
    page.keyboard.press("Enter")

    expect_selected(page, SAN_JOSE)


def test_releasing_the_button_outside_the_map_ends_a_drag(page):
    page.locator("[aria-label='Zoom in']").click()
    expect_camera(page, 0, 0, 2)
    box = page.locator(".map").bounding_box()
    edge = box["x"] + 1, box["y"] + box["height"] / 2
    page.mouse.move(*edge)
    page.mouse.down()
    page.mouse.move(edge[0] - 40, edge[1])  # out of the map in one step
    page.mouse.up()

    page.mouse.move(edge[0] + 100, edge[1])
    page.mouse.move(edge[0] + 200, edge[1])

    assert camera(page) == (0, 0, 2)
    assert page.locator(SVG).evaluate("svg => svg.style.transform") == ""


def test_a_press_soon_after_the_wheel_keeps_the_map_drawn_and_saved(page):
    x, y, _ = screen(page)
    page.mouse.move(x, y)
    page.mouse.wheel(0, -500)
    page.mouse.down()
    # Longer than the wheel has to rest before the map is drawn.
    page.evaluate("() => new Promise((done) => setTimeout(done, 300))")
    page.mouse.up()

    expect(page.locator(".map:not([data-moving])")).to_be_attached()
    assert camera(page)[2] == pytest.approx(2.718, abs=0.05)
    expect_url_camera(page, *camera(page))


def test_a_held_key_moves_the_map_while_it_is_held(quakes, open_live):
    page = open_live(quakes, QUAKES + "&camera=-160_0_16")
    page.locator(SVG).focus()
    scale = screen(page)[2] * 16
    step = 0.25 * page.locator(".map").bounding_box()["width"] / scale

    page.keyboard.down("ArrowRight")
    for times in range(2, 22):
        page.keyboard.down("ArrowRight")  # as the keyboard repeats it
        # The middle of what the next frame shows.
        left, width, moved = page.evaluate("""async (selector) => {
          await new Promise(requestAnimationFrame);
          const svg = document.querySelector(selector);
          const { x, width } = svg.viewBox.baseVal;
          return [x, width, new DOMMatrix(svg.style.transform).e];
        }""", SVG)
        assert left + width / 2 - moved / scale == pytest.approx(-160 + times * step, abs=0.1)
    page.keyboard.up("ArrowRight")

    expect_camera(page, -160 + 21 * step, 0, 16, 0.5)


def test_the_map_ends_at_the_poles_and_nowhere_else(page):
    x, y, scale = screen(page)

    drag(page, (x, y), (x + 90, y + 100))

    expect_camera(page, -90 / scale, 0, 1)
    expect_url_camera(page, -90 / scale, 0, 1)


def test_the_wheel_zooms_about_the_pointer(page):
    point = middle(page, SAN_JOSE)
    x, y = place("jose")
    length = history(page)
    page.mouse.move(*point)

    page.mouse.wheel(0, -500)

    page.wait_for_function(
        """selector => !document.querySelector(".map").hasAttribute("data-moving")
          && document.querySelector(selector).viewBox.baseVal.width < 200""", arg=SVG)
    assert camera(page)[2] == pytest.approx(2.718, abs=0.05)
    assert under(page, point) == (pytest.approx(x, abs=0.5), pytest.approx(y, abs=0.5))
    expect_url_camera(page, *camera(page))
    assert history(page) == length
    page.mouse.wheel(0, 2000)
    expect_camera(page, 0, 0, 1)


def test_a_pinch_on_a_touch_pad_zooms_in_safari(page):
    """It has its own events for that. They zoomed the page."""
    prevented = page.evaluate("""() => [["start", 1], ["change", 1.5], ["change", 2], ["end", 2]].map(([name, scale]) => {
      const { left, top, width, height } = document.querySelector(".map").getBoundingClientRect();
      const event = new MouseEvent(`gesture${name}`, {
        bubbles: true, cancelable: true, clientX: left + width / 2, clientY: top + height / 2 });
      event.scale = scale;
      return !document.querySelector(".map > svg").dispatchEvent(event);
    })""")

    assert prevented == [True, True, True, False]
    expect_camera(page, 0, 0, 2, tolerance=0.5)  # the pointer has whole pixels
    expect_url_camera(page, *camera(page))


def test_two_fingers_zoom(quakes, browser, open_live):
    context = browser.new_context(has_touch=True)
    page = open_live(quakes, QUAKES, context)
    x, y, _ = screen(page)
    touch = context.new_cdp_session(page)

    def send(kind, *points):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
            {"x": px, "y": py, "id": index} for index, (px, py) in enumerate(points)]})

    send("touchStart", (x - 40, y))
    send("touchStart", (x - 40, y), (x + 40, y))
    for part in range(1, 9):
        send("touchMove", (x - 40 - 10 * part, y), (x + 40 + 10 * part, y))
    send("touchEnd")

    page.wait_for_function(
        """selector => !document.querySelector(".map").hasAttribute("data-moving")
          && document.querySelector(selector).viewBox.baseVal.width < 130""", arg=SVG)
    assert camera(page) == (pytest.approx(0, abs=0.5), pytest.approx(0, abs=0.5),
                            pytest.approx(3, abs=0.15))
    expect_selected(page, None)
    expect_url_camera(page, *camera(page))
    context.close()


def test_a_finger_moves_the_map(quakes, browser, open_live):
    context = browser.new_context(has_touch=True)
    page = open_live(quakes, QUAKES + "&camera=0_0_4", context)
    x, y, scale = screen(page)
    touch = context.new_cdp_session(page)

    for kind, dx in [("touchStart", 0), ("touchMove", 30), ("touchMove", 80), ("touchEnd", None)]:
        points = [] if dx is None else [{"x": x + dx, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    expect_camera(page, -80 / scale / 4, 0, 4, tolerance=1)
    assert camera(page)[0] < -5
    context.close()


@pytest.mark.parametrize("keys, zoom", [([], 2), (["Shift"], 1)])
def test_a_double_click_zooms(quakes, open_live, keys, zoom):
    page = open_live(quakes, QUAKES + "&camera=0_0_2")
    x, y, scale = screen(page)
    for key in keys:
        page.keyboard.down(key)

    left, top = int(x + 60), int(y + 100)  # events have whole pixels

    page.mouse.dblclick(left, top)

    if keys:
        expect_camera(page, (left - x) / scale * (1 / 2 - 1), 0, 1, tolerance=0.5)
    else:
        expect_camera(page, (left - x) / scale * (1 / 2 - 1 / 4), (top - y) / scale * (1 / 2 - 1 / 4), 4,
                      tolerance=0.2)


# Buttons and keys.


STEPS = [  # a button, a key, and their effect: x and y in parts of the map's frame, and a factor
    ("Zoom in", "+", (0, 0, 2)), ("Move west", "ArrowLeft", (-0.25, 0, 1)),
    ("Move north", "ArrowUp", (0, -0.25, 1)), ("Zoom out", "-", (0, 0, 0.5)),
    ("Move east", "ArrowRight", (0.25, 0, 1)), ("Move south", "ArrowDown", (0, 0.25, 1)),
]


@pytest.mark.parametrize("means", ["buttons", "keys"])
def test_buttons_and_keys_move_the_camera(quakes, still, open_live, means):
    page = open_live(quakes, QUAKES + "&camera=0_0_4", still)
    length = history(page)
    box, scale = page.locator(".map").bounding_box(), screen(page)[2]
    x, y, zoom = 0, 0, 4
    page.locator(SVG).focus()

    def move(button, key):
        page.keyboard.press(key) if means == "keys" else page.get_by_role("link", name=button).click()

    for button, key, (right, down, factor) in STEPS:
        move(button, key)

        x += right * box["width"] / scale / zoom
        y += down * box["height"] / scale / zoom
        zoom *= factor
        expect_camera(page, x, y, zoom)
        expect_url_camera(page, x, y, zoom)
    move("Show all", "0")
    expect_camera(page, 0, 0, 1)
    assert query(page) == {"date": DAY}
    assert history(page) == length


def test_keys_control_the_map_only_when_it_has_the_focus(page):
    search = page.locator("[type=search]")
    search.focus()
    page.keyboard.press("0")
    page.keyboard.press("+")
    expect(search).to_have_value("0+")
    search.fill("")
    page.locator("[data-list=quakes] a").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("+")

    assert camera(page) == (0, 0, 1)


@pytest.mark.parametrize("button, expected", [
    ("Zoom in", (0, 0, 8)), ("Show all", (0, 0, 1)), ("Move west", (-22.5, 0, 4)), ("Move south", (0, 16.5, 4)),
    *thorough(("Zoom out", (0, 0, 2)), ("Move east", (22.5, 0, 4)), ("Move north", (0, -16.5, 4))),
])
def test_without_javascript_links_move_the_camera(quakes, plain, button, expected):
    plain.goto(quakes.url + QUAKES + "&list=ayna&map=ayna&camera=0_0_4")

    plain.get_by_role("link", name=button).click()

    expect_camera(plain, *expected)
    expect_selected(plain, AYNA)


def test_without_javascript_selecting_in_the_list_shows_the_earthquake_on_the_map(quakes, plain):
    plain.goto(quakes.url + QUAKES)

    row(plain, SAN_JOSE).get_by_role("link").click()

    expect_selected(plain, SAN_JOSE)
    expect_camera(plain, *place("jose"), FAR)


def test_without_javascript_selecting_on_the_map_shows_the_row(shared_quakes, plain):
    shared_quakes.load([*FEATURES, *(
        feature(f"more-{n}", 1, f"More {n}", NOON - n * 1000, coordinates=(60, 30))
        for n in range(60))])
    plain.goto(shared_quakes.url + QUAKES + "&camera=-100_-20_2")
    expect(row(plain, CASTAIC)).not_to_be_in_viewport()

    plain.mouse.click(*middle(plain, CASTAIC))

    expect_selected(plain, CASTAIC)
    expect(row(plain, CASTAIC)).to_be_in_viewport()
    expect_camera(plain, -100, -20, 2)
    assert query(plain)["camera"] == "-100_-20_2"


# Markers.


def focused(page):
    """The name of the marker that has the focus."""
    return page.evaluate("document.activeElement.querySelector('title')?.textContent")


def test_markers_have_names_and_an_order_and_are_one_tab_stop_with_arrow_keys(quakes, page):
    page.locator(SVG).focus()
    page.keyboard.press("Tab")

    names = [focused(page)]
    for key in ["ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown"]:
        page.keyboard.press(key)
        names.append(focused(page))

    assert names == [
        f"Magnitude 6.1, {TONGA}", f"Magnitude 4.3, {SAN_JOSE}", f"Magnitude 3.0, {AYNA}",
        f"Magnitude 2.0, {HEALY}", f"Magnitude 1.5, {CASTAIC}"]
    for name in names:
        expect(page.get_by_role("link", name=name, exact=True)).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    assert focused(page) == names[3]
    assert camera(page) == (0, 0, 1)
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    expect_selected(page, CASTAIC)
    expect(marker(page, CASTAIC)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Zoom in")).to_be_focused()


def test_the_keyboard_reaches_only_visible_markers(quakes, open_live):
    page = open_live(quakes, QUAKES + "&camera=-80_0_6")  # San José and Ayna
    page.locator(SVG).focus()

    page.keyboard.press("Tab")
    assert focused(page) == f"Magnitude 4.3, {SAN_JOSE}"
    for key, name in [("ArrowDown", f"Magnitude 3.0, {AYNA}"), ("ArrowDown", f"Magnitude 3.0, {AYNA}"),
                      ("Home", f"Magnitude 4.3, {SAN_JOSE}"), ("End", f"Magnitude 3.0, {AYNA}")]:
        page.keyboard.press(key)
        assert focused(page) == name
    expect_camera(page, -80, 0, 6)


def test_tab_skips_the_map_when_no_marker_is_visible(quakes, open_live):
    page = open_live(quakes, QUAKES + "&camera=60_0_16")
    page.locator(SVG).focus()

    page.keyboard.press("Tab")

    expect(page.get_by_role("link", name="Zoom in")).to_be_focused()
    assert camera(page) == (60, 0, 16)


def test_a_marker_with_the_focus_has_its_name_on_the_map(quakes, page):
    """The row may be out of view, and browsers show titles only to pointers."""
    name = lambda: page.evaluate("getComputedStyle(document.querySelector('.map'), '::after').content")
    assert name() == "none"

    page.locator(SVG).focus()
    page.keyboard.press("Tab")
    assert TONGA in name()
    page.keyboard.press("ArrowRight")
    assert f"Magnitude 4.3, {SAN_JOSE}" in name()

    page.keyboard.press("Tab")
    assert name() == "none"
    marker(page, AYNA).hover()
    assert name() == "none"


def test_the_focus_of_a_marker_does_not_cover_a_near_map(quakes, open_live):
    """Its outline was one unit of the picture wide, which was 12 pixels here and a hundred on the nearest map."""
    page = open_live(quakes, QUAKES + "&camera=-84.1_-9.9_64")
    page.locator(SVG).focus()
    page.keyboard.press("Tab")
    expect(marker(page, SAN_JOSE)).to_be_focused()

    width = page.evaluate("""() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
      const pixel = document.querySelector("[data-camera]").style.getPropertyValue("--pixel");
      return outlineStyle === "none" ? 0 : parseFloat(outlineWidth) / pixel;
    }""")

    assert width < 10
    halo, disk = page.locator(".halo").bounding_box(), marker(page, SAN_JOSE).locator(".disk")
    assert float(disk.get_attribute("stroke-width")) < halo["width"] < 60


def test_a_click_on_the_map_shows_no_focus_ring(page):
    ring = lambda: page.evaluate("getComputedStyle(document.querySelector('.map'), '::after').content")
    page.get_by_role("link", name="Skip the markers").focus()
    page.keyboard.press("Tab")
    expect(page.locator(SVG)).to_be_focused()
    assert ring() != "none"
    x, y, _ = screen(page)

    page.mouse.click(x + 60, y)

    expect(page.locator(SVG)).to_be_focused()
    assert ring() == "none"
    assert page.locator(SVG).evaluate("svg => getComputedStyle(svg).outlineStyle") == "none"


def test_the_markers_can_be_skipped(quakes, page):
    page.get_by_role("link", name="Skip the markers").focus()

    page.keyboard.press("Enter")
    page.keyboard.press("Tab")

    expect(page.get_by_role("link", name="Zoom in")).to_be_focused()
    expect_names(page, *PLACES)


def test_a_marker_that_gets_the_focus_is_shown(quakes, open_live):
    page = open_live(quakes, QUAKES + "&camera=60_0_16")
    page.locator(SVG).focus()
    page.keyboard.press("Shift")  # a keyboard user

    marker(page, TONGA).focus()  # as a screen reader does

    expect_camera(page, *place("tonga"), 16)
    expect(marker(page, TONGA)).to_be_focused()


def test_markers_match_their_magnitudes(quakes, page):
    looks = page.locator("[data-list=markers] > a").evaluate_all(
        """markers => markers.map((marker) => {
          const disk = marker.querySelector(".disk");
          const { stroke, strokeOpacity } = getComputedStyle(disk);
          const swatch = document.querySelector(`.legend [data-class=${marker.dataset.class}]`);
          const { backgroundColor } = getComputedStyle(swatch);
          return [marker.dataset.key, disk.getAttribute("stroke-width"), stroke, strokeOpacity, backgroundColor];
        })""")

    assert [(key, float(size)) for key, size, *_ in looks] == [
        ("tonga", 34), ("jose", 20.7), ("ayna", 14.3), ("healy", 10.8), ("castaic", 9.6)]
    # Ayna and San José are alike, and Healy and Castaic.
    assert len({stroke for _, _, stroke, *_ in looks}) == 3
    # As the legend says, on land and sea.
    assert all(stroke == swatch and opacity == "1" for _, _, stroke, opacity, swatch in looks)
    page.goto(page.url + "&list=healy&map=healy")
    ring = page.locator(".markers.selected .ring")
    expect(ring).to_be_visible()
    assert is_around(ring, marker(page, HEALY))
    page.mouse.move(*middle(page, HEALY))
    expect(page.locator(".halo")).to_have_css("fill", "none")


# Pushes.


@pytest.mark.parametrize("selector", [
    "[data-list=markers] > [data-key=ayna]", "[data-list=quakes] > [data-key=ayna] a"])
def test_a_push_keeps_the_focus(quakes, page, selector):
    page.locator(selector).focus()
    page.evaluate("document.activeElement.mine = true")
    quakes.feed.features["day"] = [
        feature("tonga", 2.5, TONGA, NOON, updated=NOON, coordinates=(-130, -22)),
        feature("new", 5, "New", NOON, coordinates=(0, 0))]

    quakes.post("deleteSelected", quakeId="jose")
    quakes.post("refresh", range="allDay")

    expect_names(page, "New", TONGA, AYNA, HEALY, CASTAIC)
    expect(page.locator(selector)).to_be_focused()
    assert page.evaluate("document.activeElement.mine")


def test_a_push_keeps_the_camera(quakes, open_live):
    page = open_live(quakes, QUAKES + "&list=ayna&map=ayna&camera=-70_10_4")
    page.locator(SVG).focus()
    page.keyboard.press("+")
    expect_camera(page, -70, 10, 8)

    quakes.post("deleteSelected", quakeId="jose")
    expect_names(page, AYNA, TONGA, HEALY, CASTAIC)
    quakes.post("deleteSelected", quakeId="ayna")  # also one that changes the URL

    expect_names(page, TONGA, HEALY, CASTAIC)
    expect_selected(page, None)
    expect_camera(page, -70, 10, 8)
    assert query(page) == {"date": DAY, "camera": "-70_10_8"}


def test_a_push_does_not_disturb_a_drag(quakes, open_live):
    page = open_live(quakes, QUAKES + "&camera=0_0_4")
    x, y, scale = screen(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y)

    quakes.post("deleteSelected", quakeId="jose")
    expect_names(page, AYNA, TONGA, HEALY, CASTAIC)
    page.mouse.move(x - 60, y)
    page.mouse.up()

    expect_camera(page, 60 / scale / 4, 0, 4)


def test_links_keep_the_camera_that_a_drag_has_set(quakes, page):
    page.get_by_role("link", name="Zoom in").click()
    expect_camera(page, 0, 0, 2)

    scope(page, "Oldest first")

    expect_names(page, *PLACES[::-1])
    expect(page).to_have_url(re.compile("camera=0_0_2"))
    expect_camera(page, 0, 0, 2)
    page.mouse.click(*middle(page, AYNA))
    expect_selected(page, AYNA)
    expect_camera(page, 0, 0, 2)
