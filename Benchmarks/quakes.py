"""Measures a refresh of Quakes in many windows with its parts, and checks the effects of one deletion."""

import contextlib
import datetime
import json
import os
import re
import sqlite3
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from harness import (
    Asked, BUILD, Failure, call, connected, open_stream, post, read_event, running, swift_program,
)

ROUNDS = 7
PYTHON_ROUNDS = 5
SEED = 1906
# The last day of the feeds, in UTC.
DATE = "2026-01-31"
DAY_ROWS = 1_000
# How many of them the list shows. The rest is on its next part.
PART_ROWS = 500
# The levels of the map with clusters.
CLUSTER_LEVELS = 7
# The number of days with a bar.
DAYS = 30
# The regions that depend on all earthquakes: the list, the link to its next part, the count, the map and the
# bars of days; and those that depend on whether the day has none, or too many.
REGIONS = {"rows", "part", "counts", "markers", "days"}
UNCHANGED_REGIONS = {"limit", "noResults"}


def measure(windows):
    """Returns the section of README.md.

    - Raises: Failure, if a deletion changes more than one row and one marker.
    """
    program = swift_program("Quakes")
    with tempfile.TemporaryDirectory() as folder:
        feed = Path(folder) / "month.geojson"
        call(program, "feed", str(SEED), "month", feed)
        python = measure_python(feed.read_bytes(), Path(folder))
        places = call(program, "places", stdout=subprocess.PIPE).stdout.split()
        parts = json.loads(call(
            program, "measure", feed, str(windows), stdout=subprocess.PIPE, env=environment()).stdout)
        rounds, events = measure_refresh(program, feed, places, windows)
        bare = measure_bare(events, windows)
        delete = check_delete(program, Path(folder), windows)
    results = {"python": python, "parts": parts, "refresh": rounds, "bare": bare, "delete": delete}
    (BUILD / "quakes.json").write_text(json.dumps(results, indent=2))
    return report(results, places, windows)


def environment():
    # Windows of the benchmark send no time zone, so they have the server's.
    return {**os.environ, "TZ": "UTC"}


# The cost without windows.


def measure_python(data, folder):
    """Returns the best times in ns to decode the feed, and to insert it into a database."""
    best = {}

    def note(name, start):
        best[name] = min(best.get(name, float("inf")), time.monotonic_ns() - start)

    for number in range(PYTHON_ROUNDS):
        start = time.monotonic_ns()
        features = json.loads(data)["features"]
        note("decode", start)
        start = time.monotonic_ns()
        path = folder / f"python-{number}.store"
        with contextlib.closing(sqlite3.connect(path)) as database, database:
            database.execute("PRAGMA journal_mode = wal")
            database.execute("CREATE TABLE quake (quakeId TEXT NOT NULL PRIMARY KEY, magnitude REAL,"
                             " time REAL, updated REAL, name TEXT, longitude REAL, latitude REAL)")
            database.executemany("INSERT INTO quake VALUES (?, ?, ?, ?, ?, ?, ?)", (
                (feature["id"], feature["properties"]["mag"], feature["properties"]["time"],
                 feature["properties"]["updated"], feature["properties"]["place"],
                 *feature["geometry"]["coordinates"][:2])
                for feature in features if feature["properties"]["mag"] > 0))
        note("insert", start)
    return best


# The refresh.


def measure_refresh(program, feed, places, windows):
    """Returns times in ns by kind of refresh and round, and for each place the event with the earthquakes.

    The kinds are a month into an empty state, and one of which 1 % has changed since the last refresh, decoded by
    its difference or, as the control, as a whole.
    """
    rounds = {"month": [], "again": [], "againWhole": []}
    with serving(program, feed) as server, connected(server.port) as posts:
        with watching(server.port, places, windows) as watchers:
            refresh(server, posts, watchers, places[0])
            for _ in range(ROUNDS):
                delete_all(server, posts, watchers, places[0])
                server.ask("forget")
                rounds["month"].append(refresh(server, posts, watchers, places[0]))
            for _ in range(ROUNDS):
                for name in "again", "againWhole":
                    server.ask("change")
                    if name == "againWhole":
                        server.ask("forget")
                    rounds[name].append(refresh(server, posts, watchers, places[0]))
            delete_all(server, posts, watchers, places[0])
        return rounds, capture(server, posts, places)


