"""Whatever is requested, and however often, the server does not use more resources afterwards.

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
from generated import (
    API_KINDS, FORMS, KINDS, PARAMETERS, Asker, developer, developer_forms, forms, large_forms, pages, reports,
)
from kinds import one_of_each_kind
from process import opened, opened_files, resident
from raw import get, post
from servers import ROOT, ServerProcess
from waiting import wait_until

SECONDS = float(os.environ.get("GROWTH_SECONDS") or 1)
IDLE = 30  # seconds, until all is back
ASKERS = 4
MEMORY = 32 << 20  # bytes that may stay taken
CACHES = 32 << 20  # bytes that all caches may stay filled with, up to their bounds
GAUGE = re.compile(r"^# TYPE (\w+) gauge$", re.MULTILINE)
pytestmark = [pytest.mark.long, pytest.mark.timeout(max(180, 120 + 2 * SECONDS + IDLE))]

OPTIONS = ["--idle-timeout", "3", "--read-timeout", "3", "--log-level", "critical"]
# Nothing listens there, so posted input stays visible to its user.
DOWN = ["--animals-api", "http://127.0.0.1:9", "--quakes-feed", "http://127.0.0.1:9/feeds"]
SAMPLE = ["--quakes-feed", "sample"]


def gauges(server):
    """All of the server's gauges, by name with labels."""
    text = get(server, "/metrics").text
    names = set(GAUGE.findall(text))
    lines = [line.rpartition(" ") for line in text.splitlines() if line[:1] not in ("", "#")]
    return {name: float(value) for name, _, value in lines if name.partition("{")[0] in names}


class Taken:
    """The resources of a server: memory, open files, and its own counters."""

    def __init__(self, server, has_gauges=True):
        self.memory = resident(server)
        self.opened = opened_files(server)
        self.gauges = gauges(server) if has_gauges else {}

    def excess(self, before):
        """Describes the growth since before. A cache may stay as full as its bound allows."""
        found = []
        if self.memory - before.memory > MEMORY:
            found.append(f"{(self.memory - before.memory) >> 20} MiB of memory")
        if len(self.opened) > len(before.opened):
            more = sorted(set(self.opened) - set(before.opened))
            found.append(f"{len(self.opened) - len(before.opened)} open files: {more}")
        cached = sum(value for name, value in self.gauges.items() if name.startswith("cached_bytes"))
        if cached > CACHES:
            found.append(f"caches with {cached / 2 ** 20:.0f} MiB")
        for name, value in self.gauges.items():
            # Data of the products is not released, and unavailable stores stay unavailable.
            if not name.startswith(("cached_", "animals", "quakes", "outside_events_lost")) and value > before.gauges.get(name, 0):
                found.append(f"{name}: {value:g}, not {before.gauges.get(name, 0):g}")
        return found


def ask(server, kind, name, seconds, has_session=True):
    """Sends several requests at a time, for so long; returns their number and the statuses."""

    def run(number):
        chance = random.Random(f"{SEED} {kind.__name__} {name} {number}")
        asker = Asker(server, chance, has_session)
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


# What is asked of a Server with which options.
ASKED = {
    **{kind.__name__: (kind, SAMPLE) for kind in KINDS},
    "forms that fail": (forms, DOWN),
    "large forms that fail": (large_forms, DOWN),
    "developer": (developer, ["--developer", *SAMPLE]),
    "developer forms": (developer_forms, ["--developer", "--developer-dispatch", *SAMPLE]),
    "reports": (reports, ["--reports", "{folder}", *SAMPLE]),
    "recorded pages": (pages, ["--record", "{folder}/recording", *SAMPLE]),
    "recorded forms": (forms, ["--record", "{folder}/recording", *SAMPLE]),
}
ASKED_OF_ANIMALS = {kind.__name__: kind for kind in API_KINDS}


