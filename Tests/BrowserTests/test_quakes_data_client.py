"""The QuakesDataClient on the command line, with a database and with feeds."""

import contextlib
import json
import os
import pathlib
import pty
import socket
import sqlite3
import subprocess
import threading
import time

import pytest

import servers
from fake_feed import FakeFeed, feature
from servers import BINARIES
from waiting import PATIENCE

REAL = pathlib.Path(__file__).parents[1] / (
    "QuakesDataTests/Resources/usgs-all-week-2018-02-07.geojson")

FEATURES = [
    feature("a", 1.5, "4km W of Castaic, CA", time=1517966773840),
    feature("b", 4.26, "12km SSE of San José, Costa Rica", time=1517876400000,
            coordinates=(-84.1, 9.9, 10)),
    feature("c", 2, "32km W of Healy, Alaska", time=1517875199999,
            coordinates=(-149.6259, 63.8969, 140)),
]

TABLE = """\
ID  MAGNITUDE  TIME                  LATITUDE  LONGITUDE  PLACE
c   2.0        2018-02-05 23:59:59Z  63.8969   -149.6259  32km W of Healy, Alaska
b   4.3        2018-02-06 00:20:00Z  9.9000    -84.1000   12km SSE of San José, Costa Rica
a   1.5        2018-02-07 01:26:13Z  34.2500   -118.5000  4km W of Castaic, CA
"""


def run(*arguments, zone="UTC"):
    """Exit code, standard output and standard error."""
    return servers.run("QuakesDataClient", *arguments, timeout=60, environment={"TZ": zone})


@pytest.fixture
def database(tmp_path):
    return ["--database", str(tmp_path / "quakes.store")]


@pytest.fixture
def feed():
    server = FakeFeed(day=FEATURES)
    yield server
    server.stop()


@pytest.fixture
def filled(database, feed):
    """A database with three earthquakes."""
    written("fetch", "--feed", feed.url, *database)
    return database


def written(*arguments, **options):
    code, output, error = run(*arguments, **options)
    assert (code, error) == (0, "")
    return output


def ids(*arguments, **options):
    return [quake["quakeId"] for quake in json.loads(written(*arguments, "--json", **options))]


# fetch


def test_a_fetch_prints_its_result(database, feed):
    first = written("fetch", "--feed", feed.url, *database)
    second = written("fetch", "--feed", feed.url, *database)

    assert first == "Earthquakes fetched: 3. New: 3, changed: 0, deleted: 0.\n"
    assert second == "Earthquakes fetched: 3. New: 0, changed: 0, deleted: 0.\n"


def test_a_fetch_updates_existing_earthquakes(filled, feed):
    feed.features["day"] = [
        feature("a", 1.75, "elsewhere", updated=1517966996303), feature("b", -1),
        feature("d", 3), feature("e", 0), "nothing", feature("f", place=None),
    ]

    result = json.loads(written("fetch", "--feed", feed.url, "--json", *filled))

    assert result == {"fetched": 4, "inserted": 1, "updated": 1, "deleted": 1, "skipped": 2}
    assert sorted(ids("list", *filled)) == ["a", "c", "d"]


def test_a_fetch_counts_unreadable_features(database, feed):
    feed.features["day"].append({})

    assert written("fetch", "--feed", feed.url, *database).endswith(" Could not be read: 1.\n")


@pytest.mark.parametrize("arguments, name", [
    ([], "day"), (["--range", "hour"], "hour"), (["--range", "day"], "day"),
    (["--range", "week"], "week"), (["--range", "month"], "month"),
])
def test_each_range_has_its_feed(database, feed, arguments, name):
    written("fetch", *arguments, "--feed", feed.url, *database)

    assert feed.requests == [(f"/feeds/all_{name}.geojson", 200)]


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_feeds_may_be_in_a_folder(tmp_path, database, scheme):
    (tmp_path / "all_week.geojson").write_bytes(REAL.read_bytes())

    result = json.loads(written("fetch", "--range", "week", "--feed", f"{scheme}{tmp_path}",
                                "--json", *database))

    assert result["fetched"] == 1707 and result["skipped"] == 0
    expected = {
        feature["id"]: feature["properties"]["time"]
        for feature in json.loads(REAL.read_text())["features"] if feature["properties"]["mag"] > 0
    }
    quakes = json.loads(written("list", "--json", *database))
    milliseconds = {quake["quakeId"]: int(quake["time"][-4:-1]) for quake in quakes}
    assert milliseconds == {id: time % 1000 for id, time in expected.items()}


def test_a_sample_needs_no_network(database):
    result = json.loads(written("fetch", "--sample", "--range", "month", "--json", *database))
    day = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 86400))

    assert 9_500 < result["inserted"] < 10_500 and result["skipped"] == 0
    assert len(ids("list", "--date", day, *database)) > 200
    assert "San José, Costa Rica" in written("list", "--search", "san jose", *database)


def fault(*arguments, **options):
    return lambda handler: handler.answer(*arguments, **options)


