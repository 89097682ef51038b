"""Checks the accessibility of the previews of a running server: contrast, structure, names, targets, and room.

Usage: accessibility.py URL [MODULE]. It prints each problem, and ends with status 1 if there are any.
"""

import pathlib
import sys
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "BrowserTests"))

import engines  # noqa: E402
import previews  # noqa: E402


def main(url, module=None):
    folder = "/".join(filter(None, ["/previews", module]))
    with urllib.request.urlopen(f"{url}/previews") as answer:
        paths = [path for path in previews.paths(answer.read().decode()) if path.startswith(f"{folder}/")]
    if not paths:
        sys.exit(f"There are no previews at {url}{folder}.")
    with engines.launched("chromium") as browser:
        problems = list(previews.problems(browser, url, paths))
    for path, _, text in problems:
        print(f"{path}: {text}")
    print(f"{len(paths)} previews, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1].rstrip("/"), *sys.argv[2:])
