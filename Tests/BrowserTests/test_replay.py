"""A Server that records its actions, and what `Server replay` makes of the file."""

import json
import re
import threading

import pytest

import raw
from servers import BINARIES, launch
from waiting import wait_until


@pytest.fixture
def recording(tmp_path):
    return tmp_path / "actions.jsonl"


def replay(recording):
    """Exit code, standard output and standard error."""
    process = launch(BINARIES / "Server", "replay", str(recording))
    try:
        output, error = process.communicate(timeout=60)
    finally:
        process.kill()
    return process.returncode, output, error


def use(server):
    """Something of every product."""
    session = raw.Session(server)
    raw.get(server, "/animals/Dog?category=Mammal")
    for page, fields in [
        ("/counter", "_form=increment"),
        ("/animals/Dog?category=Mammal", "_form=rows&star=add~Dog"),
        ("/animals", "_form=save&_token=one&anyway=yes&name=Otter&category=Mammal&diet=Carnivore"),
        ("/quakes", "_form=sample"),
        ("/animals", "_form=rows&delete=Nobody"),
        ("/counter", "_form=decrement"),
    ]:
        session.post(page, fields, Accept="text/html")


def test_what_was_recorded_is_carried_out_again_in_another_process(start_server, recording):
    server = start_server("--record", str(recording), "--quakes-feed", "sample")
    use(server)
    wait_until(lambda: "quakes" in recording.read_text(), "the sample is recorded")
    assert server.terminate() == 0

    code, output, error = replay(recording)

    assert (code, error) == (0, "")
    actions = len(recording.read_text().splitlines()) - 1
    assert output == f"{actions} actions led to the same states.\n"
    assert actions > 10
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
    assert int(re.match(r"\d+", output)[0]) >= recording.read_bytes().count(b"\n") - 1


def test_a_recording_that_was_changed_is_found_at_its_line(start_server, recording):
    server = start_server("--record", str(recording))
    use(server)
    assert server.terminate() == 0
    lines = recording.read_text().splitlines()
    changed = next(number for number, line in enumerate(lines) if "didTapDecrementButton" in line)
    lines[changed] = lines[changed].replace("didTapDecrementButton", "didTapIncrementButton")
    recording.write_text("\n".join(lines) + "\n")

    code, output, error = replay(recording)

    assert (code, output) == (1, "")
    version = json.loads(lines[changed])["version"]
    assert f"line {changed + 1}, version {version}, counter.didTapIncrementButton" in error
    assert "/counter/value: 1 → 2" in error


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
