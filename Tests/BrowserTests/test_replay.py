"""A Server that records its actions, and what `Server replay` makes of the file."""

import json
import os
import re
import shutil
import signal
import subprocess
import threading

import pytest
from playwright.sync_api import expect

from kinds import thorough
import raw
import servers
from servers import BINARIES, ROOT, ServerProcess, launch
from waiting import PATIENCE, wait_until


@pytest.fixture
def recording(tmp_path):
    return tmp_path / "actions.jsonl"


@pytest.fixture
def key(tmp_path):
    """The file of a private key. That of the public one has `.pub` behind it."""
    key = tmp_path / "key"
    assert run("recording-key", key)[0] == 0
    return key


@pytest.fixture
def show_recording(recording):
    """Starts a Server that shows the recording; it ends with the test."""
    viewers = []

    def show(*options):
        arguments = ["replay", str(recording), "--serve", *options, "--port"]
        viewers.append(ServerProcess("Server", lambda port: [*arguments, str(port)]))
        return viewers[-1].start()

    yield show
    for viewer in viewers:
        viewer.kill()


def replay(recording, *options):
    """Exit code, standard output and standard error."""
    return run("replay", recording, *options)


def run(*arguments):
    return servers.run("Server", *arguments, timeout=120)


def use(server, steps=None, sample=True):
    """
    Something of every product, or some steps of it. A debug build takes seconds for each time that the sample of
    earthquakes is replayed.
    """
    session = raw.Session(server)
    raw.get(server, "/animals/Dog?category=Mammal")
    for page, fields in [
        ("/counter", "_form=increment"),
        ("/animals/Dog?category=Mammal", "_form=rows&row=star~Dog"),
        ("/animals", "_form=save&_token=one&anyway=yes&name=Otter&category=Mammal&diet=Carnivore"),
        ("/animals", "_form=rows&row=delete~Nobody"),
        ("/counter", "_form=decrement"),
    ][:steps] + [("/quakes", "_form=sample")] * sample:
        session.post(page, fields, Accept="text/html")


SHOWN = 11


def look_and_use(server, steps=None, sample=True):
    """The same, while windows show each of the products."""
    session = raw.Session(server)
    with session.stream() as stream:
        for at in ["/", "/counter", "/animals/Dog?category=Mammal", "/quakes?sort=magnitude"]:
            assert session.join(stream, at).status == 201
        use(server, steps, sample)
        # Each is shown before the next, however busy the machine is: so each is a change of a page.
        for _ in range(SHOWN):
            stream.wait_for(int(session.post("/counter", "_form=increment").json["version"]))


def test_a_recording_is_replayed_in_another_process(start_server, recording, key):
    server = start_server(
        "--record", str(recording), "--record-key", f"{key}.pub", "--quakes-feed", "sample")
    look_and_use(server, 3, sample=False)
    assert server.terminate() == 0
    assert not any(word in recording.read_text() for word in ["Otter", "Mammal", "didFetch"])

    code, output, error = replay(recording, "--key", key)

    assert (code, error) == (0, "")
    actions, pages = map(int, re.fullmatch(
        r"The same: (\d+) actions, (\d+) changes of pages\.\n", output).groups())
    assert actions > SHOWN and pages >= SHOWN - 1  # One can bring back the value before a decrement
    code, output, _ = replay(recording, "--key", key, "--against", BINARIES / "Server")
    assert code == 0 and "Both Servers make the same of" in output
    code, _, error = replay(recording)
    assert (code, "is sealed. Give --key FILE." in error) == (1, True)
    code, _, error = replay(recording, "--key", f"{key}.pub")
    assert (code, "was sealed for another key" in error) == (1, True)


def test_a_full_recording_stops_if_told_and_the_oldest_files_stay(start_server, recording, key):
    server = start_server(
        "--record", str(recording), "--record-key", f"{key}.pub", "--record-megabytes", "1", "--record-until-full")
    # Each visit is recorded with its long URL.
    for _ in range(40):
        assert raw.get(server, "/counter?" + "x" * 30_000).status == 200
    raw.metrics(server, lambda values: values["recording_stopped"] == 1)
    assert server.terminate() == 0

    files = files_of(recording)
    assert files[0] == recording and len(files) > 2
    assert sum(path.stat().st_size for path in files) <= 1 << 20
    for path in files:
        assert replay(path, "--key", key)[0] == 0, path
    assert server.output.count("Recording has stopped") == 1


