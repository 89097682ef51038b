"""Shared by all measurements: building and running programs, talking to servers like windows, and
describing the machine."""

import contextlib
import ctypes
import datetime
import http.client
import json
import os
import platform
import re
import select
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = HERE / ".build" / "push"
README = HERE / "README.md"

START_SECONDS = 30
END_SECONDS = 15
# All windows connect from one address, each with its own stream.
MANY_STREAMS = ["--streams", "20000", "--streams-per-network", "20000", "--connections-per-network", "25000"]


class Failure(Exception):
    """A failure, with a message for the caller."""


# Building.


def compile_c(*names):
    BUILD.mkdir(parents=True, exist_ok=True)
    for name in names:
        call("gcc", "-std=gnu17", "-O2", "-Wall", "-Wextra", "-o", BUILD / name,
             HERE / "push" / f"{name}.c")


def swift_program(name):
    """Builds a program in Sources, and returns its path."""
    package = ["--package-path", HERE, "-c", "release"]
    # SwiftPM must plan the build again, because it would miss moved files of a neighboring package.
    (HERE / "Package.swift").touch()
    call("swift", "build", *package, "--product", name, stdout=sys.stderr)
    shown = call("swift", "build", *package, "--show-bin-path", stdout=subprocess.PIPE)
    return Path(shown.stdout.strip()) / name


def server_binary():
    if os.environ.get("SERVER"):
        path = Path(os.environ["SERVER"]).absolute()
    else:
        build = ["swift", "build", "-c", "release", "--product", "Server"]
        call(*build, stdout=sys.stderr)
        shown = call(*build[:4], "--show-bin-path", stdout=subprocess.PIPE)
        path = Path(shown.stdout.strip()) / "Server"
    if not os.access(path, os.X_OK):
        raise Failure(f"there is no server at {path}")
    return path


def call(*command, **options):
    try:
        return subprocess.run(command, cwd=ROOT, check=True, text=True, **options)
    except FileNotFoundError:
        raise Failure(f"{command[0]} is not installed") from None
    except subprocess.CalledProcessError as error:
        raise Failure(f"`{' '.join(map(str, command))}` failed ({error.returncode})") from None


def measure_program(name):
    """The table of a program in Sources: best of alternating runs."""
    return call(swift_program(name), stdout=subprocess.PIPE).stdout.strip()


# Running.


@contextlib.contextmanager
def running(name, command, cores, environment=None):
    """Runs a server on some cores. Yields its port and process, and ends it."""
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
            env=environment, preexec_fn=lambda: os.sched_setaffinity(0, cores))
        try:
            yield port_of(process), process
        except Failure as failure:
            status = process.poll()
            state = "" if status is None else f"; it had ended with status {status}"
            log.seek(0)
            raise Failure(f"{name}: {failure}{state}\n{log.read()[-2000:]}".rstrip()) from None
        finally:
            process.terminate()
            try:
                process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                print(f"run: {name} does not end within {END_SECONDS} s of SIGTERM; killing it",
                      file=sys.stderr)
                process.kill()
                process.wait()
            process.stdin.close()
            process.stdout.close()


def port_of(process):
    deadline = time.monotonic() + START_SECONDS
    text = b""
    while not text.endswith(b"\n"):
        wait = max(0, deadline - time.monotonic())
        if not select.select([process.stdout], [], [], wait)[0]:
            raise Failure(f"it does not say where it listens within {START_SECONDS} s")
        piece = os.read(process.stdout.fileno(), 4096)
        if not piece:
            process.wait()
            raise Failure("it did not start")
        text += piece
    match = re.search(rb"Listening on http://127\.0\.0\.1:(\d+)", text)
    if not match:
        raise Failure(f"it does not say where it listens, but: {text.decode().strip()}")
    return int(match[1])


# Talking.


class Asked:
    """A process that answers each line of its input with a line of JSON."""

    def __init__(self, process, port=None):
        self.process = process
        self.port = port

    def ask(self, command):
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()
        return self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise Failure(f"{Path(self.process.args[0]).name} ended")
        return json.loads(line)


