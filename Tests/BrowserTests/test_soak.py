"""Benchmarks/soak.py for some seconds: windows come and go, and none is stale in the end."""

import argparse
import asyncio
import concurrent.futures
import os
import pathlib
import random
import re
import secrets
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Benchmarks"))

import shown  # noqa: E402
import soak  # noqa: E402
from harness import Failure  # noqa: E402
from servers import run  # noqa: E402


@pytest.fixture
def run_soak(start_server):
    """Runs a soak test against its own Server; returns the output."""

    def run(windows, seconds, rate=20, options=()):
        server = start_server("--quakes-feed", "sample", *options)
        seed = int(os.environ.get("SEED") or secrets.randbits(32))
        print(f"seed {seed}")
        arguments = argparse.Namespace(windows=windows, seconds=seconds, rate=rate)
        run = soak.Soak(server.port, server.process_id, random.Random(seed), arguments).run
        # In a thread of its own: in that of the tests Playwright has a loop that runs.
        with concurrent.futures.ThreadPoolExecutor(1) as executor:
            lines = executor.submit(lambda: asyncio.run(run())).result()
        assert server.terminate() == 0
        return lines

    return run


def test_a_soak_run_leaves_no_stale_window_and_no_resources(run_soak):
    lines = run_soak(windows=40, seconds=5)

    assert "each shows what its page shows" in lines[2]
    assert lines[3].endswith("no windows")


@pytest.mark.long
@pytest.mark.thorough
@pytest.mark.timeout(300)
def test_a_recorded_soak_run_is_replayed_in_another_process(run_soak, tmp_path):
    recording, key = tmp_path / "soak.jsonl", tmp_path / "key"
    assert run("Server", "recording-key", key, timeout=20)[0] == 0
    run_soak(windows=20, seconds=5, rate=10, options=["--record", str(recording), "--record-key", f"{key}.pub"])

    code, output, error = run("Server", "replay", recording, "--key", key, timeout=240)

    assert (code, error) == (0, "")
    actions, pages = map(int, re.fullmatch(r"The same: (\d+) actions, (\d+) changes of pages\.\n", output).groups())
    assert actions >= 20 and pages >= 20


def test_memory_that_each_course_leaves_is_detected(run_soak, monkeypatch):
    sizes = iter(range(100 << 20, 1000 << 20, 17 << 20))
    monkeypatch.setattr(soak.Soak, "memory", lambda _: next(sizes))

    with pytest.raises(Failure, match="each course leaves more: "):
        run_soak(windows=5, seconds=0.5)


def test_a_window_that_misses_a_frame_is_detected(run_soak, monkeypatch):
    """Windows that are left out of every frame: the soak must see that."""
    take, compare = soak.Browser.take, soak.Soak.compare

    def deaf(browser, name, data):
        if name != "frame":
            take(browser, name, data)

    def compare_impatiently(run):
        monkeypatch.setattr(soak, "PATIENCE_SECONDS", 1)
        return compare(run)

    monkeypatch.setattr(soak.Browser, "take", deaf)
    monkeypatch.setattr(soak.Soak, "address", lambda _: "/counter")
    monkeypatch.setattr(soak.Soak, "compare", compare_impatiently)

    with pytest.raises(Failure, match="windows are stale; /counter"):
        run_soak(windows=20, seconds=1)


PAGE = """<main><div data-region="root" data-tag="{tag}"><h1>Two</h1><div data-region="list"
data-tag="L"><ul data-list="rows"><li data-key="1"><a href="?x">One</a></li>{row}</ul>
</div></div></main>"""
SHOWN = [
    ["root", "R", '<h1>Two</h1><div data-region="list"></div>'],
    ["list", "K", '<ul data-list="rows"><li data-key="1"><a>One</a></li><li data-key="3"><a>3</a></li></ul>'],
]
EDITS = [["root", "R", [[0, "Two"]]], ["list", "L", None, {"rows": [
    ["edit", "1", [[0, "One"], [0, "n", "class"]]], ["edit", "1", [[0, None, "class"]]],
    ["put", "2", '<li data-key="2"><a>Two</a></li>', "3"], ["cut", "3"],
]}]]
PATCH = [["list", "L", None, {"rows": [
    ["put", "2", '<li data-key="2"><a>Two</a></li>', "3"], ["cut", "3"],
]}]]


@pytest.mark.parametrize("patches, row, tag, found", [
    (PATCH, '<li data-key="2"><a href="?y">Two</a></li>', "R", None),
    (EDITS, '<li data-key="2"><a href="?y">Two</a></li>', "R", None),
    (PATCH, '<li data-key="2"><a href="?y">To</a></li>', "R", "content"),
    (PATCH, '<li data-key="9"><a href="?y">Two</a></li>', "R", "content"),
    (PATCH, "", "R", "content"),
    (PATCH, '<li data-key="2"><a href="?y">Two</a></li>', "S", "tags"),
    ([], '<li data-key="2"><a href="?y">Two</a></li>', "R", "content"),
], ids=["equal", "edited", "another text", "another key", "a row too few", "another tag", "no patch"])
def test_the_shown_content_is_compared_with_a_page(patches, row, tag, found):
    regions = shown.patched(shown.patched({}, SHOWN), patches)

    difference = shown.difference(shown.document(regions), shown.page(PAGE.format(row=row, tag=tag)))

    assert (difference or "").split(":")[0] == (found or "")


@pytest.mark.parametrize("operation, keys", [
    (["set", "b", "<li>x</li>"], "abc"),
    (["edit", "b", [[[], "x"]]], "abc"),
    (["put", "d", "<li>x</li>", None], "abcd"),
    (["put", "d", "<li>x</li>", "a"], "dabc"),
    (["cut", "b"], "ac"),
    (["move", "c", "a"], "cab"),
    (["move", "a", None], "bca"),
    (["order", ["c", "a", "b"]], "cab"),
])
def test_row_operations_follow_the_protocol(operation, keys):
    rows = tuple((key, f"<li>{key}</li>") for key in "abc")

    assert "".join(key for key, _ in shown.operate(rows, soak.json.dumps([operation]))) == keys


@pytest.mark.parametrize("patches", [
    [["list", "L", None, {"rows": [["cut", "9"]]}]],
    [["elsewhere", "L", None, {}]],
    [["list", "L", None, {"rows": [["edit", "1", [[1, "x"]]]]}]],
    [["root", "L", [[[0, 0], "x", "class"]]]],
], ids=["a row that is not there", "a region that is not there", "an element that is not in a row",
        "an element that is not in a region"])
def test_a_patch_that_does_not_fit_is_detected(patches):
    with pytest.raises(shown.Misfit):
        shown.patched(shown.patched({}, SHOWN), patches)
