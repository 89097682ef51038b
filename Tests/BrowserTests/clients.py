"""Handmade clients that read everything, or stop reading."""

import contextlib
import json
import pathlib
import selectors
import socket
import threading

from faults import reset
from raw import post_json


def connected(port, count):
    """How many of so many connections, made at once, are established without the server's doing."""
    with contextlib.ExitStack() as stack, selectors.DefaultSelector() as waiting:
        for _ in range(count):
            connection = stack.enter_context(socket.socket())
            connection.setblocking(False)
            connection.connect_ex(("127.0.0.1", port))
            waiting.register(connection, selectors.EVENT_WRITE)
        return len(waiting.select(timeout=0))


class Drained:
    """A session's stream whose events are read and discarded, for a `with` statement."""

    def __init__(self, server, session, source="127.0.0.1", first=None):
        """From an address of this machine; with the body of a window that joins it."""
        self._server = server
        self._session = session
        self._source = source
        self._first = json.dumps(first).encode() if first else b""

    def __enter__(self):
        self._connection = socket.create_connection(
            ("127.0.0.1", self._server.port), timeout=30, source_address=(self._source, 0))
        head = f"{'POST' if self._first else 'GET'} /_/stream HTTP/1.1\r\nHost: localhost\r\n"
        if self._first:
            head += f"Content-Type: application/json\r\nContent-Length: {len(self._first)}\r\n"
        self._connection.sendall(f"{head}Cookie: {self._session.cookie}\r\n\r\n".encode() + self._first)
        received = b""
        # Until its first window is shown, the id of that may be unknown.
        awaited = b"event: show" if self._first else b"event: open"
        while awaited not in received or not received.endswith(b"\n\n\r\n"):
            chunk = self._connection.recv(4096)
            assert chunk, f"the stream has ended: {received}"
            received += chunk
        opening = json.loads(received.partition(b"data: ")[2].partition(b"\n")[0])
        self.id, self.window = opening["stream"], opening.get("window")
        self._connection.settimeout(None)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._reader.join()
        self._connection.close()

    def _read(self):
        with contextlib.suppress(OSError):
            while self._connection.recv(65_536):
                pass

    def join(self, at):
        """Joins a window; returns its id."""
        answer = self._session.join(self, at)
        assert answer.status == 201, answer.text
        return answer.json["window"]

    def navigate(self, window, at, number, **more):
        """Returns the status of the answer."""
        return post_json(
            self._server, f"/_/windows/{window}", {"at": at, "navigation": number} | more,
            Cookie=self._session.cookie,
        ).status


class Stalled:
    """Clients that send something, and never read the answer."""

    def __init__(self, server):
        self._server = server
        self._connections = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for connection in self._connections:
            reset(connection)

    def add(self, sent):
        """Adds a client; returns its port."""
        connection = socket.socket()
        self._connections.append(connection)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(10)
        connection.connect(("127.0.0.1", self._server.port))
        port = connection.getsockname()[1]
        # Stop sending when the server accepts no more, because it need not read further.
        connection.setblocking(False)
        with contextlib.suppress(BlockingIOError, ConnectionError):
            connection.send(sent)
        return port


def held_ports(server):
    """Returns the ports of the clients whose connections the server's process has open: they have an inode."""
    rows = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
    ends = [[int(row[index].partition(":")[2], 16) for index in (1, 2)] for row in rows]
    return {
        client
        for row, (port, client) in zip(rows, ends)
        if port == server.port and row[9] != "0"
    }
