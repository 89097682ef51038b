"""Windows that follow several servers with one state: when a stream ends, they continue at another server."""

import contextlib
import http.client
import itertools
import pathlib
import sys
import threading
import time

from raw import STREAM, events, get, post_json

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Benchmarks"))

import shown  # noqa: E402

SILENCE = 20  # seconds without a heartbeat


class Window:
    def __init__(self, at):
        self.at = at
        self.place = None
        self.regions = {}

    def join(self, server, cookie, stream):
        """Returns the window's id there. It is sent only the regions that it does not show yet."""
        body = {"stream": stream, "at": self.at, "navigation": 1,
                "tags": {name: region.tag for name, region in self.regions.items()}}
        answer = post_json(server, "/_/windows", body, Cookie=cookie)
        if answer.status != 201:
            raise OSError(f"{server} refuses a window: {answer.status}")
        return answer.json["window"]

    def put(self, place, data):
        self.place, self.at = place, data["url"]
        self.regions = shown.patched(self.regions, data["regions"])

    def staleness(self, server):
        """How it differs from a fresh page of a server; None if it does not."""
        if not self.regions:
            return f"{self.at} shows nothing"
        found = shown.difference(shown.document(self.regions), shown.page(get(server, self.at).text))
        return found and f"{self.at}, {server}: {found}"


class Follower:
    """A browser with one stream and a window for each address, for a `with` statement."""

    def __init__(self, servers, addresses, chance):
        self._servers, self._chance = servers, chance
        self.windows = [Window(at) for at in addresses]
        self.cookie = get(servers[0], "/counter").headers["Set-Cookie"].split(";")[0]
        self.arrivals = []  # when windows were shown by another stream
        self._error = None
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_over.set()

    def staleness(self):
        """How its windows differ from fresh pages of all servers."""
        if self._error:
            raise self._error
        return [found for window in self.windows for server in self._servers
                if (found := window.staleness(server))]

    def _follow(self):
        while not self._is_over.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException):
                try:
                    self._read(self._chance.choice(self._servers))
                except (shown.Misfit, KeyError, ValueError) as error:
                    self._error = error
                    return
            for window in self.windows:
                window.place = None
            time.sleep(self._chance.uniform(0, 0.5))

    def _read(self, server):
        """Returns when the stream ends."""
        with server.connection(timeout=SILENCE) as connection:
            connection.request("GET", STREAM, headers={"Cookie": self.cookie})
            response = connection.getresponse()
            if response.status != 200:
                return
            windows = {}
            lines = itertools.takewhile(
                lambda _: not self._is_over.is_set(), iter(response.readline, b""))
            for _, name, data in events(lines):
                self._take(server, windows, name, data)

    def _take(self, server, windows, name, data):
        match name:
            case "open":
                for window in self.windows:
                    windows[window.join(server, self.cookie, data["stream"])] = window
            case "show":
                windows[data["window"]].put(data["place"], data)
                self.arrivals.append(time.monotonic())
            case "frame" | "move":
                for window in windows.values():
                    if window.place == data["place"]:
                        window.put(data.get("to", window.place), {"url": window.at} | data)
            case "version" | "presence" | "toast" | "goodbye":
                pass  # they change no content
            case _:
                raise ValueError(f"a stream has the event {name}: {data}")
