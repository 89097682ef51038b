#!/usr/bin/env python3
"""Opens and closes windows for a while, with actions throughout.

Then every window must show the same as a fresh page of its address, and when all are closed, the
server must use as much memory as before.

If SERVER=/path/to/binary is set, it is used instead of a release build.
"""

import argparse
import asyncio
import contextlib
import datetime
import http.client
import json
import os
import random
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

import shown
from harness import ROOT, Failure, measured, publish, running, server_binary

PATIENCE_SECONDS = 20
LEAST_PASSES = 3
RETRIES = 5
# In bytes: how much more the allocator may keep than after a previous course of the same length.
MEMORY_SLACK = 16 << 20
# Buffers and caches grow until they are full. After a short course they are not, so there is another one.
MOST_COURSES = 5
CATEGORIES = ["Amphibian", "Bird", "Fish", "Invertebrate", "Mammal", "Reptile"]
MOST_ANIMALS = 200
SEARCHES = ["", "alaska", "a", "km", "island", "no such place"]
# The number of concurrent clients that send requests and read nothing.
STALLED = 12
STALLED_SECONDS = 15


def main():
    arguments = parse_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("soak: terminated"))
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    print(f"seed {seed}", flush=True)
    try:
        section = measured("soak", lambda: measure(arguments, seed), server_binary, is_timed=False)
        publish({"soak": section}, arguments.print_only)
    except (Failure, shown.Misfit) as failure:
        sys.exit(f"soak: {failure} (seed {seed})")
    except KeyboardInterrupt:
        sys.exit("soak: interrupted")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--windows", type=int, default=2_000, help="about how many at a time")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--rate", type=float, default=5, help="actions per second")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--replay", action="store_true",
                        help="record all of it, and do it again in another process")
    parser.add_argument("--print", dest="print_only", action="store_true",
                        help="print what there is to say; leave README.md as it is")
    return parser.parse_args()


def yesterday():
    """Returns a complete day of the sample, because today may have no earthquakes yet."""
    return datetime.datetime.now(datetime.UTC).date() - datetime.timedelta(days=1)


def measure(arguments, seed):
    """Returns the section of README.md."""
    with tempfile.TemporaryDirectory() as data:
        command = [server_binary(), "--port", "0", "--data-directory", data,
                   "--quakes-feed", "sample", "--streams", str(4 * arguments.windows + 100)]
        recording = Path(data) / "soak.jsonl"
        if arguments.replay:
            # In one file, however long it takes.
            key = Path(data) / "key"
            subprocess.run([command[0], "recording-key", str(key)], check=True, capture_output=True)
            command += ["--record", str(recording), "--record-key", f"{key}.pub", "--record-megabytes", "8000"]
        with running("Server", command, os.sched_getaffinity(0)) as (port, process):
            soak = Soak(port, process.pid, random.Random(seed), arguments)
            lines = asyncio.run(soak.run())
        if arguments.replay:
            lines.append(replayed(recording, key))
    return "\n".join([f"{arguments.seconds:,.0f} s with about {arguments.windows:,} windows, seed {seed}:", "",
                      *(f"- {line}" for line in lines)])


def replayed(recording, key):
    """Returns the output of a replay in another process."""
    begun = time.monotonic()
    replay = subprocess.run([server_binary(), "replay", str(recording), "--key", str(key)],
                            cwd=ROOT, capture_output=True, text=True)
    if replay.returncode != 0:
        raise Failure(f"the replay differs: {replay.stderr[:2_000]}")
    size = recording.stat().st_size / 1_000_000
    return f"recorded in {size:,.1f} MB and replayed in {time.monotonic() - begun:,.0f} s: {replay.stdout.strip()}"