@pytest.mark.parametrize("fault, mention", [
    (fault(404, "gone", "text/plain"), "answered 404"),
    (fault(500), "answered 500"),
    (fault(200, "<p>", "text/html"), "HTML instead of JSON"),
    (fault(200, '{"features": ['), "not JSON, or incomplete"),
    (fault(200, '{"earthquakes": []}'), "no “features”"),
    (fault(200, '{"features": [', length=500), ""),
    (fault(200, " " * 20_000_000), "larger than 16777216 bytes"),
    (lambda handler: handler.connection.recv(1), "did not answer in time"),
], ids=["404", "500", "HTML", "truncated", "no features", "cut off", "too large", "slow"])
def test_a_bad_feed_prints_one_line_and_changes_nothing(filled, feed, fault, mention):
    feed.fault = fault

    code, output, error = run("fetch", "--feed", feed.url, "--timeout", "1", *filled)

    assert (code, output) == (1, "")
    assert mention in error and len(error.splitlines()) == 1
    assert written("list", *filled) == TABLE


def test_the_error_names_an_unreachable_server(database, feed):
    feed.stop()

    code, _, error = run("fetch", "--feed", feed.url, *database)

    assert code == 1
    assert "127.0.0.1" in error and "could not be reached" in error


def test_the_error_says_that_there_is_no_secure_connection(database):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        def answer():
            connection, _ = listener.accept()
            with connection:
                connection.recv(1)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        threading.Thread(target=answer, daemon=True).start()
        code, _, error = run("fetch", "--feed", f"https://127.0.0.1:{listener.getsockname()[1]}", *database)

    assert code == 1
    assert "no secure connection could be made" in error and len(error.splitlines()) == 1


def test_the_error_names_a_missing_feed(tmp_path, database):
    code, _, error = run("fetch", "--feed", str(tmp_path), *database)

    assert code == 1
    assert f"There is no file {tmp_path}/all_day.geojson." in error


# list


def test_the_list_is_a_table(filled):
    assert written("list", *filled) == TABLE


def test_the_list_as_json(filled):
    assert json.loads(written("list", "--json", *filled))[0] == {
        "quakeId": "c", "magnitude": 2, "time": "2018-02-05T23:59:59.999Z",
        "updated": "2018-02-05T23:59:59.999Z", "name": "32km W of Healy, Alaska",
        "longitude": -149.6259, "latitude": 63.8969,
    }


def test_the_list_is_selected_and_sorted(filled):
    for arguments, expected in [
        ([], "cba"), (["--order", "reverse"], "abc"), (["--sort", "time"], "cba"),
        (["--sort", "magnitude"], "acb"), (["--sort", "magnitude", "--order", "reverse"], "bca"),
        (["--date", "2018-02-06"], "b"), (["--date", "2018-02-08"], ""),
        (["--search", "san jose"], "b"), (["--search", "SAN JOSÉ"], "b"), (["--search", "km"], "cba"),
        (["--search", "ca", "--date", "2018-02-07"], "a"), (["--search", "nowhere"], ""),
    ]:
        assert "".join(ids("list", *arguments, *filled)) == expected, arguments


def test_days_follow_the_time_zone(filled):
    for zone, day, expected in [
        ("UTC", "2018-02-06", "b"), ("Asia/Tokyo", "2018-02-06", "cb"),
        ("America/Los_Angeles", "2018-02-06", "a"), ("America/Los_Angeles", "2018-02-05", "cb"),
    ]:
        assert "".join(ids("list", "--date", day, *filled, zone=zone)) == expected, (zone, day)


def test_control_characters_are_escaped(database, feed):
    place = "\x1b[31mRed\x07\nsecond line\u202e\x9b1m"
    feed.features["day"] = [feature("a")]
    written("fetch", "--feed", feed.url, *database)
    with contextlib.closing(sqlite3.connect(database[1])) as file, file:  # no feed may have this
        file.execute("UPDATE quake SET quakeId = ?, name = ?", ("a\x1b[2J", place))

    table = written("list", *database)

    assert r"\u{1b}[31mRed\u{7}\nsecond line\u{202e}\u{9b}1m" in table
    assert r"a\u{1b}[2J" in table and len(table.splitlines()) == 2
    assert json.loads(written("list", "--json", *database))[0]["name"] == place


def test_a_fetch_works_with_two_ids_that_unicode_calls_equal(database, feed):
    feed.features["day"] = [feature("a"), feature("b")]
    written("fetch", "--feed", feed.url, *database)
    with contextlib.closing(sqlite3.connect(database[1])) as file, file:  # another program can write this
        file.execute("UPDATE quake SET quakeId = 'e\u0301' WHERE quakeId = 'a'")
        file.execute("UPDATE quake SET quakeId = '\u00e9' WHERE quakeId = 'b'")
    feed.features["day"] = [feature("c")]

    written("fetch", "--feed", feed.url, *database)

    assert sorted(ids("list", *database)) == ["c", "e\u0301", "\u00e9"]


# delete and delete-all


