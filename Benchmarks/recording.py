"""The cost of recording, alternately with and without it: of renames of one animal among many, which one window shows,
and of changes of one row, which many windows show; the speed of a replay; what windows notice of a developer who goes
through the versions of one of them; and how long previews take."""

import concurrent.futures
import contextlib
import itertools
import os
import re
import selectors
import socket
import statistics
import subprocess
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

from harness import ROOT, Failure, connected, generating, running, server_binary, swift_program
from renames import cpu, renaming

COUNT = 10_000
ROUNDS = 200
# Renames before the measurement.
WARM_UP = 20

WINDOWS = 1_000
PAGE = "/products"
# As in push/load.c: # becomes a digit of the post's number.
FIELDS = "_form=change&product=product-1250&price=####.00"
# The number of changes in a row, and how often each server has its turn.
CHANGES = 100
TURNS = 5
PAUSE = 25  # milliseconds after the last window has a change
# The versions that a developer goes through, back and forth, and how many a second: as fast as a held key repeats.
VERSIONS = 100
STEPS = 30
# Pages that show what happens as it happens; the last one renders the page 50 times.
DEVELOPER_PAGES = [
    "/developer", "/developer?search=price", "/developer?show=actions&product=Products", "/developer/cost",
    "/developer/windows", "/developer/state?product=Products", "/developer/state?product=Products&path=/products",
    "/developer/state?product=Products&since=50", f"/developer/time?url={PAGE}",
    f"/developer/time?url={PAGE}&region=root",
]
# How long a preview may take by itself.
PREVIEW_SECONDS = 0.1


def measure():
    binary, program = server_binary(), swift_program("Headline")
    with tempfile.TemporaryDirectory() as folder:
        key = Path(folder) / "key"
        subprocess.run([binary, "recording-key", str(key)], check=True, capture_output=True)
        return "\n\n".join([
            measure_renames(binary, key), measure_changes(program, key), measure_time_travel(program),
            measure_previews(binary)])


# Two servers that are the same: how they differ is the error of the measurement.
USUAL = ["as usual", "as usual, once more"]


def kinds(folder, key):
    """Returns the options of each kind of server."""
    return {
        **{kind: [] for kind in USUAL},
        "`--developer`": ["--developer"],
        "`--record`": ["--record", str(folder / "recording.jsonl")],
        "`--record --record-key`": ["--record", str(folder / "sealed.jsonl"), "--record-key", f"{key}.pub"],
    }


def measure_renames(binary, key):
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as servers:
        folder = Path(folder)
        options = {**kinds(folder, key), "`--reports`": ["--reports", str(folder / "reports")]}
        renames = {
            kind: servers.enter_context(
                renaming([binary, *more], servers.enter_context(tempfile.TemporaryDirectory()), COUNT))
            for kind, more in options.items()
        }
        times = {kind: [] for kind in options}
        # In turns, so that other load on the machine affects all of them equally.
        for number in range(WARM_UP + ROUNDS):
            for kind, rename in renames.items():
                time_of_all, _ = rename()
                if number >= WARM_UP:
                    times[kind].append(time_of_all)
        size = (folder / "recording.jsonl").stat().st_size
        servers.close()
        began = time.monotonic()
        replay = subprocess.run(
            [binary, "replay", str(folder / "sealed.jsonl"), "--key", str(key)],
            cwd=ROOT, capture_output=True, text=True)
        seconds = time.monotonic() - began
    if replay.returncode != 0:
        raise Failure(f"the replay differs: {replay.stderr}")
    actions, pages = map(int, re.search(r"(\d+) actions, (\d+) changes", replay.stdout).groups())
    medians = {kind: statistics.median(values) for kind, values in times.items()}
    base = statistics.mean(medians[kind] for kind in USUAL)
    return "\n".join([
        f"Medians of {ROUNDS} renames of one of {COUNT:,} animals, in turns on one Server of each kind:",
        "",
        "| Server | CPU of a rename | Of usual |",
        "| --- | ---: | ---: |",
        *(f"| {kind} | {median * 1e3:.2f} ms | {median / base:.2f} |" for kind, median in medians.items()),
        "",
        f"The recording has {size / 1e6:.1f} MB ({actions:,} actions, one of which brings all animals). Sealed it also has "
        f"{pages:,} changes of pages; the replay of that took {seconds:.1f} s.",
    ])


