"""Takes the pictures in docs/images from the running server: each page light, dark, in forced colors, and narrow."""

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

from pictures import file, png  # noqa: E402

IMAGES = ROOT / "docs" / "images"
SERVER = ROOT / ".build" / "debug" / "Server"
FEED = ROOT / "Tests" / "QuakesDataTests" / "Resources" / "usgs-all-week-2018-02-07.geojson"
PAGES = {
    "home": "/",
    "counter": "/counter",
    "animals": "/animals?category=Mammal&animal=Kangaroo",
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
            take(PAGES, browser, address)
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


def add_picture(page):
    page.locator("input[type=file]").set_input_files(file(png(width=320, height=240)))
    page.locator("section[data-pane=detail] img").wait_for()


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
    "animals-toast": ("/animals?category=Mammal", star),
    "animals-conflict": ("/animals/Kangaroo?category=Mammal&sheet=edit", conflict),
    "animals-keys": ("/animals/Dog?category=Mammal", show_keys),
    "animals-picture": ("/animals/Cat?category=Mammal", add_picture),
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
    page.get_by_role("button", name="Increment").click()
    # The value counts the presses of earlier views too.
    page.get_by_role("status").filter(has_text=re.compile("Value: [1-9]")).first.wait_for()


if __name__ == "__main__":
    sys.exit(main())
