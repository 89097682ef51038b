"""A browser that may crash."""

import weakref

from playwright.sync_api import Error


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
            if self._is_running():
                raise
        self._browser = self._launch()
        self._is_told = False
        return self._browser.new_context(**options)

    def new_page(self, **options):
        return self.new_context(**options).new_page()

    def take_crash(self):
        """Whether it has crashed, unless that was told before."""
        has_crashed = not self._is_told and not self._is_running()
        self._is_told = self._is_told or has_crashed
        return has_crashed

    def _is_running(self):
        """Asks it, because Playwright may not have noticed yet."""
        try:
            self._browser.new_context().close()
        except Error:
            return False
        return True

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
