"""What rows in boxes that copy on write would save, in processes of their own."""

import subprocess

from harness import swift_program


def measure():
    program = swift_program("Boxes")
    lines = [
        "| Rows | | Memory of a row | Copy an array and change a row | Compare with a copy of the rows "
        "| Compare with equal rows | Change a row of a tree | Filter half |",
        "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for rows in [1_000, 10_000, 100_000]:
        for kind in ["struct", "box"]:
            done = subprocess.run([program, kind, str(rows)], capture_output=True, text=True, check=True)
            lines.append(f"| {rows:,} | {kind} | {done.stdout.strip()} |")
    return "\n".join(lines)
