"""What windows notice of a developer who goes through the versions of one of them, and of open developer pages; and how
long developer pages and previews take."""

import concurrent.futures
import contextlib
import itertools
import os
import re
import selectors
import socket
import statistics
import tempfile
import threading
import time
import urllib.parse

import recording
from harness import Failure, connected, post, running, server_binary, swift_program
from renames import renaming

# The versions that a developer goes through, back and forth, and how many a second: as fast as a held key repeats.
VERSIONS = 100
STEPS = 30
TURNS = 7
# Pages that show what happens as it happens; the last one looks for what put a region there, in up to 50 states.
DEVELOPER_PAGES = [
    "/developer", "/developer?search=price", "/developer?show=actions&product=Products", "/developer/cost",
    "/developer/windows", "/developer/state?product=Products", "/developer/state?product=Products&path=/products",
    "/developer/state?product=Products&since=50", f"/developer/time?url={recording.PAGE}",
    f"/developer/time?url={recording.PAGE}&region=root",
]
# A file that a developer's browser would have from its cache: what the client costs, and the server hardly.
FILE = "/public/style.css"
# How often each developer page is loaded, and how many animals and actions there are.
LOADS = 20
ANIMALS = 10_000
ACTIONS = 1_000
# How long a preview may take by itself, and a developer page in the median.
PAGE_SECONDS = 0.1


def measure():
    binary = server_binary()
    return "\n\n".join([
        measure_time_travel(swift_program("Headline")), measure_pages(binary), measure_previews(binary)])


def measure_time_travel(program):
    def loading(page):
        return lambda port: stepping(port, itertools.repeat([page, page]))

    meanwhile = {
        "nothing": lambda _: contextlib.nullcontext(),
        "a file is loaded as often": loading(FILE),
        "the page is loaded as often": loading(recording.PAGE),
        "a window is taken through its versions": going_through,
        f"{len(DEVELOPER_PAGES)} developer pages are open": lambda port: watching(port, *DEVELOPER_PAGES),
    }
    turns = {kind: [] for kind in meanwhile}
    # The server has the first core.
    last = max(os.sched_getaffinity(0))
    with recording.windows(program, "--developer") as (port, change), on_core(last):
        for turn in range(TURNS):
            for kind in recording.rotated([*meanwhile], turn):
                with meanwhile[kind](port):
                    turns[kind].append(change())
    results = {kind: recording.medians(values) for kind, values in turns.items()}
    used, *base = results["nothing"]
    return "\n".join([
        f"The same changes on one server with `--developer`, which has one core, while a developer goes through {VERSIONS} "
        f"versions of one window, back and forth, {STEPS} a second. Each is two requests: *Time*, and the past page in it. "
        f"For comparison, the products' page is loaded as often, and a file. Medians of {TURNS} turns of "
        f"{recording.CHANGES} changes each, in another order each time:",
        "",
        "| Meanwhile | Until the last window has a change, p50 | Of nothing | p99 | Of nothing | CPU for each change |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        *(f"| {kind} | {p50 * 1e3:.2f} ms | {p50 / base[0]:.2f} | {p99 * 1e3:.2f} ms | {p99 / base[1]:.2f} "
          f"| {used * 1e3:.2f} ms |" for kind, (used, p50, p99) in results.items()),
    ])


