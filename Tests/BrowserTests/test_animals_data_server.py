"""The AnimalsDataServer over HTTP and on the command line."""

import contextlib
import json
import os
import resource
import signal
import socket
import sqlite3
import subprocess
import threading
import time

import pytest

import servers
from faults import reset
from pictures import hash_of, png
from process import RESERVE, descriptors, eventually, limit_descriptors, processor_time
from raw import exchange, get, post_json, read_all, request, statuses
from servers import BINARIES, ServerProcess
from waiting import PATIENCE, wait_until

API = "/animals/api"
OPTIONS = ["--host", "--port", "--allowed-hosts", "--database", "--animals-limit", "--pictures",
           "--picture-megabytes", "--token-file", "--body-limit", "--read-timeout", "--write-timeout",
           "--idle-timeout", "--followers", "--log-level", "--log-format", "--help"]
NOBODY = 65534


def animals_server(database, *options):
    return ServerProcess(
        "AnimalsDataServer",
        lambda port: ["--port", str(port), "--database", str(database), *options],
    )


@pytest.fixture
def start(tmp_path):
    """Starts a server on a database of its own; it ends with the test."""
    servers = []

    def start(*options):
        servers.append(animals_server(tmp_path / "animals.store", *options))
        return servers[-1].start()

    yield start
    for server in servers:
        server.kill()


@pytest.fixture
def server(start):
    return start()


