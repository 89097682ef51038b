"""A newer release of the Server, for rolling deployments."""

import pathlib
import re
import shutil
import struct
import subprocess

from servers import BINARIES, ROOT

NUMBER = "$s6Server10AppReducerO6numberSivpZ"  # AppReducer.number
CONSTANT = ROOT / "Sources" / "Server" / "AppState.swift"


def reducer():
    """The number of this release's reducer."""
    return int(re.search(r"static let number = (\d+)", CONSTANT.read_text())[1])


def newer_release(folder):
    """Makes a copy of the Server in a folder that differs only in the number of its reducer. Returns its path.

    The number is a constant of the program, so the copy has another one in its place. A build with another
    number would take minutes.
    """
    copy = pathlib.Path(folder) / "Server"
    shutil.copy(BINARIES / "Server", copy)
    with open(copy, "r+b") as file:
        place = _place(copy, file)
        file.seek(place)
        assert file.read(8) == struct.pack("<q", reducer()), "AppReducer.number is no constant of the program"
        file.seek(place)
        file.write(struct.pack("<q", reducer() + 1))
    return copy


def _place(path, file):
    """The position of the number in the file.

    Source: System V ABI, ELF-64, program header.
    """
    symbols = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
    address = int(re.search(rf"^(\w+) \w {re.escape(NUMBER)}$", symbols, re.M)[1], 16)
    file.seek(32)
    (headers,) = struct.unpack("<Q", file.read(8))
    file.seek(54)
    size, count = struct.unpack("<HH", file.read(4))
    for number in range(count):
        file.seek(headers + number * size)
        kind, _, offset, begin, _, length = struct.unpack("<IIQQQQ", file.read(40))
        if kind == 1 and begin <= address < begin + length:
            return address - begin + offset
    raise AssertionError(f"{NUMBER} is in no segment")