def test_without_a_key_a_recording_has_pseudonyms(start_server, recording):
    server = start_server("--record", str(recording), "--quakes-feed", "sample")
    session = raw.Session(server)
    with session.stream() as stream:
        assert session.join(stream, "/animals?all=true&search=Otter+pup").status == 201
    look_and_use(server)
    wait_until(lambda: "didFetchQuakes" in recording.read_text(), "the sample is recorded")
    assert server.terminate() == 0
    text = recording.read_text()
    assert "otter" not in text.lower() and session.cookie.split("=")[1] not in text
    assert re.search(r'"url":"/animals\?all=true&search=\w{5}\+\w{3}"', text)

    code, output, error = replay(recording)

    assert (code, error) == (0, "")
    # What windows were sent has texts, so only states and refusals are compared.
    actions = int(re.fullmatch(
        r"The same: (\d+) actions, 0 changes of pages\.\n"
        r"Pages were not compared, because the recording has pseudonyms\.\n"
        r"To compare pages, use --against, or record with --record-key\.\n", output)[1])
    assert actions == text.count('"action":') > 10
    assert recording.stat().st_mode & 0o777 == 0o600


def test_a_recording_has_the_origin_of_each_action(start_server, recording):
    server = start_server("--record", str(recording))
    session = raw.Session(server)
    with session.stream() as stream:
        window = session.join(stream, "/counter").json["window"]
        version = int(session.post("/counter", "_form=increment", X_Window=window).json["version"])
        session.post("/animals", "_form=rows&row=delete~Nobody")
        stream.wait_for(version)
    assert server.terminate() == 0

    visits = [line["visit"] for line in map(json.loads, recording.read_text().splitlines()) if "visit" in line]
    assert len({visit["visitor"] for visit in visits if "window" in visit or "form" in visit}) == 1
    opened = next(visit for visit in visits if "window" in visit)
    (increment,) = [visit for visit in visits if visit.get("form") == "increment"]
    (refused,) = [visit for visit in visits if visit.get("form") == "rows"]
    assert (opened["url"], opened["window"]) == ("/counter", increment["window"])
    assert (increment["isRefused"], increment["version"]) == (False, version)
    assert (refused["isRefused"], "window" in refused) == (True, False)
    assert window not in recording.read_text()


def test_the_options_of_the_recorded_server_do_not_matter(start_server, recording):
    server = start_server("--record", str(recording), "--animals-limit", "6")
    session = raw.Session(server)
    raw.get(server, "/animals?category=Mammal")
    fields = "_form=save&_token=one&anyway=yes&name=Otter&category=Mammal&diet=Carnivore"
    assert session.post("/animals", fields, Accept="text/html").status == 409
    assert server.terminate() == 0

    code, output, error = replay(recording)

    assert (code, error) == (0, "") and output.startswith("The same: ")
    played = [json.loads(line) for line in replay(recording, "--play")[1].splitlines()]
    assert [line["subject"].split(".")[-1] for line in played if "refusal" in line] == ["onTapAddAnimalButton"]
    assert replay(recording, "--against", BINARIES / "Server")[0] == 0


def test_a_recording_survives_a_kill(start_server, recording):
    server = start_server("--record", str(recording))
    session = raw.Session(server)
    stop = threading.Event()

    def press():
        while not stop.is_set():
            try:
                session.post("/counter", "_form=increment")
            except OSError:
                return

    threads = [threading.Thread(target=press) for _ in range(4)]
    for thread in threads:
        thread.start()
    wait_until(lambda: recording.stat().st_size > 20_000, "much is recorded")
    server.kill()
    stop.set()
    for thread in threads:
        thread.join()

    code, output, _ = replay(recording)

    assert code == 0
    assert int(re.search(r"\d+", output)[0]) == whole_actions(recording)


def whole_actions(recording):
    """How many actions are in lines that were not cut off."""
    lines = recording.read_bytes().split(b"\n")[:-1]
    return sum(b'"action":' in line for line in lines)


def lines_played(recording):
    """How many lines there are that builds may make different things of."""
    lines = recording.read_text().splitlines()[1:]
    others = ['"checkpoint":', '"visit":', '"html":', '"parts":']
    return sum(not any(other in line for other in others) for line in lines)


