"""
The engines that the browser tests run in: Debian's chromium, its firefox-esr and its WebKitGTK, all
driven by Playwright. Tests do not know in which of them they run. What an engine cannot be told
raises an error that says so, and the test is skipped with it as the reason.
"""

import contextlib
import os
from unittest import mock

from playwright.sync_api import sync_playwright

from . import chromium, firefox, webkit
from .browser import take_crashes

ENGINES = {"chromium": chromium, "firefox": firefox, "webkit": webkit}


@contextlib.contextmanager
def launched(name):
    """A browser with this engine; it ends with the block."""
    with engine(name) as launch:
        yield launch()


@contextlib.contextmanager
def engine(name):
    """A function that launches browsers with this engine; they end with the block."""
    module = ENGINES[name]
    with module.environment() as variables, mock.patch.dict(os.environ, variables):
        with sync_playwright() as playwright:
            browsers = []

            def launch(**options):
                browsers.append(module.launch(playwright, **options))
                return browsers[-1]

            yield launch
            for browser in browsers:
                browser.close()


def reason_to_skip(name, error):
    """What an error says that this engine cannot do, if that is what it says."""
    match = ENGINES[name].CANNOT and ENGINES[name].CANNOT.search(str(error))
    return match and f"{name}: {match[0]}"
