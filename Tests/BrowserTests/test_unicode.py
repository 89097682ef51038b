"""Ids that are other bytes but the same text according to Unicode, and names with marks that join a separator."""

import sqlite3
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

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


@pytest.mark.parametrize("name", ["\u0301Otter", "\ufe0fOtter", "\u0d4e~Otter", "O~\u0301tter"])
def test_an_editor_opens_whatever_marks_a_name_has(counter, name):
    session = Session(counter)
    get(counter, "/animals")
    fields = f"_form=save&_token=one&anyway=yes&name={quote(name)}&category=Mammal&diet=Carnivore"
    assert session.post("/animals", fields, Accept="text/html").status == 303
    with sqlite3.connect(counter.data / "animals.store") as database:
        (animal,) = database.execute("SELECT animalId FROM animal WHERE name LIKE '%tter'").fetchone()

    page = get(counter, f"/animals/{animal}?category=Mammal&sheet=edit")
    assert page.status == 303  # to the address with what was seen
    page = get(counter, page.headers["Location"])

    assert page.status == 200
    assert f'value="{name}"' in page.text


# Whether the first character of an element's text is to the right of its last.
RIGHT_TO_LEFT = """element => {
  const [text] = element.childNodes;
  const left = (offset) => {
    const range = document.createRange();
    range.setStart(text, offset);
    range.setEnd(text, offset + 1);
    return range.getBoundingClientRect().left;
  };
  return left(0) > left(text.length - 1);
}"""


def test_a_name_from_right_to_left_keeps_its_order_and_that_of_the_sentence(counter, open_live):
    """Its digits stood on the wrong side."""
    name = "12 \u05db\u05dc\u05d1"
    page = open_live(counter, "/animals?category=Mammal&sheet=add")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Diet").select_option("Carnivore")

    page.get_by_role("button", name="Save", exact=True).click()

    expect(page.locator("#toast [role=status]")).to_have_text(f"\u2068{name}\u2069 added.")
    row = page.locator("[data-list=animals] bdi", has_text=name)
    assert row.evaluate(RIGHT_TO_LEFT)
    row.click()
    heading = page.get_by_role("heading", name=name).locator("bdi")
    assert heading.evaluate(RIGHT_TO_LEFT)


def test_a_name_from_right_to_left_is_isolated_in_the_title_and_in_labels(counter, open_live):
    page = open_live(counter, "/animals?category=Mammal&sheet=add")
    name = "\u05db\u05dc\u05d1"
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Diet").select_option("Carnivore")

    page.get_by_role("button", name="Save", exact=True).click()

    expect(page).to_have_title(f"\u2068{name}\u2069 · Animals")
    page.reload()
    expect(page).to_have_title(f"\u2068{name}\u2069 · Animals")
    page.goto(counter.url + f"/quakes?search={quote(name)}")
    expect(page.locator(f'[aria-label="Remove “\u2068{name}\u2069”"]')).to_be_attached()
