"""The files that README.md prints, and programs built from them with the modules of `swift build`."""

import json
import pathlib
import re
import subprocess

from servers import BINARIES, ROOT

# A path in backticks and a colon, alone in a line; then the block that is the file.
FILE = re.compile(r"^`([\w/+.]+)`:\n\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# A program of the package that imports the same modules as a product's program.
MODEL = "FixtureServer"


def printed_files():
    """The files that README.md prints, by path."""
    return dict(FILE.findall((ROOT / "README.md").read_text()))


def build(sources, name, folder):
    """
    Compiles and links a program as `swift build` does that model, with warnings as errors.

    Its arguments are in the manifest of the build: where the modules of C are, and what to link.
    """
    objects = (BINARIES / f"{MODEL}.product" / "Objects.LinkFileList").read_text().split("\n")
    own = (f"/{MODEL}.build/", "/Fixture.build/")
    linked = folder / "objects"
    linked.write_text("\n".join(path for path in objects if not any(part in path for part in own)))
    program = folder / name
    compiler, clang_arguments = _compiler()
    command = [
        compiler, "-module-name", name, "-parse-as-library", "-swift-version", "6",
        "-warnings-as-errors", "-Onone", "-I", BINARIES / "Modules", *clang_arguments,
        *sources, f"@{linked}", "-emit-executable", "-o", program,
    ]
    result = subprocess.run(
        [str(word) for word in command], cwd=folder, text=True, capture_output=True, timeout=300
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return program


def _compiler():
    """The path of the compiler, and its options for the modules of C."""
    folder = BINARIES.resolve()
    manifest = (folder.parents[1] / f"{folder.name}.yaml").read_text()
    start = manifest.index(f'"C.{MODEL}-')
    [line] = re.findall(
        rf'^    args: (\[.*"-module-name","{MODEL}","-emit-dependencies".*\])$',
        manifest[start:], re.MULTILINE,
    )
    words = json.loads(line)
    return words[0], [
        word for flag, value in zip(words, words[1:]) if flag == "-Xcc"
        for word in (flag, value) if value not in ("-fPIC", "-g", "-fno-omit-frame-pointer")
    ]
