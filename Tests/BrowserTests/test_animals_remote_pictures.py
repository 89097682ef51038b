"""Pictures of a catalog that several Servers share, on an AnimalsDataServer."""

import shutil

import pytest
from playwright.sync_api import expect

from pictures import hash_of, png
from raw import get
from servers import ServerProcess
from test_animals_pictures import DOG, choose, expect_picture, expect_size, image, thumbnail


@pytest.fixture
def catalog(tmp_path):
    """An AnimalsDataServer; it ends with the test."""
    server = ServerProcess(
        "AnimalsDataServer",
        lambda port: ["--port", str(port), "--database", str(tmp_path / "animals.store")],
    )
    server.pictures = tmp_path / "animals.pictures"
    yield server.start()
    server.kill()


@pytest.fixture
def kept(tmp_path, catalog):
    """Starts Servers on the catalog, by the names of their data folders."""
    servers = []

    def start(name):
        server = ServerProcess("Server", lambda port: [
            "--port", str(port), "--data-directory", str(tmp_path / name),
            "--quakes-feed", "sample", "--animals-api", catalog.url,
        ])
        servers.append(server)
        return server.start()

    yield start
    for server in servers:
        server.kill()


def names(directory):
    return sorted(path.name for path in directory.iterdir())


def test_a_picture_from_one_server_shows_at_the_other(catalog, kept, open_live, other_context):
    page = open_live(kept("one"), DOG)
    other = open_live(kept("two"), DOG, context=other_context)
    content = png()

    choose(page, content)

    for window in (page, other):
        expect_picture(window, content)
        expect_size(image(window), 64, 48)
        expect_size(thumbnail(window), 64, 48)
    assert names(catalog.pictures) == [hash_of(content)]


def test_a_picture_can_be_uploaded_without_javascript(catalog, kept, plain):
    server = kept("one")
    plain.goto(server.url + DOG)

    choose(plain, png())

    expect_picture(plain, png())
    expect_size(image(plain), 64, 48)


def test_a_server_fetches_a_lost_picture_again(tmp_path, catalog, kept, open_live):
    server = kept("one")
    page = open_live(server, DOG)
    choose(page, png())
    expect_picture(page, png())
    assert server.terminate() == 0
    shutil.rmtree(tmp_path / "one" / "shared-pictures")

    page = open_live(kept("one"), DOG)

    expect_size(image(page), 64, 48)
    assert hash_of(png()) in names(tmp_path / "one" / "shared-pictures")


def test_a_restored_animal_keeps_its_picture(kept, open_live):
    page = open_live(kept("one"), DOG)
    choose(page, png())
    expect_picture(page, png())

    page.locator("[data-key=Dog]").get_by_role("button", name="Delete Dog").click()
    toast = page.locator(".toast").filter(has_text="Dog deleted.")
    toast.get_by_role("button", name="Undo").click()

    expect(thumbnail_of(page, "Dog")).to_have_attribute("src", f"/pictures/{hash_of(png())}/96")


def thumbnail_of(page, name):
    """It may have another id."""
    return page.locator("[data-list=animals] > [data-key]").filter(has_text=name).locator("img")


def test_an_upload_while_the_catalog_is_away_fails_and_can_be_repeated(catalog, kept, open_live):
    server = kept("one")
    page = open_live(server, DOG)
    expect(page.locator("input[type=file]")).to_have_count(1)
    catalog.kill()

    choose(page, png())

    alert = page.locator("form[data-form=setPicture]").get_by_role("alert")
    expect(alert).to_have_text("The picture could not be saved. Try again.")
    catalog.start()
    choose(page, png())
    expect_picture(page, png())
    expect_size(image(page), 64, 48)


@pytest.mark.parametrize("path", ["", "/96"])
def test_a_missing_picture_is_404_and_an_unreachable_one_503(catalog, kept, path):
    server = kept("one")
    unknown = f"/pictures/{'0' * 64}{path}"
    assert get(server, unknown).status == 404

    catalog.kill()

    answer = get(server, unknown)
    assert (answer.status, answer.headers["Retry-After"]) == (503, "10")
