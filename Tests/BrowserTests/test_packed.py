"""Streams that are compressed. (docs/PROTOCOL.md, Events)"""

import concurrent.futures
import http.client
import json
import urllib.parse
import zlib

import pytest

from raw import events, post
from servers import product_server


class Stream:
    """A window's stream, to the byte."""

    def __init__(self, server, at, coding):
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        self._connection.request("GET", "/_/stream?at=" + urllib.parse.quote(at, safe=""), headers={"Accept-Encoding": coding})
        self._response = self._connection.getresponse()
        self.coding = self._response.headers["Content-Encoding"]
        self._unpacker = zlib.decompressobj(31) if self.coding else None
        self.received = 0
        self._lines = self._read()

    def event(self, name):
        """What the next event with that name says; those before it are skipped."""
        return next(data for _, found, data in events(self._lines) if found == name)

    def _read(self):
        text = b""
        while True:
            while b"\n" not in text:
                piece = self._response.read1()
                assert piece, "the stream has ended"
                self.received += len(piece)
                text += self._unpacker.decompress(piece) if self._unpacker else piece
            line, _, text = text.partition(b"\n")
            yield line

    def close(self):
        self._connection.close()


@pytest.fixture
def server():
    server = product_server("--quakes-feed", "sample")
    yield server.start()
    server.kill()


@pytest.fixture
def open_streams(server):
    opened = []

    def open_streams(at):
        opened.extend(Stream(server, at, coding)
                      for coding in ["identity", "gzip", "br, gzip;q=0.5", "gzip;q=0"])
        return opened

    yield open_streams
    for stream in opened:
        stream.close()


def test_a_client_that_accepts_gzip_gets_the_same_in_fewer_bytes(server, open_streams):
    streams = open_streams("/quakes")
    plain = streams[0]
    assert [stream.coding for stream in streams] == [None, "gzip", "gzip", None]
    for stream in streams:
        stream.event("show")

    # All are read at once: one that is not read for a while is behind, and gets no frames.
    with concurrent.futures.ThreadPoolExecutor(len(streams)) as readers:
        reading = [readers.submit(rows, stream) for stream in streams]
        assert post(server, "/quakes", "_form=refresh&range=allMonth").status == 200
        # The rows of today are in one event, however many the others are.
        regions = [rows.result() for rows in reading]
    assert regions == [regions[0]] * 4
    for stream in streams[1:]:
        assert (stream.received < plain.received / 2) == (stream.coding is not None)


def rows(stream):
    """The regions of the first event that has rows of the list."""
    while True:
        regions = stream.event("frame")["regions"]
        if any("data-key=" in json.dumps(region) for region in regions):
            return regions


def test_small_events_are_not_held_back(server, open_streams):
    streams = open_streams("/counter")
    for stream in streams:
        stream.event("show")

    for number in range(1, 6):
        assert post(server, "/counter", "_form=increment").status == 200

        for stream in streams:
            assert stream.event("frame")["regions"][0][2] == [
                [0, str(number)], [1, f"Value: {number}"]]
