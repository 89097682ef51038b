"""
`Server replay` of another build: one of which a reducer and a selector were changed, or a template. The build takes
minutes, so these tests run only with MUTATIONS=1 (`make mutations`). Nothing else may build or test meanwhile.
"""

import contextlib
import os
import re
import shutil
import subprocess

import pytest

import raw
from servers import BINARIES, ROOT

pytestmark = [
    pytest.mark.skipif("MUTATIONS" not in os.environ, reason="make mutations"), pytest.mark.timeout(3_000)]

COUNTS = 40
ANIMAL = "/animals/Dog?category=Mammal"


@pytest.fixture
def key(tmp_path):
    """The file of a private key. That of the public one has `.pub` behind it."""
    key = tmp_path / "key"
    subprocess.run([BINARIES / "Server", "recording-key", key], check=True)
    return key


@pytest.fixture
def record(start_server, key, tmp_path):
    """Records some use of two products. Returns the recording, and the versions of what was posted, by what it did."""
    def make(marks=True):
        recording = tmp_path / "recording.jsonl"
        server = start_server("--record", str(recording), "--record-key", f"{key}.pub")
        session, versions = raw.Session(server), {}
        with session.stream() as stream:
            for at in [ANIMAL, "/counter"]:
                assert session.join(stream, at).status == 201
            # Both lists are there.
            raw.get(server, ANIMAL)

            def count(values):
                for value in values:
                    versions[value] = int(session.post("/counter", "_form=increment").json["version"])
                    stream.wait_for(versions[value])

            count(range(1, COUNTS // 2 + 1))
            if marks:
                assert session.post(ANIMAL, "_form=rows&row=star~Dog", Accept="text/html").status == 303
            count(range(COUNTS // 2 + 1, COUNTS + 1))
        assert server.terminate() == 0
        return recording, versions

    return make


@contextlib.contextmanager
def changed(name, old, new):
    """Meanwhile a file of the project says something else."""
    file = ROOT / name
    text = file.read_text()
    assert text.count(old) == 1, name
    file.write_text(text.replace(old, new))
    try:
        yield
    finally:
        file.write_text(text)


def build():
    subprocess.run(["swift", "build", "--product", "Server"], cwd=ROOT, check=True)


@pytest.fixture(scope="module")
def mutated(tmp_path_factory):
    """A Server with another reducer of Animals and another selector of the Counter. The first difference is that of
    the reducer if an animal was marked, and that of the selector otherwise. The usual Server, which makes the
    recordings, is built again."""
    reducer = changed(
        "Sources/AnimalsData/AnimalsReducer.swift",
        "      self.animals.table[animal.id] = animal\n      self.animals.setStatus(.success, of: id)\n",
        "      self.animals.table[animal.id] = nil\n      self.animals.setStatus(.success, of: id)\n")
    selector = changed(
        "Sources/CounterData/CounterState.swift", "{ state in state.value }", "{ state in min(state.value, 30) }")
    try:
        with reducer, selector:
            build()
            return shutil.copy(BINARIES / "Server", tmp_path_factory.mktemp("mutated"))
    finally:
        build()


def replay(server, recording, key, *options):
    """Exit code, standard output and standard error."""
    done = subprocess.run(
        [server, "replay", recording, "--key", key, *options], cwd=ROOT, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_a_changed_reducer_is_named(mutated, record, key):
    recording, versions = record()

    code, output, error = replay(mutated, recording, key)

    assert code == 1
    found = re.search(r"line \d+, version (\d+), animals\.data\.persistentSession\.didMarkAnimal", error)
    assert versions[COUNTS // 2] < int(found[1]) < versions[COUNTS // 2 + 1]
    assert re.search(r"^/animals/animals/.*Dog", output, re.M)


def test_a_changed_selector_is_named(mutated, record, key):
    recording, versions = record(marks=False)

    code, output, error = replay(mutated, recording, key)

    assert code == 1
    assert re.search(
        rf"line \d+, version {versions[31]}, window [\w-]{{22}}, /counter, region number: both sides have it", error)
    changes = [line for line in output.splitlines() if line[0] in "+-"]
    assert changes[:2] == ["- 31", "+ 30"]


def test_a_changed_template_is_named(record, key, tmp_path):
    recording, versions = record()
    assert replay(BINARIES / "Server", recording, key)[0] == 0
    templates = tmp_path / "Templates"
    shutil.copytree(ROOT / "Templates", templates)
    template = templates / "AnimalsUI" / "AnimalDetail.mustache"
    template.write_text(template.read_text().replace("{{#isFavorite}}true", "{{#isFavorite}}yes"))

    code, output, error = replay(BINARIES / "Server", recording, key, "--templates", templates)

    assert code == 1
    found = re.search(r"version (\d+), window [\w-]{22}, /animals/Dog\S*, region detail: both sides have it", error)
    assert versions[COUNTS // 2] < int(found[1]) < versions[COUNTS // 2 + 1]
    assert 'aria-pressed="true"' in output and 'aria-pressed="yes"' in output
