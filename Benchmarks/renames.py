"""The cost of renaming one animal by the number of animals: processor time of the Server, including SQLite's write and
the frames of one window."""

import collections
import contextlib
import itertools
import os
import random
import re
import sqlite3
import statistics
import tempfile
import time
import uuid
from pathlib import Path

from harness import Failure, connected, open_stream, post, read_event, running, server_binary

COUNTS = [1_000, 10_000, 100_000]
CATEGORY = "Mammal"
ROUNDS = 200
# Renames before the measurement.
WARM_UP = 20
# The number of rows on a page.
PART = 500
# The maximum cost among the most animals, relative to the cost among the fewest.
MOST = 2


def measure():
    binary = server_binary()
    lines = [
        f"Medians of {ROUNDS} renames of an animal in the middle of the list, one after the other, which one window "
        "shows: a post, the write to SQLite, and a frame of one row; two if the write takes longer than 8 ms.",
        "",
        "| Animals | CPU of a rename | Of 1,000 | Until its row has the new name, p50 |",
        "| ---: | ---: | ---: | ---: |",
    ]
    base = None
    for count in COUNTS:
        cpu, latency = measure_count(binary, count)
        base = base or cpu
        lines.append(f"| {count:,} | {cpu * 1e3:.2f} ms | {cpu / base:.2f} | {latency * 1e3:.2f} ms |")
        if cpu > MOST * base:
            raise Failure("\n".join([*lines, "a rename costs more, the more animals there are"]))
    missing, press = measure_floor(binary)
    return "\n".join([
        *lines,
        "",
        f"For comparison, as many rounds on a Server without animals: a request for a page that does not exist costs "
        f"{missing * 1e3:.2f} ms, and a press of the Counter's button, which one window shows, {press * 1e3:.2f} ms.",
    ])


def measure_count(binary, count):
    with tempfile.TemporaryDirectory() as data, renaming([binary], data, count) as server:
        rounds = [server.rename() for _ in range(WARM_UP + ROUNDS)][WARM_UP:]
        return [statistics.median(values) for values in zip(*rounds)]


def measure_floor(binary):
    """Returns the processor times of the least that a request can cost, and of the least that a change can cost."""
    command = [binary, "--port", "0", "--data-directory"]
    with tempfile.TemporaryDirectory() as data, \
            running("Server", [*command, data], os.sched_getaffinity(0)) as (port, process), \
            connected(port) as requests, connected(port) as stream:
        response = open_stream(stream, "/counter")
        read_event(response, "show")

        def ask_for_nothing():
            requests.request("GET", "/nothing")
            answer = requests.getresponse()
            answer.read()
            if answer.status != 404:
                raise Failure(f"a page that does not exist has status {answer.status}")

        def press():
            post(requests, "/counter", "_form=increment")
            read_event(response, "frame")

        rounds = [(spent(process, ask_for_nothing), spent(process, press)) for _ in range(WARM_UP + ROUNDS)]
        return [statistics.median(values) for values in zip(*rounds[WARM_UP:])]


# `rename` renames the animal in the middle, and returns the processor time and the time until the window had the new
# name, in seconds.
Renaming = collections.namedtuple("Renaming", "port process rename")


@contextlib.contextmanager
def renaming(server, data, count):
    """Starts a Server with so many animals, and a window that shows the middle one. Yields a `Renaming`."""
    command = [*server, "--port", "0", "--data-directory", data]
    # The first start creates the database.
    with running("Server", [server[0], "--port", "0", "--data-directory", data], os.sched_getaffinity(0)):
        pass
    animal, name, first = fill(Path(data) / "animals.store", count)
    url = f"/animals?category={CATEGORY}&from={first}"
    with running("Server", command, os.sched_getaffinity(0)) as (port, process):
        fetch(port, url, animal)
        with connected(port) as posts, connected(port) as stream:
            response = open_stream(stream, url)
            read_event(response, "show")
            # The new name starts with the old one, so that the row stays in place.
            names = (f"{name} {number:06}" for number in itertools.count())
            yield Renaming(port, process, lambda: rename(posts, response, process, url, animal, next(names)))


def fill(store, count):
    """Fills the database. Returns id and name of the animal in the middle of the list, and the first animal of its
    part of the list."""
    source = random.Random(count)
    names = set()
    while len(names) < count:
        words = ["".join(source.choice("bdfgklmnprstvz") + source.choice("aeiou")
                         for _ in range(source.randint(2, 4))) for _ in range(2)]
        names.add(" ".join(words).capitalize())
    animals = [(str(uuid.UUID(int=source.getrandbits(128), version=4)).upper(), name) for name in sorted(names)]
    with contextlib.closing(sqlite3.connect(store)) as database, database:
        database.execute("DELETE FROM animal")
        database.executemany("INSERT INTO animal (animalId, name, diet, categoryId) "
                             f"VALUES (?, ?, 'Carnivore', '{CATEGORY}')", source.sample(animals, count))
    middle = count // 2
    return *animals[middle], animals[middle // PART * PART][0]


def fetch(port, url, animal):
    """Opens a window, which makes the Server fetch, and closes it when everything is loaded."""
    with connected(port) as stream:
        response = open_stream(stream, url)
        # The row of the animal, not the URL, which also contains the id.
        row = rb'data-key=\"%b\"' % animal.encode()
        while row not in response.readline():
            pass


def rename(posts, response, process, url, animal, new):
    fields = f"_form=save&animalId={animal}&name={new.replace(' ', '+')}&category={CATEGORY}&diet=Carnivore"
    latency = None

    def work():
        nonlocal latency
        began = time.monotonic()
        post(posts, url, fields)
        event = b""
        # The animal is saved when its row has the name and is no longer waiting.
        while new.encode() not in event or b"aria-disabled" in event:
            event = read_event(response, "frame")
            check(event, animal)
        latency = time.monotonic() - began

    return spent(process, work), latency


def spent(process, work):
    """Returns the processor time of a process for some work."""
    before = cpu(process)
    work()
    # Work that remains to be done for it.
    time.sleep(0.02)
    return cpu(process) - before


def check(event, animal):
    """Checks that the list in an event has exactly one new row."""
    operations = re.findall(rb'\["(set|edit|put|cut|move|order)","([^"]*)"', event)
    if any(kind not in (b"set", b"edit") or key != animal.encode() for kind, key in operations):
        raise Failure(f"an event has more than one new row: {event!r}")


def cpu(process):
    """Returns the processor time of all threads, in seconds."""
    total = 0
    for task in Path(f"/proc/{process.pid}/task").iterdir():
        with contextlib.suppress(OSError):
            total += int((task / "schedstat").read_text().split()[0])
    return total / 1e9
