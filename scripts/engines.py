"""Takes pictures of each page and state in each engine, to compare side by side in .build/engines."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "BrowserTests"))

from playwright.sync_api import expect  # noqa: E402

import engines  # noqa: E402
from quakes_page import QUAKES, Quakes  # noqa: E402

IMAGES = ROOT / ".build" / "engines"
SELECTED = "/animals?category=Mammal&animal=Kangaroo"
PAGES = {
    "home": "/",
    "counter": "/counter",
    "animals": "/animals?category=Mammal",
    "animal": SELECTED,
    "animal-editor": SELECTED + "&sheet=edit",
    "quakes": QUAKES,
    "quakes-selected": QUAKES + "&list=jose&map=jose&camera=-84.1_-9.9_8",
    "quakes-empty": QUAKES + "&search=atlantis",
}
VIEWS = {
    "light": {"viewport": {"width": 1100, "height": 720}},
    "dark": {"viewport": {"width": 1100, "height": 720}, "color_scheme": "dark"},
    "narrow": {"viewport": {"width": 390, "height": 720}},
}


def take(engine, quakes):
    with engines.launched(engine) as browser:
        for view, options in VIEWS.items():
            context = browser.new_context(**options)
            page = context.new_page()
            for name, path in PAGES.items():
                page.goto(quakes.url + path)
                expect(page.locator("html[data-live]")).to_be_attached(timeout=20_000)
                page.screenshot(path=IMAGES / f"{name}-{view}-{engine}.png")
            context.close()


def main(names):
    IMAGES.mkdir(parents=True, exist_ok=True)
    quakes = Quakes()
    try:
        quakes.load()
        for engine in names or engines.ENGINES:
            take(engine, quakes)
    finally:
        quakes.end()
    print(IMAGES)


if __name__ == "__main__":
    main(sys.argv[1:])
