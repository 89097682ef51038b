"""Data when the server is killed, its disk is full, its clock is wrong or other systems fail: data that
was reported as saved exists."""

import datetime
import contextlib
import email.utils
import http.client
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import threading
import time
import urllib.parse
import uuid

import pytest
from playwright.sync_api import expect

from fake_animals import FakeAnimals
from fake_feed import feature
from faults import ROUNDS, needs_root, rounds, run
from pictures import hash_of, png, upload
from process import eventually
from quakes_page import FEATURES, NOON, QUAKES, Quakes
from raw import Session, counter_value, get, parts_of_list, post
from servers import BINARIES, ROOT, ServerProcess, product_server
from test_animals_faults import FAULTS as REMOTE_FAULTS
from test_quakes_faults import FAULTS as FEED_FAULTS
from waiting import wait_until

MAMMALS = "/animals?category=Mammal"
CLOCK = pathlib.Path(__file__).parent / "clock.c"
DISK = pathlib.Path(__file__).parent / "disk.c"
DAY = 86_400  # seconds
pytestmark = [pytest.mark.long, pytest.mark.timeout(120 + 60 * ROUNDS)]


def add(server, name):
    """Adds an animal like a browser without JavaScript, which gets the answer when it is saved."""
    body = {
        "_form": "save",
        "_token": uuid.uuid4().hex,
        "name": name,
        "category": "Mammal",
        "diet": "Omnivore",
    }
    return post(server, MAMMALS + "&sheet=add", urllib.parse.urlencode(body), Accept="text/html")


def failure(answer):
    """The failures that a page reports."""
    return re.findall(r'(?:class="failure|role="alert")[^>]*>([^<]+)<', answer.text)


