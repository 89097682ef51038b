"""Whatever is asked, and however often, the server has afterwards what it had before.

`make growth` asks each kind of thing for a minute, `GROWTH_SECONDS=5 SEED=1` for as long as it says;
`make test` for a moment each.
"""

import concurrent.futures
import contextlib
import os
import random
import re
import time

import pytest

from faults import SEED
from generated import KINDS, Asker, forms, large_forms
from process import opened, resident
from raw import get, post
from waiting import wait_until

SECONDS = float(os.environ.get("GROWTH_SECONDS") or 1)
IDLE = 30  # seconds, until all is back
ASKERS = 4
MEMORY = 32 << 20  # bytes that may stay taken
CACHES = 32 << 20  # bytes that all caches may stay filled with, up to their bounds
GAUGE = re.compile(r"^# TYPE (\w+) gauge$", re.MULTILINE)
pytestmark = pytest.mark.timeout(120 + 2 * SECONDS + IDLE)

OPTIONS = ["--idle-timeout", "3", "--read-timeout", "3", "--log-level", "critical"]
# Nothing listens there: what is posted stays where its user can see it again.
DOWN = ["--animals-api", "http://127.0.0.1:9", "--quakes-feed", "http://127.0.0.1:9/feeds"]


def gauges(server):
    """All that the server says that it has now, by name with labels."""
    text = get(server, "/metrics").text
    names = set(GAUGE.findall(text))
    lines = [line.rpartition(" ") for line in text.splitlines() if line[:1] not in ("", "#")]
    return {name: float(value) for name, _, value in lines if name.partition("{")[0] in names}


class Taken:
    """What a server has taken: memory, open files, and what it counts itself."""

    def __init__(self, server):
        self.memory = resident(server)
        self.opened = opened(server)
        self.gauges = gauges(server)

    def excess(self, before):
        """What there is more of than before, in words. A cache may stay as full as its bound lets it."""
        found = []
        if self.memory - before.memory > MEMORY:
            found.append(f"{(self.memory - before.memory) >> 20} MiB of memory")
        if self.opened > before.opened:
            found.append(f"{self.opened - before.opened} open files")
        cached = sum(value for name, value in self.gauges.items() if name.startswith("cached_bytes"))
        if cached > CACHES:
            found.append(f"caches with {cached / 2 ** 20:.0f} MiB")
        for name, value in self.gauges.items():
            # What the products have is not the server's to give back, and what is away stays away.
            if not name.startswith(("cached_", "animals", "quakes", "outside_events_lost")) and value > before.gauges.get(name, 0):
                found.append(f"{name}: {value:g}, not {before.gauges.get(name, 0):g}")
        return found


def ask(server, kind, name, seconds):
    """Several at once, for so long; answers how often, and the statuses."""

    def run(number):
        asker = Asker(server, random.Random(f"{SEED} {kind.__name__} {name} {number}"))
        end, count = time.monotonic() + seconds, 0
        try:
            while time.monotonic() < end:
                kind(asker)
                count += 1
        finally:
            asker.close()
        return count, asker.statuses

    with concurrent.futures.ThreadPoolExecutor(ASKERS) as executor:
        counts, statuses = zip(*executor.map(run, range(ASKERS)))
    return sum(counts), set().union(*statuses)


@pytest.mark.parametrize("kind, options", [
    *((kind, ["--quakes-feed", "sample"]) for kind in KINDS), (forms, DOWN),
    (large_forms, DOWN),
], ids=[*(kind.__name__ for kind in KINDS), "forms that fail", "large forms that fail"])
def test_nothing_grows(start_server, kind, options):
    server = start_server(*OPTIONS, *options)
    post(server, "/quakes", "_form=sample")
    print(f"{kind.__name__} for {SECONDS:g} s, SEED={SEED}")
    # Buffers grow once: what counts is what is kept later.
    ask(server, kind, "before", max(0.5, SECONDS / 10))
    before = []

    def is_idle():
        taken = Taken(server)
        before.append(taken)
        return all(taken.gauges[name] == 0 for name in ("windows", "streams", "places"))

    wait_until(is_idle, "the server is idle", IDLE)

    count, statuses = ask(server, kind, "measured", SECONDS)

    after = []

    def is_back():
        after.append(Taken(server))
        return not after[-1].excess(before[-1])

    with contextlib.suppress(AssertionError):  # what is left says more
        wait_until(is_back, "all is back", IDLE)
    grown = (after[-1].memory - before[-1].memory) / 2 ** 20
    most = (after[0].memory - before[-1].memory) / 2 ** 20
    print(f"{count} times: {sorted(statuses)}; {most:.1f} MiB more, {grown:.1f} when idle")
    assert after[-1].excess(before[-1]) == []
    assert options == DOWN or 500 not in statuses  # a failure is what they ask for
    assert get(server, "/counter").status == 200
    assert server.terminate() == 0
