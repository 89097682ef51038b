"""Requests with generated parameters: all that the protocol knows (docs/PROTOCOL.md), and what it does
not. The same randomness makes the same requests."""

import contextlib
import datetime
import http.client
import json
import socket
import urllib.parse

from clients import Drained
from faults import reset
from pictures import TYPE, hash_of, multipart, png
from raw import FORM, Session

CATEGORIES = ["Amphibian", "Bird", "Fish", "Invertebrate", "Mammal", "Reptile"]
ANIMALS = ["Cat", "Dog", "Kangaroo", "Bibbon"]
SHEETS = ["add", "edit", "edit~zq", "delete~Cat", "delete~zq", "reload", "add~~zq", "edit~zq~~zq", "deleteAll"]
PATHS = ["/", "/counter", "/animals", "/quakes"]
FILES = ["window.js", "worker.js", "style.css", "icon.svg", "QuakesUI/land.svg", "nothing.js", "../x", ""]
ALPHABET = "aeiknors 0123%&+<\"'~_éß\u0301\u0308\u200b\u202e漢🙂"
ZONES = ["Europe/Berlin", "Asia/Kathmandu", "UTC", "Pacific/Kiritimati", "zq", "", "%00", "Mars/Zq"]
METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "ZQ"]


def text(chance, most=40):
    """Some letters, rarely very many."""
    if chance.random() < 0.02:
        most = 8_000
    return "".join(chance.choices(ALPHABET, k=chance.randrange(most)))


def word(chance):
    return "".join(chance.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=12))


def address(chance):
    """A page with local state, mostly like that of its links."""
    path = chance.choice(PATHS)
    day = datetime.date.today() - datetime.timedelta(days=chance.randrange(40))
    values = {
        "category": [*CATEGORIES, text(chance)], "animal": [*ANIMALS, text(chance)],
        "sheet": [*SHEETS, "add~~" + word(chance), text(chance)], "typed": [text(chance)],
        "all": ["true", "false", text(chance)],
        "search": ["alaska", "km", text(chance)], "date": [day.isoformat(), text(chance)],
        "sort": ["time", "magnitude", text(chance)], "order": ["forward", "reverse", text(chance)],
        "list": [word(chance)], "map": [word(chance)],
        "camera": [f"{chance.uniform(-180, 180):.3f}_{chance.uniform(-90, 90):.3f}_3", text(chance)],
        word(chance): [text(chance)],
    }
    names = chance.sample(sorted(values), chance.randrange(5))
    query = urllib.parse.urlencode([(name, chance.choice(values[name])) for name in names])
    return f"{path}?{query[:20_000]}" if query else path


def fields(chance):
    """A page, and one of its forms, which changes no stored data."""
    token = chance.choice([word(chance), word(chance), "zq", "", text(chance, 300)])
    path, form, more = chance.choice([
        ("/counter", "increment", {}), ("/counter", "decrement", {}),
        ("/animals", "refresh", {}), ("/animals", "reload", {}),
        ("/animals", "save", {"name": "", "category": "Mammal", "diet": "Omnivore"}),
        ("/animals", "save", {"name": text(chance), "category": text(chance), "diet": "Omnivore"}),
        ("/animals", "save", {"name": text(chance), "animalId": word(chance), "diet": text(chance)}),
        ("/animals", "rows", {"row": "delete~" + word(chance)}),
        ("/animals", "rows", {"row": text(chance)}),
        ("/animals", "deleteInDetail", {"animalId": text(chance)}),
        ("/quakes", "refresh", {"range": chance.choice(["allHour", "allDay", text(chance)])}),
        ("/quakes", "deleteSelected", {"quakeId": word(chance)}),
        (chance.choice(PATHS), text(chance), {}),
    ])
    given = {"_form": form, "_token": token} | more
    for _ in range(chance.choice([0, 0, 1, 5, 200])):
        given[text(chance, 10)] = text(chance, 100)
    page = address(chance)
    return path + ("?" + page.partition("?")[2] if "?" in page else ""), \
        urllib.parse.urlencode(given)[:60_000]