def files_of(recording):
    """The files of a recording, the oldest first."""
    numbered = recording.parent.glob(f"{recording.stem}.*{recording.suffix}")
    numbers = {int(path.suffixes[0][1:]): path for path in numbered if len(path.suffixes) == 2}
    return [recording] * recording.exists() + [path for _, path in sorted(numbers.items())]


@pytest.mark.long
@pytest.mark.timeout(300)
def test_a_recording_of_several_files_survives_a_kill(
        start_server, recording, other_build, tmp_path):
    server = start_server("--record", str(recording), "--record-megabytes", "1")
    use(server, 3, sample=False)
    session = raw.Session(server)
    stop = threading.Event()

    def press():
        while not stop.is_set():
            try:
                session.post("/counter", "_form=increment")
            except OSError:
                return

    with session.stream() as stream:
        for at in ["/counter", "/animals/Dog?category=Mammal"]:
            assert session.join(stream, at).status == 201
        threads = [threading.Thread(target=press) for _ in range(4)]
        for thread in threads:
            thread.start()
        wait_until(lambda: len(files_of(recording)) >= 4, "there are four files", seconds=120)
        server.kill()
        stop.set()
        for thread in threads:
            thread.join()

    files = files_of(recording)
    assert sum(path.stat().st_size for path in files) <= 1 << 20
    for path in files:
        code, output, error = replay(path)
        assert (code, error) == (0, ""), path
        actions, pages = map(int, re.findall(r"\d+", output))
        assert actions == whole_actions(path)
        assert pages == 0
        if path != files[-1]:
            assert actions > 50
    assert "didFetchAnimals" not in files[1].read_text()
    assert '"checkpoint":{"animals":{"animals":' in files[1].read_text()

    # Each is as good as a first one for comparing builds, too.
    lines = lines_played(files[1])
    assert replay(files[1], "--against", BINARIES / "Server") == (
        0, f"Both Servers make the same of {lines} lines.\n", "")
    shrunk = tmp_path / "shrunk.jsonl"
    assert replay(files[1], "--against", other_build, "--shrink", shrunk)[0] == 1
    assert shrunk.read_text().count('"checkpoint":') == 1
    assert shrunk.read_text().count('"action":') == 0
    assert replay(shrunk, "--templates", other_build.parent.parent / "Templates")[0] == 0
    assert replay(shrunk)[0] == 1


def test_a_recording_that_was_changed_is_found_at_its_line(start_server, recording):
    server = start_server("--record", str(recording))
    use(server, sample=False)
    assert server.terminate() == 0
    lines = recording.read_text().splitlines()
    changed = next(number for number, line in enumerate(lines) if "didTapDecrementButton" in line)
    lines[changed] = lines[changed].replace("didTapDecrementButton", "didTapIncrementButton")
    recording.write_text("\n".join(lines) + "\n")

    code, output, error = replay(recording)

    assert code == 1
    version = json.loads(lines[changed])["version"]
    assert f"line {changed + 1}, version {version}, counter.didTapIncrementButton" in error
    assert output == "/counter/value: 1 → 2\n"


def changed_templates(folder, name, old, new):
    """Templates in a folder, of which one says something else. Returns the folder."""
    shutil.copytree(ROOT / "Templates", folder)
    template = folder / name
    template.write_text(template.read_text().replace(old, new))
    return folder


@pytest.fixture
def other_build(tmp_path):
    """A Server with templates of its own, in which the counter has another word."""
    folder = tmp_path / "other"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "Server").symlink_to(BINARIES / "Server")
    changed_templates(folder / "Templates", "CounterUI/CounterNumber.mustache", "Value:", "Worth:")
    return folder / "bin" / "Server"


@pytest.mark.long
@pytest.mark.timeout(300)
def test_two_builds_are_compared(start_server, recording, other_build, tmp_path, page):
    server = start_server("--record", str(recording))
    look_and_use(server, sample=False)
    assert server.terminate() == 0
    report, shrunk = tmp_path / "report.html", tmp_path / "shrunk.jsonl"

    code, output, error = replay(
        recording, "--against", other_build, "--report", report, "--shrink", shrunk)

    assert code == 1
    assert "/counter, region number" in output
    assert "- Worth: 1" in output and "+ Value: 1" in output
    differences = int(re.search(r"Differences between the Servers: (\d+)\.", error)[1])
    assert differences > 2
    page.goto(report.as_uri())
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"{differences} differences in")
    assert page.locator("del").all_inner_texts()[0] == "- Worth: 0"
    assert page.locator("ins").all_inner_texts()[0] == "+ Value: 0"

    # The page differs before anything happens, so no action is needed to show it.
    assert shrunk.read_text().count('"action":') == 0
    assert shrunk.read_text().count('"begins":') == 1
    assert replay(shrunk, "--templates", other_build.parent.parent / "Templates")[0] == 0
    assert replay(shrunk)[0] == 1


