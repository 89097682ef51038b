"""Makes the boundaries of the earth's plates: Public/QuakesUI/plates.svg, which a map loads first, and
plates-near.svg, which it loads when the user zooms in.

Source: the 56 plates of NNR-MORVEL56 (Argus, Gordon and DeMets, 2011, Geologically current motion of 56 plates
relative to the no-net-rotation reference frame, doi:10.1029/2011GC003751; most boundaries are those of Bird,
2003, An updated digital model of plate boundaries, doi:10.1029/2001GC000252), as packaged in the Python package
platemotion 0.1.7 (MIT, see scripts/plates-license.txt). Run it with `make plates`; the files are committed.

It uses the projection of Sources/QuakesUI/MapProjection.swift, as scripts/land.py does.
"""

import pathlib
import subprocess
import sys
import tempfile
import zipfile

import shapely
import shapely.ops
from shapely.geometry import LineString, MultiLineString

from world import path, project

PUBLIC = pathlib.Path(__file__).resolve().parent.parent / "Public" / "QuakesUI"
PACKAGE = "platemotion==0.1.7"
DATA = "platemotion/data/NnrMRVL_PltBndsLatLon/All_boundaries"
SOURCE = ("Plate boundaries of NNR-MORVEL56 (Argus, Gordon and DeMets, 2011), from platemotion 0.1.7, "
          "(c) 2021 Chunxiao Li, MIT license. Made by scripts/plates.py.")

FAR, FAR_UNIT = 0.4, 10  # degrees, parts of a degree
NEAR, NEAR_UNIT = 0.03, 100


def outlines():
    """The outline of each plate, in degrees."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, PACKAGE],
                       check=True)
        [package] = pathlib.Path(folder).glob("*.whl")
        text = zipfile.ZipFile(package).read(DATA).decode()
    plates = []
    for words in map(str.split, text.splitlines()):
        if len(words) == 1:  # the name of the next
            plates.append([])
        else:
            latitude, longitude = map(float, words)
            plates[-1].append((longitude, latitude))
    return plates


def boundaries(plates):
    """Each line between two plates once, from one point where three plates meet to the next."""
    edges = {tuple(sorted(edge)) for plate in plates for edge in zip(plate, plate[1:]) if edge[0] != edge[1]}
    merged = shapely.ops.linemerge(MultiLineString(sorted(edges)))
    return sorted(list(line.coords) for line in merged.geoms)


def unrolled(line):
    """The points of a line, which continues past the date line, because the map repeats the world at its sides."""
    points = [project(*line[0])]
    for point in line[1:]:
        x, y = project(*point)
        points.append((x + 360 * round((points[-1][0] - x) / 360), y))
    return points


def write(name, lines, tolerance, unit):
    data = path([LineString(line).simplify(tolerance).coords for line in lines], unit, False)
    target = PUBLIC / name
    target.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-180 -132 360 264">\n<!-- {SOURCE} -->\n'
        f'<path id="plates" fill="none" vector-effect="non-scaling-stroke" transform="scale({1 / unit:g})" '
        f'd="{data}"/>\n</svg>\n')
    print(f"{target}: {target.stat().st_size} bytes", file=sys.stderr)


def main():
    lines = [unrolled(line) for line in boundaries(outlines())]
    write("plates.svg", lines, FAR, FAR_UNIT)
    write("plates-near.svg", lines, NEAR, NEAR_UNIT)


main()
