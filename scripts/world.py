"""The map projection of Quakes (Sources/QuakesUI/MapProjection.swift), and SVG paths in it."""

import math


def project(longitude, latitude):
    return longitude, -math.degrees(1.25 * math.log(math.tan(math.pi / 4 + 0.4 * math.radians(latitude))))


def path(lines, unit, closes):
    """The data of an SVG path, as relative lines in whole numbers, because that is the shortest form."""
    text = []
    for line in lines:
        points = []
        for x, y in line:
            point = round(x * unit), round(y * unit)
            if not points or point != points[-1]:
                points.append(point)
        if closes and len(points) > 1 and points[0] == points[-1]:
            points.pop()
        if len(points) < (3 if closes else 2):
            continue
        steps = [f"{x1 - x0} {y1 - y0}" for (x0, y0), (x1, y1) in zip(points, points[1:])]
        steps = " ".join(steps).replace(" -", "-")
        text.append(f"M{points[0][0]} {points[0][1]}l{steps}" + ("z" if closes else ""))
    return "".join(text).replace(" -", "-")
