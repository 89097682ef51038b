"""Takes the pictures in docs/images from the running server: each page light, dark and narrow."""

import contextlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parent.parent
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
    # After the others, which are what they show.
    "developer-log": "/developer?entry=3",
    "developer-state": "/developer/state?product=Quakes&path=/quakes",
    "developer-time": "/developer/time?url=/animals",
    "previews": "/previews",
    "preview": "/previews/AnimalsUI/AnimalDetail/a-favorite",
}
# Of a server where somebody has counted.
FORK = {"developer-fork": "/developer/fork?plan=1-1&url=/counter"}
# After a visitor has pressed a button.
CAUSES = {
    "developer-region": "/developer/time?url=/counter&region=number#region",
    "developer-cost": "/developer/cost",
}
# Of a server whose pages have the link to it.
REPORT = {"report": "/report"}
VIEWS = {
    "light": {"color_scheme": "light", "viewport": {"width": 1100, "height": 720}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1100, "height": 720}},
    "narrow": {"color_scheme": "light", "viewport": {"width": 320, "height": 640}},
}


def main() -> int:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as feeds, tempfile.TemporaryDirectory() as reports, \
            sync_playwright() as playwright:
        shutil.copy(FEED, pathlib.Path(feeds, "all_week.geojson"))
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        with running("--quakes-feed", feeds, "--developer") as address:
            page = browser.new_page()
            page.goto(address + "/quakes")
            page.get_by_role("button", name="Past week").click()
            page.get_by_role("heading", name="No earthquakes", exact=True).wait_for()
            take(PAGES, browser, address)
            take(CAUSES, browser, address, visit)
        with running("--developer") as address:
            take(FORK, browser, address, count)
        with running("--reports", reports) as address:
            take(REPORT, browser, address, visit)
        browser.close()
    return 0


@contextlib.contextmanager
def running(*options):
    """The address of a server."""
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen(
            [str(SERVER), "--port", "0", "--data-directory", data, *options],
            cwd=ROOT, stdout=subprocess.PIPE, text=True,
        )
        try:
            line = server.stdout.readline()
            address = re.search(r"http://\S+", line)
            if address is None:
                sys.exit(f"the server did not start: {line}")
            yield address.group()
        finally:
            server.terminate()
            server.wait(10)


def take(pages, browser, address, prepare=lambda page, address: None):
    """Takes pictures of pages in each view, after a visitor has done something."""
    for view, options in VIEWS.items():
        context = browser.new_context(**options)
        for name, path in pages.items():
            page = context.new_page()
            prepare(page, address)
            page.goto(address + path)
            # Previews and the form for reports have no scripts.
            page.locator("html[data-live], html:not(:has(script))").wait_for(state="attached")
            page.screenshot(path=IMAGES / f"{name}-{view}.png")
        context.close()


def visit(page, address):
    """What there is to report."""
    page.goto(address + "/animals?all=true&search=otter")
    page.locator("html[data-live]").wait_for(state="attached")
    count(page, address)


def count(page, address):
    page.goto(address + "/counter")
    page.get_by_role("button", name="Increment").click()
    # The number of presses is that of the views before.
    page.get_by_role("status").filter(has_text=re.compile("Value: [1-9]")).first.wait_for()


if __name__ == "__main__":
    sys.exit(main())
