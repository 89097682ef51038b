"""What the documents say of commands, options, their defaults and messages of the log."""

import re
import subprocess
import sys

import pytest

import raw
import servers
from servers import BINARIES, ROOT
from waiting import PATIENCE

DOCUMENTS = [
    ROOT / "README.md", ROOT / "Benchmarks" / "README.md", *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "docs" / "operations" / "immutable-data.service",
]
OPERATIONS = (ROOT / "docs" / "operations" / "OPERATIONS.md").read_text()
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
# Of journalctl, systemctl, swift, git and pytest.
OF_OTHERS = {"--output", "--unit", "--now", "--product", "--short", "--engine", "--single-transaction", "--set-rpath",
             "--reference"}


def help_of(name, *command):
    code, output, _ = servers.run(name, *command, "--help", timeout=PATIENCE)
    assert code == 0
    return output


@pytest.fixture(scope="module")
def helps():
    """What each command of the programs says of itself."""
    texts = [help_of("Server"), help_of("AnimalsDataServer")]
    for name in ["Server", "AnimalsDataClient", "QuakesDataClient"]:
        commands = re.findall(r"^  ([a-z-]+) ", help_of(name).partition("SUBCOMMANDS:")[2], re.MULTILINE)
        assert commands
        texts += [help_of(name, command) for command in commands]
    return texts


@pytest.fixture(scope="module")
def texts():
    """The documents, without the properties of style sheets, which look like options."""
    properties = re.findall(r"^\s*(--[a-z-]+):", (ROOT / "Public" / "style.css").read_text(), re.MULTILINE)
    pattern = re.compile(rf"(?:{'|'.join(set(properties))})(?![\w-])")
    return {
        path: pattern.sub("", re.sub(r"(?s)```css.*?```", "", path.read_text())) for path in DOCUMENTS}


def test_every_option_is_documented(helps, texts):
    options = {option for text in helps for option in OPTION.findall(text)}

    documented = {
        option for path, text in texts.items() if path.suffix == ".md" for option in OPTION.findall(text)}

    assert options - documented == set()


def test_documented_options_exist(helps, texts):
    of_benchmarks = [
        subprocess.run([sys.executable, ROOT / "Benchmarks" / name, "--help"], check=True, text=True,
                       capture_output=True, timeout=PATIENCE).stdout
        for name in ["run", "load", "soak.py"]]
    options = {option for text in [*helps, *of_benchmarks] for option in OPTION.findall(text)}

    for path, text in texts.items():
        assert set(OPTION.findall(text)) - options - OF_OTHERS == set(), path


def test_the_sections_of_the_benchmarks_are_documented():
    source = (ROOT / "Benchmarks" / "run").read_text()
    sections = re.findall(r'^    "(\w+)": \(', source.partition("SECTIONS = {")[2], re.MULTILINE)

    assert f"# one of {', '.join(sections)}\n" in (ROOT / "Benchmarks" / "README.md").read_text()


def spellings(number):
    yield f"{number:,}"
    for unit, size in [("KiB", 1 << 10), ("MiB", 1 << 20)]:
        if number % size == 0:
            yield f"{number // size} {unit}"
    if number % 1024 == 0:  # of an option in megabytes
        yield f"{number // 1024} GiB"


@pytest.mark.parametrize("program, head", [
    ("Server", "| Limit | Option |"), ("AnimalsDataServer", "| Limit, or what is kept | Option |")])
def test_documented_limits_are_the_defaults(program, head):
    defaults = dict(re.findall(r"^  (--[a-z-]+) <(?:(?!\n  -).)*?\(default:\s+(\d+)\)", help_of(program),
                               re.MULTILINE | re.DOTALL))
    table = OPERATIONS.partition(head)[2].partition("\n\n")[0]
    rows = [row.split(" | ") for row in table.splitlines()[2:]]
    found = [
        (limit, option) for limit, options, *_ in rows for option in OPTION.findall(options) if option in defaults]

    assert len(found) >= 6
    for limit, option in found:
        # Not within a longer number: 10 is not in "10,000".
        assert any(
            re.search(rf"(?<![\d,]){spelling}(?!,?\d)", limit) for spelling in spellings(int(defaults[option]))
        ), (option, defaults[option], limit)


def test_the_commands_of_the_makefile_are_documented(texts):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    used = {path: set(re.findall(r"(?m)(?:^|`)make ([a-z-]+)", text)) for path, text in texts.items()}

    assert targets - used[ROOT / "README.md"] == set()
    for path, commands in used.items():
        assert commands - targets == set(), path


def test_every_picture_is_shown_and_exists(texts):
    shown = {
        (path.parent / name).resolve()
        for path, text in texts.items() for name in re.findall(r"!\[[^]]*\]\(([^)]+\.png)\)", text)}

    assert shown == set((ROOT / "docs" / "images").glob("*"))


def test_documented_messages_of_the_log_exist():
    table = OPERATIONS.partition("| Message |")[2].partition("\n\n")[0]
    messages = [re.sub(r" \(or: .*\)", "", row.split(" | ")[0][2:]) for row in table.splitlines()[2:]]
    sources = "".join(path.read_text() for path in sorted((ROOT / "Sources").rglob("*.swift")))

    assert len(messages) > 8
    for message in messages:
        # The first word may come from a variable.
        assert f'"{message}"' in sources or f') {message.partition(" ")[2]}"' in sources, message


def test_a_sealed_recording_is_made_and_replayed_with_the_documented_commands(start_server, tmp_path):
    document = (ROOT / "docs" / "DEVELOPER.md").read_text()
    (block,) = re.findall(r"```sh\n(\S+ recording-key .*?)```", document, re.DOTALL)
    make, record, replay = [
        re.sub("/safe/place/|/tmp/", f"{tmp_path}/", line.partition("#")[0]).split()[1:]
        for line in block.splitlines()]

    assert servers.run("Server", *make, timeout=PATIENCE)[0] == 0
    server = start_server(*record)
    session = raw.Session(server)
    with session.stream() as stream:
        session.join(stream, "/counter")
        stream.wait_for(int(session.post("/counter", "_form=increment").json["version"]))
    assert server.terminate() == 0
    code, output, error = servers.run("Server", *replay, timeout=60)

    assert (code, error) == (0, "")
    assert output.startswith("The same: 1 action,")
