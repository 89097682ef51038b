"""
The engines that the browser tests run in: Debian's chromium, its firefox-esr and its WebKitGTK, all
driven by Playwright. Tests do not know in which of them they run. What an engine cannot be told
raises an error that says so, and the test is skipped with it as the reason.
"""

import contextlib
import os
import weakref
from unittest import mock

from playwright.sync_api import Error, sync_playwright

from . import chromium, firefox, webkit

ENGINES = {"chromium": chromium, "firefox": firefox, "webkit": webkit}


class Browser:
    """As Playwright's, but if it crashes, its next page has a new one: only the test that ran then fails."""

    def __init__(self, launch):
        self._launch = launch
        self._browser = launch()
        self._is_told = False
        _browsers.add(self)

    def new_context(self, **options):
        try:
            return self._browser.new_context(**options)
        except Error:
            if self._browser.is_connected():
                raise
        self._browser = self._launch()
        self._is_told = False
        return self._browser.new_context(**options)

    def new_page(self, **options):
        return self.new_context(**options).new_page()

    def take_crash(self):
        """Whether it has crashed, unless that was told before."""
        has_crashed = not self._browser.is_connected() and not self._is_told
        self._is_told = self._is_told or has_crashed
        return has_crashed

    @property
    def version(self):
        return self._browser.version

    def close(self):
        self._is_told = True
        self._browser.close()


_browsers = weakref.WeakSet()


def take_crashes():
    """How many browsers have crashed since the last call."""
    return sum([browser.take_crash() for browser in _browsers])


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
                browsers.append(Browser(lambda: module.launch(playwright, **options)))
                return browsers[-1]

            yield launch
            for browser in browsers:
                browser.close()


def reason_to_skip(name, error):
    """What an error says that this engine cannot do, if that is what it says."""
    match = ENGINES[name].CANNOT and ENGINES[name].CANNOT.search(str(error))
    return match and f"{name}: {match[0]}"