def post_of(head, body):
    """The bytes of a request."""
    return (b"POST /animals/api HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + head + b"\r\n" + body)


def run(*arguments):
    return servers.run("AnimalsDataServer", *arguments, timeout=PATIENCE)


def ask(server, value, **headers):
    return post_json(server, API, value, **headers)


def animals(server):
    answer = ask(server, {"query": [{"animals": {}}]})
    assert answer.status == 200
    return answer.json["query"][0]["animals"]["animals"]


def add(name, **fields):
    return {"addAnimal": {"name": name, "diet": "Carnivore", "categoryId": "Bird"} | fields}


# The output of the guide's curl commands.


def test_categories(server):
    answer = ask(server, {"query": [{"categories": {}}]})

    assert answer.status == 200
    assert answer.headers["Content-Type"] == "application/json"
    (query,) = answer.json["query"]
    assert {"categoryId": "Mammal", "name": "Mammal"} in query["categories"]["categories"]
    assert len(query["categories"]["categories"]) == 6
    assert answer.json.keys() == {"query"}


def test_animals(server):
    assert sorted(animal["animalId"] for animal in animals(server)) == [
        "Bibbon", "Cat", "Dog", "Kangaroo", "Newt", "Sparrow"]
    assert {"animalId": "Bibbon", "name": "Southern gibbon", "diet": "Herbivore",
            "categoryId": "Mammal"} in animals(server)


def test_an_added_animal_survives_a_restart(server):
    answer = ask(server, {"mutation": [add("Eagle")]})

    (mutation,) = answer.json["mutation"]
    eagle = mutation["addAnimal"]["animal"]
    assert eagle == {"animalId": eagle["animalId"], "name": "Eagle", "diet": "Carnivore",
                     "categoryId": "Bird"}
    server.restart()
    assert eagle in animals(server)


def test_an_update(server):
    dog = {"animalId": "Dog", "name": "Wolf", "diet": "Omnivore", "categoryId": "Fish"}

    answer = ask(server, {"mutation": [{"updateAnimal": dog}]})

    assert answer.json == {"mutation": [{"updateAnimal": {"animal": dog}}]}
    assert dog in animals(server)


def test_a_delete(server):
    answer = ask(server, {"mutation": [{"deleteAnimal": {"animalId": "Dog"}}]})

    assert answer.json == {"mutation": [{"deleteAnimal": {"animal": {
        "animalId": "Dog", "name": "Dog", "diet": "Carnivore", "categoryId": "Mammal"}}}]}
    assert len(animals(server)) == 5


def test_a_reload(server):
    ask(server, {"mutation": [{"deleteAnimal": {"animalId": "Dog"}}]})

    answer = ask(server, {"mutation": [{"reloadSampleData": {}}]})

    data = answer.json["mutation"][0]["reloadSampleData"]
    assert len(data["animals"]) == 6 and len(data["categories"]) == 6
    assert animals(server) == data["animals"]


def test_queries_run_before_mutations_and_each_in_order(server):
    answer = ask(server, {
        "mutation": [add("First"), add("Second"), {"deleteAnimal": {"animalId": "Dog"}}],
        "query": [{"animals": {}}, {"categories": {}}, {"animals": {}}],
    })

    assert [list(query) for query in answer.json["query"]] == [
        ["animals"], ["categories"], ["animals"]]
    assert len(answer.json["query"][2]["animals"]["animals"]) == 6
    assert [list(mutation) for mutation in answer.json["mutation"]] == [
        ["addAnimal"], ["addAnimal"], ["deleteAnimal"]]
    assert [animal["name"] for animal in animals(server)][-2:] == ["First", "Second"]


@pytest.mark.parametrize("value", [{}, {"query": None}, {"query": None, "mutation": None}])
def test_an_empty_request_gets_an_empty_answer(server, value):
    answer = ask(server, value)

    assert (answer.status, answer.json) == (200, {})


def test_an_animal_gets_a_star_and_a_position_and_keeps_them(server):
    answer = ask(server, {"mutation": [
        {"favoriteAnimal": {"animalId": "Dog", "isFavorite": True}},
        {"moveAnimal": {"animalId": "Dog", "position": "4361ff"}},
        {"updateAnimal": {"animalId": "Dog", "name": "Wolf", "diet": "Carnivore",
                          "categoryId": "Mammal"}},
    ]})

    wolf = {"animalId": "Dog", "name": "Wolf", "diet": "Carnivore", "categoryId": "Mammal",
            "isFavorite": True, "position": "4361ff"}
    assert answer.json["mutation"][2] == {"updateAnimal": {"animal": wolf}}
    assert wolf in animals(server)
    ask(server, {"mutation": [
        {"favoriteAnimal": {"animalId": "Dog", "isFavorite": False}},
        {"moveAnimal": {"animalId": "Dog"}},
    ]})
    plain = {key: wolf[key] for key in ["animalId", "name", "diet", "categoryId"]}
    assert plain in animals(server)


# Pictures.


def send_picture(server, content, kind="image/png", **headers):
    return request(server, "POST", f"{API}/pictures", content, {"Content-Type": kind} | headers)


def test_an_animal_gets_a_picture(server):
    content = png()
    answer = send_picture(server, content)
    assert (answer.status, answer.json) == (
        200, {"picture": f"{hash_of(content)}~image/png~64~48"})

    ask(server, {"mutation": [{"pictureAnimal": {"animalId": "Dog"} | answer.json}]})

    (dog,) = [animal for animal in animals(server) if animal["animalId"] == "Dog"]
    assert dog["picture"] == {
        "hash": hash_of(content), "kind": "image/png", "width": 64, "height": 48}
    kept = request(server, "GET", f"{API}/pictures/{hash_of(content)}")
    assert (kept.status, kept.headers["Content-Type"], kept.body) == (200, "image/png", content)
    ask(server, {"mutation": [{"pictureAnimal": {"animalId": "Dog"}}]})
    assert not any("picture" in animal for animal in animals(server))


@pytest.mark.parametrize("content, kind, status", [
    (b"text", "text/plain", 415),
    (b"text", "image/png", 415),
    (b"", "image/png", 415),
    (png(), "application/json", 415),
    (png(padding=8 << 20), "image/png", 413),
], ids=["text", "text as png", "nothing", "png as json", "too large"])
def test_an_upload_that_is_not_a_picture_is_refused(server, tmp_path, content, kind, status):
    answer = send_picture(server, content, kind)

    assert answer.status == status and answer.json["error"]
    wait_until(lambda: not any((tmp_path / "animals.pictures").iterdir()), "nothing of it is left")


def test_a_client_that_disconnects_during_an_upload_leaves_no_file_and_no_error(server, tmp_path):
    head = (b"POST /animals/api/pictures HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r\n"
            b"Content-Length: 5000000\r\n\r\n")
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(head + png(padding=1_000_000))
        wait_until(lambda: any((tmp_path / "animals.pictures").iterdir()), "it arrives")

    wait_until(lambda: not any((tmp_path / "animals.pictures").iterdir()), "nothing of it is left")
    assert send_picture(server, png()).status == 200
    assert "error" not in server.output


def test_pictures_need_the_token(start, tmp_path):
    secret = tmp_path / "token"
    secret.write_text("correct-horse\n")
    server = start("--token-file", str(secret))

    assert send_picture(server, png()).status == 401
    assert request(server, "GET", f"{API}/pictures/{hash_of(png())}").status == 401
    assert send_picture(server, png(), Authorization="Bearer correct-horse").status == 200


def test_a_failing_picture_folder_does_not_affect_animals(start, tmp_path):
    folder = tmp_path / "animals.pictures"
    folder.write_text("in the way")

    server = start()

    assert send_picture(server, png()).status == 500
    assert len(animals(server)) == 6

    folder.unlink()  # the folder is made then
    assert send_picture(server, png()).status == 200


# Refused requests.


@pytest.mark.parametrize("body, mention", [
    ("", "empty"),
    ("{", "not valid JSON"),
    ("\xff", "not JSON in UTF-8"),
    ("[" * 100_000, "not valid JSON"),
    ("3", "must be an object"),
    ("[]", "must be an object"),
    ('{"querry": []}', "“querry”"),
    ('{"query": {}}', "“query” must be an array"),
    ('{"query": ["animals"]}', "query[0]"),
    ('{"query": [{"animals": {}}, {"dogs": {}}]}', "query[1] has “dogs”"),
    ('{"query": [{"animals": {}, "categories": {}}]}', "query[0]"),
    ('{"query": [{"animals": []}]}', "query[0].animals must be an object"),
    ('{"mutation": [{}]}', "mutation[0]"),
    ('{"mutation": [{"dropAll": {}}]}', "mutation[0] has “dropAll”"),
    ('{"mutation": [{"deleteAnimal": {}}]}', "mutation[0].deleteAnimal has no “animalId”"),
    ('{"mutation": [{"deleteAnimal": {"animalId": 3}}]}', "animalId must be a string"),
    ('{"mutation": [{"addAnimal": {"name": "A", "categoryId": "Bird"}}]}', "has no “diet”"),
    ('{"mutation": [{"favoriteAnimal": {"animalId": "Dog"}}]}', "has no “isFavorite”"),
    ('{"mutation": [{"favoriteAnimal": {"animalId": "Dog", "isFavorite": "yes"}}]}',
     "isFavorite must be true or false"),
    ('{"mutation": [{"moveAnimal": {"animalId": "Dog", "position": 3}}]}',
     "position must be a string"),
])
def test_an_invalid_request_body_is_400(server, body, mention):
    answer = request(server, "POST", API, body.encode("latin-1") if body == "\xff" else body,
                     {"Content-Type": "application/json"})

    assert answer.status == 400
    assert answer.headers["Content-Type"] == "application/json"
    assert mention in answer.json["error"]
    assert len(animals(server)) == 6


@pytest.mark.parametrize("marks", ["\u0301\u0323", "\\u0301\\u0323"], ids=["plain", "escaped"])
@pytest.mark.parametrize("body", ['{"MARKS": 1}', '{"mutation": [{"MARKS": {}}]}'])
def test_thousands_of_accents_on_one_letter_are_refused_at_once(server, body, marks):
    """The key of a body of 1 MB took minutes, and a few of them all threads."""
    count = 1_000_000 // len(marks.encode())
    body = body.replace("MARKS", marks * count).encode()

    answer = request(server, "POST", API, body, {"Content-Type": "application/json"})

    assert (answer.status, "accents" in answer.text) == (400, True)


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-be", "utf-16-le", "utf-32-be", "utf-32-le"])
@pytest.mark.parametrize("key", ["query", "\u0301\u0323" * 30_000], ids=["query", "marks"])
def test_json_is_in_utf_8(server, key, coding):
    """A decoder would take the others, in which nobody has counted the marks."""
    body = json.dumps({key: [{"animals": {}}]}, ensure_ascii=False).encode(coding)

    answer = request(server, "POST", API, body, {"Content-Type": "application/json"})

    assert (answer.status, answer.json["error"]) == (400, "The body is not JSON in UTF-8.")


def test_of_a_repeated_key_the_checked_value_is_used(server):
    queries = json.dumps([{"animals": {}}] * 101)

    for body in ['{"query": [], "query": %s}' % queries, '{"query": %s, "query": []}' % queries]:
        answer = request(server, "POST", API, body, {"Content-Type": "application/json"})
        assert answer.status == 422 or answer.json["query"] == []


@pytest.mark.parametrize("mutation, status, mention", [
    ({"deleteAnimal": {"animalId": "Unicorn"}}, 404, "There is no animal “Unicorn”."),
    ({"updateAnimal": {"animalId": "Unicorn", "name": "A", "diet": "Omnivore",
                       "categoryId": "Bird"}}, 404, "There is no animal “Unicorn”."),
    ({"favoriteAnimal": {"animalId": "Unicorn", "isFavorite": True}}, 404,
     "There is no animal “Unicorn”."),
    ({"pictureAnimal": {"animalId": "Dog", "picture": "../x"}}, 422, "has an invalid “picture”"),
    ({"pictureAnimal": {"animalId": "Dog", "picture": f"{'0' * 64}~image/png~64~48"}}, 422,
     "has a picture that is not here. Post it to /animals/api/pictures first."),
    ({"moveAnimal": {"animalId": "Dog", "position": "../x"}}, 422, "has an invalid “position”"),
    (add("Smaug", categoryId="Dragon"), 422, "There is no category “Dragon”."),
    ({"updateAnimal": {"animalId": "Dog", "name": "A", "diet": "Omnivore",
                       "categoryId": "Dragon"}}, 422, "There is no category “Dragon”."),
    (add(""), 422, "mutation[0].addAnimal.name: Enter a name."),
    (add(" \n\t"), 422, "mutation[0].addAnimal.name: Enter a name."),
    (add("Golem", diet="Stones"), 422, "“Stones”"),
])
def test_the_error_names_what_cannot_be_saved(server, mutation, status, mention):
    answer = ask(server, {"mutation": [mutation]})

    assert answer.status == status
    assert mention in answer.json["error"]
    assert len(animals(server)) == 6


def test_a_failed_mutation_reports_the_mutations_done_before_it(server):
    answer = ask(server, {"mutation": [
        add("First"), add("Second"), {"deleteAnimal": {"animalId": "Unicorn"}}, add("Never")]})

    assert answer.status == 404
    assert answer.json["error"] == (
        "mutation[2]: There is no animal “Unicorn”. mutation[0] to mutation[1] before it were done; "
        "those after it were not.")
    assert [animal["name"] for animal in animals(server)][6:] == ["First", "Second"]


def test_a_request_with_an_invalid_mutation_does_nothing(server):
    answer = ask(server, {"mutation": [add("First"), add("")]})

    assert answer.status == 422
    assert len(animals(server)) == 6


def test_any_other_path_is_404(server):
    answer = post_json(server, "/animals", {})

    assert answer.status == 404
    assert "/animals/api" in answer.json["error"]


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])
def test_any_other_method_is_405(server, method):
    answer = request(server, method, API)

    assert answer.status == 405
    assert answer.headers["Allow"] == "POST"
    assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize("content_type", [
    None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
    "text/plain; application/json",
])
def test_any_other_content_type_is_415(server, content_type):
    answer = request(server, "POST", API, "{}", {"Content-Type": content_type})

    assert answer.status == 415
    assert "application/json" in answer.json["error"]


