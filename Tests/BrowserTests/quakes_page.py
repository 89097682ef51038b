"""Shared by the tests of Quakes: earthquakes, a Server that has them, and the parts of its page."""

import contextlib
import datetime
import json
import math
import re
import sqlite3
import urllib.parse

from playwright.sync_api import expect

from fake_feed import RANGES, FakeFeed, feature
from servers import product_server
from waiting import wait_until

DAY = "2018-02-07"
QUAKES = f"/quakes?date={DAY}"
# A whole day of the sample: of today it has those until now.
YESTERDAY = "/quakes?date=" + (
    datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
).date().isoformat()
NOON = 1518004800000  # of that day, in UTC
MINUTE = 60_000
# Milliseconds. The sample has 10,000 earthquakes. A debug build takes seconds for them, and more beside other tests.
SAMPLE = 30_000

CASTAIC, SAN_JOSE, HEALY = "4km W of Castaic, CA", "12km SSE of San José, Costa Rica", "Healy, Alaska"
TONGA, AYNA, OREGON = "South of Tonga", "85km NNW of Ayna, Peru", "Off the coast of Oregon"

PLACES = [AYNA, TONGA, HEALY, SAN_JOSE, CASTAIC]  # the newest first
FEATURES = [
    feature("castaic", 1.5, CASTAIC, NOON - 50 * MINUTE, coordinates=(-118.5, 34.25, 26)),
    feature("jose", 4.26, SAN_JOSE, NOON - 40 * MINUTE, coordinates=(-84.1, 9.9, 10), felt=12),
    feature("healy", 2, HEALY, NOON - 30 * MINUTE, coordinates=(-149.6, 63.9, 140)),
    feature("tonga", 6.1, TONGA, NOON - 20 * MINUTE, coordinates=(-130, -22, 3)),
    feature("ayna", 3, AYNA, NOON - 10 * MINUTE, coordinates=(-74, -12, 80)),
    feature("oregon", 2.5, OREGON, NOON - 24 * 60 * MINUTE, coordinates=(-127, 43, 9)),
]


# A Server and its feed.


class Quakes:
    """
    A Server with its own feed, which is passed to `prepare` before the Server starts. It fetches whenever it is
    asked. By default it would fetch at most once a second.
    """

    def __init__(self, *options, prepare=lambda feed: None):
        self.feed = FakeFeed()
        prepare(self.feed)
        source = ["--quakes-feed", self.feed.url, "--quakes-pace", "0"]
        self.server = product_server(*source, *options).start()

    @property
    def url(self):
        return self.server.url

    def post(self, form, **fields):
        """Submits a form like a browser without JavaScript."""
        body = urllib.parse.urlencode({"_form": form, **fields})
        head = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "none"}
        with self.server.connection() as connection:
            connection.request("POST", QUAKES, body, head)
            response = connection.getresponse()
            assert response.status == 303, response.read()

    def saved(self):
        """The ids of the earthquakes that are on disk."""
        with contextlib.closing(sqlite3.connect(self.server.data / "quakes.store")) as database:
            return {row[0] for row in database.execute("SELECT quakeId FROM quake")}

    def load(self, features=FEATURES, range="Day"):
        """Expects exactly these earthquakes."""
        self.empty()
        self.feed.features[range.lower()] = list(features)
        self.post("refresh", range=f"all{range}")

    def empty(self):
        """Expects no earthquakes and no failure."""
        self.feed.release()
        self.feed.features = {name: [] for name in RANGES}
        self.post("refresh", range="allDay")
        self.post("deleteAll")
        self.feed.requests.clear()

    def end(self):
        self.server.kill()
        self.feed.release()
        with contextlib.suppress(OSError):
            self.feed.stop()


# The page.


def summary(page, menu):
    return page.locator("details.menu > summary", has_text=re.compile(f"^{menu}$"))


def choose(page, menu, item):
    """Chooses an item of a menu."""
    summary(page, menu).click()
    items = page.locator("details.menu[open]")
    name = re.compile(f"^{item}$")
    items.get_by_role("button", name=name).or_(items.get_by_role("link", name=name)).click()


