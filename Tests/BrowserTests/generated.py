"""Requests with generated parameters: all that the protocol knows (docs/PROTOCOL.md), and what it does
not. The same randomness makes the same requests."""

import contextlib
import datetime
import html
import http.client
import json
import re
import socket
import urllib.parse

from clients import Drained
from faults import reset
from pictures import TYPE, hash_of, multipart, png
from raw import FORM, STREAM, Session, post_json

CATEGORIES = ["Amphibian", "Bird", "Fish", "Invertebrate", "Mammal", "Reptile"]
ANIMALS = ["Cat", "Dog", "Kangaroo", "Bibbon"]
SHEETS = ["add", "edit", "edit~zq", "delete~Cat", "delete~zq", "reload", "add~~zq", "edit~zq~~zq"]
PATHS = ["/", "/counter", "/animals", "/quakes"]
FILES = ["window.js", "worker.js", "style.css", "icon.svg", "QuakesUI/land.svg", "nothing.js", "../x", ""]
ALPHABET = "aeiknors 0123%&+<\"'~_éß\u0301\u0308\u200b\u202e漢🙂"
ZONES = ["Europe/Berlin", "Asia/Kathmandu", "UTC", "Pacific/Kiritimati", "zq", "", "%00", "Mars/Zq"]
DIETS = ["Herbivore", "Carnivore", "Omnivore"]
PRODUCTS = ["Quakes", "Animals", "Counter"]
METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "ZQ"]


def text(chance, most=40):
    """Some letters, rarely very many."""
    if chance.random() < 0.02:
        most = 8_000
    return "".join(chance.choices(ALPHABET, k=chance.randrange(most)))


def word(chance):
    return "".join(chance.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=12))


def day(chance):
    return (datetime.date.today() - datetime.timedelta(days=chance.randrange(40))).isoformat()


def number(chance):
    return str(chance.choice([chance.randrange(-1, 1_000), chance.randrange(10), 2**63, word(chance)]))


def seen(chance):
    """An animal as an editor has shown it. Its category is not known, so that no animal is added."""
    return f"{chance.choice(DIETS)}~Zq~{text(chance)}"


def page_time(chance):
    return f"{chance.choice(ZONES)},{day(chance)}T12:00:00Z,{word(chance)}"[:chance.choice([5, 12, 80])]


def camera(chance):
    return f"{chance.uniform(-180, 180):.3f}_{chance.uniform(-90, 90):.3f}_3"


def mark(chance):
    """What a button of a row does, but for one that deletes an animal that is there."""
    one, other, third = (chance.choice([*ANIMALS, "", word(chance)]) for _ in range(3))
    return chance.choice([
        f"star~{one}", f"unstar~{one}", f"move~{one}~{other}~{third}", f"put~{one}~{word(chance)}",
        "delete~" + word(chance), text(chance)])


def one_of(*known):
    """Mostly what a page would send."""
    return lambda chance: chance.choice([*known, text(chance)])


def stranger(chance):
    return chance.choice([word(chance), text(chance), ""])