class Soak:
    def __init__(self, port, pid, source, arguments):
        self.port = port
        self.pid = pid
        self.source = source
        self.arguments = arguments
        self.browsers = set()
        self.lives = set()
        self.opened = self.navigations = self.actions = self.refusals = self.stalls = 0
        self.events = 0
        self.animals = []

    # Clients and pages.

    @property
    def windows(self):
        return [window for browser in self.browsers for window in browser.windows.values()]

    def memory(self):
        text = Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        return int(re.search(r"^Rss:\s+(\d+) kB", text, re.MULTILINE)[1]) * 1024

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    async def gauges(self):
        text = (await self.request("GET", "/metrics"))[1]
        return {line.split()[0]: float(line.split()[1]) for line in text.splitlines()
                if line.startswith(("windows ", "streams "))}

    # The test run.

    async def run(self):
        """Returns the results."""
        await self.load_data()
        await self.empty()
        descriptors = self.descriptors()
        left = []
        while len(left) < 2 or left[-1] > left[-2] + MEMORY_SLACK:
            if len(left) == MOST_COURSES:
                raise Failure(f"each course leaves more: {', '.join(str(size >> 20) for size in left)} MB")
            await self.course(self.arguments.seconds / 2)
            full = self.memory()
            compared, addresses = await self.compare()
            await self.empty()
            await self.until(lambda: self.descriptors() <= descriptors,
                             lambda: f"{self.descriptors()} descriptors, not {descriptors}")
            left.append(self.memory())
        return [
            f"{len(left)} courses; after all but the last: {left[-2] >> 20} MB",
            f"{self.actions} actions ({self.refusals} refused), {self.opened} windows opened, "
            f"{self.navigations} navigations, {self.events} events, "
            f"{self.stalls} clients that stopped reading",
            f"{compared} windows at {addresses} addresses: each shows what its page shows; {full >> 20} MB",
            f"at last: {left[-1] >> 20} MB, {self.descriptors()} descriptors, no windows",
        ]

    async def course(self, seconds):
        """Opens, uses, stalls and closes windows, for so long."""
        await self.fill()
        end = time.monotonic() + seconds
        acting = asyncio.create_task(self.act(end))
        coming = asyncio.create_task(self.come_and_go(end))
        stalling = [asyncio.create_task(self.stall(end)) for _ in range(STALLED)]
        await asyncio.gather(acting, coming, *stalling)
        # Now windows of the counter can learn of it only from a frame.
        await self.post("/counter", "_form=increment")

    async def load_data(self):
        await self.post("/quakes", "_form=sample")
        await self.until_async(self.has_quakes, "the sample of earthquakes")

    async def has_quakes(self):
        return "unavailable" not in (await self.request("GET", f"/quakes?date={yesterday()}"))[1]

    async def fill(self):
        while len(self.windows) < self.arguments.windows:
            self.check_lives()
            await asyncio.gather(*(self.open_browser() for _ in range(16)))
        await self.until(lambda: all(window.place for window in self.windows),
                         lambda: "windows that were shown nothing")

    async def empty(self):
        await asyncio.gather(*(self.close_browser(browser) for browser in list(self.browsers)))
        self.check_lives()

        async def is_empty():
            gauges = await self.gauges()
            return gauges.get("windows", 0) == 0 and gauges.get("streams", 0) == 0

        # Gauges are taken when there is a frame.
        async def act_and_look():
            await self.post("/counter", "_form=increment")
            return await is_empty()

        await self.until_async(act_and_look, "windows and streams that have gone")

    async def come_and_go(self, end):
        """Keeps about the same number of windows open, each for a while."""
        while time.monotonic() < end:
            self.check_lives()
            browser = self.source.choice(list(self.browsers))
            match self.source.random():
                case draw if draw < 0.5:
                    await self.close_browser(browser, abruptly=self.source.random() < 0.5)
                    while len(self.windows) < self.arguments.windows:
                        await self.open_browser()
                case draw if draw < 0.7:
                    await self.leave_and_join(browser)
                case _:
                    await self.navigate(browser)
            await asyncio.sleep(0)

    async def act(self, end):
        beat = time.monotonic()
        while time.monotonic() < end:
            await self.post(*self.action())
            self.actions += 1
            beat += 1 / self.arguments.rate
            await asyncio.sleep(max(0, beat - time.monotonic()))

    def action(self):
        """Returns a page and fields to post."""
        kind = self.source.choice(["counter", "add", "save", "delete", "quake", "refresh"])
        if kind == "delete" and self.animals and len(self.animals) > MOST_ANIMALS // 2:
            animal = self.animals.pop(self.source.randrange(len(self.animals)))
            return "/animals", f"_form=rows&row=delete~{animal}"
        if kind in ("add", "save", "delete") and len(self.animals) < MOST_ANIMALS or (
                kind == "add" and not self.animals):
            animal = secrets.token_urlsafe(16)
            self.animals.append(animal)
            return "/animals", f"{self.animal_fields()}&_token={animal}"
        if kind in ("add", "save", "delete"):
            return "/animals", f"{self.animal_fields()}&animalId={self.source.choice(self.animals)}"
        if kind == "quake":
            keys = [key for window in self.source.sample(self.windows, min(5, len(self.windows)))
                    for region in window.regions.values() for name, rows in region.lists
                    for key, _ in rows if name == "quakes"]
            if keys:
                return "/quakes", f"_form=deleteSelected&quakeId={self.source.choice(keys)}"
        if kind == "refresh":
            return "/quakes", f"_form=refresh&range={self.source.choice(['allHour', 'allDay'])}"
        return "/counter", f"_form={self.source.choice(['increment', 'decrement'])}"

    def animal_fields(self):
        return (f"_form=save&anyway=yes&name=Animal+{self.source.randrange(1000)}"
                f"&category={self.source.choice(CATEGORIES)}&diet=Herbivore")

    def address(self):
        """Returns a location for a window."""
        match self.source.random():
            case draw if draw < 0.4:
                return "/counter"
            case draw if draw < 0.75:
                query = {"category": self.source.choice(["", *CATEGORIES])}
                if self.animals and self.source.random() < 0.3:
                    query["animal"] = self.source.choice(self.animals)
                if self.source.random() < 0.1:
                    query["sheet"] = "add"
                path = "/animals"
            case _:
                query = {"search": self.search(),
                         "sort": self.source.choice(["", "magnitude"]),
                         "order": self.source.choice(["", "forward"]),
                         "date": self.source.choice(["", yesterday()])}
                path = "/quakes"
        text = urllib.parse.urlencode({name: value for name, value in query.items() if value})
        return path + (f"?{text}" if text else "")

    def search(self):
        """Returns a search text; occasionally one that is expensive to fold, or that finds everything."""
        match self.source.random():
            case draw if draw < 0.85:
                return self.source.choice(SEARCHES)
            case draw if draw < 0.95:
                marks = [chr(self.source.randrange(0x300, 0x370)) for _ in range(3)]
                return self.source.choice(["", "km", "a"]) + " " + "".join(marks)
            case _:
                return " " + chr(0x301) * self.source.randrange(1_000, 4_000)

    # Clients that stop reading.

    async def stall(self, end):
        """One after another: some request pages and read none, some have a stream."""
        while time.monotonic() < end:
            with socket.socket() as connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.setblocking(False)
                await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", self.port))
                if self.source.random() < 0.5:
                    await self.stall_pages(connection)
                else:
                    await self.stall_stream(connection)
                self.stalls += 1
                stay = self.source.uniform(1, STALLED_SECONDS)
                await asyncio.sleep(max(0, min(stay, end - time.monotonic())))

    async def stall_pages(self, connection):
        asked = "".join(f"GET {self.address()} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n"
                        for _ in range(20))
        with contextlib.suppress(BlockingIOError, ConnectionError):
            connection.send(asked.encode())

    async def stall_stream(self, connection):
        """Its windows are sent more than it reads, until it is dropped or leaves."""
        loop, received = asyncio.get_running_loop(), b""
        connection.send(f"GET /_/stream HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        while b"event: open" not in received or not received.endswith(b"\n\n\r\n"):
            piece = await loop.sock_recv(connection, 4096)
            if not piece:
                return
            received += piece
        cookie = re.search(rb"set-cookie: ([^;]+)", received, re.IGNORECASE)[1].decode()
        stream = parse(received.partition(b"data: ")[2].partition(b"\n")[0])["stream"]
        for _ in range(self.source.randint(1, 30)):
            body = json.dumps({"stream": stream, "at": self.address(), "navigation": 1})
            status, _ = await self.request("POST", "/_/windows", body, "application/json", cookie)
            if status != 201:  # it was dropped meanwhile
                return

    # Browsers.

    async def open_browser(self):
        browser = Browser(self)
        # Half of them as browsers do, with their first window, and half for all windows that join later.
        await browser.open(self.address() if self.source.random() < 0.5 else None)
        self.browsers.add(browser)
        browser.life = asyncio.create_task(browser.listen())
        self.lives.add(browser.life)
        await browser.is_open.wait()
        self.opened += len(browser.windows)
        for _ in range(self.source.randint(1, 3) - len(browser.windows)):
            await browser.join(self.address())
            self.opened += 1

    async def close_browser(self, browser, abruptly=True):
        self.browsers.discard(browser)
        if not abruptly:
            for window in browser.known:
                await browser.leave(window)
        self.lives.discard(browser.life)
        browser.life.cancel()
        browser.writer.close()
        with contextlib.suppress(asyncio.CancelledError):
            await browser.life

    async def leave_and_join(self, browser):
        if browser.known:
            await browser.leave(self.source.choice(browser.known))
        await browser.join(self.address())
        self.opened += 1

    async def navigate(self, browser):
        ready = [window for window in browser.windows.values() if window.place]
        if ready:
            await browser.navigate(self.source.choice(ready), self.address(),
                                   names_tags=self.source.random() < 0.5)
            self.navigations += 1

    def check_lives(self):
        """Fails if a stream has ended by itself, or had something that does not fit."""
        for life in self.lives:
            if life.done():
                life.result()
                raise Failure("the server ended a stream")

    # The comparison.

    async def compare(self):
        """Waits until all windows show the same as fresh pages of their addresses.

        - Returns: The numbers of windows and addresses.
        """
        deadline = time.monotonic() + PATIENCE_SECONDS
        stale, passes = self.windows, 0
        while stale:
            self.check_lives()
            passes += 1
            pages, stale_now, words = {}, [], None
            for window in self.windows:
                if window.place is None or window.url is None:
                    stale_now.append(window)
                    words = "a window that waits for what it is shown"
                    continue
                if window.url not in pages:
                    status, text = await self.request("GET", window.url)
                    if status != 200:
                        raise Failure(f"{window.url} has status {status}")
                    pages[window.url] = shown.page(text)
                found = shown.difference(window.document(), pages[window.url])
                if found:
                    stale_now.append(window)
                    words = f"{window.url}: {found}"
            stale = stale_now
            # On a busy machine, one pass may take longer than the patience, and what changed during it
            # is not stale.
            if stale and passes >= LEAST_PASSES and time.monotonic() > deadline:
                raise Failure(f"{len(stale)} of {len(self.windows)} windows are stale; {words}")
            await asyncio.sleep(0.05 if stale else 0)
        return len(self.windows), len(pages)

    async def until(self, condition, words):
        async def ask():
            return condition()
        await self.until_async(ask, words)

    async def until_async(self, condition, words):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not await condition():
            self.check_lives()
            if time.monotonic() > deadline:
                raise Failure(f"waited in vain for {words() if callable(words) else words}")
            await asyncio.sleep(0.02)

    # HTTP.

    async def post(self, page, fields):
        if "_token=" not in fields:
            fields += f"&_token={secrets.token_urlsafe(16)}"
        status, _ = await self.request(
            "POST", page, fields, "application/x-www-form-urlencoded", accept="application/json")
        if status in (404, 409, 422):
            # Its subject was deleted, waits for its effect, or does not exist yet.
            self.refusals += 1
        elif status != 200:
            raise Failure(f"{fields} to {page} has status {status}")

    async def request(self, *words, **options):
        """
        Sends one request on a new connection. If the server is too busy, it sends the request again, as
        browsers do, because another program may be using the machine. Returns status and body.
        """
        for _ in range(RETRIES):
            status, headers, text = await self.request_once(*words, **options)
            if status != 503:
                break
            await asyncio.sleep(int(headers.get("retry-after", 1)))
        return status, text

    async def request_once(self, method, path, body="", kind=None, cookie=None, accept="*/*"):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)
        try:
            head = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Accept: {accept}",
                    "Connection: close"]
            if cookie:
                head.append(f"Cookie: {cookie}")
            if kind:
                head.append(f"Content-Type: {kind}")
            if method == "POST":
                head.append(f"Content-Length: {len(body.encode())}")
            writer.write(("\r\n".join(head) + "\r\n\r\n" + body).encode())
            status, headers = await read_head(reader)
            length = int(headers.get("content-length", 0))
            return status, headers, (await reader.readexactly(length)).decode()
        finally:
            writer.close()