def refresh(server, posts, watchers, page):
    """Refreshes, waits until all windows and the database have it, and returns times in ns."""
    before = server.ask("marks").get("saved")
    # The first version shows that it is waiting, the second one has the earthquakes.
    version = post(posts, page, "_form=refresh&range=allMonth") + 1
    arrivals = watchers.ask(f"wait {version}")
    wait_for_mark(server, "saved", before)
    marks = server.ask("marks")
    return {
        "whole": arrivals["last_ns"] - marks["received"],
        "decode": marks["decoded"] - marks["received"],
        "reduced": marks["reduced"] - marks["received"],
        "reduce": marks["reduced"] - marks["decoded"],
        "frame_and_push": arrivals["last_ns"] - marks["reduced"],
        "saved": marks["saved"] - marks["reduced"],
        "bytes": arrivals["bytes"],
        "events": arrivals["events"],
    }


def delete_all(server, posts, watchers, page):
    before = server.ask("marks").get("deleted")
    version = post(posts, page, "_form=deleteAll")
    watchers.ask(f"wait {version}")
    wait_for_mark(server, "deleted", before)


def wait_for_mark(server, name, before):
    deadline = time.monotonic() + 10
    while server.ask("marks").get(name) == before:
        if time.monotonic() > deadline:
            raise Failure(f"nothing was {name} within 10 s")
        time.sleep(0.02)


def capture(server, posts, places):
    """Returns the event of a refresh for each place. The list is empty at first."""
    with contextlib.ExitStack() as stack:
        streams = [open_stream(stack.enter_context(connected(server.port)), place)
                   for place in places]
        for stream in streams:
            read_event(stream, "show")
        version = post(posts, places[0], "_form=refresh&range=allMonth") + 1
        events = []
        for stream in streams:
            event = b""
            while f"id: {version}\n".encode() not in event:
                event = read_event(stream, "frame")
            events.append(event)
    # All versions have four digits, as the C server requires.
    return [event.replace(b"id: %d\n" % version, b"id: 0000\n", 1) for event in events]


def measure_bare(events, windows):
    """Returns times in ns until all windows have these events of the C server."""
    files = []
    for number, event in enumerate(events):
        files.append(BUILD / f"quakes-event-{number}.txt")
        files[-1].write_bytes(event)
    command = [BUILD / "server", "1", *files]
    pages = [f"/{number}" for number in range(len(files))]
    results = []
    with running("C", command, os.sched_getaffinity(0)) as (port, _), connected(port) as posts:
        with watching(port, pages, windows) as watchers:
            for number in range(ROUNDS + 1):
                start = time.monotonic_ns()
                # In one piece and without a body, as the C server requires. It answers, and then sends.
                posts.request("POST", "/")
                version = json.loads(posts.getresponse().read())["version"]
                arrivals = watchers.ask(f"wait {version}")
                results.append({"push": arrivals["last_ns"] - start, "bytes": arrivals["bytes"]})
    return results[1:]


# One delete.