def test_a_changed_page_is_shown_as_a_difference(start_server, recording, key, other_build):
    server = start_server("--record", str(recording), "--record-key", f"{key}.pub")
    look_and_use(server, sample=False)
    assert server.terminate() == 0

    code, output, error = replay(
        recording, "--key", key, "--templates", other_build.parent.parent / "Templates")

    assert code == 1
    lines = output.splitlines()
    assert "- Value: 0" in lines and "+ Worth: 0" in lines
    assert all(line[:2] in ("- ", "+ ", "  ") for line in lines)
    assert re.search(r"line \d+, version \d+, window [\w-]{22}, /counter, region number: both sides have it", error)


def test_a_changed_row_is_the_only_difference_of_a_list(start_server, recording, key, tmp_path):
    server = start_server("--record", str(recording), "--record-key", f"{key}.pub")
    session = raw.Session(server)
    with session.stream() as stream:
        for at in ["/animals?category=Mammal", "/counter"]:
            assert session.join(stream, at).status == 201
        assert session.post("/animals", "_form=rows&row=star~Dog", Accept="text/html").status == 303
        while "Remove Dog from" not in "".join(stream.lines):  # products make frames by themselves
            assert stream.next()
        stream.wait_for(int(session.post("/counter", "_form=increment").json["version"]))
    assert server.terminate() == 0
    folder = changed_templates(
        tmp_path / "Templates", "AnimalsUI/AnimalList.mustache", "Remove {{label}} from", "Drop {{label}} from")

    code, output, error = replay(recording, "--key", key, "--templates", folder)

    assert code == 1 and "both sides have it" in error
    removed, inserted = [line for line in output.splitlines() if line[0] in "+-"]
    assert "Remove Dog from" in removed and "Drop Dog from" in inserted


def test_changed_effects_are_listed(start_server, recording, tmp_path, page):
    server = start_server("--record", str(recording))
    session = raw.Session(server)
    raw.get(server, "/animals?category=Mammal")
    fields = "_form=save&_token=one&anyway=yes&name=Otter&category=Mammal&diet=Carnivore"
    assert session.post("/animals", fields, Accept="text/html").status == 303
    assert server.terminate() == 0
    old = [json.loads(line) for line in replay(recording, "--play")[1].splitlines()]
    (add,) = [line["effects"] for line in old if line["subject"].endswith("onTapAddAnimalButton")]
    assert add[0] == "add"
    assert any(line.startswith("add /categoryId: ") for line in add)
    assert [line["effects"] for line in old if line["subject"].endswith("categoryList.onAppear")][0] == ["fetch"]

    # A build whose effects have other values.
    other = tmp_path / "other.py"
    other.write_text(f"""#!/usr/bin/env python3
import subprocess, sys
lines = subprocess.run([{str(BINARIES / "Server")!r}, *sys.argv[1:]], capture_output=True, text=True, check=True).stdout
print(lines.replace("/categoryId: ", "/category: "), end="")
""")
    other.chmod(0o755)
    report = tmp_path / "report.html"
    shrunk = tmp_path / "shrunk.jsonl"
    code, output, error = replay(recording, "--against", other, "--report", report, "--shrink", shrunk)

    assert code == 1 and "Differences between the Servers: 1." in error
    assert "Only effects differ." in output and not shrunk.exists()
    assert "onTapAddAnimalButton: the effects" in output
    assert "- add /category: " in output and "+ add /categoryId: " in output
    page.goto(report.as_uri())
    expect(page.get_by_role("heading", level=2)).to_have_text("Effects: 1")


