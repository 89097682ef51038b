"""A server of feeds like those of the U.S. Geological Survey, which can be slow, broken or down."""

import hashlib
import http.server
import json
import threading

from answers import trickle

RANGES = ["hour", "day", "week", "month"]


def feature(id, mag=1.5, place="4km W of Castaic, CA", time=1517966773840, updated=None,
            coordinates=(-118.5, 34.25, 26.49), felt=None):
    """A feature of a feed."""
    return {
        "type": "Feature",
        "properties": {"mag": mag, "place": place, "time": time,
                       "updated": time if updated is None else updated, "felt": felt,
                       "type": "earthquake"},
        "geometry": {"type": "Point", "coordinates": list(coordinates)},
        "id": id,
    }


class FakeFeed:
    """Serves `features`, a list for each range, until `fault` is set, which is a function that answers
    instead of the request's handler. `requests` has the path and the status of each request."""

    def __init__(self, **features):
        self.features = {name: features.get(name, []) for name in RANGES}
        self.fault = None
        self.requests = []
        self.held = threading.Event()  # a client waits for an answer
        self._resume = threading.Event()
        self._serve(0)
        self.url = f"http://127.0.0.1:{self.port}/feeds"

    def _serve(self, port):
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                if outer.fault:
                    outer.fault(self)
                else:
                    outer.serve(self)

            def answer(self, status, text="", mime="application/json", length=None, **fields):
                outer.requests.append((self.path, status))
                data = text.encode()
                self.send_response(status)
                if mime:
                    self.send_header("Content-Type", mime)
                self.send_header("Content-Length", str(len(data) if length is None else length))
                for name, value in fields.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def handle(self):
                try:
                    super().handle()
                except OSError:
                    pass  # the client has disconnected

            def log_message(self, *arguments):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def text(self, name):
        """The feed of a range."""
        return json.dumps({"type": "FeatureCollection", "features": self.features[name]})

    def serve(self, handler):
        """Answers like the USGS: 304 to a conditional request if nothing has changed."""
        names = [name for name in RANGES if handler.path == f"/feeds/all_{name}.geojson"]
        if not names:
            handler.answer(404, "<p>Not here</p>", "text/html")
            return
        text = self.text(names[0])
        tag = f'"{hashlib.sha256(text.encode()).hexdigest()}"'
        if handler.headers["If-None-Match"] == tag:
            handler.answer(304, mime=None, ETag=tag)
        else:
            handler.answer(200, text, ETag=tag)

    def hold(self):
        """From now on answers wait until `release`."""
        self._resume.clear()
        self.held.clear()

        def wait(handler):
            self.held.set()
            self._resume.wait()
            self.serve(handler)

        self.fault = wait

    def trickle(self):
        """From now on answers begin immediately and do not end, until `release`."""
        self._resume.clear()
        self.fault = lambda handler: trickle(handler, self._resume)

    def release(self):
        """Answers normally again, also the waiting requests."""
        self.fault = None
        self._resume.set()

    def stop(self):
        """Stops listening."""
        self._server.shutdown()
        self._server.server_close()

    def start(self):
        """Listens again at the same address."""
        self._serve(self.port)
