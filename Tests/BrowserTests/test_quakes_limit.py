"""How many earthquakes there may be: when new ones come, the oldest go."""

import pytest

from fake_feed import feature
from quakes_page import AYNA, HEALY, MINUTE, NOON, QUAKES, TONGA, Quakes, expect_names
from process import eventually

NEW = feature("new", 5, "New", NOON)


@pytest.fixture
def quakes():
    quakes = Quakes("--quakes-limit", "3")
    yield quakes
    quakes.end()


def test_the_oldest_earthquakes_are_removed_when_new_ones_exceed_the_limit(quakes, open_page):
    quakes.load()
    page = open_page(quakes, QUAKES)
    expect_names(page, AYNA, TONGA, HEALY)
    quakes.feed.features["day"] = [NEW, feature("older", 7, "Older", NOON - 45 * MINUTE)]

    quakes.post("refresh", range="allDay")

    if not open_page.is_live:
        page.goto(quakes.url + QUAKES)
    expect_names(page, "New", AYNA, TONGA)
    eventually(lambda: quakes.saved() == {"new", "ayna", "tonga"}, "the database has the same")