def animals_in(server):
    """The names in the database, which must be intact."""
    with contextlib.closing(sqlite3.connect(server.data / "animals.store")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return {name for name, in database.execute("SELECT name FROM animal")}


def quakes_in(server):
    with contextlib.closing(sqlite3.connect(server.data / "quakes.store")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return {id for id, in database.execute("SELECT quakeId FROM quake")}


def quakes_on_pages(server):
    """The content of all parts of the list."""
    pages = "".join(parts_of_list(server, QUAKES))
    return set(re.findall(r'<li[^>]* data-key="(r\d+[bq][^"]*)"', pages))


# Killed.


def test_after_a_kill_quakes_match_the_state_after_some_action():
    """Earthquakes are shown as they are fetched and deleted, and saved right behind that: what is in
    the database is all that happened up to some action, and nothing else. Once it has what is shown, it
    keeps that."""
    quakes = Quakes()
    server, feed = quakes.server, quakes.feed
    try:
        for number, randomness in enumerate(rounds("kill -9 of Quakes")):
            for is_quiet in [False, True]:
                wanted = randomness.randint(1, 30)
                enough, rest = threading.Semaphore(0), threading.Event()
                states = [quakes_in(server)]  # after each action
                done = [0]

                def work():
                    with contextlib.suppress(OSError, http.client.HTTPException):
                        for serial in range(100_000):
                            if rest.is_set():
                                return
                            count = randomness.randint(1, 100)
                            prefix = f"r{number}{'q' if is_quiet else 'b'}{serial}"
                            ids = [f"{prefix}n{index}" for index in range(count)]
                            feed.features["hour"] = [feature(id, 2, id, NOON) for id in ids]
                            states.append(states[-1] | set(ids))
                            assert quakes_post(server, "refresh", range="allHour") == 303
                            for id in randomness.sample(ids, min(3, count)):
                                states.append(states[-1] - {id})
                                assert quakes_post(server, "deleteSelected", quakeId=id) == 303
                            done[0] = len(states)
                            enough.release()

                worker = threading.Thread(target=work)
                worker.start()
                for _ in range(wanted):
                    assert enough.acquire(timeout=60)
                if is_quiet:
                    rest.set()
                    worker.join(30)
                    shown = quakes_on_pages(server)
                    assert shown == states[-1]
                    eventually(lambda: quakes_in(server) == shown, "what is shown is saved")
                server.kill()  # wherever the worker is by now
                worker.join(30)

                there = quakes_in(server)
                if is_quiet:
                    assert there == states[-1], "what was saved is lost"
                assert there in states, "this was never so"
                lost = done[0] - 1 - states.index(there)
                feed.features["hour"] = []
                server.start()
                page = get(server, QUAKES)
                assert page.status == 200 and "could not" not in page.text
                print(f"{done[0]} actions were answered; {max(0, lost)} of them are to be redone")
                # A page of all rounds' earthquakes would be larger than any that there is.
                assert quakes_post(server, "deleteAll") == 303
                eventually(lambda: quakes_in(server) == set(), "all is deleted")
    finally:
        quakes.end()


def quakes_post(server, form, **fields):
    """Asks again while the server answers that it is busy, which it may be on a busy machine."""
    body = urllib.parse.urlencode({"_form": form, **fields})

    def status():
        answer = post(server, QUAKES, body, Accept="text/html")
        return None if answer.status == 503 else answer.status

    return wait_until(status, "the server is not busy")


# A full disk.


@needs_root
def test_a_full_disk_loses_no_saved_data(tmp_path):
    run("mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(tmp_path))
    server = product_server("--data-directory", str(tmp_path))  # the last one counts
    server.data = tmp_path
    try:
        server.start()
        saved = set()
        for number, randomness in enumerate(rounds("a full disk")):
            ballast = tmp_path / "ballast"
            room = os.statvfs(tmp_path)
            free = room.f_bavail * room.f_frsize
            ballast.write_bytes(bytes(max(0, free - randomness.randint(0, 300_000))))
            refused = None
            for index in range(5_000):
                name = f"r{number}n{index}" + "x" * randomness.randint(0, 180)
                answer = add(server, name)
                if answer.status == 303:
                    saved.add(name)
                else:
                    refused = name
                    assert (answer.status, "There is no room" in str(failure(answer))) == (
                        500,
                        True,
                    ), failure(answer)
                    assert name in answer.text  # the input is still there
                    break
            assert refused, "the disk was never full"
            assert post(server, "/counter", "_form=increment").status == 200
            shown = "".join(parts_of_list(server, MAMMALS))
            assert [name for name in saved if f">{name}<" not in shown] == []

            ballast.unlink()
            answer = add(server, refused + "-again")
            assert answer.status == 303, failure(answer)
            saved.add(refused + "-again")
            if randomness.random() < 0.5:
                server.kill()
                server.start()
            assert saved - animals_in(server) == set()
            print(f"{len(saved)} saved are there after the disk was full")
    finally:
        server.kill()
        run("umount", str(tmp_path))


@needs_root
def test_a_full_disk_refuses_a_picture_and_keeps_no_part_of_it(tmp_path):
    run("mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(tmp_path))
    server = product_server("--data-directory", str(tmp_path))  # the last one counts
    try:
        server.start()
        assert upload(server, png(), token="first").status == 200
        content = png(seed=1, padding=5 << 20)

        answer = upload(server, content, token="second")

        assert answer.status == 500
        assert answer.json["fields"]["picture"] == (
            "The picture could not be saved: the server\u2019s disk is full."
        )
        names = lambda: {path.name for path in (tmp_path / "pictures").iterdir()}  # noqa: E731
        eventually(lambda: {name.partition("-")[0] for name in names()} == {hash_of(png())})
        assert upload(server, png(seed=2), token="third").status == 200
        assert hash_of(png(seed=2)) in get(server, "/animals/Dog").text
    finally:
        server.kill()
        run("umount", str(tmp_path))


@needs_root
@pytest.mark.parametrize("option, message", [
    ("--record", "Recording has stopped"), ("--reports", "A report cannot be stored"),
])
def test_a_full_disk_ends_no_more_than_what_is_written_to_it(tmp_path, option, message):
    """The log did not say which file it was."""
    run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(tmp_path))
    path = tmp_path / "kept"
    server = product_server(option, str(path))
    try:
        server.start()
        (tmp_path / "ballast").touch()
        with contextlib.suppress(OSError), open(tmp_path / "ballast", "wb", buffering=0) as ballast:
            while ballast.write(bytes(4_096)):
                pass

        for number in range(40):
            assert post(server, "/counter", "_form=increment").status == 200
        if option == "--reports":
            session = Session(server)
            span = re.search(r'name="span" value="([^"]+)"', get(server, "/report", Cookie=session.cookie).text)[1]
            answer = session.post("/report", f"_form=report&description=x&span={span}")
            assert (answer.status, "could not be saved" in answer.text) == (500, True)

        eventually(lambda: message in server.output, "it is logged")
        assert re.search(f"error={re.escape(str(path))}[^ ]* cannot be written: .*space", server.output), server.output
        assert counter_value(server) == 40
        assert server.terminate() == 0
    finally:
        server.kill()
        run("umount", str(tmp_path))


@needs_root
def test_the_error_of_a_full_disk_names_the_results_of_a_replay(tmp_path, tmp_path_factory):
    """It said only that there was no space."""
    recording = tmp_path_factory.mktemp("recordings") / "actions.jsonl"
    server = product_server("--record", str(recording))
    try:
        server.start()
    finally:
        server.terminate()
    run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(tmp_path))
    try:
        with contextlib.suppress(OSError), open(tmp_path / "ballast", "wb", buffering=0) as ballast:
            while ballast.write(bytes(4_096)):
                pass
        binary, report = BINARIES / "Server", tmp_path / "report.html"

        compared = subprocess.run(
            [binary, "replay", recording, "--against", binary, "--report", report],
            cwd=ROOT, text=True, capture_output=True)
        piped = subprocess.run(
            [binary, "replay", "/dev/stdin"], cwd=ROOT, text=True, capture_output=True,
            input=recording.read_text(), env=os.environ | {"TMPDIR": str(tmp_path)})

        assert (compared.returncode, piped.returncode) == (1, 1)
        assert re.fullmatch(f"Error: {report} cannot be written: .*space\n", compared.stderr)
        assert re.fullmatch(f"Error: {tmp_path} cannot be written: .*space\n", piped.stderr)
        assert {file.name for file in tmp_path.iterdir()} == {"ballast"}
    finally:
        run("umount", str(tmp_path))


@needs_root
def test_a_full_disk_loses_no_earthquakes(tmp_path):
    """What was there stays, in the window and in the file; what is new is shown, with what has failed,
    and is saved when there is room."""
    run("mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(tmp_path))
    quakes = Quakes("--data-directory", str(tmp_path))  # the last one counts
    server, feed = quakes.server, quakes.feed
    server.data = tmp_path
    try:
        shown, saved = set(), set()
        for number, randomness in enumerate(rounds("a full disk of Quakes")):
            ballast = tmp_path / "ballast"
            room = os.statvfs(tmp_path)
            free = room.f_bavail * room.f_frsize
            ballast.write_bytes(bytes(max(0, free - randomness.randint(0, 200_000))))
            for serial in range(200):
                ids = [f"r{number}s{serial}n{index}" for index in range(randomness.randint(1, 30))]
                place = "x" * randomness.randint(1, 180)
                feed.features["hour"] = [feature(id, 2, place, NOON) for id in ids]
                assert quakes_post(server, "refresh", range="allHour") in (303, 500)
                shown |= set(ids)
                page, there = "", set()

                def is_saved_or_refused():
                    nonlocal page, there
                    page, there = get(server, QUAKES).text, quakes_in(server)
                    return there == shown or "There is no room" in page

                eventually(is_saved_or_refused, "the refresh ends")
                assert set(re.findall(r'<li[^>]* data-key="(r\d+s[^"]*)"', page)) == shown
                assert saved <= there
                saved = there
                if there != shown:
                    break
            assert saved != shown, "the disk was never full"
            assert post(server, "/counter", "_form=increment").status == 200

            ballast.unlink()
            shown.add(f"r{number}s-again")
            feed.features["hour"] = [feature(f"r{number}s-again", 2, "Again", NOON)]
            assert quakes_post(server, "refresh", range="allHour") == 303
            eventually(lambda: quakes_in(server) == shown, "all is saved")
            assert "There is no room" not in get(server, QUAKES).text
            if randomness.random() < 0.5:
                server.kill()
                server.start()
            page = get(server, QUAKES).text
            assert set(re.findall(r'<li[^>]* data-key="(r\d+s[^"]*)"', page)) == shown
            # The next round begins with little, so that the disk has room for it.
            assert quakes_post(server, "deleteAll") == 303
            eventually(lambda: quakes_in(server) == set(), "all is deleted")
            print(f"{len(shown)} were there after the disk was full")
            shown, saved = set(), set()
    finally:
        quakes.end()
        run("umount", str(tmp_path))


# A disk that hangs.


# Seconds that a Server and an AnimalsDataServer may take to end, and two that a busy machine adds.
STOP_TIME, DATA_STOP_TIME = 14 + 2, 10 + 2


def hanging(server, folder, disk):
    """Starts a server, and returns the file that makes what it writes below `disk` wait while it exists."""
    run("clang", "-shared", "-fPIC", "-o", str(folder / "disk.so"), str(DISK))
    hangs = folder / "hangs"
    server.environment = {
        "LD_PRELOAD": str(folder / "disk.so"), "DISK": str(disk), "DISK_HANGS": str(hangs)}
    server.start()
    return hangs


def in_background(work, *arguments):
    def attempt():
        with contextlib.suppress(OSError, http.client.HTTPException):
            work(*arguments)

    threading.Thread(target=attempt, daemon=True).start()


def test_a_disk_that_hangs_does_not_keep_the_server_from_ending(tmp_path):
    server = product_server("--quakes-feed", "sample")
    try:
        hangs = hanging(server, tmp_path, server.data)
        assert add(server, "Otter").status == 303
        assert upload(server, png()).status == 200
        pictures = server.data / "pictures"

        hangs.touch()
        in_background(upload, server, png(seed=1), "Cat", "hangs")
        eventually(lambda: list(pictures.glob("*.part")), "the picture is being written")
        assert ">Beaver<" not in add(server, "Beaver").text
        assert ">Otter<" in get(server, MAMMALS).text
        code = server.terminate(STOP_TIME)

        assert code == 1
        assert re.search(r"effects=add\b.* Effects had not ended on shutdown", server.output)
        assert "Requests had not ended on shutdown" in server.output
        assert re.findall(r"(\w+ \w+) could not be closed within 14.0 seconds", server.output) == [
            "The animals", "The earthquakes"]
        hangs.unlink()
        server.start()
        assert "Otter" in animals_in(server)
    finally:
        server.kill()


def test_a_disk_that_hangs_does_not_keep_the_animals_data_server_from_ending(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    server = ServerProcess("AnimalsDataServer", lambda port: [
        "--port", str(port), "--database", str(disk / "animals.store")])
    try:
        hangs = hanging(server, tmp_path, disk)
        hangs.touch()
        mutation = {"addAnimal": {"name": "Otter", "diet": "Carnivore", "categoryId": "Mammal"}}
        body = json.dumps({"mutation": [mutation]})
        in_background(lambda: post(server, "/animals/api", body, Content_Type="application/json"))
        reads = json.dumps({"query": [{"animals": {}}]})

        def waits():
            try:
                with server.connection(timeout=0.5) as connection:
                    connection.request("POST", "/animals/api", reads, {"Content-Type": "application/json"})
                    connection.getresponse()
            except TimeoutError:
                return True

        eventually(waits, "the disk hangs")
        code = server.terminate(DATA_STOP_TIME)

        assert code == 1
        assert "Requests had not ended on shutdown" in server.output
        assert "The database could not be closed within 10.0 seconds." in server.output
    finally:
        server.kill()


# A volume that is not there.


def test_a_database_on_a_missing_volume_is_neither_replaced_nor_forgotten(tmp_path):
    volume, away = tmp_path / "volume", tmp_path / "away"
    server = product_server()
    server.start()
    try:
        quakes_post(server, "sample")
        eventually(lambda: len(quakes_in(server)) > 100, "the sample is saved")
        saved = quakes_in(server)
        assert add(server, "Otter").status == 303
        assert server.terminate() == 0, server.output
        volume.mkdir()
        links = [server.data / name for name in ["animals.store", "quakes.store"]]
        for link in links:
            link.rename(volume / link.name)
            link.symlink_to(volume / link.name)
        volume.rename(away)

        server.start()

        answer = get(server, "/readyz")
        assert answer.status == 503
        assert [str(volume / link.name) in answer.text for link in links] == [True, True]
        assert failure(get(server, MAMMALS)) and failure(get(server, QUAKES))
        assert add(server, "Beaver").status == 500
        assert [link.readlink() for link in links] == [volume / link.name for link in links]
        assert sorted(path.name for path in server.data.iterdir()) == [
            "animals.store", "pictures", "quakes.store"
        ]

        away.rename(volume)

        assert get(server, "/readyz").text == "ready\n"
        assert post(server, MAMMALS, "_form=refresh", Accept="text/html").status == 303
        assert ">Otter<" in get(server, MAMMALS).text
        assert {"Otter"} < animals_in(server) and "Beaver" not in animals_in(server)
        assert quakes_in(server) == saved
        assert server.terminate() == 0, server.output
        assert [link.readlink() for link in links] == [volume / link.name for link in links]
    finally:
        server.kill()


@pytest.mark.parametrize("product", ["animals", "quakes"])
def test_a_server_whose_database_is_emptied_is_not_ready_and_saves_nothing(start_server, product):
    """It said that animals were saved, and left a malformed database."""
    server = start_server()
    server.terminate()
    server.start()  # everything is in the file, and not in its log
    assert get(server, "/readyz").text == "ready\n"

    os.truncate(server.data / f"{product}.store", 0)

    answer = get(server, "/readyz")
    assert answer.status == 503
    assert f"{product}.store was emptied while it was open" in answer.text
    if product == "animals":
        assert add(server, "Otter").status == 500
        assert "was emptied while it was open" in server.output


@pytest.mark.parametrize("change", ["truncated", "without tables"])
@pytest.mark.parametrize("product", ["animals", "quakes"])
def test_a_database_that_lost_its_content_stops_the_start_and_is_left_unchanged(product, change):
    server = product_server()
    server.start()
    assert server.terminate() == 0, server.output
    path = server.data / f"{product}.store"
    if change == "truncated":
        os.truncate(path, 0)
    else:
        with contextlib.closing(sqlite3.connect(path)) as database:
            for table in {"animals": ["animal", "category"], "quakes": ["quake"]}[product]:
                database.execute(f"DROP TABLE {table}")
            database.commit()
    before = path.read_bytes()

    with pytest.raises(RuntimeError, match="is empty|lacks the column"):
        server.start()

    assert path.read_bytes() == before
    assert list(server.data.glob(f"{product}.store*")) == [path]


# The clock.


def server_with_clock(folder):
    """A running Server, and the file that says how many seconds its clock is ahead."""
    clock = folder / "clock"
    clock.write_text("0")
    run("clang", "-shared", "-fPIC", "-o", str(folder / "clock.so"), str(CLOCK))
    server = product_server()
    server.environment = {"LD_PRELOAD": str(folder / "clock.so"), "CLOCK": str(clock)}
    return server.start(), clock


def test_an_open_window_moves_on_to_the_next_day(tmp_path, browser):
    server, clock = server_with_clock(tmp_path)
    context = browser.new_context(timezone_id="UTC")
    try:
        page = context.new_page()
        page.clock.install(time=time.time())
        page.goto(server.url + "/quakes")
        expect(page.locator("html[data-live]")).to_be_attached()
        field = page.locator("[type=date]")
        today = field.input_value()
        tomorrow = datetime.date.fromisoformat(today) + datetime.timedelta(days=1)

        clock.write_text(str(DAY))
        page.clock.fast_forward("24:00:00")

        expect(field).to_have_value(tomorrow.isoformat(), timeout=30_000)
        assert urllib.parse.urlsplit(page.url).query == ""
    finally:
        context.close()
        server.kill()


def test_changing_the_clock_stops_nothing(tmp_path, context):
    server, clock = server_with_clock(tmp_path)
    try:
        page = context.new_page()
        page.goto(server.url + MAMMALS)
        expect(page.locator("html[data-live]")).to_be_attached()
        session, saved = Session(server), []
        with session.stream("?at=" + urllib.parse.quote(MAMMALS, safe="")) as reader:
            reader.next("show")
            for number, randomness in enumerate(rounds("clock")):
                for days in [
                    -randomness.randint(1, 400),
                    randomness.randint(1, 400),
                    -randomness.randint(400, 10_000),
                    0,
                ]:
                    clock.write_text(str(days * DAY))
                    eventually(
                        lambda: abs(date(server) - time.time() - days * DAY) < 60, "it is that day"
                    )
                    # Whatever the time: a page of today, an action, its effect, its push.
                    assert get(server, "/quakes").status == 200
                    name = f"r{number} at {days}"
                    assert add(server, name).status == 303
                    saved.append(name)
                    while name not in json.dumps(reader.next("frame")[2]):
                        pass
                    expect(page.get_by_text(name, exact=True)).to_be_attached()
                    assert session.post("/counter", "_form=increment").status == 200
                    assert (
                        get(server, "/counter", Cookie=session.cookie).headers["Set-Cookie"] is None
                    )
        assert server.terminate() == 0, server.output
        assert set(saved) <= animals_in(server)
    finally:
        server.kill()


def date(server):
    """The server's time of day, in seconds."""
    return email.utils.parsedate_to_datetime(get(server, "/counter").headers["Date"]).timestamp()


# Others that fail.


def test_a_feed_that_fails_in_any_way_at_any_time_loses_nothing():
    quakes = Quakes("--quakes-timeout", "1", "--quakes-feed-limit", "8000")
    quakes.load()
    ids = {feature["id"] for feature in FEATURES}
    eventually(lambda: quakes_in(quakes.server) == ids, "the first refresh is saved")
    try:
        for number, randomness in enumerate(rounds("feed")):
            for name in randomness.sample(sorted(FEED_FAULTS), len(FEED_FAULTS)):
                begin, words, _ = FEED_FAULTS[name]
                begin(quakes.feed)
                answer = post(
                    quakes.server, QUAKES, "_form=refresh&range=allDay", Accept="text/html"
                )
                if name == "trickling":  # for longer than a post is kept waiting
                    eventually(lambda: words in get(quakes.server, QUAKES).text, name)
                else:
                    assert 400 <= answer.status < 600, name
                    assert words in answer.text, name
                assert quakes_in(quakes.server) == ids
                if name == "down":
                    quakes.feed.start()
                quakes.feed.release()
                if randomness.random() < 0.5:  # else the next failure follows at once
                    new = feature(f"new-{len(ids)}", 2, "New", NOON)
                    quakes.feed.features["day"] = [new]
                    assert quakes_post(quakes.server, "refresh", range="allDay") == 303
                    ids.add(new["id"])
                    eventually(lambda: quakes_in(quakes.server) == ids, "the refresh is saved")
    finally:
        quakes.end()


def test_a_remote_that_fails_in_any_way_at_any_time_loses_nothing(start_server):
    remote = FakeAnimals()
    server = start_server("--animals-api", remote.url, "--animals-timeout", "1")
    get(server, MAMMALS)
    saved = set()
    try:
        for number, randomness in enumerate(rounds("remote")):
            for fault in randomness.sample(sorted(REMOTE_FAULTS), len(REMOTE_FAULTS)):
                begin, words = REMOTE_FAULTS[fault]
                begin(remote)
                name = f"r{number} {fault}"
                answer = add(server, name)
                assert answer.status == 500, (fault, answer.status)
                assert words in answer.text and name in answer.text
                assert f">{name}<" not in get(server, MAMMALS).text
                if fault == "down":
                    remote.start()
                remote.release()
                if randomness.random() < 0.5:
                    assert add(server, name + " again").status == 303
                    saved.add(name + " again")
                shown = "".join(parts_of_list(server, MAMMALS))
                assert [name for name in saved if f">{name}<" not in shown] == []
        assert saved <= {animal["name"] for animal in remote.animals.values()}
    finally:
        remote.release()
        with contextlib.suppress(OSError):
            remote.stop()