ANIMAL = one_of(*ANIMALS)
# What a page's address says, and how; test_growth.py compares this with the sources.
PARAMETERS = {
    "/": {},
    "/counter": {},
    "/animals": {
        "all": one_of("true", "false"), "search": one_of("a", "dog"), "favorites": one_of("true", "false"),
        "category": one_of(*CATEGORIES), "order": one_of("name", "own"), "from": one_of("Dog", "Dog.2", "zq.9"),
        "animal": ANIMAL, "sheet": one_of(*SHEETS, "add~~zq"), "was": seen, "typed": text,
    },
    "/quakes": {
        "search": one_of("alaska", "km"), "date": day, "magnitude": one_of("all", "2.5", "4.5"),
        "order": one_of("forward", "reverse"), "sort": one_of("time", "magnitude"),
        "from": one_of("zq", "zq.500"), "list": stranger, "map": stranger, "shared": stranger,
        "charts": one_of("true", "false"), "camera": camera, "until": one_of("0905", "2359", "9999"),
    },
    "/developer": {
        "show": one_of("visits", "actions"), "search": text, "product": one_of(*PRODUCTS), "entry": number,
        "action": one_of("didTapIncrementButton", "ui.onTapDispatchButton"), "window": stranger,
    },
    "/developer/state": {
        "product": one_of(*PRODUCTS), "at": number, "since": number,
        "path": one_of("/quakes", "/quakes/table"), "from": number,
    },
    "/developer/windows": {"browser": stranger},
    "/developer/time": {"url": lambda chance: address(chance), "at": number, "seen": page_time, "region": text},
    "/developer/past": {"url": lambda chance: address(chance), "at": number, "seen": page_time, "plan": number},
    "/developer/fork": {
        "plan": one_of("1", "1-2.3", "1~3.2", "9-9~9"), "url": lambda chance: address(chance), "seen": page_time,
    },
    "/developer/cost": {"product": one_of(*PRODUCTS), "frame": number, "region": text},
    "/developer/dispatch": {"example": number},
    "/report": {"sent": one_of("yes")},
}
# The fields of each form, by page; it has no others.
FORMS = {
    "/counter": {"increment": {}, "decrement": {}},
    "/animals": {
        "refresh": {}, "reload": {}, "dismiss": {}, "dismissFetch": {},
        "save": {
            "animalId": word, "name": one_of(""), "category": text, "diet": one_of(*DIETS), "seen": seen, "was": seen,
            "nameSide": one_of("mine", "theirs"), "categorySide": one_of("mine", "theirs"),
            "dietSide": one_of("mine", "theirs"), "anyway": one_of("yes"),
        },
        "rows": {"row": mark}, "markInDetail": {"row": mark}, "deleteInDetail": {"animalId": stranger},
        "setPicture": {"animalId": ANIMAL, "picture": text}, "removePicture": {"animalId": ANIMAL},
    },
    "/quakes": {
        "refresh": {"range": one_of("allHour", "allDay")}, "cancelRefresh": {}, "dismiss": {},
        "deleteSelected": {"quakeId": stranger}, "restore": {"deletion": number}, "sample": {}, "deleteAll": {},
    },
    "/developer": {"pause": {}, "resume": {}, "clear": {}, "goBack": {"entry": number}, "backToNow": {}},
    "/developer/windows": {
        "refreshWindows": {}, "cutOff": {"browser": stranger}, "normal": {"browser": stranger},
        "slowDown": {"browser": stranger, "latency": one_of("0", "5"), "loss": one_of("0", "5"), "seed": number,
                     "offline": one_of("on")},
    },
    "/developer/dispatch": {"dispatch": {
        "product": one_of(*PRODUCTS), "json": one_of('{"didTapIncrementButton":{}}', "{}", '{"ui":{}}'),
    }},
    "/report": {"report": {"span": number, "description": text}},
}
# These change all that Quakes has: `earthquakes` posts them.
WHOLESALE = {"sample", "deleteAll"}


def address(chance, path=None):
    """A page with local state, mostly like that of its links."""
    path = path or chance.choice(PATHS)
    values = PARAMETERS[path] | {word(chance): text, chance.choice(["list", "sheet", "camera"]): text}
    names = chance.sample(sorted(values), min(len(values), chance.randrange(6)))
    query = urllib.parse.urlencode([(name, values[name](chance)) for name in names])
    return f"{path}?{query[:20_000]}" if query else path


def navigation(chance):
    """What puts a window at a page: mostly what a tab would send."""
    tags = {text(chance, 12): text(chance, 30) for _ in range(chance.randrange(4))}
    value = {"at": address(chance), "navigation": 1, "tags": tags,
             "awaited": [{"url": address(chance), "token": word(chance)} for _ in range(chance.randrange(3))]}
    if chance.random() < 0.3:
        name = chance.choice(sorted(value))
        value[name] = chance.choice([None, -1, 2**63, "x", [1], text(chance), {}])
    for name in chance.sample(sorted(value), chance.choice([0, 0, 0, 1, 2])):
        del value[name]
    return value


def cut(chance, body):
    """Mostly the whole of it."""
    return body[:chance.randrange(len(body))] if chance.random() < 0.1 else body