@contextlib.contextmanager
def generating(name, ports, process, places, page, fields, keys=None):
    """Runs push/load.c on the last core, with windows at servers, the first of which is that process. Each @ in a
    post's fields becomes the next key."""
    with tempfile.NamedTemporaryFile("w") as file:
        command = [BUILD / "load", "-a", page, "-b", fields]
        if keys:
            file.write("\n".join(keys))
            file.flush()
            command += ["-k", file.name]
        last = max(os.sched_getaffinity(0))
        generator = subprocess.Popen(
            [*command, ",".join(map(str, ports)), str(process.pid), *places],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            preexec_fn=lambda: os.sched_setaffinity(0, {last}))
        try:
            yield Asked(generator)
        except (Failure, OSError) as failure:
            generator.kill()
            words = generator.stderr.read().decode()
            raise Failure(f"{name}: {failure}\n{words}".rstrip()) from None
        finally:
            generator.kill()
            generator.communicate()


@contextlib.contextmanager
def connected(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        yield connection
    except (OSError, http.client.HTTPException) as error:
        raise Failure(f"cannot talk to it: {error!r}") from None
    finally:
        connection.close()


def open_stream(connection, url):
    connection.request("GET", "/_/stream?at=" + urllib.parse.quote(url, safe=""))
    response = connection.getresponse()
    if response.status != 200:
        raise Failure(f"its stream has status {response.status}")
    return response


def post(connection, url, fields):
    """Posts, and returns the version in the answer."""
    post.count = getattr(post, "count", 0) + 1
    connection.request(
        "POST", url, body=f"{fields}&_token=capture-{os.getpid()}-{post.count}",
        headers={"Accept": "application/json",
                 "Content-Type": "application/x-www-form-urlencoded"})
    response = connection.getresponse()
    body = response.read()
    if response.status != 200:
        raise Failure(f"a post has status {response.status}: {body.decode()}")
    return json.loads(body)["version"]


def read_event(response, name):
    """Returns the next event with a name, including the blank line that ends it."""
    event = b""
    while True:
        line = response.readline()
        if not line:
            raise Failure(f"its stream ended before an event {name}")
        event += line
        if line == b"\n":
            found = re.search(rb"^event: (.*)$", event, re.M)
            if b"data: " in event and (found[1].decode() if found else "frame") == name:
                return event
            event = b""


# The machine.

# In percent. Other programs take turns with the servers and the client, which distorts ratios.
BUSY_LIMIT = 10


def measured(name, measure, build=lambda: None, is_timed=True):
    """Returns a section of README.md: when and where it was measured, how busy the machine was with
    other programs meanwhile, and the results.

    - Parameters:
      - name: The name of the section, so that a wrong name fails now rather than at the end.
      - measure: Returns a text.
      - build: Preparation that may run on a busy machine.
      - is_timed: Whether the results are meaningless on a busy machine.
    """
    replace_section(README.read_text(), name, "")
    build()
    adopt_orphans()
    start = cpu_seconds()
    text = measure()
    reap_orphans()
    total, idle, own = (after - before for after, before in zip(cpu_seconds(), start))
    busy = max(0, 100 * (total - idle - own) / total)
    line = f"{datetime.date.today()}, {machine()}, {busy:.0f} % busy with other things."
    if is_timed and busy > BUSY_LIMIT:
        line += "\n\n**The machine was too busy: measure again. These ratios mean nothing.**"
    return f"{line}\n\n{text}"


def publish(sections, print_only):
    """Prints sections, and puts them into README.md."""
    print("\n" + "\n\n".join(sections.values()), flush=True)
    if not print_only:
        readme = README.read_text()
        for name, section in sections.items():
            readme = replace_section(readme, name, section)
        README.write_text(readme)


def cpu_seconds():
    """Returns the total CPU time so far, how much of it was idle, and how much this program and its
    children used."""
    line = Path("/proc/stat").read_text().splitlines()[0]
    idle = sum(int(field) for field in line.split()[4:6]) / os.sysconf("SC_CLK_TCK")
    own = os.times()
    return time.monotonic() * os.cpu_count(), idle, sum(own[:4])


def adopt_orphans():
    """From now on, processes whose parents have ended, such as those of a browser, are children of this program."""
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def reap_orphans():
    """Makes the CPU time of adopted processes that have ended count as that of this program."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


def machine():
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                return f"{os.cpu_count()} × {model}, Linux {platform.release()}"
    return f"{os.cpu_count()} × {platform.machine()}, Linux {platform.release()}"


# The report.


def replace_section(text, name, section):
    """Returns the text with the part between the markers of a name replaced."""
    start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if text.count(start) != 1 or text.count(end) != 1 or text.index(start) > text.index(end):
        raise Failure(f"{README} must have the markers {start} and {end}, once each")
    return text[: text.index(start) + len(start)] + f"\n{section}\n" + text[text.index(end):]
