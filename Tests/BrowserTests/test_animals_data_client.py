"""The AnimalsDataClient on the command line, with a database and with a server."""

import contextlib
import json
import os
import pty
import sqlite3
import subprocess

import pytest

import servers
from servers import BINARIES
from test_animals_data_server import animals_server
from waiting import PATIENCE

SAMPLES = """\
ID        NAME             DIET       CATEGORY
Dog       Dog              Carnivore  Mammal
Cat       Cat              Carnivore  Mammal
Kangaroo  Red kangaroo     Herbivore  Mammal
Bibbon    Southern gibbon  Herbivore  Mammal
Sparrow   House sparrow    Omnivore   Bird
Newt      Newt             Carnivore  Amphibian
"""


def run(*arguments):
    return servers.run("AnimalsDataClient", *arguments, timeout=PATIENCE)


@pytest.fixture(params=["database", "remote"])
def client(request, tmp_path):
    """Runs a command on a separate catalog, in a file or on a server."""
    server = None
    if request.param == "remote":
        server = animals_server(tmp_path / "animals.store").start()
        where = ["--remote", server.url]
    else:
        where = ["--database", str(tmp_path / "animals.store")]
    yield lambda *arguments: run(*arguments, *where)
    if server:
        server.kill()


def written(client, *arguments):
    code, output, error = client(*arguments)
    assert (code, error) == (0, "")
    return output


def test_animals_are_a_table(client):
    assert written(client, "animals") == SAMPLES


def test_animals_of_a_category(client):
    output = written(client, "animals", "--category", "Bird")

    assert output == ("ID       NAME           DIET      CATEGORY\n"
                      "Sparrow  House sparrow  Omnivore  Bird\n")


def test_an_empty_category_has_no_animals(client):
    assert json.loads(written(client, "animals", "--category", "Fish", "--json")) == []


def test_the_error_names_a_missing_category(client):
    code, output, error = client("animals", "--category", "Dragon")

    assert (code, output) == (1, "")
    assert error == "Error: There is no category “Dragon”.\n"


def test_categories(client):
    output = written(client, "categories")

    assert output.splitlines()[:2] == ["ID            NAME", "Amphibian     Amphibian"]
    assert len(json.loads(written(client, "categories", "--json"))) == 6


@pytest.mark.parametrize("diet", ["carnivore", "Carnivore", "CARNIVORE"])
def test_an_animal_is_added(client, diet):
    eagle = json.loads(written(client, "add", "--name", "Eagle", "--diet", diet,
                               "--category", "Bird", "--json"))

    assert eagle == {"animalId": eagle["animalId"], "name": "Eagle", "diet": "Carnivore",
                     "categoryId": "Bird"}
    assert eagle in json.loads(written(client, "animals", "--json"))


@pytest.mark.parametrize("arguments, changed", [
    (["--name", "Wolf"], {"name": "Wolf"}),
    (["--diet", "omnivore"], {"diet": "Omnivore"}),
    (["--category", "Fish"], {"categoryId": "Fish"}),
    (["--name", "Wolf", "--diet", "herbivore", "--category", "Bird"],
     {"name": "Wolf", "diet": "Herbivore", "categoryId": "Bird"}),
])
def test_an_update_changes_only_the_given_fields(client, arguments, changed):
    dog = json.loads(written(client, "update", "Dog", *arguments, "--json"))

    assert dog == {"animalId": "Dog", "name": "Dog", "diet": "Carnivore",
                   "categoryId": "Mammal"} | changed
    assert dog in json.loads(written(client, "animals", "--json"))


def test_a_name_may_have_200_characters(client):
    name = "é" * 200

    added = json.loads(written(client, "add", "--name", name, "--diet", "omnivore",
                               "--category", "Bird", "--json"))
    updated = json.loads(written(client, "update", "Dog", "--name", name, "--json"))

    assert (added["name"], updated["name"]) == (name, name)


def test_a_delete_prints_the_deleted_animal(client):
    output = written(client, "delete", "Dog")

    assert output == "ID   NAME  DIET       CATEGORY\nDog  Dog   Carnivore  Mammal\n"
    assert len(json.loads(written(client, "animals", "--json"))) == 5