@contextlib.contextmanager
def windows(program, *options):
    """Starts the server of *One row of 500*, with many windows. Yields its port, and a function that makes changes: it
    returns the processor time of a change, and the times until the last window had it, p50 and p99, in seconds."""
    cores = os.sched_getaffinity(0)
    with running("Headline", [program, *options], cores) as (port, process):
        with generating("Headline", [port], process, [PAGE], PAGE, FIELDS) as generator:
            generator.ask(f"open {WINDOWS}")

            def change():
                before = cpu(process)
                result = generator.ask(f"rounds {CHANGES} {PAUSE}")
                # Work that remains to be done for it.
                time.sleep(0.1)
                return (cpu(process) - before) / CHANGES, result["p50_us"] / 1e6, result["p99_us"] / 1e6

            change()
            yield port, change


def medians(turns):
    return [statistics.median(values) for values in zip(*turns)]


def measure_changes(program, key):
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as servers:
        changes = {kind: servers.enter_context(windows(program, *options))[1]
                   for kind, options in kinds(Path(folder), key).items()}
        turns = {kind: [] for kind in changes}
        for _ in range(TURNS):
            for kind, change in changes.items():
                turns[kind].append(change())
    results = {kind: medians(values) for kind, values in turns.items()}
    base = statistics.mean(results[kind][0] for kind in USUAL)
    return "\n".join([
        f"A change of one field in a list of 500 rows, which {WINDOWS:,} windows show ([One row of 500](#one-row-of-500)), "
        f"in turns on one server of each kind; medians of {TURNS} turns of {CHANGES} changes each:",
        "",
        "| Server | CPU of a change | Of usual | Until the last window has it, p50 | p99 |",
        "| --- | ---: | ---: | ---: | ---: |",
        *(f"| {kind} | {used * 1e3:.2f} ms | {used / base:.2f} | {p50 * 1e3:.2f} ms | {p99 * 1e3:.2f} ms |"
          for kind, (used, p50, p99) in results.items()),
    ])


def measure_time_travel(program):
    meanwhile = {
        "nothing": lambda _: contextlib.nullcontext(),
        "a window is taken through its versions": going_through,
        "the page is loaded as often": lambda port: stepping(port, itertools.repeat([PAGE, PAGE])),
        f"{len(DEVELOPER_PAGES)} developer pages are open": lambda port: watching(port, *DEVELOPER_PAGES),
    }
    turns = {kind: [] for kind in meanwhile}
    with windows(program, "--developer") as (port, change):
        for _ in range(TURNS):
            for kind, begin in meanwhile.items():
                with begin(port):
                    turns[kind].append(change())
    results = {kind: medians(values) for kind, values in turns.items()}
    _, p50_alone, p99_alone = results["nothing"]
    return "\n".join([
        f"The same changes on one server with `--developer`, while a developer goes through {VERSIONS} versions of one "
        f"window, back and forth, {STEPS} a second. Each is two requests: *Time*, and the past page in it. For comparison, "
        f"the products' page is loaded as often. Medians of {TURNS} turns of {CHANGES} changes each:",
        "",
        "| Meanwhile | Until the last window has a change, p50 | Of nothing | p99 | Of nothing |",
        "| --- | ---: | ---: | ---: | ---: |",
        *(f"| {kind} | {p50 * 1e3:.2f} ms | {p50 / p50_alone:.2f} | {p99 * 1e3:.2f} ms | {p99 / p99_alone:.2f} |"
          for kind, (_, p50, p99) in results.items()),
    ])


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
    if max(times) > PREVIEW_SECONDS:
        raise Failure(f"a preview takes {max(times) * 1e3:.0f} ms")
    return (f"Each of {len(times)} previews by itself, at its own URL, the first time: median "
            f"{statistics.median(times) * 1e3:.1f} ms, at most {max(times) * 1e3:.0f} ms.")


@contextlib.contextmanager
def going_through(port):
    """Meanwhile a window shows *Time*, and its developer goes from version to version."""
    with connected(port) as connection:
        newest = int(re.search(rb'<li[^>]* data-key="(\d+)"', get(connection, "/developer"))[1])
    versions = [*range(newest - VERSIONS + 1, newest), *range(newest, newest - VERSIONS + 1, -1)]

    def url(path, version):
        return f"{path}?" + urllib.parse.urlencode({"url": PAGE, "at": version})

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
