"""Faults, many rounds of each: `make faults ROUNDS=20 SEED=1`; one round without ROUNDS."""

import concurrent.futures
import contextlib
import ctypes
import functools
import os
import random
import shutil
import socket
import struct
import subprocess
import threading

import pytest

ROUNDS = int(os.environ.get("ROUNDS") or 1)
SEED = int(os.environ.get("SEED") or random.randrange(2**32))

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may do this to a machine")


def _may_have_networks():
    """In some containers, even root may not."""
    return os.geteuid() == 0 and shutil.which("ip") is not None and subprocess.run(
        ["unshare", "--net", "true"], capture_output=True).returncode == 0


needs_networks = pytest.mark.skipif(
    not _may_have_networks(),
    reason="NOT TESTED: machines whose packets vanish. This needs root, ip, and the right to make network namespaces")


def rounds(name):
    """The rounds of a test, each with its own random numbers; the same seed gives the same numbers."""
    for number in range(ROUNDS):
        print(f"{name}: round {number} of {ROUNDS}, SEED={SEED}")
        yield random.Random(f"{SEED} {name} {number}")


def reset(connection):
    """Closes a connection like a crash: unread data is lost on both sides."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


class Proxy:
    """Forwards connections to a server until it is told otherwise."""

    def __init__(self, server):
        self.target = server.port
        self.is_frozen = threading.Event()  # it takes connections, and forwards nothing
        self._pairs = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                inner, _ = self._listener.accept()
                try:
                    outer = socket.create_connection(("127.0.0.1", self.target))
                except OSError:
                    reset(inner)
                    continue
                self._pairs.append((inner, outer))
                for pair in [(inner, outer), (outer, inner)]:
                    threading.Thread(target=self._forward, args=pair, daemon=True).start()

    def _forward(self, source, sink):
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                if self.is_frozen.is_set():
                    return  # and leaves both open
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)

    def freeze(self):
        """From now on, drops all data silently."""
        self.is_frozen.set()

    def thaw(self):
        """Forwards new connections; frozen ones stay frozen."""
        self._pairs = []
        self.is_frozen.clear()

    def reset(self):
        """Breaks all connections."""
        pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for connection in pair:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RD)  # wakes the thread that holds it
                    reset(connection)

    def close(self):
        self._listener.close()
        self.reset()


class Cutter:
    """
    Forwards requests to a server, each on a connection of its own, and cuts those of `cuts` posts of forms: at a step of
    `STEPS`, in a way of `WAYS`.
    """

    STEPS = ["before it is sent on", "before its answer", "within the head of its answer", "within its answer"]
    WAYS = ["reset", "end", "silence"]

    def __init__(self, server, step, way, cuts):
        self.posts = 0
        self._server, self._step, self._way, self._cuts = server, self.STEPS.index(step), way, cuts
        self._silent = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                inner, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=[inner], daemon=True).start()

    def _serve(self, inner):
        with contextlib.suppress(OSError, ValueError):
            request = inner.makefile("rb")
            head = list(iter(request.readline, b"\r\n"))
            fields = dict(line.lower().rstrip().split(b": ", 1) for line in head[1:])
            body = request.read(int(fields.get(b"content-length", 0)))
            head = [line for line in head if not line.lower().startswith(b"connection:")]
            message = b"".join([*head, b"Connection: close\r\n\r\n", body])
            is_post = head[0].startswith(b"POST") and b" /_/" not in head[0]
            self.posts += is_post
            if not is_post or self.posts > self._cuts:
                for part in self._answer(message):
                    inner.sendall(part)
                return inner.close()
            if self._step > 0:
                answer = b"".join(self._answer(message))
                inner.sendall(answer[:[0, 0, 20, -3][self._step]])
            if self._way == "reset":
                reset(inner)
            elif self._way == "end":
                request.close()
                inner.close()
            else:
                self._silent.append(inner)

    def _answer(self, message):
        with socket.create_connection(("127.0.0.1", self._server.port)) as outer:
            outer.sendall(message)
            yield from iter(lambda: outer.recv(65_536), b"")

    def close(self):
        self._listener.close()
        for connection in self._silent:
            connection.close()


CLONE_NEWNET = 0x4000_0000  # sched.h
libc = ctypes.CDLL(None, use_errno=True)


def on_own_network(test):
    """
    Runs a test, and all that it starts, where there is no network but its own: a cable that appears
    or goes would end the connections of every browser on this machine (ERR_NETWORK_CHANGED).
    """

    @functools.wraps(test)
    def run_alone(*arguments, **options):
        # Of one thread alone.
        with concurrent.futures.ThreadPoolExecutor(1, initializer=leave_network) as thread:
            thread.submit(test, *arguments, **options).result()

    return run_alone


def leave_network():
    """Moves this thread, and everything that it starts from now on, to its own network."""
    assert libc.unshare(CLONE_NEWNET) == 0, os.strerror(ctypes.get_errno())
    run("ip", "link", "set", "lo", "up")


class Network:
    """
    Another machine: a network namespace, joined to this one by a cable that can be pulled. No packet
    comes through then, and neither side is notified.
    """

    def __init__(self):
        number = os.getpid() % 200 + 20
        self.name, self._near, self._far = f"fault{os.getpid()}", f"near{number}", f"far{number}"
        self.address, far = f"10.213.{number}.1", f"10.213.{number}.2"  # the first of this machine
        self.subnet = f"10.213.{number}.0/24"
        run("ip", "netns", "add", self.name)
        run("ip", "link", "add", self._near, "type", "veth",
            "peer", "name", self._far, "netns", self.name)
        run("ip", "address", "add", f"{self.address}/24", "dev", self._near)
        run("ip", "-n", self.name, "address", "add", f"{far}/24", "dev", self._far)
        run("ip", "-n", self.name, "link", "set", "lo", "up")
        self.plug()

    def plug(self):
        run("ip", "link", "set", self._near, "up")
        run("ip", "-n", self.name, "link", "set", self._far, "up")

    def pull_there(self):
        """Freezes without this machine noticing."""
        run("ip", "-n", self.name, "link", "set", self._far, "down")

    def pull_here(self):
        """Freezes without the other machine noticing."""
        run("ip", "link", "set", self._near, "down")

    def connect(self, port, address=None, timeout=10):
        """A connection that is made there, to this machine or another address."""
        made = concurrent.futures.Future()

        def make():
            try:
                # Of this thread alone.
                with open(f"/run/netns/{self.name}") as namespace:
                    assert libc.setns(namespace.fileno(), CLONE_NEWNET) == 0
                made.set_result(socket.create_connection((address or self.address, port), timeout))
            except OSError as error:
                made.set_exception(error)

        threading.Thread(target=make).start()
        return made.result()

    def close(self):
        run("ip", "netns", "delete", self.name)


def run(*command):
    subprocess.run(command, check=True, capture_output=True, text=True)
