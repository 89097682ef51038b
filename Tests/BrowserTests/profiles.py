"""Profiles of a browser: each is a context with its own cookies, storage and SharedWorkers."""

import contextlib
import re
import urllib.parse
import weakref

from playwright.sync_api import expect

from waiting import PATIENCE

# What would change pages that a later test opens: whoever has called one of these has a profile of his own.
LASTING = [
    "add_init_script", "close", "expose_binding", "expose_function", "grant_permissions", "on", "once", "route",
    "route_web_socket", "set_extra_http_headers", "set_geolocation", "set_offline",
]
CLOCK = ["fast_forward", "install", "pause_at", "resume", "run_for", "set_fixed_time", "set_system_time"]
STORAGE = "cache_storage,indexeddb,local_storage,service_workers"

# Each session sets again what it has set once, so a page has one.
sessions = weakref.WeakKeyDictionary()


def set_text(page, size):
    """Sets the size of text as the browser's settings do."""
    session = sessions.get(page) or sessions.setdefault(page, page.context.new_cdp_session(page))
    session.send("Page.setFontSizes", {"fontSizes": {"standard": size}})


class Profile:
    """A context, whose pages complain to the test that has it."""

    def __init__(self, browser, **options):
        self.context = context = browser.new_context(**options)
        self._keeper = None
        self._origins = set()
        self._complaints, self._errors = [], []
        context.on("weberror", lambda error: self._errors.append(str(error.error)))
        context.on("console", self._hear)
        context.on("page", lambda page: page.on("framenavigated", self._note))
        self.is_changed = False
        for owner, names in [(context, LASTING), (context.clock, CLOCK)]:
            for name in names:
                self._watch(owner, name)

    def begin(self, complaints):
        self._complaints, self._errors = complaints, []
        self.context.set_default_timeout(PATIENCE * 1_000)
        expect.set_options(timeout=PATIENCE * 1_000)

    def end(self):
        """Closes it; fails if a page had an error."""
        self.context.close()
        assert self._errors == [], self._errors

    def clear(self):
        """
        Makes it as good as new; fails if a page had an error. One page stays, which keeps alive the process that
        renders: to start one takes as long as to open most pages.
        """
        if self._keeper is None:
            self._keeper = self.context.new_page()
            self._keeper.route("**", lambda route: route.fulfill(body=""))
            self._keeper.goto("http://127.0.0.1/")
            self._session = self.context.new_cdp_session(self._keeper)
        for page in self.context.pages:
            if page is not self._keeper:
                page.close()
        self.context.clear_cookies()
        while self._origins:
            self._session.send("Storage.clearDataForOrigin", {"origin": self._origins.pop(), "storageTypes": STORAGE})
        assert self._errors == [], self._errors

    def _watch(self, owner, name):
        method = getattr(owner, name)

        def call(*arguments, **options):
            self.is_changed = True
            return method(*arguments, **options)

        setattr(owner, name, call)

    def _note(self, frame):
        parts = urllib.parse.urlsplit(frame.url)
        if parts.netloc:
            self._origins.add(f"{parts.scheme}://{parts.netloc}")

    def _hear(self, message):
        # That a resource does not load is told where it is wanted. Pages of the past are in sandboxed frames, so
        # that they cannot take the focus.
        expected = r"Failed to load resource|Blocked autofocusing .* because the element's frame is sandboxed"
        if message.type == "error" and not re.match(expected, message.text):
            self._complaints.append(message.text)


@contextlib.contextmanager
def profile(browser, complaints, **options):
    """A context of a browser, which adds to the complaints; fails at the end if a page had an error."""
    profile = Profile(browser, **options)
    profile.begin(complaints)
    yield profile.context
    profile.end()


class Profiles:
    """Lends contexts of a browser to one test after another: only its first page takes long to open."""

    def __init__(self, browser, keeps):
        self._browser, self._keeps = browser, keeps
        self._free = {}

    @contextlib.contextmanager
    def lend(self, complaints, **options):
        free = self._free.setdefault(tuple(options.items()), [])
        profile = free.pop() if free else Profile(self._browser, **options)
        profile.begin(complaints)
        yield profile.context
        if profile.is_changed or not self._keeps:
            profile.end()
        else:
            profile.clear()
            free.append(profile)

    def close(self):
        for free in self._free.values():
            for profile in free:
                profile.context.close()
