"""The program that README.md prints compiles and runs as it is printed."""

import shutil
import socket
import subprocess
import urllib.request

import pytest

from readme import build, printed_files
from servers import ROOT
from waiting import wait_until


@pytest.fixture(scope="module")
def counter_folder(tmp_path_factory):
    """The files of README.md, and those that it says to copy."""
    folder = tmp_path_factory.mktemp("Counter")
    for path, text in printed_files().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (folder / "Public").mkdir()
    for file in (ROOT / "Public").iterdir():
        if file.is_file():
            shutil.copy(file, folder / "Public")
    shutil.copytree(ROOT / "Templates/ImmutableServer", folder / "Templates/ImmutableServer")
    return folder


@pytest.fixture(scope="module")
def program(counter_folder):
    return build(sorted(counter_folder.glob("Sources/Counter/*.swift")), "Counter", counter_folder)


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


def test_the_package_of_the_readme_has_a_valid_manifest(counter_folder):
    result = subprocess.run(
        ["swift", "package", "dump-package"], cwd=counter_folder, capture_output=True, timeout=120
    )

    assert result.returncode == 0, result.stderr.decode()


def test_the_counter_of_the_readme_works(program, counter_folder):
    port = free_port()
    process = subprocess.Popen([program, str(port)], cwd=counter_folder)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: is_up(url), "the Counter listens", 20)
        assert "Value: 0" in ask(url)

        shown = ask(url, b"_form=increment")

        assert "Value: 1" in shown and "Value: 1" in ask(url)
        assert "<title>Counter</title>" in shown
    finally:
        process.terminate()
        assert process.wait(20) == 0


def test_a_start_error_of_the_counter_is_one_sentence(program, counter_folder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = subprocess.run(
            [program, str(port)], cwd=counter_folder, text=True, capture_output=True, timeout=30
        )

    assert result.returncode == 1
    assert result.stderr == (
        f"Error: 127.0.0.1:{port} is in use. Stop that program, or choose another port.\n"
    )


def test_a_missing_folder_is_reported_in_one_sentence(program, counter_folder, tmp_path):
    shutil.copytree(counter_folder / "Templates", tmp_path / "Templates")

    result = subprocess.run([program], cwd=tmp_path, text=True, capture_output=True, timeout=30)

    assert result.returncode == 1
    assert result.stderr.startswith("Error: There is no folder Public")
    assert len(result.stderr.splitlines()) == 1 and "--" not in result.stderr
