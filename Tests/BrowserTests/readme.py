"""
The packages that the documentation prints, built with the modules of `swift build`.

`swift build` in a package of its own would build all dependencies again, which takes many minutes. Here only the
printed files are compiled.
"""

import json
import pathlib
import re
import subprocess
import sys

from servers import BINARIES, ROOT

# A program of the package that imports the same modules as a product's program.
MODEL = "FixtureServer"

# What `swift test` generates.
RUNNER = """\
import Testing

@main struct Runner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
"""


def write_package(page, folder):
    """Makes the package that a page prints, with its commands."""
    run(sys.executable, ROOT / "scripts/printed.py", ROOT / page, folder)
    # The block of commands that copies the shared files.
    [commands] = re.findall(r"^mkdir -p Public .*\n(?:cp .*\n)+", (ROOT / page).read_text(), re.MULTILINE)
    copying = commands.replace("../ImmutableDataWeb", str(ROOT))
    subprocess.run(copying, shell=True, check=True, cwd=folder, timeout=60)
    return folder


def build_program(folder, name):
    """
    Compiles and links a program as `swift build` does that model, with warnings as errors.

    Its arguments are in the manifest of the build: where the modules of C are, and what to link.
    """
    program = folder / name
    compile_(
        folder, name, _sources(folder, f"Sources/{name}"), *_objects(folder), "-emit-executable", "-o", program
    )
    return program


def build_tests(folder, name):
    """Compiles and links the tests of a program, as `swift test` does."""
    built = folder / "built"
    built.mkdir()
    runner = folder / "Runner.swift"
    runner.write_text(RUNNER)
    compile_(
        folder, name, _sources(folder, f"Sources/{name}"), "-enable-testing", "-wmo",
        # The tests have an entry point of their own.
        "-Xfrontend", "-entry-point-function-name", "-Xfrontend", f"{name}_main",
        "-emit-module", "-emit-module-path", built / f"{name}.swiftmodule",
        "-c", "-o", built / f"{name}.o",
    )
    program = folder / f"{name}Tests"
    compile_(
        folder, program.name, [*_sources(folder, f"Tests/{name}Tests"), runner], "-I", built,
        "-plugin-path", pathlib.Path(_compiler()[0]).parents[1] / "lib/swift/host/plugins/testing",
        built / f"{name}.o", *sorted((BINARIES / "WindowTesting.build").glob("*.o")), *_objects(folder),
        "-emit-executable", "-o", program,
    )
    return program


def compile_(folder, name, sources, *options):
    compiler, clang_options = _compiler()
    run(
        compiler, "-module-name", name, "-parse-as-library", "-swift-version", "6", "-warnings-as-errors",
        "-Onone", "-I", BINARIES / "Modules", *clang_options, *sources, *options, cwd=folder,
    )


def run(*command, cwd=None, timeout=300):
    """Runs a command, and fails with its output; returns that."""
    result = subprocess.run(
        [str(word) for word in command], cwd=cwd, text=True, timeout=timeout,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    assert result.returncode == 0, result.stdout
    return result.stdout


def manifest(folder):
    text = subprocess.run(
        ["swift", "package", "dump-package"], cwd=folder, capture_output=True, timeout=120
    )
    assert text.returncode == 0, text.stderr.decode()
    return json.loads(text.stdout)


def imports(folder, target):
    """The modules that a target's files import, besides those of the toolchain."""
    texts = [file.read_text() for file in _sources(folder, target)]
    names = {name for text in texts for name in re.findall(r"^(?:@testable )?import (\w+)$", text, re.MULTILINE)}
    return names - {"Foundation", "Testing"}


def _sources(folder, path):
    return sorted((folder / path).glob("*.swift"))


def _objects(folder):
    """What the model links, without its own files."""
    objects = (BINARIES / f"{MODEL}.product" / "Objects.LinkFileList").read_text().split("\n")
    own = (f"/{MODEL}.build/", "/Fixture.build/")
    linked = folder / "objects"
    linked.write_text("\n".join(path for path in objects if not any(part in path for part in own)))
    return [f"@{linked}"]


def _compiler():
    """The path of the compiler, and its options for the modules of C."""
    folder = BINARIES.resolve()
    text = (folder.parents[1] / f"{folder.name}.yaml").read_text()
    start = text.index(f'"C.{MODEL}-')
    [line] = re.findall(
        rf'^    args: (\[.*"-module-name","{MODEL}","-emit-dependencies".*\])$',
        text[start:], re.MULTILINE,
    )
    words = json.loads(line)
    return words[0], [
        word for flag, value in zip(words, words[1:]) if flag == "-Xcc"
        for word in (flag, value) if value not in ("-fPIC", "-g", "-fno-omit-frame-pointer")
    ]
