"""Figures of single queries: the nearest permitted displacement, and a sweep."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from game.physics.character.slide import SWEEP_SKIN_FRACTION
from game.physics.mesh.geometry import sweep_sphere_against_triangle
from game.physics.numerics.projection import project_onto_halfplanes
from tools.docs.figures.svg import AIR, BODY, EARTH, FAINT, GOOD, GROUND, INK, SOFT, STEP, Drawing, Panel, Point

Row = tuple[float, float, float]  # unit normal and bound, in plan


def _half_plane(panel: Panel, row: Row) -> None:
    nx, ny, bound = row
    foot, t = (nx * bound, ny * bound), (ny, -nx)
    a, b = (foot[0] - 9 * t[0], foot[1] - 9 * t[1]), (foot[0] + 9 * t[0], foot[1] + 9 * t[1])
    d = panel.drawing
    d.area(panel([a, b, (b[0] - 9 * nx, b[1] - 9 * ny), (a[0] - 9 * nx, a[1] - 9 * ny)]), EARTH, fill_opacity=0.75)
    d.line(panel([a, b]), GROUND, 2)


def _nearest(rows: list[Row], u: Point) -> Point:
    x, y, done = project_onto_halfplanes(np.array(rows), len(rows), *u)
    assert done
    return x, y


def projection() -> Drawing:
    """The allowed displacement nearest to the wanted one: one plane, a corner of two, many wishes."""
    d = Drawing(760, 330)
    wall = (math.cos(math.radians(120.0)), math.sin(math.radians(120.0)), -0.25)
    other = (math.cos(math.radians(215.0)), math.sin(math.radians(215.0)), -0.35)
    for k, (title, rows, wish) in enumerate(
        (
            ("one plane", [wall], (1.0, -0.25)),
            ("two planes: their crease", [wall, other], (1.2, 0.05)),
        )
    ):
        p = Panel(d, 20 + 248 * k, 40, 225, 225, (-0.45, -1.0), 118.0)
        answer = _nearest(rows, wish)
        with p:
            for row in rows:
                _half_plane(p, row)
            for nx, ny, bound in rows:
                lack = bound - (nx * wish[0] + ny * wish[1])
                if lack > 0.0:
                    foot = (wish[0] + lack * nx, wish[1] + lack * ny)
                    d.line(p([wish, foot]), SOFT, 1, dash="3 3")
                    if math.dist(foot, answer) > 1e-9:
                        d.ring(p.at(foot), AIR, 4.5)
            if len(rows) == 2:
                d.line(p([wish, answer]), SOFT, 1, dash="3 3")
            d.arrow(p.at((0, 0)), p.at(wish), STEP, 2.2)
            d.arrow(p.at((0, 0)), p.at(answer), GOOD, 2.6)
            d.dot(p.at((0, 0)), BODY, 5)
        d.text((20 + 248 * k, 26), title, size=14)
    rows = [wall, other]
    p = Panel(d, 516, 40, 224, 225, (-0.95, -1.0), 112.0)
    longest, turned = 0.0, 1.0
    with p:
        for row in rows:
            _half_plane(p, row)
        for k in range(24):
            a = 2.0 * math.pi * (k + 0.5) / 24
            wish = (0.8 * math.cos(a), 0.8 * math.sin(a))
            answer = _nearest(rows, wish)
            longest = max(longest, math.hypot(*answer) / 0.8)
            turned = min(turned, answer[0] * wish[0] + answer[1] * wish[1])
            d.line(p([wish, answer]), SOFT, 1, dash="3 3")
            d.line(p([(0, 0), answer]), GOOD, 1.3)
            d.ring(p.at(wish), STEP, 2.6)
            d.dot(p.at(answer), GOOD, 3)
        d.dot(p.at((0, 0)), BODY, 5)
    d.text((516, 26), "24 wishes in that corner", size=14)
    assert turned >= 0.0
    d.key((26, 290), [(STEP, "wish"), (GOOD, "nearest allowed")])
    d.ring((180, 286), AIR, 4.5)
    d.text((192, 290), "nearest on one plane,\nforbidden by the other", size=12)
    d.text((516, 290), f"at most {longest:.3f} of the wish,\nand never against it", size=12)
    return d


def _row(a: Row, b: Row, c: Row) -> Any:
    """A triangle as the kernels take it."""
    n = np.cross(np.subtract(b, a), np.subtract(c, a))
    return np.array([[*a, *b, *c, *(n / np.linalg.norm(n))]])


def sweep() -> Drawing:
    """A sphere against a face, an edge seen end on, and past the end of an edge; a skin of 0.1 so that it shows."""
    d = Drawing(760, 330)
    skin = 0.1  # ten times the usual
    r = 1.0 + SWEEP_SKIN_FRACTION * skin
    scenes = (
        ("a face", _row((-9.0, -1.6, 9.0), (9.0, -1.6, 9.0), (0.0, -1.6, -20.0)), (-1.6, 1.3), (2.9, -2.6)),
        ("an edge end-on", _row((0.3, -0.6, 9.0), (0.3, -0.6, -9.0), (0.3, -20.0, 0.0)), (-1.7, 0.7), (3.4, -0.75)),
        ("a corner", _row((0.2, -0.35, 0.0), (-0.2, -9.0, 0.0), (0.6, -9.0, 0.0)), (-1.7, 0.6), (3.4, -0.35)),
    )
    for k, (title, row, p, w) in enumerate(scenes):
        left = 20 + 248 * k
        t, cx, cy, _, feature = sweep_sphere_against_triangle(row, 0, (*p, 0.0), (*w, 0.0), r, 1.0)
        panel = Panel(d, left, 40, 225, 215, (-2.85, -2.25), 45.0)
        hit = (p[0] + t * w[0], p[1] + t * w[1])
        with panel:
            if feature == 0:
                d.area(panel([(-9, cy), (9, cy), (9, -9), (-9, -9)]), EARTH)
                d.line(panel([(-9, cy), (9, cy)]), GROUND, 2.4)
            elif feature <= 3:
                d.line(panel([(cx, cy), (cx, -9)]), GROUND, 3)
            else:
                d.area(panel([(row[0, j], row[0, j + 1]) for j in (0, 3, 6)]), EARTH, stroke=GROUND, width=2)
            d.line(panel([p, (p[0] + w[0], p[1] + w[1])]), FAINT, 1.4)
            d.circle(panel.at(p), 45.0, "none", stroke=BODY, width=1.2, dash="4 3")
            d.circle(panel.at(hit), 45.0 * r, "none", stroke=STEP, width=1.4)
            d.circle(panel.at(hit), 45.0, BODY, fill_opacity=0.14, stroke=BODY, width=2)
            if feature != 0:
                # closest approach, and the step back from it
                dd = w[0] * w[0] + w[1] * w[1]
                tc = ((cx - p[0]) * w[0] + (cy - p[1]) * w[1]) / dd
                close = (p[0] + tc * w[0], p[1] + tc * w[1])
                d.line(panel([close, (cx, cy)]), SOFT, 1.2, dash="3 3")
                d.line(panel([hit, (cx, cy)]), SOFT, 1.2, dash="3 3")
                d.line(panel([hit, close]), AIR, 3)
                d.ring(panel.at(close), AIR, 4.5)
            else:
                d.line(panel([hit, (cx, cy)]), SOFT, 1.2, dash="3 3")
            d.arrow(panel.at(p), panel.at(hit), INK, 2)
            d.dot(panel.at((cx, cy)), INK, 4.5)
        d.text((left, 26), title, size=14)
        assert (feature == 0, 1 <= feature <= 3, feature >= 4)[k]
    d.key((26, 282), [(BODY, "the body"), (STEP, f"swept sphere: {SWEEP_SKIN_FRACTION:g} skin larger")], gap=20)
    d.ring((278, 278), AIR, 4.5)
    d.text((290, 282), "closest approach; the impact is", size=12)
    d.line([(273, 298), (284, 298)], AIR, 3)
    d.text((290, 302), "sqrt(r² - h²) before it", size=12)
    d.text((740, 282), "drawn with a skin of 0.1", SOFT, 12, "end")
    d.text((740, 302), "instead of 0.01", SOFT, 12, "end")
    return d
