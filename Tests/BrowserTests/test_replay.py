"""A Server that records its actions, and what `Server replay` makes of the file."""

import json
import re
import shutil
import threading

import pytest
from playwright.sync_api import expect

import raw
from servers import BINARIES, ROOT, launch
from waiting import wait_until


@pytest.fixture
def recording(tmp_path):
    return tmp_path / "actions.jsonl"


def replay(recording, *options):
    """Exit code, standard output and standard error."""
    process = launch(BINARIES / "Server", "replay", str(recording), *map(str, options))
    try:
        output, error = process.communicate(timeout=120)
    finally:
        process.kill()
    return process.returncode, output, error


def use(server, steps=None):
    """Something of every product, or some steps of it."""
    session = raw.Session(server)
    raw.get(server, "/animals/Dog?category=Mammal")
    for page, fields in [
        ("/counter", "_form=increment"),
        ("/animals/Dog?category=Mammal", "_form=rows&star=add~Dog"),
        ("/animals", "_form=save&_token=one&anyway=yes&name=Otter&category=Mammal&diet=Carnivore"),
        ("/quakes", "_form=sample"),
        ("/animals", "_form=rows&delete=Nobody"),
        ("/counter", "_form=decrement"),
    ][:steps]:
        session.post(page, fields, Accept="text/html")


def look_and_use(server):
    """The same, while windows show each of the products."""
    session = raw.Session(server)
    with session.stream() as stream:
        for at in ["/", "/counter", "/animals/Dog?category=Mammal", "/quakes?sort=magnitude"]:
            assert session.join(stream, at).status == 201
        use(server)
        before = int(session.post("/counter", "_form=increment").json["version"])
        stream.wait_for(before)


def test_what_was_recorded_is_carried_out_again_in_another_process(start_server, recording):
    server = start_server("--record", str(recording), "--quakes-feed", "sample")
    look_and_use(server)
    wait_until(lambda: "didFetchQuakes" in recording.read_text(), "the sample is recorded")
    assert server.terminate() == 0

    code, output, error = replay(recording)

    assert (code, error) == (0, "")
    actions, pages = map(int, re.fullmatch(
        r"The same: (\d+) actions, (\d+) changes of pages\.\n", output).groups())
    assert actions == recording.read_text().count('"action":') > 10
    assert pages == recording.read_text().count('"tags":') > 10
    assert recording.stat().st_mode & 0o777 == 0o600


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


def files_of(recording):
    """The files of a recording, the oldest first."""
    numbered = recording.parent.glob(f"{recording.stem}.*{recording.suffix}")
    numbers = {int(path.suffixes[0][1:]): path for path in numbered if len(path.suffixes) == 2}
    return [recording] * recording.exists() + [path for _, path in sorted(numbers.items())]


@pytest.mark.timeout(300)
def test_a_recording_of_several_files_survives_a_kill(
        start_server, recording, other_build, tmp_path):
    server = start_server("--record", str(recording), "--record-megabytes", "1")
    use(server, 3)
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
        if path != files[-1]:
            assert actions > 50 and pages > 5
    assert "didFetchAnimals" not in files[1].read_text()
    assert '"checkpoint":{"animals":{"animals":' in files[1].read_text()

    # Each is as good as a first one for comparing builds, too.
    lines = sum('"checkpoint":' not in line for line in files[1].read_text().splitlines()) - 1
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
    use(server)
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


@pytest.fixture
def other_build(tmp_path):
    """A Server with templates of its own, in which the counter has another word."""
    folder = tmp_path / "other"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "Server").symlink_to(BINARIES / "Server")
    shutil.copytree(ROOT / "Templates", folder / "Templates")
    template = folder / "Templates" / "CounterUI" / "CounterNumber.mustache"
    template.write_text(template.read_text().replace("Value:", "Worth:"))
    return folder / "bin" / "Server"


@pytest.mark.timeout(300)
def test_two_builds_are_compared(start_server, recording, other_build, tmp_path, page):
    server = start_server("--record", str(recording))
    look_and_use(server)
    assert server.terminate() == 0
    report, shrunk = tmp_path / "report.html", tmp_path / "shrunk.jsonl"

    code, output, error = replay(
        recording, "--against", other_build, "--report", report, "--shrink", shrunk)

    assert code == 1
    assert "/counter, region number" in output
    assert "- Worth: 1" in output and "+ Value: 1" in output
    differences = int(re.search(r"The Servers differ (\d+) times\.", error)[1])
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


def test_a_build_is_the_same_as_itself(start_server, recording):
    server = start_server("--record", str(recording))
    look_and_use(server)
    assert server.terminate() == 0

    code, output, error = replay(recording, "--against", BINARIES / "Server")

    assert (code, error) == (0, "")
    lines = len(recording.read_text().splitlines()) - 1
    assert output == f"Both Servers make the same of {lines} lines.\n"


def test_what_is_no_server_is_not_compared_with(start_server, recording, tmp_path):
    server = start_server("--record", str(recording))
    assert server.terminate() == 0

    code, _, error = replay(recording, "--against", "/bin/true")
    assert (code, "/bin/true" in error) == (1, True)
    code, _, error = replay(recording, "--against", tmp_path / "nothing")
    assert (code, f"{tmp_path / 'nothing'} cannot be run" in error) == (1, True)
    code, _, error = replay(recording, "--shrink", tmp_path / "shrunk.jsonl")
    assert (code, "--report and --shrink need --against" in error) == (64, True)


def test_no_file_is_written_over(start_server, recording):
    recording.write_text("precious")
    process = launch(BINARIES / "Server", "--port", "0", "--record", str(recording))
    _, error = process.communicate(timeout=20)

    assert process.returncode == 1
    assert f"{recording} cannot be made" in error
    assert recording.read_text() == "precious"


@pytest.mark.parametrize("content", ["", "nothing of ours\n", '{"format":99,"digest":""}\n'])
def test_what_is_no_recording_is_refused(recording, content):
    recording.write_text(content)
    code, output, error = replay(recording)
    assert (code, output) == (1, "")
    assert str(recording) in error
