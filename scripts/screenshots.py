"""
Takes the pictures in docs/images from a running Server, that of the debug build or the given one: each page light,
dark, in forced colors, and narrow. If names follow the Server, only the pictures with these names.
"""

import contextlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "BrowserTests"))

from pictures import file  # noqa: E402

IMAGES = ROOT / "docs" / "images"
SERVER = pathlib.Path(sys.argv[1] if sys.argv[1:] else ROOT / ".build" / "debug" / "Server").resolve()
NAMES = sys.argv[2:]
FEED = ROOT / "Tests" / "QuakesDataTests" / "Resources" / "usgs-all-week-2018-02-07.geojson"
PAGES = {
    "animals": "/animals/Cat?category=Mammal",
    "animal-editor": "/animals?category=Mammal&animal=Kangaroo&sheet=edit",
    "quakes": "/quakes?date=2018-02-06&sort=magnitude&list=us1000chhc&map=us1000chhc",
    "quakes-map": "/quakes?date=2018-02-06&search=taiwan&camera=121.7_-24.6_24",
    "quakes-empty": "/quakes?search=atlantis",
}
# Pages for developers have a button that other pages do not have.
DEVELOPER = {
    # These come after the others, because they show what the others did.
    "developer-log": "/developer?entry=3",
    "developer-state": "/developer/state?product=Quakes&path=/quakes",
    "developer-time": "/developer/time?url=/animals",
    "previews": "/previews",
    "preview": "/previews/AnimalsUI/AnimalDetail/a-favorite",
}
# On a server where somebody has pressed the Counter's button.
FORK = {"developer-fork": "/developer/fork?plan=1-1&url=/counter"}
# After a visitor has pressed a button.
CAUSES = {
    "developer-visits": "/developer?product=Counter",
    "developer-region": "/developer/time?url=/counter&region=number#region",
    "developer-cost": "/developer/cost",
}
# A chosen region.
PICKER = {"developer-picker": "/animals/Dog?category=Mammal"}
# On a server whose pages link to it.
REPORT = {"report": "/report"}
# On a server that shows a recording.
RECORDING = {"recording": "/developer?entry=3"}
CAT = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240" width="320" height="240">
  <rect width="320" height="240" fill="#cfe3d8"/>
  <path fill="#a9c7b6" d="M0 190q80-30 160-12t160-6v68H0z"/>
  <path fill="#d9893b" d="M92 120 84 40l56 34q20-6 40 0l56-34-8 80q6 26-6 48-22 34-62 34t-62-34q-12-22-6-48z"/>
  <path fill="#f3c9a2" d="m98 62 30 22-26 22zm124 0-30 22 26 22zM160 150q34 0 40 24-12 24-40 24t-40-24q6-24 40-24z"/>
  <path fill="#b86a24" d="m150 72 4 32h12l4-32-10 20zM96 128l28 8-28 4zm128 0-28 8 28 4z"/>
  <g fill="#2c2418"><ellipse cx="130" cy="126" rx="9" ry="13"/><ellipse cx="190" cy="126" rx="9" ry="13"/></g>
  <g fill="#fff"><circle cx="133" cy="121" r="3"/><circle cx="193" cy="121" r="3"/></g>
  <path fill="#a8505a" d="M151 156h18l-9 10z"/>
  <path fill="none" stroke="#2c2418" stroke-width="3" stroke-linecap="round"
    d="M160 166v8q-2 10-14 9m14-9q2 10 14 9M112 162l-46-8m46 20-44 8m140-20 46-8m-46 20 44 8"/>
