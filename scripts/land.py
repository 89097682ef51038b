"""Makes the world that maps show: Public/QuakesUI/land.svg, which a map loads first, and world.svg, which
it loads when the user zooms in.

Source: Natural Earth, 1:50m countries (public domain, https://www.naturalearthdata.com), from Debian's package
r-cran-rnaturalearthdata 0.1.0-2 (CC0). The names of oceans and seas and their positions are defined in this
script. Run it with `make land`; the files are committed.

It uses the projection of Sources/QuakesUI/MapProjection.swift: Miller's cylindrical projection, in degrees,
with y down. Each name has a zoom level, the first at which there is room for it. Level 0 has one pixel for a
degree, and each further level has twice as many (`MapCamera.levels`).
"""

import bz2
import lzma
import math
import pathlib
import struct
import subprocess
import sys
import tempfile
import warnings
import xml.sax.saxutils
import zlib

import rdata
import shapely
import shapely.affinity
import shapely.ops
from shapely.geometry import MultiLineString, Polygon, box

from world import path, project

PUBLIC = pathlib.Path(__file__).resolve().parent.parent / "Public" / "QuakesUI"
PACKAGE = "r-cran-rnaturalearthdata"
DATA = "usr/lib/R/site-library/rnaturalearthdata/data/Rdata"
SOURCE = "Natural Earth 1:50m, public domain. Made by scripts/land.py."

COARSE, COARSE_UNIT, COARSE_AREA = 0.4, 10, 0.8  # degrees, parts of a degree, square degrees
FINE, FINE_UNIT = 0.025, 100
NEARBY = 0.02
TILE = 30  # degrees: browsers draw only the visible tiles
OVERLAP = 0.1  # of tiles, so that no seams show

LEVELS = range(8)
FIRST_LEVELS = range(2)  # of the names in land.svg
LETTER, LINE = 6.4, 15  # pixels

# Names on the water: name, longitude, latitude, and importance (1 is the most important).
WATERS = [
    ("Pacific Ocean", -150, 8, 1), ("Atlantic Ocean", -38, 28, 1), ("Indian Ocean", 78, -22, 1),
    ("South Pacific", -125, -35, 2), ("South Atlantic", -16, -28, 2), ("Arctic Ocean", -160, 80, 2),
    ("Southern Ocean", 60, -61, 2), ("North Pacific", 172, 38, 2), ("Philippine Sea", 133, 19, 3),
    ("Coral Sea", 156, -17, 3), ("Tasman Sea", 161, -38, 3), ("Bering Sea", -177, 58, 3),
    ("Gulf of Alaska", -145, 57, 3), ("Caribbean Sea", -75, 15, 3), ("Gulf of Mexico", -91, 25.5, 3),
    ("Mediterranean Sea", 18, 34.7, 3), ("Arabian Sea", 64, 15, 3), ("Bay of Bengal", 88.5, 14, 3),
    ("South China Sea", 114, 13, 3), ("Sea of Japan", 134.5, 40, 3), ("Sea of Okhotsk", 150, 54, 3),
    ("Norwegian Sea", 2, 68, 3), ("Black Sea", 34.5, 43.2, 4), ("Caspian Sea", 51, 41.5, 4),
    ("Red Sea", 38, 20.5, 4), ("Banda Sea", 127.5, -5.6, 4), ("Celebes Sea", 122, 3.2, 4),
    ("East China Sea", 125, 29.5, 4), ("Scotia Sea", -47, -57, 4), ("Labrador Sea", -54, 58, 4),
    ("Hudson Bay", -86, 60, 4), ("Baltic Sea", 19.5, 57, 4), ("North Sea", 3.5, 56, 4),
    ("Timor Sea", 127, -11.5, 4), ("Aegean Sea", 25, 38.3, 5), ("Solomon Sea", 153.5, -8.3, 5),
    ("Bismarck Sea", 148, -3.9, 5), ("Andaman Sea", 95.8, 10.5, 5), ("Adriatic Sea", 16, 42.8, 5),
    ("Java Sea", 111, -5.1, 5), ("Yellow Sea", 123, 36, 5), ("Gulf of California", -110.2, 25.8, 5),
]

