"""Straight stairs and spiral stairs."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from ....core.vectors import Floats, Point
from ...geometry.instance_transform import exact_sin_cos
from ..entities.landmarks import StairsFoot
from .piece_builder import PieceBuilder, Placement

TREAD_THICKNESS = 0.06  # metres, of open stairs
RAIL_THICKNESS = 0.05  # metres
COLUMN_SIDES = 16
LONG_RUN = 10.0  # metres: a tread as long as that is no step
HIGH_RAIL = 5.0  # metres: a tenth of it was meant
STEP_FACES = 7  # of a step of closed stairs
FOOT_REACH = 0.35  # metres in front of the first riser, from where one steps up


def build_stairs(builder: PieceBuilder) -> Placement:
    """Treads, risers, sides, back and base, or treads alone if open.

    The side of a step is a triangle above the pitch line and a quad below it, so neighbouring steps share corners.
    """
    values = builder.values
    steps = values.integer("steps")
    rise, run = values.numbers("rise", "run")
    half = values.number("width") / 2
    top = values.surface("surface")
    side = values.surface("side_surface", top)
    if run >= LONG_RUN or run < min(builder.body.radii[2] / 5.0, rise / 2.0):
        cure = "write the depth of one tread in metres, or add `intended: [step]`"
        builder.report_warning("step", "run", f"a tread of {run:g} m is no step of stairs", cure)
        builder.reported_kinds |= {"flicker", "floating"}
    else:
        _check_rise(builder, rise)
    builder.add_marker("stairs", StairsFoot(rise, steps * rise, 2 * half, FOOT_REACH, steps * run))
    if values.flag("open"):
        for k in range(steps):
            near, far, high = -k * run, -(k + 1) * run, (k + 1) * rise
            _add_tread(builder, half, near, far, high - min(TREAD_THICKNESS, rise), high, top, side)
    else:
        corners = _closed_steps(half, rise, run, steps)
        number = np.arange(len(corners)) % STEP_FACES
        number[-1] = 1  # the back
        builder.add_quads(corners, np.where(number == 0, top, side), number == STEP_FACES - 1)
    return values.number("facing"), values.point("at")


def _closed_steps(half: float, rise: float, run: float, steps: int) -> Floats:
    """Faces (STEP_FACES * steps + 1, 4, 3): of each step the tread, the riser, two faces on either side and the base,
    then the back of all."""
    k = np.arange(steps)
    zero, left, right = np.zeros(steps), np.full(steps, -half), np.full(steps, half)
    near, far, low, high = -k * run, -(k + 1) * run, k * rise, (k + 1) * rise
    by_corner = (
        ((left, high, near), (right, high, near), (right, high, far), (left, high, far)),
        ((left, low, near), (right, low, near), (right, high, near), (left, high, near)),
        ((right, low, near), (right, high, far), (right, high, near), (right, high, near)),
        ((left, high, far), (left, low, near), (left, high, near), (left, high, near)),
        ((right, zero, near), (right, zero, far), (right, high, far), (right, low, near)),
        ((left, zero, far), (left, zero, near), (left, low, near), (left, high, far)),
        ((right, zero, near), (left, zero, near), (left, zero, far), (right, zero, far)),
    )
    corners = np.moveaxis(np.array(by_corner), -1, 0)
    corners[0, 4, 3], corners[0, 5, 2] = corners[0, 4, 2], corners[0, 5, 3]  # the first step has no lower one beside it
    back, height = -steps * run, steps * rise
    last = np.array([[(half, 0.0, back), (-half, 0.0, back), (-half, height, back), (half, height, back)]])
    return np.concatenate([corners.reshape(-1, 4, 3), last])


def _check_rise(builder: PieceBuilder, rise: float) -> None:
    if rise > builder.body.step_height:
        if "step" not in builder.intended:
            builder.reported_kinds.add("misplaced")
        builder.report_warning(
            "step",
            "rise",
            f"a rise of {rise:g} m is higher than {builder.player} can step ({builder.body.step_height:.2f} m)",
            "make it lower, or add `intended: [step]`",
        )


def _add_tread(
    builder: PieceBuilder, half: float, near: float, far: float, low: float, high: float, top: int, side: int
) -> None:
    a, b, c, d = (-half, high, near), (half, high, near), (half, high, far), (-half, high, far)
    e, f, g, h = ((x, low, z) for x, _, z in (a, b, c, d))
    builder.add_quad(a, b, c, d, top)
    builder.add_quad(h, g, f, e, side)
    builder.add_quad(e, f, b, a, side)
    builder.add_quad(f, g, c, b, side)
    builder.add_quad(g, h, d, c, side)
    builder.add_quad(h, e, a, d, side)


def build_spiral_stairs(builder: PieceBuilder) -> Placement:
    """Wedge-shaped treads around a column.

    Of treads thicker than the rise, only the visible part of the ends is made.
    """
    values = builder.values
    steps = values.integer("steps")
    rise, turn, radius, column = values.numbers("rise", "turn", "radius", "column")
    if abs(turn) < 1.0:
        message = f"a turn of {turn:g} degrees per tread is too small"
        builder.reject_piece("turn", message, "use 1 to 90 degrees, or -1 to -90")
    if column > radius - 0.1:
        builder.reject_piece(
            "column", f"a column of {column:g} m leaves no tread within {radius:g} m", "make the column thinner"
        )
    _check_rise(builder, rise)
    builder.add_marker("stairs", StairsFoot(rise, steps * rise, 2 * radius, radius, turn=turn))
    tread = values.surface("surface")
    pillar = values.surface("column_surface", tread)
    inner = 0.8 * column  # inside the column, whose sides are chords
    for k in range(steps):
        _add_wedge_step(builder, k, steps, (inner, radius), tread)
    if (rail := values.number("rail")) >= HIGH_RAIL:
        message = f"a rail of {rail:g} m closes the way from the last treads"
        builder.report_warning("closed", "rail", message, f"write {rail / 10.0:g}, or add `intended: [closed]`")
    if rail > 0.0:
        _add_rail(builder, tread)
    builder.add_prism(column, steps * rise + 1.0, COLUMN_SIDES, pillar)
    return values.number("facing"), values.point("at")


def _point_at_angle(radius: float, degrees: float, y: float) -> Point:
    """Point at a radius and an angle in degrees counter-clockwise from north."""
    sine, cosine = exact_sin_cos(degrees)
    return -radius * sine, y, -radius * cosine


def _add_wedge_step(builder: PieceBuilder, k: int, steps: int, radii: tuple[float, float], surface: int) -> None:
    values = builder.values
    rise, turn = values.numbers("rise", "turn")
    inner, outer = radii
    high = (k + 1) * rise
    low = max(0.0, high - values.number("thickness"))
    begin, end = k * turn, (k + 1) * turn

    def quad(a: Point, b: Point, c: Point, d: Point, rests: bool = False) -> None:
        if turn > 0:
            builder.add_quad(a, b, c, d, surface, rests)
        else:
            builder.add_quad(d, c, b, a, surface, rests)

    a, b, c, d = (_point_at_angle(r, g, high) for r, g in ((inner, begin), (outer, begin), (outer, end), (inner, end)))
    e, f, g, h = ((x, low, z) for x, _, z in (a, b, c, d))
    quad(a, b, c, d)
    quad(h, g, f, e, rests=low == 0.0)
    quad(f, g, c, b)
    riser = max(low, high - rise) if k else low
    quad(_point_at_angle(inner, begin, riser), _point_at_angle(outer, begin, riser), b, a)
    next_low = max(0.0, high + rise - values.number("thickness"))
    hidden = min(high, next_low) if k < steps - 1 else high
    if hidden > low + 1e-9:
        quad(g, h, _point_at_angle(inner, end, hidden), _point_at_angle(outer, end, hidden))


def _add_rail(builder: PieceBuilder, surface: int) -> None:
    """Parapet along the outer edge of the treads: one closed strip with constant slope."""
    values = builder.values
    steps = values.integer("steps")
    rise, turn, radius, thickness, rail = values.numbers("rise", "turn", "radius", "thickness", "rail")
    outside = radius + RAIL_THICKNESS / math.cos(math.radians(abs(turn) / 2))
    rims = []
    for k in range(steps + 1):
        low, high = max(0.0, k * rise - thickness), (k + 1) * rise + rail
        radii = (outside, radius) if turn > 0 else (radius, outside)
        rims.append(
            [_point_at_angle(r, k * turn, y) for r, y in zip((*radii, *radii), (low, low, high, high), strict=True)]
        )
    for (a, b, c, d), (e, f, g, h) in pairwise(rims):
        builder.add_quad(a, e, g, c, surface)
        builder.add_quad(b, d, h, f, surface)
        builder.add_triangle(c, g, h, surface)
        builder.add_triangle(c, h, d, surface)
        rests = a[1] == 0.0 == e[1]
        builder.add_triangle(e, a, f, surface, rests)
        builder.add_triangle(f, a, b, surface, rests)
    first, last = rims[0], rims[-1]
    builder.add_quad(first[0], first[2], first[3], first[1], surface)
    builder.add_quad(last[1], last[3], last[2], last[0], surface)