def test_a_content_type_with_a_charset_is_accepted(server):
    assert ask(server, {}, Content_Type="application/json; charset=utf-8").status == 200


def test_a_compressed_body_is_415(server):
    answer = ask(server, {}, Content_Encoding="gzip")

    assert answer.status == 415
    assert answer.headers["Accept-Encoding"] == "identity"
    assert "Content-Encoding" in answer.json["error"]


def test_an_oversized_body_is_413(start):
    server = start("--body-limit", "200")

    answer = ask(server, {"mutation": [add("A" * 200)]})

    assert answer.status == 413
    assert "200 bytes" in answer.json["error"]
    assert len(animals(server)) == 6


def test_an_oversized_chunked_body_is_413_and_not_parsed_as_requests(start):
    server = start("--body-limit", "200")
    smuggled = b"POST /animals HTTP/1.1\r\nHost: localhost\r\n\r\n".ljust(300)

    answer = exchange(
        server,
        b"POST /animals/api HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n12c\r\n" + smuggled + b"\r\n12c\r\n" + smuggled
        + b"\r\n0\r\n\r\n"
        b"GET /animals/api HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")

    assert statuses(answer) == "413"


@pytest.mark.parametrize("head, body", [
    (b"Host: evil.example\r\nContent-Length: 2\r\n", b"{}"),
    (b"Transfer-Encoding: chunked\r\n", b"x\r\n{}\r\n0\r\n\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b"1\r\n{}\r\n0\r\n\r\n"),
], ids=["two hosts", "a chunk that is no number", "a chunk that is longer than it says"])
def test_a_malformed_request_is_400(server, head, body):
    answer = exchange(
        server,
        b"POST /animals/api HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        b"Content-Type: application/json\r\n" + head + b"\r\n" + body)

    assert statuses(answer) == "400"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "127.0.0.1.evil.example"])
