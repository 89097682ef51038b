"""A server of animals (docs: the guide's AnimalsDataServer) that can be slow, broken or down."""

import http.server
import json
import threading

from answers import trickle

CATEGORIES = ["Amphibian", "Bird", "Fish", "Invertebrate", "Mammal", "Reptile"]


class FakeAnimals:
    """Answers like AnimalsDataServer, until `fault` is set, which is a function that answers instead of
    the request's handler."""

    def __init__(self):
        self.animals = {
            "Dog": {"name": "Dog", "diet": "Carnivore", "categoryId": "Mammal"},
            "Cat": {"name": "Cat", "diet": "Carnivore", "categoryId": "Mammal"},
        }
        self.fault = None
        self.held = threading.Event()
        self._resume = threading.Event()
        self._serve(0)
        self.url = f"http://127.0.0.1:{self.port}"

    def _serve(self, port):
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if outer.fault:
                    outer.fault(self)
                else:
                    self.answer(200, json.dumps(outer.answer(json.loads(body))))

            def answer(self, status, text="", mime="application/json", length=None, **fields):
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

    def answer(self, request):
        response = {}
        if "query" in request:
            response["query"] = [self._query(name) for query in request["query"] for name in query]
        if "mutation" in request:
            response["mutation"] = [
                {name: self._mutate(name, values)}
                for mutation in request["mutation"] for name, values in mutation.items()
            ]
        return response

    def _query(self, name):
        if name == "categories":
            return {name: {name: [{"categoryId": id, "name": id} for id in CATEGORIES]}}
        return {name: {name: [{"animalId": id} | animal for id, animal in self.animals.items()]}}

    def _mutate(self, name, values):
        if name == "deleteAnimal":
            id = values["animalId"]
            return {"animal": {"animalId": id} | self.animals.pop(id)}
        id = values.pop("animalId", None) or f"new-{len(self.animals)}"
        self.animals[id] = values
        return {"animal": {"animalId": id} | values}

    # Faults.

    def hold(self):
        """From now on requests wait until `release`."""
        self._resume.clear()
        self.held.clear()

        def wait(handler):
            self.held.set()
            self._resume.wait()
            handler.close_connection = True

        self.fault = wait

    def trickle(self):
        """From now on answers begin immediately and do not end, until `release`."""
        self._resume.clear()
        self.fault = lambda handler: trickle(handler, self._resume)

    def hold_answers(self):
        """From now on requests are executed, and their answers wait until `release`."""
        self._resume.clear()
        self.held.clear()
        answer = self.answer

        def wait(request):
            response = answer(request)
            self.held.set()
            self._resume.wait()
            return response

        self.answer = wait

    def release(self):
        self.fault = None
        self.__dict__.pop("answer", None)
        self._resume.set()

    def stop(self):
        """Stops listening."""
        self._server.shutdown()
        self._server.server_close()

    def start(self):
        self._serve(self.port)
