"""Debian's firefox-esr, which Playwright drives over WebDriver BiDi."""

import contextlib
import pathlib
import re
from unittest import mock

from playwright.sync_api import Route

from .bidi import Browser, no_other_media, numbers_filled_in_anew
from .screen import Pointer, screen

SHIM = pathlib.Path(__file__).with_name("firefox.cjs")
CANNOT = re.compile(
    r"unknown command\s+Message: \S+|unsupported operation.*|not supported here.*"
    r"|CDP session is only available.*"
)
SETTINGS = {
    ("color_scheme", "dark"): ([], {"ui.systemUsesDarkTheme": 1}),
    ("reduced_motion", "reduce"): ([], {"ui.prefersReducedMotion": 1}),
    ("forced_colors", "active"): ([], {"browser.display.document_color_use": 2}),
    ("java_script_enabled", False): (["-remote-allow-system-access"], {}),  # firefox.cjs turns it off
}
PREFERENCES = {
    "focusmanager.testmode": True,  # each window has the focus, as far as its page can tell
    # A mouse, which a Firefox without windows does not find: 2 stands for its precision, 4 for hovering.
    "ui.primaryPointerCapabilities": 2 + 4,
    "ui.allPointerCapabilities": 2 + 4,
    "ui.useOverlayScrollbars": 1,  # as on a phone, and in the other engines: a page is as wide as its window
}


@contextlib.contextmanager
def environment():
    with screen() as variables, no_other_media(), no_sending_of_posts(), numbers_filled_in_anew():
        yield variables | {"NODE_OPTIONS": f"--require={SHIM}"}


def launch(playwright, caching=False, trusted_name=None, visible=False):
    """As that of `chromium`."""
    own = {"network.dns.localDomains": trusted_name} if trusted_name else {}
    if not caching:
        own["browser.sessionhistory.max_total_viewers"] = 0

    def start(settings):
        args, preferences = [], PREFERENCES | own
        for more, others in settings:
            args += more
            preferences |= others
        return playwright.firefox.launch(
            channel="moz-firefox", executable_path="/usr/bin/firefox-esr", args=args,
            headless=not visible, firefox_user_prefs=preferences,
        )

    return Browser(start, SETTINGS, **({"ignore_https_errors": True} if trusted_name else {}))


@contextlib.contextmanager
def no_sending_of_posts():
    """Playwright learns of no post what it contains. Whoever has it sent by Playwright waits in vain for an answer."""
    fetch = Route.fetch

    def fetch_without_body(self, **options):
        if self.request.method == "POST":
            raise NotImplementedError("not supported here: sending a page's post")
        return fetch(self, **options)

    with mock.patch.object(Route, "fetch", fetch_without_body):
        yield
