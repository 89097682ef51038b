"""The cost of recording: renames of one animal among many, alternately with and without recording; and the speed of a
replay."""

import contextlib
import re
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from harness import ROOT, Failure, server_binary
from renames import renaming

COUNT = 10_000
ROUNDS = 200
# Renames before the measurement.
WARM_UP = 20


def measure():
    binary = server_binary()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as servers:
        recording, sealed, key = (Path(folder) / name for name in ["recording.jsonl", "sealed.jsonl", "key"])
        subprocess.run([binary, "recording-key", str(key)], check=True, capture_output=True)
        kinds = {
            "as usual": [],
            "as usual, once more": [],
            "`--developer`": ["--developer"],
            "`--record`": ["--record", str(recording)],
            "`--record --record-key`": ["--record", str(sealed), "--record-key", f"{key}.pub"],
            "`--reports`": ["--reports", str(Path(folder) / "reports")],
        }
        renames = {
            kind: servers.enter_context(
                renaming([binary, *options], servers.enter_context(tempfile.TemporaryDirectory()), COUNT))
            for kind, options in kinds.items()
        }
        times = {kind: [] for kind in kinds}
        # In turns, so that other load on the machine affects all of them equally.
        for number in range(WARM_UP + ROUNDS):
            for kind, rename in renames.items():
                cpu, _ = rename()
                if number >= WARM_UP:
                    times[kind].append(cpu)
        size = recording.stat().st_size
        servers.close()
        began = time.monotonic()
        replay = subprocess.run(
            [binary, "replay", str(sealed), "--key", str(key)], cwd=ROOT, capture_output=True, text=True)
        seconds = time.monotonic() - began
    if replay.returncode != 0:
        raise Failure(f"the replay differs: {replay.stderr}")
    actions, pages = map(int, re.search(r"(\d+) actions, (\d+) changes", replay.stdout).groups())
    medians = {kind: statistics.median(values) for kind, values in times.items()}
    base = medians["as usual"]
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