class Window:
    def __init__(self, is_known=True):
        # A window that joins with its stream may be unknown until it is shown something.
        self.is_known = is_known
        self.place = None
        self.url = None
        self.navigation = 1
        self.regions = {}
        # Whether frames are ignored until the `show` event for the new location.
        self.is_leaving = False

    def document(self):
        return shown.document(self.regions)


class Browser:
    """A session with one stream, and windows on it."""

    def __init__(self, soak):
        self.soak = soak
        self.windows = {}
        # The windows that received a `show` event before the answer to their join.
        self.strangers = {}
        self.gone = set()
        self.is_open = asyncio.Event()

    @property
    def known(self):
        return [window for window in self.windows.values() if window.is_known]

    async def open(self, first):
        """Opens the stream, for a window at an address, or for none yet."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.soak.port,
                                                                 limit=1 << 24)
        body = json.dumps({"at": first, "navigation": 1}) if first else ""
        method, fields = "GET", [f"Host: 127.0.0.1:{self.soak.port}"]
        if first:
            method = "POST"
            fields += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        self.writer.write("\r\n".join([f"{method} /_/stream HTTP/1.1", *fields, "", body]).encode())
        status, headers = await read_head(self.reader)
        if status != 200:
            raise Failure(f"a stream has status {status}")
        self.cookie = headers["set-cookie"].split(";")[0]

    async def listen(self):
        event, name = b"", None
        buffer = b""
        while True:
            size = int((await self.reader.readline()).strip() or b"0", 16)
            if size == 0:
                raise Failure("the server ended a stream")
            buffer += (await self.reader.readexactly(size + 2))[:-2]
            while b"\n\n" in buffer:
                event, buffer = buffer.split(b"\n\n", 1)
                fields = dict(line.split(b": ", 1) for line in event.split(b"\n") if b": " in line)
                if b"data" in fields:
                    self.soak.events += 1
                    self.take(fields.get(b"event", b"frame").decode(), parse(fields[b"data"]))

    def take(self, name, data):
        match name:
            case "open":
                self.stream = data["stream"]
                if key := data.get("window"):
                    self.windows[key] = Window(is_known=False)
                self.is_open.set()
            case "show":
                if data["window"] in self.gone:
                    return
                window = self.windows.get(data["window"]) or self.strangers.setdefault(
                    data["window"], Window())
                if data["navigation"] != window.navigation:
                    return
                window.is_leaving = False
                self.put(window, data["place"], data)
            case "frame":
                for window in self.at(data["place"]):
                    window.regions = shown.patched(window.regions, data["regions"])
            case "move":
                for window in self.at(data["place"]):
                    self.put(window, data["to"], data)
            case "version" | "presence" | "toast":
                pass  # they change no content
            case _:
                raise Failure(f"a stream has the event {name}: {data}")

    def at(self, place):
        return [window for window in [*self.windows.values(), *self.strangers.values()]
                if window.place == place and not window.is_leaving]

    @staticmethod
    def put(window, place, data):
        window.is_known = True
        window.place, window.url = place, data["url"]
        window.regions = shown.patched(window.regions, data["regions"])

    async def join(self, at):
        answer = await self.ask("/_/windows", {"stream": self.stream, "at": at, "navigation": 1}, 201)
        key = json.loads(answer)["window"]
        self.windows[key] = self.strangers.pop(key, None) or Window()

    async def navigate(self, window, at, names_tags):
        """The tags describe its content; without them, the server assumes what it sent."""
        key = next(key for key, value in self.windows.items() if value is window)
        window.navigation += 1
        window.place = window.place if not names_tags else None
        body = {"at": at, "navigation": window.navigation}
        if names_tags:
            window.is_leaving = True
            body["tags"] = {name: region.tag for name, region in window.regions.items()}
        await self.ask(f"/_/windows/{key}", body, 204)
        await self.soak.until(lambda: window.place and window.url and not window.is_leaving,
                              lambda: f"what a window is shown at {at}")

    async def leave(self, window):
        key = next(key for key, value in self.windows.items() if value is window)
        del self.windows[key]
        self.gone.add(key)
        await self.ask(f"/_/windows/{key}/leave", None, 204)

    async def ask(self, path, body, expected):
        text = "" if body is None else json.dumps(body)
        status, answer = await self.soak.request("POST", path, text, "application/json", self.cookie)
        if status != expected:
            raise Failure(f"{path} with {text} has status {status}: {answer}")
        return answer


PARSED = {}


def parse(data):
    """Returns the object of an event. Many streams get the same bytes at about the same time."""
    if data not in PARSED:
        if len(PARSED) > 500:
            PARSED.clear()
        PARSED[data] = json.loads(data)
    return PARSED[data]


async def read_head(reader):
    line = (await reader.readline()).decode()
    if not line:
        raise Failure("the server closed a connection")
    headers = {}
    while (field := (await reader.readline()).decode().strip()):
        name, _, value = field.partition(":")
        headers[name.lower()] = value.strip()
    return int(line.split()[1]), headers


if __name__ == "__main__":
    main()
