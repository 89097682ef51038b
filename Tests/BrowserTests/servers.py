"""The real servers, as separate processes: start, stop, kill, restart on the same port."""

import contextlib
import http.client
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import weakref

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path(os.environ.get("SERVER_BINARIES", ROOT / ".build" / "debug"))
LISTENING = re.compile(r"Listening on http://(?:127\.0\.0\.1|0\.0\.0\.0):(\d+)")
START_LIMIT = 60  # seconds
STOP_LIMIT = 20


# Used by failed tests.
started = weakref.WeakSet()


class ServerProcess:
    """One server. The system chooses its port at the first start, and it stays the same."""

    def __init__(self, name, arguments_for):
        """`arguments_for` makes the command line's arguments from the port."""
        self.binary = BINARIES / name
        self._arguments_for = arguments_for
        self.user = None  # a user id to run as
        self.environment = {}  # besides that of the tests
        self.network = None  # another machine's, where it runs (`faults.Network`)
        self.port = 0
        self.url = None
        self._process = None
        self._reader = None
        self._lines = []
        self._reads = threading.Event()
        self._reads.set()

    @property
    def output(self):
        """The output of the newest process, including standard error."""
        return "".join(self._lines)

    def start(self):
        """Returns when the server listens; raises with its output when it does not."""
        started.add(self)
        self._lines = []
        self._process = launch(
            self.binary, *self._arguments_for(self.port), stderr=subprocess.STDOUT, user=self.user,
            environment=self.environment, network=self.network,
        )
        listening = threading.Event()
        self._reader = threading.Thread(
            target=self._read, args=(self._process.stdout, listening), daemon=True
        )
        self._reader.start()
        listening.wait(START_LIMIT)
        match = LISTENING.search(self.output)
        if not match:
            self.kill()
            raise RuntimeError(
                f"{self._process.args} did not say where it listens in {START_LIMIT} s. "
                f"It ended with {self._process.returncode} and wrote:\n{self.output}"
            )
        self.port = int(match[1])
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def __str__(self):
        code = self._process and self._process.poll()
        return f"{self.binary.name} at {self.url}" + (f", ended with {code}" if code is not None else "")

    @property
    def is_running(self):
        return self._process is not None and self._process.poll() is None

    @property
    def process_id(self):
        return self._process.pid

    def terminate(self, limit=STOP_LIMIT):
        """Sends SIGTERM. Returns the exit code; raises if it has not ended after so many seconds."""
        return self.signal(signal.SIGTERM, limit)

    def signal(self, number, limit=STOP_LIMIT):
        """Sends a signal that ends the server. Returns and raises as `terminate`."""
        self._process.send_signal(number)
        return self.wait(limit)

    @contextlib.contextmanager
    def paused(self):
        """Suspends the process meanwhile."""
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    @contextlib.contextmanager
    def unread(self):
        """Nobody reads the output of the process meanwhile."""
        self._reads.clear()
        try:
            yield
        finally:
            self._reads.set()

    def wait(self, limit=STOP_LIMIT):
        """Returns the exit code of a server that ends by itself; raises if it has not ended after so many seconds."""
        code = self._process.wait(limit)
        self._reader.join(limit)
        return code

    def kill(self):
        """Sends SIGKILL."""
        if self._process and self._process.poll() is None:
            self._process.kill()
        if self._process:
            self._process.wait()

    def restart(self):
        """Kills the server and restarts it on its port."""
        self.kill()
        return self.start()

    def connection(self, timeout=30, source=None):
        """A new HTTP connection, from an address of this machine if there is a source, for a `with` statement."""
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=timeout, source_address=source and (source, 0))
        if self.network:
            connection.sock = self.network.connect(self.port, "127.0.0.1", timeout)
        return contextlib.closing(connection)

    def _read(self, output, listening):
        for line in output:
            self._lines.append(line)
            if LISTENING.search(line):
                listening.set()
            self._reads.wait()
        listening.set()  # it has ended


def launch(binary, *arguments, stderr=subprocess.PIPE, user=None, environment={}, network=None):
    """Starts a binary in the project's folder."""
    elsewhere = ["ip", "netns", "exec", network.name] if network else []
    try:
        return subprocess.Popen(
            [*elsewhere, str(binary), *arguments], cwd=ROOT, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr, user=user,
            env=os.environ | environment,
        )
    except OSError as error:
        raise RuntimeError(f"{binary} does not run; `swift build` makes it.") from error


def run(name, *arguments, timeout, **options):
    """Runs a program that ends by itself. Returns exit code, standard output and standard error."""
    process = launch(BINARIES / name, *map(str, arguments), **options)
    try:
        output, error = process.communicate(timeout=timeout)
    finally:
        process.kill()
    return process.returncode, output, error


def product_server(*options):
    """The Server with these options and its own data directory, not started yet. An option may be a function, which is
    called at each start."""
    data = tempfile.TemporaryDirectory()
    server = ServerProcess(
        "Server", lambda port: ["--port", str(port), "--data-directory", data.name,
                                *(str(option()) if callable(option) else option for option in options)]
    )
    server.data = pathlib.Path(data.name)
    server.keeps = data  # it is removed with the server
    return server


def fixture_server(*options, items=3, write_timeout=10):
    """The FixtureServer with so many items, not started yet."""
    return ServerProcess(
        "FixtureServer", lambda port: [str(port), str(items), str(write_timeout), *options]
    )