def test_an_unknown_host_is_421(server, host):
    assert ask(server, {"query": [{"animals": {}}]}, Host=host).status == 421


@pytest.mark.parametrize("host", ["localhost:8080", "[::1]:8080", "192.168.0.7", "x.localhost"])
def test_a_host_of_this_machine_is_served(server, host):
    assert ask(server, {}, Host=host).status == 200


def test_an_allowed_host_is_served(start):
    server = start("--allowed-hosts", "zoo.example, Farm.example")

    assert ask(server, {}, Host="zoo.example").status == 200
    assert ask(server, {}, Host="farm.example:80").status == 200


@pytest.mark.parametrize("site, status", [
    ("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)])
def test_a_cross_site_request_is_refused(server, site, status):
    assert ask(server, {}, Sec_Fetch_Site=site).status == status


@pytest.mark.parametrize("origin, status", [
    ("http://evil.example", 403), ("http://localhost.evil.example", 403), ("null", 403),
    ("http://localhost", 200)])
def test_a_request_with_the_origin_of_another_site_is_refused(server, origin, status):
    answer = ask(server, {}, Host="localhost", Origin=origin)

    assert answer.status == status
    assert "Access-Control-Allow-Origin" not in answer.headers


# The token.


@pytest.fixture
def guarded(start, tmp_path):
    (tmp_path / "token").write_text("correct-horse\n")
    return start("--token-file", str(tmp_path / "token"))


@pytest.mark.parametrize("authorization", [
    None, "", "Bearer", "Bearer ", "Bearer correct-hors", "Bearer correct-horsf",
    "Bearer correct-horse2", "Bearer correct-horsecorrect-horse", "Basic correct-horse",
    "correct-horse",
])
def test_a_request_without_the_token_is_401(guarded, authorization):
    answer = ask(guarded, {"query": [{"animals": {}}]}, Authorization=authorization)

    assert answer.status == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert "correct-horse" not in answer.text


@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
def test_a_request_with_the_token_is_accepted(guarded, scheme):
    assert ask(guarded, {}, Authorization=f"{scheme} correct-horse").status == 200


@pytest.mark.parametrize("content", ["", "\n", "two words", "ümlaut"])
def test_a_file_without_a_token_is_refused(tmp_path, content):
    (tmp_path / "token").write_text(content)

    code, _, error = run("--port", "0", "--token-file", str(tmp_path / "token"),
                         "--database", str(tmp_path / "animals.store"))

    assert code == 1
    (line,) = error.splitlines()
    assert str(tmp_path / "token") in line
    assert not (tmp_path / "animals.store").exists()


# The command line.


def test_help_lists_every_option():
    code, output, _ = run("--help")

    assert code == 0
    assert [option for option in OPTIONS if option not in output] == []


@pytest.mark.parametrize("arguments, mention", [
    (["--port", "99999"], "--port must be between 0 and 65535, not 99999."),
    (["--body-limit", "0"], "--body-limit must be 1 or more, not 0."),
    (["--read-timeout", "0"], "--read-timeout must be 1 or more, not 0."),
    (["--picture-megabytes", "17592186044416"], "--picture-megabytes must be 16777216 or less"),
    (["--idle-timeout", "0"], "--idle-timeout must be 1 or more, not 0."),
    (["--log-level", "loud"], "--log-level must be one of"),
    (["--log-format", "xml"], "--log-format must be text or json, not xml."),
    (["--allowed-hosts", "api.example.org:8081"], "--allowed-hosts must have names like api.example.org"),
    (["--host", "0.0.0.0"], "--token-file"),
    (["--host", "192.168.0.7"], "--token-file"),
    (["--host", "127.0.0.1.evil.example"], "--token-file"),
    (["--host", "::"], "--token-file"),
    (["--nonsense"], "--nonsense"),
])
def test_a_bad_option_is_refused_with_one_line(arguments, mention):
    code, output, error = run(*arguments)

    assert (code, output) == (64, "")
    (line,) = error.splitlines()
    assert line.startswith("Error: ") and mention in line


def test_the_error_names_a_port_in_use(server, tmp_path):
    code, _, error = run("--port", str(server.port), "--database", str(tmp_path / "other.store"))

    assert code == 1
    (line,) = error.splitlines()
    assert str(server.port) in line


@pytest.mark.parametrize("signal_name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_server_shuts_down_cleanly(server, tmp_path, signal_name):
    ask(server, {"mutation": [add("Eagle")]})

    assert server.signal(getattr(signal, signal_name), limit=5) == 0
    assert sorted(os.listdir(tmp_path)) == ["animals.pictures", "animals.store"]
    assert server.output == f"Listening on {server.url}\n"


def test_answered_mutations_survive_a_kill(server):
    for name in ["One", "Two", "Three"]:
        assert ask(server, {"mutation": [add(name)]}).status == 200

    server.restart()

    assert [animal["name"] for animal in animals(server)][6:] == ["One", "Two", "Three"]


# The database.


def test_a_second_process_learns_which_process_uses_the_database(server, tmp_path):
    code, _, error = run("--port", "0", "--database", str(tmp_path / "animals.store"))

    assert code == 1
    (line,) = error.splitlines()
    assert f"in use by the process {server._process.pid}" in line
    assert len(animals(server)) == 6


def test_a_file_that_is_not_a_database_is_left_unchanged(tmp_path):
    (tmp_path / "notes.txt").write_text("Dear diary")

    code, _, error = run("--port", "0", "--database", str(tmp_path / "notes.txt"))

    assert code == 1
    (line,) = error.splitlines()
    assert "notes.txt is not a database" in line
    assert (tmp_path / "notes.txt").read_text() == "Dear diary"
    assert os.listdir(tmp_path) == ["notes.txt"]


def test_the_error_names_a_missing_folder(tmp_path):
    code, _, error = run("--port", "0", "--database", str(tmp_path / "nowhere" / "animals.store"))

    assert code == 1
    assert f"There is no folder {tmp_path / 'nowhere'}." in error


def let_others_in(folders):
    """Pytest creates folders that only their owner can read."""
    for folder in folders:
        if folder.stat().st_mode & 0o005 != 0o005:
            os.chmod(folder, 0o755)


def started_by_nobody(tmp_path):
    """Returns a server's error that root's permissions would hide."""
    done = subprocess.run(
        [BINARIES / "AnimalsDataServer", "--port", "0", "--database",
         str(tmp_path / "animals.store")],
        capture_output=True, text=True, timeout=PATIENCE,
        user=NOBODY if os.getuid() == 0 else None,
    )
    return done.returncode, done.stderr


def test_the_error_names_a_folder_that_is_not_writable(tmp_path):
    os.chmod(tmp_path, 0o555)
    let_others_in(tmp_path.parents)

    code, error = started_by_nobody(tmp_path)

    assert code == 1
    assert f"The folder {tmp_path} cannot be written to." in error


def test_the_error_names_a_database_that_is_not_writable(tmp_path):
    (tmp_path / "animals.store").write_text("")
    os.chmod(tmp_path / "animals.store", 0o444)
    os.chmod(tmp_path, 0o777)
    let_others_in(tmp_path.parents)

    code, error = started_by_nobody(tmp_path)

    assert code == 1
    assert "animals.store cannot be read and written." in error


def test_an_invalid_row_is_left_out_and_named_in_the_log(server, tmp_path):
    server.terminate()
    with sqlite3.connect(tmp_path / "animals.store") as database:
        database.execute("UPDATE animal SET diet = 'Stones' WHERE animalId = 'Newt'")
    database.close()
    server.start()

    assert len(animals(server)) == 5
    answer = ask(server, {"mutation": [{"deleteAnimal": {"animalId": "Newt"}}]})

    assert answer.status == 500
    assert answer.json["error"] == "Some of the stored data cannot be read. Nothing was changed; try again later."
    reason = "The animal “Newt” has a diet that is not known"
    wait_until(lambda: reason in server.output, "the log says why")
    assert ask(server, {"query": [{"categories": {}}]}).status == 200


def test_a_level_holds_for_all_of_the_log(start, tmp_path):
    start().terminate()
    with sqlite3.connect(tmp_path / "animals.store") as database:
        database.execute("UPDATE animal SET diet = 'Stones' WHERE animalId = 'Newt'")
    database.close()
    server = start("--log-level", "critical")

    assert len(animals(server)) == 5
    assert server.terminate() == 0

    assert server.output == f"Listening on {server.url}\n"


def test_a_database_locked_by_a_shell_is_503(server, tmp_path):
    database = sqlite3.connect(tmp_path / "animals.store", isolation_level=None)
    database.execute("BEGIN IMMEDIATE")

    answer = ask(server, {"mutation": [add("Eagle")]})

    assert answer.status == 503
    assert "locked" in answer.json["error"]
    assert answer.headers["Retry-After"]
    database.execute("ROLLBACK")
    database.close()
    assert ask(server, {"mutation": [add("Eagle")]}).status == 200


def test_a_full_disk_is_an_error_until_there_is_room(server):
    pid = server._process.pid
    # Past the limit, writing fails as on a full disk; the signal that comes with it is ignored
    # (see AnimalsDataServer), or it would end the server.
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))

    answer = ask(server, {"mutation": [add("Eagle")]})

    assert answer.status in (500, 503)
    assert "Nothing was saved" in answer.json["error"]
    assert len(animals(server)) == 6
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    assert ask(server, {"mutation": [add("Eagle")]}).status == 200
    server.restart()
    assert len(animals(server)) == 7


@pytest.mark.parametrize("request_", [
    b"", b"POST /animals/api HTTP/1.1\r\nHost: localhost\r\nX: ", post_of(b"Content-Length: 9\r\n", b"{"),
], ids=["of nothing", "of a head", "of a body"])
def test_a_request_that_never_completes_times_out(start, request_):
    server = start("--read-timeout", "1", "--idle-timeout", "2")

    answer = exchange(server, request_)

    assert statuses(answer) == ("408" if request_ else "")
    assert len(animals(server)) == 6


def test_timeouts_can_be_very_long(start):
    forever = str(2**63 - 1)
    server = start("--read-timeout", forever, "--idle-timeout", forever)

    assert len(animals(server)) == 6


def test_a_slow_client_with_an_oversized_body_gets_413(start):
    server = start("--body-limit", "1000")
    pace, count, size = threading.Event(), 15, 20_000
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(post_of(f"Content-Length: {count * size}\r\n".encode(), b""))
        for _ in range(count):  # and reads only then
            pace.wait(0.2)
            connection.sendall(b"x" * size)

        assert statuses(read_all(connection)) == "413"


def test_an_oversized_head_is_431(server):
    answer = exchange(server, post_of(b"X: " + b"x" * 40_000 + b"\r\n", b""))

    assert statuses(answer) == "431"


@pytest.mark.parametrize("target, host, status", [
    (b"http://evil.example/animals/api", b"localhost", "421"),
    (b"http://localhost/animals/api", b"evil.example", "405"),
])
def test_the_host_of_an_absolute_target_is_checked(server, target, host, status):
    answer = exchange(
        server, b"GET " + target + b" HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n\r\n")

    assert statuses(answer) == status


def test_a_server_out_of_descriptors_waits_and_recovers(start):
    server = start("--idle-timeout", "3")
    limit = limit_descriptors(server, 20)
    with server.connection() as known, contextlib.ExitStack() as stack:
        ask_again(known)
        crowd = [stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=10))
                 for _ in range(limit + 50)]
        # Connected clients are served as before.
        eventually(lambda: ask_again(known) and limit - descriptors(server) in RESERVE,
                   "descriptors are used up")

        began, used = time.monotonic(), processor_time(server)
        assert crowd[0].recv(1) == b""  # until it has been idle for too long
        seconds, used = time.monotonic() - began, processor_time(server) - used
        for connection in crowd:
            reset(connection)

    assert used < 0.3 * seconds, f"{used:.2f} s of CPU in {seconds:.1f} s"
    assert len(animals(server)) == 6