def fields(chance, paths=PATHS):
    """A page, and one of its forms, which changes no stored data but marks."""
    token = chance.choice([word(chance), word(chance), "zq", "", text(chance, 300)])
    path = chance.choice([path for path in paths if path in FORMS])
    known = FORMS[path]
    form = chance.choice([*sorted(known.keys() - WHOLESALE), "_undo", text(chance)])
    given = {"_form": form, "_token": token}
    given |= {name: value(chance) for name, value in known.get(form, {}).items() if chance.random() < 0.9}
    if form == "_undo":
        given["_submission"] = stranger(chance)
    for _ in range(chance.choice([0, 0, 1, 5, 200])):
        given[text(chance, 10)] = text(chance, 100)
    return address(chance, path), urllib.parse.urlencode(given)[:60_000]


class Asker:
    """A client with a persistent connection, and with one cookie, several, or none."""

    def __init__(self, server, chance, has_session=True):
        self.server = server
        self.chance = chance
        self.statuses = set()
        self.text = ""  # the body of the newest answer
        self.cookie = Session(server).cookie if has_session else "none=x"
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
            self.text = response.read().decode("utf-8", "replace")
        except OSError:  # it was closed before the request came there
            self.disconnect()
            return None
        if response.will_close:
            self.disconnect()
        self.statuses.add(response.status)
        return response.status

    def cookies(self):
        receipt = f"receipt={number(self.chance)}.{word(self.chance)}"
        known = [self.cookie, "session=zq", f"zone={self.zone()}", receipt, f"{word(self.chance)}=x"]
        return self.chance.sample(known, self.chance.randrange(len(known)))

    def zone(self):
        if self.chance.random() < 0.5:
            return self.chance.choice(ZONES)
        hours, minutes = self.chance.randrange(-14, 15), self.chance.randrange(60)
        zone = self.chance.choice([
            f"GMT{hours:+03d}{minutes:02d}", f"GMT{hours:+03d}:{minutes:02d}", f"UTC{hours:+d}.{minutes:02d}"])
        return self.chance.choice([zone, zone.lower(), zone.title()])


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


def marks(asker):
    """Stars and moves, in a list and in the detail of an animal."""
    chance = asker.chance
    path, form = chance.choice([("/animals?order=own", "rows"), ("/animals/Dog?order=own", "markInDetail")])
    body = urllib.parse.urlencode({"_form": form, "_token": word(chance), "row": mark(chance)})
    accept = chance.choice(["text/html", "application/json"])
    asker.ask("POST", path, body, {"Content-Type": FORM, "Accept": accept})
    asker.ask("GET", chance.choice(["/animals?order=own", "/animals?favorites=true"]))


def undos(asker):
    """Saves and deletes whose toasts undo them, once, several times, or never."""
    chance, name = asker.chance, word(asker.chance)
    head = {"Content-Type": FORM, "Accept": "text/html", "Cookie": asker.cookie}

    def act(form, **values):
        values = {"_form": form, "_token": word(chance)} | values
        asker.ask("POST", "/animals?category=Mammal", urllib.parse.urlencode(values), head)

    def undo():
        asker.ask("GET", "/animals?category=Mammal", head={"Cookie": asker.cookie})
        names = re.findall(r'name="_submission" value="([^"]+)"', asker.text)
        for submission in chance.choice([[], names, names, names + names, [word(chance)]]):
            act("_undo", _submission=html.unescape(submission))

    act("save", _token=name, name=name, category="Mammal", diet="Omnivore")
    undo()
    act("rows", row=f"delete~{name}")
    undo()
    delete(asker, name)


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
    delete(asker, name)


def delete(asker, name):
    head = {"Content-Type": FORM, "Accept": "text/html"}
    for _ in range(100):  # a connection may have ended just then, or the save not have yet
        if asker.ask("POST", "/animals?category=Mammal", f"_form=rows&row=delete~{name}",
                     head) in (303, 404):
            break


