"""The packages that README.md and docs/TUTORIAL.md print build, run and pass their tests as they are printed."""

import contextlib
import json
import re
import shutil
import socket
import subprocess
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from readme import build_program, build_tests, imports, manifest, run, write_package
from servers import ROOT
from waiting import wait_until

PAGES = {"Counter": "README.md", "Notes": "docs/TUTORIAL.md"}
PACKAGES = pytest.mark.parametrize("name", PAGES)
# Compiling takes a few seconds, but much longer on a busy machine.
pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Makes the folder of a package, once."""
    made = {}

    def make(name):
        if name not in made:
            made[name] = write_package(PAGES[name], tmp_path_factory.mktemp(name))
        return made[name]

    return make


@pytest.fixture(scope="module")
def program(folder):
    """Builds the program of a package, once."""
    built = {}

    def build(name):
        if name not in built:
            built[name] = build_program(folder(name), name)
        return built[name]

    return build


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def ask(url, body=None):
    request = urllib.request.Request(url, body, headers={"Sec-Fetch-Site": "none"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.read().decode()


def is_up(url):
    try:
        return ask(url + "/healthz") is not None
    except OSError:
        return False


@contextlib.contextmanager
def running(program, folder, *arguments, port, environment=None):
    process = subprocess.Popen([program, *arguments], cwd=folder, env=environment)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: is_up(url), "the program listens", 20)
        yield url
    finally:
        process.terminate()
        assert process.wait(20) == 0


@PACKAGES
def test_each_target_of_a_printed_package_depends_on_what_it_imports(folder, name):
    library = set(re.findall(r'\.library\(name: "(\w+)"', (ROOT / "Package.swift").read_text()))
    for target in manifest(folder(name))["targets"]:
        used = {(value.get("product") or value.get("byName"))[0] for value in target["dependencies"]}
        path = f"{'Tests' if target['type'] == 'test' else 'Sources'}/{target['name']}"

        assert used == imports(folder(name), path)
        assert used - {name} <= library


@PACKAGES
def test_the_tests_of_a_printed_package_pass(folder, name):
    tests = build_tests(folder(name), name)

    output = run(tests, "--testing-library", "swift-testing", cwd=folder(name))

    assert " passed after " in output and "with 0 tests" not in output


def test_the_counter_of_the_readme_works(program, folder):
    port = free_port()
    with running(program("Counter"), folder("Counter"), str(port), port=port) as url:
        assert "Value: 0" in ask(url)

        shown = ask(url, b"_form=increment")

        assert "Value: 1" in shown and "Value: 1" in ask(url)
        assert "<title>Counter</title>" in shown


def test_the_notes_of_the_tutorial_work(program, folder, context, tmp_path):
    port = free_port()
    environment = {"PORT": str(port), "DATA": str(tmp_path / "data"), "PROXIES": "127.0.0.1,::1"}
    with running(program("Notes"), folder("Notes"), port=port, environment=environment) as url:
        page, other = context.new_page(), context.new_page()
        for window in (page, other):
            window.goto(url)
            expect(window.locator("html[data-live]")).to_be_attached()

        page.get_by_role("link", name="Add note").click()
        page.get_by_label("Text").fill("Buy milk")
        page.get_by_label("Done").check()
        page.get_by_role("button", name="Save").click()

        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(other.get_by_role("link", name="✓ Buy milk")).to_be_visible()
        other.get_by_label("Search").fill("bread")
        expect(other.get_by_text("No note contains “bread”")).to_be_visible()

        page.get_by_role("link", name="Buy milk").click()
        page.get_by_role("button", name="Delete").click()
        expect(page.get_by_text("“Buy milk” deleted.")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("link", name="✓ Buy milk")).to_be_visible()

    # A second start reads what the first has saved.
    with running(program("Notes"), folder("Notes"), port=port, environment=environment) as url:
        assert "✓ Buy milk" in ask(url)
    [note] = json.loads((tmp_path / "data/notes.json").read_text())
    assert (note["text"], note["isDone"]) == ("Buy milk", True)


def test_a_note_without_text_is_refused_without_javascript(program, folder, tmp_path):
    port = free_port()
    environment = {"PORT": str(port), "DATA": str(tmp_path)}
    with running(program("Notes"), folder("Notes"), port=port, environment=environment) as url:
        with pytest.raises(urllib.error.HTTPError) as answer:
            ask(url + "/?sheet=add", b"_form=save&_token=one&text=+&isDone=true")

        page = answer.value.read().decode()
        assert answer.value.code == 422
        assert "Enter a text." in page and "checked" in page


def test_systemd_accepts_the_unit_of_the_tutorial(program, folder, tmp_path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd here")
    text = (folder("Notes") / "notes.service").read_text()
    assert "ExecStart=/opt/notes/Notes\n" in text
    unit = tmp_path / "notes.service"
    unit.write_text(text.replace("/opt/notes/Notes", str(program("Notes"))))

    assert run("systemd-analyze", "verify", "--man=no", unit) == ""


def test_a_start_error_of_the_counter_is_one_sentence(program, folder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = subprocess.run(
            [program("Counter"), str(port)], cwd=folder("Counter"), text=True, capture_output=True,
            timeout=30,
        )

    assert result.returncode == 1
    assert result.stderr == (
        f"Error: 127.0.0.1:{port} is in use. Stop that program, or choose another port.\n"
    )


def test_a_missing_folder_is_reported_in_one_sentence(program, folder, tmp_path):
    shutil.copytree(folder("Counter") / "Templates", tmp_path / "Templates")

    result = subprocess.run(
        [program("Counter")], cwd=tmp_path, text=True, capture_output=True, timeout=30
    )

    assert result.returncode == 1
    assert result.stderr.startswith("Error: There is no folder Public")
    assert len(result.stderr.splitlines()) == 1 and "--" not in result.stderr
