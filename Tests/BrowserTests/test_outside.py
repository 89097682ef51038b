"""What happens outside a Server shows in its windows: others write to its database."""

import contextlib
import sqlite3

from playwright.sync_api import expect

from test_animals import MAMMALS, SAMPLES, expect_names, fill
from waiting import wait_until


def write(database, *statements):
    """What a script does to a database that a server has open."""
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def write_animals(server, *statements):
    write(server.data / "animals.store", *statements)


# Another process's writes.


def test_what_a_script_writes_to_the_database_shows(start_server, open_live):
    server = start_server()
    window = open_live(server, MAMMALS)
    expect_names(window, *SAMPLES)

    write_animals(
        server,
        "UPDATE animal SET name = 'Wolf' WHERE animalId = 'Dog'",
        "DELETE FROM animal WHERE animalId = 'Cat'",
        "INSERT INTO category VALUES ('Fungus', 'Fungi')",
    )

    expect_names(window, "Red kangaroo", "Southern gibbon", "Wolf")
    expect(window.get_by_role("link", name="Fungi")).to_be_visible()


def test_what_a_script_writes_leaves_what_is_being_typed(start_server, open_live):
    server = start_server()
    window = open_live(server, "/animals/Dog?category=Mammal&sheet=edit")
    fill(window, "My dog")

    write_animals(server, "UPDATE animal SET diet = 'Herbivore' WHERE animalId = 'Dog'",
                  "DELETE FROM animal WHERE animalId = 'Cat'")

    expect_names(window, "Dog", "Red kangaroo", "Southern gibbon")
    expect(window.get_by_label("Name", exact=True)).to_have_value("My dog")
    expect(window.get_by_label("Diet", exact=True)).to_have_value("Herbivore")


def test_what_is_saved_here_is_not_read_again(start_server, open_live):
    server = start_server("--log-actions")
    window = open_live(server, "/animals/Dog?category=Mammal&sheet=edit")
    fill(window, "Wolf")
    window.get_by_role("button", name="Save", exact=True).click()
    expect_names(window, "Cat", "Red kangaroo", "Southern gibbon", "Wolf")

    # By the time that this shows, whatever the save had caused would have shown too.
    write_animals(server, "DELETE FROM animal WHERE animalId = 'Cat'")
    expect_names(window, "Red kangaroo", "Southern gibbon", "Wolf")

    # One line for the action, which the log has before it shows.
    wait_until(lambda: "didChangeElsewhere" in server.output, "the action is logged")
    assert server.output.count("didChangeElsewhere") == 1