def streams(asker):
    """Opens a stream, with or without a window, and leaves it in one of several ways."""
    chance = asker.chance
    at = urllib.parse.quote(address(chance), safe="")
    query = chance.choice([
        "", "?at=" + at, "?at=%2Fcounter", "?at=zq", "?protocol=4", "?protocol=4&files=zq", "?protocol=3&at=%2Fquakes"])
    body = cut(chance, json.dumps(navigation(chance)))[:60_000].encode() if chance.random() < 0.6 else b""
    method = "POST" if body else chance.choice(["GET"] * 9 + ["HEAD"])
    head = f"{method} /_/stream{query} HTTP/1.1\r\nHost: localhost\r\n"
    head += f"Cookie: {'; '.join(asker.cookies())}\r\n"
    if chance.random() < 0.5:
        head += "Accept-Encoding: gzip\r\n"
    if body:
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    with socket.create_connection(("127.0.0.1", asker.server.port), timeout=20) as connection:
        behind = chance.choice([b""] * 8 + [b"x", b"GET /counter HTTP/1.1\r\nHost: localhost\r\n\r\n"])
        connection.sendall(head.encode() + b"\r\n" + body + behind)
        received = b""
        if chance.random() < 0.8:
            with contextlib.suppress(ConnectionResetError):
                received = connection.recv(4096)
            if status := re.match(rb"HTTP/1.1 (\d+)", received):
                asker.statuses.add(int(status[1]))
        connection.settimeout(1)  # after the last byte there may still be an answer, or none
        leave = chance.choice([socket.socket.close, reset, shut_down])
        with contextlib.suppress(OSError):
            leave(connection)


def shut_down(connection):
    connection.shutdown(socket.SHUT_WR)
    connection.recv(65_536)


def unread_streams(asker):
    """A stream of which only the beginning is read, while its windows join and leave, and others post."""
    chance, session = asker.chance, Session(asker.server)
    coding = chance.choice(["", "Accept-Encoding: gzip\r\n"])
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(20)
        connection.connect(("127.0.0.1", asker.server.port))
        connection.sendall(
            f"GET {STREAM} HTTP/1.1\r\nHost: localhost\r\nCookie: {session.cookie}\r\n{coding}\r\n".encode())
        received = b""
        while not (opening := re.search(rb'"stream":"([^"]+)"', received)):
            chunk = connection.recv(4096)
            assert chunk, f"the stream has ended: {received}"
            received += chunk
        for _ in range(chance.randrange(1, 12)):
            body = {"stream": opening[1].decode(), "at": address(chance), "navigation": 1}
            answer = post_json(asker.server, "/_/windows", body, Cookie=session.cookie)
            asker.statuses.add(answer.status)
            if answer.status == 201 and chance.random() < 0.3:
                leave = {"Cookie": session.cookie, "Content-Type": "application/json"}
                asker.ask("POST", f"/_/windows/{answer.json['window']}/leave", "", leave)
            asker.ask("POST", "/counter", f"_form=increment&_token={word(chance)}", {"Content-Type": FORM})
        connection.settimeout(1)
        with contextlib.suppress(OSError):
            chance.choice([socket.socket.close, reset, shut_down])(connection)


def tabs(asker):
    """A tab posts forms, is told how they have ended, and undoes what it did."""
    chance, session, page = asker.chance, Session(asker.server), "/animals?category=Mammal"
    with session.stream("?protocol=4", first={"at": page, "navigation": 1}) as stream:
        stream.next("show")
        head = {"Content-Type": FORM, "Accept": "application/json", "X-Window": stream.window, "Cookie": session.cookie}

        def act(form, **values):
            values = {"_form": form, "_token": word(chance)} | values
            return asker.ask("POST", page, urllib.parse.urlencode(values), head)

        name = word(chance)
        if act("save", _token=name, name=name, category="Mammal", diet="Omnivore") == 200:
            _, _, toast = stream.next("toast")
            if chance.random() < 0.5:
                act("_undo", _submission=toast.get("submission", "zq"))
        for _ in range(chance.randrange(4)):
            asker.ask("POST", page, fields(chance, ["/animals"])[1], head)
        delete(asker, name)