def test_a_reload(client):
    written(client, "delete", "Dog")

    assert written(client, "reload", "--yes") == SAMPLES
    assert written(client, "animals") == SAMPLES


def test_a_reload_that_cannot_ask_for_confirmation_is_refused(client):
    written(client, "delete", "Dog")

    code, output, error = client("reload")

    assert (code, output) == (64, "")
    assert "--yes" in error and len(error.splitlines()) == 1
    assert len(json.loads(written(client, "animals", "--json"))) == 5


@pytest.mark.parametrize("answer, code, count", [("y", 0, 6), ("n", 1, 5), ("", 1, 5)])
def test_a_reload_asks_on_a_terminal(tmp_path, answer, code, count):
    where = ["--database", str(tmp_path / "animals.store")]
    run("delete", "Dog", *where)
    terminal, end = pty.openpty()
    process = subprocess.Popen(
        [BINARIES / "AnimalsDataClient", "reload", *where], stdin=end, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.close(end)

    os.write(terminal, f"{answer}\n".encode())
    _, error = process.communicate(timeout=PATIENCE)

    os.close(terminal)
    assert process.returncode == code
    assert error.startswith("Replace all animals and categories")
    assert len(json.loads(run("animals", "--json", *where)[1])) == count


@pytest.mark.parametrize("arguments, mention", [
    (["delete", "Unicorn"], "There is no animal “Unicorn”."),
    (["update", "Unicorn", "--name", "A"], "There is no animal “Unicorn”."),
    (["update", "Dog", "--category", "Dragon"], "There is no category “Dragon”."),
    (["add", "--name", "Smaug", "--diet", "carnivore", "--category", "Dragon"],
     "There is no category “Dragon”."),
])
def test_the_error_names_what_is_missing(client, arguments, mention):
    code, output, error = client(*arguments)

    assert (code, output) == (1, "")
    assert mention in error and len(error.splitlines()) == 1


def test_a_name_with_control_characters_is_refused(client):
    name = "\x1b[31mRed\x07\nsecond line\u202e\x9b1m"

    code, output, error = client("add", "--name", name, "--diet", "omnivore", "--category", "Bird")

    assert (code, output) == (64, "")
    assert error == "Error: --name: This name has invisible characters. Enter it without them.\n"


def test_control_characters_are_not_printed(tmp_path):
    where = ["--database", str(tmp_path / "animals.store")]
    run("animals", *where)
    with contextlib.closing(sqlite3.connect(where[1])) as file, file:  # another program's
        file.execute(
            "UPDATE animal SET name = ? WHERE animalId = 'Dog'", ("\x1b[31mRed\x07\nline\u202e\x9b1m",))

    _, table, _ = run("animals", *where)

    assert "[31mRed" in table and len(table.splitlines()) == 7
    assert not any(ord(character) < 32 or character in "\x9b\u202e" for character in table if
                   character != "\n")


def test_columns_are_aligned_regardless_of_their_content(client):
    for name in ["Bär", "🦓", "A much longer name than all of the others"]:
        written(client, "add", "--name", name, "--diet", "omnivore", "--category", "Bird")

    rows = written(client, "animals").splitlines()

    column = rows[0].index("DIET")
    assert {row[column:].split()[0] for row in rows} == {
        "DIET", "Carnivore", "Herbivore", "Omnivore"}
    assert all(row == row.rstrip() for row in rows)


@pytest.mark.parametrize("arguments, mention", [
    (["--database", "x", "--remote", "http://localhost"], "Set either --database or --remote."),
    (["animals", "--database", "x", "--remote", "http://localhost"], "Set either"),
    (["animals", "--database", "x", "--token-file", "y"], "--token-file is only for --remote."),
    (["animals", "--remote", "localhost:8080"], "--remote must be an address"),
    (["animals", "--remote", "ftp://localhost"], "--remote must be an address"),
    (["animals", "--remote", "http://127.0.0.1:65536"], "--remote must be an address"),
    (["animals", "--remote", "http://localhost", "--timeout", "0"], "--timeout"),
    (["animals", "--remote", "http://localhost", "--timeout", "9223372036854775807"],
     "--timeout must be 86400 or less"),
    (["animals", "--timeout", "5"], "--timeout is only for --remote."),
    (["update", "Dog", "--database", "x"], "--name, --diet and --category"),
    (["update", "--name", "A", "--database", "x"], "<id>"),
    (["add", "--name", " ", "--diet", "carnivore", "--category", "Bird", "--database", "x"],
     "--name: Enter a name."),
    (["add", "--name", "A" * 201, "--diet", "carnivore", "--category", "Bird", "--database", "x"],
     "--name: This name is too long. Enter one of at most 200 characters."),
    (["update", "Dog", "--name", "A" * 201, "--database", "x"],
     "--name: This name is too long. Enter one of at most 200 characters."),
    (["add", "--name", "A", "--diet", "stones", "--category", "Bird", "--database", "x"],
     "stones"),
    (["add", "--name", "A", "--database", "x"], "--diet"),
    (["explode"], "explode"),
])
def test_bad_usage_is_64_with_one_line(arguments, mention):
    code, output, error = run(*arguments)

    assert (code, output) == (64, "")
    assert error.startswith("Error: ") and mention in error
    assert len(error.splitlines()) == 1


def test_help_shows_the_commands():
    code, output, _ = run("--help")

    assert code == 0
    assert [name for name in ["overview", "categories", "animals", "add", "update", "delete", "reload"]
            if f"\n  {name} " not in output] == []


@pytest.mark.parametrize("command", ["overview", "categories", "animals", "add", "update", "delete", "reload"])
def test_every_command_has_help(command):
    code, output, _ = run(command, "--help")

    assert code == 0
    assert "--database" in output and "--remote" in output and "--json" in output


def test_without_arguments_the_local_database_is_listed(tmp_path):
    result = subprocess.run(
        [BINARIES / "AnimalsDataClient"], cwd=tmp_path, text=True, capture_output=True, timeout=PATIENCE
    )

    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(SAMPLES + "\nID")
    assert "Amphibian" in result.stdout.removeprefix(SAMPLES)
    assert [path.name for path in tmp_path.iterdir()] == ["default.store"]


def test_the_error_names_an_unreachable_server(tmp_path):
    server = animals_server(tmp_path / "animals.store").start()
    server.terminate()

    code, output, error = run("animals", "--remote", server.url)

    assert (code, output) == (1, "")
    assert f"127.0.0.1:{server.port} could not be reached" in error


def test_an_address_with_a_path_is_used_unchanged(tmp_path):
    server = animals_server(tmp_path / "animals.store").start()
    try:
        assert run("animals", "--remote", server.url + "/animals/api")[1] == SAMPLES
        code, _, error = run("animals", "--remote", server.url + "/elsewhere")
    finally:
        server.kill()

    assert code == 1
    assert "404" in error and "/elsewhere" in error


def test_the_token_is_sent(tmp_path):
    (tmp_path / "token").write_text("correct-horse\n")
    token = ["--token-file", str(tmp_path / "token")]
    server = animals_server(tmp_path / "animals.store", *token).start()
    try:
        refused = run("animals", "--remote", server.url)
        taken = run("animals", "--remote", server.url, *token)
    finally:
        server.kill()

    assert refused[0] == 1 and "401" in refused[2]
    assert taken == (0, SAMPLES, "")


def test_a_database_opened_by_a_server_is_in_use(tmp_path):
    server = animals_server(tmp_path / "animals.store").start()
    try:
        code, _, error = run("animals", "--database", str(tmp_path / "animals.store"))
    finally:
        server.kill()

    assert code == 1
    assert f"in use by the process {server._process.pid}" in error


def test_the_database_is_closed_on_exit(tmp_path):
    run("animals", "--database", str(tmp_path / "animals.store"))
    run("delete", "Unicorn", "--database", str(tmp_path / "animals.store"))

    assert os.listdir(tmp_path) == ["animals.store"]
