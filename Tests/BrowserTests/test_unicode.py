"""Ids that are other bytes but the same text according to Unicode."""

from urllib.parse import quote

import pytest

from fake_feed import FakeFeed, feature
from raw import Session, get
from waiting import wait_until

KELVIN = quote("\u212a")  # Unicode calls it the same as K


@pytest.fixture
def feed():
    server = FakeFeed(day=[feature("usK1", place="10km W of Kelvin, CA")])
    yield server
    server.stop()


def test_an_animal_is_found_only_by_the_bytes_of_its_id(counter):
    session = Session(counter)
    assert get(counter, "/animals/Kangaroo").status == 200

    assert get(counter, f"/animals/{KELVIN}angaroo").status == 404
    for row in [f"delete~{KELVIN}angaroo", f"star~{KELVIN}angaroo"]:
        assert session.post("/animals", f"_form=rows&row={row}").status == 404
    assert "An effect has failed" not in counter.output


def test_an_earthquake_is_deleted_only_by_the_bytes_of_its_id(start_server, feed):
    server = start_server("--quakes-feed", feed.url)
    session = Session(server)
    get(server, "/quakes")
    session.post("/quakes", "_form=refresh&range=allDay&_token=one")
    wait_until(lambda: "Kelvin" in get(server, "/quakes?search=Kelvin").text, "it is fetched")

    answer = session.post("/quakes", f"_form=deleteSelected&quakeId=us{KELVIN}1&_token=two")

    assert answer.status == 404
    assert "usK1" in get(server, "/quakes?date=2018-02-07").text