@pytest.mark.parametrize("asked", one_of_each_kind(ASKED, [
    "pages", "forms", "undos", "uploads", "unread_streams", "tabs", "malformed", "stalled", "developer forms",
    "recorded forms",
]))
def test_resources_do_not_grow_over_time(start_server, tmp_path, asked):
    kind, options = ASKED[asked]
    server = start_server(*OPTIONS, *(option.format(folder=tmp_path) for option in options))
    post(server, "/quakes", "_form=sample")
    print(f"{kind.__name__} for {SECONDS:g} s, SEED={SEED}")
    # Buffers grow once, so only later growth counts.
    ask(server, kind, "before", max(1, SECONDS / 10))
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

    with contextlib.suppress(AssertionError):  # the remaining resources say more
        # A process that makes small pictures may take a minute on a busy machine.
        wait_until(is_back, "all is back", 3 * IDLE)
    grown = (after[-1].memory - before[-1].memory) / 2 ** 20
    most = (after[0].memory - before[-1].memory) / 2 ** 20
    print(f"{count} times: {sorted(statuses)}; {most:.1f} MiB more, {grown:.1f} when idle")
    assert after[-1].excess(before[-1]) == []
    assert options == DOWN or 500 not in statuses  # these requests provoke a failure
    assert get(server, "/counter").status == 200
    assert server.terminate() == 0


@pytest.mark.parametrize("asked", one_of_each_kind(ASKED_OF_ANIMALS, [
    "changes", "api_pictures", "stalled_catalog",
]))
def test_resources_of_an_animals_server_do_not_grow_over_time(tmp_path, asked):
    kind = ASKED_OF_ANIMALS[asked]
    server = ServerProcess(
        "AnimalsDataServer",
        lambda port: ["--port", str(port), "--database", str(tmp_path / "animals.store"), "--idle-timeout", "3",
                      "--read-timeout", "3", "--picture-megabytes", "16", "--log-level", "critical"],
    ).start()
    try:
        print(f"{kind.__name__} for {SECONDS:g} s, SEED={SEED}")
        alone = opened(server)
        # Buffers grow once, so only later growth counts.
        ask(server, kind, "before", max(1, SECONDS / 10), has_session=False)
        wait_until(lambda: opened(server) <= alone, "the server is idle", IDLE)
        before = Taken(server, has_gauges=False)

        count, statuses = ask(server, kind, "measured", SECONDS, has_session=False)

        found = []

        def is_back():
            found.append(Taken(server, has_gauges=False).excess(before))
            return not found[-1]

        with contextlib.suppress(AssertionError):  # the remaining resources say more
            wait_until(is_back, "all is back", IDLE)
        print(f"{count} times: {sorted(statuses)}")
        assert found[-1] == []
        assert 500 not in statuses
        assert server.terminate() == 0
    finally:
        server.kill()


# MARK: What is generated

PRODUCTS = {
    "CounterUI": ["/counter"], "AnimalsUI": ["/animals"], "QuakesUI": ["/quakes"],
    "DeveloperTools": [path for path in PARAMETERS if path.startswith("/developer") or path == "/report"],
}


def declared(module):
    """The names of a module's forms, of their fields, and of the parameters of its pages."""
    source = "\n".join(
        file.read_text() for file in (ROOT / "Sources" / module).rglob("*.swift") if "Previews" not in file.parts)
    fields = set(re.findall(r'let (\w+) = (?:Field(?:<[\w.]+>)?|Self)\s*\.\w+\(\s*"(\w+)"', source))
    parameters = re.findall(r'\bParameter\(\s*(?:Field\.\w+\()?(?:"(\w+)"|Self\.(\w+))', source)
    # Some parameters are fields, too, of forms that change the address.
    named = {property for _, property in parameters}
    parameters = {name for name, _ in parameters if name} | {name for property, name in fields if property in named}
    forms = set(re.findall(r'\bForm<\w+>\(\s*"(\w+)"', source))
    return forms, {name for property, name in fields if property not in named}, parameters


@pytest.mark.parametrize("module", PRODUCTS)
def test_every_form_field_and_parameter_is_generated(module):
    """What is not generated is in none of the tests above."""
    names, fields, parameters = declared(module)
    forms = {name: form for path in PRODUCTS[module] for name, form in FORMS.get(path, {}).items()}

    assert names == forms.keys()
    assert fields == {field for form in forms.values() for field in form}
    # A page of the past and the page of a report have parameters, but no local state.
    others = {name for path in ("/developer/past", "/report") if path in PRODUCTS[module] for name in PARAMETERS[path]}
    generated = {name for path in PRODUCTS[module] for name in PARAMETERS[path]}
    assert parameters <= generated
    assert generated - others <= parameters
