"""Makes Public/QuakesUI/land.svg, the outline of the land for maps.

Source: Natural Earth, 1:110m land (public domain, https://www.naturalearthdata.com), as geopandas
0.14.4 on PyPI has it. Run it as `make land`; what it makes is committed.

The projection is that of Sources/QuakesUI/MapProjection.swift: Miller's cylindrical one, in degrees,
y down.
"""

import math
import pathlib
import sys
import warnings

import geopandas

TOLERANCE = 0.1  # degrees; finer than the data are
HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="-180 -132 360 264">
<!-- Land: Natural Earth 1:110m, public domain. Made by scripts/land.py. -->
"""


def project(longitude, latitude):
    y = 1.25 * math.log(math.tan(math.pi / 4 + 0.4 * math.radians(latitude)))
    return round(longitude, 1), round(-math.degrees(y), 1)


def ring(coordinates):
    """A closed path in relative lines: shorter than absolute ones."""
    points = [project(*point[:2]) for point in coordinates]
    path, (x, y) = f"M{number(points[0][0])} {number(points[0][1])}", points[0]
    lines = []
    for next_x, next_y in points[1:-1]:
        if (next_x, next_y) == (x, y):
            continue
        lines.append(f"{number(next_x - x)} {number(next_y - y)}")
        x, y = next_x, next_y
    return path + "l" + " ".join(lines).replace(" -", "-") + "z"


def number(value):
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def main():
    warnings.simplefilter("ignore")
    countries = geopandas.read_file(geopandas.datasets.get_path("naturalearth_lowres"))
    land = countries.geometry.buffer(0.01).unary_union.buffer(-0.01).simplify(TOLERANCE)
    polygons = getattr(land, "geoms", [land])
    rings = [r for p in polygons for r in (p.exterior, *p.interiors)]
    path = "\n".join(ring(r.coords) for r in rings if len(r.coords) > 3)
    target = pathlib.Path(__file__).parent.parent / "Public" / "QuakesUI" / "land.svg"
    target.write_text(f'{HEAD}<path id="land" vector-effect="non-scaling-stroke" d="{path}"/>\n</svg>\n')
    print(f"{target}: {target.stat().st_size} bytes, {len(rings)} rings", file=sys.stderr)


main()
