"""Repeats the guide's measurements of collections for states."""

import json
import subprocess

from harness import call, swift_program

SIZES = [64, 512, 4096, 65536]
COLLECTIONS = {"dictionary": "Dictionary", "tree": "TreeDictionary", "store": "SQLite"}
OPERATIONS = ["count", "read", "insert", "update", "delete", "sort"]


def measure():
    program = swift_program("ElementCollections")

    def run(collection, operation):
        command = [program, collection, operation, *map(str, SIZES)]
        return json.loads(call(*command, stdout=subprocess.PIPE).stdout)

    results = {
        (operation, collection): run(collection, operation)
        for operation in OPERATIONS for collection in COLLECTIONS
    }
    return report(results)


def report(results):
    smallest, largest = "512", SIZES[-1]
    lines = [
        "| | | " + " | ".join(f"{size:,}" for size in SIZES)
        + f" | {largest:,} of 512 | Of TreeDictionary | Peak of memory |",
        "| --- | --- |" + " ---: |" * (len(SIZES) + 3),
    ]
    for operation in OPERATIONS:
        tree = results[operation, "tree"]["nanoseconds"][str(largest)]
        for collection, name in COLLECTIONS.items():
            result = results[operation, collection]
            times = result["nanoseconds"]
            cells = [operation.capitalize() if collection == "dictionary" else "", name]
            cells += [duration(times[str(size)]) for size in SIZES]
            cells += [
                ratio(times[str(largest)] / times[smallest]),
                ratio(times[str(largest)] / tree),
                f"{result['peakBytes'] / 2**20:.0f} MiB",
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def duration(nanoseconds):
    for unit, factor in [("ms", 1e6), ("µs", 1e3)]:
        if nanoseconds >= factor:
            return f"{nanoseconds / factor:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


def ratio(value):
    return f"{float(f'{value:.2g}'):,.0f}" if value >= 10 else f"{value:.2f}"
