"""The limit of animals: adding one more is refused with a message, and existing animals stay."""

import contextlib
import sqlite3

import pytest
from playwright.sync_api import expect

from process import eventually
from raw import get, post
from servers import ServerProcess
from test_animals import SAMPLES, button, delete, expect_names, fill, save
from test_animals_data_server import add, animals, animals_server, ask

FULL = "The catalog is full. Delete an animal, then try again."
ADD = "/animals?category=Mammal&sheet=add"


def add_by_hand(server, name, token):
    return post(
        server, "/animals", f"_form=save&_token={token}&name={name}&category=Mammal&diet=Omnivore")


def saved(server):
    with contextlib.closing(sqlite3.connect(server.data / "animals.store")) as database:
        return database.execute("SELECT COUNT(*) FROM animal").fetchone()[0]


@pytest.fixture
def start_interface(tmp_path):
    """Starts an AnimalsDataServer; it ends with the test."""
    servers = []

    def start(*options):
        servers.append(animals_server(tmp_path / "remote.store", *options))
        return servers[-1].start()

    yield start
    for server in servers:
        server.kill()


def test_adding_to_a_full_catalog_is_refused_and_keeps_the_input(start_server, open_page):
    server = start_server("--animals-limit", "7")
    page = open_page(server, ADD)
    fill(page, "Otter", diet="Carnivore")
    save(page)
    expect_names(page, "Cat", "Dog", "Otter", "Red kangaroo", "Southern gibbon")
    page.goto(server.url + ADD)

    fill(page, "Wolf", diet="Carnivore")
    save(page)

    expect(page.get_by_text(FULL)).to_be_visible()
    expect(page.get_by_role("button", name="Save anyway")).to_be_hidden()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Wolf")
    deleted = post(
        server, "/animals", "_form=deleteInDetail&_token=d&animalId=Dog", Accept="text/html")
    assert deleted.status == 303
    save(page)
    expect_names(page, "Cat", "Otter", "Red kangaroo", "Southern gibbon", "Wolf")


def test_an_undo_without_room_is_refused_and_can_be_retried(start_server, open_page):
    server = start_server("--animals-limit", "6")
    page = open_page(server, "/animals?category=Mammal")
    expect_names(page, *SAMPLES)
    delete(page, "Dog")
    expect_names(page, "Cat", "Red kangaroo", "Southern gibbon")
    assert add_by_hand(server, "Otter", "o").status == 200

    page.locator("#toast").get_by_role("button", name="Undo").click()

    expect(page.get_by_text(FULL)).to_be_visible()
    assert "Dog" not in get(server, "/animals?category=Mammal").text


def test_animals_above_a_lowered_limit_stay(start_server, open_page):
    server = start_server()
    for number in range(3):
        assert add_by_hand(server, f"Otter{number}", number).status == 200
    server.terminate()

    limited = ServerProcess(
        "Server",
        lambda port: ["--port", str(port), "--data-directory", str(server.data), "--quakes-feed",
                      "sample", "--animals-limit", "6"],
    ).start()
    try:
        page = open_page(limited, "/animals?category=Mammal")
        expect_names(page, "Cat", "Dog", "Otter0", "Otter1", "Otter2", *SAMPLES[2:])
        assert add_by_hand(limited, "Wolf", "w").status == 409
        delete(page, "Otter0")
        expect_names(page, "Cat", "Dog", "Otter1", "Otter2", *SAMPLES[2:])
    finally:
        limited.kill()


def test_concurrent_additions_never_exceed_the_limit(start_server):
    server = start_server("--animals-limit", "20")
    get(server, "/animals")  # which reads the catalog

    found = [add_by_hand(server, f"A{number}", number).status for number in range(40)]

    assert (found.count(200), found.count(409)) == (14, 26)
    # A program is answered before an animal is on the disk.
    eventually(lambda: saved(server) == 20, "all are saved")


def test_the_api_refuses_more_animals_than_its_limit(start_interface):
    server = start_interface("--animals-limit", "7")

    answers = [ask(server, {"mutation": [add("Eagle"), add("Owl")]}), ask(server, {"mutation": [add("Kite")]})]

    assert [answer.status for answer in answers] == [409, 409]
    assert answers[0].json["error"].startswith("mutation[1]: " + FULL)
    assert answers[1].json == {"error": FULL}
    assert len(animals(server)) == 7


def test_a_refusal_by_the_api_shows_in_the_editor(
        start_server, start_interface, open_page):
    remote = start_interface("--animals-limit", "6")
    server = start_server("--animals-api", remote.url)
    page = open_page(server, ADD)
    fill(page, "Otter", diet="Carnivore")

    save(page)

    expect(page.get_by_text(FULL)).to_be_visible(timeout=15_000)
    expect(page.get_by_label("Name", exact=True)).to_have_value("Otter")
    assert len(animals(remote)) == 6
    assert button(page, "Save").is_enabled()