def ask_again(connection):
    """A request on a connection that stays open."""
    connection.request("POST", API, "{}", {"Content-Type": "application/json"})
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (200, b"{}")
    return True


def test_requests_are_logged_on_request(start):
    server = start("--log-level", "info")
    ask(server, {"mutation": [add("Secret name")]})

    assert server.terminate() == 0
    wait_until(lambda: "status=200" in server.output, "the log has the request")
    wait_until(lambda: "path=/animals/api" in server.output, "it is logged")
    assert "Secret name" not in server.output


def test_the_log_can_be_json(start):
    server = start("--log-level", "info", "--log-format", "json")
    ask(server, {"query": [{"categories": {}}]})

    assert server.terminate() == 0
    lines = [json.loads(line) for line in server.output.splitlines() if not line.startswith("Listening on ")]
    (line,) = [line for line in lines if line["message"] == "request"]
    assert (line["path"], line["status"], line["level"]) == (API, "200", "info")


def test_readiness_says_what_is_missing(server, tmp_path):
    assert (get(server, "/healthz").text, get(server, "/readyz").text) == ("ok\n", "ready\n")

    os.rename(tmp_path / "animals.store", tmp_path / "moved.store")
    os.rename(tmp_path / "animals.pictures", tmp_path / "moved.pictures")
    answer = get(server, "/readyz")

    assert answer.status == 503
    animals_line, pictures_line = answer.text.splitlines()
    assert animals_line.startswith("The database cannot be used. ")
    assert str(tmp_path / "animals.store") in animals_line
    assert pictures_line.startswith("Pictures cannot be used. ")
    assert get(server, "/healthz").status == 200
    os.rename(tmp_path / "moved.store", tmp_path / "animals.store")
    os.rename(tmp_path / "moved.pictures", tmp_path / "animals.pictures")
    assert get(server, "/readyz").text == "ready\n"


def test_only_clients_with_the_token_learn_what_is_missing(guarded):
    assert get(guarded, "/healthz").status == 200
    assert get(guarded, "/readyz").status == 401
    assert get(guarded, "/readyz", Authorization="Bearer correct-horse").status == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_is_only_read(server, path):
    answer = request(server, "POST", path, "")

    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/animals"])
def test_the_answer_to_head_has_no_body(server, path):
    rest = f" {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    got, head = exchange(server, b"GET" + rest), exchange(server, b"HEAD" + rest)

    assert statuses(head) == statuses(got)
    assert not got.endswith(b"\r\n\r\n")
    assert head.endswith(b"\r\n\r\n") and head.count(b"\r\n\r\n") == 1


def test_many_concurrent_clients_are_served(server):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(
            lambda number: ask(server, {"mutation": [add(f"Animal {number}")]}), range(100)))

    assert {answer.status for answer in answers} == {200}
    ids = {json.loads(answer.body)["mutation"][0]["addAnimal"]["animal"]["animalId"]
           for answer in answers}
    assert len(ids) == 100
    assert len(animals(server)) == 106
