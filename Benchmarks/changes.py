"""The cost of a frame by the number of rows, of changed rows, and of views: time, and instructions where the machine
counts them."""

import re
import shutil
import subprocess

from harness import Failure, swift_program

ROWS = [1_000, 10_000, 100_000]
CHANGED = [1, 10, 100, None]  # None: all.
VIEWS = [1, 100]
ROUNDS = 5
# Valgrind takes fifty times as long. Beyond so many rows that all views derive at first, or that change in them, it
# counts nothing.
MOST_DERIVED = 1_000_000
MOST_CHANGED = 100_000


def measure():
    program, count = swift_program("Changes"), counter()
    lines = [
        f"The best of {ROUNDS} frames. Instructions are those of a round in all threads, counted by {count.__name__}."
        if count else f"The best of {ROUNDS} frames. This machine counts no instructions.",
        "",
        "| Rows | Changed |" + "".join(f" {views:,} {'view' if views == 1 else 'views'} | Instructions |" for views in VIEWS),
        "| ---: | ---: |" + " ---: | ---: |" * len(VIEWS),
    ]
    for rows in ROWS:
        for changed in CHANGED:
            line = f"| {rows:,} | {f'{changed:,}' if changed else 'all'} |"
            for views in VIEWS:
                arguments = [program, str(rows), str(changed or rows), str(views)]
                time = int(run([*arguments, str(ROUNDS)]).stdout)
                line += f" {time / 1000:,.2f} ms |"
                is_counted = count and rows * views <= MOST_DERIVED and (changed or rows) * views <= MOST_CHANGED
                line += f" {instructions(count, arguments) / 1e6:,.1f} million |" if is_counted else " |"
            lines.append(line)
    return "\n".join(lines)


def instructions(count, arguments):
    """Returns the instructions of a round: what more rounds have more of them."""
    few, many = (count([*arguments, str(rounds)]) for rounds in (1, 3))
    return (many - few) / 2


def counter():
    """Returns the function that counts the instructions of a command, if there is one."""
    for count in [perf, callgrind]:
        try:
            count(["/bin/true"])
            return count
        except Failure:
            continue


def perf(command):
    return counted(["perf", "stat", "-x,", "-e", "instructions:u", *command], r"^(\d+),.*instructions")


def callgrind(command):
    return counted(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command], r"Collected : (\d+)")


def counted(command, pattern):
    if shutil.which(command[0]) is None:
        raise Failure(f"there is no {command[0]}")
    match = re.search(pattern, run(command).stderr, re.M)
    if not match:
        raise Failure(f"{command[0]} counts no instructions")
    return int(match[1])


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{command[0]} ended with status {done.returncode}: {done.stderr}")
    return done
