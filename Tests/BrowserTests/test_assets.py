"""Scripts and styles of components: loaded only on the pages that show them."""

import re

import pytest
from playwright.sync_api import expect

from quakes_page import QUAKES, SVG, camera, expect_camera
from raw import get
from waiting import wait_until

# The present window goes to another page without loading it.
GO = """async (url) => {
  const { tab } = await import(document.querySelector("script[src$='window.js']").src);
  history.pushState(null, "", url);
  tab.move({});
}"""


def brought(page):
    """The assets of the document that not all pages have."""
    loaded = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    paths = [re.sub(r".*/public/([\w-]{22}/)?|#.*", "", url) for url in loaded if "/public/" in url]
    return {path for path in paths if "/" in path}


def test_a_page_loads_the_assets_of_its_components(shared_quakes, page):
    text = get(shared_quakes.server, "/quakes").text

    for path in ["QuakesUI/quakes.css", "QuakesUI/map.css", "QuakesUI/camera.js"]:
        assert f'/{path}"' in text
    assert text.index("style.css") < text.index("quakes.css")
    assert text.index("window.js") < text.index("camera.js") < text.index("missing.js")


@pytest.mark.main_path
def test_the_scripts_of_all_pages_are_one(shared_quakes, open_live):
    page = open_live(shared_quakes.server, "/quakes")

    loaded = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    scripts = {re.sub(r".*/public/([\w-]{22}/)?", "", url) for url in loaded if url.endswith(".js")}

    assert {s for s in scripts if "/" not in s} <= {
        "window.js", "missing.js", "worker.js", "lists.js", "editing.js", "toast.js", "key-list.js",
        "day.js", "transitions.js", "renewal.js", "moves.js", "countdown.js"}
    assert {"window.js", "lists.js", "QuakesUI/camera.js"} <= scripts


@pytest.mark.parametrize("path", ["/", "/counter", "/animals", QUAKES, "/nothing"])
def test_what_the_head_of_a_page_names_is_cached_for_good(shared_quakes, path):
    """Chromium asked for the icon again after each navigation in place, because the icon alone was not."""
    head = get(shared_quakes.server, path).text.partition("</head>")[0]
    files = re.findall(r'(?:href|src)="([^"]*)"', head)

    cached = {file: get(shared_quakes.server, file).headers["Cache-Control"] for file in files}

    assert {"style.css", "icon.svg"} <= {file.rpartition("/")[2] for file in files}
    assert {file for file, control in cached.items() if "immutable" not in control} == set()


@pytest.mark.parametrize("script", ["window.js", "worker.js"])
def test_browsers_are_sent_no_comments(shared_quakes, script):
    """A comment at the end of a line stays if there is a quote in it."""
    path = re.search(r'src="(/public/.*)window.js"', get(shared_quakes.server, "/counter").text)[1]

    text = get(shared_quakes.server, path + script).text

    assert re.findall(r".* // .*", text) == []


# What a page has loaded when it is live.
UNTIL_LIVE = """new MutationObserver(() => {
  if (!document.documentElement?.hasAttribute("data-live")) return;
  window.untilLive ??= performance.getEntriesByType("resource")
    .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
    .map(({ name, encodedBodySize }) => [name.split("/").slice(5).join("/"), encodedBodySize]);
}).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-live"] })"""


@pytest.mark.parametrize("path, limit, unused", [
    ("/counter", 25_600, {"lists.js", "editing.js"}),
    ("/animals?category=Mammal", 31_000, {"editing.js"}),
    (QUAKES, 38_000, {"editing.js"}),
])
def test_a_page_is_live_after_few_bytes_of_scripts(shared_quakes, launch, path, limit, unused):
    """A limit that is exceeded is a decision: is more of a page's scripts needed before it is live?"""
    page = launch().new_context().new_page()
    page.add_init_script(UNTIL_LIVE)
    page.goto(shared_quakes.server.url + path)

    loaded = dict(page.wait_for_function("() => window.untilLive").json_value())

    assert sum(loaded.values()) <= limit, loaded
    assert loaded.keys() & unused == set()
    assert {"window.js", "worker.js"} <= loaded.keys()


@pytest.mark.parametrize("path, styles", [
    ("/", {"Server/home.css", "Server/home.js"}),
    ("/counter", {"CounterUI/counter.css", "CounterUI/sparkline.js"}),
    ("/animals", {"AnimalsUI/animals.css", "AnimalsUI/conflicts.js", "AnimalsUI/start.js", "AnimalsUI/rows.js",
                  "AnimalsUI/categories.js"}),
])
def test_a_page_loads_no_assets_of_other_products(shared_quakes, open_live, path, styles):
    page = open_live(shared_quakes, path)

    wait_until(lambda: brought(page) == styles, lambda: f"{brought(page)} is {styles}")  # some come once it is live


def test_a_window_that_navigates_in_place_loads_the_new_pages_assets(quakes, open_live, complaints):
    page = open_live(quakes, "/counter")

    page.evaluate(GO, QUAKES)

    expect(page.locator(SVG)).to_be_attached()
    expect(page.locator("link[href$='map.css']")).to_have_count(1)
    svg = page.locator(SVG)
    expect(svg).to_have_css("position", "absolute")
    expect(svg).to_have_attribute("style", re.compile("--pixel"))
    page.focus(SVG)
    page.keyboard.press("+")
    expect_camera(page, 0, 0, 2)
    page.wait_for_url("**camera=0_0_2*")
    assert complaints == []