def test_a_recording_is_shown_on_the_developer_pages(start_server, show_recording, recording, key, open_page):
    server = start_server("--record", str(recording), "--record-key", f"{key}.pub")
    look_and_use(server, sample=False)
    assert server.terminate() == 0
    viewer = show_recording("--key", str(key))
    assert "Fine: this Server can read all of it." in viewer.output

    page = open_page(viewer, "/developer")

    notice = page.get_by_role("region", name="This is a recording")
    expect(notice).to_contain_text("This is the recording actions.jsonl")
    expect(notice).to_contain_text("Fine:")
    expect(page.get_by_role("button", name="Clear")).to_have_count(0)
    assert raw.Session(viewer).post("/developer", "_form=clear", Accept="text/html").status == 409
    entries = page.locator("[data-list=entries] > li")
    entries.filter(has_text="didTapIncrementButton").last.get_by_role("link").click()
    action = page.get_by_role("region", name="Action", exact=True)
    expect(action).to_contain_text("form “increment” at /counter")
    action.get_by_role("link", name="What it did to").click()
    expect(page.frame_locator("iframe").get_by_text("Value: 1", exact=True)).to_be_visible()
    page.goto(viewer.url + "/developer/windows")
    expect(page.locator("[data-list=windows] > li")).to_have_count(4)
    expect(page.get_by_text("These are the windows in the recording")).to_be_visible()
    page.goto(viewer.url + "/developer/state")
    page.get_by_role("group", name="Product").get_by_role("link", name="Counter").click()
    expect(page.get_by_text("value", exact=True)).to_be_visible()

    # The products' pages are there, but nothing can be changed.
    assert raw.Session(viewer).post("/counter", "_form=increment", Accept="text/html").status == 409


@pytest.mark.parametrize("old, new, words", [
    ('"counter":{"value":0}', '"counter":{"number":0}', "Risky: this Server begins with another state"),
    ("didTapIncrementButton", "didJump", "Impossible: Line "),
])
def test_it_is_said_before_a_recording_is_shown_how_much_of_it_can_be(
        start_server, show_recording, recording, old, new, words):
    server = start_server("--record", str(recording))
    use(server, sample=False)
    assert server.terminate() == 0
    recording.write_text(recording.read_text().replace(old, new, 1))

    if words.startswith("Impossible"):
        code, output, error = replay(recording, "--serve", "--port", "0")
        assert (code, output) == (1, "") and words in error
    else:
        viewer = show_recording("--animals-limit", "5")
        assert viewer.output.startswith(words)
        assert "Risky:" in raw.get(viewer, "/developer").text


@pytest.fixture
def other_star(tmp_path):
    """Templates in which the button of an animal that is a favorite says something else."""
    return changed_templates(
        tmp_path / "Templates", "AnimalsUI/AnimalDetail.mustache", "{{#isFavorite}}true", "{{#isFavorite}}yes")


# What `--shrink` is to write. It is compiled and run with the unit tests. When the page of an animal has changed,
# replace it by what the test below finds.
SHRUNK = ROOT / "Tests" / "ServerTests" / "ShrunkTests.swift"


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("each", [40, *thorough(200)])
def test_the_smallest_difference_of_many_actions_becomes_a_swift_test(
        start_server, recording, key, other_star, tmp_path, each):
    server = start_server("--record", str(recording), "--record-key", f"{key}.pub")
    session = raw.Session(server)
    with session.stream() as stream:
        assert session.join(stream, "/animals/Dog").status == 201
        assert session.join(stream, "/counter").status == 201
        # Both lists are there.
        raw.get(server, "/animals/Dog?category=Mammal")

        def count(times):
            for _ in range(times):
                newest = int(session.post("/counter", "_form=increment").json["version"])
            stream.wait_for(newest)

        count(each)
        starred = session.post("/animals/Dog", "_form=rows&row=star~Dog", Accept="text/html")
        assert starred.status == 303
        count(each)
    assert server.terminate() == 0
    shrunk, report = tmp_path / "shrunk.jsonl", tmp_path / "report.html"

    code, output, error = replay(recording, "--key", key, "--against", BINARIES / "Server",
                                 "--templates", other_star, "--shrink", shrunk, "--report", report)

    assert code == 1, error
    assert f"{shrunk} has the smallest difference, with 2 actions" in output
    files = [shrunk, shrunk.with_suffix(".swift"), report]
    assert [path.stat().st_mode & 0o777 for path in files] == [0o600] * 3
    test = shrunk.with_suffix(".swift").read_text()
    assert without_circumstances(test) == without_circumstances(SHRUNK.read_text())


