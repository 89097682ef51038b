"""What browsers that Playwright drives over WebDriver BiDi have in common."""

import contextlib
from unittest import mock

from playwright.sync_api import Locator, Page

from . import browser


class Browser:
    """
    As Playwright's, with another browser for contexts that ask for what only a whole browser can be
    told: `settings` has, for each such option of a context, what to launch a browser with.
    """

    def __init__(self, launch, settings, **defaults):
        self._launch = launch
        self._settings = settings
        self._defaults = defaults
        self._browsers = {}
        self._browser()

    def _browser(self, *choices):
        if choices not in self._browsers:
            settings = [self._settings[choice] for choice in choices]
            self._browsers[choices] = browser.Browser(lambda: self._launch(settings))
        return self._browsers[choices]

    def new_context(self, **options):
        options = self._defaults | options
        choices = [choice for choice in self._settings if options.get(choice[0]) == choice[1]]
        for name, _ in self._settings:
            options.pop(name, None)
        if options.pop("has_touch", False):
            raise NotImplementedError("not supported here: touch")
        if options.get("forced_colors"):
            raise NotImplementedError("not supported here: forced colors")
        return self._browser(*choices).new_context(**options)

    def new_page(self, **options):
        return self.new_context(**options).new_page()

    @property
    def version(self):
        return self._browser().version

    def close(self):
        for each in self._browsers.values():
            each.close()


@contextlib.contextmanager
def no_other_media():
    """Playwright tells pages in these browsers neither of paper nor of forced colors: whoever asks learns that."""
    emulate = Page.emulate_media

    def emulate_others(self, **options):
        if refused := sorted(options.keys() & {"media", "forced_colors"}):
            raise NotImplementedError(f"not supported here: {' and '.join(refused)} of an open page")
        return emulate(self, **options)

    with mock.patch.object(Page, "emulate_media", emulate_others):
        yield


@contextlib.contextmanager
def numbers_filled_in_anew():
    """Playwright adds what it fills in to what a field for numbers has."""
    fill = Locator.fill

    def fill_anew(self, value, **options):
        if self.evaluate("(field) => field.type === 'number'"):
            fill(self, "", **options)
        fill(self, value, **options)

    def fill_first(self, selector, value, **options):
        self.locator(selector).first.fill(value, **options)

    with mock.patch.object(Locator, "fill", fill_anew), mock.patch.object(Page, "fill", fill_first):
        yield
