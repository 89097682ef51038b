"""The size of a page of 10,000 rows as an event: plain, and as it is sent to a browser."""

import os
import urllib.parse
import zlib

from harness import Failure, connected, open_stream, read_event, running, swift_program

# All of the catalog in one part.
URL = "/catalog?size=10000"
ROWS = 10_000
TARGET = 350_000


def measure():
    with running("Headline", [swift_program("Headline")], os.sched_getaffinity(0)) as (port, _):
        with connected(port) as stream:
            plain = read_event(open_stream(stream, URL), "show")
        if plain.count(b'data-key=') < ROWS:
            raise Failure(f"the event does not have {ROWS:,} rows")
        packed = packed_size(port, plain)
    verdict = "met" if packed <= TARGET else "**missed**"
    return "\n".join([
        f"| {ROWS:,} rows of 8 fields, shown at once | Bytes | Target |",
        "| --- | ---: | --- |",
        f"| The event | {len(plain):,} | |",
        f"| The same, deflated once for all windows | {packed:,} | at most {TARGET:,}: {verdict} |",
    ])


def packed_size(port, plain):
    """Returns how many compressed bytes there are until the event is complete."""
    with connected(port) as connection:
        at = urllib.parse.quote(URL, safe="")
        connection.request("GET", f"/_/stream?at={at}", headers={"Accept-Encoding": "gzip, deflate"})
        response = connection.getresponse()
        if response.getheader("Content-Encoding") not in ("gzip", "deflate"):
            raise Failure(f"the stream has the coding {response.getheader('Content-Encoding')}")
        decoder, text, size = zlib.decompressobj(wbits=47), b"", 0
        while len(text) < len(plain) or not text.endswith(b"\n\n"):
            piece = response.read1(1 << 16)
            if not piece:
                raise Failure("the stream ended before its first event")
            size += len(piece)
            text += decoder.decompress(piece)
        return size