def without_circumstances(test):
    """When a window was opened, and for whom, is another each time, and whether there is libvips depends on the
    machine. None of this makes a difference here."""
    test = re.sub(r'"noPictures":"[^"]*",?', "", test)
    test = re.sub(r'Visitor\(rawValue: "[^"]*"\)', 'Visitor(rawValue: "")', test)
    return re.sub(r"timeIntervalSinceReferenceDate: [\d.]+", "timeIntervalSinceReferenceDate: 0", test)


def test_a_build_compared_with_itself_shows_no_difference(start_server, recording):
    server = start_server("--record", str(recording))
    look_and_use(server)
    wait_until(lambda: "didFetchQuakes" in recording.read_text(), "the sample is recorded")
    assert server.terminate() == 0

    code, output, error = replay(recording, "--against", BINARIES / "Server")

    assert (code, error) == (0, "")
    lines = lines_played(recording)
    assert output == f"Both Servers make the same of {lines} lines.\n"


def test_a_program_that_is_not_a_server_is_refused_for_comparison(start_server, recording, tmp_path):
    server = start_server("--record", str(recording))
    assert server.terminate() == 0

    code, _, error = replay(recording, "--against", "/bin/true")
    assert (code, "/bin/true" in error) == (1, True)
    code, _, error = replay(recording, "--against", tmp_path / "nothing")
    assert (code, f"{tmp_path / 'nothing'} cannot be run" in error) == (1, True)
    code, _, error = replay(recording, "--shrink", tmp_path / "shrunk.jsonl")
    assert (code, "--report and --shrink need --against" in error) == (64, True)


@pytest.mark.parametrize("name", ["shrunk.jsonl", "shrunk.swift", "report.html"])
def test_a_comparison_overwrites_no_file(start_server, recording, tmp_path, name):
    server = start_server("--record", str(recording))
    assert server.terminate() == 0
    (tmp_path / name).write_text("precious")
    before = set(tmp_path.iterdir())

    # It fails before the comparison, for which there is no program.
    code, output, error = replay(
        recording, "--against", tmp_path / "nothing",
        "--shrink", tmp_path / "shrunk.jsonl", "--report", tmp_path / "report.html")

    assert (code, output) == (1, "")
    assert error.splitlines() == [f"Error: {tmp_path / name} already exists. Choose another name, or remove it."]
    assert (tmp_path / name).read_text() == "precious"
    assert set(tmp_path.iterdir()) == before


def test_a_comparison_without_differences_leaves_no_empty_file(start_server, recording, tmp_path):
    server = start_server("--record", str(recording))
    assert server.terminate() == 0
    before = set(tmp_path.iterdir())

    code, _, error = replay(
        recording, "--against", BINARIES / "Server", "--shrink", tmp_path / "shrunk.jsonl")

    assert (code, error) == (0, "")
    assert set(tmp_path.iterdir()) == before


def test_an_interrupted_comparison_leaves_no_file(start_server, recording, tmp_path):
    """The empty files stayed, so the same command was refused afterwards."""
    server = start_server("--record", str(recording))
    assert server.terminate() == 0
    other, started = tmp_path / "other", tmp_path / "started"
    other.write_text(f"#!/bin/sh\n: > {started}\nexec sleep 1000\n")
    other.chmod(0o755)
    before = set(tmp_path.iterdir())
    comparison = subprocess.Popen(
        [BINARIES / "Server", "replay", recording, "--against", other,
         "--shrink", tmp_path / "shrunk.jsonl", "--report", tmp_path / "report.html"],
        cwd=ROOT, start_new_session=True)
    wait_until(started.exists, "the other program runs")

    os.killpg(comparison.pid, signal.SIGTERM)

    assert comparison.wait() == -signal.SIGTERM
    assert set(tmp_path.iterdir()) - {started} == before


def test_a_comparison_does_not_write_two_results_to_one_file(start_server, recording, tmp_path):
    server = start_server("--record", str(recording))
    assert server.terminate() == 0
    before = set(tmp_path.iterdir())

    code, _, error = replay(
        recording, "--against", tmp_path / "nothing", "--shrink", tmp_path / "shrunk.swift")

    assert (code, "shrunk.swift already exists" in error) == (1, True)
    assert set(tmp_path.iterdir()) == before