# Places of names that do not belong in the middle of their largest part.
PLACES = {
    "United States": (-98.5, 39.5), "Canada": (-108, 57), "Russia": (95, 63), "France": (2.4, 46.7),
    "Norway": (9, 61.3), "Indonesia": (113.5, -0.5), "Malaysia": (102.2, 3.9), "New Zealand": (171.5, -43.3),
    "Japan": (138, 36.3), "Chile": (-71, -33), "Fiji": (178, -17.8), "Antarctica": (20, -79),
}
NAMES = {
    "Côte d'Ivoire": "Ivory Coast", "Republic of Korea": "South Korea", "Dem. Rep. Korea": "North Korea",
    "Democratic Republic of the Congo": "DR Congo", "Republic of the Congo": "Congo", "Lao PDR": "Laos",
    "Czech Republic": "Czechia", "Swaziland": "Eswatini", "Macedonia": "North Macedonia",
    "Russian Federation": "Russia", "Brunei Darussalam": "Brunei", "The Gambia": "Gambia",
    "Falkland Islands / Malvinas": "Falkland Islands", "South Georgia and the Islands": "South Georgia",
}
UNNAMED = {"Siachen Glacier", "Indian Ocean Ter.", "Baikonur"}


# Reading.


def countries():
    """Each country's attributes and its rings, in degrees."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["apt-get", "-qq", "download", PACKAGE], cwd=folder, check=True)
        [package] = pathlib.Path(folder).glob("*.deb")
        subprocess.run(["dpkg", "-x", package, folder], check=True)
        base = pathlib.Path(folder, DATA)
        index = rdata.read_rds(base.with_suffix(".rdx"))
        start, length = index["variables"]["countries50"]
        chunk = base.with_suffix(".rdb").read_bytes()[start:start + length]
    value = attributes(rdata.parser.parse_data(unpacked(chunk)).object)
    data = value["data"]
    columns = {name.value.decode(): column
               for name, column in zip(attributes(data)["names"].value, data.value)}
    for number, polygons in enumerate(value["polygons"].value):
        rings = []
        for part in attributes(polygons)["Polygons"].value:
            slots = attributes(part)
            numbers = slots["coords"].value
            half = len(numbers) // 2  # a matrix, column by column
            points = list(zip(map(float, numbers[:half]), map(float, numbers[half:])))
            rings.append((points, bool(slots["hole"].value[0])))
        yield {key: cell(column, number) for key, column in columns.items()}, rings


def unpacked(chunk):
    """Decompresses an object of an R database: its length, a byte for the compression method, and its bytes."""
    [size] = struct.unpack(">I", chunk[:4])
    if chunk[4:5] == b"Z":
        raw = [{"id": lzma.FILTER_LZMA2, "preset": 6}]
        return lzma.decompress(chunk[5:], format=lzma.FORMAT_RAW, filters=raw)
    if chunk[4:5] == b"2":
        return bz2.decompress(chunk[5:])
    data = zlib.decompress(chunk[4:])
    assert len(data) == size
    return data


def attributes(value):
    found, pair = {}, value.attributes
    while pair is not None and pair.tag is not None:
        tag = pair.tag
        while tag.referenced_object is not None:
            tag = tag.referenced_object
        found[tag.value.value.decode()] = pair.value[0]
        pair = pair.value[1]
    return found


def cell(column, number):
    value = column.value[number]
    levels = attributes(column).get("levels")
    if levels is not None:
        return text(levels.value[value - 1]) if value > 0 else None
    return text(value) if getattr(value, "value", None) else value


def text(characters):
    try:
        return characters.value.decode()
    except UnicodeDecodeError:
        return characters.value.decode("latin-1")


# Geometry, in the units of the map.


def shapes(rings):
    outer = [Polygon([project(*point) for point in points]) for points, is_hole in rings if not is_hole]
    holes = [Polygon([project(*point) for point in points]) for points, is_hole in rings if is_hole]
    shape = shapely.unary_union([part.buffer(0) for part in outer])
    return shape.difference(shapely.unary_union(holes)) if holes else shape


def borders(all_countries, land):
    """The lines between countries, each once, although neighbours do not agree on all points of a line."""
    coast = land.boundary.buffer(NEARBY)
    shapes, lines = [shape for _, shape in all_countries], []
    tree = shapely.STRtree(shapes)
    for number, shape in enumerate(shapes):
        line = shape.boundary.difference(coast)
        others = [shapes[other].boundary for other in tree.query(shape) if other < number]
        if others:
            line = line.difference(shapely.unary_union(others).buffer(NEARBY))
        lines += lines_of(line)
    return shapely.ops.linemerge(MultiLineString(lines))


def parts(shape):
    return [part for part in getattr(shape, "geoms", [shape]) if not part.is_empty]


# Writing.


def element(data, unit, *, fill="", stroke=""):
    if not data:
        return ""
    looks = "".join(f' {name}="{value}"' for name, value in [("fill", fill), ("stroke", stroke)] if value)
    return f'<path{looks} vector-effect="non-scaling-stroke" transform="scale({1 / unit:g})" d="{data}"/>\n'


def rings_of(shape):
    return [ring.coords for part in parts(shape) if part.geom_type == "Polygon"
            for ring in (part.exterior, *part.interiors)]


def lines_of(shape):
    return [part.coords for part in parts(shape) if part.geom_type == "LineString"]


def is_seam(edge):
    """Whether an edge is where the data cut the world open. Such an edge is not a coast."""
    (x0, y0), (x1, y1) = edge
    return abs(x0) > 179.9 and abs(x1) > 179.9 or min(y0, y1) > 131.5


def coasts(land):
    """The outline of the land, without edges that are not coasts."""
    lines = []
    for ring in rings_of(land):
        line = []
        for edge in zip(ring, ring[1:]):
            if is_seam(edge):
                lines.append(line)
                line = []
            else:
                line = line + [edge[1]] if line else list(edge)
        lines.append(line)
    return [line for line in lines if len(line) > 1]


def far(land):
    """The land as seen from afar. Land that the data cut open is joined, or its outline is drawn separately."""
    east = shapely.affinity.translate(land.intersection(box(-180, -132, -160, 0)), 360)
    west = land.difference(box(-180, -132, -169, -66))
    whole = shapely.unary_union([west.buffer(0.01), east.intersection(box(180, -132, 191, -66)).buffer(0.01)])
    large = [Polygon(part.exterior, [hole for hole in part.interiors if Polygon(hole).area > 2])
             for part in parts(whole.simplify(COARSE)) if part.area > COARSE_AREA]
    open_parts = [part for part in large if part.bounds[3] > 131]
    closed = path([ring for part in large if part not in open_parts for ring in rings_of(part)], COARSE_UNIT, True)
    ground = path([ring for part in open_parts for ring in rings_of(part)], COARSE_UNIT, True)
    rim = path([line for part in open_parts for line in coasts(part)], COARSE_UNIT, False)
    return (element(ground, COARSE_UNIT, stroke="none") + element(rim, COARSE_UNIT, fill="none")
            + element(closed, COARSE_UNIT))


def graticule():
    """A line every thirty degrees."""
    x = [f"M{x} -132V132" for x in range(-180, 180, 30)]
    y = [f"M-180 {project(0, latitude)[1]:.1f}h360" for latitude in (-60, -30, 0, 30, 60)]
    return '<path id="graticule" fill="none" vector-effect="non-scaling-stroke" d="' + "".join(x + y) + '"/>\n'


def tiles(land, lines):
    for x in range(-180, 180, TILE):
        for y in range(-150, 150, TILE):
            inner = box(x, y, x + TILE, y + TILE)
            outer = box(x - OVERLAP, y - OVERLAP, x + TILE + OVERLAP, y + TILE + OVERLAP)
            ground = shapely.clip_by_rect(land, *outer.bounds)
            rim, border = (MultiLineString(each).intersection(inner) for each in lines)
            yield element(path(rings_of(ground), FINE_UNIT, True), FINE_UNIT, stroke="none")
            yield element(path(lines_of(rim), FINE_UNIT, False), FINE_UNIT, fill="none")
            yield element(path(lines_of(border), FINE_UNIT, False), FINE_UNIT, fill="none", stroke="currentColor")


# Names.


def labels(all_countries):
    """For each label: name, point, rank (lowest is most important), the lowest level that may show it, class."""
    for name, longitude, latitude, rank in WATERS:
        least = {1: 0, 2: 2, 3: 2, 4: 3, 5: 4}[rank]
        yield name, project(longitude, latitude), (rank - 1, 0), least, "water"
    for data, shape in all_countries:
        name = NAMES.get(data["name_long"], data["name_long"])
        if name in UNNAMED:
            continue
        largest = max(parts(shape), key=lambda part: part.area)
        place = PLACES.get(name)
        if place:
            point = project(*place)
        else:
            middle = shapely.ops.polylabel(largest, tolerance=0.1) if largest.area > 0.01 else largest.centroid
            point = middle.x, middle.y
        size = math.sqrt(shape.area)
        # The country must be at least about as wide as its name.
        least = math.ceil(math.log2(0.55 * LETTER * len(name) / max(size, 0.1)))
        first = 1 if data["labelrank"] <= 2 else 2
        yield name, point, (1 + data["labelrank"], -size), min(max(least, first), LEVELS[-1]), "country"


def placed(all_labels):
    """For each name, the lowest level at which it does not touch another name."""
    found, rest = [], sorted(all_labels, key=lambda label: label[2])
    for level in LEVELS:
        scale, later = 2 ** level, []
        boxes = [frame(label, scale) for label, _ in found]
        for label in rest:
            mine = frame(label, scale)
            if label[3] > level or any(mine.intersects(other) for other in boxes):
                later.append(label)
            else:
                boxes.append(mine)
                found.append((label, level))
        rest = later
    return found


def frame(label, scale):
    name, (x, y), *_ = label
    width = LETTER * len(name) + 10
    return box(x * scale - width / 2, y * scale - LINE / 2, x * scale + width / 2, y * scale + LINE / 2)


def texts(found, level):
    written = "".join(
        f'<text x="{x:.1f}" y="{y:.1f}"{"" if kind == "country" else WATER}>{xml.sax.saxutils.escape(name)}</text>\n'
        for (name, (x, y), _, _, kind), start in found if start == level)
    return f'<g id="names-{level}">\n{written}</g>\n'


WATER = ' fill="currentColor" font-style="italic"'


def svg(content):
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-180 -132 360 264">\n<!-- {SOURCE} -->\n{content}</svg>\n'


def write(name, content):
    target = PUBLIC / name
    target.write_text(svg(content))
    print(f"{target}: {target.stat().st_size} bytes", file=sys.stderr)


def main():
    warnings.simplefilter("ignore")
    whole = [(data, shapes(rings)) for data, rings in countries()]
    land = shapely.unary_union([shape.buffer(0.002) for _, shape in whole]).buffer(-0.002)
    found = placed(labels(whole))

    write("land.svg", graticule() + f'<g id="world">\n{far(land)}</g>\n'
          + "".join(texts(found, level) for level in FIRST_LEVELS))

    near = land.simplify(FINE)
    lines = coasts(near), lines_of(borders(whole, land).simplify(FINE))
    write("world.svg", f'<g id="world">\n{"".join(tiles(near, lines))}</g>\n'
          + "".join(texts(found, level) for level in LEVELS if level not in FIRST_LEVELS))


main()
