"""Runs browser tests several times on a machine that is busy with other things, and runs nothing again.

    scripts/busy.py [--runs 5] [ARGUMENTS OF PYTEST]

Beside them run four browsers, each with a page that moves, and two programs that take all of a processor. Each run says
what has failed. A test that fails here depends on the speed of the machine, and is to be mended.
"""

import argparse
import contextlib
import multiprocessing
import pathlib
import re
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "BrowserTests"))

import engines  # noqa: E402

BROWSERS = 4
LOOPS = 2
# Changes and lays out a list ten times a second, as a page does that shows much news.
PAGE = """<ul></ul><script>
  const list = document.querySelector("ul");
  for (let index = 0; index < 200; index += 1) list.append(document.createElement("li"));
  setInterval(() => {
    for (const item of list.children) item.textContent = `Row ${Date.now()}`;
    list.append(list.firstChild);
  }, 100);
</script>"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    arguments, rest = parser.parse_known_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("busy: terminated"))
    with looping(), browsing():
        failed = [run(number, arguments.runs, rest) for number in range(1, arguments.runs + 1)]
    sys.exit(f"{sum(failed)} of {len(failed)} runs have failed" if any(failed) else 0)


def run(number, count, rest):
    """Runs the tests once. Returns whether any failed."""
    has_tests = any((ROOT / argument.partition("::")[0]).exists() for argument in rest)
    command = [sys.executable, "-m", "pytest", "-rfE", "-n", "4", "--dist", "worksteal", *rest]
    result = subprocess.run(
        command if has_tests else [*command, "Tests/BrowserTests"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    lines = result.stdout.splitlines()
    summary = re.sub("^=+ | =+$", "", lines[-1] if lines else "nothing was run")
    print(f"run {number} of {count}: {summary}", flush=True)
    if result.returncode:
        print(result.stdout, flush=True)
        print("\n".join(line for line in lines if line.startswith(("FAILED ", "ERROR "))), flush=True)
    return result.returncode != 0


@contextlib.contextmanager
def looping():
    loops = [multiprocessing.Process(target=loop, daemon=True) for _ in range(LOOPS)]
    for process in loops:
        process.start()
    try:
        yield
    finally:
        for process in loops:
            process.kill()


def loop():
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    while True:
        pass


@contextlib.contextmanager
def browsing():
    with engines.engine("chromium") as launch:
        for _ in range(BROWSERS):
            launch().new_page().set_content(PAGE)
        yield


if __name__ == "__main__":
    main()
