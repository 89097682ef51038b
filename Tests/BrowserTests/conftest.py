"""Fixtures for tests in a real browser, which `--engine` selects."""

import collections
import contextlib
import functools
import os
import threading

import pytest
from playwright.sync_api import expect

import engines
from fake_server import FakeServer, patch_as_sent
from profiles import Profiles, profile, set_text
from quakes_page import Quakes
from raw import Session, get
from servers import fixture_server, product_server, started
from waiting import PATIENCE, wait_until

OUTPUT = 4_000  # characters of a server's output that a test shows when it fails
NAME = 150  # characters of a case in the name of its test


def pytest_addoption(parser):
    parser.addoption("--engine", choices=engines.ENGINES, default="chromium")


def pytest_make_parametrize_id(val):
    """Keeps names of tests short, because failures show them: a case may have a hundred thousand characters."""
    if isinstance(val, (str, bytes)) and len(val) > NAME:
        return f"{ascii(val[:NAME])} and {len(val) - NAME} more"
    return None


@pytest.hookimpl(trylast=True)  # others deselect before
def pytest_collection_modifyitems(config, items):
    """Runs tests without a browser only once, with the default engine."""
    if config.option.engine != "chromium":
        others = [item for item in items if "launch" not in item.fixturenames]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if "launch" in item.fixturenames]
    items[:] = long_first(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT") or 1))


def long_first(items, workers):
    """
    Sorts tests so that no long one starts last, when the other workers have nothing left to do. Each worker begins
    with an equal share of all tests, and takes others' later: so each of these shares begins with an equal part of the
    long tests. They are cut as in xdist's `worksteal.py`.
    """
    long = [item for item in items if item.get_closest_marker("long")]
    others = [item for item in items if not item.get_closest_marker("long")]
    ordered = []
    for left in range(workers, 0, -1):
        share = (len(items) - len(ordered)) // left
        some = len(long) // left
        for each, count in [(long, some), (others, share - some)]:
            ordered += each[:count]
            del each[:count]
    return ordered


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    with skipping(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    with skipping(item):
        return (yield)


@contextlib.contextmanager
def skipping(item):
    """Skips a test that needs an option that its engine lacks. Says so if its browser has crashed."""
    engine = item.config.option.engine
    try:
        yield
    except Exception as error:
        if reason := engines.reason_to_skip(engine, error):
            pytest.skip(reason)
        if "has been closed" in str(error) and engines.take_crashes() > 0:
            raise RuntimeError(f"{engine} has crashed during this test. The next one has a new one.") from error
        raise


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Adds the output of its servers to a failed test."""
    report = (yield).get_result()
    if report.failed and call.when in ("setup", "call"):
        for server in started:
            report.sections.append((str(server), server.output[-OUTPUT:]))


def pytest_terminal_summary(terminalreporter, config):
    """Says how many tests the engine has not run, and why."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = collections.Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    terminalreporter.write_line(f"{config.option.engine}: {len(skipped)} skipped")
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"{count:6}  {reason}")


@pytest.fixture(scope="session")
def launch(pytestconfig):
    """Launches browsers of the tested engine; they end with the tests."""
    with engines.engine(pytestconfig.option.engine) as launch:
        yield launch


@pytest.fixture(scope="session")
def browser(launch):
    """One browser for all tests."""
    return launch()


@pytest.fixture(scope="session")
def pointer(pytestconfig):
    """The pointer on a page of a visible browser, for native drags."""
    return engines.ENGINES[pytestconfig.option.engine].Pointer


@pytest.fixture(scope="session")
def loads_modules_again(pytestconfig, browser):
    """For tests of a module that is loaded after it could not be. Before its version 155, Firefox asks for it once."""
    if pytestconfig.option.engine == "firefox" and int(browser.version.partition(".")[0]) < 155:
        raise NotImplementedError("not supported here: to load a module again that could not be loaded, before Firefox 155")


@pytest.fixture(scope="session")
def frugal_browser(launch):
    return launch(one_process=True)


@pytest.fixture(scope="module")
def kept_profiles(frugal_browser):
    profiles = Profiles(frugal_browser, keeps=True)
    yield profiles
    profiles.close()


@pytest.fixture
def profiles(request, browser, pytestconfig):
    """
    Lends profiles. Where tests have the same server, they get the same ones, so that what a browser has loaded and
    compiled serves the next test.
    """
    if pytestconfig.option.engine == "chromium" and KEPT & set(request.fixturenames):
        return request.getfixturevalue("kept_profiles")
    return Profiles(browser, keeps=False)


KEPT = {"shared_animals", "shared_quakes"}


@pytest.fixture
def context(profiles, complaints):
    """A separate profile, and so a separate SharedWorker. A test fails if a page has an error."""
    with profiles.lend(complaints) as context:
        yield context


@pytest.fixture
def complaints():
    """The browser's complaints about pages, such as violations of their security policy."""
    return []


@pytest.fixture
def page(context):
    return context.new_page()


@pytest.fixture
def fake_server():
    server = FakeServer()
    yield server
    server.close()


@pytest.fixture
def gate(fake_server):
    """Holds back the answers to posts until it is set."""
    gate = threading.Event()
    answer = fake_server.answer

    def wait(post):
        gate.wait(10)
        return answer(post)

    fake_server.answer = wait
    yield gate
    gate.set()


@pytest.fixture
def live(fake_server, context):
    """Opens a page of the fake server in a new tab and waits until it is live."""

    def open_live(path="/", html=None, page=None):
        if html is not None:
            fake_server.content[path.split("?")[0]] = html
        page = page or context.new_page()
        page.goto(fake_server.url + path)
        expect(page.locator("html[data-live]")).to_be_attached()
        return page

    return open_live


@pytest.fixture
def start_server():
    """Starts the Server with options; it ends with the test."""
    servers = []

    def start(*options):
        servers.append(product_server(*options))
        return servers[-1].start()

    yield start
    for server in servers:
        server.kill()


@pytest.fixture
def counter(start_server):
    """A Server with its defaults."""
    return start_server()


@pytest.fixture(scope="module")
def shared_animals():
    """A Server with its defaults, for all tests of a module."""
    server = product_server()
    yield server
    server.kill()


@pytest.fixture
def animals(shared_animals):
    """The same Server, with the animals of the sample, whatever tests before have done to them."""
    if not shared_animals.is_running:
        shared_animals.start()
    session = Session(shared_animals)
    wait_until(lambda: reload(session), "the sample's animals")
    return shared_animals


def reload(session):
    """Reloads the sample, which is refused while something is saved; returns whether that has succeeded."""
    answer = session.post("/animals?sheet=reload", "_form=reload", Accept="text/html")
    # Pages in which something is in progress look again.
    return answer.status == 303 and 'http-equiv="refresh"' not in get(session.server, "/animals").text


@pytest.fixture
def app():
    """A FixtureServer with three items: Item 1000, Item 1001, Item 1002."""
    server = fixture_server().start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def shared_quakes():
    """A Server and the feed of its earthquakes, for all tests of a module."""
    quakes = Quakes("--quakes-timeout", "60")
    yield quakes
    quakes.end()


@pytest.fixture
def quakes(shared_quakes):
    """The same Server, with the earthquakes that all tests use."""
    shared_quakes.load()
    return shared_quakes


@pytest.fixture
def start_quakes():
    """Starts a Server with options, and a feed of earthquakes for it; they end with the test."""
    started = []

    def start(*options):
        started.append(Quakes(*options))
        return started[-1]

    yield start
    for quakes in started:
        quakes.end()


@pytest.fixture
def tokens(context):
    """The token of each post in order, reported by the pages, because not every engine reports it."""
    tokens = []

    def hear(message):
        kind, _, token = message.text.partition(": ")
        if kind == "token":
            tokens.append(token)

    context.add_init_script(TELL_TOKENS)
    context.on("console", hear)
    return tokens


TELL_TOKENS = """{
  const { fetch } = window;
  window.fetch = (url, options) => {
    const token = options?.body?.get?.("_token");
    if (token) console.debug(`token: ${token}`);
    return fetch(url, options);
  };
}"""


@pytest.fixture
def open_live(context):
    """Opens a page of a server in a new tab and waits until it is live."""

    def open_live(server, path, context=context):
        page = context.new_page()
        page.goto(server.url + path)
        expect(page.locator("html[data-live]")).to_be_attached()
        return page

    return open_live


@pytest.fixture(scope="module")
def tab(browser):
    """A tab for all tests of a module that only look."""
    with profile(browser, []) as context:
        yield Tab(context.new_page())


@pytest.fixture
def look(request, launch, pytestconfig):
    """
    As `open_live`, in a tab that others have used: for tests that only look at pages. To open a page in it takes half
    as long as in a new one. It may be told of forced colors.
    """
    if pytestconfig.option.engine == "chromium":
        return request.getfixturevalue("tab")
    # Others cannot tell an open page of forced colors, nor show one as at first.
    browser, open_live = map(request.getfixturevalue, ["browser", "open_live"])
    new = lambda media: [browser.new_context(**media)] if media else []
    return lambda server, path, **media: open_live(server, path, *new(media))


class Tab:
    def __init__(self, page):
        self._page = page
        self._size = page.viewport_size

    def __call__(self, server, path, forced_colors="none"):
        self._page.goto("about:blank")
        self._page.set_viewport_size(self._size)
        self._page.emulate_media(
            media="null", color_scheme="light", reduced_motion="no-preference", forced_colors=forced_colors)
        set_text(self._page, 16)
        self._page.goto(server.url + path)
        expect(self._page.locator("html[data-live]")).to_be_attached()
        return self._page


@pytest.fixture
def other_context(profiles, complaints):
    """Another browser from the servers' point of view."""
    with profiles.lend(complaints) as context:
        yield context


@pytest.fixture
def caching_context(launch):
    """A page in a browser with a back/forward cache."""
    caching = launch(caching=True)
    yield caching.new_context()
    caching.close()


@pytest.fixture
def plain(profiles, complaints):
    """A tab of a browser without JavaScript."""
    with profiles.lend(complaints, java_script_enabled=False) as context:
        yield context.new_page()


def pytest_generate_tests(metafunc):
    """
    Whoever takes `open_page` is tried with JavaScript and without. Without it, the same form is sent by the browser
    instead of a script, so `make test` tries that only on the main paths, and where what is expected differs.
    """
    parametrized = [mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")]
    if "open_page" in metafunc.fixturenames and not any("open_page" in names for names in parametrized):
        tries_both = any(map(metafunc.definition.get_closest_marker, ["main_path", "both_ways"]))
        plain = pytest.param("plain", marks=[] if tries_both else pytest.mark.thorough)
        metafunc.parametrize("open_page", ["live", plain], indirect=True)


@pytest.fixture
def open_page(request, launch):
    """Opens a page of a server in which something is done, with JavaScript or without."""
    # Only one of them, because each would open a browser's context.
    if request.param == "live":
        return Opener(True, request.getfixturevalue("open_live"))
    plain = request.getfixturevalue("plain")

    def open_plain(server, path):
        plain.goto(server.url + path)
        return plain

    return Opener(False, open_plain)


class Opener:
    """Opens pages of servers."""

    def __init__(self, is_live, open):
        self.is_live = is_live
        self._open = open

    def __call__(self, server, path):
        return self._open(server, path)

    def of(self, server):
        """The same for one server."""
        opener = functools.partial(self, server)
        opener.is_live = self.is_live
        return opener


@pytest.fixture
def bench(fake_server, page):
    """A page without the entry module, in which a test puts HTML and calls modules."""
    page.goto(fake_server.url + "/blank")
    page.evaluate("document.body.innerHTML = '<main></main>'")
    return Bench(page)


class Bench:
    def __init__(self, page):
        self.page = page

    def put(self, html):
        self.page.evaluate(
            """html => document.querySelector("main").innerHTML =
              `<div data-region="root" data-tag="old">${html}</div>`""",
            html,
        )

    def patch(self, *patches):
        """Applies patches; those without a region are for `root`."""
        self.page.evaluate(
            """async (patches) => {
              const { applyPatches } = await import("/public/patch.js");
              applyPatches(patches);
            }""",
            [patch_as_sent({"region": "root", "tag": "new"} | patch) for patch in patches],
        )

    def frame(self, html):
        self.patch({"frame": html})

    def html(self, html):
        self.patch({"html": html})

    def rows(self, *operations, name="list"):
        self.patch({"lists": {name: list(operations)}})

    def content(self):
        """The region's HTML."""
        return self.page.evaluate("document.querySelector('[data-region=root]').innerHTML")

    def remember(self, selector):
        """Marks an element, to find out later whether it is still the same."""
        self.page.evaluate("s => (document.querySelector(s).mine = true)", selector)

    def is_remembered(self, selector):
        return self.page.evaluate("s => document.querySelector(s)?.mine === true", selector)