def windows(asker):
    """A browser whose tabs join, navigate and mostly leave, then its stream ends. Mostly the first joins
    with the stream, as that of every browser does."""
    chance, session = asker.chance, Session(asker.server)
    first = {"at": chance.choice(PATHS[1:]), "navigation": 1} if chance.random() < 0.7 else None
    with Drained(asker.server, session, first=first) as stream:
        joined = [stream.window] if first else []
        for _ in range(chance.randrange(1, 5)):
            tags = {text(chance, 12): text(chance, 30) for _ in range(chance.randrange(4))}
            window, number = joined.pop() if joined else None, 1
            if window is None:
                answer = session.join(stream, address(chance), tags=tags)
                asker.statuses.add(answer.status)
                if answer.status != 201:
                    continue
                window = answer.json["window"]
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
    body = cut(chance, json.dumps({"stream": word(chance)} | navigation(chance)))
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
    if chance.random() < 0.2:
        asker.ask("POST", "/animals", f"_form=removePicture&_token={word(chance)}&animalId={animal}",
                  {"Content-Type": FORM, "Accept": "application/json"})


def earthquakes(asker):
    """Feeds, which are fetched and shown; at times all earthquakes are deleted, and restored."""
    chance = asker.chance
    if chance.random() < 0.05:
        head = {"Content-Type": FORM, "Accept": "text/html"}
        asker.ask("POST", "/quakes", "_form=deleteAll", head)
        asker.ask("GET", "/quakes")
        for deletion in re.findall(r'name="deletion" value="(\d+)"', asker.text):
            asker.ask("POST", "/quakes", f"_form=restore&deletion={deletion}", head)
    head = {"Content-Type": FORM, "Accept": chance.choice(["text/html", "application/json"])}
    form = chance.choice([
        "_form=refresh&range=allDay", "_form=refresh&range=allHour", "_form=cancelRefresh", "_form=dismiss",
    ])
    asker.ask("POST", "/quakes", f"{form}&_token={word(chance)}", head)
    asker.ask("GET", "/quakes")
    if chance.random() < 0.02:  # those that were deleted, and not restored
        asker.ask("POST", "/quakes", f"_form=sample&_token={word(chance)}", head)


def developer(asker):
    """The developer pages, which show what has happened, and windows of them."""
    chance = asker.chance
    asker.ask("POST", "/counter", f"_form=increment&_token={word(chance)}", {"Content-Type": FORM})
    path = address(chance, chance.choice([path for path in PARAMETERS if path.startswith("/developer")]))
    asker.ask(chance.choice(["GET", "HEAD"]), path)
    asker.ask("GET", chance.choice(["/previews", "/previews/" + word(chance)]))
    if chance.random() < 0.2:
        with socket.create_connection(("127.0.0.1", asker.server.port), timeout=20) as connection:
            at = urllib.parse.quote(path, safe="")
            connection.sendall(f"GET /_/stream?at={at} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            connection.recv(4096)
            reset(connection)


def developer_forms(asker):
    """What developers do, to browsers that are there and to others."""
    chance = asker.chance
    developer(asker)
    path, body = fields(chance, [path for path in FORMS if path.startswith("/developer")])
    asker.ask("GET", "/developer/windows")
    if (known := re.findall(r"browser=([^&\"]+)", asker.text)) and chance.random() < 0.5:
        body = re.sub("browser=[^&]*", "browser=" + chance.choice(known), body)
    head = {"Content-Type": FORM, "Accept": chance.choice(["text/html", "application/json"])}
    asker.ask("POST", path, body, head)


def reports(asker):
    """Problem reports, most of which are too many."""
    chance = asker.chance
    forms(asker)
    asker.ask("GET", address(chance, "/report"))
    path, body = fields(chance, ["/report"])
    if known := re.search(r'name="span" value="([^"]+)"', asker.text):
        body = re.sub("span=[^&]*", f"span={known[1]}", body)
    asker.ask("POST", path, body, {"Content-Type": FORM, "Accept": "text/html", "Cookie": asker.cookie})


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
    pages, forms, marks, undos, large_forms, uploads, pictures, animals, earthquakes, streams, unread_streams, tabs,
    windows, navigations, bodies, files, operations, unknown, malformed, stalled,
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
