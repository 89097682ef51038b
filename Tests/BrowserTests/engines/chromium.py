"""Debian's chromium, without the windows around its pages: what Playwright drives in full.

A profile costs a quarter of what it does in the whole browser, which prepares its own pages for each.
"""

import contextlib

from .browser import Browser

CANNOT = None


class Pointer:
    """As that of `screen`: this driver ends native drags too."""

    def __init__(self, page):
        self.move, self.down, self.up = page.mouse.move, page.mouse.down, page.mouse.up
        self.cancel = lambda: page.keyboard.press("Escape")


@contextlib.contextmanager
def environment():
    yield {}


def launch(playwright, caching=False, trusted_name=None, one_process=False, visible=False):
    """
    `one_process`: for all pages of a profile, so that not each starts one, which compiles the same scripts.
    `caching`: with a back/forward cache, which Playwright turns off unless told not to.
    `trusted_name`: a host name that is this machine, with whatever certificate.
    `visible`: with a window, if `Pointer` needs one.
    """
    # The shell has no back/forward cache.
    options = {
        "executable_path": "/usr/bin/chromium" if caching else "/usr/bin/chromium-headless-shell",
        "args": ["--process-per-site"] if one_process else [],
    }
    if caching:
        options["ignore_default_args"] = ["--disable-back-forward-cache"]
    if trusted_name:
        options["args"] += [
            f"--host-resolver-rules=MAP {trusted_name} 127.0.0.1", "--ignore-certificate-errors",
        ]
    return Browser(lambda: playwright.chromium.launch(**options))