def test_assets_that_a_window_already_has_are_not_loaded_again(quakes, open_live):
    page = open_live(quakes, QUAKES)
    assert brought(page) == {
        "QuakesUI/quakes.css", "QuakesUI/map.css", "QuakesUI/camera.js", "QuakesUI/hover.js",
        "QuakesUI/copy.js", "QuakesUI/land.svg", "QuakesUI/plates.svg", "QuakesUI/timeline.css",
        "QuakesUI/timeline.js",
    }

    page.evaluate(GO, "/counter")
    expect(page.locator("p.value")).to_be_attached()
    page.evaluate(GO, QUAKES)
    expect(page.locator(SVG)).to_be_attached()

    for name in ["map.css", "quakes.css"]:
        expect(page.locator(f"link[href$='/{name}']")).to_have_count(1)
    page.focus(SVG)
    page.keyboard.press("+")
    expect_camera(page, 0, 0, 2)
    assert camera(page)[2] == pytest.approx(2, abs=0.01)  # once: by one camera, not by two


@pytest.mark.parametrize("path, selector, color", [
    ("/animals?category=Mammal&sheet=add", "dialog", "rgb(255, 255, 255)"),
    (QUAKES, ".map", "rgb(223, 233, 242)"),
])
def test_a_browser_without_light_dark_gets_light_colors(shared_quakes, page, path, selector, color):
    """Safari before 17.5: dialogs had no ground, and markers no color."""
    def serve(route):
        response = route.fetch()
        route.fulfill(response=response, body=response.text().replace("light-dark(", "unknown("))

    page.emulate_media(color_scheme="dark")
    page.route("**/*.css", serve)
    page.goto(shared_quakes.server.url + path)

    expect(page.locator(selector)).to_have_css("background-color", color)
    expect(page.locator("body")).to_have_css("color", "rgb(29, 29, 31)")


def test_a_script_that_fails_to_load_is_reported(quakes, page):
    page.route("**/camera.js", lambda route: route.abort())
    page.goto(quakes.url + QUAKES)

    notice = page.get_by_role("status").filter(has_text="could not be loaded")
    expect(notice).to_be_visible()
    expect(page.locator("html[data-live]")).to_be_attached()
    connection = page.locator("#connection")
    quakes.server.kill()
    expect(connection).to_contain_text("Connection lost")
    quakes.server.start()
    expect(connection).to_have_text("Connected again.", timeout=30_000)
    expect(connection).to_be_hidden()
    expect(notice).to_be_visible()
    expect(notice.get_by_role("button", name="Reload")).to_be_visible()


def test_a_script_of_another_release_is_reported(quakes, page):
    """It lacks an export, which is a syntax error: it was taken for a browser that does not know the syntax."""
    page.route("**/lists.js", lambda route: route.fulfill(
        content_type="text/javascript", body='import { renamed } from "./window.js";'))
    page.goto(quakes.url + QUAKES)

    expect(page.get_by_role("status").filter(has_text="could not be loaded")).to_be_visible()


def test_toasts_and_the_list_of_keys_are_there_when_the_server_is_not(start_server, open_live):
    """They were loaded when they were first needed, which failed during an outage and after an upgrade."""
    server = start_server()
    page = open_live(server, "/animals?category=Mammal")
    page.wait_for_function("""() => ["toast.js", "key-list.js"].every((name) => performance
      .getEntriesByType("resource").some((entry) => entry.name.endsWith(`/${name}`) && entry.responseEnd > 0))""")

    server.kill()
    expect(page.locator("#live")).to_have_text(re.compile("Offline"))
    page.keyboard.press("?")

    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


@pytest.mark.usefixtures("loads_modules_again")
def test_a_toast_shows_after_the_one_whose_script_could_not_be_loaded(start_server, page):
    """A failure was remembered, so no toast showed until the next reload."""
    server = start_server()
    page.route("**/toast.js", lambda route: route.abort())
    page.goto(server.url + "/animals?category=Mammal")
    expect(page.locator("html[data-live]")).to_be_attached()
    page.get_by_role("button", name="Favorite Dog").click()
    expect(page.get_by_role("status").filter(has_text="could not be loaded")).to_be_visible()
    page.unroute("**/toast.js")

    page.get_by_role("button", name="Favorite Cat").click()

    expect(page.locator("#toast")).to_contain_text("Cat is a favorite.")


def test_the_camera_parameter_stays_until_its_script_has_loaded(quakes, page):
    """The server does not know about it, and the script may load late."""
    held = []
    page.route("**/camera.js", lambda route: held.append(route))
    page.goto(quakes.url + QUAKES + "&camera=-130_20_4", wait_until="commit")
    page.wait_for_function("document.readyState != 'loading'")
    expect(page.locator(SVG)).to_be_attached()
    for route in held:
        route.continue_()

    expect_camera(page, -130, 20, 4)
    assert "camera=-130_20_4" in page.url
