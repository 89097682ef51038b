"""Debian's WebKitGTK, which Playwright drives over WebDriver BiDi by way of `bridge.cjs`."""

import contextlib
import os
import pathlib
import re
import tempfile
from unittest import mock

import playwright
from playwright.sync_api import BrowserContext, Page

from ..bidi import Browser, no_other_media, numbers_filled_in_anew
from ..screen import Pointer, screen

FOLDER = pathlib.Path(__file__).resolve().parent
DRIVER = pathlib.Path(playwright.__file__).parent / "driver"
CANNOT = re.compile(r"not supported (?:in WebKit|here).*|CDP session is only available.*")
SETTINGS = {
    ("reduced_motion", "reduce"): ("no-motion", []),
    ("java_script_enabled", False): (None, ["--enable-javascript=false"]),
}
GTK = {"no-motion": "[Settings]\ngtk-enable-animations=0\n"}
# The toolbar of the browser makes no window wider than a page is to be.
STYLE = "* { min-width: 0; padding: 0; margin: 0; font-size: 1px; }\n"
NETWORK_EVENTS = {"request", "response", "requestfinished", "requestfailed"}


@contextlib.contextmanager
def environment():
    """A screen that nobody sees. What tests cannot be told of raises an error."""
    with (
        screen() as variables, no_network_events(), no_clicks_with_control(), no_other_media(), numbers_filled_in_anew(),
    ):
        yield variables | {"PLAYWRIGHT_DRIVER": str(DRIVER)}


def launch(playwright, caching=False, trusted_name=None, visible=True):
    """As that of `chromium`; there is a back/forward cache and a window anyway."""
    if trusted_name:
        raise NotImplementedError("not supported in WebKit: names of its own")

    def start(settings):
        args = [arg for _, more in settings for arg in more]
        gtk = "".join(GTK[name] for name, _ in settings if name)
        return playwright.firefox.launch(
            channel="moz-firefox", executable_path=str(FOLDER / "browser"), args=args,
            env=os.environ | {"XDG_CONFIG_HOME": configuration(gtk)},
        )

    return Browser(start, SETTINGS)


@contextlib.contextmanager
def no_network_events():
    """WebDriver tells of no request, so whoever waits for one learns that at once."""

    def refuse(*_, **__):
        raise NotImplementedError("not supported in WebKit: network events")

    with contextlib.ExitStack() as stack:
        for name in ["expect_request", "expect_response", "expect_request_finished"]:
            stack.enter_context(mock.patch.object(Page, name, refuse))
        for page_or_context in [Page, BrowserContext]:
            on = page_or_context.on
            listen = lambda self, event, handler, on=on: (
                refuse() if event in NETWORK_EVENTS else on(self, event, handler))
            stack.enter_context(mock.patch.object(page_or_context, "on", listen))
        yield


@contextlib.contextmanager
def no_clicks_with_control():
    """The window that MiniBrowser opens for such a click is not under its driver's control."""
    click = Page.click

    def click_without(self, selector, *, modifiers=None, **options):
        if "Control" in (modifiers or []):
            raise NotImplementedError("not supported in WebKit: a click with Control")
        return click(self, selector, modifiers=modifiers, **options)

    with mock.patch.object(Page, "click", click_without):
        yield


def configuration(gtk):
    """A folder with settings of GTK; it goes when the tests end."""
    folder = tempfile.TemporaryDirectory()
    CONFIGURATIONS.append(folder)
    path = pathlib.Path(folder.name, "gtk-3.0")
    path.mkdir()
    (path / "settings.ini").write_text(gtk)
    (path / "gtk.css").write_text(STYLE)
    return folder.name


CONFIGURATIONS = []