def test_a_delete_prints_the_deleted_earthquakes(filled):
    output = written("delete", "a", "c", "a", *filled)

    assert [line.split()[0] for line in output.splitlines()] == ["ID", "a", "c"]
    assert ids("list", *filled) == ["b"]
    # So that a scheduled refresh of a Server does not bring them back.
    with sqlite3.connect(filled[filled.index("--database") + 1]) as database:
        assert database.execute("SELECT quakeId FROM deletedQuake ORDER BY 1").fetchall() == [("a",), ("c",)]


def test_a_delete_deletes_all_or_nothing(filled):
    code, output, error = run("delete", "a", "unicorn", *filled)

    assert (code, output, error) == (1, "", "Error: There is no earthquake “unicorn”.\n")
    assert written("list", *filled) == TABLE


def test_a_delete_of_all(filled):
    assert written("delete-all", "--yes", *filled) == "Earthquakes deleted: 3.\n"
    assert json.loads(written("delete-all", "--yes", "--json", *filled)) == {"deleted": 0}
    assert ids("list", *filled) == []


def test_a_delete_of_all_that_cannot_ask_for_confirmation_is_refused(filled):
    code, output, error = run("delete-all", *filled)

    assert (code, output) == (64, "")
    assert "--yes" in error and len(error.splitlines()) == 1
    assert written("list", *filled) == TABLE


@pytest.mark.parametrize("answer, code, count", [("y", 0, 0), ("n", 1, 3), ("", 1, 3)])
def test_a_delete_of_all_asks_on_a_terminal(filled, answer, code, count):
    terminal, end = pty.openpty()
    process = subprocess.Popen(
        [BINARIES / "QuakesDataClient", "delete-all", *filled], stdin=end, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.close(end)

    os.write(terminal, f"{answer}\n".encode())
    _, error = process.communicate(timeout=PATIENCE)

    os.close(terminal)
    assert process.returncode == code
    assert error.startswith("Delete all earthquakes (3)? [y/N] ")
    assert len(ids("list", *filled)) == count


# usage


@pytest.mark.parametrize("arguments, mention", [
    (["fetch", "--range", "year", "--database", "x"], "year"),
    (["fetch", "--feed", "ftp://example.com", "--database", "x"], "--feed must be an address"),
    (["fetch", "--feed", "/tmp", "--sample", "--database", "x"], "Set either --feed or --sample."),
    (["fetch", "--timeout", "0", "--database", "x"], "--timeout must be 1 or more"),
    (["fetch", "--timeout", "9223372036854775807", "--database", "x"],
     "--timeout must be 86400 or less"),
    (["fetch", "--body-limit", "0", "--database", "x"], "--body-limit must be 1 or more"),
    (["list", "--date", "yesterday", "--database", "x"], "yesterday"),
    (["list", "--date", "2018-02-30", "--database", "x"], "2018-02-30"),
    (["list", "--date", "2018-2-3", "--database", "x"], "2018-2-3"),
    (["list", "--sort", "colour", "--database", "x"], "colour"),
    (["list", "--order", "sideways", "--database", "x"], "sideways"),
    (["delete", "--database", "x"], "<ids>"),
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
    assert [name for name in ["overview", "fetch", "list", "delete", "delete-all"]
            if f"\n  {name} " not in output] == []


@pytest.mark.parametrize("command", ["overview", "fetch", "list", "delete", "delete-all"])
def test_every_command_has_help(command):
    code, output, _ = run(command, "--help")

    assert code == 0
    assert "--database" in output and "--json" in output


def test_without_a_command_the_database_is_listed_and_then_the_feed(feed, database):
    feed.features = {"day": FEATURES[:1], "week": FEATURES[1:2], "hour": [], "month": []}
    assert run("fetch", "--feed", feed.url, "--range", "week", *database)[0] == 0

    code, output, error = run("--feed", feed.url, *database)

    assert (code, error) == (0, "")
    ids = [line.split()[0] for line in output.splitlines()]
    assert ids == ["ID", "b", "ID", "a"]


def test_without_arguments_an_unreachable_feed_prints_a_sentence(tmp_path):
    """There may be no network here; the content of the database is listed nevertheless."""
    result = subprocess.run(
        [BINARIES / "QuakesDataClient"], cwd=tmp_path, text=True, capture_output=True, timeout=90
    )

    assert result.stdout.startswith("ID")
    assert result.returncode in (0, 1)
    assert len(result.stderr.splitlines()) == result.returncode
    assert [path.name for path in tmp_path.iterdir()] == ["quakes.store"]


def test_a_file_that_is_not_a_database_is_left_unchanged(tmp_path):
    (tmp_path / "notes.txt").write_text("no database at all")

    code, _, error = run("list", "--database", str(tmp_path / "notes.txt"))

    assert code == 1 and "is not a database" in error and len(error.splitlines()) == 1
    assert (tmp_path / "notes.txt").read_text() == "no database at all"


def test_the_database_is_closed_on_exit(tmp_path, filled):
    run("delete", "unicorn", *filled)

    assert os.listdir(tmp_path) == ["quakes.store"]