@contextlib.contextmanager
def on_core(core):
    """Meanwhile this program, which is a developer's browser, is on a core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def measure_pages(binary):
    with tempfile.TemporaryDirectory() as data, renaming([binary, "--developer"], data, ANIMALS) as server, \
            connected(server.port) as connection:
        version = 0
        while version < ACTIONS + 200:
            server.rename()
            for _ in range(20):
                version = post(connection, "/counter", "_form=increment")
        newest = newest_entry(connection)
        oldest = newest - ACTIONS + 1
        page = {"url": "/animals?category=Mammal"}
        rows = []
        for name, path, parameters in [
            ("Log", "", {}),
            ("Log, a search that finds nothing", "", {"search": "nothing at all"}),
            ("Log, an action opened", "", {"entry": newest}),
            ("State", "/state", {"product": "Animals"}),
            (f"State, a table of {ANIMALS:,} rows", "/state",
             {"product": "Animals", "path": "/animals/table", "from": ANIMALS // 2}),
            (f"State, differences from {ACTIONS:,} actions ago", "/state", {"product": "Animals", "since": oldest}),
            ("Windows", "/windows", {}),
            ("Time, at the newest version", "/time", page),
            ("Time, at the oldest version", "/time", {**page, "at": oldest}),
            ("Time, a region", "/time", {**page, "at": newest, "region": "animals"}),
            ("The past page in it", "/past", {**page, "at": oldest}),
            ("Fork of 100 actions", "/fork", {"plan": newest - 99, "url": "/counter"}),
            ("Cost", "/cost", {}),
        ]:
            url = f"/developer{path}?{urllib.parse.urlencode(parameters)}"
            times = []
            for _ in range(LOADS):
                began = time.monotonic()
                body = get(connection, url)
                times.append(time.monotonic() - began)
            if statistics.median(times) > PAGE_SECONDS:
                raise Failure(f"the developer page {name} takes {statistics.median(times) * 1e3:.0f} ms")
            rows.append(f"| {name} | {statistics.median(times) * 1e3:.1f} ms | {max(times) * 1e3:.1f} ms "
                        f"| {len(body):,} |")
    return "\n".join([
        f"Developer pages of a Server with {ANIMALS:,} animals and {ACTIONS:,} recorded actions, each loaded {LOADS} times:",
        "",
        "| Page | Median | At most | Bytes |",
        "| --- | ---: | ---: | ---: |",
        *rows,
    ])


def newest_entry(connection):
    """The number of the newest entry of the log."""
    return int(re.search(rb'<li[^>]* data-key="(\d+)"', get(connection, "/developer?show=actions"))[1])


def measure_previews(binary):
    with tempfile.TemporaryDirectory() as data:
        command = [binary, "--port", "0", "--data-directory", data, "--developer"]
        with running("Server", command, os.sched_getaffinity(0)) as (port, _), connected(port) as connection:
            paths = re.findall(rb'href="(/previews/[^"/]+/[^"/]+/[^"/]+)"', get(connection, "/previews"))
            times = []
            for path in paths:
                began = time.monotonic()
                get(connection, f"{path.decode()}/bare")
                times.append(time.monotonic() - began)
    if max(times) > PAGE_SECONDS:
        raise Failure(f"a preview takes {max(times) * 1e3:.0f} ms")
    return (f"Each of {len(times)} previews by itself, at its own URL, the first time: median "
            f"{statistics.median(times) * 1e3:.1f} ms, at most {max(times) * 1e3:.0f} ms.")


@contextlib.contextmanager
def going_through(port):
    """Meanwhile a window shows *Time*, and its developer goes from version to version."""
    with connected(port) as connection:
        newest = newest_entry(connection)
    versions = [*range(newest - VERSIONS + 1, newest), *range(newest, newest - VERSIONS + 1, -1)]

    def url(path, version):
        return f"{path}?" + urllib.parse.urlencode({"url": recording.PAGE, "at": version})

    pages = ([url("/developer/time", version), url("/developer/past", version)]
             for version in itertools.cycle(versions))
    with watching(port, url("/developer/time", newest)), stepping(port, pages):
        yield


@contextlib.contextmanager
def beside(work):
    """Meanwhile a thread does some work, until the event that it receives is set. Raises what ended it early."""
    is_over = threading.Event()
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        done = thread.submit(work, is_over)
        try:
            yield
        finally:
            is_over.set()
    done.result()


def stepping(port, steps):
    """Meanwhile the pages of each step are loaded, at a steady pace."""

    def load(is_over):
        with connected(port) as connection:
            due = time.monotonic()
            while not is_over.wait(max(0, due - time.monotonic())):
                for page in next(steps):
                    get(connection, page)
                due = max(due + 1 / STEPS, time.monotonic())

    return beside(load)


def get(connection, url):
    connection.request("GET", url)
    response = connection.getresponse()
    body = response.read()
    if response.status != 200:
        raise Failure(f"{url} has status {response.status}")
    return body


@contextlib.contextmanager
def watching(port, *urls):
    """Meanwhile a window shows each of some pages, and reads what it is sent."""
    with contextlib.ExitStack() as stack, selectors.DefaultSelector() as selector:
        for url in urls:
            stream = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            at = urllib.parse.quote(url, safe="")
            stream.sendall(f"GET /_/stream?at={at} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            if not stream.recv(65_536).startswith(b"HTTP/1.1 200 "):
                raise Failure(f"no window shows {url}")
            selector.register(stream, selectors.EVENT_READ)

        def read(is_over):
            while not is_over.is_set():
                for key, _ in selector.select(timeout=0.1):
                    if not key.fileobj.recv(1 << 20):
                        raise Failure("a stream ended")

        with beside(read):
            yield