def names(page):
    return page.locator("[data-list=quakes] > li strong")


def row(page, name):
    return page.locator("[data-list=quakes] > li", has_text=name)


def marker(page, name):
    title = page.locator("title", has_text=name)
    return page.locator("[data-list=markers] > a").filter(has=title)


def expect_names(page, *expected):
    """Expects that the list shows these, in this order, and the map the same ones."""
    expect(names(page)).to_have_text(list(expected))
    expect(page.locator("[data-list=markers] > a")).to_have_count(len(expected))
    titles = page.locator("[data-list=markers] title")
    for name in expected:
        ends = re.compile(", " + re.escape(name) + "$")
        expect(titles.filter(has_text=ends)).to_have_count(expected.count(name))


def expect_selected(page, name):
    """Expects that this one, or none, is selected in the list, on the map and in the title."""
    rows = page.locator("[data-list=quakes] > [aria-current]")
    markers = page.locator("[data-list=markers] > [aria-current]")
    title = page.locator(".title h2")
    if name is None:
        expect(rows).to_have_count(0)
        expect(markers).to_have_count(0)
        expect(page.locator(".card")).to_have_count(0)
    else:
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text(name)
        expect(markers).to_have_count(1)
        expect(markers).to_contain_text(name)
        expect(title).to_have_text(name)


def counts(count, day=None):
    """The text of a list with so many rows, of so many of the day if it is filtered."""
    all = count if day is None else day
    if all == 0:
        return "No earthquakes"
    text = f"{all:,} earthquake" + ("" if all == 1 else "s")
    return text if day is None else f"{count:,} of {text}"


def expect_counts(page, count, day=None):
    expect(page.locator(".counts")).to_have_text(counts(count, day))


def scope(page, name):
    """Chooses a segment: the sort order of the list, or the minimum magnitude."""
    page.locator(".segments").get_by_role("link", name=name, exact=True).click()


SEARCH = "[type=search]"
DATE = "[type=date]"


def query(page):
    """The parameters of the page's URL."""
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(page.url).query))


def history(page):
    return page.evaluate("history.length")


# The map. Positions are in the units of its SVG: a degree on the equator, y goes down.

SVG = "svg[data-camera]"


def place(id):
    """The position of an earthquake on the map: Miller's projection (Snyder, Map Projections, page 88)."""
    [coordinates] = [item["geometry"]["coordinates"] for item in FEATURES if item["id"] == id]
    longitude, latitude = coordinates[:2]
    phi = math.radians(latitude)
    return longitude, -1.25 * math.degrees(math.log(math.tan(math.pi / 4 + 0.4 * phi)))


def camera(page):
    """The center of the visible map, and the zoom."""
    x, y, width, height = map(float, page.locator(SVG).get_attribute("viewBox").split())
    return x + width / 2, y + height / 2, 360 / width


def expect_camera(page, x, y, zoom, tolerance=0.02):
    """Waits until the map rests there. It polls from outside, because pages without scripts cannot wait."""

    def is_there():
        box, is_moving = page.locator(SVG).evaluate(
            "svg => [svg.getAttribute('viewBox'), svg.parentElement.hasAttribute('data-moving')]")
        left, top, width, height = map(float, box.split())
        off = [left + width / 2 - x, top + height / 2 - y, 360 / width - zoom]
        return not is_moving and all(abs(number) <= tolerance for number in off)

    wait_until(is_there, f"the camera at {x}, {y}, zoom {zoom}")


def middle(page, name):
    """The point of the screen where a marker is."""
    return page.evaluate(
        """name => {
          const marker = [...document.querySelectorAll("[data-list=markers] > a")]
            .find((marker) => marker.querySelector("title").textContent.includes(name));
          const { left, right, top, bottom } = marker.getBoundingClientRect();
          return [(left + right) / 2, (top + bottom) / 2];
        }""",
        name,
    )


def show(value):
    """A short form for messages."""
    return json.dumps(value, ensure_ascii=False, indent=1)
