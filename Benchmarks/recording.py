"""The cost of recording: of renames of one animal among many, which one window shows, and of changes of one row, which
many windows show, in turns with servers that record nothing; the memory for it; the speed of a replay; and the cost of
the checks whether anybody records."""

import contextlib
import os
import re
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from harness import ROOT, Failure, call, generating, running, server_binary, swift_program
from renames import cpu, renaming

COUNT = 10_000
ROUNDS = 200
# Renames before the measurement.
WARM_UP = 20

WINDOWS = 1_000
PAGE = "/products"
# As in push/load.c: # becomes a digit of the post's number.
FIELDS = "_form=change&product=product-1250&price=####.00"
# The number of changes in a row, how often each server has its turn, and how often all servers are started.
CHANGES = 100
TURNS = 2
# Each start has other addresses, and so another speed: this matters more than anything else that is not measured.
STARTS = 10
PAUSE = 25  # milliseconds after the last window has a change
# What recording may cost, of what a change costs otherwise; and what it may cost while nobody records.
TARGET_ON = 1.05
TARGET_OFF = 0.01


def measure():
    binary, program = server_binary(), swift_program("Headline")
    with tempfile.TemporaryDirectory() as folder:
        key = Path(folder) / "key"
        subprocess.run([binary, "recording-key", str(key)], check=True, capture_output=True)
        renames = measure_renames(binary, key)
        changes, usual = measure_changes(program, key)
        return "\n\n".join([renames, changes, measure_checks(usual)])


# Two servers that are the same: how they differ shows the error of the measurement.
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
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        folder = Path(folder)
        options = {**kinds(folder, key), "`--reports`": ["--reports", str(folder / "reports")]}
        servers = {
            kind: stack.enter_context(
                renaming([binary, *more], stack.enter_context(tempfile.TemporaryDirectory()), COUNT))
            for kind, more in options.items()
        }
        times = {kind: [] for kind in options}
        # In turns, so that other load on the machine affects all of them equally.
        for number in range(WARM_UP + ROUNDS):
            for kind, server in servers.items():
                time_of_all, _ = server.rename()
                if number >= WARM_UP:
                    times[kind].append(time_of_all)
        size = (folder / "recording.jsonl").stat().st_size
        sizes = {kind: memory(server.process) for kind, server in servers.items()}
        stack.close()
        began = time.monotonic()
        replay = subprocess.run(
            [binary, "replay", str(folder / "sealed.jsonl"), "--key", str(key)],
            cwd=ROOT, capture_output=True, text=True)
        seconds = time.monotonic() - began
    if replay.returncode != 0:
        raise Failure(f"the replay differs: {replay.stderr}")
    actions, pages = map(int, re.search(r"(\d+) actions, (\d+) changes", replay.stdout).groups())
    medians = {kind: statistics.median(values) for kind, values in times.items()}
    base, base_size = (statistics.mean(values[kind] for kind in USUAL) for values in (medians, sizes))
    return "\n".join([
        f"Medians of {ROUNDS} renames of one of {COUNT:,} animals, in turns on one Server of each kind, and the memory of "
        "the Server after them:",
        "",
        "| Server | CPU of a rename | Of usual | Memory | More than usual |",
        "| --- | ---: | ---: | ---: | ---: |",
        *(f"| {kind} | {median * 1e3:.2f} ms | {median / base:.2f} | {sizes[kind] / 1e6:.1f} MB "
          f"| {(sizes[kind] - base_size) / 1e6:+.1f} MB |" for kind, median in medians.items()),
        "",
        f"The recording has {size / 1e6:.1f} MB ({actions:,} actions, one of which brings all animals). Sealed it also has "
        f"{pages:,} changes of pages; the replay of that took {seconds:.1f} s.",
    ])


def memory(process):
    """Returns the memory that only this process has, in bytes."""
    text = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
    return 1024 * sum(map(int, re.findall(r"^Private_\w+: +(\d+) kB", text, re.M)))


