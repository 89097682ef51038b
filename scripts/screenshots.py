"""Takes the pictures in docs/images from the running server: each page light, dark and narrow."""

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
VIEWS = {
    "light": {"color_scheme": "light", "viewport": {"width": 1100, "height": 720}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1100, "height": 720}},
    "narrow": {"color_scheme": "light", "viewport": {"width": 320, "height": 640}},
}


def main() -> int:
    IMAGES.mkdir(parents=True, exist_ok=True)
    data, feeds = tempfile.TemporaryDirectory(), tempfile.TemporaryDirectory()
    shutil.copy(FEED, pathlib.Path(feeds.name, "all_week.geojson"))
    server = subprocess.Popen(
        [
            str(SERVER), "--port", "0", "--data-directory", data.name,
            "--quakes-feed", feeds.name, "--developer",
        ],
        cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )
    try:
        line = server.stdout.readline()
        address = re.search(r"http://\S+", line)
        if address is None:
            print(f"the server did not start: {line}", file=sys.stderr)
            return 1
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
            page = browser.new_page()
            page.goto(address.group() + "/quakes")
            page.get_by_role("button", name="Past week").click()
            page.get_by_role("heading", name="No earthquakes", exact=True).wait_for()
            for view, options in VIEWS.items():
                context = browser.new_context(**options)
                for name, path in PAGES.items():
                    page = context.new_page()
                    page.goto(address.group() + path)
                    # Previews have no scripts.
                    page.locator("html[data-live], html:not(:has(script))").wait_for(
                        state="attached")
                    page.screenshot(path=IMAGES / f"{name}-{view}.png")
                context.close()
            browser.close()
    finally:
        server.terminate()
        server.wait(10)
    return 0


if __name__ == "__main__":
    sys.exit(main())
