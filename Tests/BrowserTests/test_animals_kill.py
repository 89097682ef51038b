"""kill -9 while animals are added as fast as the server accepts them: no animal that was shown is lost."""

import contextlib
import http.client
import json
import os
import random
import re
import sqlite3
import threading
import urllib.parse

import pytest

from raw import parts_of_list
from servers import product_server
from waiting import wait_until

ROUNDS = int(os.environ.get("KILL_ROUNDS") or 10)
WRITERS = 3
PAGE = "/animals?category=Mammal"


class Shown:
    """The content that a window at the list has received on its stream."""

    def __init__(self, server, wanted):
        self.names = set()
        self.enough = threading.Event()
        self._wanted = wanted
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        self._connection.request("GET", "/_/stream?at=" + urllib.parse.quote(PAGE, safe=""))
        self._response = self._connection.getresponse()
        assert self._response.status == 200
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            while line := self._response.readline():
                if line.startswith(b"data: ") and line.endswith(b"\n"):
                    self._take(json.loads(line[6:]))
        self.enough.set()

    def _take(self, event):
        for _, _, _, *lists in event.get("regions", []):
            for operation in (lists[0] if lists else {}).get("animals", []):
                if operation[0] in ("put", "set"):
                    self.names.add(re.search("<bdi>([^<]*)</bdi>", operation[2])[1])
        if len(self.names) >= self._wanted:
            self.enough.set()

    def close(self):
        self._thread.join(30)
        self._connection.close()


def add_animals(server, prefix):
    """Adds animals until the server is gone. Does not wait for their effect."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        for number in range(100_000):
            body = urllib.parse.urlencode({
                "_form": "save", "_token": f"{prefix}-{number}", "name": f"{prefix}-{number}",
                "category": "Mammal", "diet": "Omnivore",
            })
            wait_until(lambda: is_added(connection, body), "the animal is added")


def is_added(connection, body):
    connection.request("POST", PAGE + "&sheet=add", body, {
        "Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json",
    })
    response = connection.getresponse()
    response.read()
    assert response.status in (200, 503)  # on a busy machine it asks to try again
    return response.status == 200


@pytest.mark.long
@pytest.mark.timeout(600)
def test_shown_animals_survive_a_kill():
    seed = int(os.environ.get("SEED") or random.randrange(2**32))
    print(f"SEED={seed}")
    randomness = random.Random(seed)
    server = product_server()
    shown_before = set()
    for round in range(ROUNDS):
        server.start()
        shown = Shown(server, wanted=randomness.randint(1, 60))
        # The list shows its first part, so these animals sort before those of earlier rounds.
        prefix = f"{ROUNDS - round:03}-"
        writers = [
            threading.Thread(target=add_animals, args=(server, f"{prefix}{writer}"), daemon=True)
            for writer in range(WRITERS)
        ]
        for writer in writers:
            writer.start()
        assert shown.enough.wait(60)
        server.kill()
        shown.close()
        for writer in writers:
            writer.join(30)

        assert shown.names, f"nothing was shown in round {round}; SEED={seed}"
        shown_before |= shown.names
        with contextlib.closing(sqlite3.connect(server.data / "animals.store")) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            saved = {name for name, in database.execute("SELECT name FROM animal")}
        assert shown_before - saved == set(), f"lost in round {round}; SEED={seed}"
    server.start()
    pages = "".join(parts_of_list(server, PAGE))
    assert [name for name in shown_before if f">{name}<" not in pages] == []
    server.kill()
