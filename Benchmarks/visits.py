#!/usr/bin/env python3
"""Measures the first visit to each product in a browser, over a slow network, and updates README.md: when the page is
painted and when it is live, and what is loaded until then."""

import asyncio
import contextlib
import re
import statistics
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests" / "BrowserTests"))

from browsing import update

PAGES = {"Counter": "/counter", "Animals": "/animals?category=Mammal", "Quakes": "/quakes"}
VISITS = 5
ROUND_TRIP = 0.150  # seconds
RATE = 1_600_000 / 8  # bytes per second, to the browser
REST = 1  # seconds after a page is live in which it may load more
PIECE = 1_460  # bytes, of a packet
TARGETS = {"paint": 500, "live": 850, "rounds": 2, "scripts": 25_000}
TARGET_TEXTS = ["500 ms", "850 ms", "2", "25 kB"]

# Notes when the page is live, in milliseconds since the visit began.
WATCH = """new MutationObserver(() => {
  if (document.documentElement?.hasAttribute("data-live")) window.liveAt ??= performance.now();
}).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-live"] });"""

TIMES = """() => ({
  live: window.liveAt,
  paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
})"""


class SlowNetwork:
    """A proxy with the latency and the bandwidth of a slow network, which all connections share.

    Like Chromium's own emulation, it does not delay the opening of a connection. That emulation leaves out the worker
    that has the stream, and so is not used.
    """

    def __init__(self, port):
        self.upstream = port
        self.requests = []  # [when it was sent, its path, the bytes of its answer so far, when the last came]
        self.free_at = 0  # when the network has sent everything
        self.loop = asyncio.new_event_loop()
        started = threading.Event()
        threading.Thread(target=self.run, args=[started], daemon=True).start()
        started.wait()

    def run(self, started):
        async def serve():
            server = await asyncio.start_server(self.connect, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            started.set()
            await server.serve_forever()

        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(serve())

    async def connect(self, reader, writer):
        upstream_reader, upstream_writer = await asyncio.open_connection("127.0.0.1", self.upstream)
        answers = []
        with contextlib.suppress(ConnectionError):  # a browser or a server that goes away
            await asyncio.gather(
                self.send(reader, upstream_writer, answers), self.receive(upstream_reader, writer, answers))

    async def send(self, reader, writer, answers):
        while data := await reader.read(65_536):
            if match := re.match(rb"(?:GET|POST|HEAD) (\S+) HTTP", data):
                request = [time.monotonic(), match[1].decode(), 0, 0]
                self.requests.append(request)
                answers.append(request)
            self.loop.call_later(ROUND_TRIP / 2, writer.write, data)
        self.loop.call_later(ROUND_TRIP / 2, writer.close)

    async def receive(self, reader, writer, answers):
        while data := await reader.read(PIECE):
            now = time.monotonic()
            self.free_at = max(now, self.free_at) + len(data) / RATE
            arrival = self.free_at + ROUND_TRIP / 2
            if answers:
                answers[-1][2] += len(data)
                answers[-1][3] = arrival
            self.loop.call_later(arrival - now, writer.write, data)
            await asyncio.sleep(self.free_at - now)  # so that connections take turns
        self.loop.call_later(self.free_at - time.monotonic() + ROUND_TRIP / 2, writer.close)


def visit(browser, network, path):
    """Returns what a browser measures that knows nothing yet. Sizes are in bytes, with headers."""
    network.requests.clear()
    context = browser.new_context()
    context.add_init_script(WATCH)
    page = context.new_page()
    begun = time.monotonic()
    page.goto(f"http://127.0.0.1:{network.port}{path}")
    page.wait_for_function("() => window.liveAt")
    times = page.evaluate(TIMES)
    page.wait_for_timeout(REST * 1000)
    end = begun + times["live"] / 1000
    needed = [request for request in network.requests if request[0] < end - ROUND_TRIP / 2]
    scripts = [request for request in network.requests if ".js" in request[1]]
    context.close()
    return {
        **times,
        "requests": len(needed),
        "rounds": rounds([request[0] for request in needed]),
        "bytes": sum(request[2] for request in needed),
        "scripts": sum(request[2] for request in scripts if request in needed),
        "later": sum(request[2] for request in scripts if request not in needed),
    }


def rounds(times):
    """How often requests followed others: those of a round are sent within less than a round trip."""
    count, begun = 0, -1
    for sent in sorted(times):
        if sent - begun > ROUND_TRIP * 0.8:
            count, begun = count + 1, sent
    return count


def measure(browser, port, visits=VISITS):
    """Returns the medians for each page."""
    network = SlowNetwork(port)
    visit(browser, network, "/counter")  # the browser itself is warm
    results = {}
    for name, path in PAGES.items():
        visited = [visit(browser, network, path) for _ in range(visits)]
        results[name] = {key: statistics.median(one[key] for one in visited) for key in visited[0]}
    return results


def report(results):
    lines = [
        f"In Chromium, {VISITS} first visits, medians; {ROUND_TRIP * 1000:.0f} ms for a round trip, and "
        f"{RATE * 8 / 1e6:.1f} Mbit/s.", "",
        "| | First paint | Live | Requests until then | Rounds | Bytes | Of them scripts | Scripts after that |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for name, one in results.items():
        lines.append(
            f"| {name} | {one['paint']:.0f} ms | {one['live']:.0f} ms | {one['requests']:.0f} | {one['rounds']:.0f} "
            f"| {one['bytes'] / 1000:.1f} kB | {one['scripts'] / 1000:.1f} kB | {one['later'] / 1000:.1f} kB |")
    paint, live, rounds, scripts = (
        f"{text}: {'met' if all(one[key] <= most for one in results.values()) else '**missed**'}"
        for (key, most), text in zip(TARGETS.items(), TARGET_TEXTS))
    lines.append(f"| Target | {paint} | {live} | | {rounds} | | {scripts} | |")
    return "\n".join(lines)


if __name__ == "__main__":
    update("visits", measure, report)