</svg>"""
DAY = "/quakes?date=2018-02-06&sort=magnitude"
VIEWS = {
    "light": {"color_scheme": "light", "viewport": {"width": 1100, "height": 720}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1100, "height": 720}},
    "forced": {"forced_colors": "active", "viewport": {"width": 1100, "height": 720}},
    "narrow": {"color_scheme": "light", "viewport": {"width": 320, "height": 640}},
}


def main() -> int:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as feeds, tempfile.TemporaryDirectory() as reports, \
            sync_playwright() as playwright:
        shutil.copy(FEED, pathlib.Path(feeds, "all_week.geojson"))
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        with running("--quakes-feed", feeds) as address:
            fetch(browser, address)
            picture = draw(browser, CAT)
            show_cat(browser, address, picture)
            take(PAGES, browser, address)
            take({"animals-picture": PAGES["animals"]}, browser, address, point=lambda page: add(page, picture))
            for name, (path, act) in STATES.items():
                take({name: path}, browser, address, point=act)
        with running("--quakes-feed", feeds, "--developer") as address:
            fetch(browser, address)
            look(browser, address, PAGES)
            take(DEVELOPER, browser, address)
            take(CAUSES, browser, address, visit)
            take(PICKER, browser, address, point=pick)
        with running("--developer") as address:
            take(FORK, browser, address, count)
        with running("--reports", reports) as address:
            take(REPORT, browser, address, visit)
        recording = str(pathlib.Path(reports, "recording.jsonl"))
        with running("--record", recording) as address:
            visit(browser.new_page(), address)
        with running("replay", recording, "--serve") as address:
            take(RECORDING, browser, address)
        browser.close()
    return 0


@contextlib.contextmanager
def running(*options):
    """Starts a server and yields its address."""
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen(
            [str(SERVER), "--port", "0", "--data-directory", data, *options],
            cwd=ROOT, stdout=subprocess.PIPE, text=True,
        )
        try:
            lines = iter(server.stdout.readline, "")
            address = next(filter(None, (re.search(r"Listening on (http://\S+)", line) for line in lines)), None)
            if address is None:
                sys.exit("the server did not start")
            yield address[1]
        finally:
            server.terminate()
            server.wait(10)


def fetch(browser, address):
    """Makes the server fetch the earthquakes."""
    page = browser.new_page()
    page.goto(address + "/quakes")
    page.get_by_role("button", name="Past week").click()
    page.get_by_role("heading", name="No earthquakes", exact=True).wait_for()


def look(browser, address, pages):
    """Opens pages, so that the developer pages have something to show."""
    page = browser.new_page()
    for path in pages.values():
        page.goto(address + path)


def pick(page):
    """Points at a region with the picker."""
    page.keyboard.press("Alt+i")
    page.locator("[data-region=detail] > *").first.hover()
    page.get_by_text("Region “detail”").wait_for()


def star(page):
    """Shows a toast."""
    page.get_by_role("button", name="Favorite Dog").click()
    page.locator("#toast").get_by_role("button", name="Undo").wait_for()


def conflict(page):
    """Somebody else changes the name that is being edited."""
    name = page.get_by_label("Name", exact=True)
    theirs = next(other for other in ["Gray kangaroo", "Tree kangaroo"] if other != name.input_value())
    name.fill("Wallaby")
    other = page.context.new_page()
    other.goto(page.url)
    other.locator("html[data-live]").wait_for(state="attached")
    other.get_by_label("Name", exact=True).fill(theirs)
    other.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("group", name="Someone else changed this").wait_for()
    other.close()


def show_keys(page):
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keyboard shortcuts").wait_for()


def draw(browser, svg):
    """A file with a drawing."""
    page = browser.new_page(viewport={"width": 320, "height": 240})
    page.set_content(f"<style>body {{ margin: 0 }}</style>{svg}")
    picture = file(page.screenshot())
    page.close()
    return picture


def add(page, picture):
    page.locator("input[type=file]").set_input_files(picture)
    page.get_by_text(re.compile("Picture of Cat (added|changed)")).wait_for()


def show_cat(browser, address, picture):
    """One animal has all that an animal can have."""
    page = browser.new_page()
    page.goto(address + PAGES["animals"])
    page.locator("html[data-live]").wait_for(state="attached")
    add(page, picture)
    page.get_by_role("button", name="Favorite Cat").last.click()
    page.get_by_text("Cat is a favorite").wait_for()
    page.close()


def press(page):
    """Presses a button of the Counter several times in a minute, which is over at once."""
    page.clock.install()
    for name in ["Increment"] * 5 + ["Decrement"] * 2 + ["Increment"] * 4:
        page.clock.fast_forward(4_000)
        increment(page, name)


def increment(page, name="Increment"):
    """`page` may also be a frame."""
    number = page.locator(".counter .number")
    before = number.inner_text()
    page.get_by_role("button", name=name).click()
    number.filter(has_not_text=re.compile(f"^{before}$")).wait_for()


def press_in_a_frame(page):
    frames = [page.frame_locator("iframe >> nth=0"), page.frame_locator("iframe >> nth=1")]
    for frame in frames:
        frame.locator("html[data-live]").wait_for(state="attached")
    increment(frames[0])
    page.get_by_text(re.compile("showed it after")).wait_for()


def show_charts(page):
    page.locator("#charts").scroll_into_view_if_needed()
    page.locator("#charts").evaluate("section => section.scrollIntoView()")


def show_list(page):
    """On a phone, the list is a sheet."""
    link = page.get_by_role("link", name="List", exact=True)
    if link.is_visible():
        link.click()


# What visitors do on a page before its picture is taken.
STATES = {
    "home": ("/", press_in_a_frame),
    "counter": ("/counter", press),
    "animals-toast": ("/animals?category=Mammal", star),
    "animals-conflict": ("/animals/Kangaroo?category=Mammal&sheet=edit", conflict),
    "animals-keys": ("/animals/Dog?category=Mammal", show_keys),
    "quakes-list": (DAY, show_list),
    "quakes-charts": (DAY + "&charts=true", show_charts),
    "quakes-timeline": (DAY + "&until=0900", lambda page: None),
    "quakes-print": (DAY, lambda page: page.emulate_media(media="print")),
}


# The map is drawn, and nothing that can be seen is still being uploaded or loaded.
BUSY = "[aria-busy=true], [data-detail=loading], html:has(script) [data-camera]:not([style*='--pixel'])"
SETTLED = f"""() => document.querySelector("{BUSY}") === null
  && [...document.images].every((image) => image.complete || !image.checkVisibility()
    || image.getBoundingClientRect().top > innerHeight)"""


def take(pages, browser, address, prepare=lambda page, address: None, point=lambda page: None):
    """Takes pictures of pages in each view, after `prepare` has acted as a visitor and `point` has pointed."""
    for view, options in VIEWS.items():
        context = browser.new_context(**options)
        for name, path in pages.items():
            if NAMES and name not in NAMES:
                continue
            page = context.new_page()
            prepare(page, address)
            page.goto(address + path)
            # Previews and the form for reports have no scripts.
            page.locator("html[data-live], html:not(:has(script))").wait_for(state="attached")
            point(page)
            page.wait_for_function(SETTLED)
            page.screenshot(path=IMAGES / f"{name}-{view}.png")
        context.close()


def visit(page, address):
    """Visits pages, so that there is something to report."""
    page.goto(address + "/animals?all=true&search=otter")
    page.locator("html[data-live]").wait_for(state="attached")
    count(page, address)


def count(page, address):
    page.goto(address + "/counter")
    increment(page)


if __name__ == "__main__":
    sys.exit(main())
