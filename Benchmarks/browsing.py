"""Benchmarks that measure a Server in a browser."""

import os
import signal
import sys
import tempfile

from playwright.sync_api import sync_playwright

from engines import chromium
from harness import Failure, measured, publish, running, server_binary


def update(name, measure, report):
    """Updates a section of README.md. `measure` receives a browser and the port of a Server; `report` makes text of
    what it returns."""

    def run():
        with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
            command = [server_binary(), "--port", "0", "--data-directory", data, "--quakes-feed", "sample"]
            with running("Server", command, os.sched_getaffinity(0)) as (port, _):
                browser = chromium.launch(playwright)
                results = measure(browser, port)
                browser.close()
                return f"The Server is `{command[0]}`.\n\n{report(results)}"

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(f"{name}: terminated"))
    try:
        publish({name: measured(name, run, server_binary)}, "--print" in sys.argv)
    except Failure as failure:
        sys.exit(f"{name}: {failure}")