@contextlib.contextmanager
def windows(program, *options):
    """Starts the server of *One row of 500* on the first core, with many windows. Yields its port, and a function that
    makes changes: it returns the processor time of a change, and the times until the last window had it, p50 and p99,
    in seconds. On all cores, these times would depend on which core the kernel chooses: that of the load generator, or
    the other one."""
    first = {min(os.sched_getaffinity(0))}
    with running("Headline", [program, *options], first) as (port, process):
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


def rotated(items, number):
    """The items, beginning with another one each time, so that each comes after each."""
    number %= len(items)
    return [*items[number:], *items[:number]]


def measure_changes(program, key):
    """Returns a text, and the processor time of a change as usual, in seconds."""
    # By kind, one for each start. Each process has its memory elsewhere, and so its own speed.
    results = {}
    for start in range(STARTS):
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as servers:
            options = kinds(Path(folder), key)
            changes = {kind: servers.enter_context(windows(program, *options[kind]))[1]
                       for kind in rotated([*options], start)}
            turns = {kind: [] for kind in changes}
            for turn in range(TURNS):
                for kind in rotated([*changes], turn):
                    turns[kind].append(changes[kind]())
            for kind in options:
                results.setdefault(kind, []).append(medians(turns[kind]))
    usual = [statistics.mean(results[kind][start][0] for kind in USUAL) for start in range(STARTS)]
    ratios = {kind: [values[0] / base for values, base in zip(starts, usual)] for kind, starts in results.items()}
    # Of the mean.
    errors = {kind: statistics.stdev(values) / STARTS ** 0.5 for kind, values in ratios.items()}
    lines = [
        f"A change of one field in a list of 500 rows, which {WINDOWS:,} windows show ([One row of 500](#one-row-of-500)), "
        f"in turns on one server of each kind, all of them on one core. They were started {STARTS} times; each start has "
        f"{TURNS} turns of {CHANGES} changes. Means of the medians of each start, and the lowest and the highest:",
        "",
        "| Server | CPU of a change | Of usual | Until the last window has it, p50 | p99 |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for kind, starts in results.items():
        used, p50, p99 = (statistics.mean(values) * 1e3 for values in zip(*starts))
        lines.append(
            f"| {kind} | {used:.2f} ms | {statistics.mean(ratios[kind]):.3f} ({min(ratios[kind]):.3f} to "
            f"{max(ratios[kind]):.3f}) | {p50:.2f} ms | {p99:.2f} ms |")
    verdicts = ", ".join(
        f"{verdict(statistics.mean(values), errors[kind])} with {kind}"
        for kind, values in ratios.items() if kind not in USUAL)
    lines += ["", f"The standard error of these ratios is at most {max(errors.values()):.1%}. The target of at most "
                  f"{TARGET_ON - 1:.0%} more is {verdicts}."]
    return "\n".join(lines), statistics.mean(usual)


def verdict(ratio, error):
    """Whether the target is met, as far as the error of the ratio lets one say."""
    if ratio + error <= TARGET_ON:
        return "met"
    return "missed" if ratio - error > TARGET_ON else "met or missed, within the error,"


def measure_checks(usual):
    """What hooks can cost while nobody uses them."""
    words = call(swift_program("Dispatches"), stdout=subprocess.PIPE).stdout.split()
    dispatch, reduce, recorded = (float(word) / 1e9 for word in words)
    share = dispatch / usual
    if share > TARGET_OFF:
        raise Failure(f"a dispatch is {share:.1%} of a change")
    return (
        f"While nobody records, a whole dispatch of the Counter, in which a store checks whether somebody does, takes "
        f"{dispatch * 1e9:.0f} ns, {reduce * 1e9:.0f} ns of which are the reducer's: together {share:.3%} of the CPU of a "
        f"change as usual above. With a recorder that does nothing, it takes {recorded * 1e9:.0f} ns.")