def check_delete(program, folder, windows):
    """Deletes one of 1,000 earthquakes, whose row all windows show, and returns the resulting work.

    - Raises: Failure, if more changed than its row, the row that moves up into the part, its marker, and at most
      two clusters at each level; or if a selector ran twice, or a region was rendered twice.
    """
    feed = folder / "day.geojson"
    make_day(program, feed)
    page = f"/quakes?date={DATE}"
    with serving(program, feed) as server, connected(server.port) as posts:
        post(posts, page, "_form=refresh&range=allDay")
        wait_for_mark(server, "saved", None)
        with watching(server.port, [page], windows, "-c") as watchers, \
                connected(server.port) as connection:
            stream = open_stream(connection, page)
            shown = read_event(stream, "show")
            # From the middle of the list's part.
            rows = keys_of(shown, "rows")
            key = rows[len(rows) // 2]
            server.ask("counts")
            version = post(posts, page, f"_form=deleteSelected&quakeId={key}")
            arrivals = watchers.ask(f"wait {version}")
            event = read_event(stream, "frame")
            counted = server.ask("counts")
    patches = [patch for patch in patches_of(event)]
    regions = [patch[0] for patch in patches_of(shown)]
    expect("rows shown", len(rows), PART_ROWS)
    expect("bars shown", len(keys_of(shown, "days")), DAYS)
    expect("markers shown", set(rows) < set(keys_of(shown, "markers")), True)
    for name, text in [("rows", b"quakes"), ("markers", b"markers")]:
        expect(f"lists of {name} shown", shown.count(b'data-list=\\"%s\\"' % text), 1)
    operations = {
        name: rows for _, _, _, *lists in patches if lists for name, rows in lists[0].items()}
    expect("bars that are sent", len(operations.pop("days")), 1)
    clusters = {cluster for kind, cluster, *_ in operations.pop("clusters", []) if kind in ("set", "edit", "put")}
    expect("clusters that change, up to two at each level", len(clusters) <= 2 * CLUSTER_LEVELS, True)
    # A row from the next part takes its place.
    [*cuts, (put, moved_up, *_)] = operations.pop("quakes")
    expect("operations of rows", [*cuts, put, moved_up in rows], [["cut", key], "put", False])
    expect("operations of other lists", operations, {"markers": [["cut", key]]})
    expect("regions sent", sorted(patch[0] for patch in patches), sorted(REGIONS))
    expect("regions shown", REGIONS | UNCHANGED_REGIONS <= set(regions), True)
    expect("regions sent whole",
           [patch[0] for patch in patches if isinstance(patch[2], str) and len(patch) == 3], [])
    selectors = counted["selectors"]
    expect("selectors that ran more than once",
           {label: runs for label, runs in selectors.items() if runs != [1]}, {})
    counts = counted["counts"]
    expect("runs of selectors", counts["outputRuns"], len(selectors))
    expect("renders of regions", counts["regionRenders"], len(REGIONS))
    # The bar, the row that moves up, and the clusters.
    expect("renders of rows", counts["rowRenders"], 2 + len(clusters))
    expect("differences", counts["diffs"], len(patches))
    expect("frames", counts["frames"], 1)
    expect("events", arrivals["events"], windows)
    expect("whether all windows got the same bytes", arrivals["are_equal"], True)
    expect("bytes", arrivals["bytes"], windows * len(event))
    return {
        "event": event.decode(), "bytes": len(event), "shown_bytes": len(shown),
        "patches": [patch[0] for patch in patches], "regions": regions,
        "clusters": len(clusters), **counted,
    }


def make_day(program, path):
    """Writes a feed of one day with the given number of earthquakes, from several samples."""
    features = {}
    for number in range(8):
        part = path.with_name("part.geojson")
        call(program, "feed", str(SEED + number), "day", part)
        feed = json.loads(part.read_bytes())
        for feature in feed["features"]:
            if feature["properties"]["mag"] > 0:
                features.setdefault(feature["id"], feature)
    if len(features) < DAY_ROWS:
        raise Failure(f"a day of all samples has only {len(features)} earthquakes")
    feed["features"] = list(features.values())[:DAY_ROWS]
    path.write_text(json.dumps(feed))


def patches_of(event):
    return json.loads(re.search(rb"^data: (.*)$", event, re.MULTILINE)[1])["regions"]


def keys_of(shown, region):
    """Returns the keys of all rows of a region, in order."""
    html = next(patch[2] for patch in patches_of(shown) if patch[0] == region)
    return re.findall(r'data-key="([^"]*)"', html)


def expect(what, actual, expected):
    if actual != expected:
        raise Failure(f"after one delete: {what}: {actual!r}, not {expected!r}")


# Running.


@contextlib.contextmanager
def serving(program, feed):
    """Runs Quakes on a feed, with an empty database."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "serve", feed, folder]
        with running("Quakes", command, os.sched_getaffinity(0), environment()) as (port, process):
            yield Asked(process, port)


@contextlib.contextmanager
def watching(port, pages, windows, *options):
    """Opens windows at pages, one after another, and closes them. They use the last core."""
    command = [BUILD / "windows", *options, str(windows), str(port), *pages]
    cores = {max(os.sched_getaffinity(0))}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: os.sched_setaffinity(0, cores))
    watchers = Asked(process)
    try:
        watchers.answer()
        yield watchers
    except Failure as failure:
        process.kill()
        raise Failure(f"{failure}\n{process.stderr.read().decode()}".rstrip()) from None
    finally:
        process.kill()
        process.communicate()


# Reporting.


def report(results, places, windows):
    python, parts, delete = results["python"], results["parts"], results["delete"]
    times, frame = parts["times"], parts["frame"]
    refresh, again, again_whole = (
        {key: sorted(run[key] for run in rounds) for key in rounds[0]} for rounds in results["refresh"].values())
    bare = sorted(run["push"] for run in results["bare"])
    size = statistics.median(run["bytes"] for run in results["bare"])
    whole = statistics.median(refresh["whole"])
    push = whole - times["decode"] - times["reduce"] - times["frame"]
    python_whole = python["decode"] + python["insert"]

    def row(name, time, other, other_time, has_share=True):
        share = f"{100 * time / whole:.0f} %" if has_share else ""
        ratio = f"{time / other_time:.2f}" if other_time else ""
        return (f"| {name} | {milliseconds(time)} | {share} | {other} | "
                f"{milliseconds(other_time) if other_time else ''} | {ratio} |")

    lines = [
        f"{windows:,} windows, {len(refresh['whole'])} refreshes after a warm-up. The feed has "
        f"{parts['features']:,} features in {parts['bytes']:,} bytes, of which {parts['quakes']:,} "
        f"are kept; the events for all windows have {size:,.0f} bytes.",
    ]
    lines += [
        "",
        "| From the bytes of a month to the last window | Time | Of the whole | Beside it | Its time "
        "| Ratio |",
        "| --- | ---: | ---: | --- | ---: | ---: |",
        row("**Whole**", whole, "Python: `json.loads`, `sqlite3`", python_whole),
        row("Decode", times["decode"], "Python: `json.loads`", python["decode"]),
        row("Reduce", times["reduce"], "a `Dictionary`", times["reduceByHand"]),
        row(f"Select: {parts['selectors']} selectors", times["select"], "", None),
        row(f"Render: {frame['regionRenders']} regions, {frame['rowRenders']:,} rows",
            times["frame"] - times["select"], "", None),
        row("Push, and what is left", push, "C: the same bytes", statistics.median(bare)),
        row("Persist, beside the push", times["persist"], "plain SQL", times["persistByHand"],
            has_share=False),
        row("One more window", times["join"], "", None, has_share=False),
        row("A window with a new search", times["search"], "", None, has_share=False),
        "",
        f"The whole took {milliseconds(refresh['whole'][0])} to "
        f"{milliseconds(refresh['whole'][-1])}, C's push {milliseconds(bare[0])} to "
        f"{milliseconds(bare[-1])}.",
        "",
        "| A refresh of which 1 % of the earthquakes have changed | By difference | Decoded whole | Ratio |",
        "| --- | ---: | ---: | ---: |",
        compared("Decode", times["decodeAgain"], times["decode"]),
        compared("From the bytes until the action is reduced", statistics.median(again["reduced"]),
                 statistics.median(again_whole["reduced"])),
        compared("From the bytes to the last window", statistics.median(again["whole"]),
                 statistics.median(again_whole["whole"])),
        compared("Reduce: the changes, or all", times["reduceAgain"], times["reduce"]),
        compared("A frame of all places: after the changes, or after all", times["frameAgain"], times["frame"]),
        compared("Persist: the changes, or all", times["persistAgain"], times["persist"]),
        "",
        f"| Filter and sort {parts['quakes']:,} | Found | Selector | By hand | Ratio |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for search in parts["searches"]:
        lines.append(
            f"| {search['name']} | {search['found']:,} | {milliseconds(search['selector'])} | "
            f"{milliseconds(search['byHand'])} | {search['selector'] / search['byHand']:.2f} |")
    counts = delete["counts"]
    lines += [
        "",
        f"| One delete of {DAY_ROWS:,} rows, in {windows:,} windows | Counted |",
        "| --- | ---: |",
        "| Rows that change: one is deleted, one moves up into the part; the marker; the bar; clusters | "
        f"2 + 1 + 1 + {delete['clusters']} |",
        f"| Regions in the event ({', '.join(delete['patches'])}) | {len(delete['patches'])} |",
        f"| Bytes of the event, equal in all windows | {delete['bytes']:,} |",
        f"| Bytes that a window is shown at first | {delete['shown_bytes']:,} |",
        f"| Selectors that ran, each once | {counts['outputRuns']} |",
        f"| Regions rendered | {counts['regionRenders']} |",
        f"| Rows rendered | {counts['rowRenders']} |",
        f"| Differences worked out | {counts['diffs']} |",
    ]
    return "\n".join(lines)


def compared(name, time, other_time):
    return f"| {name} | {milliseconds(time)} | {milliseconds(other_time)} | {time / other_time:.2f} |"


def milliseconds(nanoseconds):
    return f"{nanoseconds / 1e6:,.1f} ms" if nanoseconds >= 1e7 else f"{nanoseconds / 1e6:,.2f} ms"