def test_a_server_that_starts_again_continues_the_recording(start_server, recording):
    """As under systemd, whose unit names the same file each time."""
    server = start_server("--record", str(recording))
    raw.Session(server).post("/counter", "_form=increment")
    server.restart()
    raw.Session(server).post("/counter", "_form=decrement")
    assert server.terminate() == 0

    assert sorted(file.name for file in recording.parent.glob("*.jsonl*")) == ["actions.2.jsonl", "actions.jsonl"]
    for file in [recording, recording.with_name("actions.2.jsonl")]:
        code, output, error = replay(file)
        assert (code, error) == (0, "") and "The same" in output


def test_two_servers_do_not_write_one_recording(start_server, recording):
    start_server("--record", str(recording))

    code, output, error = run("--port", "0", "--data-directory", recording.parent / "data", "--record", recording)

    assert (code, output) == (1, "")
    assert error == f"Error: {recording} is being written by another process. Choose another name.\n"


def test_no_file_is_overwritten(start_server, recording):
    recording.write_text("precious")
    process = launch(BINARIES / "Server", "--port", "0", "--record", str(recording))
    _, error = process.communicate(timeout=PATIENCE)

    assert process.returncode == 1
    assert error == f"Error: {recording} already exists. Choose another name, or remove it.\n"
    assert recording.read_text() == "precious"


def test_a_failed_start_leaves_no_recording_and_closes_the_databases(start_server, recording, tmp_path):
    server = start_server()
    arguments = ["--record", str(recording), "--data-directory", str(tmp_path / "data")]
    code, output, error = run("--port", str(server.port), *arguments)

    assert (code, output) == (1, "") and "is in use" in error
    assert not recording.exists()
    assert [file.name for file in (tmp_path / "data").iterdir() if file.name.endswith("-wal")] == []
    # A start after that works.
    start_server(*arguments)
    assert recording.exists()


def test_a_replay_says_that_no_state_was_compared(start_server, recording):
    server = start_server("--record", str(recording))
    raw.Session(server).post("/counter", "_form=increment", Accept="text/html")
    assert server.terminate() == 0
    text = recording.read_text()
    assert '"counter":{"value":0}' in text
    recording.write_text(text.replace('"counter":{"value":0}', '"counter":{"number":0}', 1))

    code, output, error = replay(recording, "--animals-limit", "5")

    assert (code, error) == (0, "")
    assert "After 1 action only refusals were compared" in output and "No states were compared." in output
    assert "The same" not in output


@pytest.mark.parametrize("is_sealed", [False, True])
def test_a_recording_may_come_through_a_pipe(start_server, recording, key, is_sealed, tmp_path):
    """As from another machine: it can be read only once."""
    sealing = ["--record-key", f"{key}.pub"] if is_sealed else []
    server = start_server("--record", str(recording), *sealing)
    raw.Session(server).post("/counter", "_form=increment")
    assert server.terminate() == 0

    def replay_piped(*options):
        command = [BINARIES / "Server", "replay", "/dev/stdin", *options, *(["--key", key] if is_sealed else [])]
        return subprocess.run(
            command, cwd=ROOT, input=recording.read_bytes(), capture_output=True, timeout=120)

    replayed = replay_piped()
    assert (replayed.returncode, replayed.stderr) == (0, b"")
    assert b"The same" in replayed.stdout
    compared = replay_piped("--against", BINARIES / "Server")
    assert (compared.returncode, compared.stderr) == (0, b"")
    assert compared.stdout.startswith(b"Both Servers make the same of ")


@pytest.mark.parametrize("content", ["", "nothing of ours\n", '{"format":99,"digest":""}\n'])
def test_a_file_that_is_not_a_recording_is_refused(recording, content):
    recording.write_text(content)
    code, output, error = replay(recording)
    assert (code, output) == (1, "")
    assert str(recording) in error


@pytest.mark.parametrize("version", [2 ** 64 - 2, 2 ** 64 - 1])
def test_a_recording_with_a_version_that_no_server_reaches_is_refused(start_server, recording, version):
    server = start_server("--record", str(recording))
    raw.Session(server).post("/counter", "_form=increment")
    assert server.terminate() == 0
    text = recording.read_text()
    assert (action := re.search(r'"time":[\d.]+,"version":(1)}', text))
    recording.write_text(text[:action.start(1)] + str(version) + text[action.end(1):])

    for options in [[], ["--play"], ["--serve", "--port", "0"]]:
        code, _, error = replay(recording, *options)
        assert code == 1
        assert "has a version that no server reaches." in error