class Asker:
    """A client with a persistent connection, and with one cookie, several, or none."""

    def __init__(self, server, chance, has_session=True):
        self.server = server
        self.chance = chance
        self.statuses = set()
        self._cookie = Session(server).cookie if has_session else "none=x"
        self._connection = None
        self._window = None

    def disconnect(self):
        if self._connection:
            self._connection.close()
            self._connection = None

    def close(self):
        self.disconnect()
        if self._window:
            self._window[0].__exit__()

    def window(self):
        """A persistent stream with a window, and a new navigation number."""
        if self._window is None:
            stream = Drained(self.server, Session(self.server)).__enter__()
            self._window = [stream, stream.join("/counter"), 1]
        self._window[2] += 1
        return self._window

    def ask(self, method, path, body=None, head=None):
        """Sends one request; returns its status."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection(
                "127.0.0.1", self.server.port, timeout=30
            )
        headers = {"Cookie": "; ".join(self.cookies())} | (head or {})
        if self.chance.random() < 0.3:
            headers["Accept-Encoding"] = "gzip"
        if self.chance.random() < 0.1:
            headers["Connection"] = "close"
        try:
            self._connection.request(method, path, body, headers)
            response = self._connection.getresponse()
            response.read()
        except OSError:  # it was closed before the request came there
            self.disconnect()
            return None
        if response.will_close:
            self.disconnect()
        self.statuses.add(response.status)
        return response.status

    def cookies(self):
        known = [self._cookie, "session=zq", f"zone={self.zone()}", f"{word(self.chance)}=x"]
        return self.chance.sample(known, self.chance.randrange(len(known)))

    def zone(self):
        if self.chance.random() < 0.5:
            return self.chance.choice(ZONES)
        hours, minutes = self.chance.randrange(-14, 15), self.chance.randrange(60)
        return self.chance.choice([
            f"GMT{hours:+03d}{minutes:02d}", f"GMT{hours:+03d}:{minutes:02d}", f"UTC{hours:+d}.{minutes:02d}"])


# MARK: Kinds, each of which does one thing


def pages(asker):
    asker.ask(asker.chance.choice(["GET", "GET", "HEAD"]), address(asker.chance))


def forms(asker):
    path, body = fields(asker.chance)
    head = {"Content-Type": asker.chance.choice([FORM, FORM, FORM + "; charset=utf-8", "text/plain"]),
            "Accept": asker.chance.choice(["text/html", "application/json", "application/json"])}
    if asker.chance.random() < 0.2:
        head["X-Window"] = asker.chance.choice([word(asker.chance), "A" * 22, "x" * 5_000, "é"])\
            .encode("utf-8", "replace").decode("latin-1")
    asker.ask("POST", path, body, head)


def uploads(asker):
    """Pictures, other files, and truncated files; stored pictures belong to the product."""
    chance = asker.chance
    content = chance.choice([
        png(8, 8, chance.randrange(50), chance.randrange(20_000)), text(chance).encode(), b"",
        chance.randbytes(chance.randrange(20_000)), png(8, 8)[:chance.randrange(60)], None,
    ])
    body = multipart(
        {"_form": chance.choice(["setPicture", "setPicture", "save", text(chance, 10)]),
         "_token": word(chance), "animalId": chance.choice([*ANIMALS, word(chance)])},
        content, chance.choice(["picture", "picture", "animalId", "other"]),
    )
    if chance.random() < 0.2:
        body = body[:chance.randrange(len(body))]
    path = chance.choice(["/animals", "/animals", "/animals/Dog", "/counter"])
    accept = chance.choice(["text/html", "application/json"])
    asker.ask("POST", path, body, {"Content-Type": TYPE, "Accept": accept})
    asker.ask(chance.choice(["GET", "HEAD"]), f"/pictures/{hash_of(content or b'')}")


def animals(asker):
    """Saves, edits and deletes an animal: a post without JavaScript is answered when it is done."""
    head = {"Content-Type": FORM, "Accept": "text/html"}
    name, path = word(asker.chance), "/animals?category=Mammal&sheet=add"
    values = {"_token": name, "name": name, "category": "Mammal", "diet": "Omnivore"}
    asker.ask("POST", path, urllib.parse.urlencode({"_form": "save"} | values), head)
    asker.ask("GET", f"/animals/{name}?category=Mammal")
    for _ in range(100):  # a connection may have ended just then, or the save not have yet
        if asker.ask("POST", "/animals?category=Mammal", f"_form=rows&row=delete~{name}",
                     head) in (303, 404):
            break


def streams(asker):
    """Opens a stream, with or without a window, and leaves it in one of several ways."""
    at = urllib.parse.quote(address(asker.chance), safe="")
    query = asker.chance.choice(["", "?at=" + at, "?at=%2Fcounter", "?at=zq"])
    head = f"GET /_/stream{query} HTTP/1.1\r\nHost: localhost\r\n"
    head += f"Cookie: {'; '.join(asker.cookies())}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", asker.server.port), timeout=20) as connection:
        connection.sendall(head.encode())
        if asker.chance.random() < 0.8:
            connection.recv(4096)
        connection.settimeout(1)  # after the last byte there may still be an answer, or none
        leave = asker.chance.choice([socket.socket.close, reset, shut_down])
        with contextlib.suppress(OSError):
            leave(connection)


def shut_down(connection):
    connection.shutdown(socket.SHUT_WR)
    connection.recv(65_536)


def windows(asker):
    """A browser whose tabs join, navigate and mostly leave, then its stream ends."""
    chance, session = asker.chance, Session(asker.server)
    with Drained(asker.server, session) as stream:
        for _ in range(chance.randrange(1, 5)):
            tags = {text(chance, 12): text(chance, 30) for _ in range(chance.randrange(4))}
            answer = session.join(stream, address(chance), tags=tags)
            asker.statuses.add(answer.status)
            if answer.status != 201:
                continue
            window, number = answer.json["window"], 1
            for _ in range(chance.randrange(6)):
                number += chance.choice([1, 1, 1, 0, -1, 1_000])
                more = {} if chance.random() < 0.5 else {"tags": tags}
                asker.statuses.add(stream.navigate(window, address(chance), number, **more))
            if chance.random() < 0.7:
                leave = {"Cookie": session.cookie, "Content-Type": "application/json"}
                asker.ask("POST", f"/_/windows/{window}/leave", "", leave)


def navigations(asker):
    """One window goes from search to search."""
    chance = asker.chance
    stream, window, number = asker.window()
    day = datetime.date.today() - datetime.timedelta(days=chance.randrange(1, 28))
    search = urllib.parse.quote(chance.choice(["", "k", "km", "a", "e"]) + " " * chance.randrange(2)
                                + "".join(chr(chance.randrange(0x300, 0x370)) for _ in range(3)))
    at = f"/quakes?date={day}&search={search}&sort={chance.choice(['time', 'magnitude'])}"
    more = {"tags": {text(chance): text(chance)}} if chance.random() < 0.5 else {}
    asker.statuses.add(stream.navigate(window, at, number, **more))


def large_forms(asker):
    """The largest form, and the longest address, that are accepted."""
    chance = asker.chance
    path = f"/animals?{chance.choice(['category', 'animal', 'sheet', 'zq'])}=" + word(chance) * 2_000
    field = chance.choice(["=", "a=", "=a", "a=" + word(chance) * 2])
    count = chance.choice([100, 240, 300, 10_000])
    form = chance.choice(["refresh", "save", "rows"])
    body = f"_form={form}&_token={word(chance)}&name={word(chance)}&category=Zq&diet=Omnivore&"
    head = {"Content-Type": FORM, "Accept": "application/json"}
    asker.ask("POST", path, (body + "&".join([field] * count))[:64_000], head)


def bodies(asker):
    """Invalid JSON, or JSON of other windows and streams."""
    chance = asker.chance
    value = {"stream": word(chance), "at": address(chance),
             "navigation": chance.choice([1, -1, 2**63, "x"]),
             "tags": chance.choice([{}, None, {text(chance): text(chance)}, [1], text(chance)])}
    for name in chance.sample(sorted(value), chance.randrange(3)):
        del value[name]
    body = json.dumps(value)
    if chance.random() < 0.3:
        body = body[:chance.randrange(len(body))]
    path = "/_/windows" + chance.choice(["", "/" + "A" * 22, f"/{word(chance)}/leave"])
    asker.ask("POST", path, body[:60_000].encode(), {"Content-Type": "application/json"})


def files(asker):
    chance = asker.chance
    hashed = chance.choice(["", "A" * 22 + "/", word(chance) + "/"])
    known = chance.choice(['"zq"', "*", word(chance)])
    head = {} if chance.random() < 0.5 else {"If-None-Match": known}
    if chance.random() < 0.1:
        head["Range"] = f"bytes={chance.randrange(100)}-"
    asker.ask(chance.choice(["GET", "HEAD"]), f"/public/{hashed}{chance.choice(FILES)}", head=head)


def operations(asker):
    path = asker.chance.choice(["/healthz", "/readyz", "/metrics", "/favicon.ico"])
    asker.ask(asker.chance.choice(["GET", "HEAD"]), path)


def unknown(asker):
    path = "/" + urllib.parse.quote(text(asker.chance), safe="/")
    path = asker.chance.choice([path, *PATHS, "/_/" + word(asker.chance)])
    asker.ask(asker.chance.choice(METHODS), path,
              head={"Accept": asker.chance.choice(["text/html", "application/json", "*/*"])})


def malformed(asker):
    """Bytes of a request, some of which are changed or missing."""
    chance = asker.chance
    body = fields(chance)[1].encode()
    sent = bytearray(
        f"POST {address(chance)} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {FORM}\r\n"
        f"Content-Length: {len(body)}\r\nX: {word(chance)}\r\n\r\n".encode() + body
    )
    for _ in range(chance.randrange(4)):
        sent[chance.randrange(min(len(sent), 200))] = chance.randrange(256)
    with socket.create_connection(("127.0.0.1", asker.server.port), timeout=20) as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(sent[: chance.randrange(1, len(sent) + 1)])
            if chance.random() < 0.5:
                shut_down(connection)


def pictures(asker):
    """Pictures in each size, those that are refused, and those that are uploaded again and again."""
    chance = asker.chance
    content = png(8, 8, chance.randrange(20))
    head = {"Content-Type": TYPE, "Accept": "application/json"}
    animal = chance.choice(["Dog", "Nobody"])
    asker.ask("POST", "/animals", multipart(
        {"_form": "setPicture", "_token": word(chance), "animalId": animal}, content), head)
    size = chance.choice(["", "/96", "/640", "/97"])
    asker.ask(chance.choice(["GET", "HEAD"]), f"/pictures/{hash_of(content)}{size}")


def refreshes(asker):
    """Feeds, which are fetched, shown and partly deleted."""
    chance = asker.chance
    head = {"Content-Type": FORM, "Accept": chance.choice(["text/html", "application/json"])}
    form = chance.choice([
        "_form=refresh&range=allDay", "_form=refresh&range=allHour", "_form=cancelRefresh", "_form=dismiss",
    ])
    asker.ask("POST", "/quakes", f"{form}&_token={word(chance)}", head)
    asker.ask("GET", "/quakes")


def developer(asker):
    """The developer pages, which show what has happened, and windows of them."""
    chance = asker.chance
    asker.ask("POST", "/counter", f"_form=increment&_token={word(chance)}", {"Content-Type": FORM})
    name = chance.choice(["", "/state", "/windows", "/time", "/cost", "/past", "/" + word(chance)])
    query = urllib.parse.urlencode(chance.sample(sorted({
        "search": text(chance), "show": chance.choice(["visits", word(chance)]), "url": address(chance),
        "product": chance.choice(["Quakes", "Animals", "Counter", word(chance)]),
        "path": chance.choice(["/quakes", "/quakes/table", text(chance)]),
        "version": str(chance.randrange(-1, 1_000)),
    }.items()), chance.randrange(4)))
    path = f"/developer{name}?{query[:20_000]}"
    asker.ask(chance.choice(["GET", "HEAD"]), path)
    asker.ask("GET", chance.choice(["/previews", "/previews/" + word(chance)]))
    if chance.random() < 0.2:
        with socket.create_connection(("127.0.0.1", asker.server.port), timeout=20) as connection:
            at = urllib.parse.quote(path, safe="")
            connection.sendall(f"GET /_/stream?at={at} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            connection.recv(4096)
            reset(connection)


def stalled(asker):
    """Requests many pages and reads none of them, then disconnects."""
    sent = "".join(
        f"GET {address(asker.chance)} HTTP/1.1\r\nHost: localhost\r\n\r\n" for _ in range(20)
    )
    with socket.create_connection(("127.0.0.1", asker.server.port), timeout=20) as connection:
        connection.sendall(sent.encode())
        connection.recv(1)
        reset(connection)


KINDS = [
    pages, forms, large_forms, uploads, pictures, animals, refreshes, streams, windows, navigations, bodies, files,
    operations, unknown, malformed, stalled,
]


# MARK: Kinds for an AnimalsDataServer


def catalog(asker):
    """Queries and mutations, valid and invalid."""
    chance = asker.chance
    animal = chance.choice([*ANIMALS, word(chance)])
    known = [
        {"addAnimal": {"name": text(chance), "diet": chance.choice(["Omnivore", word(chance)]),
                       "categoryId": chance.choice([*CATEGORIES, word(chance)])}},
        {"updateAnimal": {"animalId": animal, "name": word(chance), "diet": "Carnivore", "categoryId": "Mammal"}},
        {"deleteAnimal": {"animalId": animal}},
        {"favoriteAnimal": {"animalId": animal, "isFavorite": chance.choice([True, False, "zq"])}},
        {"moveAnimal": {"animalId": animal, "position": chance.choice(["4361ff", None, text(chance)])}},
        {"pictureAnimal": {"animalId": animal, "picture": chance.choice([None, text(chance)])}},
        {"reloadSampleData": {}}, {word(chance): {}},
    ]
    value = {"query": [{chance.choice(["animals", "categories", "zq"]): {}}] * chance.randrange(4)}
    if chance.random() < 0.7:
        value["mutation"] = [chance.choice(known) for _ in range(chance.randrange(3))]
    body = json.dumps(value).encode()
    if chance.random() < 0.1:
        body = body[:chance.randrange(len(body))]
    asker.ask("POST", "/animals/api", body, {"Content-Type": "application/json"})
    if chance.random() < 0.1:
        # The catalog does not grow.
        asker.ask("POST", "/animals/api", b'{"mutation": [{"reloadSampleData": {}}]}',
                  {"Content-Type": "application/json"})


def changes(asker):
    """Follows the changes, and leaves in one of several ways."""
    chance = asker.chance
    with socket.create_connection(("127.0.0.1", asker.server.port), timeout=20) as connection:
        known = chance.choice(["", f"Last-Event-ID: {word(chance)}-{chance.randrange(9)}\r\n"])
        connection.sendall(f"GET /animals/api/events HTTP/1.1\r\nHost: localhost\r\n{known}\r\n".encode())
        if chance.random() < 0.8:
            connection.recv(4096)
        catalog(asker)
        connection.settimeout(1)  # it may be told of a change, or of none
        with contextlib.suppress(OSError):
            chance.choice([socket.socket.close, reset, shut_down])(connection)


def api_pictures(asker):
    """Pictures that no animal has, other files, and answers that nobody reads."""
    chance = asker.chance
    content = chance.choice([
        png(8, 8, chance.randrange(20), chance.randrange(20_000)), text(chance).encode(), b"",
        png(8, 8)[:chance.randrange(60)],
    ])
    kind = chance.choice(["image/png", "image/png", "image/svg+xml", text(chance).encode()])
    asker.ask("POST", "/animals/api/pictures", content, {"Content-Type": kind})
    asker.ask(chance.choice(["GET", "GET", "POST"]), f"/animals/api/pictures/{hash_of(content)}")


def stalled_catalog(asker):
    """Requests many lists and reads none of them, then disconnects."""
    body = json.dumps({"query": [{"animals": {}}, {"categories": {}}] * 20})
    sent = (f"POST /animals/api HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}") * 20
    with socket.create_connection(("127.0.0.1", asker.server.port), timeout=20) as connection:
        connection.sendall(sent.encode())
        connection.recv(1)
        reset(connection)


API_KINDS = [catalog, changes, api_pictures, stalled_catalog, unknown, malformed]
