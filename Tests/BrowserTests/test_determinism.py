"""Two processes with the same data produce identical bytes: no order depends on a process's hashes."""

import collections
import contextlib
import html
import re
import sqlite3
import urllib.parse

import pytest

import previews
from raw import get
from servers import product_server

PROCESSES = 3
LINKED_PAGES = 40
# What belongs to one window or one process.
OWN = re.compile(r'name="_token" value="[^"]*"|data-(?:stream|windows|worker|silence-seconds)="[^"]*"')

PAGES = [
    "/animals", "/animals?category=Mammal", "/animals?category=Bird", "/animals?all=1",
    "/animals?category=Mammal&search=name", "/quakes?date=2026-11-20",
    "/quakes?date=2026-11-20&sort=magnitude&minimum=all", "/quakes?date=2026-11-20&minimum=all",
    "/quakes?date=2026-11-20&sort=magnitude&minimum=all&order=forward", "/quakes?search=equal&minimum=all",
]


@pytest.fixture(scope="module")
def servers():
    """Processes whose databases have the same rows, many of which differ only in their ids."""
    servers = [product_server("--developer") for _ in range(PROCESSES)]
    for server in servers:
        server.start()
        server.terminate()
        with contextlib.closing(sqlite3.connect(server.data / "animals.store")) as database, database:
            database.executemany(
                "INSERT INTO animal (animalId, name, diet, categoryId) VALUES (?, ?, 'Omnivore', ?)",
                [(f"id-{number}", f"Name {number % 3}", ["Mammal", "Bird"][number % 2])
                 for number in range(60)])
        with contextlib.closing(sqlite3.connect(server.data / "quakes.store")) as database, database:
            columns = [row[1] for row in database.execute("PRAGMA table_info(quake)")]
            fill(database, columns)
        server.start()
    yield servers
    for server in servers:
        server.kill()


def fill(database, columns):
    time = 816_868_800  # in seconds from 2001: noon of the day in PAGES
    for number in range(80):
        values = {"quakeId": f"q{number}", "magnitude": number % 4 + 0.5, "time": time,
                  "updated": time, "name": f"equal {number % 2}", "longitude": number % 5,
                  "latitude": number % 5, "depth": 10}
        values = {name: value for name, value in values.items() if name in columns}
        database.execute(
            f"INSERT INTO quake ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})",
            list(values.values()))


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_the_same_in_every_process(servers, path):
    pages = [content(server, path) for server in servers]

    rows = re.findall("data-key=", "".join(pages[0]))
    assert len(rows) > (1 if path == "/animals" else 5), "nothing can be in another order"
    for page in pages[1:]:
        assert page == pages[0]


def test_every_preview_is_the_same_in_every_process(servers):
    """So that a component or selector that is added later is found, too."""
    paths = previews.paths(get(servers[0], "/previews").text)
    assert len(paths) > 100

    for path in paths:
        pages = [content(server, path + "/bare") for server in servers]
        assert pages[1:] == pages[:-1], path


@pytest.mark.parametrize("start", ["/animals", "/quakes?date=2026-11-20&minimum=all"])
def test_the_pages_that_links_lead_to_are_the_same_in_every_process(servers, start):
    product = start.partition("?")[0]
    found, waiting = {start}, collections.deque([start])
    seen = 0
    while waiting and seen < LINKED_PAGES:
        path = waiting.popleft()
        pages = [content(server, path) for server in servers]
        assert pages[1:] == pages[:-1], path
        seen += 1
        for link in re.findall(r'href="([^"#]+)', "".join(pages[0])):
            link = urllib.parse.urljoin(path, html.unescape(link))
            if urllib.parse.urlsplit(link).path.startswith(product) and link not in found:
                found.add(link)
                waiting.append(link)

    assert seen == LINKED_PAGES


def content(server, path):
    answer = get(server, path, Cookie="zone=Europe/Berlin")
    assert answer.status == 200, path
    return OWN.sub("", answer.text).splitlines()
