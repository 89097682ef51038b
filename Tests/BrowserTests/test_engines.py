"""What the tests do when a browser crashes."""

import contextlib
import os
import pathlib
import signal

import pytest
from playwright.sync_api import Error

import engines
from conftest import skipping


def descendants(process):
    """The ids of the processes that a process has started, and that those have started."""
    children = pathlib.Path(f"/proc/{process}/task").glob("*/children")
    with contextlib.suppress(OSError):
        for child in [int(child) for file in children for child in file.read_text().split()]:
            yield from [child, *descendants(child)]


def test_only_the_test_that_runs_fails_when_its_browser_crashes(launch, request):
    others = set(descendants(os.getpid()))
    browser = launch()
    page = browser.new_page()
    for process in set(descendants(os.getpid())) - others:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)

    with pytest.raises(RuntimeError, match=f"{request.config.option.engine} has crashed during this test"):
        with skipping(request.node):
            page.goto("about:blank")

    browser.new_page().goto("about:blank")
    with pytest.raises(Error, match="closed"), skipping(request.node):
        page.goto("about:blank")  # no crash is told twice
    assert engines.take_crashes() == 0
