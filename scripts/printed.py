"""
Writes the files that a page of the documentation prints: `printed.py PAGE FOLDER`.

Each file is a path in backticks and a colon, alone in a line, followed by a block with its content. Files that
exist are replaced.
"""

import pathlib
import re
import sys

FILE = re.compile(r"^`([\w/+.]+)`:\n\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def write(page, folder):
    """Returns the paths of the files."""
    files = FILE.findall(page.read_text(encoding="utf-8"))
    for path, text in files:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return [path for path, _ in files]


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: printed.py PAGE FOLDER")
    for path in write(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])):
        print(path)
